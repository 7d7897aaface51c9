/* Calls of convolutions with faults: a valid call of any function of the four families, and one
 * fault at least for every rule, each with the step of conv.md 11 at which it is to be found. The
 * letters of the steps: test_rules_conv.c. */
#ifndef LB_REFERENCE_TESTS_CONV_FAULTS_H
#define LB_REFERENCE_TESTS_CONV_FAULTS_H

#include "conv_calls.h"

/* ---- A call without fault, small, with room for faults that make tensors larger ---- */

typedef struct fixture {
    conv_call c;
    int32_t in[1024], weights[1024], bias[64], out[4096];
    struct {
        int16_t scale[8], zero[8];
        int8_t frac[8];
    } lists[4];
} fixture;

static bool is_transposed(const fixture *x)
{
    return x->c.call.kernel->family == LB_FAMILY_TRANSPOSE_CONV2D;
}

/* Another shape, dense, with the capacity that it needs. */
static void reshape(lb_tensor *t, const uint32_t *shape)
{
    lb_tensor other = make_tensor(t->el_type, shape, t->data.mem.ptr);
    t->rank = other.rank;
    t->data.capacity_bytes = other.data.capacity_bytes;
    memcpy(t->shape, other.shape, sizeof t->shape);
    memcpy(t->mem_stride, other.mem_stride, sizeof t->mem_stride);
}

/* The output that the geometry asks for. */
static void fit_out(fixture *x)
{
    const lb_tensor *in = &x->c.in;
    const lb_tensor *weights = &x->c.weights;
    const lb_config *cfg = &x->c.call.config;
    uint32_t height = (in->shape[0] - weights->shape[0]) / cfg->stride_height + 1;
    uint32_t width = (in->shape[1] - weights->shape[1]) / cfg->stride_width + 1;
    if (is_transposed(x)) {
        height = (in->shape[0] - 1) * cfg->stride_height + weights->shape[0] - cfg->padding_top -
                 cfg->padding_bottom;
        width = (in->shape[1] - 1) * cfg->stride_width + weights->shape[1] - cfg->padding_left -
                cfg->padding_right;
    }
    reshape(&x->c.out, SHAPE(height, width, weights->shape[3]));
}

static lb_tensor tensor_for(uint32_t type, const uint32_t *shape, void *data)
{
    /* Scales of 1 throughout; 2 fractional bits in in and weights, so that bias and out may have up
     * to 4. */
    return lb_is_sa(type) ? make_sa(type, ONE, shape, data) : make_fx(type, 2, shape, data);
}

static fixture *valid_call(const lb_kernel *kernel)
{
    static fixture x;
    memset(&x, 0, sizeof x);
    bind_call(&x.c, kernel->name);
    uint32_t size = kernel->kernel_size != 0 ? (uint32_t)kernel->kernel_size : 3;
    uint32_t channels = kernel->family == LB_FAMILY_GROUP_CONV2D ? 2 : 4;
    if (kernel->family == LB_FAMILY_DEPTHWISE_CONV2D)
        channels = 1;
    if (is_transposed(&x))
        x.c.call.config.stride_height = x.c.call.config.stride_width = 2;
    x.c.in = tensor_for(kernel->in_type, SHAPE(6, 6, 4), x.in);
    x.c.weights = tensor_for(kernel->weights_type, SHAPE(size, size, channels, 4), x.weights);
    x.c.bias = tensor_for(kernel->bias_type, SHAPE(4), x.bias);
    x.c.out = tensor_for(kernel->in_type, SHAPE(1, 1, 4), x.out);
    fit_out(&x);
    return &x;
}

/* ---- Faults ---- */

static void types_in(fixture *x)
{
    x->c.in.el_type = x->c.out.el_type = LB_FX8; /* out with it: sa8 asks for that before */
}
static void types_weights(fixture *x)
{
    x->c.weights.el_type = x->c.weights.el_type == LB_FX16 ? LB_FX8 : LB_FX16;
    x->c.weights.data.capacity_bytes = 2048;
}
static void types_bias(fixture *x)
{
    x->c.bias.el_type = x->c.bias.el_type == LB_FX8 ? LB_SA8 : LB_FX8;
}
static void frac_bias(fixture *x)
{
    x->c.bias.frac_bits = 5;
}
static void frac_out(fixture *x)
{
    x->c.out.frac_bits = 5;
}
static void kernel_size(fixture *x)
{
    x->c.weights.shape[0]++;
}
static void in_null(fixture *x)
{
    x->c.in.data.mem.ptr = NULL;
}
static void in_rank_5(fixture *x)
{
    x->c.in.rank = 5;
}
static void in_short(fixture *x)
{
    x->c.in.data.capacity_bytes = 0;
}
static void weights_zero_shape(fixture *x)
{
    x->c.weights.shape[2] = 0;
}
static void weights_short(fixture *x)
{
    x->c.weights.data.capacity_bytes = 0;
}
static void bias_stride_0(fixture *x)
{
    x->c.bias.mem_stride[0] = 0;
}
static void out_overlapping_rows(fixture *x)
{
    x->c.out.mem_stride[0]--;
}
static void out_short(fixture *x)
{
    x->c.out.data.capacity_bytes = 0;
}
static void type_out(fixture *x)
{
    x->c.out.el_type = x->c.in.el_type == LB_FX8 ? LB_SA8 : LB_FX8;
}
static void rank_in(fixture *x)
{
    reshape(&x->c.in, SHAPE(6, 24));
}
static void rank_out(fixture *x)
{
    reshape(&x->c.out, SHAPE(2, 2, 2, 4));
}
static void rank_weights(fixture *x)
{
    reshape(&x->c.weights, SHAPE(x->c.weights.shape[0], x->c.weights.shape[1], 4));
}
static void rank_bias(fixture *x)
{
    reshape(&x->c.bias, SHAPE(4, 1));
}
static void length_bias(fixture *x)
{
    x->c.bias.shape[0]--;
}
static void channels_out(fixture *x)
{
    x->c.out.shape[2]--;
}
static void channels_in(fixture *x)
{
    x->c.in.shape[2]--;
}
static void channels_weights(fixture *x)
{
    reshape(&x->c.weights, SHAPE(x->c.weights.shape[0], x->c.weights.shape[1], 2, 4));
}
static void filters(fixture *x)
{
    x->c.weights.shape[3] = x->c.bias.shape[0] = x->c.out.shape[2] = 3;
}
static void spread_out(lb_tensor *t)
{
    for (uint32_t d = 0; d < t->rank; d++)
        t->mem_stride[d] *= 2;
    t->data.capacity_bytes *= 2;
}
static void stride_in(fixture *x)
{
    spread_out(&x->c.in);
}
static void stride_weights(fixture *x)
{
    spread_out(&x->c.weights);
}
static void stride_bias(fixture *x)
{
    spread_out(&x->c.bias);
}
static void stride_out(fixture *x)
{
    spread_out(&x->c.out);
}
static void no_cfg(fixture *x)
{
    x->c.call.config_null = true;
}
static void dilation_height(fixture *x)
{
    x->c.call.config.dilation_height = is_transposed(x) ? 2 : 0;
}
static void dilation_width(fixture *x)
{
    x->c.call.config.dilation_width = is_transposed(x) ? 2 : 0;
}
static void stride_height_0(fixture *x)
{
    x->c.call.config.stride_height = 0;
}
static void stride_width_0(fixture *x)
{
    x->c.call.config.stride_width = 0;
}
static void stride_height_past_kernel(fixture *x)
{
    x->c.call.config.stride_height = (uint8_t)(x->c.weights.shape[0] + 1);
}
static void stride_width_past_kernel(fixture *x)
{
    x->c.call.config.stride_width = (uint8_t)(x->c.weights.shape[1] + 1);
}
static void padding_top(fixture *x)
{
    x->c.call.config.padding_top = (uint8_t)x->c.weights.shape[0];
}
static void padding_bottom(fixture *x)
{
    x->c.call.config.padding_bottom = (uint8_t)x->c.weights.shape[0];
}
static void padding_left(fixture *x)
{
    x->c.call.config.padding_left = (uint8_t)x->c.weights.shape[1];
}
static void padding_right(fixture *x)
{
    x->c.call.config.padding_right = (uint8_t)x->c.weights.shape[1];
}
static void out_taller(fixture *x)
{
    reshape(&x->c.out, SHAPE(x->c.out.shape[0] + 1, x->c.out.shape[1], 4));
}
static void out_wider(fixture *x)
{
    reshape(&x->c.out, SHAPE(x->c.out.shape[0], x->c.out.shape[1] + 1, 4));
}
static void out_shorter(fixture *x)
{
    reshape(&x->c.out, SHAPE(x->c.out.shape[0] - 1, x->c.out.shape[1], 4));
}
static void out_narrower(fixture *x)
{
    reshape(&x->c.out, SHAPE(x->c.out.shape[0], x->c.out.shape[1] - 1, 4));
}
static void overlap(fixture *x)
{
    x->c.out.data.mem.ptr = (char *)x->in + x->c.in.data.capacity_bytes - 1;
}

/* The same parameters as before, in lists along an axis. */
static void make_per_axis(fixture *x, lb_tensor *t, int list, int dim)
{
    lb_quant q = lb_quant_at(t, 0);
    for (int i = 0; i < 8; i++) {
        x->lists[list].scale[i] = (int16_t)q.scale;
        x->lists[list].frac[i] = (int8_t)q.frac;
        x->lists[list].zero[i] = (int16_t)q.zero_point;
    }
    set_per_axis(t, dim, x->lists[list].scale, x->lists[list].frac, x->lists[list].zero);
}
static void set_scale(lb_tensor *t, int16_t scale)
{
    *(t->sa.dim < 0 ? &t->sa.scale.mem.i16 : t->sa.scale.mem.pi16) = scale;
}
static void set_zero(lb_tensor *t, int16_t zero)
{
    *(t->sa.dim < 0 ? &t->sa.zero_point.mem.i16 : t->sa.zero_point.mem.pi16) = zero;
}
static void in_scale_0(fixture *x)
{
    set_scale(&x->c.in, 0);
}
static void in_zero_128(fixture *x)
{
    set_zero(&x->c.in, 128);
}
static void in_axis_past_rank(fixture *x)
{
    x->c.in.sa.dim = 3;
}
static void out_scale_negative(fixture *x)
{
    set_scale(&x->c.out, -1);
}
static void out_zero_minus_129(fixture *x)
{
    set_zero(&x->c.out, -129);
}
static void out_capacity_of_one_value(fixture *x)
{
    x->c.out.sa.dim = -1;
    x->c.out.sa.scale.capacity_bytes = 2;
}
static void weights_scale_0(fixture *x)
{
    set_scale(&x->c.weights, 0);
}
static void weights_zero_1(fixture *x)
{
    set_zero(&x->c.weights, 1);
}
static void bias_scale_0(fixture *x)
{
    set_scale(&x->c.bias, 0);
}
static void bias_zero_1(fixture *x)
{
    set_zero(&x->c.bias, 1);
}
static void bias_per_axis_alone(fixture *x)
{
    make_per_axis(x, &x->c.bias, 2, 0);
}
static void weights_per_axis_alone(fixture *x)
{
    make_per_axis(x, &x->c.weights, 1, 3);
}
static void weights_per_wrong_axis(fixture *x)
{
    make_per_axis(x, &x->c.weights, 1, 2);
    make_per_axis(x, &x->c.bias, 2, 0);
}
static void in_per_axis(fixture *x)
{
    make_per_axis(x, &x->c.in, 0, 2);
}
static void out_per_axis(fixture *x)
{
    make_per_axis(x, &x->c.out, 3, 2);
}
static void bias_scale_off_by_2(fixture *x)
{
    set_scale(&x->c.bias, (1 << 14) + 2);
}
static void stride_height_1(fixture *x)
{
    x->c.call.config.stride_height = 1;
    fit_out(x);
}
static void stride_width_1(fixture *x)
{
    x->c.call.config.stride_width = 1;
    fit_out(x);
}
static void kernel_3(fixture *x)
{
    reshape(&x->c.weights, SHAPE(3, 3, 4, 4));
    fit_out(x);
}

typedef struct fault {
    char step;
    const char
        *rule; /* the rule that notices it; functions without such a rule do not have the fault */
    lb_status status;
    void (*apply)(fixture *x);
} fault;

/* clang-format off */
static const fault faults[] = {
    {'A', "in.type", LB_TYPE_MISMATCH, types_in},
    {'A', "weights.type", LB_TYPE_MISMATCH, types_weights},
    {'A', "bias.type", LB_TYPE_MISMATCH, types_bias},
    {'B', "bias.frac_bits", LB_INCOMPATIBLE_TENSORS, frac_bias},
    {'C', "out.frac_bits", LB_INCOMPATIBLE_TENSORS, frac_out},
    {'K', "weights.kernel_size", LB_SHAPE_MISMATCH, kernel_size},
    {'i', "in.tensor", LB_BAD_TENSOR, in_null},
    {'i', "in.tensor", LB_BAD_TENSOR, in_rank_5},
    {'i', "in.tensor", LB_NOT_ENOUGH_MEM, in_short},
    {'w', "weights.tensor", LB_BAD_TENSOR, weights_zero_shape},
    {'w', "weights.tensor", LB_NOT_ENOUGH_MEM, weights_short},
    {'b', "bias.tensor", LB_BAD_TENSOR, bias_stride_0},
    {'o', "out.tensor", LB_BAD_TENSOR, out_overlapping_rows},
    {'o', "out.tensor", LB_NOT_ENOUGH_MEM, out_short},
    {'T', "out.type_equals_in", LB_TYPE_MISMATCH, type_out},
    {'1', "in.rank", LB_SHAPE_MISMATCH, rank_in},
    {'1', "out.rank", LB_SHAPE_MISMATCH, rank_out},
    {'1', "weights.rank", LB_SHAPE_MISMATCH, rank_weights},
    {'1', "bias.rank", LB_SHAPE_MISMATCH, rank_bias},
    {'1', "bias.length_equals_channels", LB_SHAPE_MISMATCH, length_bias},
    {'1', "out.channels_equal_weights", LB_SHAPE_MISMATCH, channels_out},
    {'1', "in.channels_equal_weights", LB_SHAPE_MISMATCH, channels_in},
    {'1', "in.channels_equal_out", LB_SHAPE_MISMATCH, channels_in},
    {'1', "weights.one_channel", LB_SHAPE_MISMATCH, channels_weights},
    {'1', "in.whole_groups", LB_SHAPE_MISMATCH, channels_in},
    {'1', "out.whole_groups", LB_SHAPE_MISMATCH, filters},
    {'2', "in.inner_stride", LB_INCOMPATIBLE_TENSORS, stride_in},
    {'2', "weights.inner_stride", LB_INCOMPATIBLE_TENSORS, stride_weights},
    {'2', "bias.inner_stride", LB_INCOMPATIBLE_TENSORS, stride_bias},
    {'2', "out.inner_stride", LB_INCOMPATIBLE_TENSORS, stride_out},
    {'3', "cfg.present", LB_BAD_FUNC_CFG, no_cfg},
    {'4', "cfg.dilation_height", LB_BAD_FUNC_CFG, dilation_height},
    {'4', "cfg.dilation_width", LB_BAD_FUNC_CFG, dilation_width},
    {'4', "cfg.stride_height", LB_BAD_FUNC_CFG, stride_height_0},
    {'4', "cfg.stride_width", LB_BAD_FUNC_CFG, stride_width_0},
    {'4', "cfg.stride_height_in_kernel", LB_BAD_FUNC_CFG, stride_height_past_kernel},
    {'4', "cfg.stride_width_in_kernel", LB_BAD_FUNC_CFG, stride_width_past_kernel},
    {'4', "cfg.padding_height", LB_BAD_FUNC_CFG, padding_top},
    {'4', "cfg.padding_height", LB_BAD_FUNC_CFG, padding_bottom},
    {'4', "cfg.padding_width", LB_BAD_FUNC_CFG, padding_left},
    {'4', "cfg.padding_width", LB_BAD_FUNC_CFG, padding_right},
    {'4', "out.height_fits", LB_BAD_FUNC_CFG, out_taller},
    {'4', "out.width_fits", LB_BAD_FUNC_CFG, out_wider},
    {'4', "out.height_exact", LB_BAD_FUNC_CFG, out_taller},
    {'4', "out.height_exact", LB_BAD_FUNC_CFG, out_shorter},
    {'4', "out.width_exact", LB_BAD_FUNC_CFG, out_wider},
    {'4', "out.width_exact", LB_BAD_FUNC_CFG, out_narrower},
    {'5', "out.apart_from_in", LB_INCOMPATIBLE_TENSORS, overlap},
    {'m', "in.quant", LB_BAD_TENSOR, in_scale_0},
    {'m', "in.quant", LB_INCOMPATIBLE_TENSORS, in_zero_128},
    {'m', "in.quant", LB_BAD_TENSOR, in_axis_past_rank},
    {'n', "out.quant", LB_BAD_TENSOR, out_scale_negative},
    {'n', "out.quant", LB_INCOMPATIBLE_TENSORS, out_zero_minus_129},
    {'n', "out.quant", LB_BAD_TENSOR, out_capacity_of_one_value},
    {'p', "weights.quant", LB_BAD_TENSOR, weights_scale_0},
    {'p', "weights.quant", LB_INCOMPATIBLE_TENSORS, weights_zero_1},
    {'q', "bias.quant", LB_BAD_TENSOR, bias_scale_0},
    {'q', "bias.quant", LB_INCOMPATIBLE_TENSORS, bias_zero_1},
    {'e', "bias.axis_matches_weights", LB_INCOMPATIBLE_TENSORS, bias_per_axis_alone},
    {'e', "bias.axis_matches_weights", LB_INCOMPATIBLE_TENSORS, weights_per_axis_alone},
    {'e', "bias.axis_matches_weights", LB_INCOMPATIBLE_TENSORS, weights_per_wrong_axis},
    {'f', "in.per_tensor", LB_INCOMPATIBLE_TENSORS, in_per_axis},
    {'f', "out.per_tensor", LB_INCOMPATIBLE_TENSORS, out_per_axis},
    {'g', "bias.scale", LB_INCOMPATIBLE_TENSORS, bias_scale_off_by_2},
    {'X', "cfg.stride_height_2", LB_BAD_FUNC_CFG, stride_height_1},
    {'X', "cfg.stride_width_2", LB_BAD_FUNC_CFG, stride_width_1},
    {'Y', "weights.kernel_size", LB_INCOMPATIBLE_TENSORS, kernel_3},
};
/* clang-format on */

#endif
