/* Child processes: see child.h. */
#include "harness/base/child.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
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

/* ---- Orphans ---- */

enum { MOST_CHILDREN = 256 };

/* Children of whoever was this process before: of a shell that has started jobs and then us. */
static struct {
    pid_t adopter, list[MOST_CHILDREN];
    size_t count;
} older;

static size_t list_children(pid_t list[MOST_CHILDREN])
{
    char path[64];
    long child;
    size_t count = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *file = fopen(path, "re");
    while (file && count < MOST_CHILDREN && fscanf(file, "%ld", &child) == 1)
        list[count++] = (pid_t)child;
    if (file)
        fclose(file);
    return count;
}

void lb_child_adopt(void)
{
    if (older.adopter == getpid())
        return;
    older.count = list_children(older.list);
    /* Whoever has so many: nobody could tell which are whose. */
    if (older.count < MOST_CHILDREN && prctl(PR_SET_CHILD_SUBREAPER, 1L) == 0)
        older.adopter = getpid();
}

static bool is_older(pid_t child)
{
    for (size_t i = 0; i < older.count; i++)
        if (older.list[i] == child)
            return true;
    return false;
}

void lb_child_end_all(double grace_seconds)
{
    enum { KILLING_TRIES = 200 };
    const struct timespec moment = {.tv_nsec = 10000000};
    const int grace = (int)(grace_seconds * 100);
    pid_t list[MOST_CHILDREN];
    for (int i = 0; older.adopter == getpid() && i < grace + KILLING_TRIES; i++) {
        size_t count = list_children(list), left = 0;
        for (size_t c = 0; c < count; c++) {
            if (is_older(list[c]))
                continue;
            left++;
            if (i >= grace)
                kill(list[c], SIGKILL); /* its own children come to us */
            waitpid(list[c], NULL, WNOHANG);
        }
        if (left == 0)
            return;
        nanosleep(&moment, NULL);
    }
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
