/* From the command line's paths to suite files: see suite.h. */
#include "harness/base/arena.h"
#include "harness/base/installed.h"
#include "harness/base/suggest.h"
#include "harness/base/texts.h"
#include "harness/base/xalloc.h"
#include "harness/json/problems.h"
#include "harness/suite/suite.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct file_key {
    dev_t device;
    ino_t inode;
} file_key;

static bool same_file(file_key a, file_key b)
{
    return a.device == b.device && a.inode == b.inode;
}

/* A folder being read and those around it: links can make a folder hold itself. */
typedef struct folder {
    file_key key;
    bool is_own; /* lastbit's own suites */
    const struct folder *parent;
} folder;

typedef struct collector {
    lb_paths *paths;
    lb_diagnostics *diagnostics;
    file_key *keys; /* of paths->items */
    size_t capacity, key_capacity;
    bool failed;
} collector;

static void complain(collector *c, const char *path, const char *remedy, const char *problem)
{
    lb_problems problems = {.diagnostics = c->diagnostics, .file = path};
    lb_problem(&problems, (lb_place){0}, remedy, "%s", problem);
    c->failed = true;
}

static bool is_suite_name(const char *name)
{
    return lb_text_ends_with(name, ".json") || lb_text_ends_with(name, ".jsonl") ||
           lb_text_ends_with(name, ".yaml") || lb_text_ends_with(name, ".yml");
}

/* Other lastbit files live beside suites: each says early what it is ("lastbit/profile-1", ...), a
 * schema by its name. */
static bool is_other_lastbit_file(const char *path)
{
    char head[4096 + 1];
    if (lb_text_ends_with(path, ".schema.json"))
        return true;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t count = fd >= 0 ? read(fd, head, sizeof head - 1) : -1;
    if (fd >= 0)
        close(fd);
    if (count <= 0)
        return false;
    head[count] = '\0';
    return !strstr(head, "lastbit/cases-") &&
           (strstr(head, "\"lastbit/") || strstr(head, "format: lastbit/"));
}

/* A file that is there already is passed over: a suite named by itself and by its folder runs once.
 */
static void add(collector *c, const char *path, const struct stat *info)
{
    lb_paths *paths = c->paths;
    file_key key = {info->st_dev, info->st_ino};
    for (size_t i = 0; i < paths->count; i++)
        if (same_file(c->keys[i], key))
            return;
    paths->items = lb_room_for_one(paths->items, paths->count, &c->capacity, sizeof *paths->items);
    c->keys = lb_room_for_one(c->keys, paths->count, &c->key_capacity, sizeof *c->keys);
    c->keys[paths->count] = key;
    char *copy = lb_resized(NULL, strlen(path) + 1);
    paths->items[paths->count++] = strcpy(copy, path);
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names in a folder in byte order, those with a dot in front left out. */
static char **list_folder(const char *path, lb_arena *arena, size_t *count)
{
    char **names = NULL;
    size_t capacity = 0;
    struct dirent *entry;
    DIR *directory = opendir(path);
    *count = 0;
    if (!directory)
        return NULL;
    while ((entry = readdir(directory)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        names = lb_room_for_one(names, *count, &capacity, sizeof *names);
        names[(*count)++] = lb_arena_strdup(arena, entry->d_name);
    }
    closedir(directory);
    if (names)
        qsort(names, *count, sizeof *names, by_bytes);
    return names;
}

/* What names an installed suite by its file's name alone means. */
static bool installed_like(const char *path, char meant[PATH_MAX])
{
    static const char *const endings[] = {"", ".yaml", ".jsonl"};
    char name[NAME_MAX + 1], found[PATH_MAX];
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        if ((size_t)snprintf(name, sizeof name, "%s%s", path, endings[i]) >= sizeof name ||
            !is_suite_name(name) || !lb_installed("vectors", name, found, sizeof found))
            continue;
        return snprintf(meant, PATH_MAX, "did you mean vectors/%s?", name) < PATH_MAX;
    }
    return false;
}

/* What a misspelt name in a folder that is there means. */
static bool neighbour_like(const char *path, char meant[PATH_MAX])
{
    lb_arena arena = {0};
    size_t count = 0;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    int length = (int)(name - path); /* of the folder, with its slash */
    char **names =
        list_folder(length > 1 ? lb_input_path(lb_arena_printf(&arena, "%.*s", length - 1, path))
                               : (length ? "/" : "."),
                    &arena, &count);
    names = lb_resized(names, (count + 1) * sizeof *names);
    names[count] = NULL;
    const char *near = *name ? lb_suggest(name, lb_name_in_array, names) : NULL;
    bool fits =
        near && snprintf(meant, PATH_MAX, "did you mean %.*s%s?", length, path, near) < PATH_MAX;
    free(names);
    lb_arena_free(&arena);
    return fits;
}

static bool look_at(collector *c, const char *path, struct stat *info)
{
    char meant[PATH_MAX];
    if (stat(path, info) != 0 && errno == ENOENT)
        complain(c, path, installed_like(path, meant) || neighbour_like(path, meant) ? meant : "",
                 "there is no such file or folder");
    else if (stat(path, info) != 0)
        complain(c, path, "", strerror(errno));
    else if (access(path, S_ISDIR(info->st_mode) ? R_OK | X_OK : R_OK) != 0)
        complain(c, path, "", strerror(errno));
    else
        return true;
    return false;
}

static bool is_around(const folder *inner, file_key key)
{
    while (inner && !same_file(inner->key, key))
        inner = inner->parent;
    return inner != NULL;
}

static size_t walk(collector *c, const char *path, const struct stat *info, const folder *parent);

/* Of lastbit's own suites, a folder that is named for another kernel set: a run is of one set, and
 * who wants those names them. */
static bool is_of_another_set(const char *path, const folder *parent)
{
    const char *name = strrchr(path, '/') + 1;
    bool is = false;
    for (unsigned i = 0; parent->is_own && i < LB_SET_COUNT; i++)
        is |= i != LB_SET_MLI && strcmp(lb_kernel_sets[i]->name, name) == 0;
    return is;
}

/* One entry of a folder; how many suite files it is or holds. */
static size_t visit(collector *c, const char *path, const folder *parent)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        if (is_suite_name(path))
            complain(c, path, "", strerror(errno));
        return 0;
    }
    if (S_ISDIR(info.st_mode))
        return is_around(parent, (file_key){info.st_dev, info.st_ino}) ||
                       is_of_another_set(path, parent)
                   ? 0
                   : walk(c, path, &info, parent);
    if (!is_suite_name(path) || !look_at(c, path, &info) || is_other_lastbit_file(path))
        return 0;
    add(c, path, &info);
    return 1;
}

/* Suite files in the folder and below; how many. */
static size_t walk(collector *c, const char *path, const struct stat *info, const folder *parent)
{
    lb_arena arena = {0};
    folder here = {.key = {info->st_dev, info->st_ino}, .parent = parent};
    size_t found = 0, count;
    const char *slash = path[strlen(path) - 1] == '/' ? "" : "/";
    char **names = list_folder(path, &arena, &count);
    here.is_own = access(lb_arena_printf(&arena, "%s%scases.schema.json", path, slash), F_OK) == 0;
    for (size_t i = 0; i < count; i++)
        found += visit(c, lb_arena_printf(&arena, "%s%s%s", path, slash, names[i]), &here);
    free(names);
    lb_arena_free(&arena);
    return found;
}

bool lb_paths_collect(char *const *arguments, size_t argument_count, lb_paths *paths,
                      lb_diagnostics *diagnostics)
{
    collector c = {.paths = paths, .diagnostics = diagnostics};
    *paths = (lb_paths){0};
    for (size_t i = 0; i < argument_count; i++) {
        struct stat info;
        const char *path = arguments[i];
        if (strcmp(path, "-") == 0) {
            add(&c, "-", &(struct stat){0}); /* standard input: no file has this number */
            continue;
        }
        if (!look_at(&c, path, &info))
            continue;
        if (S_ISDIR(info.st_mode)) {
            bool failed = c.failed;
            c.failed = false;
            if (walk(&c, path, &info, NULL) == 0 && !c.failed)
                complain(&c, path, "suites end in .json, .jsonl, .yaml or .yml",
                         "a folder without a suite file");
            c.failed |= failed;
        } else if (is_suite_name(path)) {
            add(&c, path, &info);
        } else {
            complain(&c, path, ".json, .jsonl, .yaml or .yml",
                     "the ending of the name says no format");
        }
    }
    free(c.keys);
    return !c.failed;
}

void lb_paths_free(lb_paths *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        free(paths->items[i]);
    free(paths->items);
    *paths = (lb_paths){0};
}
