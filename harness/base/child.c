/* Child processes: see child.h. */
#include "harness/base/child.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef LASTBIT_COVERAGE
void __gcov_dump(void);
#endif

pid_t lb_child_start(void)
{
    fflush(NULL);
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            lb_child_exit(0);
    }
    return child;
}

int lb_child_wait(pid_t child)
{
    int status = 0;
    if (child <= 0)
        return -1;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return status;
}

void lb_child_exit(int status)
{
#ifdef LASTBIT_COVERAGE
    __gcov_dump();
#endif
    _exit(status);
}

void lb_child_describe_end(int status, char *text, size_t text_bytes)
{
    if (WIFSIGNALED(status))
        snprintf(text, text_bytes, "the port crashed: signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(text, text_bytes, "the port ended with exit status %d", WEXITSTATUS(status));
}
