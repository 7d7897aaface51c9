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
    lb_num_quant in, out; /* where the scale of the weights belongs to the ratio (features.md 4, 5)
                           */
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
lb_num_quant lb_num_quant_at(lb_steps *steps, const lb_tensor *t, lb_owner owner, uint32_t index);
/* The same of a whole tensor whose format lies between these two in every call; NULL: between any.
 */
typedef struct lb_known_format {
    lb_quant least, most;
} lb_known_format;
lb_num_quant lb_num_quant_known(lb_steps *steps, const lb_tensor *t, lb_owner owner,
                                const lb_known_format *known);
/* A format that the spec fixes. */
lb_num_quant lb_num_quant_const(lb_quant quant);

/* 5.1. The offset, which most users do not need, is a function of its own: it needs the result of
 * the first. */
lb_num_requant lb_num_requant_params(lb_steps *steps, lb_rounding rounding, lb_num_quant from,
                                     lb_num_quant to);
lb_num lb_num_requant_offset(lb_steps *steps, lb_rounding rounding, lb_num_requant requant,
                             lb_num_quant from, lb_num_quant to);
/* 5.2 */
lb_num_ratio lb_num_output_ratio(lb_steps *steps, const lb_profile *profile, lb_num_quant in,
                                 lb_num_quant out);
lb_num_multiplier lb_num_output_multiplier(lb_steps *steps, const lb_profile *profile,
                                           lb_num_ratio ratio, lb_num_quant weights);
/* numerator / scale_out * 2^-shift as a factor of 16 bits and the right shift after it, which stays
 * within -31..highest (elementwise.md 5, recurrent.md 6). `sites`: of its steps, in their order. */
enum { LB_FACTOR_SITES = 15 };
typedef struct lb_numerator {
    lb_num v;
    enum {
        LB_RATIO_OF_PRODUCT, /* a product of two */
        LB_RATIO_OF_SCALES,  /* it has 15 bits */
        LB_RATIO_OF_ONE      /* the same, and the shift is one and the same in all calls */
    } of;
} lb_numerator;
lb_num_multiplier lb_num_factor(lb_steps *steps, const lb_profile *profile, lb_numerator numerator,
                                lb_num scale_out, lb_num shift, int highest,
                                const lb_site sites[LB_FACTOR_SITES]);
/* a / b, b > 0, rounded once. */
lb_num lb_num_divide(lb_steps *steps, lb_rounding rounding, lb_num a, lb_num b, lb_site site);
/* 4.2, 4.3 */
lb_num lb_num_bias_fx(lb_steps *steps, lb_rounding rounding, lb_operands operands, lb_num bias,
                      lb_num bias_shift);
lb_num lb_num_bias_sa(lb_steps *steps, const lb_profile *profile, lb_num bias);
/* 5.3, two steps of a result program (result.h): times the multiplier, with what is left of its
 * shift; and that shift. */
lb_num lb_num_multiplied(lb_steps *steps, const lb_profile *profile, lb_num acc, lb_num mul,
                         lb_num *shift);
lb_num lb_num_multiplied_down(lb_steps *steps, const lb_profile *profile, lb_num product,
                              lb_num shift);
/* The count of a right shift, as the platform takes it past the width (features.md 12). */
lb_num lb_num_shift_count(lb_steps *steps, const lb_profile *profile, lb_num count);
/* The lowest result of `bits` bits (features.md 13), not below `low`. */
lb_num lb_num_lowest(lb_steps *steps, const lb_profile *profile, lb_num low, int bits);
/* a + b, wrapped at the width. */
lb_num lb_num_wrapping_add(lb_steps *steps, lb_num a, lb_num b, int width, lb_site site);
/* 5.4 */
lb_num lb_num_recurrent_cast_fx(lb_steps *steps, const lb_profile *profile, lb_num acc,
                                lb_num shift, int acc_bits);
lb_num lb_num_recurrent_cast_sa(lb_steps *steps, const lb_profile *profile, lb_num acc,
                                lb_num_multiplier multiplier);
/* rsh(v, min(n, most), width) as the platform does it: how it rounds, shifts to the left, and takes
 * counts past the width (features.md 2, 12). most: 0: there is no cap. */
lb_num lb_num_down(lb_steps *steps, const lb_profile *profile, lb_num v, lb_num n, int most,
                   int width, lb_site site);
/* The same of a product with a factor of 16 bits, in 32 bits: in one rounding or two (features.md
 * 4). */
lb_num lb_num_scaled_down(lb_steps *steps, const lb_profile *profile, lb_num product, lb_num n,
                          int most, lb_site site);
/* One of two operands of a sum: v * m * 2^-shift, m of 16 bits. */
typedef struct lb_num_scaled {
    lb_num v, m, shift;
} lb_num_scaled;
/* a + b or a - b, rounded once, in 32 bits (features.md 16). */
lb_num lb_num_sum_at_once(lb_steps *steps, const lb_profile *profile, lb_num_scaled a,
                          lb_num_scaled b, bool subtracts);
/* v in its container: saturated or wrapped, with the lowest one that there is (features.md 13). */
lb_num lb_num_container(lb_steps *steps, const lb_profile *profile, lb_num v, int bits);
/* 6 */
lb_num_limits lb_num_relu_limits(lb_steps *steps, const lb_profile *profile, int32_t type, int bits,
                                 lb_num_quant quant);
static inline lb_num lb_num_clamp(lb_steps *steps, lb_num v, lb_num_limits limits)
{
    lb_num capped = lb_num_min(steps, v, limits.high, LB_SITE_NOT_ABOVE_THE_UPPER_LIMIT);
    return lb_num_max(steps, capped, limits.low, LB_SITE_NOT_BELOW_THE_LOWER_LIMIT);
}

#endif
