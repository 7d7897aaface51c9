/* Scale arithmetic of the models: what turns accumulators and containers of one quantization into
 * those of another. Spec: numerics.md 4.2, 4.3 (bias), 5 (scales), 6 (ReLU limits). Built on
 * arith.h; names are those of the spec. A parameter of type lb_rounding means that only the
 * rounding mode of the profile matters, lb_profile that `reduced` does too. */
#ifndef LB_REFERENCE_SCALE_H
#define LB_REFERENCE_SCALE_H

#include "arith.h"
#include "profile.h"
#include "tensor.h"

/* ---- 5.1: from tensor a to tensor b ---- */

/* b ~ (a - z1) * scale * 2^-shift + z2 ~ a * scale * 2^-shift + offset. */
typedef struct lb_requant {
    int32_t scale;  /* 16384..32767 */
    int32_t shift;  /* any int16 */
    int32_t offset; /* int16 */
} lb_requant;

/* Scales must be > 0 (else undefined in the spec; here: some result, no trap). */
lb_requant lb_requant_params(lb_rounding rounding, lb_quant from, lb_quant to);

/* ---- 5.2: output multiplier of sa8 weighted kernels ---- */

/* in scale / out scale, the part that all channels share. */
typedef struct lb_ratio {
    int32_t ratio; /* 16384..32767 */
    int32_t base;  /* shift without the weights' scale_frac_bits */
} lb_ratio;

/* accumulator * mul * 2^-shift is the output without its zero point. */
typedef struct lb_multiplier {
    int64_t mul; /* int32 */
    int32_t shift;
} lb_multiplier;

lb_ratio lb_output_ratio(lb_rounding rounding, lb_quant in, lb_quant out);
/* `weights`: quantization of the weights at this output channel. */
lb_multiplier lb_output_multiplier(const lb_profile *profile, lb_ratio ratio, lb_quant weights);

/* ---- 4.2, 4.3: what the bias adds to the accumulator ---- */

/* fx8 bias (operands 8x8 and 16x8): 32 bits; fx16 bias (16x16): wrapped at 32 bits. bias_shift =
 * n_in + n_weights - n_bias. */
int64_t lb_bias_fx(lb_rounding rounding, lb_operands operands, int32_t bias, int bias_shift);
/* sa32: as it is, or, reduced, its 16 leading bits. */
int64_t lb_bias_sa(const lb_profile *profile, int32_t bias);

/* ---- 5.3, 5.4: from accumulators ---- */

/* Output container (8 bits, before ReLU limits) of a 32-bit accumulator that holds the bias; z_o
 * the output's zero point. */
int64_t lb_result_cast(const lb_profile *profile, int64_t acc, lb_multiplier multiplier,
                       int32_t zero_point);
/* Recurrent intermediates, fx: accumulator of 32 or 64 bits to the same width in another format. */
int64_t lb_recurrent_cast_fx(lb_rounding rounding, int64_t acc, int shift, int acc_bits);
/* Recurrent intermediates, sa: 32 bits to 32 bits. */
int64_t lb_recurrent_cast_sa(lb_rounding rounding, int64_t acc, lb_multiplier multiplier);

/* ---- 5.5: inside activation kernels ---- */

/* sa8 to fx of dst_bits (16 or 32): cast((x - z) * scale, shift). */
int64_t lb_sa8_to_fx(lb_rounding rounding, int32_t x, int32_t zero_point, int32_t scale, int shift,
                     int dst_bits);
/* sa8 to fx16 without a shift. */
int64_t lb_sa8_to_fx16_unshifted(int32_t x, int32_t zero_point, int32_t scale);
/* fx (int16 or int32 x) to sa8. */
int64_t lb_fx_to_sa8(lb_rounding rounding, int64_t x, int shift, int32_t zero_point);

/* ---- 5.6: rules of quantization, as predicates ---- */

/* |in scale * weights scale - bias scale| <= 1 after alignment, for one entry. */
bool lb_bias_scale_fits(lb_rounding rounding, lb_quant in, lb_quant weights, lb_quant bias);

/* ---- 6: ReLU limits ---- */

typedef struct lb_limits {
    int64_t low;
    int64_t high;
} lb_limits;

/* type: 0 none, 1 gen, 2 relu1, 3 relu6, anything else acts as none. bits: container width, 8
 * or 16. */
lb_limits lb_relu_limits(int32_t type, int bits, lb_quant quant);

#endif
