/* Operators of a .tflite model as cases of LiteRT's kernels: options and scales become the
 * configuration of a call (litert.22). See from_tflite_case.h. */
#include "harness/generate/from_tflite_case.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- What many share ---- */

static lb_config *config_of(lb_tflite_build *b)
{
    return &b->c->config;
}

/* The row of litert_NAME_TYPE. */
static bool find_kernel(lb_tflite_build *b, const char *name, const char *types)
{
    char text[80];
    snprintf(text, sizeof text, "litert_%s_%s", name, types);
    b->c->kernel = lb_kernel_find(text);
    if (!b->c->kernel)
        return lb_tflite_refuse(b, "the kernel set has no %s of %s", name, types);
    b->c->function = lb_arena_strdup(b->arena, text);
    return true;
}

/* The kernel for the type of the first input, which is that of the output. */
static bool find_kernel_of_input(lb_tflite_build *b, const char *name, unsigned place,
                                 lb_el_type *type)
{
    const lb_tflite_tensor *in = lb_tflite_input(b, place), *out = lb_tflite_output(b);
    lb_el_type out_type = LB_S8;
    if (!in || !out || !lb_tflite_el_type(b, in, type) || !lb_tflite_el_type(b, out, &out_type))
        return false;
    if (*type != out_type)
        return lb_tflite_refuse(b, "input and output are of types %s and %s",
                                lb_el_type_name(*type), lb_el_type_name(out_type));
    return find_kernel(b, name, lb_el_type_name(*type));
}

/* Scale and zero point of an operand, for preparing. */
static bool say(lb_tflite_build *b, lb_role role, const lb_tflite_tensor *t)
{
    lb_lite_quant q = {0};
    if (!t || !lb_tflite_quant(b, t, &q))
        return false;
    float *scale = lb_arena_alloc(b->arena, sizeof *scale);
    *scale = q.scale;
    b->call.operand[role] =
        (lb_model_quant){.scales = scale, .count = 1, .zero_point = q.zero_point};
    return true;
}

static bool say_both(lb_tflite_build *b, unsigned place)
{
    return say(b, LB_ROLE_IN, lb_tflite_input(b, place)) &&
           say(b, LB_ROLE_OUT, lb_tflite_output(b));
}

static bool say_fused(lb_tflite_build *b)
{
    static const lb_lite_fused of_number[] = {LB_LITE_FUSED_NONE, LB_LITE_FUSED_RELU,
                                              LB_LITE_FUSED_RELU_N1_TO_1, LB_LITE_FUSED_RELU6};
    const int32_t number = b->o->options.fused;
    if (number < 0 || number > 3)
        return lb_tflite_refuse(b, "fused activation %d", number);
    b->call.activation = (unsigned)of_number[number];
    b->call.has_activation = b->call.activation != LB_LITE_FUSED_NONE;
    return true;
}

/* The integers of the call (litert.22), from what was said of it. */
static bool prepare(lb_tflite_build *b)
{
    lb_prepared_call *call = &b->call;
    call->kernel = b->c->kernel;
    call->config = b->c->config;
    if (!lb_lite_prepare_call(b->profile, call))
        return call->wrong < LB_ROLE_COUNT
                   ? lb_tflite_refuse(b, "its %s: %s", lb_role_name(call->wrong), call->why)
                   : lb_tflite_refuse(b, "%s", call->why);
    b->c->config = call->config;
    return true;
}

/* ---- Windows ---- */

typedef struct axis {
    const char *name;
    int64_t in, filter, stride, dilation, out;
} axis;

/* The padding before, of one dimension of an image. */
static bool find_padding(lb_tflite_build *b, const axis *a, int32_t *before)
{
    const int32_t kind = b->o->options.padding;
    if (kind != 0 && kind != 1)
        return lb_tflite_refuse(b, "padding %d is neither SAME nor VALID", kind);
    if (a->stride < 1 || a->stride > INT16_MAX || a->dilation < 1 || a->dilation > INT16_MAX ||
        a->filter < 1 || a->filter > INT16_MAX)
        return lb_tflite_refuse(
            b, "filter %lld, stride %lld or dilation %lld of its %s is not from 1 to 32767",
            (long long)a->filter, (long long)a->stride, (long long)a->dilation, a->name);
    const lb_lite_padding p =
        lb_lite_prepare_padding(kind == 0, a->in, a->filter, a->stride, a->dilation);
    if (p.out != a->out)
        return lb_tflite_refuse(b, "the output has the %s %lld, and %s padding gives %lld", a->name,
                                (long long)a->out, kind == 0 ? "SAME" : "VALID", (long long)p.out);
    *before = (int32_t)p.before;
    return true;
}

/* Strides, dilations and paddings from images of this input and output (exchanged in a transposed
 * convolution). */
static bool put_geometry(lb_tflite_build *b, const lb_tflite_tensor *in,
                         const lb_tflite_tensor *out, int64_t filter_h, int64_t filter_w)
{
    const lb_tflite_options *o = &b->o->options;
    lb_config *c = config_of(b);
    if (in->rank != 4 || out->rank != 4)
        return lb_tflite_refuse(b, "input and output have %u and %u dimensions, not 4", in->rank,
                                out->rank);
    c->litert.stride_height = o->stride_h;
    c->litert.stride_width = o->stride_w;
    c->litert.dilation_height = o->dilation_h ? o->dilation_h : 1;
    c->litert.dilation_width = o->dilation_w ? o->dilation_w : 1;
    const axis rows = {"height",     in->shape[1], filter_h, o->stride_h, c->litert.dilation_height,
                       out->shape[1]};
    const axis columns = {
        "width", in->shape[2], filter_w, o->stride_w, c->litert.dilation_width, out->shape[2]};
    return find_padding(b, &rows, &c->litert.padding_top) &&
           find_padding(b, &columns, &c->litert.padding_left);
}

/* ---- Weights ---- */

/* One scale, or one for each channel along a dimension; zero points 0. */
static bool say_weights(lb_tflite_build *b, const lb_tflite_tensor *w, uint32_t channels)
{
    const lb_flat *f = &b->model->flat;
    if (w->has_other_quantization || (w->scale.count != 1 && w->scale.count != channels))
        return lb_tflite_refuse(b, "its weights have %u scales, neither 1 nor %u", w->scale.count,
                                channels);
    float *scales = lb_arena_array(b->arena, w->scale.count, sizeof *scales);
    for (uint32_t i = 0; i < w->scale.count; i++) {
        scales[i] = lb_flat_float32(f, &w->scale, i);
        if (!(scales[i] >= 0) || !isfinite(scales[i]))
            return lb_tflite_refuse(b, "scale %u of its weights is %g", i, (double)scales[i]);
    }
    for (uint32_t i = 0; i < w->zero_point.count; i++)
        if (lb_flat_int64(f, &w->zero_point, i) != 0)
            return lb_tflite_refuse(b, "zero point %u of its weights is not 0", i);
    b->call.operand[LB_ROLE_WEIGHTS] =
        (lb_model_quant){.scales = scales, .count = w->scale.count, .axis = w->quantized_dimension};
    b->call.channels = channels;
    return true;
}

static void put_factors(lb_tflite_build *b)
{
    b->call.multiplier = lb_tflite_put_list(b, LB_ROLE_MULTIPLIER, b->call.channels);
    b->call.shift = lb_tflite_put_list(b, LB_ROLE_SHIFT, b->call.channels);
}

/* int16: bits of the sum, which the type of the bias decides. */
static bool put_sum_bits(lb_tflite_build *b, bool may_be_32)
{
    const lb_case_operand *bias = &b->c->operand[LB_ROLE_BIAS];
    const bool is_32 = bias->present && bias->tensors->type == LB_S32;
    config_of(b)->litert.accumulator_bits = is_32 ? 32 : 64;
    return may_be_32 || !is_32 ||
           lb_tflite_refuse(b, "its bias is int32, and the kernel wants int64");
}

/* All three convolutions: which inputs they have, and where the channels lie in the filter. */
static bool build_conv(lb_tflite_build *b, const char *name)
{
    enum { FILTER_PLACE = 1 };
    const bool back = b->o->code == LB_TFLITE_TRANSPOSE_CONV;
    const unsigned in_place = back ? 2 : 0, bias_place = back ? 3 : 2;
    const lb_tflite_tensor *in = lb_tflite_input(b, in_place);
    const lb_tflite_tensor *w = lb_tflite_input(b, FILTER_PLACE), *out = lb_tflite_output(b);
    const int32_t dimension = b->o->code == LB_TFLITE_DEPTHWISE_CONV_2D ? 3 : 0;
    lb_el_type type = LB_S8;
    if (!in || !w || !out || !find_kernel_of_input(b, name, in_place, &type) ||
        !say_both(b, in_place))
        return false;
    if (w->rank != 4 || lb_tflite_elements(w) == 0)
        return lb_tflite_refuse(b, "its weights have %u dimensions, not 4, or no elements",
                                w->rank);
    const uint32_t channels = (uint32_t)w->shape[dimension];
    b->products =
        lb_tflite_elements(back ? in : out) * lb_tflite_elements(w) / (back ? 1 : channels);
    config_of(b)->litert.depth_multiplier =
        in->rank == 4 && in->shape[3] > 0 ? (int32_t)channels / in->shape[3] : 0;
    if (!say_weights(b, w, channels) || !lb_tflite_put_input(b, LB_ROLE_IN, in_place) ||
        !lb_tflite_put_weights(b, FILTER_PLACE) || !lb_tflite_put_bias(b, bias_place, channels) ||
        !lb_tflite_put_output(b) ||
        !put_geometry(b, back ? out : in, back ? in : out, w->shape[1], w->shape[2]) ||
        !say_fused(b))
        return false;
    put_factors(b);
    return prepare(b) && (type == LB_S8 || put_sum_bits(b, b->o->code == LB_TFLITE_CONV_2D));
}

static bool build_fully_connected(lb_tflite_build *b, const char *name)
{
    const lb_tflite_tensor *w = lb_tflite_input(b, 1), *out = lb_tflite_output(b);
    lb_el_type type = LB_S8;
    if (!w || !out)
        return false;
    if (b->o->options.weights_format != 0)
        return lb_tflite_refuse(b, "weights_format %d: its weights are in another order",
                                b->o->options.weights_format);
    if (w->rank != 2 || lb_tflite_elements(w) == 0)
        return lb_tflite_refuse(b, "its weights have %u dimensions, not 2, or no elements",
                                w->rank);
    const uint32_t units = (uint32_t)w->shape[0];
    const bool per_channel = w->scale.count > 1;
    if (per_channel)
        name = lb_arena_printf(b->arena, "%s_per_channel", name);
    if (!find_kernel_of_input(b, name, 0, &type) || !say_both(b, 0) || !say_weights(b, w, units) ||
        !lb_tflite_put_input(b, LB_ROLE_IN, 0) || !lb_tflite_put_weights(b, 1) ||
        !lb_tflite_put_bias(b, 2, units) || !lb_tflite_put_output(b) || !say_fused(b))
        return false;
    b->products = lb_tflite_elements(out) * (uint64_t)w->shape[1];
    if (per_channel)
        put_factors(b);
    return prepare(b) && (type == LB_S8 || put_sum_bits(b, true));
}

/* ---- Pooling ---- */

static bool build_pool(lb_tflite_build *b, const char *name)
{
    const lb_tflite_tensor *in = lb_tflite_input(b, 0), *out = lb_tflite_output(b);
    const lb_tflite_options *o = &b->o->options;
    lb_el_type type = LB_S8;
    if (!in || !out || !find_kernel_of_input(b, name, 0, &type) || !say_both(b, 0) ||
        !say_fused(b) || !lb_tflite_put_input(b, LB_ROLE_IN, 0) || !lb_tflite_put_output(b) ||
        !put_geometry(b, in, out, o->filter_h, o->filter_w))
        return false;
    config_of(b)->litert.filter_height = o->filter_h;
    config_of(b)->litert.filter_width = o->filter_w;
    b->products = lb_tflite_elements(out) * (uint64_t)o->filter_h * (uint64_t)o->filter_w;
    return prepare(b);
}

/* ---- Two inputs ---- */

static bool is_power_of_two(const lb_tflite_build *b, lb_role role)
{
    int exponent;
    return frexpf(*b->call.operand[role].scales, &exponent) == 0.5F;
}

static bool build_two(lb_tflite_build *b, const char *name)
{
    const lb_tflite_tensor *in2 = lb_tflite_input(b, 1);
    lb_el_type type = LB_S8, type2 = LB_S8;
    if (!in2 || !find_kernel_of_input(b, name, 0, &type) || !lb_tflite_el_type(b, in2, &type2) ||
        !say(b, LB_ROLE_IN1, lb_tflite_input(b, 0)) || !say(b, LB_ROLE_IN2, in2) ||
        !say(b, LB_ROLE_OUT, lb_tflite_output(b)) || !say_fused(b))
        return false;
    if (type2 != type)
        return lb_tflite_refuse(b, "its inputs are of two types");
    if (type == LB_S16 && b->o->options.pot_scale_int16 && is_power_of_two(b, LB_ROLE_IN1) &&
        is_power_of_two(b, LB_ROLE_IN2) && is_power_of_two(b, LB_ROLE_OUT))
        return lb_tflite_refuse(b, "int16 with scales that are powers of two goes another way");
    return prepare(b) && lb_tflite_put_input(b, LB_ROLE_IN1, 0) &&
           lb_tflite_put_input(b, LB_ROLE_IN2, 1) && lb_tflite_put_output(b);
}

/* ---- One input ---- */

static bool prepare_both(lb_tflite_build *b)
{
    return say_both(b, 0) && prepare(b) && lb_tflite_put_input(b, LB_ROLE_IN, 0) &&
           lb_tflite_put_output(b);
}

static bool build_one(lb_tflite_build *b, const char *name)
{
    lb_el_type type = LB_S8;
    return find_kernel_of_input(b, name, 0, &type) && prepare_both(b);
}

/* Kernels that are called after the types of input and output; softmax after one of equal ones. */
static bool build_of_types(lb_tflite_build *b, const char *name)
{
    const lb_tflite_tensor *in = lb_tflite_input(b, 0), *out = lb_tflite_output(b);
    lb_el_type type = LB_S8, out_type = LB_S8;
    char types[16];
    if (!in || !out || !lb_tflite_el_type(b, in, &type) || !lb_tflite_el_type(b, out, &out_type))
        return false;
    snprintf(types, sizeof types, "%s_%s", lb_el_type_name(type), lb_el_type_name(out_type));
    const bool is_one = b->o->code == LB_TFLITE_SOFTMAX && type == out_type;
    return find_kernel(b, name, is_one ? lb_el_type_name(type) : types) && prepare_both(b);
}

static bool build_softmax(lb_tflite_build *b, const char *name)
{
    b->call.beta = b->o->options.beta;
    b->call.has_beta = true;
    if (!(b->call.beta > 0) || !isfinite(b->call.beta))
        return lb_tflite_refuse(b, "beta is %g", (double)b->call.beta);
    return build_of_types(b, name);
}

static bool build_leaky_relu(lb_tflite_build *b, const char *name)
{
    b->call.alpha = b->o->options.alpha;
    b->call.has_alpha = true;
    if (!isfinite(b->call.alpha))
        return lb_tflite_refuse(b, "alpha is %g", (double)b->call.alpha);
    return build_one(b, name);
}

/* Mean and sum along the dimensions that a constant names. */
static bool build_mean(lb_tflite_build *b, const char *name)
{
    const lb_tflite_tensor *axes = lb_tflite_input(b, 1);
    if (!axes)
        return false;
    if (axes->type != LB_TFLITE_INT32 || !axes->data.is_there)
        return lb_tflite_refuse(b, "the dimensions \"%s\" are no constant of int32", axes->name);
    config_of(b)->litert.sum = b->o->code == LB_TFLITE_SUM;
    return build_one(b, name) && lb_tflite_put_input(b, LB_ROLE_AXIS, 1);
}

static bool build_fused(lb_tflite_build *b, const char *name)
{
    return say_fused(b) && build_one(b, name);
}

/* ---- All ---- */

static const struct {
    lb_tflite_code code;
    const char *name; /* of the kernel */
    bool (*build)(lb_tflite_build *b, const char *name);
} builders[] = {
    {LB_TFLITE_ADD, "add", build_two},
    {LB_TFLITE_AVERAGE_POOL_2D, "average_pool_2d", build_pool},
    {LB_TFLITE_CONV_2D, "conv_2d", build_conv},
    {LB_TFLITE_DEPTHWISE_CONV_2D, "depthwise_conv_2d", build_conv},
    {LB_TFLITE_FULLY_CONNECTED, "fully_connected", build_fully_connected},
    {LB_TFLITE_HARD_SWISH, "hard_swish", build_one},
    {LB_TFLITE_L2_NORMALIZATION, "l2_normalization", build_fused},
    {LB_TFLITE_LEAKY_RELU, "leaky_relu", build_leaky_relu},
    {LB_TFLITE_LOGISTIC, "logistic", build_one},
    {LB_TFLITE_MAX_POOL_2D, "max_pool_2d", build_pool},
    {LB_TFLITE_MEAN, "mean", build_mean},
    {LB_TFLITE_MUL, "mul", build_two},
    {LB_TFLITE_QUANTIZE, "requantize", build_of_types},
    {LB_TFLITE_RELU, "relu", build_one},
    {LB_TFLITE_RELU6, "relu6", build_one},
    {LB_TFLITE_SOFTMAX, "softmax", build_softmax},
    {LB_TFLITE_SUB, "sub", build_two},
    {LB_TFLITE_SUM, "mean", build_mean},
    {LB_TFLITE_TANH, "tanh", build_one},
    {LB_TFLITE_TRANSPOSE_CONV, "transpose_conv", build_conv},
};

bool lb_tflite_build_case(lb_tflite_build *b)
{
    enum { MOST_GIGA = 8 };
    const uint64_t most = (uint64_t)MOST_GIGA << 30;
    for (size_t i = 0; i < sizeof builders / sizeof builders[0]; i++) {
        if ((int)builders[i].code != b->o->code)
            continue;
        if (!builders[i].build(b, builders[i].name))
            return false;
        return b->products <= most ||
               lb_tflite_refuse(b, "more than %d * 2^30 products, too many for the exact model",
                                MOST_GIGA);
    }
    return lb_tflite_refuse(b, "the kernel set has no such operator");
}

bool lb_tflite_hands_on(const lb_tflite_operator *o)
{
    return o->code == LB_TFLITE_RESHAPE || o->code == LB_TFLITE_SQUEEZE ||
           o->code == LB_TFLITE_EXPAND_DIMS;
}
