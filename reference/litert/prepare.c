/* From scales to multipliers, limits and paddings: see prepare.h. Where the specification says
 * float32, every operation has a variable or a cast of its own, so that it is rounded. */
#include "prepare.h"

#include "core/arith.h"

#include <math.h>

static int64_t lowest(lb_el_type type)
{
    return type == LB_S8 ? INT8_MIN : INT16_MIN;
}

static int64_t highest(lb_el_type type)
{
    return type == LB_S8 ? INT8_MAX : INT16_MAX;
}

/* Far beyond 32 bits it does not matter which. */
int64_t lb_lite_nearest(double v)
{
    const double far = 0x1p62;
    return v >= far ? (int64_t)far : v <= -far ? -(int64_t)far : v == v ? (int64_t)round(v) : 0;
}

/* ---- 22.1 ---- */

lb_lite_factor lb_lite_prepare_multiplier(const lb_profile *profile, double real)
{
    const int64_t whole = (int64_t)1 << 31;
    int shift;
    int64_t multiplier = lb_lite_nearest(ldexp(frexp(real, &shift), 31));
    if (multiplier == whole || multiplier == -whole) {
        multiplier /= 2;
        shift++;
    }
    if (multiplier == 0 || shift < -31)
        return (lb_lite_factor){0, 0};
    if (profile->rounds_once && shift > 30)
        return (lb_lite_factor){INT32_MAX, 30};
    return (lb_lite_factor){(int32_t)multiplier, shift};
}

double lb_lite_factor_value(lb_lite_factor factor)
{
    return ldexp(factor.multiplier, factor.shift - 31);
}

/* ---- 22.2 ---- */

int64_t lb_lite_quantized(float v, lb_lite_quant q)
{
    const float quotient = v / q.scale;
    return q.zero_point + lb_lite_nearest((double)quotient);
}

void lb_lite_prepare_limits(lb_el_type type, lb_lite_fused fused, lb_lite_quant out,
                            lb_config *config)
{
    int64_t low = lowest(type), high = highest(type);
    switch (fused) {
    case LB_LITE_FUSED_NONE:
        break;
    case LB_LITE_FUSED_RELU:
        low = lb_lite_quantized(0, out);
        break;
    case LB_LITE_FUSED_RELU6:
        low = lb_lite_quantized(0, out);
        high = lb_lite_quantized(6, out);
        break;
    case LB_LITE_FUSED_RELU_N1_TO_1:
        low = lb_lite_quantized(-1, out);
        high = lb_lite_quantized(1, out);
        break;
    }
    /* One end of the range at a time: a zero point beyond the type leaves no number between. */
    config->litert.activation_min = (int32_t)lb_sat(low < lowest(type) ? lowest(type) : low, 32);
    config->litert.activation_max =
        (int32_t)lb_sat(high > highest(type) ? highest(type) : high, 32);
}

/* ---- 22.3 ---- */

lb_lite_padding lb_lite_prepare_padding(bool same, int64_t in, int64_t filter, int64_t stride,
                                        int64_t dilation)
{
    const int64_t e = (filter - 1) * dilation + 1;
    const int64_t out = same ? (in + stride - 1) / stride : (in + stride - e) / stride;
    const int64_t total = (out - 1) * stride + e - in;
    if (out < 0)
        return (lb_lite_padding){0, 0, 0};
    return (lb_lite_padding){out, total > 0 ? total / 2 : 0, total > 0 ? total % 2 : 0};
}

/* ---- 22.4 ---- */

lb_lite_factor lb_lite_prepare_conv(const lb_profile *profile, float in, float filter, float out)
{
    const double product = (double)in * (double)filter;
    return lb_lite_prepare_multiplier(profile, product / (double)out);
}

lb_lite_factor lb_lite_prepare_fully_connected(const lb_profile *profile, float in, float filter,
                                               float out)
{
    const float product = in * filter; /* QUIRK of the section: rounded here */
    return lb_lite_prepare_multiplier(profile, (double)product / (double)out);
}
