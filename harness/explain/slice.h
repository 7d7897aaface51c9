/* The steps that lead to one output element, and nothing else: operations in order, and the numbers
 * that they are given. */
#ifndef LB_HARNESS_EXPLAIN_SLICE_H
#define LB_HARNESS_EXPLAIN_SLICE_H

#include "harness/explain/replayed_call.h"

typedef struct lb_slice {
    lb_num_step *steps; /* number i + 1 */
    size_t step_count;
    lb_num_step *givens; /* number -(i + 1) */
    size_t given_count;
    bool written;  /* the call writes the element through steps */
    lb_num result; /* which one gives it */
} lb_slice;

/* Makes the call of the replayed again and keeps what leads to an element of an output. The
 * slice is to be freed. */
void lb_slice_make(lb_slice *slice, lb_replayed *replayed, lb_role role, size_t flat);
void lb_slice_free(lb_slice *slice);

#endif
