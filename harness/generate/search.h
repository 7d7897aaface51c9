/* The search for cases that reach what suites miss: made-up cases, and changes to cases that are
 * there, as long as they find something. */
#ifndef LB_HARNESS_GENERATE_SEARCH_H
#define LB_HARNESS_GENERATE_SEARCH_H

#include "harness/coverage/map.h"
#include "harness/generate/candidate.h"

typedef struct lb_cover_search {
    lb_cover_map *map; /* what is reached; what is found is kept there */
    uint64_t seed;
    unsigned long patience; /* tries in a row without a find after which a function is given up */
    double until;           /* lb_now_seconds: no try begins after it; 0: no limit */
    size_t max_text_bytes;  /* longer cases are not considered */
    const char *level;      /* tag of the cases; NULL: none */
    lb_cover_corpus *corpus;
    /* Called for every case found, with its text on one line. */
    void (*found)(void *user, const char *text);
    void *user;
} lb_cover_search;

/* No more is to be begun. */
bool lb_cover_is_time_up(const lb_cover_search *search);

/* Looks for cases of one function until nothing is missed, or patience is at its end. Gives the
 * number of cases found. */
size_t lb_cover_search_function(lb_cover_search *search, const lb_kernel *kernel);
/* The same of the points that stand for a number each: made-up cases, aimed at them one by one. */
size_t lb_cover_search_numbers(lb_cover_search *search, const lb_kernel *kernel);
/* The same of the points that a large extent reaches (aimed_extent). */
size_t lb_cover_search_sizes(lb_cover_search *search, const lb_kernel *kernel);

#endif
