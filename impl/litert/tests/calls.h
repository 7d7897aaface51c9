/* How a case becomes a call: a row for each function of the recordings (litert.21.2, litert.22.10),
 * whatever they and the examples of the specification name. */
#ifndef LB_LITERT_TESTS_CALLS_H
#define LB_LITERT_TESTS_CALLS_H

#include "cases.h"

#include "litert/fixed.h"

typedef lb_litert_status call_fn(test_case *c, const lb_litert_context *ctx);

/* ---- What several functions have ---- */

static inline tensor *out_of(test_case *c)
{
    return &c->output[0];
}

static inline lb_litert_type type_of(const tensor *t)
{
    return t->bits == 8 ? LB_LITERT_S8 : t->bits == 16 ? LB_LITERT_S16 : LB_LITERT_S32;
}

static inline bool is_s8(test_case *c)
{
    return out_of(c)->bits == 8;
}

static inline lb_litert_activation limits_of(test_case *c)
{
    int bits = out_of(c)->bits;
    int32_t high = bits == 8 ? INT8_MAX : INT16_MAX;
    return (lb_litert_activation){number_or(c, "activation_min", -high - 1),
                                  number_or(c, "activation_max", high)};
}

static inline lb_litert_tile stride_of(test_case *c)
{
    return (lb_litert_tile){number_or(c, "stride_width", 1), number_or(c, "stride_height", 1)};
}

static inline lb_litert_tile padding_of(test_case *c)
{
    return (lb_litert_tile){number_of(c, "padding_left"), number_of(c, "padding_top")};
}

static inline lb_litert_tile dilation_of(test_case *c)
{
    return (lb_litert_tile){number_or(c, "dilation_width", 1), number_or(c, "dilation_height", 1)};
}

/* Offsets that functions of int16 do not have are 0. */
static inline int32_t offset_of(test_case *c, const char *key)
{
    return is_s8(c) ? number_of(c, key) : 0;
}

static inline lb_litert_per_channel_quant channels_of(test_case *c)
{
    return (lb_litert_per_channel_quant){input_of(c, "multiplier")->data,
                                         input_of(c, "shift")->data};
}

static inline lb_litert_bias bias_of(test_case *c)
{
    return (lb_litert_bias){data_of(c, "bias"), number_of(c, "accumulator_bits") == 32};
}

static inline int32_t last_dimension(const tensor *t)
{
    return t->rank > 0 ? t->shape[t->rank - 1] : 1;
}

static inline int32_t rows_of(const tensor *t)
{
    return last_dimension(t) > 0 ? (int32_t)(t->count / (size_t)last_dimension(t)) : 0;
}

/* ---- Kernels with weights ---- */

static inline lb_litert_status call_conv_2d(test_case *c, const lb_litert_context *ctx)
{
    lb_litert_conv_params p = {offset_of(c, "input_offset"),
                               offset_of(c, "output_offset"),
                               stride_of(c),
                               padding_of(c),
                               dilation_of(c),
                               limits_of(c)};
    lb_litert_per_channel_quant q = channels_of(c);
    tensor *in = input_of(c, "in"), *w = input_of(c, "weights"), *out = out_of(c);
    lb_litert_dims in_dims = dims_of(in), w_dims = dims_of(w), out_dims = dims_of(out);
    lb_litert_dims bias_dims = {1, 1, 1, out_dims.c};
    if (is_s8(c))
        return lb_litert_convolve_s8(ctx, &p, &q, &in_dims, in->data, &w_dims, w->data, &bias_dims,
                                     data_of(c, "bias"), &out_dims, out->data);
    lb_litert_bias bias = bias_of(c);
    return lb_litert_convolve_s16(ctx, &p, &q, &in_dims, in->data, &w_dims, w->data, &bias_dims,
                                  &bias, &out_dims, out->data);
}

static inline lb_litert_status call_depthwise(test_case *c, const lb_litert_context *ctx)
{
    lb_litert_dw_conv_params p = {offset_of(c, "input_offset"),
                                  offset_of(c, "output_offset"),
                                  number_or(c, "depth_multiplier", 1),
                                  stride_of(c),
                                  padding_of(c),
                                  dilation_of(c),
                                  limits_of(c)};
    lb_litert_per_channel_quant q = channels_of(c);
    tensor *in = input_of(c, "in"), *w = input_of(c, "weights"), *out = out_of(c);
    lb_litert_dims in_dims = dims_of(in), w_dims = dims_of(w), out_dims = dims_of(out);
    lb_litert_dims bias_dims = {1, 1, 1, out_dims.c};
    if (is_s8(c))
        return lb_litert_depthwise_conv_s8(ctx, &p, &q, &in_dims, in->data, &w_dims, w->data,
                                           &bias_dims, data_of(c, "bias"), &out_dims, out->data);
    return lb_litert_depthwise_conv_s16(ctx, &p, &q, &in_dims, in->data, &w_dims, w->data,
                                        &bias_dims, data_of(c, "bias"), &out_dims, out->data);
}

static inline lb_litert_status call_transpose(test_case *c, const lb_litert_context *ctx)
{
    lb_litert_transpose_conv_params p = {offset_of(c, "input_offset"),
                                         offset_of(c, "output_offset"), stride_of(c), padding_of(c),
                                         limits_of(c)};
    lb_litert_per_channel_quant q = channels_of(c);
    tensor *in = input_of(c, "in"), *w = input_of(c, "weights"), *out = out_of(c);
    lb_litert_dims in_dims = dims_of(in), w_dims = dims_of(w), out_dims = dims_of(out);
    lb_litert_dims bias_dims = {1, 1, 1, out_dims.c};
    if (is_s8(c))
        return lb_litert_transpose_conv_s8(ctx, &p, &q, &in_dims, in->data, &w_dims, w->data,
                                           &bias_dims, data_of(c, "bias"), &out_dims, out->data);
    return lb_litert_transpose_conv_s16(ctx, &p, &q, &in_dims, in->data, &w_dims, w->data,
                                        &bias_dims, data_of(c, "bias"), &out_dims, out->data);
}

/* Rows, and the elements of one, as the interface has them. */
typedef struct fc_call {
    lb_litert_fc_params params;
    lb_litert_dims in, filter, bias, out;
} fc_call;

static inline fc_call fc_call_of(test_case *c, bool per_channel)
{
    tensor *in = input_of(c, "in"), *w = input_of(c, "weights");
    int32_t depth = last_dimension(w), outputs = w->rank > 0 ? w->shape[0] : 0;
    int32_t rows = depth > 0 ? (int32_t)(in->count / (size_t)depth) : 0;
    return (fc_call){{number_of(c, "input_offset"),
                      per_channel ? 0 : number_of(c, "weights_offset"),
                      number_of(c, "output_offset"), limits_of(c)},
                     {rows, 1, 1, depth},
                     {depth, 1, 1, outputs},
                     {1, 1, 1, outputs},
                     {rows, 1, 1, outputs}};
}

static inline lb_litert_status call_fully_connected(test_case *c, const lb_litert_context *ctx)
{
    fc_call f = fc_call_of(c, false);
    lb_litert_per_tensor_quant q = {number_of(c, "multiplier"), number_of(c, "shift")};
    void *in = data_of(c, "in"), *w = data_of(c, "weights"), *out = out_of(c)->data;
    if (is_s8(c))
        return lb_litert_fully_connected_s8(ctx, &f.params, &q, &f.in, in, &f.filter, w, &f.bias,
                                            data_of(c, "bias"), &f.out, out);
    lb_litert_bias bias = bias_of(c);
    return lb_litert_fully_connected_s16(ctx, &f.params, &q, &f.in, in, &f.filter, w, &f.bias,
                                         &bias, &f.out, out);
}

static inline lb_litert_status call_fully_connected_per_channel(test_case *c,
                                                                const lb_litert_context *ctx)
{
    fc_call f = fc_call_of(c, true);
    lb_litert_per_channel_quant q = channels_of(c);
    void *in = data_of(c, "in"), *w = data_of(c, "weights"), *out = out_of(c)->data;
    if (is_s8(c))
        return lb_litert_fully_connected_per_channel_s8(ctx, &f.params, &q, &f.in, in, &f.filter, w,
                                                        &f.bias, data_of(c, "bias"), &f.out, out);
    lb_litert_bias bias = bias_of(c);
    return lb_litert_fully_connected_per_channel_s16(ctx, &f.params, &q, &f.in, in, &f.filter, w,
                                                     &f.bias, &bias, &f.out, out);
}

/* ---- Windows and rows ---- */

static inline lb_litert_status call_pool(test_case *c, const lb_litert_context *ctx)
{
    lb_litert_pool_params p = {stride_of(c), padding_of(c), limits_of(c)};
    tensor *in = input_of(c, "in"), *out = out_of(c);
    lb_litert_dims in_dims = dims_of(in), out_dims = dims_of(out);
    lb_litert_dims filter = {1, number_of(c, "filter_height"), number_of(c, "filter_width"), 1};
    bool average = strncmp(c->function, "average", 7) == 0;
    if (is_s8(c))
        return (average ? lb_litert_avgpool_s8 : lb_litert_max_pool_s8)(
            ctx, &p, &in_dims, in->data, &filter, &out_dims, out->data);
    return (average ? lb_litert_avgpool_s16 : lb_litert_max_pool_s16)(
        ctx, &p, &in_dims, in->data, &filter, &out_dims, out->data);
}

static inline lb_litert_status call_softmax(test_case *c, const lb_litert_context *ctx)
{
    tensor *in = input_of(c, "in");
    int32_t multiplier = number_of(c, "input_multiplier"), shift = number_of(c, "input_left_shift");
    if (in->bits == 16)
        return lb_litert_softmax_s16(ctx, in->data, rows_of(in), last_dimension(in), multiplier,
                                     shift, NULL, out_of(c)->data);
    if (is_s8(c))
        return lb_litert_softmax_s8(ctx, in->data, rows_of(in), last_dimension(in), multiplier,
                                    shift, number_of(c, "diff_min"), out_of(c)->data);
    return lb_litert_softmax_s8_s16(ctx, in->data, rows_of(in), last_dimension(in), multiplier,
                                    shift, number_of(c, "diff_min"), out_of(c)->data);
}

static inline lb_litert_status call_mean(test_case *c, const lb_litert_context *ctx)
{
    tensor *in = input_of(c, "in"), *axis = input_of(c, "axis");
    lb_litert_mean_params p = {number_of(c, "input_zero_point"), number_of(c, "output_zero_point"),
                               number_of(c, "multiplier"), number_of(c, "shift"),
                               number_of(c, "sum") != 0};
    if (is_s8(c))
        return lb_litert_mean_s8(ctx, &p, in->rank, in->shape, in->data, (int32_t)axis->count,
                                 axis->data, out_of(c)->data);
    return lb_litert_mean_s16(ctx, &p, in->rank, in->shape, in->data, (int32_t)axis->count,
                              axis->data, out_of(c)->data);
}

static inline lb_litert_status call_l2_normalization(test_case *c, const lb_litert_context *ctx)
{
    tensor *in = input_of(c, "in");
    return lb_litert_l2_normalization_s8(ctx, in->data, rows_of(in), last_dimension(in),
                                         number_of(c, "input_zero_point"), out_of(c)->data);
}

/* ---- Element by element ---- */

static inline lb_litert_status call_add(test_case *c, const lb_litert_context *ctx)
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
    tensor *a = input_of(c, "in1"), *b = input_of(c, "in2"), *out = out_of(c);
    lb_litert_dims a_dims = dims_of(a), b_dims = dims_of(b), out_dims = dims_of(out);
    bool add = strncmp(c->function, "add", 3) == 0;
    if (is_s8(c))
        return (add ? lb_litert_add_s8 : lb_litert_sub_s8)(ctx, &p, &a_dims, a->data, &b_dims,
                                                           b->data, &out_dims, out->data);
    return (add ? lb_litert_add_s16 : lb_litert_sub_s16)(ctx, &p, &a_dims, a->data, &b_dims,
                                                         b->data, &out_dims, out->data);
}

static inline lb_litert_status call_mul(test_case *c, const lb_litert_context *ctx)
{
    lb_litert_mul_params p = {number_of(c, "input1_offset"), number_of(c, "input2_offset"),
                              number_of(c, "output_offset"), number_of(c, "output_multiplier"),
                              number_of(c, "output_shift"),  limits_of(c)};
    tensor *a = input_of(c, "in1"), *b = input_of(c, "in2"), *out = out_of(c);
    lb_litert_dims a_dims = dims_of(a), b_dims = dims_of(b), out_dims = dims_of(out);
    if (is_s8(c))
        return lb_litert_mul_s8(ctx, &p, &a_dims, a->data, &b_dims, b->data, &out_dims, out->data);
    return lb_litert_mul_s16(ctx, &p, &a_dims, a->data, &b_dims, b->data, &out_dims, out->data);
}

static inline lb_litert_status call_sigmoid(test_case *c, const lb_litert_context *ctx)
{
    tensor *in = input_of(c, "in");
    bool tangent = strncmp(c->function, "tanh", 4) == 0;
    int32_t multiplier = number_of(c, "input_multiplier"), shift = number_of(c, "input_left_shift");
    if (!is_s8(c))
        return (tangent ? lb_litert_tanh_s16 : lb_litert_logistic_s16)(
            ctx, multiplier, shift, in->data, in->count, out_of(c)->data);
    lb_litert_sigmoid_params p = {number_of(c, "input_zero_point"),
                                  number_of(c, "input_range_radius"), multiplier, shift};
    return (tangent ? lb_litert_tanh_s8 : lb_litert_logistic_s8)(ctx, &p, in->data, in->count,
                                                                 out_of(c)->data);
}

static inline lb_litert_status call_leaky_relu(test_case *c, const lb_litert_context *ctx)
{
    tensor *in = input_of(c, "in");
    lb_litert_leaky_relu_params p = {
        number_of(c, "input_zero_point"),    number_of(c, "output_zero_point"),
        number_of(c, "alpha_multiplier"),    number_of(c, "alpha_shift"),
        number_of(c, "identity_multiplier"), number_of(c, "identity_shift")};
    if (is_s8(c))
        return lb_litert_leaky_relu_s8(ctx, &p, in->data, in->count, out_of(c)->data);
    return lb_litert_leaky_relu_s16(ctx, &p, in->data, in->count, out_of(c)->data);
}

static inline lb_litert_status call_relu(test_case *c, const lb_litert_context *ctx)
{
    tensor *in = input_of(c, "in");
    lb_litert_relu_params p = {number_of(c, "input_zero_point"), number_of(c, "output_zero_point"),
                               number_of(c, "multiplier"), number_of(c, "shift"), limits_of(c)};
    if (is_s8(c))
        return lb_litert_relu_s8(ctx, &p, in->data, in->count, out_of(c)->data);
    return lb_litert_relu_s16(ctx, &p, in->data, in->count, out_of(c)->data);
}

static inline lb_litert_status call_relu6(test_case *c, const lb_litert_context *ctx)
{
    tensor *in = input_of(c, "in");
    int32_t zero = number_of(c, "zero"), six = number_of(c, "six");
    if (is_s8(c))
        return lb_litert_relu6_s8(ctx, zero, six, in->data, in->count, out_of(c)->data);
    return lb_litert_relu6_s16(ctx, zero, six, in->data, in->count, out_of(c)->data);
}

static inline lb_litert_status call_hard_swish(test_case *c, const lb_litert_context *ctx)
{
    tensor *in = input_of(c, "in");
    lb_litert_hard_swish_params p = {
        number_of(c, "input_zero_point"),   number_of(c, "output_zero_point"),
        number_of(c, "reluish_multiplier"), number_of(c, "reluish_exponent"),
        number_of(c, "output_multiplier"),  number_of(c, "output_exponent")};
    return lb_litert_hard_swish_s8(ctx, &p, in->data, in->count, out_of(c)->data);
}

static inline lb_litert_status call_requantize(test_case *c, const lb_litert_context *ctx)
{
    tensor *in = input_of(c, "in"), *out = out_of(c);
    lb_litert_requantize_params p = {number_of(c, "multiplier"), number_of(c, "shift"),
                                     number_of(c, "input_zero_point"),
                                     number_of(c, "output_zero_point")};
    return lb_litert_requantize(ctx, &p, type_of(in), in->data, in->count, type_of(out), out->data);
}

/* ---- Primitives ---- */

/* The result of one element, or of a pair; *second of those that have two. */
typedef int64_t primitive_fn(lb_litert_profile profile, const int64_t *a, int64_t *second);

static inline int64_t srdhm(lb_litert_profile profile, const int64_t *a, int64_t *second)
{
    (void)profile, (void)second;
    return lb_litert_srdhm((int32_t)a[0], (int32_t)a[1]);
}

static inline int64_t srdhm16(lb_litert_profile profile, const int64_t *a, int64_t *second)
{
    (void)profile, (void)second;
    return lb_litert_srdhm16((int32_t)a[0], (int32_t)a[1]);
}

static inline int64_t rdiv(lb_litert_profile profile, const int64_t *a, int64_t *second)
{
    (void)profile, (void)second;
    return lb_litert_rdiv((int32_t)a[0], (int)a[1]);
}

static inline int64_t scale32(lb_litert_profile profile, const int64_t *a, int64_t *second)
{
    (void)second;
    return lb_litert_scale32(profile, (int32_t)a[0], (int32_t)a[1], (int32_t)a[2]);
}

static inline int64_t scale64(lb_litert_profile profile, const int64_t *a, int64_t *second)
{
    (void)profile, (void)second;
    return lb_litert_scale64(a[0], (int32_t)a[1], (int32_t)a[2]);
}

static inline int64_t exp_quarter(lb_litert_profile profile, const int64_t *a, int64_t *second)
{
    (void)profile, (void)second;
    return lb_litert_exp_quarter((int32_t)a[0]);
}

static inline int64_t exp_neg5(lb_litert_profile profile, const int64_t *a, int64_t *second)
{
    (void)profile, (void)second;
    return lb_litert_exp_neg((int32_t)a[0], 26);
}

static inline int64_t exp_neg4(lb_litert_profile profile, const int64_t *a, int64_t *second)
{
    (void)profile, (void)second;
    return lb_litert_exp_neg((int32_t)a[0], 27);
}

static inline int64_t one_over(lb_litert_profile profile, const int64_t *a, int64_t *second)
{
    (void)profile, (void)second;
    return lb_litert_one_over_one_plus((int32_t)a[0]);
}

static inline int64_t one_minus_over(lb_litert_profile profile, const int64_t *a, int64_t *second)
{
    (void)profile, (void)second;
    return lb_litert_one_minus_over_one_plus((int32_t)a[0]);
}

static inline int64_t logistic4(lb_litert_profile profile, const int64_t *a, int64_t *second)
{
    (void)profile, (void)second;
    return lb_litert_logistic4((int32_t)a[0]);
}

static inline int64_t tanh4(lb_litert_profile profile, const int64_t *a, int64_t *second)
{
    (void)profile, (void)second;
    return lb_litert_tanh4((int32_t)a[0]);
}

static inline int64_t reciprocal(lb_litert_profile profile, const int64_t *a, int64_t *second)
{
    int bits_over_unit;
    int32_t r = lb_litert_reciprocal((int32_t)a[0], &bits_over_unit);
    (void)profile;
    *second = bits_over_unit;
    return r;
}

static inline int64_t inverse_root(lb_litert_profile profile, const int64_t *a, int64_t *second)
{
    lb_litert_per_tensor_quant q = lb_litert_inverse_square_root((int32_t)a[0]);
    (void)profile;
    *second = q.shift;
    return q.multiplier;
}

/* A primitive by its name in the specification and in the recordings; arguments that the latter
 * have in the configuration. */
static const struct primitive {
    const char *name, *recorded;
    primitive_fn *compute;
    int count; /* of arguments */
    const char *keys[2], *second;
} primitives[] = {
    {"srdhm", "doubling_high_mul_s32", srdhm, 2, {0}, NULL},
    {"srdhm16", "doubling_high_mul_s16", srdhm16, 2, {0}, NULL},
    {"rdiv", "rounding_divide_by_pot_s32", rdiv, 2, {"exponent"}, NULL},
    {"rdiv16", "", rdiv, 2, {0}, NULL},
    {"scale32", "scale_s32", scale32, 3, {"multiplier", "shift"}, NULL},
    {"scale_le1", "scale_smaller_than_one_s32", scale32, 3, {"multiplier", "shift"}, NULL},
    {"scale_ge1", "scale_greater_than_one_s32", scale32, 3, {"multiplier", "shift"}, NULL},
    {"scale64", "scale_s64", scale64, 3, {"multiplier", "shift"}, NULL},
    {"exp_quarter", "", exp_quarter, 1, {0}, NULL},
    {"exp_neg5", "exp_on_negative_q5", exp_neg5, 1, {0}, NULL},
    {"exp_neg4", "exp_on_negative_q4", exp_neg4, 1, {0}, NULL},
    {"one_over_one_plus", "one_over_one_plus_x", one_over, 1, {0}, NULL},
    {"one_minus_over_one_plus", "one_minus_x_over_one_plus_x", one_minus_over, 1, {0}, NULL},
    {"logistic4", "logistic_q4", logistic4, 1, {0}, NULL},
    {"tanh4", "tanh_q4", tanh4, 1, {0}, NULL},
    {"reciprocal", "reciprocal_q12", reciprocal, 1, {0}, "bits_over_unit"},
    {"inverse_square_root", "inverse_square_root", inverse_root, 1, {0}, "shift"},
};

static inline const struct primitive *find_recorded_primitive(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(primitives); i++)
        if (strcmp(primitives[i].recorded, name) == 0)
            return &primitives[i];
    return NULL;
}

static inline lb_litert_status call_primitive(test_case *c, const lb_litert_context *ctx)
{
    const struct primitive *p = find_recorded_primitive(c->function);
    tensor *second_out = c->outputs > 1 ? &c->output[1] : NULL;
    assert_non_null(p);
    if (p->second && (!second_out || strcmp(second_out->role, p->second) != 0))
        fail_msg("%s: no output %s", c->function, p->second);
    for (size_t i = 0; i < c->input[0].count; i++) {
        int64_t a[3], second = 0;
        int known = 0;
        for (; known < c->inputs; known++)
            a[known] = element(&c->input[known], i);
        for (int k = 0; k < 2 && p->keys[k]; k++)
            a[known++] = number_of(c, p->keys[k]);
        assert_int_equal(known, p->count);
        set_element(out_of(c), i, p->compute(ctx->profile, a, &second));
        if (second_out)
            set_element(second_out, i, second);
    }
    return LB_LITERT_SUCCESS;
}

/* ---- Preparing ---- */

static inline lb_litert_quantization quantization(const test_case *c, const char *tensor_name)
{
    char scale[32], zero_point[32];
    snprintf(scale, sizeof scale, "%s_scale", tensor_name);
    snprintf(zero_point, sizeof zero_point, "%s_zero_point", tensor_name);
    return (lb_litert_quantization){(float)real_of(c, scale), number_of(c, zero_point)};
}

static inline float scale_of(const test_case *c, const char *key)
{
    return (float)real_of(c, key);
}

static inline lb_litert_type type_in(const test_case *c, const char *key)
{
    return strcmp(word_of(c, key, "s8"), "s16") == 0 ? LB_LITERT_S16 : LB_LITERT_S8;
}

static inline lb_litert_fused fused_of(const test_case *c)
{
    static const char *const names[] = {"none", "relu", "relu6", "relu_n1_to_1"};
    const char *name = word_of(c, "activation", "none");
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strcmp(names[i], name) == 0)
            return (lb_litert_fused)i;
    fail_msg("there is no activation %s", name);
    return LB_LITERT_NONE;
}

static inline void give_quant(test_case *c, const char *multiplier, const char *shift,
                              lb_litert_per_tensor_quant q)
{
    give(c, multiplier, q.multiplier);
    give(c, shift, q.shift);
}

static inline void give_limits(test_case *c, lb_litert_activation a)
{
    give(c, "activation_min", a.min);
    give(c, "activation_max", a.max);
}

static inline lb_litert_status prepare_multiplier(test_case *c, const lb_litert_context *ctx)
{
    give_quant(c, "multiplier", "shift",
               lb_litert_prepare_multiplier(ctx->profile, real_of(c, "real")));
    return LB_LITERT_SUCCESS;
}

static inline lb_litert_status prepare_padding(test_case *c, const lb_litert_context *ctx)
{
    lb_litert_padding p = lb_litert_prepare_padding(
        strcmp(word_of(c, "padding", "valid"), "same") == 0, number_of(c, "in"),
        number_of(c, "filter"), number_of(c, "stride"), number_of(c, "dilation"));
    (void)ctx;
    give(c, "out", p.out);
    give(c, "before", p.before);
    give(c, "after_extra", p.after_extra);
    return LB_LITERT_SUCCESS;
}

static inline lb_litert_status prepare_conv(test_case *c, const lb_litert_context *ctx)
{
    lb_litert_quantization in = quantization(c, "input"), out = quantization(c, "output");
    lb_litert_per_tensor_quant q;
    float filter = scale_of(c, "filter_scale");
    if (strcmp(c->function, "prepare_conv") == 0)
        lb_litert_prepare_conv(ctx->profile, in.scale, &filter, 1, out.scale, &q.multiplier,
                               &q.shift);
    else
        q = lb_litert_prepare_fully_connected(ctx->profile, in.scale, filter, out.scale);
    give_quant(c, "multiplier", "shift", q);
    give_limits(c, lb_litert_prepare_activation(type_in(c, "type"), fused_of(c), out));
    return LB_LITERT_SUCCESS;
}

static inline lb_litert_status prepare_add(test_case *c, const lb_litert_context *ctx)
{
    lb_litert_add_params p;
    bool add = strcmp(c->function, "prepare_add") == 0;
    lb_litert_status status = (add ? lb_litert_prepare_add : lb_litert_prepare_sub)(
        ctx->profile, type_in(c, "type"), quantization(c, "input1"), quantization(c, "input2"),
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

static inline lb_litert_status prepare_mul(test_case *c, const lb_litert_context *ctx)
{
    lb_litert_mul_params p =
        lb_litert_prepare_mul(ctx->profile, type_in(c, "type"), quantization(c, "input1"),
                              quantization(c, "input2"), quantization(c, "output"), fused_of(c));
    give(c, "input1_offset", p.input1_offset);
    give(c, "input2_offset", p.input2_offset);
    give(c, "output_offset", p.output_offset);
    give(c, "output_multiplier", p.output_multiplier);
    give(c, "output_shift", p.output_shift);
    give_limits(c, p.activation);
    return LB_LITERT_SUCCESS;
}

static inline lb_litert_status prepare_softmax(test_case *c, const lb_litert_context *ctx)
{
    lb_litert_per_tensor_quant q;
    lb_litert_status status = LB_LITERT_SUCCESS;
    float scale = scale_of(c, "input_scale"), beta = scale_of(c, "beta");
    int32_t diff_min = 0;
    bool s8 = type_in(c, "type") == LB_LITERT_S8;
    if (s8)
        status = lb_litert_prepare_softmax_s8(ctx->profile, scale, beta, &q, &diff_min);
    else
        q = lb_litert_prepare_softmax_s16(ctx->profile, scale, beta);
    if (status != LB_LITERT_SUCCESS)
        return status;
    give_quant(c, "input_multiplier", "input_left_shift", q);
    if (s8)
        give(c, "diff_min", diff_min);
    return status;
}

static inline lb_litert_status prepare_sigmoid(test_case *c, const lb_litert_context *ctx)
{
    lb_litert_sigmoid_params p;
    float scale = scale_of(c, "input_scale");
    (void)ctx;
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

static inline lb_litert_status prepare_leaky_relu(test_case *c, const lb_litert_context *ctx)
{
    lb_litert_leaky_relu_params p = lb_litert_prepare_leaky_relu(
        ctx->profile, quantization(c, "input"), scale_of(c, "alpha"), quantization(c, "output"));
    give(c, "alpha_multiplier", p.alpha_multiplier);
    give(c, "alpha_shift", p.alpha_shift);
    give(c, "identity_multiplier", p.identity_multiplier);
    give(c, "identity_shift", p.identity_shift);
    return LB_LITERT_SUCCESS;
}

static inline lb_litert_status prepare_relu(test_case *c, const lb_litert_context *ctx)
{
    lb_litert_relu_params p = lb_litert_prepare_relu(
        ctx->profile, type_in(c, "type"), quantization(c, "input"), quantization(c, "output"));
    give(c, "multiplier", p.multiplier);
    give(c, "shift", p.shift);
    give_limits(c, p.activation);
    return LB_LITERT_SUCCESS;
}

static inline lb_litert_status prepare_relu6(test_case *c, const lb_litert_context *ctx)
{
    int32_t zero, six;
    (void)ctx;
    lb_litert_prepare_relu6(type_in(c, "type"), quantization(c, "input"), &zero, &six);
    give(c, "zero", zero);
    give(c, "six", six);
    return LB_LITERT_SUCCESS;
}

static inline lb_litert_status prepare_hard_swish(test_case *c, const lb_litert_context *ctx)
{
    lb_litert_hard_swish_params p;
    lb_litert_status status = lb_litert_prepare_hard_swish(ctx->profile, quantization(c, "input"),
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

/* "ROLE:TYPE ... > ROLE:TYPE" of kernels, for examples, which do not name types; NULL of the
 * others. */
static const struct function {
    const char *name;
    call_fn *call;
    const char *tensors;
} functions[] = {
    {"conv_2d_s8", call_conv_2d, "in:s8 weights:s8 bias:s32 multiplier:s32 shift:s32 > s8"},
    {"conv_2d_s16", call_conv_2d, "in:s16 weights:s8 bias:s64 multiplier:s32 shift:s32 > s16"},
    {"depthwise_conv_2d_s8", call_depthwise,
     "in:s8 weights:s8 bias:s32 multiplier:s32 shift:s32 > s8"},
    {"depthwise_conv_2d_s16", call_depthwise,
     "in:s16 weights:s8 bias:s64 multiplier:s32 shift:s32 > s16"},
    {"transpose_conv_s8", call_transpose,
     "in:s8 weights:s8 bias:s32 multiplier:s32 shift:s32 > s8"},
    {"transpose_conv_s16", call_transpose,
     "in:s16 weights:s8 bias:s64 multiplier:s32 shift:s32 > s16"},
    {"fully_connected_s8", call_fully_connected, "in:s8 weights:s8 bias:s32 > s8"},
    {"fully_connected_s16", call_fully_connected, "in:s16 weights:s8 bias:s64 > s16"},
    {"fully_connected_per_channel_s8", call_fully_connected_per_channel,
     "in:s8 weights:s8 bias:s32 multiplier:s32 shift:s32 > s8"},
    {"fully_connected_per_channel_s16", call_fully_connected_per_channel,
     "in:s16 weights:s8 bias:s64 multiplier:s32 shift:s32 > s16"},
    {"average_pool_2d_s8", call_pool, "in:s8 > s8"},
    {"average_pool_2d_s16", call_pool, "in:s16 > s16"},
    {"max_pool_2d_s8", call_pool, "in:s8 > s8"},
    {"max_pool_2d_s16", call_pool, "in:s16 > s16"},
    {"add_s8", call_add, "in1:s8 in2:s8 > s8"},
    {"add_s16", call_add, "in1:s16 in2:s16 > s16"},
    {"sub_s8", call_add, "in1:s8 in2:s8 > s8"},
    {"sub_s16", call_add, "in1:s16 in2:s16 > s16"},
    {"mul_s8", call_mul, "in1:s8 in2:s8 > s8"},
    {"mul_s16", call_mul, "in1:s16 in2:s16 > s16"},
    {"softmax_s8", call_softmax, "in:s8 > s8"},
    {"softmax_s8_s16", call_softmax, "in:s8 > s16"},
    {"softmax_s16", call_softmax, "in:s16 > s16"},
    {"logistic_s8", call_sigmoid, "in:s8 > s8"},
    {"logistic_s16", call_sigmoid, "in:s16 > s16"},
    {"tanh_s8", call_sigmoid, "in:s8 > s8"},
    {"tanh_s16", call_sigmoid, "in:s16 > s16"},
    {"leaky_relu_s8", call_leaky_relu, "in:s8 > s8"},
    {"leaky_relu_s16", call_leaky_relu, "in:s16 > s16"},
    {"relu_s8", call_relu, "in:s8 > s8"},
    {"relu_s16", call_relu, "in:s16 > s16"},
    {"relu6_s8", call_relu6, "in:s8 > s8"},
    {"relu6_s16", call_relu6, "in:s16 > s16"},
    {"hard_swish_s8", call_hard_swish, "in:s8 > s8"},
    {"requantize_s8_s8", call_requantize, "in:s8 > s8"},
    {"requantize_s16_s8", call_requantize, "in:s16 > s8"},
    {"requantize_s32_s8", call_requantize, "in:s32 > s8"},
    {"requantize_s8_s16", call_requantize, "in:s8 > s16"},
    {"requantize_s16_s16", call_requantize, "in:s16 > s16"},
    {"requantize_s32_s16", call_requantize, "in:s32 > s16"},
    {"requantize_s8_s32", call_requantize, "in:s8 > s32"},
    {"requantize_s16_s32", call_requantize, "in:s16 > s32"},
    {"mean_s8", call_mean, "in:s8 axis:s32 > s8"},
    {"mean_s16", call_mean, "in:s16 axis:s32 > s16"},
    {"l2_normalization_s8", call_l2_normalization, "in:s8 > s8"},
    {"prepare_multiplier", prepare_multiplier, NULL},
    {"prepare_padding", prepare_padding, NULL},
    {"prepare_conv", prepare_conv, NULL},
    {"prepare_fully_connected", prepare_conv, NULL},
    {"prepare_add", prepare_add, NULL},
    {"prepare_sub", prepare_add, NULL},
    {"prepare_mul", prepare_mul, NULL},
    {"prepare_softmax", prepare_softmax, NULL},
    {"prepare_logistic", prepare_sigmoid, NULL},
    {"prepare_tanh", prepare_sigmoid, NULL},
    {"prepare_leaky_relu", prepare_leaky_relu, NULL},
    {"prepare_relu", prepare_relu, NULL},
    {"prepare_relu6", prepare_relu6, NULL},
    {"prepare_hard_swish", prepare_hard_swish, NULL},
};

static inline const struct function *find_function(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(functions); i++)
        if (strcmp(functions[i].name, name) == 0)
            return &functions[i];
    return NULL;
}

/* How a case of this function is called; NULL: there is no such function. */
static inline call_fn *call_of(const char *name)
{
    const struct function *f = find_function(name);
    return f ? f->call : find_recorded_primitive(name) ? call_primitive : NULL;
}

static const char *const profile_names[] = {"litert-double", "litert-single"};

#endif
