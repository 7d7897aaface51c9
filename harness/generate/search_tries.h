/* What the searches for coverpoints share: trying a case, and telling what it is for. Inside this
 * floor. */
#ifndef LB_HARNESS_GENERATE_SEARCH_TRIES_H
#define LB_HARNESS_GENERATE_SEARCH_TRIES_H

#include "harness/generate/search.h"

enum { LB_COVER_FRESH = 512 };

typedef struct lb_cover_finds {
    const lb_cover_map *map;
    size_t count;
    size_t points[LB_COVER_FRESH]; /* spots (map.h): points in a profile */
    bool left_width;               /* an accumulator did not hold its sums */
} lb_cover_finds;

/* What the case reaches anew in any built-in profile. False: the format does not allow it, or the
 * spec does not define it. */
bool lb_cover_try(const lb_cover_map *map, const char *text, lb_arena *arena, lb_case *c,
                  lb_cover_finds *f);
/* Points that are called unreachable do not make a find: what reaches one breaks the rule that its
 * reason names. */
void lb_cover_drop_unreachable(const lb_cover_search *search, const lb_cover_function *function,
                               lb_cover_finds *f);
/* Gives the case id, note and tags; the text on one line. */
const char *lb_cover_finish(const lb_cover_search *search, lb_case *c, const lb_cover_finds *f,
                            const char *named, bool vacuous, lb_arena *arena);

#endif
