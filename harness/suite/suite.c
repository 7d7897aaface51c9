/* Suite files: opening, and what all formats share. See suite.h. */
#include "harness/base/sha256.h"
#include "harness/base/texts.h"
#include "harness/suite/suite_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Tools of the readers ---- */

bool lb_file_has_changed(int fd, const struct stat *before)
{
    struct stat now;
    if (fstat(fd, &now) != 0)
        return true;
    return now.st_dev != before->st_dev || now.st_ino != before->st_ino ||
           now.st_size != before->st_size || now.st_mtim.tv_sec != before->st_mtim.tv_sec ||
           now.st_mtim.tv_nsec != before->st_mtim.tv_nsec;
}

/* A file that was written shortly before it was opened can be written again without a new time. */
bool lb_suite_is_untouched(const lb_suite *suite)
{
    enum { SETTLED_SECONDS = 5 };
    const struct stat *was = &suite->stat;
    struct stat now;
    return stat(suite->path, &now) == 0 && S_ISREG(now.st_mode) && now.st_dev == was->st_dev &&
           now.st_ino == was->st_ino && now.st_size == was->st_size &&
           now.st_mtim.tv_sec == was->st_mtim.tv_sec &&
           now.st_mtim.tv_nsec == was->st_mtim.tv_nsec &&
           now.st_ctim.tv_sec == was->st_ctim.tv_sec &&
           now.st_ctim.tv_nsec == was->st_ctim.tv_nsec &&
           suite->opened_at - was->st_ctim.tv_sec > SETTLED_SECONDS;
}

void lb_report_fault(lb_problems *problems, const char *text, unsigned first_line,
                     const lb_json_fault *fault)
{
    lb_place place = {0};
    lb_text_position(text, fault->offset, first_line, &place.line, &place.column);
    lb_problem(problems, place, fault->remedy, "%s", fault->problem);
}

/* A key of validated text, escapes resolved. */
static const char *key_text(const lb_document *document, const lb_json_item *item, lb_arena *tree)
{
    lb_document key = *document;
    key.value_offset = item->key_start;
    lb_document_parse(&key, tree, item->key_end);
    return key.root->valuestring;
}

/* Reads one member whose key is known into the header. */
static void read_member(lb_suite *suite, lb_header *header, lb_document *document,
                        const lb_json_item *item, lb_arena *tree, lb_problems *problems)
{
    bool is_list = document->text[item->start] == '[';
    document->key_offset = item->key_start;
    document->value_offset = item->start;
    if (is_list && strcmp(document->prefix, "cases") == 0) {
        document->root = lb_document_node(tree, cJSON_Array);
        lb_node_set_place(document->root, (lb_mark){item->key_start, item->start});
    } else {
        lb_document_parse(document, tree, item->end);
    }
    lb_decode_header_member(header, document, problems, &suite->arena);
}

void lb_read_json_header(lb_suite *suite, lb_header *header, lb_document *document, lb_arena *tree,
                         lb_problems *problems, size_t *cases_offset)
{
    size_t start = document->value_offset;
    lb_json_item item;
    /* The format first: what the other keys mean hangs on it, and they come in any order. */
    for (int pass = 0; pass < 2; pass++) {
        lb_json_walk walk = lb_json_enter(document->text, start);
        while (lb_json_next(&walk, &item) && !lb_problems_full(problems)) {
            lb_arena_reset(tree);
            document->prefix = key_text(document, &item, tree);
            bool is_format = strcmp(document->prefix, "format") == 0;
            if (*cases_offset == 0 && strcmp(document->prefix, "cases") == 0)
                *cases_offset = item.start;
            if (is_format == (pass == 0))
                read_member(suite, header, document, &item, tree, problems);
        }
        if (!header->format_is_known)
            return;
    }
}

void lb_note_id(lb_id_set *ids, const lb_document *document, const lb_case *c,
                lb_id_is_same is_same, void *user, unsigned (*line_of)(void *user, size_t number),
                lb_problems *problems)
{
    size_t earlier;
    lb_place place = {.case_id = c->id, .key = "id"};
    if (lb_id_set_add(ids, c->id, is_same, user, &earlier))
        return;
    const cJSON *node = document->root->child;
    while (strcmp(node->string, "id") != 0)
        node = node->next;
    lb_document_position(document, node, false, &place.line, &place.column);
    lb_problem(problems, place, "ids are unique in a file", "the case on line %u has this id",
               line_of(user, earlier));
}

/* ---- Opening ---- */

typedef void (*loader)(lb_suite *suite, int fd, lb_problems *problems);

static loader loader_for(const char *path)
{
    static const struct {
        const char *ending;
        loader load;
    } loaders[] = {{".json", lb_load_json},
                   {".jsonl", lb_load_json_lines},
                   {".yaml", lb_load_yaml},
                   {".yml", lb_load_yaml}};
    for (size_t i = 0; i < sizeof loaders / sizeof loaders[0]; i++)
        if (lb_text_ends_with(path, loaders[i].ending))
            return loaders[i].load;
    return NULL;
}

/* The open file, or -1 (reported). */
static int open_file(const char *path, struct stat *info, lb_problems *problems)
{
    lb_place nowhere = {0};
    /* Not to wait for the other end of a pipe: it is refused below. */
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    if (fd < 0 || fstat(fd, info) != 0)
        lb_problem(problems, nowhere, "", "cannot be read: %s", strerror(errno));
    else if (S_ISDIR(info->st_mode))
        lb_problem(problems, nowhere, "name a suite file", "is a folder");
    else if (!S_ISREG(info->st_mode))
        lb_problem(problems, nowhere,
                   "copy its contents into a file, or give - and the contents on standard input",
                   "is no regular file");
    else if ((uint64_t)info->st_size > LB_MAX_FILE_BYTES)
        lb_problem(problems, nowhere, "at most 1 GiB; split the suite", "the file has %lld bytes",
                   (long long)info->st_size);
    else if (info->st_size == 0)
        lb_problem(problems, nowhere, "a suite begins with its format: \"lastbit/cases-1\"",
                   "the file is empty");
    else
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static lb_suite *open_suite(const char *path, const lb_moved_file *moved, size_t moved_count,
                            size_t *room, lb_level most, lb_diagnostics *diagnostics)
{
    lb_problems problems = {.diagnostics = diagnostics, .file = path};
    const char *opened = strcmp(path, "-") == 0 ? lb_standard_input_path() : path;
    struct stat info;
    int fd = open_file(opened, &info, &problems);
    loader load = loader_for(opened != path && fd >= 0 ? lb_suite_ending(fd) : path);
    if (fd >= 0 && !load)
        lb_problem(&problems, (lb_place){0}, ".json, .jsonl, .yaml or .yml",
                   "the ending of the name says no format");
    lb_suite *suite = NULL;
    if (problems.found == 0) {
        suite = lb_resized(NULL, sizeof *suite);
        *suite = (lb_suite){.stat = info, .opened_at = time(NULL), .room = room, .most = most};
        suite->path = lb_arena_strdup(&suite->arena, path);
        suite->opened = lb_arena_strdup(&suite->arena, opened);
        suite->companions =
            (lb_companions){.arena = &suite->arena, .moved = moved, .moved_count = moved_count};
        load(suite, fd, &problems);
        suite->companions.arena = NULL; /* all of them are known */
        suite->room = NULL;
        if (problems.found == 0 && lb_file_has_changed(fd, &info))
            lb_problem(&problems, (lb_place){0}, "try again", "the file changed while it was read");
    }
    if (fd >= 0)
        close(fd);
    if (problems.found == 0)
        return suite;
    lb_suite_close(suite);
    return NULL;
}

lb_suite *lb_suite_open(const char *path, lb_diagnostics *diagnostics)
{
    return open_suite(path, NULL, 0, NULL, LB_LEVEL_DEEP, diagnostics);
}

lb_suite *lb_suite_open_kept(const char *path, size_t *room, lb_level most,
                             lb_diagnostics *diagnostics)
{
    return open_suite(path, NULL, 0, room, most, diagnostics);
}

lb_suite *lb_suite_open_moved(const char *path, const lb_moved_file *moved, size_t moved_count,
                              lb_diagnostics *diagnostics)
{
    return open_suite(path, moved, moved_count, NULL, LB_LEVEL_DEEP, diagnostics);
}

lb_suite *lb_suite_made(const char *name, const char *command, const char *described, size_t count,
                        unsigned sets, lb_make_case_fn make, void *user)
{
    lb_suite *suite = lb_resized(NULL, sizeof *suite);
    *suite = (lb_suite){.count = count, .sets = sets, .make = make, .make_user = user};
    suite->path = lb_arena_strdup(&suite->arena, command);
    suite->name = lb_arena_strdup(&suite->arena, name);
    lb_sha256_of(described, strlen(described), suite->sha256);
    return suite;
}

void lb_suite_close(lb_suite *suite)
{
    if (!suite)
        return;
    lb_arena_free(&suite->arena);
    lb_arena_free(&suite->kept);
    free(suite->cases);
    free(suite->offsets);
    free(suite->levels);
    free(suite->companions.list);
    free(suite);
}

const char *lb_suite_path(const lb_suite *suite)
{
    return suite->path;
}

const char *lb_suite_name(const lb_suite *suite)
{
    return suite->name;
}

const char *lb_suite_sha256(const lb_suite *suite)
{
    return suite->sha256;
}

const char *lb_suite_command(const lb_suite *suite)
{
    return suite->make ? suite->path : NULL;
}

unsigned lb_suite_sets(const lb_suite *suite)
{
    return suite->sets;
}

bool lb_suite_has_layers(const lb_suite *suite)
{
    return suite->has_layers;
}

size_t lb_suite_companion_count(const lb_suite *suite)
{
    return suite->companions.count;
}

const lb_companion *lb_suite_companion(const lb_suite *suite, size_t index)
{
    return &suite->companions.list[index];
}

size_t lb_suite_case_count(const lb_suite *suite)
{
    return suite->count;
}

bool lb_suite_case_is_above(const lb_suite *suite, size_t index, lb_level level)
{
    if (index >= suite->count || suite->make)
        return false;
    return (suite->json_lines ? (lb_level)suite->levels[index] : lb_level_of(suite->cases[index])) >
           level;
}
