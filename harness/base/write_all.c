/* Bytes to a descriptor: see write_all.h. */
#include "harness/base/write_all.h"

#include <errno.h>
#include <unistd.h>

bool lb_write_all(int fd, const void *bytes, size_t count)
{
    const unsigned char *next = bytes;
    while (count > 0) {
        ssize_t written = write(fd, next, count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        next += written;
        count -= (size_t)written;
    }
    return true;
}
