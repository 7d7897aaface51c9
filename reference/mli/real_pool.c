/* Max and average pooling in real numbers. Spec: pooling_and_movement.md 2.8. */
#include "models.h"
#include "pool_window.h"
#include "real_values.h"
#include "real_weighted.h"

#include <math.h>

typedef struct summary {
    double highest; /* container */
    double sum;     /* of containers */
    double magnitude;
} summary;

static summary summarize(const lb_call *call, const lb_pool_window *window, uint32_t channel)
{
    summary s = {.highest = -INFINITY};
    for (uint32_t y = window->top; y < window->bottom; y++) {
        for (uint32_t x = window->left; x < window->right; x++) {
            double v =
                lb_load_fine(call->tensor[LB_ROLE_IN], lb_pool_in_offset(call, y, x, channel));
            s.highest = v > s.highest ? v : s.highest;
            s.sum += v;
            s.magnitude += fabs(v);
        }
    }
    return s;
}

/* What an output position has in common for all channels. */
typedef struct place {
    const lb_context *context;
    const lb_call *call;
    uint32_t n; /* positions in the window */
    lb_real_divisor divisor;
    int bits;
} place;

/* Does the sum of factor * x fit the accumulator? (2.5, 2.6: the domain.) */
static bool fits(const place *p, const summary *s)
{
    const lb_real_divisor *d = &p->divisor;
    lb_real_sum sum = {d->start + d->factor * s->sum, fabs(d->start) + d->factor * s->magnitude};
    lb_span acc = lb_real_accumulated(
        p->context->profile, lb_real_pool_operands(p->context->profile, p->call->kernel->in_type),
        &sum);
    return lb_span_is_known(&acc);
}

/* 2.5: the reciprocal is cut to 15 bits, so it is up to 2^-14 of itself too small, and never too
 * large. */
static lb_span average_fx(const place *p, const summary *s, double mean)
{
    lb_rounding rounding = p->context->profile->rounding;
    bool wide = p->bits == 16 || p->context->profile->acc_bits[lb_real_pool_operands(
                                     p->context->profile, p->call->kernel->in_type)] > 32;
    lb_quant in = lb_quant_at(p->call->tensor[LB_ROLE_IN], 0);
    lb_quant out = lb_quant_at(p->call->tensor[LB_ROLE_OUT], 0);
    lb_span y = lb_span_of(
        ldexp(mean, p->divisor.shift + out.frac - in.frac)); /* in units of the accumulator */
    if (!fits(p, s))
        return lb_span_unknown(ldexp(mean, out.frac - in.frac));
    double lost = fabs(y.value) * lb_power_of_two(-14);
    y = lb_span_widened(y, mean > 0 ? lost : 0.0, mean < 0 ? lost : 0.0);
    return lb_span_shifted_right(y, p->divisor.shift, wide ? 64 : 32, rounding);
}

/* 2.6. The data are multiplied with 7 bits (2^-7 of error) of a product of the ratio of scales (its
 * error) with the reciprocal (2^-14); the zero points go another way, through the ratio alone and a
 * rounding, and add up in the accumulator. QUIRKs that are followed: the start value saturates
 * there, and a shift of 32 or more gives 0, not the zero point. */
static lb_span average_sa8(const place *p, const summary *s, double mean)
{
    lb_rounding rounding = p->context->profile->rounding;
    lb_quant in = lb_quant_at(p->call->tensor[LB_ROLE_IN], 0);
    lb_quant out = lb_quant_at(p->call->tensor[LB_ROLE_OUT], 0);
    double ratio = lb_real_steps_between(in, out);
    double error = lb_real_ratio_error(rounding);
    int kept = p->context->profile->avepool16 ? -15 : -7;
    int shift = p->divisor.shift;
    if (shift >= 32)
        return lb_span_of(0.0);
    if (!fits(p, s))
        return lb_span_unknown((mean - in.zero_point) * ratio + out.zero_point);
    lb_span zero = lb_span_blurred(lb_span_of(ratio * in.zero_point), error);
    zero = lb_span_saturated(lb_span_rounded(zero, rounding), 16);
    zero = lb_span_saturated(lb_span_minus(lb_span_of(out.zero_point), zero), 16);
    if (shift < 0) {
        zero = lb_span_widened(zero, lb_power_of_two(-shift) - 1.0,
                               0.0); /* a shift to the right that does not round */
    }
    double top = lb_power_of_two(31 - shift);
    zero = lb_span_clamped(zero, -top, top);
    lb_span data = lb_span_of(ratio * mean);
    data = lb_span_blurred(data, lb_power_of_two(kept) + error + 2.0 * lb_power_of_two(-14));
    lb_span y = lb_span_scaled(lb_span_plus(zero, data), lb_power_of_two(shift));
    return lb_span_shifted_right(y, shift, 32, rounding);
}

static void put_average(const place *p, uint32_t channel, const lb_pool_window *window,
                        size_t index, const lb_real_outputs *outputs)
{
    summary s = summarize(p->call, window, channel);
    double mean = s.sum / p->n;
    bool is_sa = lb_is_sa(p->call->kernel->in_type);
    lb_span y = is_sa ? average_sa8(p, &s, mean) : average_fx(p, &s, mean);
    lb_real_put_as(outputs, LB_ROLE_OUT, index, lb_quant_at(p->call->tensor[LB_ROLE_OUT], 0), y,
                   p->bits);
}

/* Exact, and in the format of in. */
static void put_highest(const place *p, uint32_t channel, const lb_pool_window *window,
                        size_t index, const lb_real_outputs *outputs)
{
    lb_quant in = lb_quant_at(p->call->tensor[LB_ROLE_IN], 0);
    summary s = summarize(p->call, window, channel);
    lb_real_put_as(outputs, LB_ROLE_OUT, index, in, lb_span_of(s.highest), p->bits);
}

static void pool(const lb_context *context, const lb_call *call, bool average,
                 const lb_real_outputs *outputs)
{
    const lb_tensor *out = call->tensor[LB_ROLE_OUT];
    place p = {.context = context, .call = call, .bits = lb_container_bits(call->kernel->in_type)};
    size_t index = 0;
    for (uint32_t y = 0; y < out->shape[0] && lb_real_wants(outputs, LB_ROLE_OUT); y++) {
        for (uint32_t x = 0; x < out->shape[1]; x++) {
            lb_pool_window window = lb_pool_window_at(call, y, x);
            p.n = lb_pool_window_count(&window);
            if (average)
                p.divisor = lb_real_divisor_of(context->profile, call, p.n);
            for (uint32_t c = 0; c < out->shape[2]; c++)
                (average ? put_average : put_highest)(&p, c, &window, index++, outputs);
        }
    }
}

void lb_real_maxpool(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    pool(context, call, false, outputs);
}

void lb_real_avepool(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    pool(context, call, true, outputs);
}
