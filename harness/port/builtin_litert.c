/* Calls of our own implementation of LiteRT: a row for each function, which hands the tensors over
 * as they are. Its fixed-point functions are no kernels there: they are called for each element. */
#include "harness/port/builtin_litert.h"

#include "reference/litert/fields.h"

#include "impl/litert/fixed.h"

#include <lb_litert.h>

#include <string.h>

typedef struct lite_call {
    lb_call *call;
    lb_litert_context ctx;
    lb_litert_activation limits;
    lb_litert_tile stride, padding, dilation;
    lb_litert_dims in, weights, out, bias;
    lb_litert_per_channel_quant channels;
    lb_litert_per_tensor_quant one;
} lite_call;

typedef lb_litert_status lite_fn(const lite_call *c);

#define F(name) lb_lite_field_of(c->call, LB_LITE_##name)

static void *data(const lite_call *c, lb_role role)
{
    const lb_tensor *t = c->call->tensor[role];
    return t ? t->data.mem.ptr : NULL;
}

static bool is_s8(const lite_call *c)
{
    return c->call->kernel->in_type == LB_S8;
}

#define IN      data(c, LB_ROLE_IN)
#define WEIGHTS data(c, LB_ROLE_WEIGHTS)
#define BIAS    data(c, LB_ROLE_BIAS)
#define OUT     data(c, LB_ROLE_OUT)

/* Its last four dimensions; those in front that it lacks are 1. */
static lb_litert_dims dims(const lite_call *c, lb_role role)
{
    int32_t d[LB_MAX_RANK] = {1, 1, 1, 1};
    const lb_tensor *t = c->call->tensor[role];
    for (uint32_t i = 0; t && i < t->rank; i++)
        d[LB_MAX_RANK - t->rank + i] = (int32_t)t->shape[i];
    return (lb_litert_dims){d[0], d[1], d[2], d[3]};
}

static size_t count(const lite_call *c)
{
    return lb_element_count(c->call->tensor[LB_ROLE_IN]);
}

/* Rows along the last dimension. */
static int32_t row_size(const lite_call *c)
{
    return dims(c, LB_ROLE_IN).c;
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
    const bool per_channel = c->call->tensor[LB_ROLE_MULTIPLIER] != NULL;
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
    return c->call->kernel->out_type == LB_S8
               ? lb_litert_softmax_s8(&c->ctx, IN, rows(c), row_size(c), multiplier, shift,
                                      F(diff_min), OUT)
               : lb_litert_softmax_s8_s16(&c->ctx, IN, rows(c), row_size(c), multiplier, shift,
                                          F(diff_min), OUT);
}

static lb_litert_status mean(const lite_call *c)
{
    const lb_tensor *in = c->call->tensor[LB_ROLE_IN];
    const int32_t axes = (int32_t)lb_element_count(c->call->tensor[LB_ROLE_AXIS]);
    const lb_litert_mean_params p = {F(input_zero_point), F(output_zero_point), F(multiplier),
                                     F(shift), F(sum) != 0};
    int32_t shape[LB_MAX_RANK] = {0};
    for (uint32_t d = 0; d < in->rank; d++)
        shape[d] = (int32_t)in->shape[d];
    return is_s8(c) ? lb_litert_mean_s8(&c->ctx, &p, (int32_t)in->rank, shape, IN, axes,
                                        data(c, LB_ROLE_AXIS), OUT)
                    : lb_litert_mean_s16(&c->ctx, &p, (int32_t)in->rank, shape, IN, axes,
                                         data(c, LB_ROLE_AXIS), OUT);
}

static lb_litert_status l2_normalization(const lite_call *c)
{
    return lb_litert_l2_normalization_s8(&c->ctx, IN, rows(c), row_size(c), F(input_zero_point),
                                         OUT);
}

/* ---- Element by element ---- */

/* The two operands and the output, as the kernels of two inputs take them. */
#define BINARY(function, c, p, a, b)                                                               \
    (function)(&(c)->ctx, (p), (a), data((c), LB_ROLE_IN1), (b), data((c), LB_ROLE_IN2),           \
               &(c)->out, data((c), LB_ROLE_OUT))

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
    const lb_litert_dims a = dims(c, LB_ROLE_IN1), b = dims(c, LB_ROLE_IN2);
    return is_s8(c) ? BINARY(lb_litert_add_s8, c, &p, &a, &b)
                    : BINARY(lb_litert_add_s16, c, &p, &a, &b);
}

static lb_litert_status sub(const lite_call *c)
{
    const lb_litert_add_params p = add_params(c);
    const lb_litert_dims a = dims(c, LB_ROLE_IN1), b = dims(c, LB_ROLE_IN2);
    return is_s8(c) ? BINARY(lb_litert_sub_s8, c, &p, &a, &b)
                    : BINARY(lb_litert_sub_s16, c, &p, &a, &b);
}

static lb_litert_status mul(const lite_call *c)
{
    const lb_litert_mul_params p = {F(input1_offset),     F(input2_offset), F(output_offset),
                                    F(output_multiplier), F(output_shift),  c->limits};
    const lb_litert_dims a = dims(c, LB_ROLE_IN1), b = dims(c, LB_ROLE_IN2);
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

static lb_litert_type type_of(uint32_t el_type)
{
    return el_type == LB_S8 ? LB_LITERT_S8 : el_type == LB_S16 ? LB_LITERT_S16 : LB_LITERT_S32;
}

static lb_litert_status requantize(const lite_call *c)
{
    const lb_litert_requantize_params p = {F(multiplier), F(shift), F(input_zero_point),
                                           F(output_zero_point)};
    return lb_litert_requantize(&c->ctx, &p, type_of(c->call->kernel->in_type), IN, count(c),
                                type_of(c->call->kernel->out_type), OUT);
}

/* ---- Fixed-point functions ---- */

/* One result of the elements of both operands (b: 0 without a second one); *second: another. */
typedef int32_t element_fn(const lite_call *c, int64_t a, int32_t b, int32_t *second);

static int32_t high_of_product(const lite_call *c, int64_t a, int32_t b, int32_t *second)
{
    (void)second;
    return c->call->kernel->in_type == LB_S16 ? lb_litert_srdhm16((int32_t)a, b)
                                              : lb_litert_srdhm((int32_t)a, b);
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

static const struct {
    const char *name;
    lite_fn *kernel;     /* or */
    element_fn *element; /* for each element */
    lb_role second;      /* where its second result goes */
} functions[] = {
    {"conv_2d", conv_2d, NULL, LB_ROLE_COUNT},
    {"depthwise_conv_2d", depthwise_conv_2d, NULL, LB_ROLE_COUNT},
    {"transpose_conv", transpose_conv, NULL, LB_ROLE_COUNT},
    {"fully_connected_per_channel", fully_connected, NULL, LB_ROLE_COUNT},
    {"fully_connected", fully_connected, NULL, LB_ROLE_COUNT},
    {"average_pool_2d", average_pool_2d, NULL, LB_ROLE_COUNT},
    {"max_pool_2d", max_pool_2d, NULL, LB_ROLE_COUNT},
    {"softmax", softmax, NULL, LB_ROLE_COUNT},
    {"mean", mean, NULL, LB_ROLE_COUNT},
    {"l2_normalization", l2_normalization, NULL, LB_ROLE_COUNT},
    {"add", add, NULL, LB_ROLE_COUNT},
    {"sub", sub, NULL, LB_ROLE_COUNT},
    {"mul", mul, NULL, LB_ROLE_COUNT},
    {"logistic", logistic, NULL, LB_ROLE_COUNT},
    {"tanh", tangent, NULL, LB_ROLE_COUNT},
    {"leaky_relu", leaky_relu, NULL, LB_ROLE_COUNT},
    {"relu", relu, NULL, LB_ROLE_COUNT},
    {"relu6", relu6, NULL, LB_ROLE_COUNT},
    {"hard_swish", hard_swish, NULL, LB_ROLE_COUNT},
    {"requantize", requantize, NULL, LB_ROLE_COUNT},
    {"doubling_high_mul", NULL, high_of_product, LB_ROLE_COUNT},
    {"rounding_divide_by_pot", NULL, divided, LB_ROLE_COUNT},
    {"scale", NULL, scaled, LB_ROLE_COUNT},
    {"scale_s64", NULL, scaled_wide, LB_ROLE_COUNT},
    {"scale_smaller_than_one", NULL, scaled, LB_ROLE_COUNT},
    {"scale_greater_than_one", NULL, scaled, LB_ROLE_COUNT},
    {"exp_on_negative_q5", NULL, exp_q5, LB_ROLE_COUNT},
    {"exp_on_negative_q4", NULL, exp_q4, LB_ROLE_COUNT},
    {"one_over_one_plus_x", NULL, one_over, LB_ROLE_COUNT},
    {"one_minus_x_over_one_plus_x", NULL, one_minus_over, LB_ROLE_COUNT},
    {"logistic_q4", NULL, logistic_q4, LB_ROLE_COUNT},
    {"tanh_q4", NULL, tanh_q4, LB_ROLE_COUNT},
    {"reciprocal_q12", NULL, reciprocal, LB_ROLE_BITS_OVER_UNIT},
    {"inverse_square_root", NULL, inverse_root, LB_ROLE_SHIFT},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

/* Behind the name come element types alone: "_s8", "_s8_s16". */
static bool is_named(const char *name, const char *row)
{
    const size_t length = strlen(row);
    return strncmp(name, row, length) == 0 &&
           strspn(name + length, "_s0123456789") == strlen(name + length);
}

/* The longest name that fits. */
static unsigned row_of(const lb_kernel *kernel)
{
    unsigned row = FUNCTIONS;
    for (unsigned i = 0; i < FUNCTIONS; i++)
        if (is_named(lb_kernel_short_name(kernel), functions[i].name) &&
            (row == FUNCTIONS || strlen(functions[i].name) > strlen(functions[row].name)))
            row = i;
    return row;
}

bool lb_builtin_litert_has(const lb_kernel *kernel)
{
    return row_of(kernel) < FUNCTIONS;
}

static lite_call prepare(const lb_profile *profile, lb_call *call)
{
    lite_call made = {.call = call}, *c = &made;
    c->ctx.profile = profile->rounds_once ? LB_LITERT_SINGLE : LB_LITERT_DOUBLE;
    c->limits = (lb_litert_activation){F(activation_min), F(activation_max)};
    c->stride = (lb_litert_tile){F(stride_width), F(stride_height)};
    c->padding = (lb_litert_tile){F(padding_left), F(padding_top)};
    c->dilation = (lb_litert_tile){F(dilation_width), F(dilation_height)};
    c->in = dims(c, LB_ROLE_IN);
    c->weights = dims(c, LB_ROLE_WEIGHTS);
    c->out = dims(c, LB_ROLE_OUT);
    c->bias = (lb_litert_dims){1, 1, 1, c->out.c};
    c->channels =
        (lb_litert_per_channel_quant){data(c, LB_ROLE_MULTIPLIER), data(c, LB_ROLE_SHIFT)};
    c->one = (lb_litert_per_tensor_quant){F(multiplier), F(shift)};
    return made;
}

static void call_each(const lite_call *c, unsigned row)
{
    const lb_tensor *a = c->call->tensor[LB_ROLE_IN], *b = c->call->tensor[LB_ROLE_IN2];
    lb_tensor *second =
        functions[row].second < LB_ROLE_COUNT ? c->call->tensor[functions[row].second] : NULL;
    a = a ? a : c->call->tensor[LB_ROLE_IN1];
    for (size_t i = 0; i < lb_element_count(a); i++) {
        int32_t other = 0;
        const int32_t result =
            functions[row].element(c, lb_load_wide(a, i), b ? lb_load(b, i) : 0, &other);
        lb_store(c->call->tensor[LB_ROLE_OUT], i, result);
        if (second)
            lb_store(second, i, other);
    }
}

int lb_builtin_litert_call(const lb_profile *profile, lb_call *call)
{
    const lite_call c = prepare(profile, call);
    const unsigned row = row_of(call->kernel);
    if (functions[row].kernel)
        return (int)functions[row].kernel(&c);
    call_each(&c, row);
    return 0;
}
