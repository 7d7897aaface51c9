/* relu, leaky_relu and prelu, to the last bit. Spec: elementwise.md 3, 4.
 * Every element is read before its place is written, so that out may lie on in. */
#include "core/result.h"
#include "describe/map_cursor.h"
#include "forms.h"
#include "models.h"

void lb_exact_relu(const lb_context *context, lb_call *call)
{
    lb_steps *steps = lb_steps_of(context->steps, LB_ROLE_OUT);
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    lb_num_limits limits = lb_num_relu_limits(steps, context->profile, call->config.relu,
                                              lb_container_bits(in->el_type),
                                              lb_num_quant_at(steps, in, LB_OWNER_IN, 0));
    limits.low = lb_num_lowest(steps, context->profile, limits.low, lb_container_bits(in->el_type));
    lb_steps_enter(steps, LB_PART_RELU, "elementwise.md 3");
    lb_map_cursor e;
    for (bool more = lb_cursor_first(&e, context, call); more; more = lb_cursor_next(&e)) {
        lb_steps *s = lb_cursor_steps(&e, steps);
        lb_num x = lb_cursor_load(&e, LB_MAP_X, LB_NAMED(IN), s);
        lb_cursor_store(&e, s, lb_num_clamp(s, x, limits));
    }
    out->frac_bits = in->frac_bits; /* the whole union of element parameters (elementwise.md 10) */
    out->sa = in->sa;
}

/* One branch of the function: (x - zero point) * factor * 2^-shift. */
typedef struct line {
    lb_num factor;
    lb_num shift;
} line;

/* What is fixed for a call, and for one value of the slope. */
typedef struct slope_plan {
    const lb_profile *profile;
    const lb_result_program *result; /* sa8 */
    bool is_sa;
    int bits;
    lb_num_quant in, slope, out;
    line positive; /* sa8 */
    line negative;
} slope_plan;

/* fx: x >= 0 is x itself. `normalized`: only where the slope is one scalar of fx16 (a QUIRK of
 * elementwise.md 4). */
static line fx_negative(const slope_plan *plan, lb_steps *s, lb_num slope, bool normalized)
{
    lb_num frac = lb_num_add(s, plan->in.frac, plan->slope.frac, 0,
                             LB_SITE_RELU_FRACTIONAL_BITS_OF_THE_PRODUCT);
    lb_num shift = lb_num_sub(s, frac, plan->out.frac, 0, LB_SITE_SH_SHIFT_OF_THE_PRODUCT);
    if (normalized) {
        lb_num n = lb_num_norm(s, slope, 16, LB_SITE_N_REDUNDANT_SIGN_BITS_OF_THE_SLOPE);
        slope = lb_num_shl(s, slope, n, 16, LB_SITE_SLOPE_FILLING_16_BITS);
        shift = lb_num_add(s, shift, n, 0, LB_SITE_RELU_SH);
    }
    return (line){slope, shift};
}

/* sa8: the factor from in to out, (M, h) of elementwise.md 4. */
static line sa_positive(const slope_plan *plan, lb_steps *s)
{
    lb_num_requant r =
        lb_num_requant_params(s, lb_scale_rounding(plan->profile), plan->in, plan->out);
    if (r.shift.v < 0) {
        lb_num left = lb_num_sub(s, lb_num_const(0), r.shift, 0, LB_SITE_SHIFT_TO_THE_LEFT);
        return (line){lb_num_shl(s, r.scale, left, 16, LB_SITE_M_H_0), lb_num_const(0)};
    }
    return (line){r.scale, r.shift};
}

/* sa8: that factor times the slope, (P, g). */
static line sa_negative(const slope_plan *plan, lb_steps *s, lb_num slope)
{
    lb_num e1;
    lb_num e2;
    lb_num d = lb_num_sub_zero_point(s, slope, plan->slope.zero_point, 0,
                                     LB_SITE_SLOPE_WITHOUT_ITS_ZERO_POINT);
    lb_num scaled = lb_num_mul(s, d, plan->slope.scale, LB_SITE_TIMES_ITS_SCALE);
    lb_num mantissa = lb_num_norm_cast(s, lb_scale_rounding(plan->profile), scaled, 16, &e1,
                                       LB_SITE_A_SLOPE_IN_16_BITS);
    lb_num wide = lb_num_mul(s, plan->positive.factor, mantissa, LB_SITE_M_TIMES_A);
    lb_num product = lb_num_norm_cast(s, lb_scale_rounding(plan->profile), wide, 16, &e2,
                                      LB_SITE_P_M_TIMES_A_IN_16_BITS);
    lb_num frac = lb_num_add(s, plan->positive.shift, plan->slope.frac, 0, LB_SITE_H_PLUS_F_A);
    lb_num less = lb_num_sub(s, frac, e1, 0, LB_SITE_H_PLUS_F_A_LESS_E1);
    return (line){product, lb_num_sub(s, less, e2, 0, LB_SITE_G_SHIFT_OF_P)};
}

static slope_plan plan_call(const lb_context *context, const lb_call *call)
{
    lb_steps *s = lb_steps_of(context->steps, LB_ROLE_OUT);
    slope_plan plan = {
        .profile = context->profile,
        .result = lb_result_in(context->result, LB_RESULT_SLOPE),
        .is_sa = lb_is_sa(call->kernel->in_type),
        .bits = lb_container_bits(call->kernel->in_type),
    };
    plan.in = lb_num_quant_at(s, call->tensor[LB_ROLE_IN], LB_OWNER_IN, 0);
    plan.slope = lb_num_quant_at(s, call->tensor[LB_ROLE_SLOPE], LB_OWNER_SLOPE, 0);
    plan.out = lb_num_quant_at(s, call->tensor[LB_ROLE_OUT], LB_OWNER_OUT, 0);
    if (plan.is_sa)
        plan.positive = sa_positive(&plan, s);
    return plan;
}

/* `s`: who listens to an element with this slope. */
static void plan_slope(slope_plan *plan, lb_num slope, bool normalized, lb_steps *s)
{
    lb_steps_enter(s, LB_PART_SLOPE, "elementwise.md 4");
    plan->negative = plan->is_sa ? sa_negative(plan, s, slope)
                                 : fx_negative(plan, s, slope, normalized && plan->bits == 16);
}

static lb_num fx_output(const slope_plan *plan, lb_steps *s, lb_num x)
{
    if (x.v >= 0)
        return lb_num_copy(s, x, LB_SITE_X_AT_OR_ABOVE_ZERO_ITSELF);
    lb_num product = lb_num_mul(s, x, plan->negative.factor, LB_SITE_X_BELOW_ZERO_TIMES_THE_SLOPE);
    lb_num y = lb_num_down(s, plan->profile, product, plan->negative.shift, 31, 32,
                           LB_SITE_SLOPE_FX_IN_STEPS_OF_THE_OUTPUT);
    return lb_num_container(s, plan->profile, y, plan->bits);
}

static lb_num slope_output(const slope_plan *plan, lb_steps *s, lb_num x)
{
    lb_steps_enter(s, LB_PART_REQUANTIZE, "elementwise.md 4");
    if (!plan->is_sa)
        return fx_output(plan, s, x);
    lb_num d =
        lb_num_sub_zero_point(s, x, plan->in.zero_point, 0, LB_SITE_X_WITHOUT_ITS_ZERO_POINT);
    const line *branch = d.v >= 0 ? &plan->positive : &plan->negative;
    lb_num product =
        lb_num_mul(s, branch->factor, d,
                   d.v >= 0 ? LB_SITE_AT_OR_ABOVE_ZERO_TIMES_M : LB_SITE_BELOW_ZERO_TIMES_P);
    lb_steps_term(s, d.v >= 0 ? LB_TERM_POSITIVE : LB_TERM_NEGATIVE);
    lb_num y = lb_num_scaled_down(s, plan->profile, product, branch->shift, 0,
                                  LB_SITE_SLOPE_SA8_IN_STEPS_OF_THE_OUTPUT);
    lb_steps_term(s, LB_TERM_NONE);
    return lb_result_of(plan->result, plan->profile, y, plan->out.zero_point, 8, s);
}

/* For each slope the elements that it belongs to. */
static void apply_slopes(const lb_context *context, lb_call *call, bool scalar_slope)
{
    slope_plan plan = plan_call(context, call);
    const bool normalized = context->form == LB_SLOPE_EACH_NORMALIZED ||
                            (scalar_slope && context->form != LB_SLOPE_NONE_NORMALIZED);
    lb_map_cursor e;
    for (bool more = lb_cursor_first(&e, context, call); more; more = lb_cursor_next(&e)) {
        lb_steps *listener = lb_cursor_steps_of_sum(&e, context->steps);
        lb_num slope = lb_cursor_load(&e, LB_MAP_W, LB_NAMED(SLOPE), listener);
        plan_slope(&plan, slope, normalized, listener);
        do {
            lb_steps *s = lb_cursor_steps(&e, listener);
            lb_num x = lb_cursor_load(&e, LB_MAP_X, LB_NAMED(IN), s);
            lb_cursor_store(&e, s, slope_output(&plan, s, x));
        } while (lb_cursor_next_in_sum(&e));
    }
}

static size_t elements_from(const lb_tensor *t, uint32_t dim)
{
    size_t count = 1;
    for (; dim < t->rank; dim++)
        count *= t->shape[dim];
    return count;
}

/* Slopes by the number of the element, the same for a block of them. */
static void apply_slopes_by_number(const lb_context *context, lb_call *call)
{
    slope_plan plan = plan_call(context, call);
    const lb_tensor *in = call->tensor[LB_ROLE_IN], *slope = call->tensor[LB_ROLE_SLOPE];
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    const uint32_t axis = (uint32_t)call->config.axis;
    const size_t count = lb_element_count(in), slopes = lb_element_count(slope),
                 block = context->form == LB_SLOPE_OF_ONE         ? 1
                         : context->form == LB_SLOPE_WITHOUT_NEXT ? elements_from(in, axis + 2)
                                                                  : elements_from(in, axis);
    for (size_t i = 0; i < count; i++) {
        plan_slope(&plan, lb_num_const(lb_load(slope, i / block % slopes)), false, NULL);
        lb_num x = lb_num_const(lb_load(in, lb_offset_of_flat(in, i)));
        lb_num_store(NULL, out, lb_offset_of_flat(out, i), slope_output(&plan, NULL, x));
    }
}

void lb_exact_leaky_relu(const lb_context *context, lb_call *call)
{
    apply_slopes(context, call, true);
}

void lb_exact_prelu(const lb_context *context, lb_call *call)
{
    const bool by_number = context->form != 0 && context->form <= LB_SLOPE_WITH_AXIS;
    if (by_number && call->config.axis >= 0)
        apply_slopes_by_number(context, call);
    else
        apply_slopes(context, call, call->config.axis < 0);
}
