/* Right results in wrong places: elements that were not written, while their values stand where
 * others, or nothing, should be. */
#ifndef LB_HARNESS_DIAGNOSE_MISPLACED_H
#define LB_HARNESS_DIAGNOSE_MISPLACED_H

#include "harness/diagnose/left.h"
#include "harness/faults/faults.h"

/* By which other step a dimension of the output may go. */
typedef enum lb_wrong_step {
    LB_BY_DENSE,   /* as if what lies inside it had no gap */
    LB_BY_NOTHING, /* all of its indices at one place */
    LB_BY_INPUT,   /* that of the first input's same dimension */
    LB_BY_OTHER,   /* that of another dimension of the output */
    LB_WRONG_STEPS
} lb_wrong_step;

typedef struct lb_misplaced {
    uint64_t results; /* that were looked at */
    uint64_t stale;   /* elements that stand as memory was before the call */
    uint64_t moved;   /* wrong elements, and places in gaps, that hold the value of some element */
    uint64_t in_gaps; /* of these, in gaps */
    uint64_t others;  /* ... that hold another one */
    double bits;      /* how little likely it is that all of `moved` hold such values by chance */
    /* Elements that were not written and stand where a dimension with this step has them. */
    uint64_t by_step[LB_MAX_RANK][LB_WRONG_STEPS];
} lb_misplaced;

/* Adds what a failing result shows. Outputs in the memory of an input are passed over. */
void lb_misplaced_look(lb_misplaced *misplaced, const lb_fault_bench *bench, const lb_left *left);
/* "writes results to other places ..."; NULL: it is not that. *dim, *step: by which step of which
 * dimension, -1: by none of these. */
const char *lb_misplaced_words(const lb_misplaced *misplaced, int *dim, lb_wrong_step *step,
                               lb_arena *arena);

#endif
