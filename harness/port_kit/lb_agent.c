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
#include <sys/wait.h>
#include <unistd.h>

/* For the tensors of one call; the system gives pages as they are used. */
#ifndef LB_AGENT_MEMORY
#if UINTPTR_MAX > 0xFFFFFFFFu
#define LB_AGENT_MEMORY (1024u << 20)
#else
#define LB_AGENT_MEMORY (256u << 20)
#endif
#endif

typedef struct lb_line {
    int in, out;
} lb_line;

/* ---- Memory, with pages that lastbit forbids; -DLB_AGENT_WITHOUT_PAGES: plain memory ---- */

#ifdef LB_AGENT_WITHOUT_PAGES
static uint8_t *take_memory(void)
{
    static uint8_t memory[LB_AGENT_MEMORY];
    return memory;
}
#else
#include <sys/mman.h>
#include <ucontext.h>

enum { PAGE_BYTES = 4096, KINDS = 2 };
static const int faults[KINDS] = {SIGSEGV, SIGBUS};
static struct sigaction before[KINDS];

static int protect(void *at, uint32_t bytes, int is_forbidden)
{
    if (sysconf(_SC_PAGESIZE) != PAGE_BYTES || (uintptr_t)at % PAGE_BYTES != 0 ||
        bytes % PAGE_BYTES != 0)
        return 0;
    return mprotect(at, bytes, is_forbidden ? PROT_NONE : PROT_READ | PROT_WRITE) == 0;
}

static unsigned access_of(const void *context)
{
#if defined(__x86_64__) && defined(REG_ERR)
    return ((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] >> 1 & 1 ? 1 : 0;
#else
    (void)context;
    return 2;
#endif
}

/* The instruction is tried again, and then ends the process as it would have; a signal that was
 * sent is sent again. */
static void note_fault(int number, siginfo_t *info, void *context)
{
    sigaction(number, &before[number == faults[0] ? 0 : 1], NULL);
    if (info->si_code <= 0)
        raise(number);
    else
        lb_kit_fault(info->si_addr, access_of(context));
}

/* Kernels may have used up the stack. */
static void note_faults(void)
{
    static unsigned char stack[1 << 16];
    const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_sigaction = note_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    int i;
    sigaltstack(&other, NULL);
    for (i = 0; i < KINDS; i++)
        sigaction(faults[i], &action, &before[i]);
}

static uint8_t *take_memory(void)
{
    void *memory = mmap(NULL, LB_AGENT_MEMORY, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    note_faults();
    lb_kit_guard(protect);
    return memory;
}
#endif

/* ---- The line ---- */

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
    static uint8_t *memory;
    lb_line line = {in, out};
    lb_kit_transport transport = {read_bytes, write_bytes, &line};
    memory = memory ? memory : take_memory();
    if (memory)
        lb_kit_serve(&transport, memory, LB_AGENT_MEMORY);
    else
        perror("lastbit-agent: no memory");
}

/* In a process of its own: when a kernel crashes, the next caller finds an agent. */
static void serve_caller(int listener, int caller)
{
    const pid_t child = fork();
    if (child > 0) {
        close(caller);
        waitpid(child, NULL, 0);
        return;
    }
    if (child == 0)
        close(listener);
    serve(caller, caller);
    close(caller);
    if (child == 0)
        _exit(0);
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
        serve_caller(listener, caller);
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
