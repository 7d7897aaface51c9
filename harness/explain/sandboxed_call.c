/* Calls of a port in a process of their own: see sandboxed_call.h. The child is a copy of this
 * process, so addresses are the same in both: it sends back tensors, call and block as they stand.
 */
#include "harness/explain/sandboxed_call.h"
#include "harness/base/child.h"
#include "harness/base/clock.h"
#include "harness/base/write_all.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Something can be read before the deadline. */
static bool wait_readable(int fd, double deadline)
{
    for (;;) {
        double left = deadline - lb_now_seconds();
        struct pollfd waiting = {.fd = fd, .events = POLLIN};
        int found = poll(&waiting, 1,
                         left <= 0    ? 0
                         : left > 1e6 ? 1000000000
                                      : (int)(left * 1000) + 1);
        if (found > 0)
            return true;
        if (found == 0 && left <= 0)
            return false;
        if (found < 0 && errno != EINTR)
            return false;
    }
}

typedef enum outcome { DONE, ENDED, TOO_LATE } outcome;

static outcome receive_all(int fd, void *bytes, size_t count, double deadline)
{
    unsigned char *next = bytes;
    while (count > 0) {
        if (!wait_readable(fd, deadline))
            return TOO_LATE;
        ssize_t got = read(fd, next, count);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return ENDED;
        next += got;
        count -= (size_t)got;
    }
    return DONE;
}

static bool send_instance(const lb_instance *instance, int fd)
{
    return lb_write_all(fd, instance->tensors, sizeof instance->tensors) &&
           lb_write_all(fd, &instance->call, sizeof instance->call) &&
           lb_write_all(fd, instance->block, instance->memory->block_bytes);
}

static outcome receive(int fd, lb_instance *instance, double deadline)
{
    outcome end = receive_all(fd, instance->tensors, sizeof instance->tensors, deadline);
    if (end == DONE)
        end = receive_all(fd, &instance->call, sizeof instance->call, deadline);
    return end == DONE ? receive_all(fd, instance->block, instance->memory->block_bytes, deadline)
                       : end;
}

static const char *what_happened(outcome end, int status, double seconds, lb_arena *arena)
{
    if (end == DONE)
        return NULL;
    if (end == TOO_LATE)
        return lb_arena_printf(arena, "did not return within %g s", seconds);
    if (WIFSIGNALED(status))
        return lb_arena_printf(arena, "crashed: %s", strsignal(WTERMSIG(status)));
    return lb_arena_printf(arena, "ended the process with exit status %d", WEXITSTATUS(status));
}

const char *lb_explain_apart(void (*work)(void *user), void *user, lb_instance *instance,
                             double seconds, lb_arena *arena)
{
    int ends[2];
    if (pipe(ends) != 0)
        return "could not be called: no pipe";
    pid_t pid = lb_child_start();
    if (pid == 0) {
        close(ends[0]);
        work(user);
        lb_child_exit(send_instance(instance, ends[1]) ? 0 : 3);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return "could not be called: no process";
    }
    outcome end = receive(ends[0], instance, lb_now_seconds() + seconds);
    close(ends[0]);
    if (end == TOO_LATE)
        kill(pid, SIGKILL);
    return what_happened(end, lb_child_wait(pid), seconds, arena);
}
