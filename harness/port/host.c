/* The keeper of a port: see host.h. */
#include "harness/port/host.h"
#include "harness/base/child.h"
#include "harness/base/clock.h"
#include "harness/port/library.h"
#include "harness/port/shared_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

const char *lb_host_program;

enum { END_SECONDS = 5 }; /* that killed processes may take to go */

/* ---- The end of a port ---- */

/* The system hands all orphans below us to us, so that our children are all there is. */
static void kill_children(void)
{
    char path[64];
    long child;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *list = fopen(path, "re");
    while (list && fscanf(list, "%ld", &child) == 1)
        kill((pid_t)child, SIGKILL);
    if (list)
        fclose(list);
}

/* Each that dies may leave us its own children. */
static void end_all(pid_t port)
{
    const uint64_t until = lb_now_ns() + END_SECONDS * 1000000000ull;
    kill(-port, SIGKILL);
    do
        kill_children();
    while ((waitpid(-1, NULL, 0) > 0 || errno == EINTR) && lb_now_ns() < until);
}

/* Ends this process as that status tells, so that who waits for it sees what became of the port. */
static _Noreturn void end_like(int status)
{
    const struct rlimit no_core = {0, 0};
    sigset_t none;
    if (WIFSIGNALED(status)) {
        setrlimit(RLIMIT_CORE, &no_core);
        signal(WTERMSIG(status), SIG_DFL);
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        raise(WTERMSIG(status));
    }
    lb_child_exit(WEXITSTATUS(status));
}

/* Until the port ends, or we are told to end: by who started us, or by the system when that died.
 */
static _Noreturn void keep(pid_t port, const sigset_t *signals)
{
    for (;;) {
        int status, signal_number = sigwaitinfo(signals, NULL);
        if (signal_number == SIGTERM) {
            end_all(port);
            lb_child_exit(0);
        }
        for (pid_t ended; signal_number == SIGCHLD && (ended = waitpid(-1, &status, WNOHANG)) > 0;)
            if (ended == port) {
                end_all(port);
                end_like(status);
            }
    }
}

/* ---- Its beginning ---- */

static _Noreturn void run_port(const lb_link_target *target, pid_t keeper, bool has_memory)
{
    sigset_t none;
    sigemptyset(&none);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != keeper)
        lb_child_exit(0);
    signal(SIGINT, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (target->kind == LB_LINK_LIBRARY)
        lb_child_exit(lb_library_serve(target->address, has_memory));
    execl("/bin/sh", "sh", "-c", target->address, (char *)NULL);
    _exit(127);
}

/* The line is the port's alone: that it is closed must be seen at the other end. */
static void leave_line(bool has_memory)
{
    if (has_memory)
        close(LB_SHARED_DESCRIPTOR);
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0)
        return;
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    close(nothing);
}

void lb_host_become(const lb_link_target *target, pid_t parent, bool has_memory)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    sigaddset(&signals, SIGTERM);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    prctl(PR_SET_CHILD_SUBREAPER, 1L);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        lb_child_exit(0);
    pid_t keeper = getpid(), port = fork();
    if (port == 0)
        run_port(target, keeper, has_memory);
    if (port < 0) {
        fprintf(stderr, "lastbit: no process for the port: %s\n", strerror(errno));
        lb_child_exit(LB_HOST_SHORTAGE);
    }
    leave_line(has_memory);
    keep(port, &signals);
}

static const char library_with_memory[] = "library-with-memory";

const char *lb_host_kind(lb_link_kind kind, bool has_memory)
{
    return kind != LB_LINK_LIBRARY ? "command" : has_memory ? library_with_memory : "library";
}

int lb_host_main(int argc, char **argv)
{
    lb_link_target target = {.kind = LB_LINK_COMMAND};
    if (argc != 4 || strlen(argv[2]) >= sizeof target.address) {
        fprintf(stderr, "lastbit %s: not a command for people\n", LB_HOST_COMMAND);
        return 2;
    }
    bool has_memory = strcmp(argv[1], library_with_memory) == 0;
    if (has_memory || strcmp(argv[1], lb_host_kind(LB_LINK_LIBRARY, false)) == 0)
        target.kind = LB_LINK_LIBRARY;
    strcpy(target.address, argv[2]);
    lb_host_become(&target, (pid_t)strtol(argv[3], NULL, 10), has_memory);
}
