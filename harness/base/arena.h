/* Memory that is released all at once: a loaded case lives in one arena. */
#ifndef LB_HARNESS_BASE_ARENA_H
#define LB_HARNESS_BASE_ARENA_H

#include "harness/base/format_checked.h"

#include <stddef.h>

typedef struct lb_arena_block lb_arena_block;

typedef struct lb_arena {
    lb_arena_block *blocks; /* the newest first */
    size_t used_bytes;      /* handed out since the last reset */
} lb_arena;

/* `bytes` zeroed bytes, aligned to 16; never NULL (memory exhausted: message on standard error,
 * exit status 3). */
void *lb_arena_alloc(lb_arena *arena, size_t bytes);
/* The same, but nobody knows what the bytes hold: for large memory that is written before it is
 * read. */
void *lb_arena_raw(lb_arena *arena, size_t bytes);
/* Zeroed, for count * each bytes, checked for overflow. */
void *lb_arena_array(lb_arena *arena, size_t count, size_t each_bytes);
char *lb_arena_strdup(lb_arena *arena, const char *text);
/* printf into the arena. */
char *lb_arena_printf(lb_arena *arena, const char *format, ...) LB_FORMAT_CHECKED(2, 3);
/* Where an arena stands, and back to there: what was handed out since is gone. */
typedef struct lb_arena_mark {
    lb_arena_block *block;
    size_t block_bytes, used_bytes;
} lb_arena_mark;
lb_arena_mark lb_arena_mark_of(const lb_arena *arena);
void lb_arena_rewind(lb_arena *arena, lb_arena_mark mark);
/* Forgets all contents and keeps the largest block for the next use. */
void lb_arena_reset(lb_arena *arena);
/* Releases everything. */
void lb_arena_free(lb_arena *arena);

#endif
