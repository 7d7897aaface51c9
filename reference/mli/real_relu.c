/* relu, leaky_relu and prelu in real numbers. Spec: elementwise.md 3, 4. */
#include "core/arith.h"
#include "models.h"
#include "real_ops.h"
#include "real_scale.h"
#include "real_values.h"

#include <math.h>

/* Exact on what is not limited; limits are cut to whole containers. The output has the format of
 * in. */
void lb_real_relu(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    (void)context;
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    if (!lb_real_wants(outputs, LB_ROLE_OUT))
        return;
    lb_quant format = lb_quant_at(in, 0);
    int bits = lb_container_bits(in->el_type);
    const lb_real_limits limits =
        lb_real_relu_limits(&lb_profiles[0], call->config.relu, bits, format);
    size_t count = lb_element_count(in);
    for (size_t flat = 0; flat < count; flat++) {
        lb_span y = lb_span_of(lb_load_fine(in, lb_offset_of_flat(in, flat)));
        double real = (y.value - format.zero_point) * lb_real_step(format);
        real = lb_real_relu_of(call->config.relu, real, format, bits);
        y = lb_span_confined(y, limits.low, limits.high);
        y.value = real / lb_real_step(format) + format.zero_point;
        lb_real_put(outputs, LB_ROLE_OUT, flat, real, y, bits);
    }
}

/* What is fixed for a call. */
typedef struct slope_call {
    lb_rounding rounding;
    bool is_sa;
    bool normalizes;
    int bits;
    lb_quant in, slope, out;
} slope_call;

/* fx: exact but for the last rounding; in and out have one format. QUIRK: where the slope is one
 * scalar of fx16 it is normalized, which shows where the rounding saturates. */
static lb_span output_fx(const slope_call *s, double x, double slope)
{
    int n = s->normalizes ? lb_norm((int64_t)slope, 16) : 0;
    lb_span product = lb_span_of(x * slope * lb_power_of_two(n));
    return x >= 0.0 ? lb_span_of(x)
                    : lb_span_shifted_right(product, s->slope.frac + n, 32, s->rounding);
}

/* sa8: the factor from in to out has the error of a ratio; QUIRK: it ends at 32767. Times the slope
 * it has twice 2^-15 more: the slope and the product are each brought to 15 bits. */
static lb_span output_sa8(const slope_call *s, double x, double slope)
{
    double error = lb_real_ratio_error(s->rounding);
    double ratio = fmin(lb_real_steps_between(s->in, s->out), 32767.0);
    double d = x - s->in.zero_point;
    double factor = ratio;
    if (d < 0.0) {
        factor = ldexp(ratio * (slope - s->slope.zero_point) * s->slope.scale, -s->slope.frac);
        error += 2.1 * lb_power_of_two(-15); /* 2, and the products of errors */
    }
    lb_span y = lb_span_scaled(lb_span_blurred(lb_span_of(d), error), factor);
    y = lb_span_saturated(lb_span_rounded(y, s->rounding), 32);
    return lb_span_moved(y, s->out.zero_point);
}

/* x, or slope * x below zero; axis < 0: one slope for all. */
static void apply_slope(const lb_context *context, const lb_call *call, int32_t axis,
                        const lb_real_outputs *outputs)
{
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    const lb_tensor *slope = call->tensor[LB_ROLE_SLOPE];
    if (!lb_real_wants(outputs, LB_ROLE_OUT))
        return;
    slope_call s = {
        .rounding = context->profile->rounding,
        .is_sa = lb_is_sa(call->kernel->in_type),
        .normalizes = axis < 0 && call->kernel->in_type == LB_FX16,
        .bits = lb_container_bits(call->kernel->in_type),
        .in = lb_quant_at(in, 0),
        .slope = lb_quant_at(slope, 0),
        .out = lb_quant_at(call->tensor[LB_ROLE_OUT], 0),
    };
    size_t count = lb_element_count(in);
    for (size_t flat = 0; flat < count; flat++) {
        uint32_t index[LB_MAX_RANK];
        lb_unflatten(in, flat, index);
        double x = lb_load_fine(in, lb_offset_of(in, index));
        double a = lb_load(slope, axis < 0 ? 0 : index[axis]); /* dense, whatever the strides say */
        lb_real_put_as(outputs, LB_ROLE_OUT, flat, s.out,
                       s.is_sa ? output_sa8(&s, x, a) : output_fx(&s, x, a), s.bits);
    }
}

void lb_real_leaky_relu(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    apply_slope(context, call, -1, outputs);
}

void lb_real_prelu(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    apply_slope(context, call, call->config.axis, outputs);
}
