/* Files beside the program: see installed.h. */
#include "harness/base/installed.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder of the program itself. */
static bool program_folder(char folder[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    if (length <= 0)
        return false;
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    return slash != NULL;
}

bool lb_program_prefix(char *path, size_t bytes)
{
    char folder[PATH_MAX];
    if (!program_folder(folder))
        return false;
    char *last = strrchr(folder, '/');
    if (last && strcmp(last, "/bin") == 0)
        *last = '\0';
    return (size_t)snprintf(path, bytes, "%s", folder) < bytes;
}

bool lb_installed(const char *name, const char *file, char *path, size_t bytes)
{
    /* From PREFIX/bin; from build/PRESET of the source tree. */
    static const char *const ways[] = {"../share/lastbit", "../..", "../../harness"};
    char folder[PATH_MAX], inner[2 * PATH_MAX], whole[PATH_MAX];
    if (!program_folder(folder))
        return false;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        snprintf(inner, sizeof inner, "%s/%s/%s", folder, ways[i], name);
        size_t length = strlen(inner);
        snprintf(inner + length, sizeof inner - length, "/%s", file);
        if (access(inner, R_OK) != 0)
            continue;
        inner[length] = '\0';
        return realpath(inner, whole) && (size_t)snprintf(path, bytes, "%s", whole) < bytes;
    }
    return false;
}
