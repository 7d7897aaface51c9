/* Made-up cases: random configurations and data of a function, valid for the most part, telling by
 * choice of their extremes. */
#ifndef LB_HARNESS_GENERATE_RANDOM_CASE_H
#define LB_HARNESS_GENERATE_RANDOM_CASE_H

#include "harness/suite/case.h"

enum { LB_RANDOM_EXTENTS = 8 };

typedef struct lb_random_options {
    uint64_t seed;
    unsigned
        fault_one_in; /* one case in so many breaks a rule or two, to try the statuses; 0: none */
    bool small;       /* shapes of a few elements only */
    unsigned wide; /* with `small`: the extent that is drawn at this place (from 1) stands beside a
                      vector width; 0: none does */
    bool long_extent;                    /* ... or goes beyond 64, up to some hundreds */
    uint32_t extents[LB_RANDOM_EXTENTS]; /* the first that are drawn are these; 0: any */
} lb_random_options;

/* Case number `index` of the seed for this function: the same for the same arguments, on every
 * platform, and always inside the domain that the specification defines. Memory comes from the
 * arena. The id is "NAME.seedS.I" without the prefix of the API. Of the calls of asynchronous
 * movement the case is a sequence in which the function is called. False: such cases cannot be made
 * up (lb_function_is_tried). */
bool lb_random_case(const lb_kernel *kernel, const lb_random_options *options, uint64_t index,
                    lb_arena *arena, lb_case *c);

#endif
