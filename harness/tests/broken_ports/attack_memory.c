/* Gets at the memory of its judge, to write over what compares. */
#include "attack.h"

#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

static int each(int process)
{
    char path[64], byte = 0;
    snprintf(path, sizeof path, "/proc/%d/mem", process);
    int file = open(path, O_RDWR);
    struct iovec here = {&byte, 1}, there = {(void *)(uintptr_t)&lb_port, 1};
    if (file >= 0 || (file = open(path, O_RDONLY)) >= 0)
        return close(file), 1;
    if (process_vm_readv(process, &here, 1, &there, 1, 0) == 1)
        return 1;
    if (ptrace(PTRACE_SEIZE, process, NULL, NULL) == 0)
        return ptrace(PTRACE_DETACH, process, NULL, NULL), 1;
    return 0;
}

static int attack(void)
{
    return attack_processes(each);
}
