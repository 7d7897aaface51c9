/* Our own implementation of LiteRT as a native port (lb_native.h): a row for each function, which
 * hands the tensors over in the shape of the interface that CMSIS-NN has too. The fixed-point
 * functions are no kernels there: they are called for each element. The built-in port links this,
 * and so does a library or a program with lb_kit.c. */
#include "lb_kit.h"
#include "lb_native.h"

#include "impl/litert/fixed.h"

#include <lb_litert.h>

#include <string.h>

enum { RANK = 4 };

typedef struct lite_call {
    const lb_native_call *call;
    int in_bits, out_bits; /* of elements */
    lb_litert_context ctx;
    lb_litert_activation limits;
    lb_litert_tile stride, padding, dilation;
    lb_litert_dims in, weights, out, bias;
    lb_litert_per_channel_quant channels;
    lb_litert_per_tensor_quant one;
} lite_call;

typedef lb_litert_status lite_fn(const lite_call *c);

/* A number of the configuration; of a key that the function does not have, 0. */
#define F(name) lb_native_number(c->call, #name, 0)

static void *data(const lite_call *c, unsigned place)
{
    const lb_native_tensor *t = c->call->tensor[place];
    return t ? t->data : NULL;
}

static bool is_s8(const lite_call *c)
{
    return c->in_bits == 8;
}

#define IN      data(c, LB_NATIVE_IN)
#define WEIGHTS data(c, LB_NATIVE_WEIGHTS)
#define BIAS    data(c, LB_NATIVE_BIAS)
#define OUT     data(c, LB_NATIVE_OUT)

/* Its last four dimensions; those in front that it lacks are 1. */
static lb_litert_dims dims(const lite_call *c, unsigned place)
{
    int32_t d[RANK] = {1, 1, 1, 1};
    const lb_native_tensor *t = c->call->tensor[place];
    for (uint32_t i = 0; t && i < t->rank; i++)
        d[RANK - t->rank + i] = (int32_t)t->shape[i];
    return (lb_litert_dims){d[0], d[1], d[2], d[3]};
}

static size_t count_of(const lb_native_tensor *t)
{
    size_t n = 1;
    for (uint32_t i = 0; i < t->rank; i++)
        n *= t->shape[i];
    return n;
}

static size_t count(const lite_call *c)
{
    return count_of(c->call->tensor[LB_NATIVE_IN]);
}

/* Rows along the last dimension. */
static int32_t row_size(const lite_call *c)
{
    return dims(c, LB_NATIVE_IN).c;
}

static int32_t rows(const lite_call *c)
{
    return (int32_t)(count(c) / (size_t)row_size(c));
}

/* The type of the bias says how wide sums are. */
static lb_litert_bias bias_of(const lite_call *c)
{
    return (lb_litert_bias){BIAS, F(accumulator_bits) == 32};
}

/* ---- With weights ---- */

static lb_litert_status conv_2d(const lite_call *c)
{
    const lb_litert_conv_params p = {F(input_offset), F(output_offset), c->stride,
                                     c->padding,      c->dilation,      c->limits};
    if (is_s8(c))
        return lb_litert_convolve_s8(&c->ctx, &p, &c->channels, &c->in, IN, &c->weights, WEIGHTS,
                                     &c->bias, BIAS, &c->out, OUT);
    const lb_litert_bias bias = bias_of(c);
    return lb_litert_convolve_s16(&c->ctx, &p, &c->channels, &c->in, IN, &c->weights, WEIGHTS,
                                  &c->bias, &bias, &c->out, OUT);
}

static lb_litert_status depthwise_conv_2d(const lite_call *c)
{
    const lb_litert_dw_conv_params p = {F(input_offset), F(output_offset), F(depth_multiplier),
                                        c->stride,       c->padding,       c->dilation,
                                        c->limits};
    return is_s8(c)
               ? lb_litert_depthwise_conv_s8(&c->ctx, &p, &c->channels, &c->in, IN, &c->weights,
                                             WEIGHTS, &c->bias, BIAS, &c->out, OUT)
               : lb_litert_depthwise_conv_s16(&c->ctx, &p, &c->channels, &c->in, IN, &c->weights,
                                              WEIGHTS, &c->bias, BIAS, &c->out, OUT);
}

static lb_litert_status transpose_conv(const lite_call *c)
{
    const lb_litert_transpose_conv_params p = {F(input_offset), F(output_offset), c->stride,
                                               c->padding, c->limits};
    return is_s8(c)
               ? lb_litert_transpose_conv_s8(&c->ctx, &p, &c->channels, &c->in, IN, &c->weights,
                                             WEIGHTS, &c->bias, BIAS, &c->out, OUT)
               : lb_litert_transpose_conv_s16(&c->ctx, &p, &c->channels, &c->in, IN, &c->weights,
                                              WEIGHTS, &c->bias, BIAS, &c->out, OUT);
}

/* Rows of the input, whatever its rank. */
static lb_litert_status fully_connected(const lite_call *c)
{
    const lb_litert_fc_params p = {F(input_offset), F(weights_offset), F(output_offset), c->limits};
    const int32_t units = c->weights.w, inputs = c->weights.c;
    const bool per_channel = c->call->tensor[LB_NATIVE_MULTIPLIER] != NULL;
    const int32_t in_rows = (int32_t)(count(c) / (size_t)inputs);
    const lb_litert_dims in = {in_rows, 1, 1, inputs}, filter = {inputs, 1, 1, units},
                         out = {in_rows, 1, 1, units}, list = {1, 1, 1, units};
    const lb_litert_bias bias = bias_of(c);
    if (is_s8(c) && per_channel)
        return lb_litert_fully_connected_per_channel_s8(&c->ctx, &p, &c->channels, &in, IN, &filter,
                                                        WEIGHTS, &list, BIAS, &out, OUT);
    if (is_s8(c))
        return lb_litert_fully_connected_s8(&c->ctx, &p, &c->one, &in, IN, &filter, WEIGHTS, &list,
                                            BIAS, &out, OUT);
    if (per_channel)
        return lb_litert_fully_connected_per_channel_s16(&c->ctx, &p, &c->channels, &in, IN,
                                                         &filter, WEIGHTS, &list, &bias, &out, OUT);
    return lb_litert_fully_connected_s16(&c->ctx, &p, &c->one, &in, IN, &filter, WEIGHTS, &list,
                                         &bias, &out, OUT);
}

/* ---- Windows and rows ---- */

static lb_litert_status average_pool_2d(const lite_call *c)
{
    const lb_litert_pool_params p = {c->stride, c->padding, c->limits};
    const lb_litert_dims filter = {1, F(filter_height), F(filter_width), 1};
    return is_s8(c) ? lb_litert_avgpool_s8(&c->ctx, &p, &c->in, IN, &filter, &c->out, OUT)
                    : lb_litert_avgpool_s16(&c->ctx, &p, &c->in, IN, &filter, &c->out, OUT);
}

static lb_litert_status max_pool_2d(const lite_call *c)
{
    const lb_litert_pool_params p = {c->stride, c->padding, c->limits};
    const lb_litert_dims filter = {1, F(filter_height), F(filter_width), 1};
    return is_s8(c) ? lb_litert_max_pool_s8(&c->ctx, &p, &c->in, IN, &filter, &c->out, OUT)
                    : lb_litert_max_pool_s16(&c->ctx, &p, &c->in, IN, &filter, &c->out, OUT);
}

static lb_litert_status softmax(const lite_call *c)
{
    const int32_t multiplier = F(input_multiplier), shift = F(input_left_shift);
    if (!is_s8(c))
        return lb_litert_softmax_s16(&c->ctx, IN, rows(c), row_size(c), multiplier, shift, NULL,
                                     OUT);
    return c->out_bits == 8 ? lb_litert_softmax_s8(&c->ctx, IN, rows(c), row_size(c), multiplier,
                                                   shift, F(diff_min), OUT)
                            : lb_litert_softmax_s8_s16(&c->ctx, IN, rows(c), row_size(c),
                                                       multiplier, shift, F(diff_min), OUT);
}

static lb_litert_status mean(const lite_call *c)
{
    const lb_native_tensor *in = c->call->tensor[LB_NATIVE_IN];
    const int32_t axes = (int32_t)count_of(c->call->tensor[LB_NATIVE_AXIS]);
    const lb_litert_mean_params p = {F(input_zero_point), F(output_zero_point), F(multiplier),
                                     F(shift), F(sum) != 0};
    int32_t shape[RANK] = {0};
    for (uint32_t d = 0; d < in->rank; d++)
        shape[d] = (int32_t)in->shape[d];
    return is_s8(c) ? lb_litert_mean_s8(&c->ctx, &p, (int32_t)in->rank, shape, IN, axes,
                                        data(c, LB_NATIVE_AXIS), OUT)
                    : lb_litert_mean_s16(&c->ctx, &p, (int32_t)in->rank, shape, IN, axes,
                                         data(c, LB_NATIVE_AXIS), OUT);
}

static lb_litert_status l2_normalization(const lite_call *c)
{
    return lb_litert_l2_normalization_s8(&c->ctx, IN, rows(c), row_size(c), F(input_zero_point),
                                         OUT);
}

/* ---- Element by element ---- */

/* The two operands and the output, as the kernels of two inputs take them. */
#define BINARY(function, c, p, a, b)                                                               \
    (function)(&(c)->ctx, (p), (a), data((c), LB_NATIVE_IN1), (b), data((c), LB_NATIVE_IN2),       \
               &(c)->out, data((c), LB_NATIVE_OUT))

static lb_litert_add_params add_params(const lite_call *c)
{
    return (lb_litert_add_params){
        F(input1_offset),     F(input1_multiplier), F(input1_shift), F(input2_offset),
        F(input2_multiplier), F(input2_shift),      F(left_shift),   F(output_offset),
        F(output_multiplier), F(output_shift),      c->limits};
}

static lb_litert_status add(const lite_call *c)
{
    const lb_litert_add_params p = add_params(c);
    const lb_litert_dims a = dims(c, LB_NATIVE_IN1), b = dims(c, LB_NATIVE_IN2);
    return is_s8(c) ? BINARY(lb_litert_add_s8, c, &p, &a, &b)
                    : BINARY(lb_litert_add_s16, c, &p, &a, &b);
}

static lb_litert_status sub(const lite_call *c)
{
    const lb_litert_add_params p = add_params(c);
    const lb_litert_dims a = dims(c, LB_NATIVE_IN1), b = dims(c, LB_NATIVE_IN2);
    return is_s8(c) ? BINARY(lb_litert_sub_s8, c, &p, &a, &b)
                    : BINARY(lb_litert_sub_s16, c, &p, &a, &b);
}

static lb_litert_status mul(const lite_call *c)
{
    const lb_litert_mul_params p = {F(input1_offset),     F(input2_offset), F(output_offset),
                                    F(output_multiplier), F(output_shift),  c->limits};
    const lb_litert_dims a = dims(c, LB_NATIVE_IN1), b = dims(c, LB_NATIVE_IN2);
    return is_s8(c) ? BINARY(lb_litert_mul_s8, c, &p, &a, &b)
                    : BINARY(lb_litert_mul_s16, c, &p, &a, &b);
}

static lb_litert_sigmoid_params sigmoid_params(const lite_call *c)
{
    return (lb_litert_sigmoid_params){F(input_zero_point), F(input_range_radius),
                                      F(input_multiplier), F(input_left_shift)};
}

static lb_litert_status logistic(const lite_call *c)
{
    const lb_litert_sigmoid_params p = sigmoid_params(c);
    return is_s8(c) ? lb_litert_logistic_s8(&c->ctx, &p, IN, count(c), OUT)
                    : lb_litert_logistic_s16(&c->ctx, F(input_multiplier), F(input_left_shift), IN,
                                             count(c), OUT);
}

static lb_litert_status tangent(const lite_call *c)
{
    const lb_litert_sigmoid_params p = sigmoid_params(c);
    return is_s8(c) ? lb_litert_tanh_s8(&c->ctx, &p, IN, count(c), OUT)
                    : lb_litert_tanh_s16(&c->ctx, F(input_multiplier), F(input_left_shift), IN,
                                         count(c), OUT);
}

static lb_litert_status leaky_relu(const lite_call *c)
{
    const lb_litert_leaky_relu_params p = {F(input_zero_point),    F(output_zero_point),
                                           F(alpha_multiplier),    F(alpha_shift),
                                           F(identity_multiplier), F(identity_shift)};
    return is_s8(c) ? lb_litert_leaky_relu_s8(&c->ctx, &p, IN, count(c), OUT)
                    : lb_litert_leaky_relu_s16(&c->ctx, &p, IN, count(c), OUT);
}

static lb_litert_status relu(const lite_call *c)
{
    const lb_litert_relu_params p = {F(input_zero_point), F(output_zero_point), F(multiplier),
                                     F(shift), c->limits};
    return is_s8(c) ? lb_litert_relu_s8(&c->ctx, &p, IN, count(c), OUT)
                    : lb_litert_relu_s16(&c->ctx, &p, IN, count(c), OUT);
}

static lb_litert_status relu6(const lite_call *c)
{
    return is_s8(c) ? lb_litert_relu6_s8(&c->ctx, F(zero), F(six), IN, count(c), OUT)
                    : lb_litert_relu6_s16(&c->ctx, F(zero), F(six), IN, count(c), OUT);
}

static lb_litert_status hard_swish(const lite_call *c)
{
    const lb_litert_hard_swish_params p = {F(input_zero_point),   F(output_zero_point),
                                           F(reluish_multiplier), F(reluish_exponent),
                                           F(output_multiplier),  F(output_exponent)};
    return lb_litert_hard_swish_s8(&c->ctx, &p, IN, count(c), OUT);
}

static lb_litert_type type_of(int bits)
{
    return bits == 8 ? LB_LITERT_S8 : bits == 16 ? LB_LITERT_S16 : LB_LITERT_S32;
}

static lb_litert_status requantize(const lite_call *c)
{
    const lb_litert_requantize_params p = {F(multiplier), F(shift), F(input_zero_point),
                                           F(output_zero_point)};
    return lb_litert_requantize(&c->ctx, &p, type_of(c->in_bits), IN, count(c),
                                type_of(c->out_bits), OUT);
}

/* ---- Fixed-point functions ---- */

/* One result of the elements of both operands (b: 0 without a second one); *second: another. */
typedef int32_t element_fn(const lite_call *c, int64_t a, int32_t b, int32_t *second);

static int32_t high_of_product(const lite_call *c, int64_t a, int32_t b, int32_t *second)
{
    (void)second;
    return c->in_bits == 16 ? lb_litert_srdhm16((int32_t)a, b) : lb_litert_srdhm((int32_t)a, b);
}

static int32_t divided(const lite_call *c, int64_t a, int32_t b, int32_t *second)
{
    (void)b, (void)second;
    return lb_litert_rdiv((int32_t)a, F(exponent));
}

static int32_t scaled(const lite_call *c, int64_t a, int32_t b, int32_t *second)
{
    (void)b, (void)second;
    return lb_litert_scale32(c->ctx.profile, (int32_t)a, F(multiplier), F(shift));
}

static int32_t scaled_wide(const lite_call *c, int64_t a, int32_t b, int32_t *second)
{
    (void)b, (void)second;
    return lb_litert_scale64(a, F(multiplier), F(shift));
}

#define OF_ONE(name, result)                                                                       \
    static int32_t name(const lite_call *c, int64_t a, int32_t b, int32_t *second)                 \
    {                                                                                              \
        (void)c, (void)b, (void)second;                                                            \
        return result;                                                                             \
    }
OF_ONE(exp_q5, lb_litert_exp_neg((int32_t)a, 26))
OF_ONE(exp_q4, lb_litert_exp_neg((int32_t)a, 27))
OF_ONE(one_over, lb_litert_one_over_one_plus((int32_t)a))
OF_ONE(one_minus_over, lb_litert_one_minus_over_one_plus((int32_t)a))
OF_ONE(logistic_q4, lb_litert_logistic4((int32_t)a))
OF_ONE(tanh_q4, lb_litert_tanh4((int32_t)a))

static int32_t reciprocal(const lite_call *c, int64_t a, int32_t b, int32_t *second)
{
    int bits_over_unit;
    int32_t result = lb_litert_reciprocal((int32_t)a, &bits_over_unit);
    (void)c, (void)b;
    *second = bits_over_unit;
    return result;
}

static int32_t inverse_root(const lite_call *c, int64_t a, int32_t b, int32_t *second)
{
    lb_litert_per_tensor_quant q = lb_litert_inverse_square_root((int32_t)a);
    (void)c, (void)b;
    *second = q.shift;
    return q.multiplier;
}

static int64_t load(const lb_native_tensor *t, size_t i)
{
    switch (t->type) {
    case LB_NATIVE_S16:
        return ((const int16_t *)t->data)[i];
    case LB_NATIVE_S64:
        return ((const int64_t *)t->data)[i];
    default:
        return ((const int32_t *)t->data)[i];
    }
}

static void store(const lb_native_tensor *t, size_t i, int32_t value)
{
    if (t->type == LB_NATIVE_S16)
        ((int16_t *)t->data)[i] = (int16_t)value;
    else
        ((int32_t *)t->data)[i] = value;
}

/* ---- The functions ---- */

typedef struct row {
    const char *name;
    lite_fn *kernel;     /* or */
    element_fn *element; /* for each element */
    int in_bits, out_bits;
    unsigned second; /* where its second result goes */
} row;

enum { NO_SECOND = LB_NATIVE_PLACES };

#define KERNEL(name, function, in, out)                                                            \
    {                                                                                              \
        LB_NATIVE_NAME(litert_##name), (function), NULL, (in), (out), NO_SECOND                    \
    }
#define ELEMENTS(name, function, in, out, second)                                                  \
    {                                                                                              \
        LB_NATIVE_NAME(litert_##name), NULL, (function), (in), (out), (second)                     \
    }

static const row rows_of[] = {
    KERNEL(conv_2d_s8, conv_2d, 8, 8),
    KERNEL(depthwise_conv_2d_s8, depthwise_conv_2d, 8, 8),
    KERNEL(transpose_conv_s8, transpose_conv, 8, 8),
    KERNEL(fully_connected_s8, fully_connected, 8, 8),
    KERNEL(fully_connected_per_channel_s8, fully_connected, 8, 8),
    KERNEL(average_pool_2d_s8, average_pool_2d, 8, 8),
    KERNEL(max_pool_2d_s8, max_pool_2d, 8, 8),
    KERNEL(add_s8, add, 8, 8),
    KERNEL(sub_s8, sub, 8, 8),
    KERNEL(mul_s8, mul, 8, 8),
    KERNEL(leaky_relu_s8, leaky_relu, 8, 8),
    KERNEL(relu_s8, relu, 8, 8),
    KERNEL(relu6_s8, relu6, 8, 8),
    KERNEL(mean_s8, mean, 8, 8),
    KERNEL(logistic_s8, logistic, 8, 8),
    KERNEL(tanh_s8, tangent, 8, 8),
    KERNEL(conv_2d_s16, conv_2d, 16, 16),
    KERNEL(depthwise_conv_2d_s16, depthwise_conv_2d, 16, 16),
    KERNEL(transpose_conv_s16, transpose_conv, 16, 16),
    KERNEL(fully_connected_s16, fully_connected, 16, 16),
    KERNEL(fully_connected_per_channel_s16, fully_connected, 16, 16),
    KERNEL(average_pool_2d_s16, average_pool_2d, 16, 16),
    KERNEL(max_pool_2d_s16, max_pool_2d, 16, 16),
    KERNEL(add_s16, add, 16, 16),
    KERNEL(sub_s16, sub, 16, 16),
    KERNEL(mul_s16, mul, 16, 16),
    KERNEL(leaky_relu_s16, leaky_relu, 16, 16),
    KERNEL(relu_s16, relu, 16, 16),
    KERNEL(relu6_s16, relu6, 16, 16),
    KERNEL(mean_s16, mean, 16, 16),
    KERNEL(logistic_s16, logistic, 16, 16),
    KERNEL(tanh_s16, tangent, 16, 16),
    KERNEL(softmax_s8, softmax, 8, 8),
    KERNEL(softmax_s8_s16, softmax, 8, 16),
    KERNEL(softmax_s16, softmax, 16, 16),
    KERNEL(hard_swish_s8, hard_swish, 8, 8),
    KERNEL(requantize_s8_s8, requantize, 8, 8),
    KERNEL(requantize_s16_s8, requantize, 16, 8),
    KERNEL(requantize_s32_s8, requantize, 32, 8),
    KERNEL(requantize_s8_s16, requantize, 8, 16),
    KERNEL(requantize_s16_s16, requantize, 16, 16),
    KERNEL(requantize_s32_s16, requantize, 32, 16),
    KERNEL(requantize_s8_s32, requantize, 8, 32),
    KERNEL(requantize_s16_s32, requantize, 16, 32),
    KERNEL(l2_normalization_s8, l2_normalization, 8, 8),
    ELEMENTS(doubling_high_mul_s32, high_of_product, 32, 32, NO_SECOND),
    ELEMENTS(doubling_high_mul_s16, high_of_product, 16, 16, NO_SECOND),
    ELEMENTS(rounding_divide_by_pot_s32, divided, 32, 32, NO_SECOND),
    ELEMENTS(scale_s32, scaled, 32, 32, NO_SECOND),
    ELEMENTS(scale_smaller_than_one_s32, scaled, 32, 32, NO_SECOND),
    ELEMENTS(scale_greater_than_one_s32, scaled, 32, 32, NO_SECOND),
    ELEMENTS(scale_s64, scaled_wide, 64, 32, NO_SECOND),
    ELEMENTS(exp_on_negative_q5, exp_q5, 32, 32, NO_SECOND),
    ELEMENTS(exp_on_negative_q4, exp_q4, 32, 32, NO_SECOND),
    ELEMENTS(one_over_one_plus_x, one_over, 32, 32, NO_SECOND),
    ELEMENTS(one_minus_x_over_one_plus_x, one_minus_over, 32, 32, NO_SECOND),
    ELEMENTS(logistic_q4, logistic_q4, 32, 32, NO_SECOND),
    ELEMENTS(tanh_q4, tanh_q4, 32, 32, NO_SECOND),
    ELEMENTS(reciprocal_q12, reciprocal, 32, 32, LB_NATIVE_BITS_OVER_UNIT),
    ELEMENTS(inverse_square_root, inverse_root, 32, 32, LB_NATIVE_SHIFT),
};
enum { ROWS = sizeof rows_of / sizeof rows_of[0] };

static const row *row_of(const char *function)
{
    for (unsigned i = 0; i < ROWS; i++)
        if (strcmp(rows_of[i].name, function) == 0)
            return &rows_of[i];
    return NULL;
}

int lb_native_has(const char *function)
{
    return row_of(function) != NULL;
}

static void call_each(const lite_call *c, const row *r)
{
    const lb_native_tensor *b = c->call->tensor[LB_NATIVE_IN2];
    const lb_native_tensor *a = c->call->tensor[b ? LB_NATIVE_IN1 : LB_NATIVE_IN];
    const lb_native_tensor *second =
        r->second < LB_NATIVE_PLACES ? c->call->tensor[r->second] : NULL;
    for (size_t i = 0; i < count_of(a); i++) {
        int32_t other = 0;
        const int32_t result = r->element(c, load(a, i), b ? (int32_t)load(b, i) : 0, &other);
        store(c->call->tensor[LB_NATIVE_OUT], i, result);
        if (second)
            store(second, i, other);
    }
}

int lb_native_run(const lb_native_call *call)
{
    const row *r = row_of(call->function);
    lite_call made = {.call = call, .in_bits = r->in_bits, .out_bits = r->out_bits}, *c = &made;
    c->ctx.profile =
        strcmp(call->profile, "litert-single") == 0 ? LB_LITERT_SINGLE : LB_LITERT_DOUBLE;
    c->limits = (lb_litert_activation){F(activation_min), F(activation_max)};
    c->stride = (lb_litert_tile){F(stride_width), F(stride_height)};
    c->padding = (lb_litert_tile){F(padding_left), F(padding_top)};
    c->dilation = (lb_litert_tile){F(dilation_width), F(dilation_height)};
    c->in = dims(c, LB_NATIVE_IN);
    c->weights = dims(c, LB_NATIVE_WEIGHTS);
    c->out = dims(c, LB_NATIVE_OUT);
    c->bias = (lb_litert_dims){1, 1, 1, c->out.c};
    c->channels =
        (lb_litert_per_channel_quant){data(c, LB_NATIVE_MULTIPLIER), data(c, LB_NATIVE_SHIFT)};
    c->one = (lb_litert_per_tensor_quant){F(multiplier), F(shift)};
    if (r->kernel) /* it refuses nothing that is defined; -1 would be LB_NATIVE_DECLINED */
        return -(int)r->kernel(c);
    call_each(c, r);
    return LB_NATIVE_DONE;
}

const lb_kit_port lb_port = {"lastbit's own implementation of LiteRT, native", LB_KIT_BOTH_LITERT,
                             0};
