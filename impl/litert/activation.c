/* Kernels of one input, element by element: logistic, tanh, leaky_relu, relu, relu6, hard_swish,
 * requantize (litert.13 to litert.18). */
#include "internal.h"
#include "tables.h"

/* Makes outputs of inputs, in their place: within the range of the output's type. */
typedef void map_fn(const void *params, lb_litert_profile profile, int32_t *x, size_t count);

/* Fewer elements are not worth a table of all 256 results. */
enum { WORTH_A_TABLE = 512, ALL_S8 = 256 };

/* All results of an int8, then a look-up for each element. */
static void run_table(const void *params, lb_litert_profile profile, map_fn *map,
                      const int8_t *input, size_t size, lb_litert_type to, void *output)
{
    int32_t table[ALL_S8], block[LB_LITERT_BLOCK];
    for (int i = 0; i < ALL_S8; i++)
        table[i] = i + INT8_MIN;
    map(params, profile, table, ALL_S8);
    for (size_t at = 0, count; at < size; at += count) {
        count = size - at < LB_LITERT_BLOCK ? size - at : LB_LITERT_BLOCK;
        for (size_t i = 0; i < count; i++)
            block[i] = table[input[at + i] - INT8_MIN];
        lb_litert_store(to, output, at, count, block);
    }
}

static lb_litert_status run(const lb_litert_context *ctx, bool params_hold, const void *params,
                            map_fn *map, lb_litert_type from, const void *input, size_t size,
                            lb_litert_type to, void *output)
{
    int32_t block[LB_LITERT_BLOCK];
    lb_litert_profile profile = lb_litert_profile_of(ctx);
    if (!params_hold || !input || !output)
        return LB_LITERT_ARG_ERROR;
    if (from == LB_LITERT_S8 && size >= WORTH_A_TABLE) {
        run_table(params, profile, map, input, size, to, output);
        return LB_LITERT_SUCCESS;
    }
    for (size_t at = 0, count; at < size; at += count) {
        count = size - at < LB_LITERT_BLOCK ? size - at : LB_LITERT_BLOCK;
        lb_litert_load(from, input, at, count, block);
        map(params, profile, block, count);
        lb_litert_store(to, output, at, count, block);
    }
    return LB_LITERT_SUCCESS;
}

/* ---- logistic and tanh of int8 ---- */

/* The ends of the output beyond the radius; else Q4.27, and the bits that go. */
static inline void sigmoid(const lb_litert_sigmoid_params *p, lb_litert_profile profile, int32_t *x,
                           size_t count, bool is_tanh)
{
    for (size_t i = 0; i < count; i++) {
        int64_t v = (int64_t)x[i] - p->input_zero_point;
        if (v <= -(int64_t)p->input_range_radius) {
            x[i] = INT8_MIN;
        } else if (v >= p->input_range_radius) {
            x[i] = INT8_MAX;
        } else {
            int32_t y = lb_litert_scale32(profile, lb_litert_wrap32(v), p->input_multiplier,
                                          p->input_left_shift);
            y = is_tanh ? lb_litert_rdiv(lb_litert_tanh4(y), 24)
                        : lb_litert_rdiv(lb_litert_logistic4(y), 23) - 128;
            x[i] = lb_litert_clamp(y, INT8_MIN, INT8_MAX);
        }
    }
}

static void logistic(const void *params, lb_litert_profile profile, int32_t *x, size_t count)
{
    sigmoid(params, profile, x, count, false);
}

static void hyperbolic_tangent(const void *params, lb_litert_profile profile, int32_t *x,
                               size_t count)
{
    sigmoid(params, profile, x, count, true);
}

static bool sigmoid_holds(const lb_litert_sigmoid_params *p)
{
    return p && lb_litert_scales(p->input_multiplier, p->input_left_shift, -31, 30);
}

lb_litert_status lb_litert_logistic_s8(const lb_litert_context *ctx,
                                       const lb_litert_sigmoid_params *params, const int8_t *input,
                                       size_t size, int8_t *output)
{
    return run(ctx, sigmoid_holds(params), params, logistic, LB_LITERT_S8, input, size,
               LB_LITERT_S8, output);
}

lb_litert_status lb_litert_tanh_s8(const lb_litert_context *ctx,
                                   const lb_litert_sigmoid_params *params, const int8_t *input,
                                   size_t size, int8_t *output)
{
    return run(ctx, sigmoid_holds(params), params, hyperbolic_tangent, LB_LITERT_S8, input, size,
               LB_LITERT_S8, output);
}

/* ---- logistic and tanh of int16 ---- */

/* Between entries of the table; `bits` of the number lie between two of them. */
static inline int64_t interpolated(int64_t v, int bits, int64_t end)
{
    int64_t u = v < 0 ? -v : v, h = u >> bits, rest = u & (((int64_t)1 << bits) - 1);
    const uint16_t *entry = lb_litert_sigmoid_table + h;
    return h >= 255 ? end : ((int64_t)entry[0] << bits) + rest * (entry[1] - entry[0]);
}

static inline int64_t scaled_s16(const lb_litert_per_tensor_quant *q, int32_t x)
{
    bool power = q->multiplier == 0;
    int64_t m = power ? (int64_t)3 << q->shift : q->multiplier;
    int32_t right = power ? 0 : q->shift;
    int64_t v = x * m + (right > 0 ? (int64_t)1 << (right - 1) : 0);
    return lb_litert_wrap32(v) >> right;
}

static void logistic_s16(const void *params, lb_litert_profile profile, int32_t *x, size_t count)
{
    (void)profile;
    for (size_t i = 0; i < count; i++) {
        int64_t v = scaled_s16(params, x[i]);
        int64_t t = interpolated(v, 9, (int64_t)32767 * 1024);
        x[i] = (int32_t)((v >= 0 ? t + 512 : (1 << 25) - t + 511) >> 10);
    }
}

static void tanh_s16(const void *params, lb_litert_profile profile, int32_t *x, size_t count)
{
    (void)profile;
    for (size_t i = 0; i < count; i++) {
        int64_t v = scaled_s16(params, x[i]);
        int64_t t = interpolated(v, 8, (int64_t)65535 * 256);
        x[i] = (int32_t)((v >= 0 ? t - (1 << 23) + 128 : -t + (1 << 23) + 127) >> 8);
    }
}

static lb_litert_status run_sigmoid_s16(const lb_litert_context *ctx, int32_t multiplier,
                                        int32_t shift, map_fn *map, const int16_t *input,
                                        size_t size, int16_t *output)
{
    lb_litert_per_tensor_quant q = {multiplier, shift};
    return run(ctx, lb_litert_scales(multiplier, shift, 0, 30), &q, map, LB_LITERT_S16, input, size,
               LB_LITERT_S16, output);
}

lb_litert_status lb_litert_logistic_s16(const lb_litert_context *ctx, int32_t input_multiplier,
                                        int32_t input_left_shift, const int16_t *input, size_t size,
                                        int16_t *output)
{
    return run_sigmoid_s16(ctx, input_multiplier, input_left_shift, logistic_s16, input, size,
                           output);
}

lb_litert_status lb_litert_tanh_s16(const lb_litert_context *ctx, int32_t input_multiplier,
                                    int32_t input_left_shift, const int16_t *input, size_t size,
                                    int16_t *output)
{
    return run_sigmoid_s16(ctx, input_multiplier, input_left_shift, tanh_s16, input, size, output);
}

/* ---- leaky_relu ---- */

static inline void leaky_relu(const lb_litert_leaky_relu_params *p, lb_litert_profile profile,
                              int32_t *x, size_t count, lb_litert_type type)
{
    bool negative = p->alpha_multiplier < 0;
    int32_t alpha = negative ? -p->alpha_multiplier : p->alpha_multiplier;
    for (size_t i = 0; i < count; i++) {
        int32_t v = lb_litert_wrap32((int64_t)x[i] - p->input_zero_point);
        int64_t y = v >= 0
                        ? lb_litert_scale32(profile, v, p->identity_multiplier, p->identity_shift)
                        : lb_litert_scale32(profile, v, alpha, p->alpha_shift);
        y = v < 0 && negative ? -y : y;
        x[i] = lb_litert_clamp(p->output_zero_point + y, lb_litert_lowest(type),
                               lb_litert_highest(type));
    }
}

static void leaky_relu_s8(const void *params, lb_litert_profile profile, int32_t *x, size_t count)
{
    leaky_relu(params, profile, x, count, LB_LITERT_S8);
}

static void leaky_relu_s16(const void *params, lb_litert_profile profile, int32_t *x, size_t count)
{
    leaky_relu(params, profile, x, count, LB_LITERT_S16);
}

static bool leaky_relu_holds(const lb_litert_leaky_relu_params *p)
{
    return p && p->alpha_multiplier > INT32_MIN && lb_litert_in(p->alpha_shift, -31, 30) &&
           lb_litert_scales(p->identity_multiplier, p->identity_shift, -31, 30);
}

lb_litert_status lb_litert_leaky_relu_s8(const lb_litert_context *ctx,
                                         const lb_litert_leaky_relu_params *params,
                                         const int8_t *input, size_t size, int8_t *output)
{
    return run(ctx, leaky_relu_holds(params), params, leaky_relu_s8, LB_LITERT_S8, input, size,
               LB_LITERT_S8, output);
}

lb_litert_status lb_litert_leaky_relu_s16(const lb_litert_context *ctx,
                                          const lb_litert_leaky_relu_params *params,
                                          const int16_t *input, size_t size, int16_t *output)
{
    return run(ctx, leaky_relu_holds(params), params, leaky_relu_s16, LB_LITERT_S16, input, size,
               LB_LITERT_S16, output);
}

/* ---- relu, relu6 and requantize ---- */

/* relu is requantization with limits of its own. */
static void requantize(const void *params, lb_litert_profile profile, int32_t *x, size_t count)
{
    const lb_litert_relu_params *p = params;
    for (size_t i = 0; i < count; i++) {
        int32_t v = lb_litert_wrap32((int64_t)x[i] - p->input_zero_point);
        int64_t y = lb_litert_scale32(profile, v, p->multiplier, p->shift);
        x[i] = lb_litert_clamp(y + p->output_zero_point, p->activation.min, p->activation.max);
    }
}

static bool relu_holds(const lb_litert_relu_params *p, lb_litert_type type)
{
    return p && lb_litert_scales(p->multiplier, p->shift, -31, 30) &&
           lb_litert_limits_hold(p->activation, type);
}

lb_litert_status lb_litert_relu_s8(const lb_litert_context *ctx,
                                   const lb_litert_relu_params *params, const int8_t *input,
                                   size_t size, int8_t *output)
{
    return run(ctx, relu_holds(params, LB_LITERT_S8), params, requantize, LB_LITERT_S8, input, size,
               LB_LITERT_S8, output);
}

lb_litert_status lb_litert_relu_s16(const lb_litert_context *ctx,
                                    const lb_litert_relu_params *params, const int16_t *input,
                                    size_t size, int16_t *output)
{
    return run(ctx, relu_holds(params, LB_LITERT_S16), params, requantize, LB_LITERT_S16, input,
               size, LB_LITERT_S16, output);
}

lb_litert_status lb_litert_requantize(const lb_litert_context *ctx,
                                      const lb_litert_requantize_params *params,
                                      lb_litert_type input_type, const void *input, size_t size,
                                      lb_litert_type output_type, void *output)
{
    if (!params || (input_type == LB_LITERT_S32 && output_type == LB_LITERT_S32))
        return LB_LITERT_ARG_ERROR;
    lb_litert_relu_params p = {params->input_zero_point,
                               params->output_zero_point,
                               params->multiplier,
                               params->shift,
                               {lb_litert_lowest(output_type), lb_litert_highest(output_type)}};
    return run(ctx, relu_holds(&p, output_type), &p, requantize, input_type, input, size,
               output_type, output);
}

static void limits(const void *params, lb_litert_profile profile, int32_t *x, size_t count)
{
    const lb_litert_activation *p = params;
    (void)profile;
    for (size_t i = 0; i < count; i++)
        x[i] = lb_litert_clamp(x[i], p->min, p->max);
}

lb_litert_status lb_litert_relu6_s8(const lb_litert_context *ctx, int32_t zero, int32_t six,
                                    const int8_t *input, size_t size, int8_t *output)
{
    lb_litert_activation a = {zero, six};
    return run(ctx, lb_litert_limits_hold(a, LB_LITERT_S8), &a, limits, LB_LITERT_S8, input, size,
               LB_LITERT_S8, output);
}

lb_litert_status lb_litert_relu6_s16(const lb_litert_context *ctx, int32_t zero, int32_t six,
                                     const int16_t *input, size_t size, int16_t *output)
{
    lb_litert_activation a = {zero, six};
    return run(ctx, lb_litert_limits_hold(a, LB_LITERT_S16), &a, limits, LB_LITERT_S16, input, size,
               LB_LITERT_S16, output);
}

/* ---- hard_swish ---- */

/* The part of the input that is kept, 0 to 32767 for 0 to 1. */
static int32_t reluish(const lb_litert_hard_swish_params *p, int32_t high)
{
    int32_t exponent = p->reluish_exponent, r = high;
    if (exponent > 0)
        r = lb_litert_sat16((int64_t)r * ((int64_t)1 << (exponent - 1)));
    r = lb_litert_srdhm16(r, p->reluish_multiplier);
    if (exponent > 0)
        r = lb_litert_sat16(2 * r);
    else if (exponent < 0)
        r = lb_litert_rdiv(r, -exponent);
    return (r + 32768) >> 1;
}

static void hard_swish(const void *params, lb_litert_profile profile, int32_t *x, size_t count)
{
    const lb_litert_hard_swish_params *p = params;
    (void)profile;
    for (size_t i = 0; i < count; i++) {
        int32_t high = (x[i] - p->input_zero_point) * 128;
        int32_t product = reluish(p, high) * lb_litert_srdhm16(high, p->output_multiplier);
        int32_t v = lb_litert_rdiv(product / 32768, -p->output_exponent) + p->output_zero_point;
        x[i] = lb_litert_clamp(v, INT8_MIN, INT8_MAX);
    }
}

lb_litert_status lb_litert_hard_swish_s8(const lb_litert_context *ctx,
                                         const lb_litert_hard_swish_params *params,
                                         const int8_t *input, size_t size, int8_t *output)
{
    const lb_litert_hard_swish_params *p = params;
    bool holds = p && lb_litert_in(p->input_zero_point, INT8_MIN, INT8_MAX) &&
                 lb_litert_in(p->output_zero_point, INT8_MIN, INT8_MAX) &&
                 lb_litert_in(p->reluish_multiplier, INT16_MIN, INT16_MAX) &&
                 lb_litert_in(p->output_multiplier, INT16_MIN, INT16_MAX) &&
                 lb_litert_in(p->reluish_exponent, -15, 31) &&
                 lb_litert_in(p->output_exponent, -15, 0);
    return run(ctx, holds, params, hard_swish, LB_LITERT_S8, input, size, LB_LITERT_S8, output);
}
