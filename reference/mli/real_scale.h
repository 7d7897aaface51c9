/* Scale arithmetic of the real models: shift counts, biases and limits of a call, from the spec
 * once more. It shares nothing with that of the exact models (core/scale_num.h, core/result.h) but
 * the primitives of arith.h, so that one is a check of the other. Spec: numerics.md 4.2, 4.3, 5.1,
 * 5.2, 6; pooling_and_movement.md 2.4 to 2.6. */
#ifndef LB_REFERENCE_REAL_SCALE_H
#define LB_REFERENCE_REAL_SCALE_H

#include "describe/kernels.h"

/* The operand pair of these element types (numerics.md 4.1), and the width of every step behind an
 * accumulator of it. */
lb_operands lb_real_operands(uint32_t x_type, uint32_t weights_type);
int lb_real_step_bits(const lb_profile *profile, lb_operands operands, bool is_sa);

/* An accumulator and its bias, which saturates. shift: fx, fractional bits of the products less
 * those of the bias. What reduced cuts off is an inaccuracy. */
lb_span lb_real_with_bias(const lb_profile *profile, lb_operands operands, bool is_sa, int32_t bias,
                          int shift, lb_span acc);

/* Scale of in over that of out in 15 bits, and the shift that belongs to it without the weights
 * (5.2). */
typedef struct lb_real_ratio {
    int64_t ratio;
    int base;
} lb_real_ratio;
lb_real_ratio lb_real_ratio_of(lb_rounding rounding, lb_quant in, lb_quant out);
/* The shift behind the multiplication with it and the scale of the weights. */
int lb_real_multiplier_shift(const lb_profile *profile, lb_quant in, lb_quant weights,
                             lb_quant out);

/* ReLU limits in containers (6). */
typedef struct lb_real_limits {
    double low, high;
} lb_real_limits;
lb_real_limits lb_real_relu_limits(const lb_profile *profile, int32_t type, int bits,
                                   lb_quant format);

/* The average of n elements is (start + sum of factor * x) * 2^-shift, in an accumulator of these
 * operands. */
typedef struct lb_real_divisor {
    double factor, start;
    int shift;
} lb_real_divisor;
lb_real_divisor lb_real_divisor_of(const lb_profile *profile, const lb_call *call, uint32_t n);
lb_operands lb_real_pool_operands(const lb_profile *profile, uint32_t in_type);

#endif
