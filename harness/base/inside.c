/* Names of files that have to stay in a folder: see inside.h. */
#include "harness/base/inside.h"

#include <stdlib.h>
#include <string.h>

bool lb_name_is_inside(const char *name)
{
    bool good = *name && *name != '/';
    for (const char *at = name; good && *at;) {
        size_t length = strcspn(at, "/");
        good = !(length == 2 && at[0] == '.' && at[1] == '.');
        at += length + (at[length] == '/');
    }
    return good;
}

bool lb_file_is_inside(const char *folder, const char *path)
{
    char *root = realpath(*folder ? folder : ".", NULL), *file = realpath(path, NULL);
    size_t length = root ? strlen(root) : 0;
    bool inside =
        !root || !file || length == 1 || (strncmp(file, root, length) == 0 && file[length] == '/');
    free(root);
    free(file);
    return inside;
}
