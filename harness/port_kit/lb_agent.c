/* lastbit's agent on a system with files and sockets: the kit on standard input and output, or for
 * one caller after another on a TCP port. Link it with lb_kit.c, a library and a file that defines
 * lb_port. */
#include "lb_kit.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* For the tensors of one call; the system gives pages as they are used. */
#ifndef LB_AGENT_MEMORY
#define LB_AGENT_MEMORY (256u << 20)
#endif

static uint8_t memory[LB_AGENT_MEMORY];

typedef struct lb_line {
    int in, out;
} lb_line;

static uint32_t read_bytes(void *line, uint8_t *to, uint32_t count)
{
    ssize_t got = read(((lb_line *)line)->in, to, count);
    return got > 0 ? (uint32_t)got : 0;
}

static int write_bytes(void *line, const uint8_t *from, uint32_t count)
{
    while (count > 0) {
        ssize_t put = write(((lb_line *)line)->out, from, count);
        if (put <= 0)
            return 0;
        from += put;
        count -= (uint32_t)put;
    }
    return 1;
}

static void serve(int in, int out)
{
    lb_line line = {in, out};
    lb_kit_transport transport = {read_bytes, write_bytes, &line};
    lb_kit_serve(&transport, memory, sizeof memory);
}

/* What a kernel prints must not come between the frames: standard output becomes standard error. */
static int serve_standard(void)
{
    int out = dup(STDOUT_FILENO);
    if (out < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        perror("lastbit-agent");
        return 1;
    }
    serve(STDIN_FILENO, out);
    return 0;
}

static int serve_tcp(const char *text)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    char *end = NULL;
    unsigned long port = strtoul(text, &end, 10);
    int on = 1, listener = socket(AF_INET, SOCK_STREAM, 0);
    if (end == text || *end || port > 65535) {
        fprintf(stderr, "lastbit-agent: --listen %s: expected a TCP port, 0 to 65535\n", text);
        return 2;
    }
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons((uint16_t)port);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(listener, 4) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) != 0) {
        perror("lastbit-agent");
        return 1;
    }
    printf("listening on 127.0.0.1:%u\n", (unsigned)ntohs(address.sin_port));
    fflush(stdout);
    signal(SIGPIPE, SIG_IGN);
    for (;;) {
        int caller = accept(listener, NULL, NULL);
        if (caller < 0)
            continue;
        setsockopt(caller, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        serve(caller, caller);
        close(caller);
    }
}

int main(int argc, char **argv)
{
    if (argc == 1)
        return serve_standard();
    if (argc == 3 && strcmp(argv[1], "--listen") == 0)
        return serve_tcp(argv[2]);
    fprintf(argc == 2 && strcmp(argv[1], "--help") == 0 ? stdout : stderr,
            "Usage: lastbit-agent [--listen PORT]\n"
            "\n"
            "Answers lastbit on standard input and output (lastbit run --port exec:lastbit-agent "
            "...), or on a TCP\n"
            "port of this machine (lastbit run --port tcp:127.0.0.1:PORT ...).\n"
            "The port: %s\n",
            lb_port.description);
    return argc == 2 && strcmp(argv[1], "--help") == 0 ? 0 : 2;
}
