/* What the operations of steps mean, once: how each is written, what it would give had nothing so
 * far been rounded, cut off or wrapped, and what it gives without its width. */
#ifndef LB_HARNESS_EXPLAIN_OPERATIONS_H
#define LB_HARNESS_EXPLAIN_OPERATIONS_H

#include "harness/explain/slice.h"

/* A, B, C stand for operands, W for the width, R for the rounding, T for the table. */
const char *lb_operation_pattern(lb_operation operation);
/* Fills real[i] for each step of the slice, in units of the step's own integer (of binary32 steps:
 * the number itself). Shift counts, normalizations and places in tables stay the integers that they
 * are. */
void lb_slice_real(const lb_slice *slice, double *real);
/* Of a tap: what is added. */
int64_t lb_step_product(const lb_num_step *step);
/* How far a step shifts to the right; 0: it does not, or to the left. */
int64_t lb_step_shift_right(const lb_num_step *step);
/* The bits that are lost by that: of 63 places at most. */
uint64_t lb_step_dropped(const lb_num_step *step);
/* The step has cut off, or wrapped, what did not fit: it is not what the operation gives without a
 * width. */
bool lb_step_is_clipped(const lb_num_step *step);

#endif
