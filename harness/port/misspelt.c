/* Names of functions that a native port has misspelt: see misspelt.h. */
#include "harness/port/misspelt.h"
#include "harness/base/suggest.h"
#include "harness/base/whole_file.h"
#include "harness/port/program_files.h"
#include "harness/port/provided.h"

#include <stdio.h>
#include <string.h>

enum {
    LONGEST_NAME = 80,
    MOST_TOLD = 10,
    MOST_BYTES = 64 << 20 /* of a file that is looked through */
};

/* Does it begin as the functions of a set do? */
static bool has_prefix(const char *at)
{
    bool has = false;
    for (unsigned s = 0; s < LB_SET_COUNT; s++)
        has |= strncmp(at, lb_kernel_sets[s]->prefix, strlen(lb_kernel_sets[s]->prefix)) == 0;
    return has;
}

/* The length of a text of small letters, digits and "_" that a NUL ends; else 0. */
static size_t name_length(const char *at, const char *end)
{
    size_t length = 0;
    while (at + length < end && length < LONGEST_NAME &&
           strchr("abcdefghijklmnopqrstuvwxyz0123456789_", at[length]) && at[length])
        length++;
    return at + length < end && !at[length] ? length : 0;
}

/* The function that `name` means and that the port lacks; NULL: none, or it is one itself. */
static const char *meant(const lb_port *port, const char *name)
{
    if (lb_kernel_find(name))
        return NULL;
    const char *near = lb_suggest(name, lb_kernel_name_at, NULL);
    const lb_kernel *kernel = near ? lb_kernel_find(near) : NULL;
    return kernel && lb_function_is_tried(kernel) && !lb_port_has(port, kernel) ? near : NULL;
}

static unsigned tell_of_file(const lb_port *port, const char *path, lb_arena *arena, unsigned told)
{
    const lb_whole_file file = lb_whole_file_read(path, MOST_BYTES, arena);
    if (file.state != LB_FILE_READ)
        return told;
    const char *end = file.text + file.length;
    /* A text begins behind the NUL of the one before. */
    for (const char *at = file.text;
         told < MOST_TOLD && (at = memchr(at, 0, (size_t)(end - at)));) {
        if (++at == end)
            break;
        const size_t length = has_prefix(at) ? name_length(at, end) : 0;
        const char *name = length ? meant(port, at) : NULL;
        if (!name)
            continue;
        fprintf(
            stderr,
            "lastbit: %s: \"%s\" is no function's name, and the port does not have the one that "
            "is near; did you mean %s?\n",
            path, at, name);
        told++;
    }
    return told;
}

unsigned lb_port_tell_misspelt(const lb_port *port)
{
    const char *paths[LB_MAX_PORT_FILES];
    lb_arena arena = {.blocks = NULL};
    unsigned told = 0;
    if (!port->computes_only)
        return 0;
    const size_t count = lb_port_program_files(port->name, &arena, paths);
    for (size_t i = 0; i < count && i < LB_MAX_PORT_FILES; i++)
        told = tell_of_file(port, paths[i], &arena, told);
    lb_arena_free(&arena);
    return told;
}
