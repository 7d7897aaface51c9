/* A file that appears whole or not at all: written beside its target and renamed. */
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DONE = 0, BAD_INPUT = 2, CANNOT_WRITE = 3 };

static int cannot_write(const char *path)
{
    fprintf(stderr, "lastbit: %s: cannot write: %s\n", path, strerror(errno));
    return CANNOT_WRITE;
}

/* Writes to an open file. 0, 2 or 3, with the message printed. */
static int write_to(lb_output_fn write, void *user, FILE *out, const char *out_path)
{
    char error[700] = "";
    errno = 0;
    if (write(user, out, error, sizeof error) && fflush(out) == 0)
        return DONE;
    if (ferror(out))
        return cannot_write(out_path);
    fprintf(stderr, "lastbit: %s\n", error);
    return BAD_INPUT;
}

/* A pipe or a device is written to directly: to rename a file over it would replace it. */
static int write_directly(lb_output_fn write, void *user, const char *out_path)
{
    FILE *out = fopen(out_path, "wb");
    if (!out)
        return cannot_write(out_path);
    int status = write_to(write, user, out, out_path);
    if (fclose(out) != 0 && status == DONE)
        status = cannot_write(out_path);
    return status;
}

/* Opens a new file beside the target, with the rights that a new file has; fills temporary with its
 * name. */
static FILE *open_beside(char *temporary)
{
    int descriptor = mkstemp(temporary);
    if (descriptor < 0)
        return NULL;
    mode_t mask = umask(0);
    umask(mask);
    FILE *out = fchmod(descriptor, 0666 & ~mask) == 0 ? fdopen(descriptor, "wb") : NULL;
    if (!out) {
        int cause = errno;
        close(descriptor);
        unlink(temporary);
        errno = cause;
    }
    return out;
}

static int write_and_rename(lb_output_fn write, void *user, const char *target)
{
    static const char ending[] = ".XXXXXX";
    size_t length = strlen(target);
    char *temporary = malloc(length + sizeof ending);
    if (!temporary)
        return cannot_write(target);
    memcpy(temporary, target, length);
    memcpy(temporary + length, ending, sizeof ending);
    FILE *out = open_beside(temporary);
    int status = !out ? cannot_write(target) : write_to(write, user, out, target);
    /* A host that goes down must not leave the new name on nothing. */
    if (status == DONE && (fflush(out) != 0 || (fsync(fileno(out)) != 0 && errno != EINVAL)))
        status = cannot_write(target);
    if (out && fclose(out) != 0 && status == DONE)
        status = cannot_write(target);
    if (status == DONE && rename(temporary, target) != 0)
        status = cannot_write(target);
    if (out && status != DONE)
        unlink(temporary);
    free(temporary);
    return status;
}

/* Writes to a path: through a link to the file that it names. */
static int write_to_path(lb_output_fn write, void *user, const char *out_path)
{
    struct stat there;
    if (stat(out_path, &there) != 0)
        return write_and_rename(write, user, out_path);
    if (!S_ISREG(there.st_mode))
        return write_directly(write, user, out_path);
    char *target = realpath(out_path, NULL);
    if (!target)
        return cannot_write(out_path);
    int status = write_and_rename(write, user, target);
    free(target);
    return status;
}

int lb_output_file(const char *path, lb_output_fn write, void *user)
{
    return strcmp(path, "-") == 0 ? write_to(write, user, stdout, "standard output")
                                  : write_to_path(write, user, path);
}
