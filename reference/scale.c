/* Scale arithmetic of the models. Spec: numerics.md 4.2, 4.3, 5, 6; variable names follow the formulas there. */
#include "scale.h"

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int greatest(int a, int b)
{
    return a > b ? a : b;
}

/* numerics.md 5.1 */
lb_requant lb_requant_params(lb_rounding rounding, lb_quant from, lb_quant to)
{
    int k = lb_norm(from.scale, 32) - lb_norm(to.scale, 16);
    int64_t q = lb_tdiv(lb_shl(from.scale, k, 64), to.scale);
    int m;
    int64_t scale = lb_norm_cast(rounding, q, 16, &m);
    int64_t shift = lb_wrap(k + from.frac - to.frac - m, 16);
    int64_t moved_zero = lb_cast(rounding, scale * from.zero_point, 32, 16, (int)shift);
    int64_t offset = lb_sub(to.zero_point, moved_zero, 16);
    return (lb_requant){(int32_t)scale, (int32_t)shift, (int32_t)offset};
}

/* numerics.md 5.2, the part before the weights */
lb_ratio lb_output_ratio(lb_rounding rounding, lb_quant in, lb_quant out)
{
    int e = lb_norm(in.scale, 32);
    int64_t r = lb_tdiv(lb_shl(in.scale, e, 32), out.scale);
    int p = lb_norm(r, 32);
    int64_t ratio = lb_cast(rounding, r, 32, 16, 16 - p);
    return (lb_ratio){(int32_t)ratio, in.frac + e - out.frac - (16 - p)};
}

lb_multiplier lb_output_multiplier(const lb_profile *profile, lb_ratio ratio, lb_quant weights)
{
    int64_t mul = (int64_t)ratio.ratio * weights.scale;
    int shift = ratio.base + weights.frac;
    if (profile->reduced) {
        int t = lb_norm(mul, 32);
        mul = lb_shl(mul, t, 32);
        shift += t;
    }
    return (lb_multiplier){mul, shift};
}

/* numerics.md 4.2 */
int64_t lb_bias_fx(lb_rounding rounding, lb_operands operands, int32_t bias, int bias_shift)
{
    if (operands == LB_OPERANDS_16X16) {
        /* QUIRK: aligned in 64 bits, then cut to 32 by wrapping. */
        return lb_wrap(lb_rsh(rounding, bias, -bias_shift, 64), 32);
    }
    return lb_rsh(rounding, bias, -bias_shift, 32);
}

/* numerics.md 4.3 */
int64_t lb_bias_sa(const lb_profile *profile, int32_t bias)
{
    if (!profile->reduced) {
        return bias;
    }
    int k = greatest(16 - lb_norm(bias, 32), 0);
    return lb_shl(lb_asr(bias, k, 32), k, 32);
}

/* numerics.md 5.3 */
int64_t lb_result_cast(const lb_profile *profile, int64_t acc, lb_multiplier multiplier, int32_t zero_point)
{
    lb_rounding rounding = profile->rounding;
    int64_t mul = multiplier.mul;
    int shift = multiplier.shift;
    if (profile->reduced) {
        mul = lb_rsh(rounding, mul, 16, 32);
        shift -= 16;
        int pre = least(greatest(shift - 21, 0), 8);
        acc = lb_sat(lb_rsh(rounding, acc, pre, 32), 16);
        shift -= pre;
    }
    int64_t v = lb_cast(rounding, acc * mul, 64, 16, least(shift, 63));
    return lb_sat(lb_add(v, zero_point, 16), 8);
}

/* numerics.md 5.4 */
int64_t lb_recurrent_cast_fx(lb_rounding rounding, int64_t acc, int shift, int acc_bits)
{
    return lb_rsh(rounding, acc, acc_bits == 64 ? least(shift, 39) : shift, acc_bits);
}

int64_t lb_recurrent_cast_sa(lb_rounding rounding, int64_t acc, lb_multiplier multiplier)
{
    return lb_cast(rounding, acc * multiplier.mul, 64, 32, least(multiplier.shift, 63));
}

/* numerics.md 5.5 */
int64_t lb_sa8_to_fx(lb_rounding rounding, int32_t x, int32_t zero_point, int32_t scale, int shift, int dst_bits)
{
    int64_t d = lb_wrap((int64_t)x - zero_point, 16);
    return lb_cast(rounding, d * scale, 32, dst_bits, shift);
}

int64_t lb_sa8_to_fx16_unshifted(int32_t x, int32_t zero_point, int32_t scale)
{
    return lb_sat(((int64_t)x - zero_point) * scale, 16);
}

int64_t lb_fx_to_sa8(lb_rounding rounding, int64_t x, int shift, int32_t zero_point)
{
    return lb_sat(lb_rsh(rounding, x, shift, 32) + zero_point, 8);
}

/* numerics.md 5.6 */
bool lb_bias_scale_fits(lb_rounding rounding, lb_quant in, lb_quant weights, lb_quant bias)
{
    int64_t e = (int64_t)in.scale * weights.scale;
    int d = in.frac + weights.frac - bias.frac;
    e = d > 0 ? lb_rsh(rounding, e, d, 32) : lb_shl(e, -d, 64);
    return lb_abs(lb_sub(e, bias.scale, 64), 64) <= 1;
}

/* floor(numerator * 2^frac) / scale, truncated; from `never` fractional bits on the container's maximum stands in for it
 * (a QUIRK of numerics.md 6: before the zero point is added). */
static int64_t relu_step(int64_t numerator, int frac, int never, int32_t scale, int64_t container_max)
{
    return frac >= never ? container_max : lb_tdiv(lb_shl(numerator, frac, 64), scale);
}

/* numerics.md 6 */
lb_limits lb_relu_limits(int32_t type, int bits, lb_quant quant)
{
    int64_t low = lb_min_of(bits);
    int64_t high = lb_max_of(bits);
    int64_t z = quant.zero_point;
    if (type < 1 || type > 3) {
        return (lb_limits){low, high};
    }
    if (type == 1) {
        return (lb_limits){z > low ? z : low, high};
    }
    int64_t step =
        type == 3 ? relu_step(6, quant.frac, 28, quant.scale, high) : relu_step(1, quant.frac, 30, quant.scale, high);
    int64_t bottom = type == 3 ? z : z - step;
    int64_t top = z + step;
    return (lb_limits){bottom > low ? bottom : low, top < high ? top : high};
}

int64_t lb_clamp(int64_t v, lb_limits limits)
{
    int64_t capped = v < limits.high ? v : limits.high;
    return capped > limits.low ? capped : limits.low;
}
