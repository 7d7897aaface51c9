/* The keeper of a port: see keeper.h. */
#include "harness/host/keeper.h"
#include "harness/base/child.h"
#include "harness/base/clock.h"
#include "harness/host/channel.h"
#include "harness/host/library.h"
#include "harness/host/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

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
    kill(port, SIGKILL);
    do
        kill_children();
    while ((waitpid(-1, NULL, 0) > 0 || errno == EINTR) && lb_now_ns() < until);
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
                lb_channel_say(LB_HOST_SAYS_END, "%d", status);
                end_all(port);
                lb_child_exit(0);
            }
    }
}

/* ---- Its beginning ---- */

static _Noreturn void run_port(const lb_kept_port *port)
{
    sigset_t none;
    sigemptyset(&none);
    /* A group of its own, to be ended as one. A library has no business at the terminal either,
     * where it could type for whoever sits there. */
    if (!port->is_library || port->sandbox == LB_SANDBOX_OFF || setsid() < 0)
        setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (port->is_library)
        lb_child_exit(lb_library_serve(port));
    lb_sandbox_command(port->sandbox);
    lb_channel_close();
    execl("/bin/sh", "sh", "-c", port->address, (char *)NULL);
    _exit(127);
}

/* The line is the port's alone: that it is closed must be seen at the other end. */
static void leave_line(const lb_kept_port *port)
{
    if (port->has_memory)
        close(LB_HOST_MEMORY);
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0)
        return;
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    close(nothing);
}

static pid_t start(void)
{
    pid_t child = fork();
    if (child < 0)
        lb_channel_say(LB_HOST_SAYS_SHORT, "no process for the port: %s", strerror(errno));
    if (child < 0)
        lb_child_exit(0);
    return child;
}

/* The first process of a namespace: with it all others in there end. It has no signals to fear from
 * them. */
static _Noreturn void be_first(const lb_kept_port *port)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    lb_sandbox_mount();
    pid_t child = start();
    if (child == 0)
        run_port(port);
    leave_line(port);
    for (;;) {
        int status;
        pid_t ended = waitpid(-1, &status, 0);
        if (ended == child)
            lb_channel_say(LB_HOST_SAYS_END, "%d", status);
        if (ended == child || (ended < 0 && errno == ECHILD))
            lb_child_exit(0);
    }
}

void lb_keeper_become(const lb_kept_port *port)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    sigaddset(&signals, SIGTERM);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    prctl(PR_SET_CHILD_SUBREAPER, 1L);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != port->parent)
        lb_child_exit(0);
    const bool apart = port->is_library && lb_sandbox_enter(port->sandbox);
    prctl(PR_SET_DUMPABLE, 0L);
    pid_t child = start();
    if (child == 0 && apart)
        be_first(port);
    if (child == 0)
        run_port(port);
    leave_line(port);
    if (apart) /* the first process tells the end */
        lb_channel_close();
    keep(child, &signals);
}
