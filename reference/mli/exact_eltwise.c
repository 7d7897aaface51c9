/* Element-wise add, sub, mul, min, max, to the last bit. Spec: elementwise.md 5.
 * Every element is read before its place is written, so that out may lie on an input. */
#include "core/result.h"
#include "describe/map_cursor.h"
#include "models.h"

/* M * 2^-shift, an approximation of a ratio of scales (sa8). */
typedef lb_num_multiplier factor;

/* What is fixed for a call. */
typedef struct plan {
    lb_op op;
    const lb_profile *profile;
    const lb_result_program *result; /* sa8 */
    bool is_sa;
    int bits;
    lb_num_quant in1;
    lb_num_quant in2;
    lb_num_quant out;
    factor factor1;   /* sa8: of in1 (add, sub), of the product (mul), of both (min, max) */
    factor factor2;   /* sa8: of in2 (add, sub) */
    lb_num pre_shift; /* sa8 mul */
    lb_num left1;     /* fx add, sub: to the format of the sum */
    lb_num left2;
    lb_num shift; /* fx: to the output */
} plan;

/* The same code works on both operands of a sum. */

static const lb_site factor_sites[LB_FACTOR_SITES] = {LB_SITE_REDUNDANT_SIGN_BITS_OF_THE_SCALE,
                                                      LB_SITE_ELTWISE_THE_SCALE_WIDENED,
                                                      LB_SITE_P_RATIO_OF_THE_SCALES,
                                                      LB_SITE_REDUNDANT_SIGN_BITS,
                                                      LB_SITE_BITS_TOO_MANY,
                                                      LB_SITE_ELTWISE_M_P_IN_15_BITS,
                                                      LB_SITE_T_AND_THE_WIDENING,
                                                      LB_SITE_SH_SHIFT_AFTER_M,
                                                      LB_SITE_ELTWISE_ABOVE_THE_HIGHEST_SHIFT,
                                                      LB_SITE_ELTWISE_BELOW_THE_LOWEST_SHIFT,
                                                      LB_SITE_ELTWISE_TOO_HIGH,
                                                      LB_SITE_ELTWISE_TOO_LOW,
                                                      LB_SITE_C_EXCESS_OF_THE_SHIFT,
                                                      LB_SITE_M,
                                                      LB_SITE_ELTWISE_SH};

/* ratio(p, t, hi): p / s_o * 2^-t with a shift in -31..hi. */
static factor ratio(lb_steps *s, const plan *p, lb_numerator numerator, lb_num t, int highest_shift)
{
    return lb_num_factor(s, p->profile, numerator, p->out.scale, t, highest_shift, factor_sites);
}

/* sa8: scale and fractional bits of the product of the inputs, and what goes before the factor. */
static void plan_product(lb_steps *s, plan *p)
{
    lb_num scale = lb_num_mul(s, p->in1.scale, p->in2.scale, LB_SITE_ELTWISE_SCALE_OF_THE_PRODUCT);
    lb_num frac =
        lb_num_add(s, p->in1.frac, p->in2.frac, 0, LB_SITE_ELTWISE_SA8_BITS_OF_THE_PRODUCT);
    lb_num t = lb_num_sub(s, frac, p->out.frac, 0, LB_SITE_T_FRACTIONAL_BITS_TO_GO);
    p->factor1 = ratio(s, p, (lb_numerator){scale, LB_RATIO_OF_PRODUCT}, t, 31);
    lb_num over =
        lb_num_sub(s, p->factor1.shift, lb_num_const(21), 0, LB_SITE_ELTWISE_SHIFT_BEYOND_21);
    lb_num low = lb_num_max(s, over, lb_num_const(0), LB_SITE_ELTWISE_NOT_NEGATIVE);
    p->pre_shift = lb_num_min(s, low, lb_num_const(3), LB_SITE_ELTWISE_PRE_SHIFT_BEFORE_THE_FACTOR);
}

/* fx: shifts to the format of the sum, and from there (or from that of the product, or of both
 * inputs) to the output. It is capped, not made 0, which is a QUIRK of elementwise.md 5. */
static void plan_fx(lb_steps *s, plan *p)
{
    lb_num frac = p->in1.frac;
    if (p->op == LB_OP_ADD || p->op == LB_OP_SUB) {
        frac = lb_num_max(s, p->in1.frac, p->in2.frac, LB_SITE_F_FRACTIONAL_BITS_OF_THE_SUM);
        p->left1 = lb_num_sub(s, frac, p->in1.frac, 0,
                              LB_SITE_ELTWISE_FRACTIONAL_BITS_THAT_THE_FIRST_LACKS);
        p->left2 = lb_num_sub(s, frac, p->in2.frac, 0,
                              LB_SITE_ELTWISE_FRACTIONAL_BITS_THAT_THE_SECOND_LACKS);
    } else if (p->op == LB_OP_MUL) {
        frac = lb_num_add(s, p->in1.frac, p->in2.frac, 0, LB_SITE_ELTWISE_FX_BITS_OF_THE_PRODUCT);
    }
    p->shift = lb_num_sub(s, frac, p->out.frac, 0, LB_SITE_SHIFT_TO_THE_OUTPUT);
}

static plan plan_call(const lb_context *context, const lb_call *call)
{
    lb_steps *s = lb_steps_of(context->steps, LB_ROLE_OUT);
    plan p = {
        .op = call->kernel->op,
        .profile = context->profile,
        .result = lb_result_in(context->result, LB_RESULT_ELTWISE),
        .is_sa = lb_is_sa(call->kernel->in_type),
        .bits = lb_container_bits(call->kernel->in_type),
    };
    lb_steps_enter(s, LB_PART_SCALE_AND_SHIFT, "elementwise.md 5");
    p.in1 = lb_num_quant_at(s, call->tensor[LB_ROLE_IN1], LB_OWNER_IN1, 0);
    p.in2 = lb_num_quant_at(s, call->tensor[LB_ROLE_IN2], LB_OWNER_IN2, 0);
    p.out = lb_num_quant_at(s, call->tensor[LB_ROLE_OUT], LB_OWNER_OUT, 0);
    if (!p.is_sa) {
        plan_fx(s, &p);
        return p;
    }
    if (p.op == LB_OP_MUL) {
        plan_product(s, &p);
        return p;
    }
    lb_steps_term(s, LB_TERM_IN1);
    lb_num t1 = lb_num_sub(s, p.in1.frac, p.out.frac, 0, LB_SITE_T_FRACTIONAL_BITS_TO_GO_FIRST);
    p.factor1 = ratio(s, &p, (lb_numerator){p.in1.scale, LB_RATIO_OF_SCALES}, t1, 23);
    lb_steps_term(s, LB_TERM_IN2);
    lb_num t2 = lb_num_sub(s, p.in2.frac, p.out.frac, 0, LB_SITE_T_FRACTIONAL_BITS_TO_GO_SECOND);
    p.factor2 = ratio(s, &p, (lb_numerator){p.in2.scale, LB_RATIO_OF_SCALES}, t2, 23);
    lb_steps_term(s, LB_TERM_NONE);
    return p;
}

/* The smaller or the larger one. */
static lb_num pick(lb_steps *s, lb_op op, lb_num a, lb_num b)
{
    return op == LB_OP_MIN ? lb_num_min(s, a, b, LB_SITE_THE_SMALLER_ONE)
                           : lb_num_max(s, a, b, LB_SITE_ELTWISE_THE_LARGER_ONE);
}

static lb_num fx_sum(lb_steps *s, const plan *p, lb_num a, lb_num b)
{
    lb_num x = lb_num_shl(s, a, p->left1, 32, LB_SITE_ELTWISE_FIRST_ALIGNED);
    lb_num y = lb_num_shl(s, b, p->left2, 32, LB_SITE_ELTWISE_SECOND_ALIGNED);
    return p->op == LB_OP_ADD ? lb_num_add(s, x, y, 32, LB_SITE_C_SUM)
                              : lb_num_sub(s, x, y, 32, LB_SITE_C_DIFFERENCE);
}

static lb_num fx_output(lb_steps *s, const plan *p, lb_num a, lb_num b)
{
    lb_num c;
    int width = 64, most = 2 * p->bits - 1;
    if (p->op == LB_OP_ADD || p->op == LB_OP_SUB) {
        c = fx_sum(s, p, a, b);
    } else if (p->op == LB_OP_MUL) {
        c = lb_num_mul(s, a, b, LB_SITE_ELTWISE_FX_PRODUCT);
    } else {
        c = pick(s, p->op, a, b);
        width = p->bits;
        most = p->bits - 1;
    }
    lb_num y = lb_num_down(s, p->profile, c, p->shift, most, width,
                           LB_SITE_ELTWISE_FX_IN_STEPS_OF_THE_OUTPUT);
    return lb_num_container(s, p->profile, y, p->bits);
}

/* v * factor, in 32 bits. */
static lb_num scaled(lb_steps *s, const plan *p, lb_num v, factor f, lb_num shift)
{
    lb_num product = lb_num_mul(s, v, f.mul, LB_SITE_ELTWISE_TIMES_M);
    return lb_num_scaled_down(s, p->profile, product, shift, 0, LB_SITE_IN_STEPS_OF_THE_OUTPUT);
}

static lb_num sa_product(lb_steps *s, const plan *p, lb_num u, lb_num v)
{
    lb_num product = lb_num_mul(s, u, v, LB_SITE_ELTWISE_SA8_PRODUCT);
    lb_num shifted = lb_num_rsh(s, lb_inner_rounding(p->profile), product, p->pre_shift, 32,
                                LB_SITE_ELTWISE_PRODUCT_SHIFTED);
    lb_num kept = lb_num_sat(s, shifted, 16, LB_SITE_KEPT_WITHIN_ITS_WIDTH);
    lb_num rest = lb_num_sub(s, p->factor1.shift, p->pre_shift, 0, LB_SITE_SHIFT_THAT_IS_LEFT);
    return scaled(s, p, kept, p->factor1, rest);
}

static lb_num sa_pick(lb_steps *s, const plan *p, lb_num u, lb_num v)
{
    lb_num first = lb_num_mul(s, u, p->factor1.mul, LB_SITE_FIRST_TIMES_M);
    lb_num second = lb_num_mul(s, v, p->factor1.mul, LB_SITE_SECOND_TIMES_M);
    lb_num picked = pick(s, p->op, first, second);
    return lb_num_scaled_down(s, p->profile, picked, p->factor1.shift, 0,
                              LB_SITE_ELTWISE_PICK_IN_STEPS_OF_THE_OUTPUT);
}

static lb_num sa_sum(lb_steps *s, const plan *p, lb_num u, lb_num v)
{
    if (p->profile->at.value[LB_FEATURE_SUM] == LB_SUM_ONE_ROUNDING) {
        return lb_num_sum_at_once(
            s, p->profile, (lb_num_scaled){u, p->factor1.mul, p->factor1.shift},
            (lb_num_scaled){v, p->factor2.mul, p->factor2.shift}, p->op == LB_OP_SUB);
    }
    lb_steps_term(s, LB_TERM_IN1);
    lb_num first = scaled(s, p, u, p->factor1, p->factor1.shift);
    lb_steps_term(s, LB_TERM_IN2);
    lb_num second = scaled(s, p, v, p->factor2, p->factor2.shift);
    lb_steps_term(s, LB_TERM_NONE);
    return p->op == LB_OP_ADD ? lb_num_add(s, first, second, 32, LB_SITE_W_SUM)
                              : lb_num_sub(s, first, second, 32, LB_SITE_W_DIFFERENCE);
}

static lb_num sa_output(lb_steps *s, const plan *p, lb_num a, lb_num b)
{
    lb_num u =
        lb_num_sub_zero_point(s, a, p->in1.zero_point, 0, LB_SITE_U_FIRST_WITHOUT_ITS_ZERO_POINT);
    lb_num v =
        lb_num_sub_zero_point(s, b, p->in2.zero_point, 0, LB_SITE_V_SECOND_WITHOUT_ITS_ZERO_POINT);
    lb_num w;
    if (p->op == LB_OP_ADD || p->op == LB_OP_SUB)
        w = sa_sum(s, p, u, v);
    else
        w = p->op == LB_OP_MUL ? sa_product(s, p, u, v) : sa_pick(s, p, u, v);
    return lb_result_of(p->result, p->profile, w, p->out.zero_point, 8, s);
}

void lb_exact_eltwise(const lb_context *context, lb_call *call)
{
    plan p = plan_call(context, call);
    lb_map_cursor e;
    for (bool more = lb_cursor_first(&e, context, call); more; more = lb_cursor_next(&e)) {
        lb_steps *s = lb_cursor_steps(&e, context->steps);
        lb_steps_enter(s, LB_PART_REQUANTIZE, "elementwise.md 5");
        lb_num a = lb_cursor_load(&e, LB_MAP_X, LB_NAMED(IN1), s);
        lb_num b = lb_cursor_load(&e, LB_MAP_W, LB_NAMED(IN2), s);
        lb_cursor_store(&e, s, p.is_sa ? sa_output(s, &p, a, b) : fx_output(s, &p, a, b));
    }
}
