/* From the scales of a model to the integers of kernels (litert.22). Scales are float, and where
 * the runtime rounds to float, so is it done here; all else is double. */
#include "internal.h"

#include <math.h>

/* ---- Multipliers ---- */

/* Without its fraction; the nearest end of int32 of what lies beyond, the lowest of what is no
 * number. */
static int32_t truncated(double v)
{
    return !(v >= INT32_MIN) ? INT32_MIN : v > INT32_MAX ? INT32_MAX : (int32_t)v;
}

/* Halves go away from zero. */
static int32_t rounded(double v)
{
    return truncated(round(v));
}

static int32_t negated(int32_t v)
{
    return lb_litert_wrap32(-(int64_t)v);
}

lb_litert_per_tensor_quant lb_litert_prepare_multiplier(lb_litert_profile profile, double real)
{
    int shift = 0;
    double multiplier = round(frexp(real, &shift) * 0x1p31);
    if (multiplier == 0x1p31 || multiplier == -0x1p31) {
        multiplier /= 2;
        shift++;
    }
    if (real == 0 || shift < -31)
        return (lb_litert_per_tensor_quant){0, 0};
    if (profile == LB_LITERT_SINGLE && shift > 30)
        return (lb_litert_per_tensor_quant){INT32_MAX, 30};
    return (lb_litert_per_tensor_quant){rounded(multiplier), shift};
}

void lb_litert_prepare_conv(lb_litert_profile profile, float input_scale, const float *filter_scale,
                            size_t channels, float output_scale, int32_t *multiplier,
                            int32_t *shift)
{
    for (size_t o = 0; o < channels; o++) {
        lb_litert_per_tensor_quant q = lb_litert_prepare_multiplier(
            profile, (double)input_scale * (double)filter_scale[o] / (double)output_scale);
        multiplier[o] = q.multiplier;
        shift[o] = q.shift;
    }
}

lb_litert_per_tensor_quant lb_litert_prepare_fully_connected(lb_litert_profile profile,
                                                             float input_scale, float filter_scale,
                                                             float output_scale)
{
    float product = input_scale * filter_scale;
    return lb_litert_prepare_multiplier(profile, (double)product / (double)output_scale);
}

lb_litert_per_tensor_quant lb_litert_prepare_requantize(lb_litert_profile profile,
                                                        float input_scale, float output_scale)
{
    return lb_litert_prepare_multiplier(profile, (double)input_scale / (double)output_scale);
}

/* ---- Limits and padding ---- */

/* The container of a real number (litert.22.2). */
static int32_t container_of(float v, lb_litert_quantization q)
{
    float quotient = v / q.scale;
    return lb_litert_clamp((int64_t)q.zero_point + rounded((double)quotient), INT32_MIN, INT32_MAX);
}

lb_litert_activation lb_litert_prepare_activation(lb_litert_type type, lb_litert_fused fused,
                                                  lb_litert_quantization output)
{
    lb_litert_activation a = {lb_litert_lowest(type), lb_litert_highest(type)};
    int32_t low = container_of(fused == LB_LITERT_RELU_N1_TO_1 ? -1 : 0, output);
    int32_t high = container_of(fused == LB_LITERT_RELU6 ? 6 : 1, output);
    if (fused != LB_LITERT_NONE && low > a.min)
        a.min = low;
    if ((fused == LB_LITERT_RELU6 || fused == LB_LITERT_RELU_N1_TO_1) && high < a.max)
        a.max = high;
    return a;
}

lb_litert_padding lb_litert_prepare_padding(bool same, int32_t in, int32_t filter, int32_t stride,
                                            int32_t dilation)
{
    int64_t extent = ((int64_t)filter - 1) * dilation + 1;
    int64_t out = same ? ((int64_t)in + stride - 1) / stride : (in + stride - extent) / stride;
    if (out < 0)
        return (lb_litert_padding){0, 0, 0};
    int64_t total = (out - 1) * stride + extent - in;
    total = total > 0 ? total : 0;
    return (lb_litert_padding){(int32_t)out, (int32_t)(total / 2), (int32_t)(total % 2)};
}

/* ---- add, sub, mul ---- */

static int left_shift_of(lb_litert_type type)
{
    return type == LB_LITERT_S8 ? 20 : 15;
}

/* Three real numbers, each between 0 and 1. */
static lb_litert_status prepare_sum(lb_litert_profile profile, lb_litert_type type,
                                    const double real[3], lb_litert_quantization input1,
                                    lb_litert_quantization input2, lb_litert_quantization output,
                                    lb_litert_fused fused, lb_litert_add_params *params)
{
    lb_litert_per_tensor_quant q[3];
    for (int i = 0; i < 3; i++) {
        if (!(real[i] > 0 && real[i] < 1))
            return LB_LITERT_ARG_ERROR;
        q[i] = lb_litert_prepare_multiplier(profile, real[i]);
    }
    *params =
        (lb_litert_add_params){.input1_offset = negated(input1.zero_point),
                               .input1_multiplier = q[0].multiplier,
                               .input1_shift = q[0].shift,
                               .input2_offset = negated(input2.zero_point),
                               .input2_multiplier = q[1].multiplier,
                               .input2_shift = q[1].shift,
                               .left_shift = left_shift_of(type),
                               .output_offset = output.zero_point,
                               .output_multiplier = q[2].multiplier,
                               .output_shift = q[2].shift,
                               .activation = lb_litert_prepare_activation(type, fused, output)};
    return LB_LITERT_SUCCESS;
}

static float larger(float a, float b)
{
    return a > b ? a : b;
}

lb_litert_status lb_litert_prepare_add(lb_litert_profile profile, lb_litert_type type,
                                       lb_litert_quantization input1, lb_litert_quantization input2,
                                       lb_litert_quantization output, lb_litert_fused fused,
                                       lb_litert_add_params *params)
{
    double twice = 2 * (double)larger(input1.scale, input2.scale);
    double real[3] = {(double)input1.scale / twice, (double)input2.scale / twice,
                      twice / (ldexp(1, left_shift_of(type)) * (double)output.scale)};
    return prepare_sum(profile, type, real, input1, input2, output, fused, params);
}

lb_litert_status lb_litert_prepare_sub(lb_litert_profile profile, lb_litert_type type,
                                       lb_litert_quantization input1, lb_litert_quantization input2,
                                       lb_litert_quantization output, lb_litert_fused fused,
                                       lb_litert_add_params *params)
{
    float twice = 2 * larger(input1.scale, input2.scale);
    float scale1 = input1.scale / twice, scale2 = input2.scale / twice;
    float whole = (float)(1 << left_shift_of(type)) * output.scale, scale3 = twice / whole;
    double real[3] = {(double)scale1, (double)scale2, (double)scale3};
    return prepare_sum(profile, type, real, input1, input2, output, fused, params);
}

lb_litert_mul_params lb_litert_prepare_mul(lb_litert_profile profile, lb_litert_type type,
                                           lb_litert_quantization input1,
                                           lb_litert_quantization input2,
                                           lb_litert_quantization output, lb_litert_fused fused)
{
    lb_litert_per_tensor_quant q = lb_litert_prepare_multiplier(
        profile, (double)input1.scale * (double)input2.scale / (double)output.scale);
    return (lb_litert_mul_params){negated(input1.zero_point),
                                  negated(input2.zero_point),
                                  output.zero_point,
                                  q.multiplier,
                                  q.shift,
                                  lb_litert_prepare_activation(type, fused, output)};
}

/* ---- softmax ---- */

lb_litert_status lb_litert_prepare_softmax_s8(lb_litert_profile profile, float input_scale,
                                              float beta, lb_litert_per_tensor_quant *quant,
                                              int32_t *diff_min)
{
    double limit = profile == LB_LITERT_SINGLE ? 0x1p30 - 1 : 0x1p31 - 1;
    double real = (double)beta * (double)input_scale * 0x1p26;
    real = real < limit ? real : limit;
    if (!(real > 1))
        return LB_LITERT_ARG_ERROR;
    *quant = lb_litert_prepare_multiplier(profile, real);
    *diff_min = rounded(-floor(ldexp(31, 26 - quant->shift)));
    return LB_LITERT_SUCCESS;
}

lb_litert_per_tensor_quant lb_litert_prepare_softmax_s16(lb_litert_profile profile,
                                                         float input_scale, float beta)
{
    return lb_litert_prepare_multiplier(profile,
                                        (double)input_scale * (double)beta / (10.0 / 65535.0));
}

/* ---- logistic and tanh ---- */

lb_litert_status lb_litert_prepare_sigmoid_s8(lb_litert_quantization input,
                                              lb_litert_sigmoid_params *params)
{
    int shift;
    int32_t multiplier = rounded(frexp((double)input.scale * 0x1p27, &shift) * 0x1p31);
    double radius = floor(ldexp(15, 27 - shift));
    if (!(radius >= 0 && radius <= INT32_MAX))
        return LB_LITERT_ARG_ERROR;
    *params = (lb_litert_sigmoid_params){input.zero_point, (int32_t)radius, multiplier, shift};
    return LB_LITERT_SUCCESS;
}

/* Multiplier 0 where the scale is as good as a power of two and the shift one that the kernel
 * takes, up to most_shift. */
static lb_litert_per_tensor_quant prepare_sigmoid_s16(float input_scale, int32_t most_shift)
{
    float log_scale = (float)log((double)input_scale), log_two = (float)log(2.0);
    float inverse = 1 / log_two, exponent = log_scale * inverse;
    float nearest = roundf(exponent), apart = exponent - nearest;
    int32_t shift = lb_litert_clamp((int64_t)rounded((double)nearest) + 12, INT32_MIN, INT32_MAX);
    if (fabs((double)apart) < 0.001 && lb_litert_in(shift, 0, most_shift))
        return (lb_litert_per_tensor_quant){0, shift};
    double v = (double)input_scale * 4096 * 3;
    for (shift = 0; v <= 32767 / 2.0 && shift <= 30; shift++)
        v *= 2;
    return (lb_litert_per_tensor_quant){truncated(v), shift};
}

lb_litert_per_tensor_quant lb_litert_prepare_logistic_s16(float input_scale)
{
    return prepare_sigmoid_s16(input_scale, 0);
}

lb_litert_per_tensor_quant lb_litert_prepare_tanh_s16(float input_scale)
{
    return prepare_sigmoid_s16(input_scale, 1);
}

/* ---- Rectifiers ---- */

lb_litert_leaky_relu_params lb_litert_prepare_leaky_relu(lb_litert_profile profile,
                                                         lb_litert_quantization input, float alpha,
                                                         lb_litert_quantization output)
{
    float scaled = input.scale * alpha, below = scaled / output.scale;
    float above = input.scale / output.scale;
    lb_litert_per_tensor_quant a = lb_litert_prepare_multiplier(profile, (double)below);
    lb_litert_per_tensor_quant i = lb_litert_prepare_multiplier(profile, (double)above);
    return (lb_litert_leaky_relu_params){input.zero_point, output.zero_point, a.multiplier,
                                         a.shift,          i.multiplier,      i.shift};
}

lb_litert_relu_params lb_litert_prepare_relu(lb_litert_profile profile, lb_litert_type type,
                                             lb_litert_quantization input,
                                             lb_litert_quantization output)
{
    float scale = input.scale / output.scale;
    lb_litert_per_tensor_quant q = lb_litert_prepare_multiplier(profile, (double)scale);
    int32_t low = lb_litert_lowest(type);
    return (lb_litert_relu_params){
        input.zero_point,
        output.zero_point,
        q.multiplier,
        q.shift,
        {output.zero_point > low ? output.zero_point : low, lb_litert_highest(type)}};
}

void lb_litert_prepare_relu6(lb_litert_type type, lb_litert_quantization input, int32_t *zero,
                             int32_t *six)
{
    *zero = input.zero_point;
    *six = lb_litert_clamp(container_of(6, input), lb_litert_lowest(type), lb_litert_highest(type));
}

/* The upper 16 bits of a multiplier, rounded. */
static int32_t upper_half(int32_t multiplier)
{
    return multiplier >= INT32_MAX - (1 << 15) ? INT16_MAX : (multiplier + (1 << 15)) >> 16;
}

lb_litert_status lb_litert_prepare_hard_swish(lb_litert_profile profile,
                                              lb_litert_quantization input,
                                              lb_litert_quantization output,
                                              lb_litert_hard_swish_params *params)
{
    float high = (1.0f / 128.0f) * input.scale, unit = 3.0f / 32768.0f;
    float to_output = high / output.scale, to_reluish = high / unit;
    lb_litert_per_tensor_quant o = lb_litert_prepare_multiplier(profile, (double)to_output);
    lb_litert_per_tensor_quant r = lb_litert_prepare_multiplier(profile, (double)to_reluish);
    if (o.shift > 0)
        return LB_LITERT_ARG_ERROR;
    *params = (lb_litert_hard_swish_params){input.zero_point,         output.zero_point,
                                            upper_half(r.multiplier), r.shift,
                                            upper_half(o.multiplier), o.shift};
    return LB_LITERT_SUCCESS;
}
