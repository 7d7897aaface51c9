/* The end of a child process: see child.h. */
#include "harness/base/child.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef LASTBIT_COVERAGE
void __gcov_dump(void);
#endif

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
