/* The search for cases that reach what suites miss: cases aimed at single points, made-up ones, and
 * changes to those that are there, as long as they find something. */
#ifndef LB_HARNESS_GENERATE_COVER_SEARCH_H
#define LB_HARNESS_GENERATE_COVER_SEARCH_H

#include "harness/coverage/map.h"
#include "harness/generate/search.h"

typedef struct lb_cover_search {
    lb_cover_map *map; /* what is reached; what is found is kept there */
    lb_search search; /* corpus, seed, patience, until, max_text_bytes and level are the caller's */
    const lb_cover_function *function;
    /* The one point that candidates are aimed at now; group NULL: none is. */
    const lb_cover_group *group;
    unsigned place; /* in the group */
    size_t spot;
    const lb_profile *profile;
    unsigned aimed; /* candidates that were */
    lb_finds *finds;
} lb_cover_search;

/* Is the point missed in this profile of the function's set? In any: below 0. */
bool lb_cover_is_missed(const lb_cover_search *search, size_t group, unsigned place, int profile);

enum { LB_AIM_PATIENCE = 160 };
/* A made-up case with the number that the point aimed at stands for: number_search.c. */
bool lb_cover_make_number(void *search, uint64_t index, lb_arena *arena, lb_case *c);

#endif
