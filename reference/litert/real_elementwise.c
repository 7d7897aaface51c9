/* Kernels that work element by element in real arithmetic (litert.9, litert.10, litert.13 to
 * litert.18). */
#include "real_call.h"

/* ---- Two inputs ---- */

/* The element of an input that goes with element `at` of the output: a dimension of 1 repeats. */
static double broadcast(const lb_lite_call *c, lb_role role, size_t at)
{
    const lb_lite_tensor *t = lb_lite_input(c, role);
    int64_t rest = (int64_t)at, step = 1, place = 0;
    for (int d = 0; d < c->out.rank; d++) {
        int64_t size = lb_lite_dimension(&c->out, d), own = lb_lite_dimension(t, d);
        place += own == 1 ? 0 : rest % size * step;
        step *= own;
        rest /= size;
    }
    return t->values[place];
}

static lb_span sum_of(const lb_lite_call *c, size_t at, double sign)
{
    double whole = lb_power_of_two((int)lb_lite_key_of(c, LB_LITE_left_shift));
    double a = (broadcast(c, LB_ROLE_IN1, at) + lb_lite_key_of(c, LB_LITE_input1_offset)) * whole;
    double b = (broadcast(c, LB_ROLE_IN2, at) + lb_lite_key_of(c, LB_LITE_input2_offset)) * whole;
    lb_span x = lb_lite_scaled(c, lb_span_of(a), lb_lite_key_of(c, LB_LITE_input1_multiplier),
                               lb_lite_key_of(c, LB_LITE_input1_shift));
    lb_span y = lb_lite_scaled(c, lb_span_of(b), lb_lite_key_of(c, LB_LITE_input2_multiplier),
                               lb_lite_key_of(c, LB_LITE_input2_shift));
    lb_span v = lb_lite_scaled(c, lb_span_plus(x, lb_span_scaled(y, sign)),
                               lb_lite_key_of(c, LB_LITE_output_multiplier),
                               lb_lite_key_of(c, LB_LITE_output_shift));
    return lb_lite_within_limits(c, lb_span_moved(v, lb_lite_key_of(c, LB_LITE_output_offset)));
}

lb_span lb_lite_real_add(const lb_lite_call *c, size_t at)
{
    return sum_of(c, at, 1);
}

lb_span lb_lite_real_sub(const lb_lite_call *c, size_t at)
{
    return sum_of(c, at, -1);
}

lb_span lb_lite_real_mul(const lb_lite_call *c, size_t at)
{
    double product = (broadcast(c, LB_ROLE_IN1, at) + lb_lite_key_of(c, LB_LITE_input1_offset)) *
                     (broadcast(c, LB_ROLE_IN2, at) + lb_lite_key_of(c, LB_LITE_input2_offset));
    lb_span v = lb_lite_scaled(c, lb_span_of(product), lb_lite_key_of(c, LB_LITE_output_multiplier),
                               lb_lite_key_of(c, LB_LITE_output_shift));
    return lb_lite_within_limits(c, lb_span_moved(v, lb_lite_key_of(c, LB_LITE_output_offset)));
}

/* ---- One input ---- */

static double above_zero_point(const lb_lite_call *c, size_t at)
{
    return lb_lite_input(c, LB_ROLE_IN)->values[at] - lb_lite_key_of(c, LB_LITE_input_zero_point);
}

static lb_span requantized(const lb_lite_call *c, size_t at)
{
    lb_span v =
        lb_lite_scaled(c, lb_span_of(above_zero_point(c, at)),
                       lb_lite_key_of(c, LB_LITE_multiplier), lb_lite_key_of(c, LB_LITE_shift));
    return lb_span_moved(v, lb_lite_key_of(c, LB_LITE_output_zero_point));
}

lb_span lb_lite_real_relu(const lb_lite_call *c, size_t at)
{
    return lb_lite_within_limits(c, requantized(c, at));
}

lb_span lb_lite_real_requantize(const lb_lite_call *c, size_t at)
{
    return lb_lite_within_type(c, requantized(c, at));
}

lb_span lb_lite_real_relu6(const lb_lite_call *c, size_t at)
{
    return lb_span_clamped(lb_span_of(lb_lite_input(c, LB_ROLE_IN)->values[at]),
                           lb_lite_key_of(c, LB_LITE_zero), lb_lite_key_of(c, LB_LITE_six));
}

lb_span lb_lite_real_leaky_relu(const lb_lite_call *c, size_t at)
{
    double x = above_zero_point(c, at);
    bool below = x < 0;
    lb_span v = lb_lite_scaled(
        c, lb_span_of(x),
        lb_lite_key_of(c, below ? LB_LITE_alpha_multiplier : LB_LITE_identity_multiplier),
        lb_lite_key_of(c, below ? LB_LITE_alpha_shift : LB_LITE_identity_shift));
    return lb_lite_within_type(c, lb_span_moved(v, lb_lite_key_of(c, LB_LITE_output_zero_point)));
}

/* Two products of 16 bits and their roundings; the last shift is of whole numbers. */
lb_span lb_lite_real_hard_swish(const lb_lite_call *c, size_t at)
{
    double high = above_zero_point(c, at) * 128,
           exponent = lb_lite_key_of(c, LB_LITE_reluish_exponent);
    double scale = lb_lite_key_of(c, LB_LITE_reluish_multiplier) / 32768;
    lb_span a =
        lb_span_scaled(lb_span_of(high), lb_lite_key_of(c, LB_LITE_output_multiplier) / 32768);
    lb_span r = lb_span_of(high);
    if (exponent > 0)
        r = lb_span_saturated(lb_span_scaled(r, lb_power_of_two((int)exponent - 1)), 16);
    r = lb_span_widened(lb_span_scaled(r, scale), 0.5, 0.5);
    if (exponent > 0)
        r = lb_span_saturated(lb_span_scaled(r, 2), 16);
    else if (exponent < 0)
        r = lb_span_widened(lb_span_scaled(r, lb_power_of_two((int)exponent)), 0.5, 0.5);
    r = lb_span_widened(lb_span_scaled(lb_span_moved(r, 32768), 0.5), 0.5, 0);
    lb_span p = lb_span_times(r, lb_span_widened(a, 0.5, 0.5));
    p = lb_span_widened(lb_span_scaled(p, lb_power_of_two(-15)), 1, 1);
    p = lb_span_scaled(p, lb_power_of_two((int)lb_lite_key_of(c, LB_LITE_output_exponent)));
    p = lb_span_moved(lb_span_widened(p, 0.5, 0.5), lb_lite_key_of(c, LB_LITE_output_zero_point));
    return lb_lite_within_type(c, p);
}

/* ---- logistic and tanh ---- */

static double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

/* int8: a Q4.27, the ends of the output beyond the radius. */
static lb_span sigmoid_s8(const lb_lite_call *c, size_t at, bool is_tanh)
{
    double x = above_zero_point(c, at), radius = lb_lite_key_of(c, LB_LITE_input_range_radius);
    double y = x * lb_lite_key_of(c, LB_LITE_input_multiplier) *
               lb_power_of_two((int)lb_lite_key_of(c, LB_LITE_input_left_shift) - 31 - 27);
    if (x <= -radius || x >= radius)
        return lb_span_of(x <= -radius ? -128 : 127);
    /* The functions are good to some units of 2^-28. */
    double v = is_tanh ? 128 * tanh(y) : 256 * logistic(y) - 128,
           error = 0.5 + lb_power_of_two(-16);
    return lb_lite_within_type(c, lb_span_widened(lb_span_of(v), error, error));
}

/* int16: 12288 of the scaled input are 1. What a table of 24 entries for 1 costs: the input's
 * rounding (half of 1/12288), the straight line between two entries (f'' h^2 / 8), an entry's half,
 * and the last rounding; in steps of 2^-15. */
static lb_span sigmoid_s16(const lb_lite_call *c, size_t at, bool is_tanh)
{
    double m = lb_lite_key_of(c, LB_LITE_input_multiplier);
    double s = lb_lite_key_of(c, LB_LITE_input_left_shift);
    double unit = m == 0 ? 3 * lb_power_of_two((int)s) : m * lb_power_of_two(-(int)s);
    double x = lb_lite_input(c, LB_ROLE_IN)->values[at] * unit / 12288;
    double v = 32768 * (is_tanh ? tanh(x) : logistic(x)), error = is_tanh ? 4 : 2;
    return lb_lite_within_type(c, lb_span_widened(lb_span_of(v), error, error));
}

lb_span lb_lite_real_logistic(const lb_lite_call *c, size_t at)
{
    return c->out.bits == 8 ? sigmoid_s8(c, at, false) : sigmoid_s16(c, at, false);
}

lb_span lb_lite_real_tanh(const lb_lite_call *c, size_t at)
{
    return c->out.bits == 8 ? sigmoid_s8(c, at, true) : sigmoid_s16(c, at, true);
}
