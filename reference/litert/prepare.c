/* From the scales of a model to the integers of a call: see prepare.h. Where the specification says
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

/* The nearest whole number, halves away from zero; far beyond 32 bits it does not matter which. */
static int64_t nearest(double v)
{
    const double far = 0x1p62;
    return v >= far ? (int64_t)far : v <= -far ? -(int64_t)far : v == v ? (int64_t)round(v) : 0;
}

static int32_t minus(int32_t zero_point)
{
    return (int32_t)lb_wrap(-(int64_t)zero_point, 32);
}

/* ---- 22.1 ---- */

lb_lite_factor lb_lite_prepare_multiplier(const lb_profile *profile, double real)
{
    const int64_t whole = (int64_t)1 << 31;
    int shift;
    int64_t multiplier = nearest(ldexp(frexp(real, &shift), 31));
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

static int64_t quantized(float v, lb_lite_quant q)
{
    const float quotient = v / q.scale;
    return q.zero_point + nearest((double)quotient);
}

static int64_t within(lb_el_type type, int64_t v)
{
    return v < lowest(type) ? lowest(type) : v > highest(type) ? highest(type) : v;
}

void lb_lite_prepare_limits(lb_el_type type, lb_lite_fused fused, lb_lite_quant out,
                            lb_config *config)
{
    int64_t low = lowest(type), high = highest(type);
    switch (fused) {
    case LB_LITE_FUSED_NONE:
        break;
    case LB_LITE_FUSED_RELU:
        low = quantized(0, out);
        break;
    case LB_LITE_FUSED_RELU6:
        low = quantized(0, out);
        high = quantized(6, out);
        break;
    case LB_LITE_FUSED_RELU_N1_TO_1:
        low = quantized(-1, out);
        high = quantized(1, out);
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

/* ---- 22.5 ---- */

static int sum_shift(lb_el_type type)
{
    return type == LB_S8 ? 20 : 15;
}

static bool is_proper(double real)
{
    return real > 0 && real < 1;
}

static bool prepare_sum(const lb_profile *profile, lb_el_type type, double of_in1, double of_in2,
                        double of_out, lb_config *config)
{
    if (!is_proper(of_in1) || !is_proper(of_in2) || !is_proper(of_out))
        return false;
    const lb_lite_factor in1 = lb_lite_prepare_multiplier(profile, of_in1);
    const lb_lite_factor in2 = lb_lite_prepare_multiplier(profile, of_in2);
    const lb_lite_factor out = lb_lite_prepare_multiplier(profile, of_out);
    config->litert.left_shift = sum_shift(type);
    config->litert.input1_multiplier = in1.multiplier;
    config->litert.input1_shift = in1.shift;
    config->litert.input2_multiplier = in2.multiplier;
    config->litert.input2_shift = in2.shift;
    config->litert.output_multiplier = out.multiplier;
    config->litert.output_shift = out.shift;
    return true;
}

static void put_offsets(lb_el_type type, lb_lite_quant in1, lb_lite_quant in2, lb_lite_quant out,
                        lb_lite_fused fused, lb_config *config)
{
    config->litert.input1_offset = minus(in1.zero_point);
    config->litert.input2_offset = minus(in2.zero_point);
    config->litert.output_offset = out.zero_point;
    lb_lite_prepare_limits(type, fused, out, config);
}

bool lb_lite_prepare_add(const lb_profile *profile, lb_el_type type, lb_lite_quant in1,
                         lb_lite_quant in2, lb_lite_quant out, lb_lite_fused fused,
                         lb_config *config)
{
    const double t = 2 * (double)fmaxf(in1.scale, in2.scale);
    put_offsets(type, in1, in2, out, fused, config);
    return prepare_sum(profile, type, (double)in1.scale / t, (double)in2.scale / t,
                       t / (ldexp(1, sum_shift(type)) * (double)out.scale), config);
}

bool lb_lite_prepare_sub(const lb_profile *profile, lb_el_type type, lb_lite_quant in1,
                         lb_lite_quant in2, lb_lite_quant out, lb_lite_fused fused,
                         lb_config *config)
{
    const float t = 2 * fmaxf(in1.scale, in2.scale);
    const float of_in1 = in1.scale / t, of_in2 = in2.scale / t;
    const float divisor = ldexpf(out.scale, sum_shift(type)), of_out = t / divisor;
    put_offsets(type, in1, in2, out, fused, config);
    return prepare_sum(profile, type, (double)of_in1, (double)of_in2, (double)of_out, config);
}

bool lb_lite_prepare_mul(const lb_profile *profile, lb_el_type type, lb_lite_quant in1,
                         lb_lite_quant in2, lb_lite_quant out, lb_lite_fused fused,
                         lb_config *config)
{
    const lb_lite_factor f = lb_lite_prepare_conv(profile, in1.scale, in2.scale, out.scale);
    put_offsets(type, in1, in2, out, fused, config);
    config->litert.output_multiplier = f.multiplier;
    config->litert.output_shift = f.shift;
    return true;
}

/* ---- 22.6 ---- */

bool lb_lite_prepare_softmax(const lb_profile *profile, lb_el_type type, float in, float beta,
                             lb_config *config)
{
    lb_lite_factor f;
    if (type == LB_S16) {
        f = lb_lite_prepare_multiplier(profile, (double)in * (double)beta / (10.0 / 65535.0));
    } else {
        const double limit = ldexp(1, profile->rounds_once ? 30 : 31) - 1;
        const double real = fmin((double)beta * (double)in * 0x1p26, limit);
        if (!(real > 1))
            return false;
        f = lb_lite_prepare_multiplier(profile, real);
        config->litert.diff_min = (int32_t)-floor(31 * 0x1p26 / ldexp(1, f.shift));
    }
    config->litert.input_multiplier = f.multiplier;
    config->litert.input_left_shift = f.shift;
    return true;
}

/* ---- 22.7 ---- */

static bool prepare_sigmoid_s8(lb_lite_quant in, lb_config *config)
{
    int shift;
    const double q = frexp((double)in.scale * 0x1p27, &shift);
    const double radius = floor(15 * 0x1p27 / ldexp(1, shift));
    if (!(radius <= INT32_MAX))
        return false;
    config->litert.input_zero_point = in.zero_point;
    config->litert.input_range_radius = (int32_t)radius;
    config->litert.input_multiplier = (int32_t)lb_sat(nearest(q * 0x1p31), 32);
    config->litert.input_left_shift = shift;
    return true;
}

static bool prepare_sigmoid_s16(float scale, int32_t most, lb_config *config)
{
    const float of_scale = (float)log((double)scale), of_two = (float)log(2.0);
    const float inverse = 1 / of_two, l = of_scale * inverse;
    const int64_t r = nearest((double)l);
    int64_t shift = 12 + r, multiplier = 0;
    if (!(fabs((double)l - (double)r) < 0.001) || shift < 0 || shift > most) {
        double v = (double)scale * 4096 * 3;
        for (shift = 0; v <= 32767 / 2.0 && shift <= 30; shift++)
            v *= 2;
        if (!(v <= INT32_MAX))
            return false;
        multiplier = (int64_t)v;
    }
    config->litert.input_multiplier = (int32_t)multiplier;
    config->litert.input_left_shift = (int32_t)shift;
    return true;
}

bool lb_lite_prepare_logistic(lb_el_type type, lb_lite_quant in, lb_config *config)
{
    return type == LB_S8 ? prepare_sigmoid_s8(in, config)
                         : prepare_sigmoid_s16(in.scale, 0, config);
}

bool lb_lite_prepare_tanh(lb_el_type type, lb_lite_quant in, lb_config *config)
{
    return type == LB_S8 ? prepare_sigmoid_s8(in, config)
                         : prepare_sigmoid_s16(in.scale, 1, config);
}

/* ---- 22.8 ---- */

static void put_zero_points(lb_lite_quant in, lb_lite_quant out, lb_config *config)
{
    config->litert.input_zero_point = in.zero_point;
    config->litert.output_zero_point = out.zero_point;
}

bool lb_lite_prepare_leaky_relu(const lb_profile *profile, lb_lite_quant in, lb_lite_quant out,
                                float alpha, lb_config *config)
{
    const float slope = in.scale * alpha, of_alpha = slope / out.scale;
    const float of_identity = in.scale / out.scale;
    const lb_lite_factor a = lb_lite_prepare_multiplier(profile, (double)of_alpha);
    const lb_lite_factor i = lb_lite_prepare_multiplier(profile, (double)of_identity);
    put_zero_points(in, out, config);
    config->litert.alpha_multiplier = a.multiplier;
    config->litert.alpha_shift = a.shift;
    config->litert.identity_multiplier = i.multiplier;
    config->litert.identity_shift = i.shift;
    return true;
}

bool lb_lite_prepare_relu(const lb_profile *profile, lb_el_type type, lb_lite_quant in,
                          lb_lite_quant out, lb_config *config)
{
    const float real = in.scale / out.scale;
    const lb_lite_factor f = lb_lite_prepare_multiplier(profile, (double)real);
    put_zero_points(in, out, config);
    config->litert.multiplier = f.multiplier;
    config->litert.shift = f.shift;
    config->litert.activation_min =
        out.zero_point > lowest(type) ? out.zero_point : (int32_t)lowest(type);
    config->litert.activation_max = (int32_t)highest(type);
    return true;
}

bool lb_lite_prepare_relu6(lb_el_type type, lb_lite_quant in, lb_config *config)
{
    config->litert.zero = in.zero_point;
    config->litert.six = (int32_t)within(type, quantized(6, in));
    return true;
}

static int32_t upper_16(int32_t multiplier)
{
    const int64_t half = 1 << 15, most = (int64_t)INT32_MAX - half;
    return multiplier >= most ? INT16_MAX : (int32_t)lb_asr(multiplier + half, 16, 64);
}

bool lb_lite_prepare_hard_swish(const lb_profile *profile, lb_lite_quant in, lb_lite_quant out,
                                lb_config *config)
{
    const float h = (1.0f / 128.0f) * in.scale, unit = 3.0f / 32768.0f;
    const float of_out = h / out.scale, of_reluish = h / unit;
    const lb_lite_factor o = lb_lite_prepare_multiplier(profile, (double)of_out);
    const lb_lite_factor r = lb_lite_prepare_multiplier(profile, (double)of_reluish);
    put_zero_points(in, out, config);
    config->litert.output_multiplier = upper_16(o.multiplier);
    config->litert.output_exponent = o.shift;
    config->litert.reluish_multiplier = upper_16(r.multiplier);
    config->litert.reluish_exponent = r.shift;
    return o.shift <= 0;
}

/* ---- 22.9 ---- */

bool lb_lite_prepare_requantize(const lb_profile *profile, lb_lite_quant in, lb_lite_quant out,
                                lb_config *config)
{
    const lb_lite_factor f =
        lb_lite_prepare_multiplier(profile, (double)in.scale / (double)out.scale);
    put_zero_points(in, out, config);
    config->litert.multiplier = f.multiplier;
    config->litert.shift = f.shift;
    return true;
}
