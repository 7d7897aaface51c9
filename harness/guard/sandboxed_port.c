/* A step on the port in a process of its own: see sandboxed_port.h. */
#include "harness/guard/sandboxed_port.h"
#include "harness/base/child.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TIME_LIMIT_SECONDS = 60, MAX_ANSWER = 4096 };

bool lb_sandbox_is_due(const lb_port *port)
{
    return strcmp(port->name, "builtin") != 0 && strncmp(port->name, "exec:", 5) != 0;
}

/* A pipe holds the answer whole, so that writing does not wait. */
static void answer_in_child(int pipe_end, lb_sandbox_fn step, void *user, size_t bytes)
{
    unsigned char answer[MAX_ANSWER] = {0};
    signal(SIGALRM, SIG_DFL);
    alarm(TIME_LIMIT_SECONDS);
    step(user, answer);
    ssize_t written = write(pipe_end, answer, bytes);
    lb_child_exit(written == (ssize_t)bytes ? 0 : 1);
}

static bool read_answer(int pipe_end, unsigned char *answer, size_t bytes)
{
    size_t length = 0;
    while (length < bytes) {
        ssize_t count = read(pipe_end, answer + length, bytes - length);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        length += (size_t)count;
    }
    return true;
}

static void tell_end(int status, char *problem, size_t problem_bytes)
{
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        snprintf(problem, problem_bytes, "no answer within %d seconds", TIME_LIMIT_SECONDS);
    else if (WIFSIGNALED(status))
        snprintf(problem, problem_bytes, "the port crashed: signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(problem, problem_bytes, "the port ended the process with status %d",
                 WEXITSTATUS(status));
}

bool lb_sandbox_run(lb_sandbox_fn step, void *user, void *answer, size_t bytes, char *problem,
                    size_t problem_bytes)
{
    int ends[2], status = 0;
    fflush(NULL); /* or the child would write it again */
    if (bytes > MAX_ANSWER || pipe(ends) != 0)
        return snprintf(problem, problem_bytes, "no pipe: %s", strerror(errno)), false;
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        answer_in_child(ends[1], step, user, bytes);
    }
    close(ends[1]);
    bool good = child > 0 && read_answer(ends[0], answer, bytes);
    close(ends[0]);
    if (child < 0)
        return snprintf(problem, problem_bytes, "no process: %s", strerror(errno)), false;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (!good)
        tell_end(status, problem, problem_bytes);
    return good;
}
