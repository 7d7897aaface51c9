/* Finding lastbit-host: see find_host.h. */
#include "harness/port/find_host.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool lb_host_find(char *path, size_t bytes)
{
    /* As it is built; as it is installed; for tests, which are built a folder below. */
    static const char *const ways[] = {"", "../libexec/lastbit/", "../"};
    char folder[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
    if (length <= 0)
        return false;
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    if (!slash)
        return false;
    slash[1] = '\0';
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        if ((size_t)snprintf(path, bytes, "%s%slastbit-host", folder, ways[i]) < bytes &&
            access(path, X_OK) == 0)
            return true;
    return false;
}
