/* Keeping a port apart: see sandbox.h. */
#include "harness/host/sandbox.h"
#include "harness/host/channel.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MEMORY_GIB = 4,      /* that a port may ask for */
    ADDRESSES_GIB = 12,  /* with what is shared, the pages beside it, and what is only reserved */
    OUTPUT_MIB = 256,    /* that it may write to a file that its output goes to */
    PROCESSES_MOST = 256 /* and threads */
};

/* What was reached, from process to process. */
static struct {
    bool user, mounts, processes, read_only;
} reached;

/* ---- Namespaces ---- */

static bool write_map(const char *path, const char *format, unsigned id)
{
    char text[64];
    int length = snprintf(text, sizeof text, format, id, id), fd = open(path, O_WRONLY | O_CLOEXEC);
    bool good = fd >= 0 && write(fd, text, (size_t)length) == length;
    if (fd >= 0)
        close(fd);
    return good;
}

/* Who we are stays the same; what we may do outside is gone. */
static bool enter_user(void)
{
    unsigned user = geteuid(), group = getegid();
    if (unshare(CLONE_NEWUSER) != 0)
        return false;
    write_map("/proc/self/setgroups", "deny", 0);
    return write_map("/proc/self/gid_map", "%u %u 1", group) &&
           write_map("/proc/self/uid_map", "%u %u 1", user);
}

bool lb_sandbox_enter(lb_sandbox wish)
{
    if (wish == LB_SANDBOX_OFF)
        return false;
    reached.user = enter_user();
    reached.mounts = unshare(CLONE_NEWNS) == 0;
    reached.processes = unshare(CLONE_NEWPID) == 0;
    return reached.processes;
}

void lb_sandbox_mount(void)
{
    struct mount_attr attributes = {.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID};
    if (!reached.mounts || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        return;
    reached.read_only =
        mount_setattr(AT_FDCWD, "/", AT_RECURSIVE, &attributes, sizeof attributes) == 0;
    /* For what a library keeps for a moment. */
    (void)mount("lastbit", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "size=64m");
    /* Other processes are not even to be seen; a container may forbid it. */
    (void)mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, NULL);
}

/* ---- Privileges ---- */

static bool drop_privileges(void)
{
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2];
    memset(none, 0, sizeof none);
    for (unsigned long c = 0; prctl(PR_CAPBSET_DROP, c, 0, 0, 0) == 0; c++)
        ;
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    return syscall(SYS_capset, &head, none) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

void lb_sandbox_command(lb_sandbox wish)
{
    if (wish != LB_SANDBOX_OFF)
        prctl(PR_CAPBSET_DROP, (unsigned long)CAP_SYS_PTRACE, 0, 0, 0);
}

/* ---- Limits ---- */

static bool limit(unsigned what, rlim_t most)
{
    struct rlimit now, wish = {most, most};
    if (getrlimit(what, &now) != 0)
        return false;
    if (now.rlim_max != RLIM_INFINITY && now.rlim_max < most)
        wish = (struct rlimit){now.rlim_max, now.rlim_max};
    return setrlimit(what, &wish) == 0;
}

/* The run-time libraries of sanitizers reserve terabytes. */
bool lb_sandbox_is_sanitized(void)
{
    static const char *const marks[] = {"__asan_init", "__tsan_init", "__msan_init",
                                        "__hwasan_init"};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (dlsym(RTLD_DEFAULT, marks[i]))
            return true;
    return false;
}

static bool limit_memory(void)
{
    return lb_sandbox_is_sanitized() || (limit(RLIMIT_DATA, (rlim_t)MEMORY_GIB << 30) &&
                                         limit(RLIMIT_AS, (rlim_t)ADDRESSES_GIB << 30));
}

/* Behind what a file has already. */
static bool limit_output(void)
{
    struct stat output;
    rlim_t there =
        fstat(STDERR_FILENO, &output) == 0 && S_ISREG(output.st_mode) ? (rlim_t)output.st_size : 0;
    return limit(RLIMIT_FSIZE, there + ((rlim_t)OUTPUT_MIB << 20));
}

/* Those of root are not, in no namespace. */
static bool are_processes_counted(void)
{
    struct rlimit most, none;
    if (getrlimit(RLIMIT_NPROC, &most) != 0)
        return false;
    none = (struct rlimit){0, most.rlim_max};
    setrlimit(RLIMIT_NPROC, &none);
    const pid_t child = fork();
    if (child == 0)
        _exit(0);
    setrlimit(RLIMIT_NPROC, &most);
    if (child > 0)
        waitpid(child, NULL, 0);
    return child < 0;
}

/* Outside a namespace of users all processes of the user count, however many there are. */
static bool limit_processes(void)
{
    return reached.user && limit(RLIMIT_NPROC, PROCESSES_MOST) && are_processes_counted();
}

/* ---- What came of it ---- */

typedef struct part {
    const char *name;
    bool closed;
} part;

static void tell(const char *word, const part *parts, size_t count, bool closed)
{
    char text[600] = "";
    size_t length = 0;
    for (size_t i = 0; i < count; i++)
        if (parts[i].closed == closed)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%s",
                                       length > 0 ? ", " : "", parts[i].name);
    if (length > 0)
        lb_channel_say(word, "%s", text);
}

bool lb_sandbox_close(lb_sandbox wish)
{
    if (wish == LB_SANDBOX_OFF)
        return true;
    limit(RLIMIT_CORE, 0);
    bool memory = limit_memory(), output = limit_output(), processes = limit_processes();
    bool privileges = drop_privileges(), landlock = privileges && lb_landlock_close(),
         seccomp = privileges && lb_seccomp_close(reached.processes);
    const part parts[] = {{"privileges", privileges},
                          {"memory of other processes", privileges || seccomp || landlock},
                          {"signals to other processes", reached.processes || seccomp},
                          {"other programs", seccomp || landlock},
                          {"writing of files", reached.read_only || landlock},
                          {"terminal", privileges && getsid(0) == getpid()},
                          {"network", seccomp},
                          {"limit of memory", memory},
                          {"limit of output", output},
                          {"limit of processes", processes}};
    const part means[] = {{"namespace of users", reached.user},
                          {"namespace of processes", reached.processes},
                          {"mounts to be read alone", reached.read_only},
                          {"Landlock", landlock},
                          {"seccomp", seccomp}};
    const size_t count = sizeof parts / sizeof parts[0];
    bool all = true;
    for (size_t i = 0; i < count; i++)
        all = all && parts[i].closed;
    tell(LB_HOST_SAYS_BOX, means, sizeof means / sizeof means[0], true);
    tell(LB_HOST_SAYS_OPEN, parts, count, false);
    return all || wish != LB_SANDBOX_REQUIRE;
}
