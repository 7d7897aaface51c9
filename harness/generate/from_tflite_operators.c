/* Operators of a .tflite model as cases of LiteRT's kernels: tensors become operands, options and
 * scales the configuration of a call (litert.22). See from_tflite_case.h. */
#include "harness/generate/from_tflite_case.h"
#include "harness/generate/random_build.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ELEMENTS = 1 << 24, WEIGHTS_PLACE = 1 };

/* Notes the first reason, and gives false. */
static bool LB_FORMAT_CHECKED(2, 3) refuse(lb_tflite_build *b, const char *format, ...)
{
    char text[300];
    va_list arguments;
    if (b->why)
        return false;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    b->why = lb_arena_strdup(b->arena, text);
    return false;
}

static const lb_tflite_tensor *operand(lb_tflite_build *b, const int32_t *numbers, unsigned count,
                                       unsigned place, const char *what)
{
    if (place >= count || place >= LB_TFLITE_MAX_OPERANDS || numbers[place] < 0) {
        refuse(b, "it has no %s %u", what, place);
        return NULL;
    }
    return &b->model->tensors[numbers[place]];
}

static const lb_tflite_tensor *input_of(lb_tflite_build *b, unsigned place)
{
    return operand(b, b->o->inputs, b->o->input_count, place, "input");
}

static const lb_tflite_tensor *output_of(lb_tflite_build *b)
{
    return operand(b, b->o->outputs, b->o->output_count, 0, "output");
}

uint64_t lb_tflite_elements(const lb_tflite_tensor *t)
{
    uint64_t count = 1;
    for (unsigned d = 0; d < t->rank && d < LB_TFLITE_MAX_RANK; d++) {
        count *= t->shape[d] > 0 ? (uint64_t)t->shape[d] : 0;
        if (count == 0 || count > MOST_ELEMENTS)
            return 0;
    }
    return count;
}

static bool el_type_of(lb_tflite_build *b, const lb_tflite_tensor *t, lb_el_type *type)
{
    char name[24];
    *type = t->type == LB_TFLITE_INT8    ? LB_S8
            : t->type == LB_TFLITE_INT16 ? LB_S16
            : t->type == LB_TFLITE_INT32 ? LB_S32
                                         : LB_S64;
    return *type != LB_S64 || t->type == LB_TFLITE_INT64 ||
           refuse(b, "\"%s\" is %s", t->name, lb_tflite_type_name(t->type, name));
}

/* ---- Operands ---- */

static lb_case_tensor *add(lb_tflite_build *b, lb_role role, lb_el_type type, unsigned rank,
                           const uint32_t *shape)
{
    lb_build build = {.arena = b->arena, .c = b->c};
    return lb_build_tensor(&build, role, role == LB_ROLE_OUT, type, rank, shape);
}

/* An operand of the tensor's type and shape; a number alone has one dimension. */
static lb_case_tensor *put(lb_tflite_build *b, lb_role role, const lb_tflite_tensor *t)
{
    uint32_t shape[LB_MAX_RANK] = {1};
    lb_el_type type = LB_S8;
    if (!el_type_of(b, t, &type))
        return NULL;
    for (unsigned d = 0; d < t->rank && d < LB_TFLITE_MAX_RANK; d++)
        if (t->shape[d] == LB_TFLITE_UNKNOWN_SIZE) {
            refuse(b, "dimension %u of \"%s\" is known at run time only", d, t->name);
            return NULL;
        }
    if (t->rank > LB_MAX_RANK || lb_tflite_elements(t) == 0) {
        refuse(b, "\"%s\" has %u dimensions, or none of its elements, or more than %d", t->name,
               t->rank, MOST_ELEMENTS);
        return NULL;
    }
    for (unsigned d = 0; d < t->rank; d++)
        shape[d] = (uint32_t)t->shape[d];
    return add(b, role, type, t->rank ? t->rank : 1, shape);
}

static int64_t number_at(const lb_flat *f, const lb_tflite_tensor *t, lb_el_type type, uint32_t i)
{
    switch (type) {
    case LB_S8:
        return (int8_t)f->bytes[t->data.at + i];
    case LB_S16:
        return (int16_t)(uint16_t)(f->bytes[t->data.at + 2 * (size_t)i] |
                                   f->bytes[t->data.at + 2 * (size_t)i + 1] << 8);
    case LB_S32:
        return lb_flat_int32(f, &t->data, i);
    default:
        return lb_flat_int64(f, &t->data, i);
    }
}

bool lb_tflite_fill_constant(lb_tflite_build *b, const lb_tflite_tensor *t, lb_case_tensor *made)
{
    const int64_t most = (int64_t)1 << 53; /* that JSON holds */
    const uint64_t count = lb_tflite_elements(t);
    const unsigned bytes = lb_storage_bytes(made->type);
    if (t->is_sparse)
        return refuse(b, "\"%s\" is sparse", t->name);
    if (t->data.count != count * bytes)
        return refuse(b, "\"%s\" has %u bytes of data, and its shape asks for %llu", t->name,
                      t->data.count, (unsigned long long)(count * bytes));
    lb_case_make_data(made, (size_t)count, b->arena);
    for (uint32_t i = 0; i < count; i++) {
        const int64_t v = number_at(&b->model->flat, t, made->type, i);
        if (v > most || v < -most)
            return refuse(b, "\"%s\" has the element %lld, beyond 2^53", t->name, (long long)v);
        lb_case_put_number(made, i, v);
    }
    return true;
}

static bool put_input(lb_tflite_build *b, lb_role role, unsigned place)
{
    const lb_tflite_tensor *t = input_of(b, place);
    lb_case_tensor *made = t ? put(b, role, t) : NULL;
    if (!made)
        return false;
    if (t->data.is_there)
        return lb_tflite_fill_constant(b, t, made);
    b->source[role] = b->o->inputs[place];
    return true;
}

static bool put_output(lb_tflite_build *b)
{
    const lb_tflite_tensor *t = output_of(b);
    return t && put(b, LB_ROLE_OUT, t);
}

static bool put_weights(lb_tflite_build *b, unsigned place)
{
    char name[24];
    const lb_tflite_tensor *t = input_of(b, place);
    if (!t)
        return false;
    if (t->type != LB_TFLITE_INT8 || !t->data.is_there)
        return refuse(b, "its weights \"%s\" are %s%s", t->name, lb_tflite_type_name(t->type, name),
                      t->data.is_there ? "" : ", and no constant");
    lb_case_tensor *made = put(b, LB_ROLE_WEIGHTS, t);
    return made && lb_tflite_fill_constant(b, t, made);
}

static bool put_bias(lb_tflite_build *b, unsigned place, uint32_t channels)
{
    if (place >= b->o->input_count || place >= LB_TFLITE_MAX_OPERANDS || b->o->inputs[place] < 0) {
        b->c->null_role[LB_ROLE_BIAS] = true;
        return true;
    }
    const lb_tflite_tensor *t = input_of(b, place);
    lb_case_tensor *made = put(b, LB_ROLE_BIAS, t);
    if (!made)
        return false;
    if (!t->data.is_there || lb_tflite_elements(t) != channels)
        return refuse(b, "its bias \"%s\" is no constant of %u numbers", t->name, channels);
    made->rank = 1;
    made->shape[0] = channels;
    return lb_tflite_fill_constant(b, t, made);
}

static int32_t *put_list(lb_tflite_build *b, lb_role role, uint32_t count)
{
    lb_case_tensor *made = add(b, role, LB_S32, 1, &count);
    lb_case_make_data(made, count, b->arena);
    return made->data.items;
}

/* ---- What many share ---- */

static lb_config *config_of(lb_tflite_build *b)
{
    return &b->c->config;
}

static bool has_field(const lb_kernel *kernel, const char *name)
{
    return lb_config_field_named(kernel->config_kind, name) != NULL;
}

static const lb_kernel *kernel_named(lb_tflite_build *b, const char *name, const char *types)
{
    b->c->function = lb_arena_printf(b->arena, "litert_%s_%s", name, types);
    b->c->kernel = lb_kernel_find(b->c->function);
    return b->c->kernel;
}

/* The kernel for the types of an input and of the output; one that is called after both has both.
 */
static bool find_kernel(lb_tflite_build *b, const char *name, unsigned place)
{
    const lb_tflite_tensor *in = input_of(b, place), *out = output_of(b);
    lb_el_type type = LB_S8, out_type = LB_S8;
    if (!in || !out || !el_type_of(b, in, &type) || !el_type_of(b, out, &out_type))
        return false;
    const char *of_in = lb_el_type_name(type), *of_out = lb_el_type_name(out_type);
    if (kernel_named(b, name, lb_arena_printf(b->arena, "%s_%s", of_in, of_out)) ||
        (type == out_type && kernel_named(b, name, of_in)))
        return true;
    return type == out_type ? refuse(b, "the kernel set has no %s of %s", name, of_in)
                            : refuse(b, "the kernel set has no %s of %s with an output of %s", name,
                                     of_in, of_out);
}

/* Scale and zero point of an operand, for preparing. */
static bool say(lb_tflite_build *b, lb_role role, const lb_tflite_tensor *t)
{
    const lb_flat *f = &b->model->flat;
    lb_el_type type = LB_S8;
    if (t && (t->scale.count != 1 || t->zero_point.count > 1 || t->has_other_quantization))
        return refuse(b, "\"%s\" has %u scales and %u zero points, not one each", t->name,
                      t->scale.count, t->zero_point.count);
    if (!t || !el_type_of(b, t, &type))
        return false;
    const int64_t zero = t->zero_point.count ? lb_flat_int64(f, &t->zero_point, 0) : 0;
    const lb_range holds = lb_build_range(type == LB_S64 ? (uint32_t)LB_S32 : (uint32_t)type);
    float *scale = lb_arena_alloc(b->arena, sizeof *scale);
    *scale = lb_flat_float32(f, &t->scale, 0);
    if (!(*scale > 0) || !isfinite(*scale))
        return refuse(b, "\"%s\" has the scale %g, which is not above 0", t->name, (double)*scale);
    if (zero > holds.high || zero < holds.low)
        return refuse(b, "\"%s\" has the zero point %lld, which its type does not hold", t->name,
                      (long long)zero);
    b->call.operand[role] =
        (lb_model_quant){.scales = scale, .count = 1, .zero_point = (int32_t)zero};
    return true;
}

static bool say_fused(lb_tflite_build *b)
{
    static const lb_lite_fused of_number[] = {LB_LITE_FUSED_NONE, LB_LITE_FUSED_RELU,
                                              LB_LITE_FUSED_RELU_N1_TO_1, LB_LITE_FUSED_RELU6};
    const int32_t number = b->o->options.fused;
    if (number < 0 || number > 3)
        return refuse(b, "fused activation %d", number);
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
                   ? refuse(b, "its %s: %s", lb_role_name(call->wrong), call->why)
                   : refuse(b, "%s", call->why);
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
        return refuse(b, "padding %d is neither SAME nor VALID", kind);
    if (a->stride < 1 || a->stride > INT16_MAX || a->dilation < 1 || a->dilation > INT16_MAX ||
        a->filter < 1 || a->filter > INT16_MAX)
        return refuse(b,
                      "filter %lld, stride %lld or dilation %lld of its %s is not from 1 to 32767",
                      (long long)a->filter, (long long)a->stride, (long long)a->dilation, a->name);
    const lb_lite_padding p =
        lb_lite_prepare_padding(kind == 0, a->in, a->filter, a->stride, a->dilation);
    if (p.out != a->out)
        return refuse(b, "the output has the %s %lld, and %s padding gives %lld", a->name,
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
        return refuse(b, "input and output have %u and %u dimensions, not 4", in->rank, out->rank);
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
        return refuse(b, "its weights have %u scales, neither 1 nor %u", w->scale.count, channels);
    float *scales = lb_arena_array(b->arena, w->scale.count, sizeof *scales);
    for (uint32_t i = 0; i < w->scale.count; i++) {
        scales[i] = lb_flat_float32(f, &w->scale, i);
        if (!(scales[i] >= 0) || !isfinite(scales[i]))
            return refuse(b, "scale %u of its weights is %g", i, (double)scales[i]);
    }
    for (uint32_t i = 0; i < w->zero_point.count; i++)
        if (lb_flat_int64(f, &w->zero_point, i) != 0)
            return refuse(b, "zero point %u of its weights is not 0", i);
    b->call.operand[LB_ROLE_WEIGHTS] =
        (lb_model_quant){.scales = scales, .count = w->scale.count, .axis = w->quantized_dimension};
    b->call.channels = channels;
    return true;
}

/* int16: bits of the sum, which the type of the bias decides where the function has a choice. */
static bool put_sum_bits(lb_tflite_build *b)
{
    const lb_case_operand *bias = &b->c->operand[LB_ROLE_BIAS];
    const bool is_32 = bias->present && bias->tensors->type == LB_S32;
    if (b->c->kernel->in_type == LB_S8)
        return true;
    config_of(b)->litert.accumulator_bits = is_32 ? 32 : 64;
    return has_field(b->c->kernel, "accumulator_bits") || !is_32 ||
           refuse(b, "its bias is int32, and the kernel wants int64");
}

/* A kernel of that name, of whatever types; NULL: there is none. */
static const lb_kernel *any_kernel(lb_tflite_build *b, const char *name)
{
    const char *prefix = lb_arena_printf(b->arena, "litert_%s_s", name);
    const lb_kernel *kernel;
    for (size_t k = 0; (kernel = lb_kernel_at(k)) != NULL; k++)
        if (kernel->real && strncmp(kernel->name, prefix, strlen(prefix)) == 0)
            return kernel;
    return NULL;
}

/* Weights and bias, and lists of factors where the function has them. */
static bool put_sum(lb_tflite_build *b, bool goes_back, unsigned in_place)
{
    const lb_kernel *kernel = b->c->kernel;
    const lb_tflite_tensor *w = input_of(b, WEIGHTS_PLACE), *in = input_of(b, in_place),
                           *out = output_of(b);
    const unsigned rank = has_field(kernel, "stride_height") ? 4 : 2;
    const bool is_depthwise = has_field(kernel, "depth_multiplier");
    if (w->rank != rank || lb_tflite_elements(w) == 0)
        return refuse(b, "its weights have %u dimensions, not %u, or no elements", w->rank, rank);
    const uint32_t channels = (uint32_t)w->shape[is_depthwise ? 3 : 0];
    b->products = lb_tflite_elements(goes_back ? in : out) * lb_tflite_elements(w) /
                  (goes_back ? 1 : channels);
    if (is_depthwise)
        config_of(b)->litert.depth_multiplier =
            in->rank == 4 && in->shape[3] > 0 ? (int32_t)channels / in->shape[3] : 0;
    if (!say_weights(b, w, channels) || !put_weights(b, WEIGHTS_PLACE) ||
        !put_bias(b, goes_back ? 3 : 2, channels))
        return false;
    if (lb_kernel_role(kernel, LB_ROLE_MULTIPLIER)) {
        b->call.multiplier = put_list(b, LB_ROLE_MULTIPLIER, channels);
        b->call.shift = put_list(b, LB_ROLE_SHIFT, channels);
    }
    return true;
}

/* ---- Operands ---- */

static bool is_power_of_two(const lb_tflite_build *b, lb_role role)
{
    int exponent;
    return frexpf(*b->call.operand[role].scales, &exponent) == 0.5F;
}

/* Of two inputs: both are of a type that goes the way of the kernel. */
static bool is_pair(lb_tflite_build *b)
{
    const lb_tflite_tensor *in2 = input_of(b, 1);
    const lb_el_type type = (lb_el_type)b->c->kernel->in_type;
    lb_el_type type2 = LB_S8;
    if (!in2 || !el_type_of(b, in2, &type2))
        return false;
    if (type2 != type)
        return refuse(b, "its inputs are of two types");
    if (type == LB_S16 && b->o->options.pot_scale_int16 && is_power_of_two(b, LB_ROLE_IN1) &&
        is_power_of_two(b, LB_ROLE_IN2) && is_power_of_two(b, LB_ROLE_OUT))
        return refuse(b, "int16 with scales that are powers of two goes another way");
    return true;
}

/* The dimensions of a reduction, which a constant names. */
static bool put_axes(lb_tflite_build *b)
{
    const lb_tflite_tensor *axes = input_of(b, 1);
    if (!axes)
        return false;
    if (axes->type != LB_TFLITE_INT32 || !axes->data.is_there)
        return refuse(b, "the dimensions \"%s\" are no constant of int32", axes->name);
    config_of(b)->litert.sum = b->o->code == LB_TFLITE_SUM;
    return put_input(b, LB_ROLE_AXIS, 1);
}

/* Inputs and output with their scales; weights and what goes with them come behind. */
static bool put_operands(lb_tflite_build *b, unsigned in_place)
{
    bool good = true;
    for (const lb_role_spec *spec = b->c->kernel->roles; spec->use != LB_USE_NONE && good; spec++) {
        const unsigned place = spec->role == LB_ROLE_IN2 ? 1 : in_place;
        if (spec->role == LB_ROLE_OUT)
            good = say(b, LB_ROLE_OUT, output_of(b)) && put_output(b);
        else if (spec->role == LB_ROLE_AXIS)
            good = put_axes(b);
        else if (spec->role == LB_ROLE_IN || spec->role == LB_ROLE_IN1 || spec->role == LB_ROLE_IN2)
            good = say(b, spec->role, input_of(b, place)) && put_input(b, spec->role, place);
    }
    return good && (!lb_kernel_role(b->c->kernel, LB_ROLE_IN2) || is_pair(b));
}

/* What the operator brings with it, as far as the function knows of it. */
static bool say_brought(lb_tflite_build *b)
{
    const unsigned brings = lb_lite_brings(b->c->kernel);
    b->call.beta = b->o->options.beta;
    b->call.has_beta = brings & LB_BRINGS_BETA;
    b->call.alpha = b->o->options.alpha;
    b->call.has_alpha = brings & LB_BRINGS_ALPHA;
    if (b->call.has_beta && (!(b->call.beta > 0) || !isfinite(b->call.beta)))
        return refuse(b, "beta is %g", (double)b->call.beta);
    if (b->call.has_alpha && !isfinite(b->call.alpha))
        return refuse(b, "alpha is %g", (double)b->call.alpha);
    return say_fused(b);
}

/* ---- All ---- */

/* The operator's name in those of kernels: its own, in small letters, but for two. */
static char *kernel_name(const lb_tflite_build *b)
{
    char text[160];
    if (b->o->code == LB_TFLITE_QUANTIZE || b->o->code == LB_TFLITE_SUM)
        return lb_arena_strdup(b->arena, b->o->code == LB_TFLITE_SUM ? "mean" : "requantize");
    char *name = lb_arena_strdup(b->arena, lb_tflite_operator_name(b->o, text));
    for (char *c = name; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return name;
}

/* A window without weights is that of a pooling. */
static bool put_window(lb_tflite_build *b, bool goes_back, unsigned in_place)
{
    const lb_tflite_tensor *in = input_of(b, in_place), *out = output_of(b);
    const lb_tflite_options *o = &b->o->options;
    if (lb_kernel_role(b->c->kernel, LB_ROLE_WEIGHTS)) {
        const lb_tflite_tensor *w = input_of(b, WEIGHTS_PLACE);
        return put_geometry(b, goes_back ? out : in, goes_back ? in : out, w->shape[1],
                            w->shape[2]);
    }
    config_of(b)->litert.filter_height = o->filter_h;
    config_of(b)->litert.filter_width = o->filter_w;
    b->products = lb_tflite_elements(out) * (uint64_t)o->filter_h * (uint64_t)o->filter_w;
    return put_geometry(b, in, out, o->filter_h, o->filter_w);
}

/* By the roles and the fields that the kernels of its name have. A transposed convolution has the
 * output's shape first. */
static bool build_by_roles(lb_tflite_build *b)
{
    const char *name = kernel_name(b);
    const lb_kernel *like = any_kernel(b, name);
    if (!like)
        return refuse(b, "the kernel set has no such operator");
    const bool has_weights = lb_kernel_role(like, LB_ROLE_WEIGHTS),
               has_window = has_field(like, "stride_height"),
               goes_back = has_weights && has_window && !has_field(like, "dilation_height");
    const unsigned in_place = goes_back ? 2 : 0;
    const lb_tflite_tensor *weights = has_weights ? input_of(b, WEIGHTS_PLACE) : NULL;
    if (has_weights && !weights)
        return false;
    if (has_weights && !has_window && b->o->options.weights_format != 0)
        return refuse(b, "weights_format %d: its weights are in another order",
                      b->o->options.weights_format);
    if (has_weights && !has_window && weights->scale.count > 1)
        name = lb_arena_printf(b->arena, "%s_per_channel", name);
    return find_kernel(b, name, in_place) && put_operands(b, in_place) && say_brought(b) &&
           (!has_weights || put_sum(b, goes_back, in_place)) &&
           (!has_window || put_window(b, goes_back, in_place)) && prepare(b) &&
           (!has_weights || put_sum_bits(b));
}

bool lb_tflite_build_case(lb_tflite_build *b)
{
    enum { MOST_GIGA = 8 };
    const uint64_t most = (uint64_t)MOST_GIGA << 30;
    if (!build_by_roles(b))
        return false;
    return b->products <= most ||
           refuse(b, "more than %d * 2^30 products, too many for the exact model", MOST_GIGA);
}

bool lb_tflite_hands_on(const lb_tflite_operator *o)
{
    return o->code == LB_TFLITE_RESHAPE || o->code == LB_TFLITE_SQUEEZE ||
           o->code == LB_TFLITE_EXPAND_DIMS;
}
