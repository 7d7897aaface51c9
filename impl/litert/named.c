/* Functions by name: see named.h. A row for each kernel and each preparation. */
#include "named.h"

#include <stdio.h>
#include <string.h>

typedef lb_litert_named_call call;
typedef lb_litert_operand operand;

/* ---- What several functions have ---- */

static int32_t number_or(const call *c, const char *key, int32_t other)
{
    return (int32_t)c->number(c->owner, key, other);
}

static int32_t number_of(const call *c, const char *key)
{
    return number_or(c, key, 0);
}

static float scale_of(const call *c, const char *key)
{
    return (float)c->number(c->owner, key, 0);
}

static const char *word_of(const call *c, const char *key, const char *other)
{
    return c->word(c->owner, key, other);
}

static void give(const call *c, const char *key, int32_t number)
{
    c->give(c->owner, key, number);
}

static operand operand_of(const call *c, const char *role)
{
    return c->operand(c->owner, role);
}

static void *data_of(const call *c, const char *role)
{
    return operand_of(c, role).data;
}

static operand out_of(const call *c)
{
    return operand_of(c, "out");
}

static lb_litert_type type_of(const operand *t)
{
    return t->bits == 8 ? LB_LITERT_S8 : t->bits == 16 ? LB_LITERT_S16 : LB_LITERT_S32;
}

static bool is_s8(const call *c)
{
    return out_of(c).bits == 8;
}

static lb_litert_activation limits_of(const call *c)
{
    const int32_t high = is_s8(c) ? INT8_MAX : INT16_MAX;
    return (lb_litert_activation){number_or(c, "activation_min", -high - 1),
                                  number_or(c, "activation_max", high)};
}

static lb_litert_tile stride_of(const call *c)
{
    return (lb_litert_tile){number_or(c, "stride_width", 1), number_or(c, "stride_height", 1)};
}

static lb_litert_tile padding_of(const call *c)
{
    return (lb_litert_tile){number_of(c, "padding_left"), number_of(c, "padding_top")};
}

static lb_litert_tile dilation_of(const call *c)
{
    return (lb_litert_tile){number_or(c, "dilation_width", 1), number_or(c, "dilation_height", 1)};
}

/* Offsets that functions of int16 do not have are 0. */
static int32_t offset_of(const call *c, const char *key)
{
    return is_s8(c) ? number_of(c, key) : 0;
}

static lb_litert_per_channel_quant channels_of(const call *c)
{
    return (lb_litert_per_channel_quant){data_of(c, "multiplier"), data_of(c, "shift")};
}

static lb_litert_bias bias_of(const call *c)
{
    return (lb_litert_bias){data_of(c, "bias"), number_of(c, "accumulator_bits") == 32};
}

/* Its last four dimensions; those in front that it lacks are 1. */
static lb_litert_dims dims_of(const operand *t)
{
    int32_t d[4] = {1, 1, 1, 1};
    for (int i = 0; i < 4 && i < t->rank; i++)
        d[3 - i] = t->shape[t->rank - 1 - i];
    return (lb_litert_dims){d[0], d[1], d[2], d[3]};
}

static size_t count_of(const operand *t)
{
    size_t count = 1;
    for (int32_t i = 0; i < t->rank; i++)
        count *= (size_t)t->shape[i];
    return count;
}

static int32_t last_dimension(const operand *t)
{
    return t->rank > 0 ? t->shape[t->rank - 1] : 1;
}

static int32_t rows_of(const operand *t)
{
    return last_dimension(t) > 0 ? (int32_t)(count_of(t) / (size_t)last_dimension(t)) : 0;
}

/* ---- Kernels with weights ---- */

static lb_litert_status conv_2d(const call *c)
{
    lb_litert_conv_params p = {offset_of(c, "input_offset"),
                               offset_of(c, "output_offset"),
                               stride_of(c),
                               padding_of(c),
                               dilation_of(c),
                               limits_of(c)};
    lb_litert_per_channel_quant q = channels_of(c);
    const operand in = operand_of(c, "in"), w = operand_of(c, "weights"), out = out_of(c);
    const lb_litert_dims in_dims = dims_of(&in), w_dims = dims_of(&w), out_dims = dims_of(&out);
    lb_litert_dims bias_dims = {1, 1, 1, out_dims.c};
    if (is_s8(c))
        return lb_litert_convolve_s8(&c->ctx, &p, &q, &in_dims, in.data, &w_dims, w.data,
                                     &bias_dims, data_of(c, "bias"), &out_dims, out.data);
    lb_litert_bias bias = bias_of(c);
    return lb_litert_convolve_s16(&c->ctx, &p, &q, &in_dims, in.data, &w_dims, w.data, &bias_dims,
                                  &bias, &out_dims, out.data);
}

static lb_litert_status depthwise(const call *c)
{
    lb_litert_dw_conv_params p = {offset_of(c, "input_offset"),
                                  offset_of(c, "output_offset"),
                                  number_or(c, "depth_multiplier", 1),
                                  stride_of(c),
                                  padding_of(c),
                                  dilation_of(c),
                                  limits_of(c)};
    lb_litert_per_channel_quant q = channels_of(c);
    const operand in = operand_of(c, "in"), w = operand_of(c, "weights"), out = out_of(c);
    const lb_litert_dims in_dims = dims_of(&in), w_dims = dims_of(&w), out_dims = dims_of(&out);
    lb_litert_dims bias_dims = {1, 1, 1, out_dims.c};
    if (is_s8(c))
        return lb_litert_depthwise_conv_s8(&c->ctx, &p, &q, &in_dims, in.data, &w_dims, w.data,
                                           &bias_dims, data_of(c, "bias"), &out_dims, out.data);
    return lb_litert_depthwise_conv_s16(&c->ctx, &p, &q, &in_dims, in.data, &w_dims, w.data,
                                        &bias_dims, data_of(c, "bias"), &out_dims, out.data);
}

static lb_litert_status transpose(const call *c)
{
    lb_litert_transpose_conv_params p = {offset_of(c, "input_offset"),
                                         offset_of(c, "output_offset"), stride_of(c), padding_of(c),
                                         limits_of(c)};
    lb_litert_per_channel_quant q = channels_of(c);
    const operand in = operand_of(c, "in"), w = operand_of(c, "weights"), out = out_of(c);
    const lb_litert_dims in_dims = dims_of(&in), w_dims = dims_of(&w), out_dims = dims_of(&out);
    lb_litert_dims bias_dims = {1, 1, 1, out_dims.c};
    if (is_s8(c))
        return lb_litert_transpose_conv_s8(&c->ctx, &p, &q, &in_dims, in.data, &w_dims, w.data,
                                           &bias_dims, data_of(c, "bias"), &out_dims, out.data);
    return lb_litert_transpose_conv_s16(&c->ctx, &p, &q, &in_dims, in.data, &w_dims, w.data,
                                        &bias_dims, data_of(c, "bias"), &out_dims, out.data);
}

/* Rows, and the elements of one, as the interface has them. */
typedef struct fc_call {
    lb_litert_fc_params params;
    lb_litert_dims in, filter, bias, out;
} fc_call;

static fc_call fc_call_of(const call *c, bool per_channel)
{
    const operand in = operand_of(c, "in"), w = operand_of(c, "weights");
    int32_t depth = last_dimension(&w), outputs = w.rank > 0 ? w.shape[0] : 0;
    int32_t rows = depth > 0 ? (int32_t)(count_of(&in) / (size_t)depth) : 0;
    return (fc_call){{number_of(c, "input_offset"),
                      per_channel ? 0 : number_of(c, "weights_offset"),
                      number_of(c, "output_offset"), limits_of(c)},
                     {rows, 1, 1, depth},
                     {depth, 1, 1, outputs},
                     {1, 1, 1, outputs},
                     {rows, 1, 1, outputs}};
}

static lb_litert_status fully_connected(const call *c)
{
    fc_call f = fc_call_of(c, false);
    lb_litert_per_tensor_quant q = {number_of(c, "multiplier"), number_of(c, "shift")};
    void *in = data_of(c, "in"), *w = data_of(c, "weights"), *out = out_of(c).data;
    if (is_s8(c))
        return lb_litert_fully_connected_s8(&c->ctx, &f.params, &q, &f.in, in, &f.filter, w,
                                            &f.bias, data_of(c, "bias"), &f.out, out);
    lb_litert_bias bias = bias_of(c);
    return lb_litert_fully_connected_s16(&c->ctx, &f.params, &q, &f.in, in, &f.filter, w, &f.bias,
                                         &bias, &f.out, out);
}

static lb_litert_status fully_connected_per_channel(const call *c)
{
    fc_call f = fc_call_of(c, true);
    lb_litert_per_channel_quant q = channels_of(c);
    void *in = data_of(c, "in"), *w = data_of(c, "weights"), *out = out_of(c).data;
    if (is_s8(c))
        return lb_litert_fully_connected_per_channel_s8(&c->ctx, &f.params, &q, &f.in, in,
                                                        &f.filter, w, &f.bias, data_of(c, "bias"),
                                                        &f.out, out);
    lb_litert_bias bias = bias_of(c);
    return lb_litert_fully_connected_per_channel_s16(&c->ctx, &f.params, &q, &f.in, in, &f.filter,
                                                     w, &f.bias, &bias, &f.out, out);
}

/* ---- Windows and rows ---- */

static lb_litert_status pool(const call *c)
{
    lb_litert_pool_params p = {stride_of(c), padding_of(c), limits_of(c)};
    const operand in = operand_of(c, "in"), out = out_of(c);
    const lb_litert_dims in_dims = dims_of(&in), out_dims = dims_of(&out);
    lb_litert_dims filter = {1, number_of(c, "filter_height"), number_of(c, "filter_width"), 1};
    bool average = strncmp(c->function, "average", 7) == 0;
    if (is_s8(c))
        return (average ? lb_litert_avgpool_s8 : lb_litert_max_pool_s8)(
            &c->ctx, &p, &in_dims, in.data, &filter, &out_dims, out.data);
    return (average ? lb_litert_avgpool_s16 : lb_litert_max_pool_s16)(
        &c->ctx, &p, &in_dims, in.data, &filter, &out_dims, out.data);
}

static lb_litert_status softmax(const call *c)
{
    const operand in = operand_of(c, "in");
    int32_t multiplier = number_of(c, "input_multiplier"), shift = number_of(c, "input_left_shift");
    if (in.bits == 16)
        return lb_litert_softmax_s16(&c->ctx, in.data, rows_of(&in), last_dimension(&in),
                                     multiplier, shift, NULL, out_of(c).data);
    if (is_s8(c))
        return lb_litert_softmax_s8(&c->ctx, in.data, rows_of(&in), last_dimension(&in), multiplier,
                                    shift, number_of(c, "diff_min"), out_of(c).data);
    return lb_litert_softmax_s8_s16(&c->ctx, in.data, rows_of(&in), last_dimension(&in), multiplier,
                                    shift, number_of(c, "diff_min"), out_of(c).data);
}

static lb_litert_status mean(const call *c)
{
    const operand in = operand_of(c, "in"), axis = operand_of(c, "axis");
    lb_litert_mean_params p = {number_of(c, "input_zero_point"), number_of(c, "output_zero_point"),
                               number_of(c, "multiplier"), number_of(c, "shift"),
                               number_of(c, "sum") != 0};
    if (is_s8(c))
        return lb_litert_mean_s8(&c->ctx, &p, in.rank, in.shape, in.data, (int32_t)count_of(&axis),
                                 axis.data, out_of(c).data);
    return lb_litert_mean_s16(&c->ctx, &p, in.rank, in.shape, in.data, (int32_t)count_of(&axis),
                              axis.data, out_of(c).data);
}

static lb_litert_status l2_normalization(const call *c)
{
    const operand in = operand_of(c, "in");
    return lb_litert_l2_normalization_s8(&c->ctx, in.data, rows_of(&in), last_dimension(&in),
                                         number_of(c, "input_zero_point"), out_of(c).data);
}

/* ---- Element by element ---- */

static lb_litert_status add(const call *c)
{
    lb_litert_add_params p = {number_of(c, "input1_offset"),
                              number_of(c, "input1_multiplier"),
                              number_of(c, "input1_shift"),
                              number_of(c, "input2_offset"),
                              number_of(c, "input2_multiplier"),
                              number_of(c, "input2_shift"),
                              number_of(c, "left_shift"),
                              number_of(c, "output_offset"),
                              number_of(c, "output_multiplier"),
                              number_of(c, "output_shift"),
                              limits_of(c)};
    const operand a = operand_of(c, "in1"), b = operand_of(c, "in2"), out = out_of(c);
    const lb_litert_dims a_dims = dims_of(&a), b_dims = dims_of(&b), out_dims = dims_of(&out);
    bool add = strncmp(c->function, "add", 3) == 0;
    if (is_s8(c))
        return (add ? lb_litert_add_s8 : lb_litert_sub_s8)(&c->ctx, &p, &a_dims, a.data, &b_dims,
                                                           b.data, &out_dims, out.data);
    return (add ? lb_litert_add_s16 : lb_litert_sub_s16)(&c->ctx, &p, &a_dims, a.data, &b_dims,
                                                         b.data, &out_dims, out.data);
}

static lb_litert_status mul(const call *c)
{
    lb_litert_mul_params p = {number_of(c, "input1_offset"), number_of(c, "input2_offset"),
                              number_of(c, "output_offset"), number_of(c, "output_multiplier"),
                              number_of(c, "output_shift"),  limits_of(c)};
    const operand a = operand_of(c, "in1"), b = operand_of(c, "in2"), out = out_of(c);
    const lb_litert_dims a_dims = dims_of(&a), b_dims = dims_of(&b), out_dims = dims_of(&out);
    if (is_s8(c))
        return lb_litert_mul_s8(&c->ctx, &p, &a_dims, a.data, &b_dims, b.data, &out_dims, out.data);
    return lb_litert_mul_s16(&c->ctx, &p, &a_dims, a.data, &b_dims, b.data, &out_dims, out.data);
}

static lb_litert_status sigmoid(const call *c)
{
    const operand in = operand_of(c, "in");
    bool tangent = strncmp(c->function, "tanh", 4) == 0;
    int32_t multiplier = number_of(c, "input_multiplier"), shift = number_of(c, "input_left_shift");
    if (!is_s8(c))
        return (tangent ? lb_litert_tanh_s16 : lb_litert_logistic_s16)(
            &c->ctx, multiplier, shift, in.data, count_of(&in), out_of(c).data);
    lb_litert_sigmoid_params p = {number_of(c, "input_zero_point"),
                                  number_of(c, "input_range_radius"), multiplier, shift};
    return (tangent ? lb_litert_tanh_s8 : lb_litert_logistic_s8)(&c->ctx, &p, in.data,
                                                                 count_of(&in), out_of(c).data);
}

static lb_litert_status leaky_relu(const call *c)
{
    const operand in = operand_of(c, "in");
    lb_litert_leaky_relu_params p = {
        number_of(c, "input_zero_point"),    number_of(c, "output_zero_point"),
        number_of(c, "alpha_multiplier"),    number_of(c, "alpha_shift"),
        number_of(c, "identity_multiplier"), number_of(c, "identity_shift")};
    if (is_s8(c))
        return lb_litert_leaky_relu_s8(&c->ctx, &p, in.data, count_of(&in), out_of(c).data);
    return lb_litert_leaky_relu_s16(&c->ctx, &p, in.data, count_of(&in), out_of(c).data);
}

static lb_litert_status relu(const call *c)
{
    const operand in = operand_of(c, "in");
    lb_litert_relu_params p = {number_of(c, "input_zero_point"), number_of(c, "output_zero_point"),
                               number_of(c, "multiplier"), number_of(c, "shift"), limits_of(c)};
    if (is_s8(c))
        return lb_litert_relu_s8(&c->ctx, &p, in.data, count_of(&in), out_of(c).data);
    return lb_litert_relu_s16(&c->ctx, &p, in.data, count_of(&in), out_of(c).data);
}

static lb_litert_status relu6(const call *c)
{
    const operand in = operand_of(c, "in");
    int32_t zero = number_of(c, "zero"), six = number_of(c, "six");
    if (is_s8(c))
        return lb_litert_relu6_s8(&c->ctx, zero, six, in.data, count_of(&in), out_of(c).data);
    return lb_litert_relu6_s16(&c->ctx, zero, six, in.data, count_of(&in), out_of(c).data);
}

static lb_litert_status hard_swish(const call *c)
{
    const operand in = operand_of(c, "in");
    lb_litert_hard_swish_params p = {
        number_of(c, "input_zero_point"),   number_of(c, "output_zero_point"),
        number_of(c, "reluish_multiplier"), number_of(c, "reluish_exponent"),
        number_of(c, "output_multiplier"),  number_of(c, "output_exponent")};
    return lb_litert_hard_swish_s8(&c->ctx, &p, in.data, count_of(&in), out_of(c).data);
}

static lb_litert_status requantize(const call *c)
{
    const operand in = operand_of(c, "in"), out = out_of(c);
    lb_litert_requantize_params p = {number_of(c, "multiplier"), number_of(c, "shift"),
                                     number_of(c, "input_zero_point"),
                                     number_of(c, "output_zero_point")};
    return lb_litert_requantize(&c->ctx, &p, type_of(&in), in.data, count_of(&in), type_of(&out),
                                out.data);
}

/* ---- Preparing ---- */

static lb_litert_quantization quantization(const call *c, const char *tensor_name)
{
    char scale[32], zero_point[32];
    snprintf(scale, sizeof scale, "%s_scale", tensor_name);
    snprintf(zero_point, sizeof zero_point, "%s_zero_point", tensor_name);
    return (lb_litert_quantization){scale_of(c, scale), number_of(c, zero_point)};
}

static lb_litert_type type_in(const call *c, const char *key)
{
    return strcmp(word_of(c, key, "s8"), "s16") == 0 ? LB_LITERT_S16 : LB_LITERT_S8;
}

static lb_litert_fused fused_of(const call *c)
{
    static const char *const names[] = {"none", "relu", "relu6", "relu_n1_to_1"};
    const char *name = word_of(c, "activation", "none");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], name) == 0)
            return (lb_litert_fused)i;
    return LB_LITERT_NONE;
}

static void give_quant(const call *c, const char *multiplier, const char *shift,
                       lb_litert_per_tensor_quant q)
{
    give(c, multiplier, q.multiplier);
    give(c, shift, q.shift);
}

static void give_limits(const call *c, lb_litert_activation a)
{
    give(c, "activation_min", a.min);
    give(c, "activation_max", a.max);
}

static lb_litert_status prepare_multiplier(const call *c)
{
    give_quant(c, "multiplier", "shift",
               lb_litert_prepare_multiplier(c->ctx.profile, c->number(c->owner, "real", 0)));
    return LB_LITERT_SUCCESS;
}

static lb_litert_status prepare_padding(const call *c)
{
    lb_litert_padding p = lb_litert_prepare_padding(
        strcmp(word_of(c, "padding", "valid"), "same") == 0, number_of(c, "in"),
        number_of(c, "filter"), number_of(c, "stride"), number_of(c, "dilation"));
    give(c, "out", p.out);
    give(c, "before", p.before);
    give(c, "after_extra", p.after_extra);
    return LB_LITERT_SUCCESS;
}

static lb_litert_status prepare_conv(const call *c)
{
    lb_litert_quantization in = quantization(c, "input"), out = quantization(c, "output");
    lb_litert_per_tensor_quant q;
    float filter = scale_of(c, "filter_scale");
    if (strcmp(c->function, "prepare_conv") == 0)
        lb_litert_prepare_conv(c->ctx.profile, in.scale, &filter, 1, out.scale, &q.multiplier,
                               &q.shift);
    else
        q = lb_litert_prepare_fully_connected(c->ctx.profile, in.scale, filter, out.scale);
    give_quant(c, "multiplier", "shift", q);
    give_limits(c, lb_litert_prepare_activation(type_in(c, "type"), fused_of(c), out));
    return LB_LITERT_SUCCESS;
}

static lb_litert_status prepare_add(const call *c)
{
    lb_litert_add_params p;
    bool add = strcmp(c->function, "prepare_add") == 0;
    lb_litert_status status = (add ? lb_litert_prepare_add : lb_litert_prepare_sub)(
        c->ctx.profile, type_in(c, "type"), quantization(c, "input1"), quantization(c, "input2"),
        quantization(c, "output"), fused_of(c), &p);
    if (status != LB_LITERT_SUCCESS)
        return status;
    give(c, "input1_offset", p.input1_offset);
    give(c, "input1_multiplier", p.input1_multiplier);
    give(c, "input1_shift", p.input1_shift);
    give(c, "input2_offset", p.input2_offset);
    give(c, "input2_multiplier", p.input2_multiplier);
    give(c, "input2_shift", p.input2_shift);
    give(c, "left_shift", p.left_shift);
    give(c, "output_offset", p.output_offset);
    give(c, "output_multiplier", p.output_multiplier);
    give(c, "output_shift", p.output_shift);
    give_limits(c, p.activation);
    return status;
}

static lb_litert_status prepare_mul(const call *c)
{
    lb_litert_mul_params p =
        lb_litert_prepare_mul(c->ctx.profile, type_in(c, "type"), quantization(c, "input1"),
                              quantization(c, "input2"), quantization(c, "output"), fused_of(c));
    give(c, "input1_offset", p.input1_offset);
    give(c, "input2_offset", p.input2_offset);
    give(c, "output_offset", p.output_offset);
    give(c, "output_multiplier", p.output_multiplier);
    give(c, "output_shift", p.output_shift);
    give_limits(c, p.activation);
    return LB_LITERT_SUCCESS;
}

static lb_litert_status prepare_softmax(const call *c)
{
    lb_litert_per_tensor_quant q;
    lb_litert_status status = LB_LITERT_SUCCESS;
    float scale = scale_of(c, "input_scale"), beta = scale_of(c, "beta");
    int32_t diff_min = 0;
    bool s8 = type_in(c, "type") == LB_LITERT_S8;
    if (s8)
        status = lb_litert_prepare_softmax_s8(c->ctx.profile, scale, beta, &q, &diff_min);
    else
        q = lb_litert_prepare_softmax_s16(c->ctx.profile, scale, beta);
    if (status != LB_LITERT_SUCCESS)
        return status;
    give_quant(c, "input_multiplier", "input_left_shift", q);
    if (s8)
        give(c, "diff_min", diff_min);
    return status;
}

static lb_litert_status prepare_sigmoid(const call *c)
{
    lb_litert_sigmoid_params p;
    float scale = scale_of(c, "input_scale");
    if (type_in(c, "type") == LB_LITERT_S16) {
        bool tangent = strcmp(c->function, "prepare_tanh") == 0;
        give_quant(c, "input_multiplier", "input_left_shift",
                   tangent ? lb_litert_prepare_tanh_s16(scale)
                           : lb_litert_prepare_logistic_s16(scale));
        return LB_LITERT_SUCCESS;
    }
    lb_litert_status status = lb_litert_prepare_sigmoid_s8(quantization(c, "input"), &p);
    if (status != LB_LITERT_SUCCESS)
        return status;
    give(c, "input_zero_point", p.input_zero_point);
    give(c, "input_range_radius", p.input_range_radius);
    give(c, "input_multiplier", p.input_multiplier);
    give(c, "input_left_shift", p.input_left_shift);
    return status;
}

static lb_litert_status prepare_leaky_relu(const call *c)
{
    lb_litert_leaky_relu_params p = lb_litert_prepare_leaky_relu(
        c->ctx.profile, quantization(c, "input"), scale_of(c, "alpha"), quantization(c, "output"));
    give(c, "alpha_multiplier", p.alpha_multiplier);
    give(c, "alpha_shift", p.alpha_shift);
    give(c, "identity_multiplier", p.identity_multiplier);
    give(c, "identity_shift", p.identity_shift);
    return LB_LITERT_SUCCESS;
}

static lb_litert_status prepare_relu(const call *c)
{
    lb_litert_relu_params p = lb_litert_prepare_relu(
        c->ctx.profile, type_in(c, "type"), quantization(c, "input"), quantization(c, "output"));
    give(c, "multiplier", p.multiplier);
    give(c, "shift", p.shift);
    give_limits(c, p.activation);
    return LB_LITERT_SUCCESS;
}

static lb_litert_status prepare_relu6(const call *c)
{
    int32_t zero, six;
    lb_litert_prepare_relu6(type_in(c, "type"), quantization(c, "input"), &zero, &six);
    give(c, "zero", zero);
    give(c, "six", six);
    return LB_LITERT_SUCCESS;
}

static lb_litert_status prepare_hard_swish(const call *c)
{
    lb_litert_hard_swish_params p;
    lb_litert_status status = lb_litert_prepare_hard_swish(c->ctx.profile, quantization(c, "input"),
                                                           quantization(c, "output"), &p);
    if (status != LB_LITERT_SUCCESS)
        return status;
    give(c, "reluish_multiplier", p.reluish_multiplier);
    give(c, "reluish_exponent", p.reluish_exponent);
    give(c, "output_multiplier", p.output_multiplier);
    give(c, "output_exponent", p.output_exponent);
    return status;
}

/* ---- Functions ---- */

static const lb_litert_named functions[] = {
    {"conv_2d_s8", conv_2d, 8, 8, true},
    {"conv_2d_s16", conv_2d, 16, 16, true},
    {"depthwise_conv_2d_s8", depthwise, 8, 8, true},
    {"depthwise_conv_2d_s16", depthwise, 16, 16, true},
    {"transpose_conv_s8", transpose, 8, 8, true},
    {"transpose_conv_s16", transpose, 16, 16, true},
    {"fully_connected_s8", fully_connected, 8, 8, false},
    {"fully_connected_s16", fully_connected, 16, 16, false},
    {"fully_connected_per_channel_s8", fully_connected_per_channel, 8, 8, true},
    {"fully_connected_per_channel_s16", fully_connected_per_channel, 16, 16, true},
    {"average_pool_2d_s8", pool, 8, 8, false},
    {"average_pool_2d_s16", pool, 16, 16, false},
    {"max_pool_2d_s8", pool, 8, 8, false},
    {"max_pool_2d_s16", pool, 16, 16, false},
    {"add_s8", add, 8, 8, false},
    {"add_s16", add, 16, 16, false},
    {"sub_s8", add, 8, 8, false},
    {"sub_s16", add, 16, 16, false},
    {"mul_s8", mul, 8, 8, false},
    {"mul_s16", mul, 16, 16, false},
    {"softmax_s8", softmax, 8, 8, false},
    {"softmax_s8_s16", softmax, 8, 16, false},
    {"softmax_s16", softmax, 16, 16, false},
    {"logistic_s8", sigmoid, 8, 8, false},
    {"logistic_s16", sigmoid, 16, 16, false},
    {"tanh_s8", sigmoid, 8, 8, false},
    {"tanh_s16", sigmoid, 16, 16, false},
    {"leaky_relu_s8", leaky_relu, 8, 8, false},
    {"leaky_relu_s16", leaky_relu, 16, 16, false},
    {"relu_s8", relu, 8, 8, false},
    {"relu_s16", relu, 16, 16, false},
    {"relu6_s8", relu6, 8, 8, false},
    {"relu6_s16", relu6, 16, 16, false},
    {"hard_swish_s8", hard_swish, 8, 8, false},
    {"requantize_s8_s8", requantize, 8, 8, false},
    {"requantize_s16_s8", requantize, 16, 8, false},
    {"requantize_s32_s8", requantize, 32, 8, false},
    {"requantize_s8_s16", requantize, 8, 16, false},
    {"requantize_s16_s16", requantize, 16, 16, false},
    {"requantize_s32_s16", requantize, 32, 16, false},
    {"requantize_s8_s32", requantize, 8, 32, false},
    {"requantize_s16_s32", requantize, 16, 32, false},
    {"mean_s8", mean, 8, 8, false},
    {"mean_s16", mean, 16, 16, false},
    {"l2_normalization_s8", l2_normalization, 8, 8, false},
    {"prepare_multiplier", prepare_multiplier, 0, 0, false},
    {"prepare_padding", prepare_padding, 0, 0, false},
    {"prepare_conv", prepare_conv, 0, 0, false},
    {"prepare_fully_connected", prepare_conv, 0, 0, false},
    {"prepare_add", prepare_add, 0, 0, false},
    {"prepare_sub", prepare_add, 0, 0, false},
    {"prepare_mul", prepare_mul, 0, 0, false},
    {"prepare_softmax", prepare_softmax, 0, 0, false},
    {"prepare_logistic", prepare_sigmoid, 0, 0, false},
    {"prepare_tanh", prepare_sigmoid, 0, 0, false},
    {"prepare_leaky_relu", prepare_leaky_relu, 0, 0, false},
    {"prepare_relu", prepare_relu, 0, 0, false},
    {"prepare_relu6", prepare_relu6, 0, 0, false},
    {"prepare_hard_swish", prepare_hard_swish, 0, 0, false},
};

const lb_litert_named *lb_litert_named_find(const char *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (strcmp(functions[i].name, name) == 0)
            return &functions[i];
    return NULL;
}
