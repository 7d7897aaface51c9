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

static bool read_quants(lb_tflite_build *b, unsigned place, lb_lite_quant *in, lb_lite_quant *out)
{
    const lb_tflite_tensor *t = lb_tflite_input(b, place), *made = lb_tflite_output(b);
    return t && made && lb_tflite_quant(b, t, in) && lb_tflite_quant(b, made, out);
}

static bool read_fused(lb_tflite_build *b, lb_lite_fused *fused)
{
    static const lb_lite_fused of_number[] = {LB_LITE_FUSED_NONE, LB_LITE_FUSED_RELU,
                                              LB_LITE_FUSED_RELU_N1_TO_1, LB_LITE_FUSED_RELU6};
    const int32_t number = b->o->options.fused;
    if (number < 0 || number > 3)
        return lb_tflite_refuse(b, "fused activation %d", number);
    *fused = of_number[number];
    return true;
}

static bool needs_zero(lb_tflite_build *b, lb_lite_quant q, const char *what)
{
    return q.zero_point == 0 ||
           lb_tflite_refuse(b, "the zero point of its %s is %d, not 0", what, q.zero_point);
}

/* The scale and zero point that an output must have, because the kernel knows no other. */
static bool needs_quant(lb_tflite_build *b, lb_lite_quant q, double scale, int32_t zero_point)
{
    if (fabs((double)q.scale - scale) <= scale * 0x1p-10 && q.zero_point == zero_point)
        return true;
    return lb_tflite_refuse(
        b, "its output has scale %g and zero point %d, and the kernel gives %g and %d",
        (double)q.scale, q.zero_point, scale, zero_point);
}

static bool same_quant(lb_tflite_build *b, lb_lite_quant in, lb_lite_quant out)
{
    return (in.scale == out.scale && in.zero_point == out.zero_point) ||
           lb_tflite_refuse(b, "input and output have different scales or zero points");
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

/* Scales of the filter: one, or one for each channel along this dimension; zero points 0. */
static bool check_filter(lb_tflite_build *b, const lb_tflite_tensor *w, uint32_t channels,
                         int32_t dimension)
{
    const lb_flat *f = &b->model->flat;
    if (w->has_other_quantization || (w->scale.count != 1 && w->scale.count != channels))
        return lb_tflite_refuse(b, "its weights have %u scales, neither 1 nor %u", w->scale.count,
                                channels);
    if (w->scale.count > 1 && w->quantized_dimension != dimension)
        return lb_tflite_refuse(b, "the scales of its weights run along dimension %d, not %d",
                                w->quantized_dimension, dimension);
    for (uint32_t i = 0; i < w->scale.count; i++) {
        const float scale = lb_flat_float32(f, &w->scale, i);
        if (!(scale >= 0) || !isfinite(scale))
            return lb_tflite_refuse(b, "scale %u of its weights is %g", i, (double)scale);
    }
    for (uint32_t i = 0; i < w->zero_point.count; i++)
        if (lb_flat_int64(f, &w->zero_point, i) != 0)
            return lb_tflite_refuse(b, "zero point %u of its weights is not 0", i);
    return true;
}

static void put_factors(lb_tflite_build *b, const lb_tflite_tensor *w, uint32_t channels,
                        lb_lite_quant in, lb_lite_quant out)
{
    int32_t *multiplier = lb_tflite_put_list(b, LB_ROLE_MULTIPLIER, channels);
    int32_t *shift = lb_tflite_put_list(b, LB_ROLE_SHIFT, channels);
    for (uint32_t o = 0; o < channels; o++) {
        const float scale = lb_flat_float32(&b->model->flat, &w->scale, w->scale.count > 1 ? o : 0);
        const lb_lite_factor f = lb_lite_prepare_conv(b->profile, in.scale, scale, out.scale);
        multiplier[o] = f.multiplier;
        shift[o] = f.shift;
    }
}

/* Offsets, and what the fused activation leaves of the output's range. */
static bool put_ends(lb_tflite_build *b, lb_el_type type, lb_lite_quant in, lb_lite_quant out)
{
    lb_config *c = config_of(b);
    lb_lite_fused fused = LB_LITE_FUSED_NONE;
    if (!read_fused(b, &fused))
        return false;
    c->litert.input_offset = -in.zero_point;
    c->litert.output_offset = out.zero_point;
    lb_lite_prepare_limits(type, fused, out, c);
    return true;
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

enum { OF_CONV, OF_DEPTHWISE, OF_TRANSPOSE };

/* All three convolutions: which inputs they have, and where the channels lie in the filter. */
static bool build_conv_of(lb_tflite_build *b, int which, const char *name)
{
    static const unsigned in_place[] = {0, 0, 2}, bias_place[] = {2, 2, 3};
    enum { FILTER_PLACE = 1 };
    const lb_tflite_tensor *in = lb_tflite_input(b, in_place[which]);
    const lb_tflite_tensor *w = lb_tflite_input(b, FILTER_PLACE), *out = lb_tflite_output(b);
    const int32_t dimension = which == OF_DEPTHWISE ? 3 : 0;
    lb_lite_quant of_in = {0}, of_out = {0};
    lb_el_type type = LB_S8;
    if (!in || !w || !out || !find_kernel_of_input(b, name, in_place[which], &type) ||
        !read_quants(b, in_place[which], &of_in, &of_out))
        return false;
    if (w->rank != 4 || lb_tflite_elements(w) == 0)
        return lb_tflite_refuse(b, "its weights have %u dimensions, not 4, or no elements",
                                w->rank);
    const uint32_t channels = (uint32_t)w->shape[dimension];
    const bool back = which == OF_TRANSPOSE;
    if (type == LB_S16 && (!needs_zero(b, of_in, "input") || !needs_zero(b, of_out, "output")))
        return false;
    b->products =
        lb_tflite_elements(back ? in : out) * lb_tflite_elements(w) / (back ? 1 : channels);
    config_of(b)->litert.depth_multiplier =
        in->rank == 4 && in->shape[3] > 0 ? (int32_t)channels / in->shape[3] : 0;
    if (!check_filter(b, w, channels, dimension) ||
        !lb_tflite_put_input(b, LB_ROLE_IN, in_place[which]) ||
        !lb_tflite_put_weights(b, FILTER_PLACE) ||
        !lb_tflite_put_bias(b, bias_place[which], channels) || !lb_tflite_put_output(b) ||
        !put_geometry(b, back ? out : in, back ? in : out, w->shape[1], w->shape[2]) ||
        !put_ends(b, type, of_in, of_out))
        return false;
    put_factors(b, w, channels, of_in, of_out);
    return type == LB_S8 || put_sum_bits(b, which == OF_CONV);
}

static bool build_conv(lb_tflite_build *b)
{
    return build_conv_of(b, OF_CONV, "conv_2d");
}

static bool build_depthwise(lb_tflite_build *b)
{
    return build_conv_of(b, OF_DEPTHWISE, "depthwise_conv_2d");
}

static bool build_transpose(lb_tflite_build *b)
{
    return build_conv_of(b, OF_TRANSPOSE, "transpose_conv");
}

static bool build_fully_connected(lb_tflite_build *b)
{
    const lb_tflite_tensor *w = lb_tflite_input(b, 1), *out = lb_tflite_output(b);
    lb_lite_quant of_in = {0}, of_out = {0};
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
    if (!find_kernel_of_input(b, per_channel ? "fully_connected_per_channel" : "fully_connected", 0,
                              &type) ||
        !read_quants(b, 0, &of_in, &of_out) || !check_filter(b, w, units, 0) ||
        !lb_tflite_put_input(b, LB_ROLE_IN, 0) || !lb_tflite_put_weights(b, 1) ||
        !lb_tflite_put_bias(b, 2, units) || !lb_tflite_put_output(b) ||
        !put_ends(b, type, of_in, of_out))
        return false;
    b->products = lb_tflite_elements(out) * (uint64_t)w->shape[1];
    if (per_channel) {
        put_factors(b, w, units, of_in, of_out);
    } else {
        const float scale = lb_flat_float32(&b->model->flat, &w->scale, 0);
        const lb_lite_factor f =
            lb_lite_prepare_fully_connected(b->profile, of_in.scale, scale, of_out.scale);
        config_of(b)->litert.multiplier = f.multiplier;
        config_of(b)->litert.shift = f.shift;
    }
    return type == LB_S8 || put_sum_bits(b, true);
}

/* ---- Pooling ---- */

static bool build_pool_of(lb_tflite_build *b, const char *name)
{
    const lb_tflite_tensor *in = lb_tflite_input(b, 0), *out = lb_tflite_output(b);
    const lb_tflite_options *o = &b->o->options;
    lb_lite_quant of_in = {0}, of_out = {0};
    lb_lite_fused fused = LB_LITE_FUSED_NONE;
    lb_el_type type = LB_S8;
    if (!in || !out || !find_kernel_of_input(b, name, 0, &type) ||
        !read_quants(b, 0, &of_in, &of_out) || !same_quant(b, of_in, of_out) ||
        !read_fused(b, &fused) || !lb_tflite_put_input(b, LB_ROLE_IN, 0) ||
        !lb_tflite_put_output(b) || !put_geometry(b, in, out, o->filter_h, o->filter_w))
        return false;
    config_of(b)->litert.filter_height = o->filter_h;
    config_of(b)->litert.filter_width = o->filter_w;
    b->products = lb_tflite_elements(out) * (uint64_t)o->filter_h * (uint64_t)o->filter_w;
    lb_lite_prepare_limits(type, fused, of_out, config_of(b));
    return true;
}

static bool build_average_pool(lb_tflite_build *b)
{
    return build_pool_of(b, "average_pool_2d");
}

static bool build_max_pool(lb_tflite_build *b)
{
    return build_pool_of(b, "max_pool_2d");
}

/* ---- Two inputs ---- */

typedef bool prepare_two(const lb_profile *, lb_el_type, lb_lite_quant, lb_lite_quant,
                         lb_lite_quant, lb_lite_fused, lb_config *);

static bool is_power_of_two(float scale)
{
    int exponent;
    return frexpf(scale, &exponent) == 0.5F;
}

static bool build_two(lb_tflite_build *b, const char *name, prepare_two *prepare)
{
    const lb_tflite_tensor *in2 = lb_tflite_input(b, 1);
    lb_lite_quant of_in1 = {0}, of_in2 = {0}, of_out = {0};
    lb_lite_fused fused = LB_LITE_FUSED_NONE;
    lb_el_type type = LB_S8, type2 = LB_S8;
    if (!in2 || !find_kernel_of_input(b, name, 0, &type) || !read_quants(b, 0, &of_in1, &of_out) ||
        !lb_tflite_quant(b, in2, &of_in2) || !lb_tflite_el_type(b, in2, &type2) ||
        !read_fused(b, &fused))
        return false;
    if (type2 != type)
        return lb_tflite_refuse(b, "its inputs are of two types");
    if (type == LB_S16 && b->o->options.pot_scale_int16 && is_power_of_two(of_in1.scale) &&
        is_power_of_two(of_in2.scale) && is_power_of_two(of_out.scale))
        return lb_tflite_refuse(b, "int16 with scales that are powers of two goes another way");
    if (!prepare(b->profile, type, of_in1, of_in2, of_out, fused, config_of(b)))
        return lb_tflite_refuse(b, "scales %g, %g and %g, which the reference refuses",
                                (double)of_in1.scale, (double)of_in2.scale, (double)of_out.scale);
    return lb_tflite_put_input(b, LB_ROLE_IN1, 0) && lb_tflite_put_input(b, LB_ROLE_IN2, 1) &&
           lb_tflite_put_output(b);
}

static bool build_add(lb_tflite_build *b)
{
    return build_two(b, "add", lb_lite_prepare_add);
}

static bool build_sub(lb_tflite_build *b)
{
    return build_two(b, "sub", lb_lite_prepare_sub);
}

static bool build_mul(lb_tflite_build *b)
{
    return build_two(b, "mul", lb_lite_prepare_mul);
}

/* ---- One input ---- */

static bool put_both(lb_tflite_build *b)
{
    return lb_tflite_put_input(b, LB_ROLE_IN, 0) && lb_tflite_put_output(b);
}

static bool prepared(lb_tflite_build *b, bool good, lb_lite_quant in)
{
    return good ? put_both(b)
                : lb_tflite_refuse(b, "the input's scale %g, which the reference refuses",
                                   (double)in.scale);
}

static bool build_softmax(lb_tflite_build *b)
{
    const lb_tflite_tensor *in = lb_tflite_input(b, 0), *out = lb_tflite_output(b);
    const float beta = b->o->options.beta;
    lb_lite_quant of_in = {0}, of_out = {0};
    lb_el_type type = LB_S8, out_type = LB_S8;
    if (!in || !out || !lb_tflite_el_type(b, in, &type) || !lb_tflite_el_type(b, out, &out_type) ||
        !read_quants(b, 0, &of_in, &of_out))
        return false;
    const bool mixed = type != out_type;
    if (!find_kernel(b, "softmax",
                     mixed ? type == LB_S8 && out_type == LB_S16 ? "s8_s16" : "of two types"
                           : lb_el_type_name(type)))
        return false;
    if (!(beta > 0) || !isfinite(beta))
        return lb_tflite_refuse(b, "beta is %g", (double)beta);
    const bool fits = type == LB_S16 ? needs_quant(b, of_out, 1 / 32768.0, 0)
                      : mixed        ? needs_quant(b, of_out, 1 / 65536.0, INT16_MIN)
                                     : needs_quant(b, of_out, 1 / 256.0, INT8_MIN);
    return fits &&
           prepared(b, lb_lite_prepare_softmax(b->profile, type, of_in.scale, beta, config_of(b)),
                    of_in);
}

static bool build_sigmoid(lb_tflite_build *b, const char *name, bool is_tanh)
{
    lb_lite_quant of_in = {0}, of_out = {0};
    lb_el_type type = LB_S8;
    if (!find_kernel_of_input(b, name, 0, &type) || !read_quants(b, 0, &of_in, &of_out))
        return false;
    if (type == LB_S16 && !needs_zero(b, of_in, "input"))
        return false;
    const double scale = type == LB_S16 ? 1 / 32768.0 : is_tanh ? 1 / 128.0 : 1 / 256.0;
    if (!needs_quant(b, of_out, scale, type == LB_S16 || is_tanh ? 0 : INT8_MIN))
        return false;
    return prepared(
        b, (is_tanh ? lb_lite_prepare_tanh : lb_lite_prepare_logistic)(type, of_in, config_of(b)),
        of_in);
}

static bool build_logistic(lb_tflite_build *b)
{
    return build_sigmoid(b, "logistic", false);
}

static bool build_tanh(lb_tflite_build *b)
{
    return build_sigmoid(b, "tanh", true);
}

static bool build_leaky_relu(lb_tflite_build *b)
{
    const float alpha = b->o->options.alpha;
    lb_lite_quant of_in = {0}, of_out = {0};
    lb_el_type type = LB_S8;
    if (!find_kernel_of_input(b, "leaky_relu", 0, &type) || !read_quants(b, 0, &of_in, &of_out))
        return false;
    if (!isfinite(alpha))
        return lb_tflite_refuse(b, "alpha is %g", (double)alpha);
    return prepared(b, lb_lite_prepare_leaky_relu(b->profile, of_in, of_out, alpha, config_of(b)),
                    of_in);
}

static bool build_relu(lb_tflite_build *b)
{
    lb_lite_quant of_in = {0}, of_out = {0};
    lb_el_type type = LB_S8;
    return find_kernel_of_input(b, "relu", 0, &type) && read_quants(b, 0, &of_in, &of_out) &&
           prepared(b, lb_lite_prepare_relu(b->profile, type, of_in, of_out, config_of(b)), of_in);
}

static bool build_relu6(lb_tflite_build *b)
{
    lb_lite_quant of_in = {0}, of_out = {0};
    lb_el_type type = LB_S8;
    return find_kernel_of_input(b, "relu6", 0, &type) && read_quants(b, 0, &of_in, &of_out) &&
           same_quant(b, of_in, of_out) &&
           prepared(b, lb_lite_prepare_relu6(type, of_in, config_of(b)), of_in);
}

static bool build_hard_swish(lb_tflite_build *b)
{
    lb_lite_quant of_in = {0}, of_out = {0};
    lb_el_type type = LB_S8;
    return find_kernel_of_input(b, "hard_swish", 0, &type) && read_quants(b, 0, &of_in, &of_out) &&
           prepared(b, lb_lite_prepare_hard_swish(b->profile, of_in, of_out, config_of(b)), of_in);
}

static bool build_quantize(lb_tflite_build *b)
{
    const lb_tflite_tensor *in = lb_tflite_input(b, 0), *out = lb_tflite_output(b);
    lb_lite_quant of_in = {0}, of_out = {0};
    lb_el_type type = LB_S8, out_type = LB_S8;
    char types[16];
    if (!in || !out || !lb_tflite_el_type(b, in, &type) || !lb_tflite_el_type(b, out, &out_type))
        return false;
    snprintf(types, sizeof types, "%s_%s", lb_el_type_name(type), lb_el_type_name(out_type));
    return find_kernel(b, "requantize", types) && read_quants(b, 0, &of_in, &of_out) &&
           prepared(b, lb_lite_prepare_requantize(b->profile, of_in, of_out, config_of(b)), of_in);
}

/* Mean and sum along the dimensions that a constant names. */
static bool build_mean(lb_tflite_build *b)
{
    const lb_tflite_tensor *axes = lb_tflite_input(b, 1);
    lb_lite_quant of_in = {0}, of_out = {0};
    lb_el_type type = LB_S8;
    if (!axes || !find_kernel_of_input(b, "mean", 0, &type) || !read_quants(b, 0, &of_in, &of_out))
        return false;
    if (axes->type != LB_TFLITE_INT32 || !axes->data.is_there)
        return lb_tflite_refuse(b, "the dimensions \"%s\" are no constant of int32", axes->name);
    config_of(b)->litert.sum = b->o->code == LB_TFLITE_SUM;
    return lb_tflite_put_input(b, LB_ROLE_AXIS, 1) &&
           prepared(b, lb_lite_prepare_requantize(b->profile, of_in, of_out, config_of(b)), of_in);
}

static bool build_l2_normalization(lb_tflite_build *b)
{
    lb_lite_quant of_in = {0}, of_out = {0};
    lb_lite_fused fused = LB_LITE_FUSED_NONE;
    lb_el_type type = LB_S8;
    if (!find_kernel_of_input(b, "l2_normalization", 0, &type) ||
        !read_quants(b, 0, &of_in, &of_out) || !needs_quant(b, of_out, 1 / 128.0, 0) ||
        !read_fused(b, &fused))
        return false;
    if (fused != LB_LITE_FUSED_NONE)
        return lb_tflite_refuse(b, "a fused activation");
    config_of(b)->litert.input_zero_point = of_in.zero_point;
    return put_both(b);
}

/* ---- All ---- */

static const struct {
    lb_tflite_code code;
    bool (*build)(lb_tflite_build *b);
} builders[] = {
    {LB_TFLITE_ADD, build_add},
    {LB_TFLITE_AVERAGE_POOL_2D, build_average_pool},
    {LB_TFLITE_CONV_2D, build_conv},
    {LB_TFLITE_DEPTHWISE_CONV_2D, build_depthwise},
    {LB_TFLITE_FULLY_CONNECTED, build_fully_connected},
    {LB_TFLITE_HARD_SWISH, build_hard_swish},
    {LB_TFLITE_L2_NORMALIZATION, build_l2_normalization},
    {LB_TFLITE_LEAKY_RELU, build_leaky_relu},
    {LB_TFLITE_LOGISTIC, build_logistic},
    {LB_TFLITE_MAX_POOL_2D, build_max_pool},
    {LB_TFLITE_MEAN, build_mean},
    {LB_TFLITE_MUL, build_mul},
    {LB_TFLITE_QUANTIZE, build_quantize},
    {LB_TFLITE_RELU, build_relu},
    {LB_TFLITE_RELU6, build_relu6},
    {LB_TFLITE_SOFTMAX, build_softmax},
    {LB_TFLITE_SUB, build_sub},
    {LB_TFLITE_SUM, build_mean},
    {LB_TFLITE_TANH, build_tanh},
    {LB_TFLITE_TRANSPOSE_CONV, build_transpose},
};

bool lb_tflite_build_case(lb_tflite_build *b)
{
    enum { MOST_GIGA = 8 };
    const uint64_t most = (uint64_t)MOST_GIGA << 30;
    for (size_t i = 0; i < sizeof builders / sizeof builders[0]; i++) {
        if ((int)builders[i].code != b->o->code)
            continue;
        if (!builders[i].build(b))
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
