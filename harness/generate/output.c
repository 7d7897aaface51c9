/* Where a made suite goes: see output.h. */
#include "harness/generate/output.h"

#include <errno.h>
#include <string.h>

int lb_generate_write(const char *path, bool (*write)(void *user, FILE *out), void *user)
{
    FILE *out = path && strcmp(path, "-") != 0 ? fopen(path, "w") : stdout;
    bool good = out && write(user, out);
    if (out && out != stdout)
        good = fclose(out) == 0 && good;
    if (!good)
        fprintf(stderr, "lastbit vectors generate: %s: %s\n", path ? path : "standard output",
                strerror(errno));
    return good ? 0 : 3;
}
