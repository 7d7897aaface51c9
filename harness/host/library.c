/* Ports in shared libraries: see library.h. */
#include "harness/host/library.h"
#include "harness/base/watch.h"
#include "harness/host/channel.h"
#include "harness/host/sandbox.h"
#include "harness/port/pages.h"
#include "harness/port/shared_memory.h"
#include "harness/port_kit/lb_kit.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { FORBIDDEN_BYTES = 1 << 28 };

/* Pipes, and rings, if there are any: then pipes are to sleep at. */
typedef struct line_here {
    int in, out;
    lb_rings *rings;
    lb_ring_patience patience;
} line_here;

/* False: the other end is gone. */
static bool sleep_at_pipe(const line_here *line)
{
    uint8_t bytes[64];
    if (!lb_ring_sleep(&line->rings->to_port))
        return true;
    const ssize_t got = read(line->in, bytes, sizeof bytes);
    lb_ring_rise(&line->rings->to_port);
    return got > 0;
}

static uint32_t take_bytes(line_here *line, uint8_t *to, uint32_t count)
{
    size_t taken = 0;
    bool is_there = true;
    while (lb_ring_take(&line->rings->to_port, to, count, &taken) && taken == 0 && is_there)
        is_there = lb_ring_watch(&line->rings->to_port, &line->patience) || sleep_at_pipe(line);
    return (uint32_t)taken;
}

static uint32_t read_bytes(void *user, uint8_t *to, uint32_t count)
{
    line_here *line = user;
    if (line->rings)
        return take_bytes(line, to, count);
    lb_watch(&(struct pollfd){.fd = line->in, .events = POLLIN}, 1);
    ssize_t got = read(line->in, to, count);
    return got > 0 ? (uint32_t)got : 0;
}

/* A ring that is full is looked at again in a moment. */
static int put_bytes(const line_here *line, const uint8_t *from, uint32_t count)
{
    while (count > 0) {
        bool wake;
        const size_t put = lb_ring_put(&line->rings->from_port, from, count, &wake);
        struct pollfd gone = {.fd = line->out};
        if ((wake && write(line->out, "", 1) != 1) || (put == 0 && poll(&gone, 1, 1) > 0))
            return 0;
        from += put;
        count -= (uint32_t)put;
    }
    return 1;
}

static int write_bytes(void *user, const uint8_t *from, uint32_t count)
{
    const line_here *line = user;
    if (line->rings)
        return put_bytes(line, from, count);
    while (count > 0) {
        ssize_t put = write(line->out, from, count);
        if (put <= 0)
            return 0;
        from += put;
        count -= (uint32_t)put;
    }
    return 1;
}

typedef void (*serve_fn)(const lb_kit_transport *transport, void *memory, uint32_t memory_bytes);

/* A name without a slash would be looked for in the system's folders. */
static void *load(const char *file)
{
    char path[4200];
    snprintf(path, sizeof path, "%s%s", strchr(file, '/') ? "" : "./", file);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        fprintf(stderr, "lastbit: %s: %s\n", file, dlerror());
    return library;
}

/* What is forbidden stays so, whatever the port asks the system for: from Linux 6.10 on. */
static void seal(void *at, size_t bytes)
{
    enum { MSEAL = 462 }; /* the same on all machines; headers of distributions are older */
    (void)syscall(MSEAL, at, bytes, 0);
}

/* Nothing can be touched in front of it or behind it; where it is shared, nor between the slots of
 * buffers. */
static unsigned char *guarded_memory(bool has_memory, lb_rings **rings)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    const size_t bytes = (size_t)LB_SHARED_BYTES + 2 * (size_t)FORBIDDEN_BYTES;
    unsigned char *all = mmap(NULL, bytes, PROT_NONE, flags, -1, 0);
    if (all == MAP_FAILED)
        return NULL;
    unsigned char *memory = all + FORBIDDEN_BYTES;
    if (!has_memory)
        return mprotect(memory, LB_SHARED_BYTES, PROT_READ | PROT_WRITE) == 0 ? memory : NULL;
    *rings = lb_shared_put(memory);
    if (!*rings)
        return NULL;
    lb_pages_forbid(memory);
    seal(all, bytes);
    return memory;
}

/* ---- Faults: where they were, for the message ---- */

static unsigned char *fault_memory;

/* 0 it read, 1 it wrote, 2 not known. */
static uint32_t kind_of_access(const void *context)
{
#if defined(__x86_64__)
    return ((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] >> 1 & 1 ? 1 : 0;
#else
    (void)context;
    return 2;
#endif
}

/* The instruction is tried again, and then ends the process as it would have (SA_RESETHAND); a
 * signal that was sent is sent again. */
static void note_fault(int number, siginfo_t *info, void *context)
{
    const uintptr_t at = (uintptr_t)info->si_addr, start = (uintptr_t)fault_memory;
    lb_fault_told *told = (lb_fault_told *)(void *)fault_memory;
    if (info->si_code <= 0)
        raise(number);
    if (info->si_code <= 0 || at < start || at - start >= LB_SHARED_BYTES)
        return;
    told->offset = at - start;
    told->is_write = kind_of_access(context);
    told->is_told = 1;
}

static void note_faults(unsigned char *memory)
{
    static unsigned char stack[1 << 16];
    const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_sigaction = note_fault,
                               .sa_flags = (int)(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND)};
    fault_memory = memory;
    if (lb_sandbox_is_sanitized())
        return; /* which tells more */
    sigaltstack(&other, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
}

/* All that the port may not have is gone before a line of it runs. */
static bool close_all(const lb_kept_port *port, const void *memory, int out)
{
    bool there = memory && out >= 0;
    if (!there)
        lb_channel_say(LB_HOST_SAYS_SHORT, "%s for the port: %s",
                       memory ? "no descriptor" : "no memory", strerror(errno));
    else if (!lb_sandbox_close(port->sandbox))
        lb_channel_say(LB_HOST_SAYS_SHORT,
                       "--sandbox require, and not all of it is permitted here");
    else
        return lb_channel_close(), true;
    return false;
}

int lb_library_serve(const lb_kept_port *port)
{
    serve_fn serve;
    line_here line = {.in = STDIN_FILENO};
    unsigned char *memory = guarded_memory(port->has_memory, &line.rings);
    /* What a kernel prints must not come between the frames: standard output becomes standard
     * error. A line is seen when it is whole, whatever becomes of the port after it. */
    line.out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, LB_HOST_CHANNEL + 1);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    if (memory && port->has_memory)
        note_faults(memory);
    if (!close_all(port, memory, line.out))
        return 0;
    void *library = load(port->address), *symbol = library ? dlsym(library, "lb_kit_serve") : NULL;
    if (library && !symbol)
        fprintf(stderr,
                "lastbit: %s: no function lb_kit_serve: the library must contain the port kit "
                "(lb_kit.c); see "
                "\"lastbit port new\"\n",
                port->address);
    if (!symbol)
        return 127;
    memcpy(&serve, &symbol, sizeof serve);
    lb_kit_transport transport = {read_bytes, write_bytes, &line};
    serve(&transport, memory + LB_SHARED_FRONT, LB_SHARED_KIT);
    return 0;
}
