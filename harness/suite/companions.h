/* Files that a suite names: encodings files and files of packed elements. They decide what its
 * cases are as much as the suite itself does. */
#ifndef LB_HARNESS_SUITE_COMPANIONS_H
#define LB_HARNESS_SUITE_COMPANIONS_H

#include "harness/base/arena.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct lb_companion {
    const char *role;  /* "encodings", "packed" */
    const char *named; /* as the suite names it */
    const char *path;  /* from where this process stands */
} lb_companion;

/* Where files lie that a suite names by other paths: in a package. */
typedef struct lb_moved_file {
    const char *named, *path;
} lb_moved_file;

typedef struct lb_companions {
    lb_companion *list; /* each once, in the order in which the cases name them */
    size_t count, room;
    const lb_moved_file *moved;
    size_t moved_count;
    lb_arena *arena; /* of what the list points to; NULL: nothing is noted any more */
} lb_companions;

/* The path of a file that the suite at `suite` names: beside it, unless it begins at the root; or
 * where it was moved to. Notes it. `companions` may be NULL. */
const char *lb_companion_path(lb_companions *companions, lb_arena *arena, const char *suite,
                              const char *role, const char *named);

#endif
