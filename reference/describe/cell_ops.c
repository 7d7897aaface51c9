/* Elementwise steps of the recurrent cells. Spec: recurrent.md 6, 8; names follow the formulas
 * there. */
#include "cell_ops.h"

#include "activation.h"
#include "core/result.h"

static const lb_cell_place nobody;

typedef lb_num_multiplier factor;

static const lb_site factor_sites[LB_FACTOR_SITES] = {LB_SITE_N_REDUNDANT_SIGN_BITS,
                                                      LB_SITE_CELL_THE_SCALE_WIDENED,
                                                      LB_SITE_CELL_Q_RATIO_OF_THE_SCALES,
                                                      LB_SITE_REDUNDANT_SIGN_BITS_OF_Q,
                                                      LB_SITE_CELL_K_BITS_THAT_GO,
                                                      LB_SITE_M_Q_IN_15_BITS,
                                                      LB_SITE_SHIFT_AND_N,
                                                      LB_SITE_SHIFT_OF_THE_PRODUCT,
                                                      LB_SITE_CELL_ABOVE_THE_HIGHEST_SHIFT,
                                                      LB_SITE_CELL_BELOW_THE_LOWEST_SHIFT,
                                                      LB_SITE_CELL_TOO_HIGH,
                                                      LB_SITE_CELL_TOO_LOW,
                                                      LB_SITE_E_EXCESS_OF_THE_SHIFT,
                                                      LB_SITE_CELL_M,
                                                      LB_SITE_CELL_SHIFT};

/* The listener, with the heading of the step. */
static lb_steps *enter(const lb_cell_place *place, bool wanted)
{
    if (!wanted)
        return NULL;
    lb_steps_enter(place->steps, place->part, place->section);
    return place->steps;
}

/* Of one scale, or of that of a gate too, which is 1. */
static factor factor_of(lb_steps *s, const lb_profile *profile, lb_num numerator, bool is_of_out,
                        lb_num scale_out, lb_num shift, int highest)
{
    return lb_num_factor(
        s, profile, (lb_numerator){numerator, is_of_out ? LB_RATIO_OF_ONE : LB_RATIO_OF_SCALES},
        scale_out, shift, highest, factor_sites);
}

static lb_num in_container(lb_steps *s, const lb_context *context, lb_num v, lb_num zero_point)
{
    return lb_result_of(lb_result_in(context->result, LB_RESULT_CELL), context->profile, v,
                        zero_point, 8, s);
}

static lb_num mul_fx(lb_steps *s, const lb_profile *profile, lb_num product, lb_num shift)
{
    /* QUIRK: an fx shift above 31 acts as 31 */
    lb_num y = lb_num_down(s, profile, product, shift, 31, 64, LB_SITE_FX_IN_STEPS_OF_THE_RESULT);
    return lb_num_container(s, profile, y, 16);
}

static lb_num mul_sa8(lb_steps *s, const lb_context *context, lb_num product, factor f,
                      lb_num zero_point)
{
    const lb_profile *profile = context->profile;
    lb_num over = lb_num_sub(s, f.shift, lb_num_const(21), 0, LB_SITE_CELL_SHIFT_BEYOND_21);
    lb_num low = lb_num_max(s, over, lb_num_const(0), LB_SITE_CELL_PRE_NOT_NEGATIVE);
    lb_num pre = lb_num_min(s, low, lb_num_const(3), LB_SITE_CELL_PRE_SHIFT_BEFORE_THE_FACTOR);
    lb_num v =
        lb_num_rsh(s, lb_inner_rounding(profile), product, pre, 32, LB_SITE_CELL_PRODUCT_SHIFTED);
    v = lb_num_sat(s, v, 16, LB_SITE_KEPT_WITHIN_ITS_WIDTH);
    v = lb_num_mul(s, v, f.mul, LB_SITE_CELL_TIMES_M);
    lb_num rest = lb_num_sub(s, f.shift, pre, 0, LB_SITE_SHIFT_THAT_IS_LEFT);
    v = lb_num_scaled_down(s, profile, v, rest, 0, LB_SITE_SA8_IN_STEPS_OF_THE_RESULT);
    return in_container(s, context, v, zero_point);
}

void lb_cell_mul(const lb_context *context, const lb_tensor *a, const lb_tensor *b, lb_tensor *out,
                 const lb_cell_place *place)
{
    const lb_profile *profile = context->profile;
    place = place ? place : &nobody;
    lb_steps *s = enter(place, true);
    lb_num_quant qa = lb_num_quant_known(s, a, place->a.owner, place->of_a);
    lb_num_quant qb = lb_num_quant_known(s, b, place->b.owner, place->of_b);
    lb_num_quant qo = lb_num_quant_known(s, out, place->out, place->of_out);
    lb_num frac = lb_num_add(s, qa.frac, qb.frac, 0, LB_SITE_CELL_FRACTIONAL_BITS_OF_THE_PRODUCT);
    lb_num shift = lb_num_sub(s, frac, qo.frac, 0, LB_SITE_SHIFT_TO_THE_RESULT);
    bool is_fx = lb_is_fx(out->el_type);
    const int64_t of_gate = lb_activation_format(LB_ACTIVATION_SIGM, out->el_type).frac;
    if (place->keeps_format)
        lb_num_lies(s, shift, of_gate, of_gate);
    factor f = {{0}, {0}};
    if (!is_fx) {
        lb_num scale = lb_num_mul(s, qa.scale, qb.scale, LB_SITE_CELL_SCALE_OF_THE_PRODUCT);
        f = factor_of(s, profile, scale, place->keeps_format, qo.scale, shift, 31);
    }
    for (uint32_t i = 0; i < out->shape[0]; i++) {
        s = enter(place, lb_steps_wants(place->unit, i));
        lb_num u = lb_num_sub_zero_point(s, lb_num_at(s, a, place->a, &i), qa.zero_point, 0,
                                         LB_SITE_FIRST_WITHOUT_ITS_ZERO_POINT);
        lb_num v = lb_num_sub_zero_point(s, lb_num_at(s, b, place->b, &i), qb.zero_point, 0,
                                         LB_SITE_SECOND_WITHOUT_ITS_ZERO_POINT);
        lb_num product = lb_num_mul(s, u, v, LB_SITE_CELL_PRODUCT);
        lb_num_store(s, out, i,
                     is_fx ? mul_fx(s, profile, product, shift)
                           : mul_sa8(s, context, product, f, qo.zero_point));
    }
}

static lb_num add_fx(lb_steps *s, const lb_profile *profile, lb_num a, lb_num frac_a, lb_num b,
                     lb_num frac_b, lb_num frac_out)
{
    lb_num a_lacks =
        lb_num_sub(s, frac_b, frac_a, 0, LB_SITE_CELL_FRACTIONAL_BITS_THAT_THE_FIRST_LACKS);
    lb_num b_lacks =
        lb_num_sub(s, frac_a, frac_b, 0, LB_SITE_CELL_FRACTIONAL_BITS_THAT_THE_SECOND_LACKS);
    lb_num a_left = lb_num_max(s, a_lacks, lb_num_const(0), LB_SITE_CELL_LACK_NOT_NEGATIVE);
    lb_num b_left = lb_num_max(s, b_lacks, lb_num_const(0), LB_SITE_CELL_LACK_NOT_NEGATIVE);
    lb_num u = lb_num_shl(s, a, a_left, 32, LB_SITE_U_FIRST_ALIGNED);
    lb_num v = lb_num_shl(s, b, b_left, 32, LB_SITE_V_SECOND_ALIGNED);
    lb_num frac = lb_num_max(s, frac_a, frac_b, LB_SITE_FRACTIONAL_BITS_OF_THE_SUM);
    lb_num shift = lb_num_sub(s, frac, frac_out, 0, LB_SITE_SHIFT_TO_THE_RESULT);
    lb_num sum = lb_num_add(s, u, v, 32, LB_SITE_CELL_FX_SUM);
    lb_num y = lb_num_down(s, profile, sum, shift, 31, 64, LB_SITE_FX_IN_STEPS_OF_THE_RESULT);
    return lb_num_container(s, profile, y, 16);
}

/* One operand of a sum of sa8: in steps of the output, rounded by itself. */
static lb_num scaled(lb_steps *s, const lb_profile *profile, lb_num v, factor f)
{
    lb_num product = lb_num_mul(s, v, f.mul, LB_SITE_CELL_TIMES_M);
    return lb_num_scaled_down(s, profile, product, f.shift, 0, LB_SITE_SA8_IN_STEPS_OF_THE_RESULT);
}

void lb_cell_add(const lb_context *context, const lb_tensor *a, const lb_tensor *b, lb_tensor *out,
                 const lb_cell_place *place)
{
    const lb_profile *profile = context->profile;
    place = place ? place : &nobody;
    lb_steps *s = enter(place, true);
    lb_num_quant qa = lb_num_quant_known(s, a, place->a.owner, place->of_a);
    lb_num_quant qb = lb_num_quant_known(s, b, place->b.owner, place->of_b);
    lb_num_quant qo = lb_num_quant_known(s, out, place->out, place->of_out);
    bool is_fx = lb_is_fx(out->el_type);
    factor fa = {{0}, {0}};
    factor fb = {{0}, {0}};
    if (!is_fx) {
        lb_num shift_a = lb_num_sub(s, qa.frac, qo.frac, 0, LB_SITE_FRACTIONAL_BITS_TO_GO_FIRST);
        lb_num shift_b = lb_num_sub(s, qb.frac, qo.frac, 0, LB_SITE_FRACTIONAL_BITS_TO_GO_SECOND);
        if (place->keeps_format)
            lb_num_lies(s, shift_a, 0, 0);
        fa = factor_of(s, profile, qa.scale, place->keeps_format, qo.scale, shift_a, 23);
        fb = factor_of(s, profile, qb.scale, false, qo.scale, shift_b, 23);
    }
    for (uint32_t i = 0; i < out->shape[0]; i++) {
        s = enter(place, lb_steps_wants(place->unit, i));
        lb_num u = lb_num_sub_zero_point(s, lb_num_at(s, a, place->a, &i), qa.zero_point, 0,
                                         LB_SITE_FIRST_WITHOUT_ITS_ZERO_POINT);
        lb_num v = lb_num_sub_zero_point(s, lb_num_at(s, b, place->b, &i), qb.zero_point, 0,
                                         LB_SITE_SECOND_WITHOUT_ITS_ZERO_POINT);
        if (is_fx) {
            lb_num_store(s, out, i, add_fx(s, profile, u, qa.frac, v, qb.frac, qo.frac));
            continue;
        }
        if (profile->at.value[LB_FEATURE_SUM] == LB_SUM_ONE_ROUNDING) {
            lb_num once = lb_num_sum_at_once(s, profile, (lb_num_scaled){u, fa.mul, fa.shift},
                                             (lb_num_scaled){v, fb.mul, fb.shift}, false);
            lb_num_store(s, out, i, in_container(s, context, once, qo.zero_point));
            continue;
        }
        /* each operand is rounded to a step of the output by itself */
        lb_num first = scaled(s, profile, u, fa);
        lb_num second = scaled(s, profile, v, fb);
        lb_num y = lb_num_add(s, first, second, 32, LB_SITE_SA8_SUM);
        lb_num_store(s, out, i, in_container(s, context, y, qo.zero_point));
    }
}

void lb_cell_complement(lb_tensor *v, const lb_cell_place *place)
{
    bool is_fx = lb_is_fx(v->el_type);
    place = place ? place : &nobody;
    for (uint32_t i = 0; i < v->shape[0]; i++) {
        lb_steps *s = enter(place, lb_steps_wants(place->unit, i));
        lb_num x = lb_num_at(s, v, place->a, &i);
        /* sa8: the "one" is 255/256 */
        lb_num y = lb_num_sub(s, lb_num_const(is_fx ? 32767 : -1), x, 0, LB_SITE_ONE_LESS_THE_GATE);
        lb_num_store(s, v, i, is_fx ? lb_num_sat(s, y, 16, LB_SITE_IN_THE_CONTAINER) : y);
    }
}
