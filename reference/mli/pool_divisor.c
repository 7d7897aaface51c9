/* The average of a window as one multiplication and one shift. Spec: pooling_and_movement.md 2.4
 * to 2.6. */
#include "pool_divisor.h"

#include "core/scale_num.h"

/* Bits of v > 0, at most 32. */
static lb_num bit_length(lb_steps *s, lb_num v)
{
    lb_num norm = lb_num_norm(s, v, 64, LB_SITE_ROOM_ABOVE_IT);
    return lb_num_sub(s, lb_num_const(63), norm, 0, LB_SITE_ITS_LENGTH_IN_BITS);
}

/* 1 / n ~ factor * 2^-shift, rounded down; factor has 15 bits (2.4). */
static lb_num_pool_divisor reciprocal(lb_steps *s, const lb_profile *profile, lb_num n)
{
    lb_steps_enter(s, LB_PART_RECIPROCAL, "pooling_and_movement.md 2.4");
    lb_num v = lb_num_tdiv(s, lb_num_const((int64_t)1 << 31), n, LB_SITE_V_2_31_OVER_N);
    lb_num e = lb_num_sub(s, lb_num_const(32), bit_length(s, v), 0, LB_SITE_E_BITS_TO_FILL_32);
    lb_num wide = lb_num_shl(s, v, e, 64, LB_SITE_V_FILLING_32_BITS);
    lb_num_lies(s, wide, (int64_t)1 << 31, UINT32_MAX);
    lb_num factor =
        profile->at.value[LB_FEATURE_AVERAGE] == LB_AVERAGE_ROUNDED
            ? lb_num_min(
                  s, lb_num_rsh(s, LB_ROUND_UP, wide, lb_num_const(17), 64, LB_SITE_15_TOP_BITS),
                  lb_num_const(32767), LB_SITE_MUL_ROUNDED)
            : lb_num_asr(s, wide, lb_num_const(17), 64, LB_SITE_MUL_ITS_15_TOP_BITS);
    lb_num shift = lb_num_add(s, lb_num_const(14), e, 0, LB_SITE_LS_SHIFT_OF_THE_RECIPROCAL);
    return (lb_num_pool_divisor){.factor = factor, .start = lb_num_const(0), .shift = shift};
}

/* 2.5 */
static lb_num_pool_divisor fx_divisor(lb_steps *s, const lb_profile *profile, lb_num_quant in,
                                      lb_num_quant out, lb_num n)
{
    lb_num_pool_divisor d = reciprocal(s, profile, n);
    lb_steps_enter(s, LB_PART_SHIFT, "pooling_and_movement.md 2.5");
    lb_num gain = lb_num_sub(s, in.frac, out.frac, 0, LB_SITE_FRACTIONAL_BITS_TO_GO);
    d.shift = lb_num_add(s, gain, d.shift, 0, LB_SITE_DIVISOR_FX_SHIFT_OF_THE_RESULT);
    return d;
}

/* sa8: bits of the combined multiplier, without its sign (2.6; features.md 5). */
static int pool_multiplier_bits(const lb_profile *profile)
{
    uint8_t bits = profile->at.value[LB_FEATURE_MULTIPLIER_BITS];
    return bits != 0 ? bits : profile->avepool16 ? 15 : 7;
}

/* 2.6. The numbers scale, sh and off there are those of numerics.md 5.1. */
static lb_num_pool_divisor sa8_divisor(lb_steps *s, const lb_profile *profile, lb_num_quant in,
                                       lb_num_quant out, lb_num n)
{
    lb_rounding rounding = lb_scale_rounding(profile);
    int kept = pool_multiplier_bits(profile); /* QUIRK: 7 without the option */
    lb_num_requant r = lb_num_requant_params(s, rounding, in, out);
    lb_num offset = lb_num_requant_offset(s, rounding, r, in, out);
    lb_num_pool_divisor one_nth = reciprocal(s, profile, n);
    lb_steps_enter(s, LB_PART_MULTIPLIER_OF_THE_WINDOW, "pooling_and_movement.md 2.6");
    lb_num p = lb_num_mul(s, r.scale, one_nth.factor, LB_SITE_P_SCALE_TIMES_RECIPROCAL);
    lb_num pn = lb_num_sub(s, bit_length(s, p), lb_num_const(kept), 0, LB_SITE_PN_BITS_THAT_GO);
    lb_num rounded = lb_num_rsh(s, rounding, p, pn, 32,
                                kept == 7    ? LB_SITE_M_P_IN_7_BITS
                                : kept == 15 ? LB_SITE_DIVISOR_M_P_IN_15_BITS
                                             : LB_SITE_M_P_IN_FEWER_BITS);
    lb_num factor = lb_num_sat(s, rounded, kept + 1, LB_SITE_DIVISOR_M);
    lb_num sum = lb_num_add(s, r.shift, one_nth.shift, 0, LB_SITE_SH_PLUS_LS);
    lb_num shift = lb_num_sub(s, sum, pn, 0, LB_SITE_DIVISOR_SA8_SHIFT_OF_THE_RESULT);
    lb_num start = lb_num_shl(s, offset, shift, 32, LB_SITE_ACC0_THE_OFFSET_ALIGNED);
    return (lb_num_pool_divisor){.factor = factor, .start = start, .shift = shift};
}

/* features.md 17: nothing stands for the division but what the formats need. */
static lb_num_pool_divisor division(lb_steps *s, const lb_profile *profile, const lb_call *call,
                                    lb_num_quant in, lb_num_quant out, lb_num n)
{
    lb_num_pool_divisor d = {.divides = true,
                             .factor = lb_num_const(1),
                             .positions = n,
                             .scale = lb_num_const(1),
                             .out_zero_point = out.zero_point,
                             .start = lb_num_const(0)};
    if (!lb_is_sa(call->kernel->in_type)) {
        d.shift = lb_num_sub(s, in.frac, out.frac, 0, LB_SITE_FRACTIONAL_BITS_TO_GO);
        return d;
    }
    lb_num_requant r = lb_num_requant_params(s, lb_scale_rounding(profile), in, out);
    d.scale = r.scale;
    d.shift = r.shift;
    lb_num all = lb_num_mul(s, n, in.zero_point, LB_SITE_ZERO_POINT_OF_ALL_POSITIONS);
    d.start = lb_num_sub(s, lb_num_const(0), all, 0, LB_SITE_TAKEN_OFF_THE_SUM);
    return d;
}

lb_num_pool_divisor lb_num_pool_divisor_of(lb_steps *s, const lb_profile *profile,
                                           const lb_call *call, lb_num n)
{
    lb_num_quant in = lb_num_quant_at(s, call->tensor[LB_ROLE_IN], LB_OWNER_IN, 0);
    lb_num_quant out = lb_num_quant_at(s, call->tensor[LB_ROLE_OUT], LB_OWNER_OUT, 0);
    if (profile->at.value[LB_FEATURE_AVERAGE] == LB_AVERAGE_DIVISION)
        return division(s, profile, call, in, out, n);
    return lb_is_sa(call->kernel->in_type) ? sa8_divisor(s, profile, in, out, n)
                                           : fx_divisor(s, profile, in, out, n);
}

lb_pool_divisor lb_pool_divisor_of(const lb_profile *profile, const lb_call *call, uint32_t n)
{
    lb_num_pool_divisor d = lb_num_pool_divisor_of(NULL, profile, call, lb_num_const(n));
    return (lb_pool_divisor){.factor = d.factor.v, .start = d.start.v, .shift = (int)d.shift.v};
}

lb_operands lb_pool_operands(const lb_profile *profile, uint32_t in_type)
{
    if (in_type == LB_FX16)
        return LB_OPERANDS_16X16;
    return in_type == LB_FX8 || pool_multiplier_bits(profile) > 7 ? LB_OPERANDS_16X8
                                                                  : LB_OPERANDS_8X8;
}
