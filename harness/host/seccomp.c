/* System calls that no kernel function has a use for. Part of sandbox.h. */
#include "harness/host/sandbox.h"

#ifndef LB_HAS_SECCOMP

bool lb_seccomp_close(bool alone)
{
    (void)alone;
    return false;
}

#else

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <unistd.h>

static const char *const forbidden[] = {
    /* other programs */
    "execve",
    "execveat",
    /* other processes */
    "ptrace",
    "process_vm_readv",
    "process_vm_writev",
    "process_madvise",
    "process_mrelease",
    "pidfd_open",
    "pidfd_getfd",
    "pidfd_send_signal",
    "rt_sigqueueinfo",
    "rt_tgsigqueueinfo",
    "tkill",
    "kcmp",
    "get_robust_list",
    "move_pages",
    "migrate_pages",
    "perf_event_open",
    "bpf",
    /* other machines */
    "socket",
    "socketcall",
    /* the system */
    "mount",
    "umount",
    "umount2",
    "move_mount",
    "open_tree",
    "fsopen",
    "fsmount",
    "fsconfig",
    "fspick",
    "mount_setattr",
    "pivot_root",
    "chroot",
    "unshare",
    "setns",
    "name_to_handle_at",
    "open_by_handle_at",
    "io_uring_setup",
    "io_uring_enter",
    "io_uring_register",
    "userfaultfd",
    "add_key",
    "request_key",
    "keyctl",
    "init_module",
    "finit_module",
    "delete_module",
    "kexec_load",
    "kexec_file_load",
    "reboot",
    "swapon",
    "swapoff",
    "quotactl",
    "acct",
    "syslog",
    "settimeofday",
    "clock_settime",
    "clock_adjtime",
    "adjtimex",
    "sethostname",
    "setdomainname",
    "iopl",
    "ioperm",
    "modify_ldt",
    "personality",
    "shmget",
    "shmat",
    "msgget",
    "semget",
    "mq_open",
    "memfd_create",
    "fanotify_init",
    "lookup_dcookie",
    "nfsservctl",
    "uselib",
    "vhangup",
};

static bool forbid(scmp_filter_ctx filter)
{
    bool good = true;
    for (size_t i = 0; i < sizeof forbidden / sizeof forbidden[0]; i++) {
        const int number = seccomp_syscall_resolve_name(forbidden[i]);
        if (number == __NR_SCMP_ERROR)
            continue; /* this machine has no such call */
        good = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), number, 0) == 0 && good;
    }
    return good;
}

/* Threads and children, but none with a namespace of its own. What its arguments hide is said not
 * to be there, and libraries take the older call. */
static bool forbid_namespaces(scmp_filter_ctx filter)
{
    static const unsigned flags[] = {CLONE_NEWUSER, CLONE_NEWNS,  CLONE_NEWPID,   CLONE_NEWNET,
                                     CLONE_NEWIPC,  CLONE_NEWUTS, CLONE_NEWCGROUP};
    bool good = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        good = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                                SCMP_A0(SCMP_CMP_MASKED_EQ, flags[i], flags[i])) == 0 &&
               good;
    return good;
}

/* Signals, at once or when something is read, and limits. */
static bool forbid_others(scmp_filter_ctx filter)
{
    const struct {
        int call;
        struct scmp_arg_cmp when;
    } rules[] = {{SCMP_SYS(kill), SCMP_A0(SCMP_CMP_NE, (scmp_datum_t)getpid(), 0)},
                 {SCMP_SYS(tgkill), SCMP_A0(SCMP_CMP_NE, (scmp_datum_t)getpid(), 0)},
                 {SCMP_SYS(prlimit64), SCMP_A0(SCMP_CMP_NE, 0, 0)},
                 {SCMP_SYS(fcntl), SCMP_A1(SCMP_CMP_EQ, F_SETOWN, 0)},
                 {SCMP_SYS(fcntl), SCMP_A1(SCMP_CMP_EQ, F_SETOWN_EX, 0)},
                 {SCMP_SYS(fcntl), SCMP_A1(SCMP_CMP_EQ, F_SETSIG, 0)}};
    bool good = true;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        good = seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), rules[i].call, 1,
                                      &rules[i].when) == 0 &&
               good;
    return good;
}

/* The faults of forbidden pages are lastbit's: nobody may handle them and go on. The call says that
 * it has done so, for run-time libraries that install handlers and end if they cannot. */
static bool keep_faults(scmp_filter_ctx filter)
{
    static const int faults[] = {SIGSEGV, SIGBUS};
    bool good = true;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0] && !lb_sandbox_is_sanitized(); i++)
        good = seccomp_rule_add(filter, SCMP_ACT_ERRNO(0), SCMP_SYS(rt_sigaction), 2,
                                SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)faults[i], 0),
                                SCMP_A1(SCMP_CMP_NE, 0, 0)) == 0 &&
               good;
    return good;
}

bool lb_seccomp_close(bool alone)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter)
        return false;
    /* Calls of another machine's interface would pass by the list. */
    bool good = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) == 0 &&
                seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2) == 0 && forbid(filter) &&
                forbid_namespaces(filter) && (alone || forbid_others(filter)) &&
                keep_faults(filter) && seccomp_load(filter) == 0;
    seccomp_release(filter);
    return good;
}

#endif
