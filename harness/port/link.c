/* Lines to ports that run elsewhere: see link.h. */
#include "harness/port/link.h"
#include "harness/base/child.h"
#include "harness/base/clock.h"
#include "harness/base/watch.h"
#include "harness/port/find_host.h"
#include "harness/port/shared_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

/* ---- Processes ---- */

lb_sandbox lb_link_sandbox;

/* What the new process gets as its descriptors 0, 1, LB_HOST_MEMORY (-1: none), LB_HOST_CHANNEL. */
typedef struct hand_over {
    int in, out, memory, channel;
} hand_over;

/* Above all places that descriptors go to. */
static bool lift(int *fd)
{
    if (*fd >= 0)
        *fd = fcntl(*fd, F_DUPFD_CLOEXEC, LB_HOST_CHANNEL + 1);
    return *fd >= 0;
}

/* False: the host has no descriptors. */
static bool start_clean(hand_over h)
{
    sigset_t none;
    sigemptyset(&none);
    setpgid(0, 0); /* so that a Ctrl-C is ours to handle */
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    bool has_memory = h.memory >= 0;
    if (!lift(&h.in) || !lift(&h.out) || !lift(&h.channel) || (has_memory && !lift(&h.memory)))
        return false;
    bool good = dup2(h.in, STDIN_FILENO) >= 0 && dup2(h.out, STDOUT_FILENO) >= 0 &&
                dup2(h.channel, LB_HOST_CHANNEL) >= 0 &&
                (!has_memory || dup2(h.memory, LB_HOST_MEMORY) >= 0);
    if (!has_memory)
        close(LB_HOST_MEMORY);
    close_range(LB_HOST_CHANNEL + 1, ~0U, 0);
    return good;
}

static void forget_memory(lb_link *link)
{
    lb_shared_forget(link->memory);
    link->memory = NULL;
    link->memory_is_port = false;
}

static void say_short(int channel, const char *what)
{
    char text[300];
    int length = snprintf(text, sizeof text, LB_HOST_SAYS_SHORT "%s: %s\n", what, strerror(errno));
    if (write(channel, text, (size_t)length) != length)
        return;
}

/* Nothing of this process is left in that of the port: another program takes its place. */
static _Noreturn void run_process(const lb_link_target *target, const char *host, pid_t parent,
                                  hand_over h)
{
    static const char *const sandboxes[] = LB_SANDBOX_NAMES;
    const char *kind = target->kind != LB_LINK_LIBRARY ? LB_HOST_COMMAND
                       : h.memory >= 0                 ? LB_HOST_SHARING
                                                       : LB_HOST_LIBRARY;
    char number[24];
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    snprintf(number, sizeof number, "%ld", (long)parent);
    if (!start_clean(h)) {
        say_short(h.channel, "no descriptor for the port");
        _exit(0);
    }
    execl(host, "lastbit-host", kind, target->address, number, sandboxes[lb_link_sandbox],
          (char *)NULL);
    say_short(LB_HOST_CHANNEL, host);
    _exit(0);
}

static bool open_pipes(int pipes[3][2])
{
    for (int i = 0; i < 3; i++)
        if (pipe2(pipes[i], O_CLOEXEC) != 0) {
            for (int k = 0; k < i; k++) {
                close(pipes[k][0]);
                close(pipes[k][1]);
            }
            return false;
        }
    return true;
}

static bool fail_open(lb_link *link, char *why, size_t why_bytes, const char *what)
{
    link->host_failed = true;
    snprintf(why, why_bytes, "%s: %s", what, strerror(errno));
    return false;
}

static bool open_process(lb_link *link, const lb_link_target *target, char *why, size_t why_bytes)
{
    int pipes[3][2], memory = -1; /* to the port, from it, from the host itself */
    pid_t parent = getpid();
    char host[4096];
    if (!lb_host_find(host, sizeof host)) {
        link->host_failed = true;
        snprintf(why, why_bytes,
                 "lastbit-host, the program that ports live in, is neither beside this program nor "
                 "in ../libexec/lastbit: install it again");
        return false;
    }
    if (!open_pipes(pipes))
        return fail_open(link, why, why_bytes, "no pipe to the port");
    /* From now on nobody but root reads or writes this process, whoever's it is. */
    if (lb_link_sandbox != LB_SANDBOX_OFF)
        prctl(PR_SET_DUMPABLE, 0L);
    if (target->kind == LB_LINK_LIBRARY)
        lb_shared_make(&memory, &link->memory);
    fflush(NULL);
    link->process = fork();
    if (link->process == 0)
        run_process(target, host, parent,
                    (hand_over){pipes[0][0], pipes[1][1], memory, pipes[2][1]});
    if (memory >= 0)
        close(memory);
    close(pipes[0][0]);
    close(pipes[1][1]);
    close(pipes[2][1]);
    link->out = pipes[0][1];
    link->in = pipes[1][0];
    link->channel = pipes[2][0];
    if (link->process < 0) {
        close(link->in);
        close(link->out);
        close(link->channel);
        forget_memory(link);
        return fail_open(link, why, why_bytes, "no process for the port");
    }
    setpgid(link->process, link->process); /* whoever of the two comes first */
    fcntl(link->channel, F_SETFL, O_NONBLOCK);
    return true;
}

/* ---- What the host says itself ---- */

static void listen_to_host(lb_link *link)
{
    ssize_t got;
    while (link->process > 0 && link->said_bytes < sizeof link->said - 1 &&
           (got = read(link->channel, link->said + link->said_bytes,
                       sizeof link->said - 1 - link->said_bytes)) > 0)
        link->said_bytes += (size_t)got;
    link->said[link->said_bytes] = '\0';
}

/* The line that begins with the word, without it; false: there is none. */
static bool find_said(lb_link *link, const char *word, char *text, size_t text_bytes)
{
    listen_to_host(link);
    for (const char *line = link->said; *line != '\0';
         line += strcspn(line, "\n"), line += *line == '\n')
        if (strncmp(line, word, strlen(word)) == 0) {
            line += strlen(word);
            snprintf(text, text_bytes, "%.*s", (int)strcspn(line, "\n"), line);
            return true;
        }
    if (text_bytes > 0)
        text[0] = '\0';
    return false;
}

void lb_link_kept_apart(lb_link *link, char by[LB_LINK_WORDS], char open[LB_LINK_WORDS])
{
    find_said(link, LB_HOST_SAYS_BOX, by, LB_LINK_WORDS);
    find_said(link, LB_HOST_SAYS_OPEN, open, LB_LINK_WORDS);
}

/* ---- Sockets and serial devices ---- */

static bool open_tcp(lb_link *link, const lb_link_target *target, char *why, size_t why_bytes)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *list = NULL;
    int on = 1, fd = -1, error = getaddrinfo(target->address, target->service, &hints, &list);
    if (error != 0) {
        snprintf(why, why_bytes, "%.200s: %s", target->address, gai_strerror(error));
        return false;
    }
    for (struct addrinfo *a = list; a && fd < 0; a = a->ai_next) {
        fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);
        if (fd >= 0 && connect(fd, a->ai_addr, a->ai_addrlen) != 0) {
            snprintf(why, why_bytes, "%.200s:%s: %s", target->address, target->service,
                     strerror(errno));
            close(fd);
            fd = -1;
        }
    }
    freeaddrinfo(list);
    if (fd < 0)
        return false;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    link->in = link->out = fd;
    return true;
}

static const struct {
    unsigned baud;
    speed_t speed;
} speeds[] = {{9600, B9600},       {19200, B19200},     {38400, B38400},     {57600, B57600},
              {115200, B115200},   {230400, B230400},   {460800, B460800},   {500000, B500000},
              {921600, B921600},   {1000000, B1000000}, {1500000, B1500000}, {2000000, B2000000},
              {3000000, B3000000}, {4000000, B4000000}};
enum { SPEED_COUNT = sizeof speeds / sizeof speeds[0] };

static const speed_t *speed_of(unsigned baud)
{
    for (size_t i = 0; i < SPEED_COUNT; i++)
        if (speeds[i].baud == baud)
            return &speeds[i].speed;
    return NULL;
}

static bool open_serial(lb_link *link, const lb_link_target *target, char *why, size_t why_bytes)
{
    struct termios settings;
    int fd = open(target->address, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 || tcgetattr(fd, &settings) != 0) {
        snprintf(why, why_bytes, "%.200s: %s", target->address, strerror(errno));
        if (fd >= 0)
            close(fd);
        return false;
    }
    cfmakeraw(&settings);
    settings.c_cflag |= CLOCAL | CREAD;
    cfsetspeed(&settings, *speed_of(target->baud));
    tcsetattr(fd, TCSAFLUSH, &settings);
    link->in = link->out = fd;
    return true;
}

/* ---- Both ---- */

bool lb_link_open(lb_link *link, const lb_link_target *target, char *why, size_t why_bytes)
{
    bool good;
    *link = (lb_link){.owner = getpid(), .channel = -1};
    if (target->kind == LB_LINK_TCP)
        good = open_tcp(link, target, why, why_bytes);
    else if (target->kind == LB_LINK_SERIAL)
        good = open_serial(link, target, why, why_bytes);
    else
        good = open_process(link, target, why, why_bytes);
    if (!good)
        return false;
    fcntl(link->in, F_SETFL, fcntl(link->in, F_GETFL) | O_NONBLOCK);
    fcntl(link->out, F_SETFL, fcntl(link->out, F_GETFL) | O_NONBLOCK);
    return link->is_open = true;
}

/* Waits for the keeper, some seconds at most: most end at once. */
static bool wait_for_end(lb_link *link, int *status)
{
    enum { TRIES = 600 };
    struct timespec moment = {.tv_nsec = 100000};
    for (int i = 0; i < TRIES; i++) {
        if (waitpid(link->process, status, WNOHANG) == link->process)
            return true;
        nanosleep(&moment, NULL);
        moment.tv_nsec = moment.tv_nsec < 10000000 ? moment.tv_nsec * 2 : moment.tv_nsec;
    }
    return false;
}

static void end_process(lb_link *link)
{
    int status;
    kill(link->process, SIGTERM);
    kill(link->process, SIGCONT); /* whoever has stopped it */
    if (wait_for_end(link, &status))
        return;
    kill(link->process, SIGKILL);
    waitpid(link->process, NULL, 0);
}

void lb_link_close(lb_link *link)
{
    if (!link->is_open)
        return;
    close(link->in);
    if (link->out != link->in)
        close(link->out);
    if (link->process > 0 && link->owner == getpid())
        end_process(link);
    if (link->channel >= 0)
        close(link->channel);
    link->channel = -1;
    forget_memory(link);
    link->is_open = false;
    link->process = 0;
}

/* Writing to a line whose other end is gone must give an error, not a signal. */
static ssize_t write_quietly(int fd, const uint8_t *from, size_t count)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGPIPE, &ignore, &before);
    ssize_t put = write(fd, from, count);
    int error = errno;
    sigaction(SIGPIPE, &before, NULL);
    errno = error;
    return put;
}

static bool is_temporary(ssize_t result)
{
    return result < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
}

static int milliseconds_until(uint64_t deadline_ns)
{
    uint64_t now = lb_awake_ns();
    if (now >= deadline_ns)
        return 0;
    uint64_t left = (deadline_ns - now) / 1000000u + 1;
    return left > LB_AWAKE_WAIT_MS ? LB_AWAKE_WAIT_MS : (int)left;
}

/* Errors of writing that mean: nobody is there any more. */
static bool is_gone(int error)
{
    return error == EPIPE || error == EIO || error == ECONNRESET || error == ENOTCONN ||
           error == ETIMEDOUT || error == ENXIO || error == ENODEV;
}

/* Waits for one of the events, until the deadline at most; false: it has passed. A process answers
 * soon, lines to other machines take their time. */
static bool wait_for(const lb_link *link, struct pollfd *events, nfds_t count, uint64_t deadline_ns)
{
    if (link->process > 0 && lb_watch(events, count))
        return true;
    uint64_t begun = lb_now_ns();
    int meant = milliseconds_until(deadline_ns), found = poll(events, count, meant);
    lb_awake_note(begun, (uint64_t)meant * 1000000u);
    return found != 0 || lb_awake_ns() < deadline_ns;
}

/* ---- The line to a library: bytes in memory, and pipes to sleep at ---- */

/* What comes by the pipe itself has woken us, and is nothing. False: the other end is gone. */
static bool clear_pipe(const lb_link *link)
{
    uint8_t bytes[64];
    const ssize_t got = read(link->in, bytes, sizeof bytes);
    return got > 0 || is_temporary(got);
}

/* Until the process has something to say, or takes what fills the ring. */
static lb_link_event sleep_at_pipe(const lb_link *link, lb_ring *from_port, bool is_full,
                                   uint64_t deadline_ns)
{
    struct pollfd wait = {.fd = link->in, .events = POLLIN};
    const uint64_t begun = lb_now_ns();
    if (!lb_ring_sleep(from_port))
        return LB_LINK_BYTES;
    const int meant = is_full ? 1 : milliseconds_until(deadline_ns), found = poll(&wait, 1, meant);
    lb_ring_rise(from_port);
    lb_awake_note(begun, (uint64_t)meant * 1000000u);
    if (found > 0 && !clear_pipe(link))
        return LB_LINK_CLOSED;
    return found != 0 || lb_awake_ns() < deadline_ns ? LB_LINK_BYTES : LB_LINK_TIME;
}

static lb_link_event pump_in_memory(lb_link *link, const uint8_t *from, size_t count, size_t *sent,
                                    uint8_t *to, size_t room, size_t *received,
                                    uint64_t deadline_ns)
{
    lb_rings *rings = lb_shared_rings(link->memory);
    lb_link_event event = LB_LINK_BYTES;
    for (;;) {
        bool wake = false;
        *sent = event == LB_LINK_CLOSED ? 0 : lb_ring_put(&rings->to_port, from, count, &wake);
        if (wake)
            (void)write_quietly(link->out, (const uint8_t *)"", 1); /* who is gone is seen below */
        if (*sent > 0)
            return LB_LINK_BYTES;
        if (!lb_ring_take(&rings->from_port, to, room, received))
            return LB_LINK_CLOSED;
        if (*received > 0)
            return LB_LINK_BYTES;
        if (event != LB_LINK_BYTES)
            return event;
        if (!lb_ring_watch(&rings->from_port, &link->patience))
            event = sleep_at_pipe(link, &rings->from_port, count > 0, deadline_ns);
    }
}

lb_link_event lb_link_pump(lb_link *link, const uint8_t *from, size_t count, size_t *sent,
                           uint8_t *to, size_t room, size_t *received, uint64_t deadline_ns)
{
    *sent = *received = 0;
    if (link->memory)
        return pump_in_memory(link, from, count, sent, to, room, received, deadline_ns);
    for (;;) {
        if (count > 0) {
            ssize_t put = write_quietly(link->out, from, count);
            if (put > 0)
                return *sent = (size_t)put, LB_LINK_BYTES;
            if (put < 0 && !is_temporary(put) && !is_gone(errno)) {
                link->host_failed = true;
                return LB_LINK_CLOSED;
            }
            if (!is_temporary(put))
                count = 0; /* what the port has said before it went can still be read */
        }
        ssize_t got = room > 0 ? read(link->in, to, room) : -1;
        if (got > 0)
            return *received = (size_t)got, LB_LINK_BYTES;
        if (got == 0 || (room > 0 && !is_temporary(got)))
            return LB_LINK_CLOSED;
        struct pollfd wait[2] = {{.fd = link->in, .events = POLLIN},
                                 {.fd = link->out, .events = POLLOUT}};
        if (!wait_for(link, wait, count > 0 ? 2 : 1, deadline_ns))
            return LB_LINK_TIME;
    }
}

static void describe_status(int status, char *text, size_t text_bytes)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) > 128 && WEXITSTATUS(status) < 128 + 65)
        snprintf(text, text_bytes,
                 "the port crashed: exit status %d, which a shell gives for signal %d (%s)",
                 WEXITSTATUS(status), WEXITSTATUS(status) - 128,
                 strsignal(WEXITSTATUS(status) - 128));
    else
        lb_child_describe_end(status, text, text_bytes);
}

void lb_link_describe_end(lb_link *link, char *text, size_t text_bytes)
{
    int status = 0;
    char said[LB_LINK_WORDS];
    if (link->host_failed) {
        snprintf(text, text_bytes, "the line to the port cannot be written");
        return;
    }
    snprintf(text, text_bytes, "the port closed the line");
    if (link->process <= 0 || !wait_for_end(link, &status))
        return;
    link->host_failed = find_said(link, LB_HOST_SAYS_SHORT, said, sizeof said);
    if (link->host_failed)
        snprintf(text, text_bytes, "%s", said);
    else if (find_said(link, LB_HOST_SAYS_END, said, sizeof said))
        describe_status((int)strtol(said, NULL, 10), text, text_bytes);
    else if (WIFSIGNALED(status)) /* somebody has ended the keeper */
        describe_status(status, text, text_bytes);
    link->process = 0;
}

/* ---- What the user wrote ---- */

static bool parse_tcp(const char *text, lb_link_target *target)
{
    const char *colon = strrchr(text, ':');
    target->kind = LB_LINK_TCP;
    const char *service = colon ? colon + 1 : "";
    const bool is_number = *service && service[strspn(service, "0123456789")] == '\0';
    const long number = is_number ? strtol(service, NULL, 10) : 1;
    if (!*service || colon == text || number < 1 || number > 65535 ||
        strlen(service) >= sizeof target->service ||
        (size_t)(colon - text) >= sizeof target->address) {
        fprintf(stderr,
                "lastbit: --port tcp:%s: expected tcp:HOST:PORT, PORT from 1 to 65535, as in "
                "tcp:127.0.0.1:4000\n",
                text);
        return false;
    }
    snprintf(target->address, sizeof target->address, "%.*s", (int)(colon - text), text);
    snprintf(target->service, sizeof target->service, "%.31s", colon + 1);
    return true;
}

static bool parse_serial(const char *text, lb_link_target *target)
{
    const char *colon = strrchr(text, ':');
    char *end = NULL;
    unsigned long baud = colon ? strtoul(colon + 1, &end, 10) : 115200;
    size_t length = colon ? (size_t)(colon - text) : strlen(text);
    target->kind = LB_LINK_SERIAL;
    if (length == 0 || length >= sizeof target->address || (colon && (end == colon + 1 || *end)) ||
        baud > 4000000 || !speed_of((unsigned)baud)) {
        fprintf(stderr, "lastbit: --port serial:%s: expected serial:DEVICE[:BAUD], BAUD one of",
                text);
        for (size_t i = 0; i < SPEED_COUNT; i++)
            fprintf(stderr, " %u", speeds[i].baud);
        fprintf(stderr, " (115200 if it is left out)\n");
        return false;
    }
    memcpy(target->address, text, length);
    target->address[length] = '\0';
    target->baud = (unsigned)baud;
    return true;
}

/* Why it can be no shared library, in words; NULL: it looks like one. */
static const char *no_library(const char *path)
{
    static const unsigned char elf[] = {0x7F, 'E', 'L', 'F'};
    unsigned char start[sizeof elf];
    struct stat is;
    if (stat(path, &is) != 0 || access(path, R_OK) != 0)
        return strerror(errno);
    if (S_ISDIR(is.st_mode))
        return "a folder is no port";
    FILE *file = S_ISREG(is.st_mode) ? fopen(path, "rb") : NULL;
    const size_t count = file ? fread(start, 1, sizeof start, file) : 0;
    if (file)
        fclose(file);
    return count == sizeof elf && memcmp(start, elf, sizeof elf) == 0 ? NULL
                                                                      : "it is no shared library";
}

bool lb_link_parse(const char *text, lb_link_target *target)
{
    bool is_command = strncmp(text, "exec:", 5) == 0;
    *target = (lb_link_target){.kind = is_command ? LB_LINK_COMMAND : LB_LINK_LIBRARY};
    if (strncmp(text, "tcp:", 4) == 0)
        return parse_tcp(text + 4, target);
    if (strncmp(text, "serial:", 7) == 0)
        return parse_serial(text + 7, target);
    const char *address = is_command ? text + 5 : text;
    if (strlen(address) >= sizeof target->address || address[strspn(address, " \t")] == '\0') {
        fprintf(stderr, "lastbit: --port %s: expected a command or file name\n", text);
        return false;
    }
    const char *why = is_command ? NULL : no_library(address);
    if (why) {
        fprintf(stderr,
                "lastbit: --port %s: %s; a port is builtin, a shared library, exec:COMMAND, "
                "tcp:HOST:PORT, serial:DEVICE[:BAUD] or files:DIR\n",
                text, why);
        return false;
    }
    strcpy(target->address, address);
    return true;
}
