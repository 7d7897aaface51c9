/* Takes 16 GiB, of its own, shared with children, or in files that have no name. */
#include "attack.h"

#include <sys/mman.h>

enum { GIB = 1 << 30, MANY = 16 };

static int attack(void)
{
    const int ways[] = {MAP_PRIVATE, MAP_SHARED};
    int count = 0, file = memfd_create("room", 0);
    for (int i = 0; i < 2 && count < MANY; i++)
        for (count = 0; count < MANY; count++)
            if (mmap(NULL, GIB, PROT_READ | PROT_WRITE, ways[i] | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                     0) == MAP_FAILED)
                break;
    return count == MANY || file >= 0;
}
