/* The average of a window as one multiplication and one shift: what the number of its positions
 * fixes. Spec: pooling_and_movement.md 2.4 to 2.6. */
#ifndef LB_REFERENCE_POOL_DIVISOR_H
#define LB_REFERENCE_POOL_DIVISOR_H

#include "core/num.h"
#include "describe/kernels.h"

/* average = (start + sum of factor * x) * 2^-shift. */
typedef struct lb_pool_divisor {
    int64_t factor;
    int64_t start; /* sa8: zero points, aligned to the accumulator */
    int shift;
} lb_pool_divisor;

/* Of a window with n positions, n > 0. The rules of the call (average pooling) have passed. */
lb_pool_divisor lb_pool_divisor_of(const lb_profile *profile, const lb_call *call, uint32_t n);

/* The same with its steps (steps may be NULL); n is what the window has, as a number. */
typedef struct lb_num_pool_divisor {
    lb_num factor;
    lb_num start;
    lb_num shift;
    bool divides; /* features.md 17: the sum is divided instead; the next three are set then */
    lb_num positions, scale, out_zero_point;
} lb_num_pool_divisor;

lb_num_pool_divisor lb_num_pool_divisor_of(lb_steps *steps, const lb_profile *profile,
                                           const lb_call *call, lb_num n);

/* The operand pair of factor and input. fx: the reciprocal is an operand of 16 bits; sa8: the
 * combined multiplier has 7, with avepool16 15. */
lb_operands lb_pool_operands(const lb_profile *profile, uint32_t in_type);

#endif
