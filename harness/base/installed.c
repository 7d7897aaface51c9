/* Files beside the program: see installed.h. */
#include "harness/base/installed.h"
#include "harness/base/inside.h"
#include "harness/base/xalloc.h"

#include <glob.h>
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

bool lb_is_installed(const char *name, const char *file, const char *path)
{
    char folder[PATH_MAX];
    return lb_installed(name, file, folder, sizeof folder) && access(path, F_OK) == 0 &&
           lb_file_is_inside(folder, path);
}

/* ---- "vectors/..." ---- */

static const char suites[] = "vectors";

/* What stands behind "vectors", without slashes in front; NULL: something else is named. */
static const char *behind_vectors(const char *name)
{
    const char *inside = name + strlen(suites);
    if (strncmp(name, suites, strlen(suites)) != 0 || (*inside && *inside != '/'))
        return NULL;
    return inside + strspn(inside, "/");
}

/* Paths stand in structs of commands as words of the command line do, which nobody frees. */
static char *kept(const char *path)
{
    static char **all;
    static size_t count, room;
    all = lb_room_for_one(all, count, &room, sizeof *all);
    all[count] = lb_resized(NULL, strlen(path) + 1);
    return strcpy(all[count++], path);
}

/* The installed path of what stands behind "vectors", whether it is there or not. */
static bool installed_path(const char *inside, char path[2 * PATH_MAX])
{
    char folder[PATH_MAX];
    if (!lb_installed(suites, "cases.schema.json", folder, sizeof folder))
        return false;
    return snprintf(path, 2 * PATH_MAX, "%s%s%s", folder, *inside ? "/" : "", inside) <
           2 * PATH_MAX;
}

const char *lb_input_path(const char *name)
{
    const char *inside = behind_vectors(name);
    char path[2 * PATH_MAX];
    if (!inside || access(name, F_OK) == 0 || !installed_path(inside, path) ||
        access(path, F_OK) != 0)
        return name;
    return kept(path);
}

static bool add_matches(const char *pattern, char ***paths, size_t *count, size_t *room)
{
    glob_t found;
    bool good = glob(pattern, 0, NULL, &found) == 0;
    for (size_t i = 0; good && i < found.gl_pathc; i++) {
        *paths = lb_room_for_one(*paths, *count, room, sizeof **paths);
        (*paths)[(*count)++] = kept(found.gl_pathv[i]);
    }
    globfree(&found);
    return good;
}

void lb_input_paths(const char *name, char ***paths, size_t *count, size_t *room)
{
    const char *inside = behind_vectors(name);
    char path[2 * PATH_MAX];
    if (inside && strpbrk(inside, "*?[") && access(name, F_OK) != 0 &&
        (add_matches(name, paths, count, room) ||
         (installed_path(inside, path) && add_matches(path, paths, count, room))))
        return;
    *paths = lb_room_for_one(*paths, *count, room, sizeof **paths);
    (*paths)[(*count)++] = kept(lb_input_path(name));
}
