/* Landlock: what even the owner of files and processes may not do. Part of sandbox.h. */
#include "harness/host/sandbox.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The kernel's interface, up to its sixth version: headers of distributions are older than their
 * kernels. */
typedef struct ruleset {
    uint64_t files, network, scoped;
} ruleset;

enum { CREATE = 444, ADD_RULE, RESTRICT, VERSION = 1, PATH_BENEATH = 1 };

/* Bits of what may be done to files; by the version that knows them. */
enum {
    EXECUTE = 1 << 0,
    WRITE = 1 << 1,
    REMOVE_AND_MAKE = 0x1FF << 4,
    REFER = 1 << 13,
    TRUNCATE = 1 << 14
};

/* Devices that everybody writes to, and files that are gone with the process. */
static void allow_writing(int rules, const char *path, uint64_t allowed)
{
    const struct landlock_path_beneath_attr rule = {allowed, open(path, O_PATH | O_CLOEXEC)};
    if (rule.parent_fd >= 0) {
        syscall(ADD_RULE, rules, PATH_BENEATH, &rule, 0);
        close(rule.parent_fd);
    }
}

bool lb_landlock_close(void)
{
    const long version = syscall(CREATE, NULL, 0, VERSION);
    ruleset all = {.files = EXECUTE | WRITE | REMOVE_AND_MAKE};
    if (version < 1)
        return false;
    all.files |= (version >= 2 ? REFER : 0) | (version >= 3 ? TRUNCATE : 0);
    all.network = version >= 4 ? 3 : 0;
    all.scoped = version >= 6 ? 3 : 0;
    const size_t bytes = version >= 6 ? sizeof all : version >= 4 ? 16 : 8;
    const int rules = (int)syscall(CREATE, &all, bytes, 0);
    if (rules < 0)
        return false;
    allow_writing(rules, "/dev/null", WRITE | (all.files & TRUNCATE));
    allow_writing(rules, "/dev/shm", all.files & ~(uint64_t)EXECUTE);
    const bool good = syscall(RESTRICT, rules, 0) == 0;
    close(rules);
    return good;
}
