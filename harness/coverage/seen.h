/* What the steps of a model run did to the values on their way: the coverpoints of values, gathered
 * by listening to every step (steps.h). Spec: numerics.md 3 (rounding, saturation, shifts), 4.2, 5;
 * elementwise.md 6, recurrent.md 4 (tables). */
#ifndef LB_HARNESS_COVERAGE_SEEN_H
#define LB_HARNESS_COVERAGE_SEEN_H

#include "reference/describe/kernels.h"

/* What happened in a part for one of the terms that its code works on (lb_num_step.term). */
typedef struct lb_seen_term {
    lb_part part;
    lb_step_term term;
    uint64_t events;
} lb_seen_term;

enum { LB_SEEN_TERMS = 32 };

typedef struct lb_seen {
    uint64_t events[LB_PART_COUNT]; /* in each part of the computation */
    lb_seen_term of_term[LB_SEEN_TERMS];
    unsigned term_count;
    const lb_step_place *places; /* of the function; NULL: it has none */
    unsigned place;              /* where the last step stood in them */
    uint16_t of_place[LB_MOST_STEP_PLACES];
} lb_seen;

/* LB_TERM_NONE: of the whole part. */
uint64_t lb_seen_events(const lb_seen *seen, lb_part part, lb_step_term term);

/* A listener to every step of every element of out, with the places of the function's steps
 * (lb_kernel_step_places); what it hears goes to `seen`, which is emptied. */
lb_steps lb_seen_listener(lb_seen *seen, const lb_step_place *places);

#endif
