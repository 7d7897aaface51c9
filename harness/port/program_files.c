/* The files that a port is made of: see program_files.h. */
#include "harness/port/program_files.h"
#include "harness/port/files.h"
#include "harness/port/files_index.h"
#include "harness/port/link.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct found {
    lb_arena *arena;
    const char **paths;
    size_t count;
} found;

static bool is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static bool note(found *f, const char *path)
{
    if (!is_file(path))
        return false;
    for (size_t i = 0; i < f->count; i++)
        if (strcmp(f->paths[i], path) == 0)
            return true;
    if (f->count < LB_MAX_PORT_FILES)
        f->paths[f->count++] = path;
    return true;
}

/* A program without a slash stands in one of the folders of PATH. */
static void note_program(found *f, const char *name)
{
    const char *rest = getenv("PATH");
    while (rest && *rest) {
        size_t length = strcspn(rest, ":");
        const char *path = lb_arena_printf(f->arena, "%.*s/%s", (int)length, rest, name);
        if (length > 0 && access(path, X_OK) == 0 && note(f, path))
            return;
        rest += length + (rest[length] == ':');
    }
}

/* The next word of a shell command, quotes and backslashes taken away; NULL: none is left. */
static char *next_word(lb_arena *arena, const char **rest)
{
    static const char between[] = " \t\n;|&()<>";
    const char *at = *rest + strspn(*rest, between);
    if (!*at)
        return NULL;
    char *word = lb_arena_alloc(arena, strlen(at) + 1), *to = word, quote = '\0';
    for (; *at && (quote || !strchr(between, *at)); at++)
        if (quote && *at == quote)
            quote = '\0';
        else if (!quote && (*at == '\'' || *at == '"'))
            quote = *at;
        else if (*at == '\\' && quote != '\'' && at[1])
            *to++ = *++at;
        else
            *to++ = *at;
    *to = '\0';
    *rest = at;
    return word;
}

static void note_command(found *f, const char *command)
{
    const char *rest = command;
    char *word;
    for (bool first = true; (word = next_word(f->arena, &rest)) != NULL; first = false)
        if (first && !strchr(word, '/'))
            note_program(f, word);
        else
            note(f, word);
}

size_t lb_port_program_files(const char *port_name, lb_arena *arena,
                             const char *paths[LB_MAX_PORT_FILES])
{
    found f = {.arena = arena, .paths = paths};
    lb_link_target target;
    /* What was exported, and the answers that are in one file; those beside the cases are many. */
    if (strncmp(port_name, LB_PORT_FILES, strlen(LB_PORT_FILES)) == 0) {
        const char *folder = port_name + strlen(LB_PORT_FILES);
        note(&f, lb_arena_printf(arena, "%s/%s", folder, LB_FILES_INDEX));
        note(&f, lb_arena_printf(arena, "%s/%s", folder, LB_FILES_RESULTS));
        return f.count;
    }
    if (strcmp(port_name, "builtin") == 0 || !lb_link_parse(port_name, &target))
        return 0;
    if (target.kind == LB_LINK_LIBRARY)
        note(&f, lb_arena_strdup(arena, target.address));
    else if (target.kind == LB_LINK_COMMAND)
        note_command(&f, target.address);
    return f.count;
}
