/* From a sum of products to an output in real numbers: kernels with weights, bias and one
 * accumulator per output. Spec: conv.md 3, 4, 5, 15. */
#ifndef LB_REFERENCE_REAL_WEIGHTED_H
#define LB_REFERENCE_REAL_WEIGHTED_H

#include "core/products.h"
#include "real_scale.h"

/* Fixed for a call. */
typedef struct lb_real_weighted {
    const lb_call *call;
    const lb_profile *profile;
    lb_operands operands;
    bool is_sa;
    int step_bits, out_bits;
    lb_quant in, out;
    int32_t zero_point; /* taken off every input */
    lb_real_limits limits;
} lb_real_weighted;

/* A sum of products, in units of one product. Whole numbers, exact in double precision up to 2^53.
 */
typedef struct lb_real_sum {
    double sum;
    double magnitude; /* of all addends: products, and products with the zero point */
} lb_real_sum;

lb_real_weighted lb_real_weighted_start(const lb_context *context, const lb_call *call);
/* The sum of these products, x * w and -zero_point * w, into an empty one: in whole numbers, with
 * the bits of lb_real_macs. False: they may not be whole, or not be exact in double precision. */
bool lb_real_whole(lb_real_sum *to, const lb_products *p, int32_t zero_point);
/* Adds `count` products as the function does, x * w and -zero_point * w: of elements from x_at and
 * w_at on, so many apart. */
void lb_real_macs(lb_real_sum *to, const lb_tensor *x, size_t x_at, size_t x_step,
                  int32_t zero_point, const lb_tensor *weights, size_t w_at, size_t w_step,
                  size_t count);
/* Writes output `index`, of a channel. */
void lb_real_weighted_put(const lb_real_weighted *weighted, const lb_real_outputs *outputs,
                          size_t index, uint32_t channel, const lb_real_sum *sum);

/* The sum as it stands in an accumulator of this width; unknown if it does not: a register that
 * wrapped holds nothing comparable, and one that saturates at each step is known only if no order
 * of the addends can leave the width (conv.md 12). */
lb_span lb_real_accumulated(const lb_profile *profile, lb_operands operands,
                            const lb_real_sum *sum);

#endif
