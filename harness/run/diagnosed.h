/* What a diagnosis says of one failing case, from all cases of its family in the same suites: for
 * its explanation. */
#ifndef LB_HARNESS_RUN_DIAGNOSED_H
#define LB_HARNESS_RUN_DIAGNOSED_H

#include "harness/diagnose/diagnosis.h"
#include "harness/explain/explanation.h"
#include "harness/run/run_plan.h"

typedef struct lb_diagnosed_wish {
    const lb_plan *plan;
    lb_port *port;
    unsigned misalign; /* as in lb_memory_options */
    const lb_case *test_case;
    double effort; /* nominal seconds, as those of a diagnosis; 0: none is made */
    lb_arena *arena;
} lb_diagnosed_wish;

/* The cause that the case's failing result is under, of several profiles in the first in which it
 * fails; from the arena. NULL: it does not fail, or nothing is known of it. */
const lb_diagnosed *lb_diagnosed_find(const lb_diagnosed_wish *wish);

/* A cause that was found, for explanations. */
lb_diagnosed lb_diagnosed_of(const lb_found_fault *found, uint64_t failing);

#endif
