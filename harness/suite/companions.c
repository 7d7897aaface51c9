/* Files that a suite names: see companions.h. */
#include "harness/suite/companions.h"
#include "harness/base/xalloc.h"

#include <string.h>

static void note(lb_companions *c, const char *role, const char *named, const char *path)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->list[i].named, named) == 0 && strcmp(c->list[i].role, role) == 0)
            return;
    c->list = lb_room_for_one(c->list, c->count, &c->room, sizeof *c->list);
    c->list[c->count++] = (lb_companion){.role = role,
                                         .named = lb_arena_strdup(c->arena, named),
                                         .path = lb_arena_strdup(c->arena, path)};
}

const char *lb_companion_path(lb_companions *companions, lb_arena *arena, const char *suite,
                              const char *role, const char *named)
{
    const char *slash = suite ? strrchr(suite, '/') : NULL;
    const char *path = named;
    if (named[0] != '/' && slash)
        path = lb_arena_printf(arena, "%.*s/%s", (int)(slash - suite), suite, named);
    for (size_t i = 0; companions && i < companions->moved_count; i++)
        if (strcmp(companions->moved[i].named, named) == 0)
            path = companions->moved[i].path;
    if (companions && companions->arena)
        note(companions, role, named, path);
    return path;
}
