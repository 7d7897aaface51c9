/* Our implementation behind the kit at the end of a bad line: bytes are invented, garbled, lost and
 * doubled, both ways, by a generator with a seed. On standard input and output, or on a
 * pseudo-terminal (--pty: prints its name). */
#include "../../port_kit/lb_kit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static uint8_t memory[1 << 20];
static uint32_t state;
static int in, out;
static int loses; /* whole frames too: a line that never does is not asked to recover from it */

static uint32_t below(uint32_t limit)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % limit;
}

static void put(const uint8_t *from, uint32_t count)
{
    while (count > 0) {
        ssize_t done = write(out, from, count);
        if (done <= 0)
            _exit(1);
        from += done;
        count -= (uint32_t)done;
    }
}

static void put_noise(void)
{
    uint8_t noise[40];
    for (unsigned i = 0; i < sizeof noise; i++)
        noise[i] = (uint8_t)(below(6) == 0 ? 0xB5 : below(6) == 0 ? 0x4C : below(256));
    put(noise, 1 + below(sizeof noise));
}

static int write_badly(void *line, const uint8_t *from, uint32_t count)
{
    static uint8_t copy[1 << 17];
    uint32_t fault = below(20);
    (void)line;
    memcpy(copy, from, count);
    if (fault == 0)
        put_noise();
    if (fault == 1)
        copy[below(count)] ^= (uint8_t)(1 + below(255));
    if (fault == 2)
        put(from, below(count)); /* a frame that stops, and then the whole one */
    if (fault == 3)
        put(from, count);
    if (fault == 4)
        count = below(count);
    if (fault == 5 && loses)
        return 1;
    put(copy, count);
    return 1;
}

static uint32_t read_badly(void *line, uint8_t *to, uint32_t count)
{
    ssize_t got = read(in, to, count);
    (void)line;
    if (got <= 0)
        return 0;
    if (below(20) == 0)
        to[below((uint32_t)got)] ^= (uint8_t)(1 + below(255));
    if (below(40) == 0 && got > 1)
        got--;
    return (uint32_t)got;
}

static int open_terminal(void)
{
    struct termios settings;
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0 ||
        tcgetattr(terminal, &settings) != 0)
        return -1;
    cfmakeraw(&settings);
    tcsetattr(terminal, TCSANOW, &settings);
    printf("%s\n", ptsname(terminal));
    fflush(stdout);
    /* Held open, so that the line does not end when its user closes it. */
    return open(ptsname(terminal), O_RDWR | O_NOCTTY) < 0 ? -1 : terminal;
}

int main(int argc, char **argv)
{
    const lb_kit_transport transport = {read_badly, write_badly, NULL};
    in = STDIN_FILENO;
    out = STDOUT_FILENO;
    state = (uint32_t)getpid() * 7919u;
    if (argc > 1 && strcmp(argv[1], "--pty") == 0) {
        loses = 1;
        in = out = open_terminal();
    } else if (argc > 1) {
        state = (uint32_t)strtoul(argv[1], NULL, 10);
    }
    if (in < 0)
        return 77;
    lb_kit_serve(&transport, memory, sizeof memory);
    return 0;
}
