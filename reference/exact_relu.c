/* relu, leaky_relu and prelu, to the last bit. Spec: elementwise.md 3, 4.
 * Every element is read before its place is written, so that out may lie on in. */
#include "models.h"
#include "scale.h"

static int least(int a, int b)
{
    return a < b ? a : b;
}

void lb_exact_relu(const lb_context *context, lb_call *call)
{
    (void)context; /* nothing is rounded */
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    lb_limits limits = lb_relu_limits(call->config.relu, lb_container_bits(in->el_type), lb_quant_at(in, 0));
    size_t count = lb_element_count(in);
    for (size_t flat = 0; flat < count; flat++) {
        int64_t x = lb_load(in, lb_offset_of_flat(in, flat));
        lb_store(out, lb_offset_of_flat(out, flat), lb_clamp(x, limits));
    }
    out->frac_bits = in->frac_bits; /* the whole union of element parameters (elementwise.md 10) */
    out->sa = in->sa;
}

/* One branch of the function: (x - zero point) * factor * 2^-shift. */
typedef struct line {
    int64_t factor;
    int shift;
} line;

/* What is fixed for one value of the slope. */
typedef struct slope_plan {
    lb_rounding rounding;
    bool is_sa;
    int bits;
    int32_t in_zero_point;
    int32_t out_zero_point;
    line positive; /* sa8 */
    line negative;
} slope_plan;

/* fx: x >= 0 is x itself. `normalized`: only where the slope is one scalar of fx16 (a QUIRK of elementwise.md 4). */
static line fx_negative(const lb_call *call, int64_t slope, bool normalized)
{
    int shift = lb_quant_at(call->tensor[LB_ROLE_IN], 0).frac + lb_quant_at(call->tensor[LB_ROLE_SLOPE], 0).frac -
                lb_quant_at(call->tensor[LB_ROLE_OUT], 0).frac;
    int n = normalized ? lb_norm(slope, 16) : 0;
    return (line){lb_shl(slope, n, 16), least(shift + n, 31)};
}

/* sa8: the factor from in to out, (M, h) of elementwise.md 4. */
static line sa_positive(lb_rounding rounding, const lb_call *call)
{
    lb_requant r = lb_requant_params(rounding, lb_quant_at(call->tensor[LB_ROLE_IN], 0),
                                     lb_quant_at(call->tensor[LB_ROLE_OUT], 0));
    if (r.shift < 0) {
        return (line){lb_shl(r.scale, -r.shift, 16), 0};
    }
    return (line){r.scale, r.shift};
}

/* sa8: that factor times the slope, (P, g). */
static line sa_negative(lb_rounding rounding, const lb_call *call, line positive, int64_t slope)
{
    lb_quant a = lb_quant_at(call->tensor[LB_ROLE_SLOPE], 0);
    int e1;
    int e2;
    int64_t mantissa = lb_norm_cast(rounding, (slope - a.zero_point) * a.scale, 16, &e1);
    int64_t product = lb_norm_cast(rounding, positive.factor * mantissa, 16, &e2);
    return (line){product, positive.shift + a.frac - e1 - e2};
}

static slope_plan plan_call(const lb_context *context, const lb_call *call)
{
    slope_plan plan = {
        .rounding = context->profile->rounding,
        .is_sa = lb_is_sa(call->kernel->in_type),
        .bits = lb_container_bits(call->kernel->in_type),
        .in_zero_point = lb_quant_at(call->tensor[LB_ROLE_IN], 0).zero_point,
        .out_zero_point = lb_quant_at(call->tensor[LB_ROLE_OUT], 0).zero_point,
    };
    if (plan.is_sa) {
        plan.positive = sa_positive(plan.rounding, call);
    }
    return plan;
}

static void plan_slope(slope_plan *plan, const lb_call *call, size_t slope_offset, bool scalar_slope)
{
    int64_t slope = lb_load(call->tensor[LB_ROLE_SLOPE], slope_offset);
    if (plan->is_sa) {
        plan->negative = sa_negative(plan->rounding, call, plan->positive, slope);
    } else {
        plan->negative = fx_negative(call, slope, scalar_slope && plan->bits == 16);
    }
}

static int64_t slope_output(const slope_plan *plan, int64_t x)
{
    int64_t d = x - plan->in_zero_point;
    if (!plan->is_sa) {
        return d >= 0 ? x
                      : lb_sat(lb_rsh(plan->rounding, d * plan->negative.factor, plan->negative.shift, 32), plan->bits);
    }
    const line *branch = d >= 0 ? &plan->positive : &plan->negative;
    int64_t y = lb_rsh(plan->rounding, branch->factor * d, branch->shift, 32);
    return lb_sat(lb_add(y, plan->out_zero_point, 32), 8);
}

/* All elements of in from a flat index on, `run` of them. */
static void apply_run(const slope_plan *plan, const lb_call *call, size_t first, size_t run)
{
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    for (size_t flat = first; flat < first + run; flat++) {
        int64_t x = lb_load(in, lb_offset_of_flat(in, flat));
        lb_store(out, lb_offset_of_flat(out, flat), slope_output(plan, x));
    }
}

void lb_exact_leaky_relu(const lb_context *context, lb_call *call)
{
    slope_plan plan = plan_call(context, call);
    plan_slope(&plan, call, 0, true);
    apply_run(&plan, call, 0, lb_element_count(call->tensor[LB_ROLE_IN]));
}

void lb_exact_prelu(const lb_context *context, lb_call *call)
{
    if (call->config.axis < 0) {
        lb_exact_leaky_relu(context, call);
        return;
    }
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    uint32_t axis = (uint32_t)call->config.axis;
    size_t inner = 1; /* elements that lie together at one index of the axis, in row-major order */
    for (uint32_t d = axis + 1; d < in->rank; d++) {
        inner *= in->shape[d];
    }
    size_t outer = lb_element_count(in) / (inner * in->shape[axis]);
    slope_plan plan = plan_call(context, call);
    for (uint32_t j = 0; j < in->shape[axis]; j++) {
        plan_slope(&plan, call, j, false); /* slopes lie dense, whatever the strides say (elementwise.md 4) */
        for (size_t o = 0; o < outer; o++) {
            apply_run(&plan, call, (o * in->shape[axis] + j) * inner, inner);
        }
    }
}
