/* Whether sums stay where their result is defined, in whatever order a kernel adds: cases that are
 * made up keep to it. */
#ifndef LB_HARNESS_GENERATE_SUM_DOMAIN_H
#define LB_HARNESS_GENERATE_SUM_DOMAIN_H

#include "harness/suite/case.h"
#include "reference/core/profile.h"

/* Does the spec say nothing of sums of this function that could leave 32 bits in another order
 * (recurrent.md 5.4)? */
bool lb_sum_domain_applies(const lb_kernel *kernel);
/* Does it say nothing of sums that leave their accumulator as they are added (so, too:
 * pooling_and_movement.md 2.5, 2.6, elementwise.md 12)? */
bool lb_sum_width_binds(const lb_kernel *kernel);

/* Is |bias'| + sum|x * w| + sum|z * w| below 2^31 for each accumulator of 32 bits, in every call of
 * the case? True for functions that recurrent.md 5.4 is not about. Memory from the arena. */
bool lb_sum_domain_holds(const lb_case *c, const lb_profile *profile, lb_arena *arena);

#endif
