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

bool lb_cover_finds_point(const lb_cover_finds *f, size_t point);
/* What the case reaches anew in any built-in profile. False: the format does not allow it, or the
 * spec does not define it. */
bool lb_cover_try(const lb_cover_map *map, const char *text, lb_arena *arena, lb_case *c,
                  lb_cover_finds *f);
/* Hands on the case of this text with id, note and tags, and keeps what it reaches. False: that is
 * nothing new but points that are called unreachable. */
bool lb_cover_keep(const lb_cover_search *search, const lb_cover_function *function,
                   const char *text, const char *named, bool vacuous);

#endif
