/* From a sum of products to an output in real numbers. Spec: conv.md 3, 4, 5, 15. */
#include "real_weighted.h"

#include "real_values.h"

#include <math.h>

/* ext_bias: the bias holds the share of the zero point (conv.md 4.3). */
lb_real_weighted lb_real_weighted_start(const lb_context *context, const lb_call *call)
{
    const lb_kernel *kernel = call->kernel;
    lb_real_weighted w = {
        .call = call,
        .profile = context->profile,
        .operands = lb_real_operands(kernel->in_type, kernel->weights_type),
        .is_sa = lb_is_sa(kernel->in_type),
        .out_bits = lb_container_bits(kernel->in_type),
        .in = lb_quant_at(call->tensor[LB_ROLE_IN], 0),
        .out = lb_quant_at(call->tensor[LB_ROLE_OUT], 0),
    };
    w.step_bits = lb_real_step_bits(w.profile, w.operands, w.is_sa);
    w.zero_point = kernel->special == LB_SPECIAL_EXT_BIAS ? 0 : w.in.zero_point;
    w.limits = lb_real_relu_limits(w.profile, call->config.relu, w.out_bits, w.out);
    return w;
}

/* Why the bits are the same: (x - zero_point) * w and (|x| + |zero_point|) * |w| are whole numbers
 * of at most (2^15 + 2^15) * 2^15 = 2^31, and there are no more than 2^22 of them. So every partial
 * sum, in whatever order, is a whole number of at most 2^53, which a double holds exactly:
 * additions in double precision have nothing to round, and give the number that is formed here. */
bool lb_real_whole(lb_real_sum *to, const lb_products *p, int32_t zero_point)
{
    _Static_assert(LB_WHOLE_PRODUCTS <= 1 << 22, "sums of at most 2^53");
    lb_whole_sums s;
    if (p->x->fine || to->sum != 0.0 || to->magnitude != 0.0 || zero_point < INT16_MIN ||
        zero_point > INT16_MAX || !lb_products_sum(p, zero_point != 0, &s))
        return false;
    const int64_t off = zero_point < 0 ? -(int64_t)zero_point : zero_point;
    to->sum = (double)(s.products - zero_point * s.weights);
    to->magnitude = (double)(s.product_sizes + off * s.weight_sizes);
    return true;
}

/* One by one, in their order: for sums that may have to be rounded. */
static void add_each(lb_real_sum *to, const lb_products *p, int32_t zero_point)
{
    lb_real_sum s = *to; /* in registers: nothing points to it */
    const double off = fabs((double)zero_point);
    size_t x_at = p->taps->x, w_at = p->taps->weight;
    for (size_t k = 0; k < p->count; k++, x_at += p->x_step, w_at += p->weight_step) {
        const double real = lb_load_fine(p->x, x_at), weight = lb_load(p->weights, w_at);
        s.sum += (real - zero_point) * weight;
        s.magnitude += (fabs(real) + off) * fabs(weight);
    }
    *to = s;
}

void lb_real_macs(lb_real_sum *to, const lb_tensor *x, size_t x_at, size_t x_step,
                  int32_t zero_point, const lb_tensor *weights, size_t w_at, size_t w_step,
                  size_t count)
{
    const lb_products p = {.x = x,
                           .weights = weights,
                           .taps = &(lb_tap_offsets){x_at, w_at},
                           .tap_count = 1,
                           .x_step = x_step,
                           .weight_step = w_step,
                           .count = count};
    if (!lb_real_whole(to, &p, zero_point))
        add_each(to, &p, zero_point);
}

lb_span lb_real_accumulated(const lb_profile *profile, lb_operands operands, const lb_real_sum *sum)
{
    double top = lb_power_of_two(profile->acc_bits[operands] - 1);
    bool fits = profile->acc_saturates ? sum->magnitude < top : sum->sum >= -top && sum->sum < top;
    return fits ? lb_span_of(sum->sum) : lb_span_unknown(sum->sum);
}

/* The accumulator with the bias of a channel (conv.md 4.4). shift: of fx. */
static lb_span with_bias(const lb_real_weighted *w, uint32_t channel, int shift, lb_span acc)
{
    const lb_tensor *bias = w->call->tensor[LB_ROLE_BIAS];
    int32_t given = lb_load(bias, channel * (size_t)bias->mem_stride[0]);
    acc = lb_real_with_bias(w->profile, w->operands, w->is_sa, given,
                            shift - lb_quant_at(bias, 0).frac, acc);
    return lb_span_saturated(acc, w->step_bits);
}

/* conv.md 4.5. The real factor is the ratio of scales; what the multiplier that stands for it may
 * lack:
 * - full: the error of a 15-bit ratio of scales (its product with the scale of the weights is
 * exact)
 * - reduced: 2^-15 more, for its rounding to 16 bits, and before it the accumulator's rounding to
 * steps of 2^pre, which is at most 2^-7 of an output step because pre is 0 below a shift of 22;
 * QUIRK: and the accumulator's clip to 16 bits. */
static lb_span requantized(const lb_real_weighted *w, lb_quant weights, lb_span acc)
{
    lb_rounding rounding = w->profile->rounding;
    double error = lb_real_ratio_error(lb_scale_rounding(w->profile));
    const uint8_t *features = w->profile->at.value;
    if (features[LB_FEATURE_SCALE_RATIO] == LB_SCALE_RATIO_EXACT)
        error = lb_power_of_two(-31);
    if (features[LB_FEATURE_SCALE_ROUNDING] == LB_ROUND_FLOOR + 1)
        error *= 2.0;
    if (features[LB_FEATURE_REQUANTIZE] == LB_REQUANTIZE_FLOAT) /* rounded to 24 bits four times */
        error = lb_power_of_two(-22) * (1.0 + lb_power_of_two(-20));
    if (features[LB_FEATURE_MULTIPLIER_BITS] != 0) /* its leading bit is always set */
        error += lb_power_of_two(1 - (int)features[LB_FEATURE_MULTIPLIER_BITS]) * (1.0 + error);
    int shift = lb_real_multiplier_shift(w->profile, w->in, weights, w->out);
    if (w->profile->reduced) {
        shift -= 16;
        int pre = shift - 21 < 0 ? 0 : shift - 21 > 8 ? 8 : shift - 21;
        acc = lb_span_scaled(acc, lb_power_of_two(-pre));
        acc = pre > 0 ? lb_span_rounded(acc, rounding) : acc;
        acc = lb_span_scaled(lb_span_saturated(acc, 16), lb_power_of_two(pre));
        error += lb_power_of_two(-15) * (1.0 + error);
        shift -= pre;
    }
    double factor = ldexp((double)w->in.scale * weights.scale / w->out.scale,
                          w->out.frac - w->in.frac - weights.frac);
    lb_span y = lb_span_scaled(lb_span_blurred(acc, error), factor);
    if (features[LB_FEATURE_REQUANTIZE] == LB_REQUANTIZE_HIGH) { /* rounded twice */
        double first = shift > 31 ? lb_power_of_two(31 - shift) : 0.0;
        y = lb_span_widened(y, first, first);
    }
    if (shift > 0 || features[LB_FEATURE_REQUANTIZE] == LB_REQUANTIZE_FLOAT)
        y = lb_span_rounded(y, rounding);
    return lb_span_moved(y, w->out.zero_point);
}

/* numerics.md 6: the limits of ReLU are cut to whole containers. The real number is clamped where
 * the real function is. */
static lb_span with_relu(const lb_real_weighted *w, lb_span y, double *real)
{
    *real = (y.value - w->out.zero_point) * lb_real_step(w->out);
    *real = lb_real_relu_of(w->call->config.relu, *real, w->out, w->out_bits);
    y.value = *real / lb_real_step(w->out) + w->out.zero_point;
    return lb_span_confined(y, w->limits.low, w->limits.high);
}

void lb_real_weighted_put(const lb_real_weighted *w, const lb_real_outputs *outputs, size_t index,
                          uint32_t channel, const lb_real_sum *sum)
{
    const lb_quant weights = lb_quant_at(w->call->tensor[LB_ROLE_WEIGHTS], channel);
    const int products = w->in.frac + weights.frac;
    lb_span acc = lb_real_accumulated(w->profile, w->operands, sum);
    double real;
    acc = with_bias(w, channel, products, acc);
    /* conv.md 15: of fx nothing is inexact but the last rounding */
    lb_span y = w->is_sa ? requantized(w, weights, acc)
                         : lb_span_shifted_right(acc, products - w->out.frac, w->step_bits,
                                                 w->profile->rounding);
    y = with_relu(w, y, &real);
    lb_real_put(outputs, LB_ROLE_OUT, index, real, y, w->out_bits);
}
