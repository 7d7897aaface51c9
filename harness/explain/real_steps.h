/* The real numbers beside the integer steps: what each step would give had nothing before it been
 * rounded, cut off or wrapped. */
#ifndef LB_HARNESS_EXPLAIN_REAL_STEPS_H
#define LB_HARNESS_EXPLAIN_REAL_STEPS_H

#include "harness/explain/slice.h"

/* Fills real[i] for each step of the trail, in units of the step's own integer (of binary32 steps:
 * the number itself). Shift counts, normalizations and places in tables stay the integers that they
 * are. */
void lb_trail_real(const lb_trail *trail, double *real);

#endif
