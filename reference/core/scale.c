/* Scale arithmetic on plain integers. The formulas stand in scale_num.c; nobody listens to them
 * here. */
#include "scale.h"

#include "result.h"

/* A profile of which the rounding alone matters. */
static lb_profile rounds(lb_rounding rounding)
{
    return (lb_profile){.rounding = rounding};
}

static lb_num_multiplier multiplier_of(lb_multiplier multiplier)
{
    return (lb_num_multiplier){lb_num_const(multiplier.mul), lb_num_const(multiplier.shift)};
}

lb_requant lb_requant_params(lb_rounding rounding, lb_quant from, lb_quant to)
{
    lb_num_quant a = lb_num_quant_const(from);
    lb_num_quant b = lb_num_quant_const(to);
    lb_num_requant r = lb_num_requant_params(NULL, rounding, a, b);
    lb_num offset = lb_num_requant_offset(NULL, rounding, r, a, b);
    return (lb_requant){(int32_t)r.scale.v, (int32_t)r.shift.v, (int32_t)offset.v};
}

lb_ratio lb_output_ratio(lb_rounding rounding, lb_quant in, lb_quant out)
{
    lb_profile profile = rounds(rounding);
    lb_num_ratio r =
        lb_num_output_ratio(NULL, &profile, lb_num_quant_const(in), lb_num_quant_const(out));
    return (lb_ratio){(int32_t)r.ratio.v, (int32_t)r.base.v};
}

lb_multiplier lb_output_multiplier(const lb_profile *profile, lb_ratio ratio, lb_quant weights)
{
    lb_num_ratio r = {.ratio = lb_num_const(ratio.ratio), .base = lb_num_const(ratio.base)};
    lb_num_multiplier m = lb_num_output_multiplier(NULL, profile, r, lb_num_quant_const(weights));
    return (lb_multiplier){m.mul.v, (int32_t)m.shift.v};
}

int64_t lb_bias_fx(lb_rounding rounding, lb_operands operands, int32_t bias, int bias_shift)
{
    return lb_num_bias_fx(NULL, rounding, operands, lb_num_const(bias), lb_num_const(bias_shift)).v;
}

int64_t lb_bias_sa(const lb_profile *profile, int32_t bias)
{
    return lb_num_bias_sa(NULL, profile, lb_num_const(bias)).v;
}

int64_t lb_result_cast(const lb_profile *profile, int64_t acc, lb_multiplier multiplier,
                       int32_t zero_point)
{
    lb_num_multiplier m = multiplier_of(multiplier);
    lb_result_program program = lb_results[LB_RESULT_WEIGHTED_SA8];
    lb_result_leave_out(&program, lb_result_find(&program, LB_RESULT_ADD_BIAS));
    lb_result_leave_out(&program, lb_result_find(&program, LB_RESULT_NARROW));
    lb_result_leave_out(&program, lb_result_find(&program, LB_RESULT_LIMIT));
    lb_result_call call = {.profile = profile, .zero_point = lb_num_const(zero_point)};
    lb_result_number number = {.sum = lb_num_const(acc), .multiplier = &m};
    return lb_result_run(&program, &call, &number, NULL).v;
}

int64_t lb_recurrent_cast_fx(lb_rounding rounding, int64_t acc, int shift, int acc_bits)
{
    lb_profile profile = rounds(rounding);
    return lb_num_recurrent_cast_fx(NULL, &profile, lb_num_const(acc), lb_num_const(shift),
                                    acc_bits)
        .v;
}

int64_t lb_recurrent_cast_sa(lb_rounding rounding, int64_t acc, lb_multiplier multiplier)
{
    lb_profile profile = rounds(rounding);
    return lb_num_recurrent_cast_sa(NULL, &profile, lb_num_const(acc), multiplier_of(multiplier)).v;
}

/* numerics.md 5.5 */
int64_t lb_sa8_to_fx(lb_rounding rounding, int32_t x, int32_t zero_point, int32_t scale, int shift,
                     int dst_bits)
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
    lb_profile profile = rounds(rounding);
    return lb_num_fx_to_sa8(NULL, &profile, lb_num_const(x), lb_num_const(shift),
                            lb_num_const(zero_point))
        .v;
}

/* numerics.md 5.6 */
bool lb_bias_scale_fits(lb_rounding rounding, lb_quant in, lb_quant weights, lb_quant bias)
{
    int64_t e = (int64_t)in.scale * weights.scale;
    int d = in.frac + weights.frac - bias.frac;
    e = d > 0 ? lb_rsh(rounding, e, d, 32) : lb_shl(e, -d, 64);
    return lb_abs(lb_sub(e, bias.scale, 64), 64) <= 1;
}

lb_limits lb_relu_limits(int32_t type, int bits, lb_quant quant)
{
    lb_num_limits l =
        lb_num_relu_limits(NULL, &lb_profiles[0], type, bits, lb_num_quant_const(quant));
    return (lb_limits){l.low.v, l.high.v};
}
