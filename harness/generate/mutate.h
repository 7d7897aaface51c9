/* Small changes to a case, made at random, with a liking for what coverpoints tell apart: ends of
 * ranges, faults, layouts. */
#ifndef LB_HARNESS_GENERATE_MUTATE_H
#define LB_HARNESS_GENERATE_MUTATE_H

#include "harness/generate/random_build.h"

/* Makes one change to b->c, whose operands must be its own (lb_case_copy). The result may break the
 * case format. */
void lb_cover_mutate(lb_build *b);

/* The case as one of another function that takes the same roles and configuration: types and kernel
 * size follow. */
void lb_cover_adapt(lb_build *b, const lb_kernel *kernel);

#endif
