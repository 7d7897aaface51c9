/* What changes with the size of a call, or with where its buffers begin: a port whose results are
 * those of one combination of features up to a size, or where buffers are aligned. */
#ifndef LB_HARNESS_CHARACTERIZE_SIZES_H
#define LB_HARNESS_CHARACTERIZE_SIZES_H

#include "harness/characterize/fit.h"

/* Calls of the port that are left to be made; NULL: none is, or it gave no result. `misaligned`: as
 * in lb_memory_options. */
typedef struct lb_sizes {
    lb_group *group;
    const lb_kernel *function;
    const lb_feature_set *seeds; /* to set out from */
    size_t seed_count;
    double deadline;
    const lb_left *(*call)(void *user, const lb_case *c, unsigned misaligned);
    void *user;
} lb_sizes;

/* Nothing explained all observations: does one combination explain those below a size? Tells it in
 * words. False: none does, or the port departs at no size in particular. */
bool lb_sizes_threshold(const lb_sizes *sizes, char *words, size_t room);

/* A made-up case of any size in which other features would show, one for each number; its memory is
 * the arena's. NULL: none can be made up. */
const lb_case *lb_sizes_telling(const lb_sizes *sizes, const lb_feature_set *features,
                                uint64_t number, lb_arena *arena);

/* The bytes to which buffers have to be aligned, so that the port gives what these features give;
 * 0: as little as their elements allow. */
unsigned lb_sizes_alignment(const lb_sizes *sizes, const lb_feature_set *features);

#endif
