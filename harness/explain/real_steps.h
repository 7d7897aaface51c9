/* The real numbers beside the integer steps: what each step would give had nothing before it been
 * rounded, cut off or wrapped. */
#ifndef LB_HARNESS_EXPLAIN_REAL_STEPS_H
#define LB_HARNESS_EXPLAIN_REAL_STEPS_H

#include "harness/explain/slice.h"

/* Fills real[i] for each step of the slice, in units of the step's own integer (of binary32 steps:
 * the number itself). Shift counts, normalizations and places in tables stay the integers that they
 * are. */
void lb_slice_real(const lb_slice *slice, double *real);

#endif
