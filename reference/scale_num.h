/* Scale arithmetic on numbers that know where they come from: the formulas of scale.h, written
 * once, as named operations (num.h). scale.h offers the same on plain integers. Spec:
 * numerics.md 4.2, 4.3 (bias), 5 (scales), 6 (ReLU limits). steps may be NULL in all of them. */
#ifndef LB_REFERENCE_SCALE_NUM_H
#define LB_REFERENCE_SCALE_NUM_H

#include "num.h"

/* As the structs of scale.h and tensor.h. */
typedef struct lb_num_quant {
    lb_num scale;
    lb_num frac;
    lb_num zero_point;
} lb_num_quant;

typedef struct lb_num_requant {
    lb_num scale;
    lb_num shift;
    lb_num offset;
} lb_num_requant;

typedef struct lb_num_ratio {
    lb_num ratio;
    lb_num base;
} lb_num_ratio;

typedef struct lb_num_multiplier {
    lb_num mul;
    lb_num shift;
} lb_num_multiplier;

typedef struct lb_num_limits {
    lb_num low;
    lb_num high;
} lb_num_limits;

/* Quantization of a tensor at one index of its axis, under this name; fx: scale 1 and zero point 0
 * are constants. */
lb_num_quant lb_num_quant_at(lb_steps *steps, const lb_tensor *t, const char *name, uint32_t index);
/* A format that the spec fixes. */
lb_num_quant lb_num_quant_const(lb_quant quant);

/* 5.1. The offset, which most users do not need, is a function of its own: it needs the result of
 * the first. */
lb_num_requant lb_num_requant_params(lb_steps *steps, lb_rounding rounding, lb_num_quant from,
                                     lb_num_quant to);
lb_num lb_num_requant_offset(lb_steps *steps, lb_rounding rounding, lb_num_requant requant,
                             lb_num_quant from, lb_num_quant to);
/* 5.2 */
lb_num_ratio lb_num_output_ratio(lb_steps *steps, lb_rounding rounding, lb_num_quant in,
                                 lb_num_quant out);
lb_num_multiplier lb_num_output_multiplier(lb_steps *steps, const lb_profile *profile,
                                           lb_num_ratio ratio, lb_num_quant weights);
/* 4.2, 4.3 */
lb_num lb_num_bias_fx(lb_steps *steps, lb_rounding rounding, lb_operands operands, lb_num bias,
                      lb_num bias_shift);
lb_num lb_num_bias_sa(lb_steps *steps, const lb_profile *profile, lb_num bias);
/* 5.3 */
lb_num lb_num_result_cast(lb_steps *steps, const lb_profile *profile, lb_num acc,
                          lb_num_multiplier multiplier, lb_num zero_point);
/* The count of a right shift, as the platform takes it past the width (features.md 12). */
lb_num lb_num_shift_count(lb_steps *steps, const lb_profile *profile, lb_num count);
/* The lowest result of `bits` bits (features.md 13), not below `low`. */
lb_num lb_num_lowest(lb_steps *steps, const lb_profile *profile, lb_num low, int bits);
/* a + b, wrapped at the width. */
lb_num lb_num_wrapping_add(lb_steps *steps, lb_num a, lb_num b, int width, const char *words);
/* 5.4 */
lb_num lb_num_recurrent_cast_fx(lb_steps *steps, lb_rounding rounding, lb_num acc, lb_num shift,
                                int acc_bits);
lb_num lb_num_recurrent_cast_sa(lb_steps *steps, lb_rounding rounding, lb_num acc,
                                lb_num_multiplier multiplier);
/* 5.5 */
lb_num lb_num_fx_to_sa8(lb_steps *steps, lb_rounding rounding, lb_num x, lb_num shift,
                        lb_num zero_point);
/* 6 */
lb_num_limits lb_num_relu_limits(lb_steps *steps, int32_t type, int bits, lb_num_quant quant);
static inline lb_num lb_num_clamp(lb_steps *steps, lb_num v, lb_num_limits limits)
{
    lb_num capped = lb_num_min(steps, v, limits.high, "not above the upper limit");
    return lb_num_max(steps, capped, limits.low, "not below the lower limit");
}

#endif
