/* Scale arithmetic of the real models: see real_scale.h. */
#include "real_scale.h"

#include "core/arith.h"

lb_operands lb_real_operands(uint32_t x_type, uint32_t weights_type)
{
    if (x_type != LB_FX16)
        return LB_OPERANDS_8X8;
    return weights_type == LB_FX16 ? LB_OPERANDS_16X16 : LB_OPERANDS_16X8;
}

int lb_real_step_bits(const lb_profile *profile, lb_operands operands, bool is_sa)
{
    return !is_sa && (operands == LB_OPERANDS_16X16 || profile->acc_bits[operands] > 32) ? 64 : 32;
}

/* Bits of v > 0. */
static int bit_length(int64_t v)
{
    return 63 - lb_norm(v, 64);
}

/* ---- Bias ---- */

/* 4.2. QUIRK: of fx16 32 bits survive. */
static int64_t bias_fx(lb_rounding rounding, lb_operands operands, int32_t bias, int shift)
{
    return operands == LB_OPERANDS_16X16 ? lb_wrap(lb_rsh(rounding, bias, -shift, 64), 32)
                                         : lb_rsh(rounding, bias, -shift, 32);
}

/* 4.3: the 16 top bits, without those that only repeat the sign. */
static int64_t bias_sa(const lb_profile *profile, int32_t bias)
{
    const uint8_t width = profile->at.value[LB_FEATURE_BIAS_BITS];
    const int gone = 16 - lb_norm(bias, 32);
    bool is_whole = width == 0 ? !profile->reduced : width == LB_BIAS_ALL_BITS;
    return is_whole || gone <= 0 ? bias : bias - (int64_t)((uint32_t)bias % (1u << gone));
}

lb_span lb_real_with_bias(const lb_profile *profile, lb_operands operands, bool is_sa, int32_t bias,
                          int shift, lb_span acc)
{
    const int64_t added =
        is_sa ? bias_sa(profile, bias) : bias_fx(profile->rounding, operands, bias, shift);
    const double cut = is_sa ? (double)(bias - added) : 0.0;
    acc = lb_span_moved(acc, (double)added);
    acc.value += cut;
    acc.high += cut;
    return lb_span_saturated(acc, profile->acc_bits[operands]);
}

/* ---- Ratios of scales ---- */

/* QUIRK: the division has cut what is rounded to 15 bits here; 2^15 saturates. */
static int64_t in_15_bits(lb_rounding rounding, int64_t quotient, int *gone)
{
    *gone = bit_length(quotient) - 15;
    return lb_sat(lb_rsh(rounding, quotient, *gone, 32), 16);
}

/* a * 2^k over b; scales below 1 mean nothing. */
static int64_t quotient_of(int32_t a, int k, int32_t b)
{
    return b > 0 ? lb_shl(a, k, 32) / b : 0;
}

lb_real_ratio lb_real_ratio_of(lb_rounding rounding, lb_quant in, lb_quant out)
{
    const int e = lb_norm(in.scale, 32);
    int gone;
    lb_real_ratio r = {.ratio = in_15_bits(rounding, quotient_of(in.scale, e, out.scale), &gone)};
    r.base = in.frac + e - out.frac - gone;
    return r;
}

int lb_real_multiplier_shift(const lb_profile *profile, lb_quant in, lb_quant weights, lb_quant out)
{
    const lb_real_ratio r = lb_real_ratio_of(lb_scale_rounding(profile), in, out);
    const int bits = profile->at.value[LB_FEATURE_MULTIPLIER_BITS];
    const bool is_high = profile->at.value[LB_FEATURE_REQUANTIZE] == LB_REQUANTIZE_HIGH;
    const bool is_whole = profile->at.value[LB_FEATURE_SCALE_RATIO] == LB_SCALE_RATIO_EXACT;
    int shift = r.base + weights.frac, exponent = 0;
    if (is_whole) { /* of 31 bits, the highest set */
        frexp((double)in.scale * weights.scale / out.scale, &exponent);
        shift = in.frac + weights.frac - out.frac + 31 - exponent;
    } else if (profile->reduced || is_high || bits > 0)
        shift += lb_norm(r.ratio * weights.scale, 32);
    return bits > 0 && !profile->reduced && !is_high ? shift - (31 - bits) : shift;
}

/* ---- ReLU limits ---- */

/* `value` in steps of the format, cut; QUIRK: from `never` fractional bits on the highest
 * container. */
static double limit_in_steps(const lb_profile *profile, int value, lb_quant format, int never,
                             double highest)
{
    if (format.frac >= never)
        return highest;
    int64_t wide = lb_shl(value, format.frac, 64);
    if (profile->at.value[LB_FEATURE_RELU_LIMITS] == LB_RELU_LIMITS_ROUNDED)
        wide += format.scale / 2;
    return format.scale > 0 ? (double)(wide / format.scale) : 0.0;
}

lb_real_limits lb_real_relu_limits(const lb_profile *profile, int32_t type, int bits,
                                   lb_quant format)
{
    enum { GEN = 1, RELU_1, RELU_6 };
    const double highest = (double)lb_max_of(bits), zero = format.zero_point;
    lb_real_limits l = {-highest - 1.0, highest};
    double below = 0.0, above = highest - zero;
    if (type == RELU_6)
        above = limit_in_steps(profile, 6, format, 28, highest);
    if (type == RELU_1)
        below = above = limit_in_steps(profile, 1, format, 30, highest);
    if (type >= GEN && type <= RELU_6)
        l = (lb_real_limits){fmax(zero - below, l.low), fmin(zero + above, l.high)};
    if (profile->at.value[LB_FEATURE_LOWEST] == LB_LOWEST_SYMMETRIC)
        l.low = fmax(l.low, -highest);
    return l;
}

/* ---- Averages ---- */

/* Bits of the factor of sa8, without its sign. QUIRK (2.6): 7 without the option. */
static int factor_bits(const lb_profile *profile)
{
    const int bits = profile->at.value[LB_FEATURE_MULTIPLIER_BITS];
    return bits > 0 ? bits : profile->avepool16 ? 15 : 7;
}

lb_operands lb_real_pool_operands(const lb_profile *profile, uint32_t in_type)
{
    if (in_type == LB_FX16)
        return LB_OPERANDS_16X16;
    return lb_is_sa(in_type) && factor_bits(profile) == 7 ? LB_OPERANDS_8X8 : LB_OPERANDS_16X8;
}

/* 2.4: 1 / n in 15 bits, cut. */
static int64_t one_over(const lb_profile *profile, uint32_t n, int *shift)
{
    const int64_t v = ((int64_t)1 << 31) / n;
    const int e = 32 - bit_length(v);
    const int64_t twice = (v << e) >> 16;
    const bool rounds = profile->at.value[LB_FEATURE_AVERAGE] == LB_AVERAGE_ROUNDED;
    *shift = 14 + e;
    return lb_sat((twice + rounds) / 2, 16);
}

/* 2.6; the names are those of the formulas there. */
static lb_real_divisor divisor_sa8(const lb_profile *profile, lb_quant in, lb_quant out, uint32_t n)
{
    const lb_rounding rounding = lb_scale_rounding(profile);
    const int kept = factor_bits(profile), pre = lb_norm(in.scale, 32) - lb_norm(out.scale, 16);
    int ns, ls;
    const int64_t scale = in_15_bits(rounding, quotient_of(in.scale, pre, out.scale), &ns);
    const int64_t sh = lb_wrap(pre + in.frac - out.frac - ns, 16);
    if (profile->at.value[LB_FEATURE_AVERAGE] == LB_AVERAGE_DIVISION)
        return (lb_real_divisor){1.0, -(double)n * in.zero_point, (int)sh};
    const int64_t zero = lb_sat(lb_rsh(rounding, scale * in.zero_point, (int)sh, 32), 16);
    const int64_t off = lb_sub(out.zero_point, zero, 16);
    const int64_t p = scale * one_over(profile, n, &ls);
    const int pn = bit_length(p) - kept, shift = (int)sh + ls - pn;
    return (lb_real_divisor){(double)lb_sat(lb_rsh(rounding, p, pn, 32), kept + 1),
                             (double)lb_shl(off, shift, 32), shift};
}

lb_real_divisor lb_real_divisor_of(const lb_profile *profile, const lb_call *call, uint32_t n)
{
    const lb_quant in = lb_quant_at(call->tensor[LB_ROLE_IN], 0);
    const lb_quant out = lb_quant_at(call->tensor[LB_ROLE_OUT], 0);
    int shift = 0;
    double factor = 1.0;
    if (lb_is_sa(call->kernel->in_type))
        return divisor_sa8(profile, in, out, n);
    if (profile->at.value[LB_FEATURE_AVERAGE] != LB_AVERAGE_DIVISION)
        factor = (double)one_over(profile, n, &shift);
    return (lb_real_divisor){factor, 0.0, in.frac - out.frac + shift};
}
