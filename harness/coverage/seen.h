/* What the steps of a model run did to the values on their way: the coverpoints of values, gathered
 * by listening to every step (steps.h). Spec: numerics.md 3 (rounding, saturation, shifts), 4.2, 5;
 * elementwise.md 6, recurrent.md 4 (tables). */
#ifndef LB_HARNESS_COVERAGE_SEEN_H
#define LB_HARNESS_COVERAGE_SEEN_H

#include "reference/core/steps.h"

/* What can happen at a step. Bits of lb_seen.events. */
typedef enum lb_event {
    LB_EVENT_TIE_UP_POSITIVE, /* exactly one half was dropped, of a number >= 0, and the result is
                                 the larger neighbour */
    LB_EVENT_TIE_UP_NEGATIVE,
    LB_EVENT_TIE_DOWN_POSITIVE,
    LB_EVENT_TIE_DOWN_NEGATIVE,
    LB_EVENT_HALF_SATURATES, /* adding the half left the width (up) */
    LB_EVENT_VANISHES,       /* shifted by the width or more: 0 */
    LB_EVENT_LEFT_LOW,       /* a left shift saturated */
    LB_EVENT_LEFT_HIGH,
    LB_EVENT_SATURATES_LOW,
    LB_EVENT_SATURATES_HIGH,
    LB_EVENT_WRAPS,
    LB_EVENT_CLAMPED_LOW, /* to a limit of ReLU, or the first entry of a table */
    LB_EVENT_CLAMPED_HIGH,
    LB_EVENT_COUNT
} lb_event;

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
} lb_seen;

/* LB_TERM_NONE: of the whole part. */
uint64_t lb_seen_events(const lb_seen *seen, lb_part part, lb_step_term term);

/* A listener to every step of every element of out; what it hears goes to `seen`, which is emptied.
 */
lb_steps lb_seen_listener(lb_seen *seen);

#endif
