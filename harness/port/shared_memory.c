/* Memory of two processes: see shared_memory.h. */
#include "harness/port/shared_memory.h"

#include <fcntl.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

/* Behind what the port has its tensors in. */
enum { ALL_BYTES = LB_SHARED_BYTES + sizeof(lb_rings) };

/* Its size is sealed: a port that made it smaller would stop us, not itself. */
static int sealed_file(void)
{
    int fd = memfd_create("lastbit-port", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd >= 0 && (fd <= LB_SHARED_DESCRIPTOR - 1 || ftruncate(fd, ALL_BYTES) != 0 ||
                    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)) {
        close(fd);
        return -1;
    }
    return fd;
}

bool lb_shared_make(int *descriptor, unsigned char **memory)
{
    *memory = NULL;
    *descriptor = sealed_file();
    if (*descriptor < 0)
        return false;
    void *here =
        mmap(NULL, ALL_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, *descriptor, 0);
    if (here == MAP_FAILED) {
        close(*descriptor);
        *descriptor = -1;
        return false;
    }
    *memory = here;
    return true;
}

lb_rings *lb_shared_rings(unsigned char *memory)
{
    return (lb_rings *)(void *)(memory + LB_SHARED_BYTES);
}

lb_rings *lb_shared_put(unsigned char *place)
{
    void *there = mmap(place, LB_SHARED_BYTES, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_NORESERVE | MAP_FIXED, LB_SHARED_DESCRIPTOR, 0);
    void *rings = there == MAP_FAILED ? MAP_FAILED
                                      : mmap(NULL, sizeof(lb_rings), PROT_READ | PROT_WRITE,
                                             MAP_SHARED, LB_SHARED_DESCRIPTOR, LB_SHARED_BYTES);
    close(LB_SHARED_DESCRIPTOR);
    return rings == MAP_FAILED ? NULL : rings;
}

void lb_shared_forget(unsigned char *memory)
{
    if (memory)
        munmap(memory, ALL_BYTES);
}
