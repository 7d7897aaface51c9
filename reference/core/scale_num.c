/* Scale arithmetic of the models. Spec: numerics.md 4.2, 4.3, 5, 6; variable names follow the
 * formulas there. */
#include "scale_num.h"

lb_num_quant lb_num_quant_const(lb_quant quant)
{
    return (lb_num_quant){lb_num_const(quant.scale), lb_num_const(quant.frac),
                          lb_num_const(quant.zero_point)};
}

lb_num_quant lb_num_quant_at(lb_steps *steps, const lb_tensor *t, lb_owner owner, uint32_t index)
{
    lb_quant q = lb_quant_at(t, index);
    if (!steps)
        return lb_num_quant_const(q);
    if (!lb_is_sa(t->el_type)) {
        lb_num frac = lb_is_fx(t->el_type)
                          ? lb_num_parameter(steps, owner, LB_QUANT_FRAC_BITS, -1, q.frac)
                          : lb_num_const(0);
        return (lb_num_quant){lb_num_const(1), frac, lb_num_const(0)};
    }
    int64_t entry = t->sa.dim >= 0 ? (int64_t)index : -1;
    lb_num scale = lb_num_parameter(steps, owner, LB_QUANT_SCALE, entry, q.scale);
    lb_num frac = lb_num_parameter(steps, owner, LB_QUANT_SCALE_FRAC_BITS, entry, q.frac);
    return (lb_num_quant){scale, frac,
                          lb_num_parameter(steps, owner, LB_QUANT_ZERO_POINT, entry, q.zero_point)};
}

lb_num_quant lb_num_quant_known(lb_steps *steps, const lb_tensor *t, lb_owner owner,
                                const lb_known_format *known)
{
    lb_num_quant q = lb_num_quant_at(steps, t, owner, 0);
    if (known) {
        lb_num_lies(steps, q.scale, known->least.scale, known->most.scale);
        lb_num_lies(steps, q.frac, known->least.frac, known->most.frac);
        lb_num_lies(steps, q.zero_point, known->least.zero_point, known->most.zero_point);
    }
    return q;
}

/* numerics.md 5.1 */
lb_num_requant lb_num_requant_params(lb_steps *s, lb_rounding rounding, lb_num_quant from,
                                     lb_num_quant to)
{
    lb_steps_enter(s, LB_PART_SCALE_AND_SHIFT, "numerics.md 5.1");
    lb_num from_norm = lb_num_norm(s, from.scale, 32, LB_SITE_ROOM_ABOVE_THE_SCALE);
    lb_num to_norm = lb_num_norm(s, to.scale, 16, LB_SITE_ROOM_ABOVE_THE_SCALE_OF_THE_OUTPUT);
    lb_num k = lb_num_sub(s, from_norm, to_norm, 0, LB_SITE_K_BITS_THAT_THE_QUOTIENT_GAINS);
    lb_num wide = lb_num_shl(s, from.scale, k, 64, LB_SITE_SCALE_THE_SCALE_WIDENED);
    lb_num q = lb_num_tdiv(s, wide, to.scale, LB_SITE_SCALE_Q_RATIO_OF_THE_SCALES);
    lb_num q_norm = lb_num_norm(s, q, 32, LB_SITE_REDUNDANT_SIGN_BITS);
    lb_num m = lb_num_sub(s, lb_num_const(16), q_norm, 0, LB_SITE_BITS_TOO_MANY);
    lb_num scale = lb_num_mantissa(s, rounding, q, m, false, LB_SITE_SCALE_Q_IN_15_BITS);
    lb_num sum = lb_num_add(s, k, from.frac, 0, LB_SITE_K_PLUS_N1);
    lb_num difference = lb_num_sub(s, sum, to.frac, 0, LB_SITE_K_PLUS_N1_LESS_N2);
    lb_num shift = lb_num_sub(s, difference, m, 0, LB_SITE_SHIFT_OF_THE_SCALE);
    shift = lb_num_wrap(s, shift, 16, LB_SITE_REQUANT_SHIFT);
    return (lb_num_requant){scale, shift, lb_num_const(0)};
}

lb_num lb_num_requant_offset(lb_steps *s, lb_rounding rounding, lb_num_requant requant,
                             lb_num_quant from, lb_num_quant to)
{
    lb_steps_enter(s, LB_PART_OFFSET, "numerics.md 5.1");
    lb_num scaled =
        lb_num_mul(s, requant.scale, from.zero_point, LB_SITE_THE_INPUTS_ZERO_POINT_SCALED);
    lb_num moved = lb_num_cast(s, rounding, scaled, 32, 16, requant.shift,
                               LB_SITE_POOL_IN_STEPS_OF_THE_OUTPUT);
    return lb_num_sub(s, to.zero_point, moved, 16, LB_SITE_OFFSET);
}

/* Is the ratio of all three scales taken at once? */
static bool has_whole_ratio(const lb_profile *profile)
{
    return profile->at.value[LB_FEATURE_SCALE_RATIO] == LB_SCALE_RATIO_EXACT ||
           profile->at.value[LB_FEATURE_REQUANTIZE] == LB_REQUANTIZE_FLOAT;
}

/* numerics.md 5.2, the part before the weights */
lb_num_ratio lb_num_output_ratio(lb_steps *s, const lb_profile *profile, lb_num_quant in,
                                 lb_num_quant out)
{
    const lb_rounding rounding = lb_scale_rounding(profile);
    if (has_whole_ratio(profile))
        return (lb_num_ratio){.in = in, .out = out};
    lb_steps_enter(s, LB_PART_RATIO_OF_THE_SCALES, "numerics.md 5.2");
    lb_num e = lb_num_norm(s, in.scale, 32, LB_SITE_E_ROOM_ABOVE_THE_SCALE_OF_IN);
    lb_num wide = lb_num_widened(s, in.scale, e, LB_SITE_THE_SCALE_OF_IN_WIDENED);
    lb_num r = lb_num_tdiv(s, wide, out.scale, LB_SITE_R_IN_SCALE_OVER_OUT_SCALE);
    lb_num p = lb_num_norm(s, r, 32, LB_SITE_P_REDUNDANT_SIGN_BITS_OF_R);
    lb_num excess = lb_num_sub(s, lb_num_const(16), p, 0, LB_SITE_16_LESS_P_BITS_THAT_GO);
    lb_num ratio = lb_num_mantissa(s, rounding, r, excess, true, LB_SITE_RATIO_R_IN_15_BITS);
    lb_num sum = lb_num_add(s, in.frac, e, 0, LB_SITE_N_I_PLUS_E);
    lb_num difference = lb_num_sub(s, sum, out.frac, 0, LB_SITE_N_I_PLUS_E_LESS_N_O);
    lb_num base = lb_num_sub(s, difference, excess, 0, LB_SITE_BASE_SHIFT_WITHOUT_THE_WEIGHTS);
    return (lb_num_ratio){.ratio = ratio, .base = base};
}

/* features.md 4: x * 2^-shift with 24 significant bits, as single precision holds it. */
static lb_num in_single(lb_steps *s, lb_num x, lb_num *shift)
{
    enum { SPARE_BITS = 63 - 24 };
    lb_num n = lb_num_norm(s, x, 64, LB_SITE_REDUNDANT_SIGN_BITS_IN_64);
    lb_num beyond = lb_num_sub(s, lb_num_const(SPARE_BITS), n, 0, LB_SITE_BITS_BEYOND_24);
    lb_num gone = lb_num_max(s, beyond, lb_num_const(0), LB_SITE_SCALE_NOT_NEGATIVE);
    *shift = lb_num_sub(s, *shift, gone, 0, LB_SITE_SHIFT_THAT_IS_LEFT);
    return lb_num_rsh(s, LB_ROUND_CONVERGENT, x, gone, 64, LB_SITE_IN_24_BITS);
}

/* a / b * 2^-shift as a multiplier of so many bits. Widened, a fills 31 bits and b 15: their
 * quotient lies above 2^15 and is 2^17 at most. */
static lb_num_multiplier whole_ratio(lb_steps *s, lb_rounding rounding, lb_num a, lb_num b,
                                     lb_num shift, int bits)
{
    lb_num n = lb_num_norm(s, a, 32, LB_SITE_ROOM_ABOVE_THE_PRODUCT_OF_SCALES);
    lb_num m = lb_num_norm(s, b, 16, LB_SITE_ROOM_ABOVE_THE_SCALE_OF_OUT);
    a = lb_num_shl(s, a, n, 32, LB_SITE_THE_PRODUCT_OF_SCALES_WIDENED);
    b = lb_num_shl(s, b, m, 16, LB_SITE_THE_SCALE_OF_OUT_WIDENED);
    lb_num room = lb_num_const(bits - (a.v >> 16 >= b.v ? 17 : 16));
    a = lb_num_shl(s, a, room, 64, LB_SITE_THE_PRODUCT_OF_SCALES_WIDENED);
    shift = lb_num_add(s, shift, n, 0, LB_SITE_MULTIPLIER_SHIFT);
    shift = lb_num_sub(s, shift, m, 0, LB_SITE_MULTIPLIER_SHIFT_LESS_OUT);
    shift = lb_num_add(s, shift, room, 0, LB_SITE_MULTIPLIER_SHIFT);
    return (lb_num_multiplier){lb_num_divide(s, rounding, a, b, LB_SITE_RATIO_OF_ALL_SCALES),
                               shift};
}

/* features.md 4, 5 */
static lb_num_multiplier whole_multiplier(lb_steps *s, const lb_profile *profile,
                                          lb_num_ratio ratio, lb_num_quant weights)
{
    enum { SINGLE_BITS = 24, MULTIPLIER_BITS = 31 };
    lb_num product = lb_num_mul(s, ratio.in.scale, weights.scale, LB_SITE_PRODUCT_OF_THE_SCALES);
    lb_num shift = lb_num_add(s, ratio.in.frac, weights.frac, 0, LB_SITE_MULTIPLIER_SHIFT);
    shift = lb_num_sub(s, shift, ratio.out.frac, 0, LB_SITE_MULTIPLIER_SHIFT_LESS_OUT);
    if (profile->at.value[LB_FEATURE_REQUANTIZE] != LB_REQUANTIZE_FLOAT)
        return whole_ratio(s, lb_scale_rounding(profile), product, ratio.out.scale, shift,
                           MULTIPLIER_BITS);
    product = in_single(s, product, &shift);
    return whole_ratio(s, LB_ROUND_CONVERGENT, product, ratio.out.scale, shift, SINGLE_BITS);
}

lb_num_multiplier lb_num_output_multiplier(lb_steps *s, const lb_profile *profile,
                                           lb_num_ratio ratio, lb_num_quant weights)
{
    lb_steps_enter(s, LB_PART_MULTIPLIER_AND_SHIFT, "numerics.md 5.2");
    lb_num mul, shift;
    if (has_whole_ratio(profile)) {
        lb_num_multiplier whole = whole_multiplier(s, profile, ratio, weights);
        mul = whole.mul;
        shift = whole.shift;
    } else {
        mul =
            lb_num_mul(s, ratio.ratio, weights.scale, LB_SITE_MUL_RATIO_TIMES_SCALE_OF_THE_WEIGHTS);
        shift = lb_num_add(s, ratio.base, weights.frac, 0, LB_SITE_MULTIPLIER_SHIFT);
    }
    int bits = profile->at.value[LB_FEATURE_MULTIPLIER_BITS];
    bool is_high = profile->at.value[LB_FEATURE_REQUANTIZE] == LB_REQUANTIZE_HIGH;
    if (profile->reduced || is_high || bits > 0) {
        lb_num t = lb_num_norm(s, mul, 32, LB_SITE_T_REDUNDANT_SIGN_BITS_OF_MUL);
        mul = lb_num_widened(s, mul, t, LB_SITE_MUL_FILLING_32_BITS);
        shift = lb_num_add(s, shift, t, 0, LB_SITE_MULTIPLIER_SHIFT);
    }
    if (bits > 0 && !profile->reduced) {
        lb_num gone = lb_num_const(31 - bits);
        mul = lb_num_rsh(s, lb_scale_rounding(profile), mul, gone, 64, LB_SITE_MUL_IN_FEWER_BITS);
        if (is_high)
            mul = lb_num_shl(s, mul, gone, 32, LB_SITE_IN_PLACE_AGAIN);
        else
            shift = lb_num_sub(s, shift, gone, 0, LB_SITE_SHIFT_THAT_IS_LEFT);
    }
    return (lb_num_multiplier){mul, shift};
}

/* The ratio of two scales that are one and the same is 1, whatever they are. */
static void say_of_one(lb_steps *s, lb_num q, lb_num k, lb_num shift, int64_t given)
{
    lb_num_lies(s, q, 1 << 16, 1 << 30);
    lb_steps_demand(s, q, 0, 1 << 16, LB_IS_MULTIPLE);
    lb_num_lies(s, k, 2, 16);
    lb_num_lies(s, shift, given + 14, given + 14);
}

lb_num_multiplier lb_num_factor(lb_steps *s, const lb_profile *profile, lb_numerator numerator,
                                lb_num scale_out, lb_num shift, int highest,
                                const lb_site sites[LB_FACTOR_SITES])
{
    lb_rounding rounding = lb_scale_rounding(profile);
    const int64_t given = shift.v;
    lb_num n = lb_num_norm(s, numerator.v, 32, sites[0]);
    lb_num wide = lb_num_widened(s, numerator.v, n, sites[1]);
    lb_num q = lb_num_tdiv(s, wide, scale_out, sites[2]);
    lb_num norm = lb_num_norm(s, q, 32, sites[3]);
    lb_num k = lb_num_sub(s, lb_num_const(16), norm, 0, sites[4]);
    lb_num m = lb_num_mantissa(s, rounding, q, k, numerator.of != LB_RATIO_OF_PRODUCT, sites[5]);
    shift = lb_num_add(s, shift, n, 0, sites[6]);
    shift = lb_num_sub(s, shift, k, 0, sites[7]);
    if (numerator.of == LB_RATIO_OF_ONE)
        say_of_one(s, q, k, shift, given);
    lb_num above = lb_num_sub(s, shift, lb_num_const(highest), 0, sites[8]);
    lb_num below = lb_num_add(s, shift, lb_num_const(31), 0, sites[9]);
    lb_num too_high = lb_num_max(s, above, lb_num_const(0), sites[10]);
    lb_num too_low = lb_num_min(s, below, lb_num_const(0), sites[11]);
    lb_num excess = lb_num_add(s, too_high, too_low, 0, sites[12]);
    m = lb_num_rsh(s, rounding, m, excess, 16, sites[13]);
    return (lb_num_multiplier){m, lb_num_sub(s, shift, excess, 0, sites[14])};
}

/* numerics.md 4.2 */
lb_num lb_num_bias_fx(lb_steps *s, lb_rounding rounding, lb_operands operands, lb_num bias,
                      lb_num bias_shift)
{
    lb_steps_enter(s, LB_PART_BIAS, "numerics.md 4.2");
    lb_num right = lb_num_sub(s, lb_num_const(0), bias_shift, 0, LB_SITE_SHIFT_TO_THE_RIGHT);
    if (operands == LB_OPERANDS_16X16) {
        /* QUIRK: aligned in 64 bits, then cut to 32 by wrapping. */
        lb_num aligned =
            lb_num_rsh(s, rounding, bias, right, 64, LB_SITE_BIAS_ALIGNED_TO_THE_PRODUCTS);
        return lb_num_wrap(s, aligned, 32, LB_SITE_32_BITS_OF_IT_SURVIVE);
    }
    return lb_num_rsh(s, rounding, bias, right, 32, LB_SITE_BIAS_ALIGNED_TO_THE_PRODUCTS);
}

/* numerics.md 4.3 */
lb_num lb_num_bias_sa(lb_steps *s, const lb_profile *profile, lb_num bias)
{
    uint8_t width = profile->at.value[LB_FEATURE_BIAS_BITS];
    bool all_bits = width != 0 ? width == LB_BIAS_ALL_BITS : !profile->reduced;
    lb_steps_enter(s, LB_PART_BIAS, all_bits ? "numerics.md 4.2" : "numerics.md 4.3");
    if (all_bits)
        return bias;
    lb_num norm = lb_num_norm(s, bias, 32, LB_SITE_REDUNDANT_SIGN_BITS_OF_THE_BIAS);
    lb_num excess = lb_num_sub(s, lb_num_const(16), norm, 0, LB_SITE_BITS_BEYOND_16);
    lb_num k = lb_num_max(s, excess, lb_num_const(0), LB_SITE_SCALE_K_BITS_THAT_GO);
    lb_num cut = lb_num_asr(s, bias, k, 32, LB_SITE_THE_16_TOP_BITS);
    return lb_num_shl(s, cut, k, 32, LB_SITE_BIAS_IN_PLACE_AGAIN);
}

lb_num lb_num_shift_count(lb_steps *s, const lb_profile *profile, lb_num count)
{
    uint8_t past = profile->at.value[LB_FEATURE_RIGHT_SHIFT];
    if (count.v < 0 || past < LB_RIGHT_SHIFT_MODULO_32)
        return count;
    return lb_num_mod(s, count, lb_num_const(past == LB_RIGHT_SHIFT_MODULO_32 ? 5 : 6),
                      LB_SITE_SHIFT_AS_FAR_AS_THE_PLATFORM_TAKES_IT);
}

lb_num lb_num_lowest(lb_steps *s, const lb_profile *profile, lb_num low, int bits)
{
    if (profile->at.value[LB_FEATURE_LOWEST] != LB_LOWEST_SYMMETRIC)
        return low;
    return lb_num_max(s, low, lb_num_const(-lb_max_of(bits)), LB_SITE_LOWEST_RESULT_SYMMETRIC);
}

lb_num lb_num_wrapping_add(lb_steps *s, lb_num a, lb_num b, int width, lb_site site)
{
    /* The sum is told before it is cut: both fit 64 bits wherever the width is below 64. */
    int64_t sum = (int64_t)((uint64_t)a.v + (uint64_t)b.v);
    if (width == 64)
        return lb_num_done(s, LB_STEP_ADD, 2, a, b, 64, sum, site);
    lb_num exact = lb_num_add(s, a, b, 64, site);
    return lb_num_wrap(s, exact, width, LB_SITE_WHAT_THE_REGISTER_KEEPS);
}

/* Shifts to the left (features.md 12): v * 2^-count, count < 0, in `width` bits. */
static lb_num shifted_left(lb_steps *s, const lb_profile *profile, lb_num v, lb_num count,
                           int width)
{
    switch (profile->at.value[LB_FEATURE_LEFT_SHIFT]) {
    case LB_LEFT_SHIFT_IGNORED:
        return lb_num_copy(s, v, LB_SITE_A_NEGATIVE_COUNT_SHIFTS_BY_NOTHING);
    case LB_LEFT_SHIFT_WRAPS: {
        lb_num left = lb_num_sub(s, lb_num_const(0), count, 0, LB_SITE_SHIFT_TO_THE_LEFT);
        int n = left.v > 63 ? 63 : (int)left.v;
        int64_t moved = left.v > 63 ? 0 : (int64_t)((uint64_t)v.v << n);
        return lb_num_done(s, LB_STEP_WRAP, 1, v, v, width, lb_wrap(moved, width),
                           LB_SITE_SHIFTED_TO_THE_LEFT_WRAPPED);
    }
    default:
        return lb_num_shl(s, v, lb_num_sub(s, lb_num_const(0), count, 0, LB_SITE_SHIFT_TO_THE_LEFT),
                          width, LB_SITE_SHIFTED_TO_THE_LEFT);
    }
}

lb_num lb_num_down(lb_steps *s, const lb_profile *profile, lb_num v, lb_num n, int most, int width,
                   lb_site site)
{
    const uint8_t *at = profile->at.value;
    if (n.v < 0 && at[LB_FEATURE_LEFT_SHIFT] != 0)
        return shifted_left(s, profile, v, n, width);
    if (most > 0 && at[LB_FEATURE_SHIFT_CAP] == 0 && at[LB_FEATURE_RIGHT_SHIFT] == 0)
        n = lb_num_min(s, n, lb_num_const(most), LB_SITE_AT_MOST_AS_FAR_AS_THIS);
    return lb_num_rsh(s, profile->rounding, v, lb_num_shift_count(s, profile, n), width, site);
}

lb_num lb_num_scaled_down(lb_steps *s, const lb_profile *profile, lb_num product, lb_num n,
                          int most, lb_site site)
{
    enum { HIGH_BITS = 15 };
    if (profile->at.value[LB_FEATURE_REQUANTIZE] == LB_REQUANTIZE_HIGH && n.v > HIGH_BITS) {
        product = lb_num_rsh(s, lb_first_rounding(profile), product, lb_num_const(HIGH_BITS), 64,
                             LB_SITE_THE_PRODUCTS_HIGH_PART);
        n = lb_num_sub(s, n, lb_num_const(HIGH_BITS), 0, LB_SITE_SHIFT_THAT_IS_LEFT);
        most = most > 0 ? most - HIGH_BITS : 0;
    }
    return lb_num_down(s, profile, product, n, most, 32, site);
}

lb_num lb_num_sum_at_once(lb_steps *s, const lb_profile *profile, lb_num_scaled a, lb_num_scaled b,
                          bool subtracts)
{
    lb_num highest = lb_num_max(s, a.shift, b.shift, LB_SITE_THE_LONGER_SHIFT);
    lb_num first = lb_num_mul(s, a.v, a.m, LB_SITE_FIRST_TIMES_ITS_FACTOR);
    lb_num second = lb_num_mul(s, b.v, b.m, LB_SITE_SECOND_TIMES_ITS_FACTOR);
    first = lb_num_shl(s, first, lb_num_sub(s, highest, a.shift, 0, LB_SITE_SHIFT_THAT_IT_LACKS),
                       62, LB_SITE_SCALE_FIRST_ALIGNED);
    second = lb_num_shl(s, second, lb_num_sub(s, highest, b.shift, 0, LB_SITE_SHIFT_THAT_IT_LACKS),
                        62, LB_SITE_SCALE_SECOND_ALIGNED);
    lb_num sum = subtracts ? lb_num_sub(s, first, second, 64, LB_SITE_DIFFERENCE)
                           : lb_num_add(s, first, second, 64, LB_SITE_SA8_SUM);
    sum = lb_num_down(s, profile, sum, highest, 0, 64, LB_SITE_IN_STEPS_OF_THE_OUTPUT);
    return lb_num_sat(s, sum, 32, LB_SITE_KEPT_WITHIN_ITS_WIDTH);
}

/* As a rounding shift does it: floor, what is left of it, and how that compares with a half. */
static int64_t rounded_quotient(lb_rounding rounding, int64_t a, int64_t b)
{
    bool below = a % b < 0; /* not a - floor * b: near the lowest number that product overflows */
    int64_t floor_of = a / b - (below ? 1 : 0), rest = a % b + (below ? b : 0);
    bool above = rest > b - rest, tie = rest == b - rest;
    switch (rounding) {
    case LB_ROUND_UP:
        return floor_of + (above || tie ? 1 : 0);
    case LB_ROUND_CONVERGENT:
        return floor_of + (above || (tie && floor_of % 2 != 0) ? 1 : 0);
    case LB_ROUND_AWAY:
        return floor_of + (above || (tie && a >= 0) ? 1 : 0);
    case LB_ROUND_ZERO:
        return floor_of + (a < 0 && rest > 0 ? 1 : 0);
    default:
        return floor_of;
    }
}

lb_num lb_num_divide(lb_steps *s, lb_rounding rounding, lb_num a, lb_num b, lb_site site)
{
    int64_t result = b.v > 0 ? rounded_quotient(rounding, a.v, b.v) : 0;
    return lb_num_done(s, LB_STEP_TDIV, 2, a, b, 0, result, site);
}

lb_num lb_num_container(lb_steps *s, const lb_profile *profile, lb_num v, int bits)
{
    bool wraps = profile->at.value[LB_FEATURE_OUT_OVERFLOW] == LB_OUT_WRAPS;
    v = wraps ? lb_num_wrap(s, v, bits, LB_SITE_WRAPPED_IN_THE_CONTAINER)
              : lb_num_sat(s, v, bits, LB_SITE_IN_THE_CONTAINER);
    if (profile->at.value[LB_FEATURE_LOWEST] != LB_LOWEST_SYMMETRIC)
        return v;
    return lb_num_max(s, v, lb_num_const(-lb_max_of(bits)), LB_SITE_LOWEST_RESULT_SYMMETRIC);
}

/* features.md 4: the high half of acc * mul, mul filling 32 bits; then what is left of the shift.
 */
static lb_num high_multiplied(lb_steps *s, const lb_profile *profile, lb_num acc, lb_num mul,
                              lb_num *shift)
{
    lb_num n = lb_num_sub(s, *shift, lb_num_const(31), 0, LB_SITE_SHIFT_THAT_IS_LEFT);
    if (n.v < 0) {
        acc = shifted_left(s, profile, acc, n, 32);
        n = lb_num_const(0);
    }
    lb_num t = lb_num_mul(s, acc, mul, LB_SITE_ACCUMULATOR_TIMES_MULTIPLIER);
    lb_num high =
        lb_num_rsh(s, lb_first_rounding(profile), t, lb_num_const(31), 64, LB_SITE_ITS_HIGH_HALF);
    *shift = n;
    return lb_num_sat(s, high, 32, LB_SITE_KEPT_WITHIN_ITS_WIDTH);
}

/* numerics.md 5.3 */
lb_num lb_num_multiplied(lb_steps *s, const lb_profile *profile, lb_num acc, lb_num mul,
                         lb_num *shift)
{
    lb_rounding rounding = profile->rounding;
    if (profile->at.value[LB_FEATURE_REQUANTIZE] == LB_REQUANTIZE_HIGH)
        return high_multiplied(s, profile, acc, mul, shift);
    if (profile->at.value[LB_FEATURE_REQUANTIZE] == LB_REQUANTIZE_FLOAT) {
        acc = in_single(s, acc, shift);
        acc = lb_num_mul(s, acc, mul, LB_SITE_ACCUMULATOR_TIMES_MULTIPLIER);
        return in_single(s, acc, shift);
    }
    if (profile->reduced) {
        mul = lb_num_rsh(s, rounding, mul, lb_num_const(16), 32, LB_SITE_MUL_IN_16_BITS);
        lb_num left = lb_num_sub(s, *shift, lb_num_const(16), 0, LB_SITE_SHIFT_THAT_IS_LEFT);
        lb_num over = lb_num_sub(s, left, lb_num_const(21), 0, LB_SITE_SCALE_SHIFT_BEYOND_21);
        lb_num low = lb_num_max(s, over, lb_num_const(0), LB_SITE_SCALE_NOT_NEGATIVE);
        lb_num pre =
            lb_num_min(s, low, lb_num_const(8), LB_SITE_PRE_SHIFT_BEFORE_THE_MULTIPLICATION);
        acc = lb_num_rsh(s, rounding, acc, pre, 32, LB_SITE_ACCUMULATOR_SHIFTED);
        acc = lb_num_sat(s, acc, 16, LB_SITE_ACCUMULATOR_IN_16_BITS);
        *shift = lb_num_sub(s, left, pre, 0, LB_SITE_SHIFT_THAT_IS_LEFT);
    }
    return lb_num_mul(s, acc, mul, LB_SITE_ACCUMULATOR_TIMES_MULTIPLIER);
}

lb_num lb_num_multiplied_down(lb_steps *s, const lb_profile *profile, lb_num product, lb_num shift)
{
    uint8_t past = profile->at.value[LB_FEATURE_RIGHT_SHIFT];
    bool is_high = profile->at.value[LB_FEATURE_REQUANTIZE] == LB_REQUANTIZE_HIGH;
    if (!is_high && shift.v < 0 && profile->at.value[LB_FEATURE_LEFT_SHIFT] != 0)
        return shifted_left(s, profile, product, shift, 64);
    if (!is_high && past == 0)
        shift = lb_num_min(s, shift, lb_num_const(63), LB_SITE_AT_MOST_63);
    return lb_num_rsh(s, profile->rounding, product, lb_num_shift_count(s, profile, shift),
                      is_high ? 32 : 64, LB_SITE_IN_STEPS_OF_THE_OUTPUT);
}

/* numerics.md 5.4 */
lb_num lb_num_recurrent_cast_fx(lb_steps *s, const lb_profile *profile, lb_num acc, lb_num shift,
                                int acc_bits)
{
    return lb_num_down(s, profile, acc, shift, acc_bits == 64 ? 39 : 0, acc_bits,
                       LB_SITE_FX_IN_STEPS_OF_THE_RESULT);
}

lb_num lb_num_recurrent_cast_sa(lb_steps *s, const lb_profile *profile, lb_num acc,
                                lb_num_multiplier multiplier)
{
    if (profile->at.value[LB_FEATURE_REQUANTIZE] == LB_REQUANTIZE_HIGH) {
        lb_num shift = multiplier.shift;
        acc = high_multiplied(s, profile, acc, multiplier.mul, &shift);
        acc = lb_num_multiplied_down(s, profile, acc, shift);
        return lb_num_sat(s, acc, 32, LB_SITE_KEPT_WITHIN_ITS_WIDTH);
    }
    lb_num t = lb_num_mul(s, acc, multiplier.mul, LB_SITE_ACCUMULATOR_TIMES_MULTIPLIER);
    lb_num v =
        lb_num_down(s, profile, t, multiplier.shift, 63, 64, LB_SITE_SA8_IN_STEPS_OF_THE_RESULT);
    return lb_num_sat(s, v, 32, LB_SITE_KEPT_WITHIN_ITS_WIDTH);
}

/* floor(numerator * 2^frac) / scale, truncated; from `never` fractional bits on the container's
 * maximum stands in for it (a QUIRK of numerics.md 6: before the zero point is added). */
static lb_num relu_step(lb_steps *s, const lb_profile *profile, int64_t numerator,
                        lb_num_quant quant, int never, int64_t container_max)
{
    if (quant.frac.v >= never)
        return lb_num_const(container_max);
    lb_num wide = lb_num_shl(s, lb_num_const(numerator), quant.frac, 64,
                             LB_SITE_THE_LIMIT_IN_UNITS_OF_THE_SCALE);
    lb_num_lies(s, wide, 0, (int64_t)6 << 27); /* 6 below 28 fractional bits, 1 below 30 */
    if (profile->at.value[LB_FEATURE_RELU_LIMITS] == LB_RELU_LIMITS_ROUNDED) {
        lb_num half = lb_num_asr(s, quant.scale, lb_num_const(1), 32, LB_SITE_HALF_THE_SCALE);
        wide = lb_num_add(s, wide, half, 64, LB_SITE_WITH_HALF_THE_SCALE);
        return lb_num_tdiv(s, wide, quant.scale, LB_SITE_THE_LIMIT_IN_STEPS_ROUNDED);
    }
    return lb_num_tdiv(s, wide, quant.scale, LB_SITE_THE_LIMIT_IN_STEPS_CUT);
}

/* numerics.md 6 */
lb_num_limits lb_num_relu_limits(lb_steps *s, const lb_profile *profile, int32_t type, int bits,
                                 lb_num_quant quant)
{
    lb_num low = lb_num_const(lb_min_of(bits));
    lb_num high = lb_num_const(lb_max_of(bits));
    lb_num z = quant.zero_point;
    lb_steps_enter(s, LB_PART_RELU_LIMITS, "numerics.md 6");
    if (type < 1 || type > 3)
        return (lb_num_limits){low, high};
    if (type == 1)
        return (lb_num_limits){lb_num_max(s, z, low, LB_SITE_SCALE_LOWEST_RESULT), high};
    lb_num step = type == 3 ? relu_step(s, profile, 6, quant, 28, high.v)
                            : relu_step(s, profile, 1, quant, 30, high.v);
    lb_num bottom =
        type == 3 ? z : lb_num_sub_zero_point(s, z, step, 0, LB_SITE_ZERO_POINT_LESS_THE_LIMIT);
    lb_num top = lb_num_add_zero_point(s, z, step, 0, LB_SITE_ZERO_POINT_AND_THE_LIMIT);
    low = lb_num_max(s, bottom, low, LB_SITE_SCALE_LOWEST_RESULT);
    return (lb_num_limits){low, lb_num_min(s, top, high, LB_SITE_HIGHEST_RESULT)};
}
