/* Temporary files: see temporary.h. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

const char *lb_temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && folder[0] != '\0' ? folder : "/tmp";
}

FILE *lb_temporary_file(void)
{
    const char *folder = lb_temporary_folder();
    char path[4096];
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) { /* this file system has none */
        snprintf(path, sizeof path, "%.4000s/lastbit-XXXXXX", folder);
        fd = mkostemp(path, O_CLOEXEC);
        if (fd >= 0)
            unlink(path);
    }
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w+b");
    if (!file && fd >= 0)
        close(fd);
    return file;
}
