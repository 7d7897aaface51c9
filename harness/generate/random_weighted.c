/* Made-up cases of functions with weights: geometry, and formats under which results are neither
 * all zero nor all saturated. Rules: conv.md. */
#include "harness/generate/random_build.h"

#include <math.h>

/* ---- Formats ---- */

/* log2 of a sum of `macs` products of typical operands, roughly. */
static int typical_sum_bits(const lb_kernel *kernel, size_t macs)
{
    int product = kernel->in_type == LB_FX16 ? (kernel->weights_type == LB_FX16 ? 27 : 19) : 12;
    return product + lb_build_bits(macs) / 2;
}

static void fx_formats(lb_build *b, size_t macs)
{
    lb_case_tensor *in = b->c->operand[LB_ROLE_IN].tensors,
                   *weights = b->c->operand[LB_ROLE_WEIGHTS].tensors;
    lb_case_tensor *bias = b->c->operand[LB_ROLE_BIAS].tensors,
                   *out = b->c->operand[LB_ROLE_OUT].tensors;
    bool wild = lb_random_once_in(&b->random, 8);
    int fi = wild ? lb_build_pick(b, -64, 63) : lb_build_pick(b, 0, 12),
        fw = wild ? lb_build_pick(b, -64, 63) : lb_build_pick(b, 0, 12);
    int out_bits = lb_container_bits((uint32_t)out->type);
    int shift = typical_sum_bits(b->c->kernel, macs) - (out_bits - 2) + lb_build_pick(b, -3, 3);
    int highest = lb_build_clamp(fi + fw, -128, 127);
    lb_build_fx(in, fi);
    lb_build_fx(weights, fw);
    lb_build_fx(out, lb_build_clamp(fi + fw - (shift < 0 ? 0 : shift), -128, highest));
    lb_build_fx(bias, lb_build_clamp(fi + fw - lb_build_pick(b, 0, wild ? 40 : 12), -128, highest));
    lb_build_data(b, bias);
}

void lb_build_bias_format(const lb_case_tensor *in, const lb_case_tensor *weights,
                          lb_case_tensor *bias, size_t j)
{
    int64_t product = (int64_t)in->scale[0] * weights->scale[j];
    int drop = lb_build_bits((uint64_t)product) - 15;
    drop = drop < 0 ? 0 : drop;
    int64_t scale = product >> drop;
    bias->scale[j] = (int16_t)(scale < 1 ? 1 : scale);
    bias->scale_frac_bits[j] =
        (int8_t)(in->scale_frac_bits[0] + weights->scale_frac_bits[j] - drop);
}

static void sa_formats(lb_build *b, size_t macs, int weights_axis)
{
    lb_case_tensor *in = b->c->operand[LB_ROLE_IN].tensors,
                   *weights = b->c->operand[LB_ROLE_WEIGHTS].tensors;
    lb_case_tensor *bias = b->c->operand[LB_ROLE_BIAS].tensors,
                   *out = b->c->operand[LB_ROLE_OUT].tensors;
    bool wild = lb_random_once_in(&b->random, 8), per_axis = lb_random_once_in(&b->random, 2);
    int frac_in = wild ? lb_build_pick(b, -20, 50) : lb_build_pick(b, 12, 22),
        frac_weights = wild ? lb_build_pick(b, -20, 50) : lb_build_pick(b, 14, 24);
    lb_build_any_sa(b, in, frac_in);
    if (per_axis) {
        lb_build_sa_axis(b, weights, weights_axis);
        lb_build_sa_axis(b, bias, 0);
    } else {
        lb_build_sa(b, weights, 1, 0, 0);
        lb_build_sa(b, bias, 1, 0, 0);
    }
    for (size_t j = 0; j < weights->quant_count; j++) {
        weights->scale[j] = (int16_t)lb_build_scale(b);
        weights->scale_frac_bits[j] =
            (int8_t)(frac_weights + (per_axis ? lb_build_pick(b, -2, 2) : 0));
        lb_build_bias_format(in, weights, bias, j);
    }
    int scale_out = lb_build_scale(b);
    double step =
        ldexp((double)in->scale[0] * weights->scale[0], -frac_in - weights->scale_frac_bits[0]);
    double wanted =
        ldexp(step, typical_sum_bits(b->c->kernel, macs) - 6) / scale_out; /* 2^-frac_out */
    int zero_point = lb_build_zero_point(b);
    lb_build_sa(b, out, scale_out, -(int)lround(log2(wanted)) + lb_build_pick(b, -2, 3),
                zero_point);
    if (lb_random_once_in(&b->random, 6))
        lb_build_data(b, bias);
    else
        lb_build_data_in(b, bias, -(1 << 17), 1 << 17);
}

static void formats(lb_build *b, size_t macs, int weights_axis)
{
    if (b->c->kernel->in_type == LB_SA8)
        sa_formats(b, macs, weights_axis);
    else
        fx_formats(b, macs);
    b->c->config.relu = lb_build_pick(b, 0, lb_random_once_in(&b->random, 8) ? 5 : 3);
}

static lb_case_tensor *add(lb_build *b, lb_role role, unsigned rank, const uint32_t *shape)
{
    lb_case_tensor *t = lb_build_operand(b, role, rank, shape);
    if (role != LB_ROLE_BIAS && rank > 1)
        lb_build_gaps(b, t);
    if (role == LB_ROLE_IN || role == LB_ROLE_WEIGHTS)
        lb_build_data(b, t);
    return t;
}

/* ---- Geometry ---- */

typedef struct axis_plan {
    uint32_t in, kernel, out;
    uint8_t stride, dilation, pad_before, pad_after;
} axis_plan;

/* One direction of a convolution: any mix of kernel, stride, dilation and padding that the checks
 * let pass. */
static axis_plan plan_axis(lb_build *b, uint32_t kernel)
{
    axis_plan p = {.kernel = kernel, .dilation = 1};
    p.stride = (uint8_t)lb_build_pick(b, 1, lb_random_once_in(&b->random, 6) ? 9 : 3);
    if (lb_random_once_in(&b->random, 4))
        p.dilation = (uint8_t)lb_build_pick(b, 2, 4);
    uint32_t reach = (kernel - 1) * p.dilation + 1;
    p.pad_before = (uint8_t)lb_build_pick(
        b, 0, (int)(lb_random_once_in(&b->random, 2) ? reach - 1 : (reach - 1) / 2));
    p.pad_after = (uint8_t)lb_build_pick(
        b, 0, (int)(lb_random_once_in(&b->random, 2) ? reach - 1 : (reach - 1) / 2));
    p.in = lb_build_side(b, 1, b->options->small ? 4 : 9);
    while (p.in + p.pad_before + p.pad_after < reach)
        p.in++;
    p.out = (p.in + p.pad_before + p.pad_after - reach) / p.stride + 1;
    if (p.out > 1 && lb_random_once_in(&b->random, 8))
        p.out = (uint32_t)lb_build_pick(b, 1, (int)p.out);
    return p;
}

static void use_axes(lb_build *b, const axis_plan *h, const axis_plan *w)
{
    lb_config *cfg = &b->c->config;
    cfg->stride_height = h->stride;
    cfg->stride_width = w->stride;
    cfg->dilation_height = h->dilation;
    cfg->dilation_width = w->dilation;
    cfg->padding_top = h->pad_before;
    cfg->padding_bottom = h->pad_after;
    cfg->padding_left = w->pad_before;
    cfg->padding_right = w->pad_after;
}

static void add_layer(lb_build *b, const axis_plan *h, const axis_plan *w,
                      const uint32_t channels[4], size_t macs)
{
    enum { IN, DEPTH, OUT };
    const uint32_t in[3] = {h->in, w->in, channels[IN]}, out[3] = {h->out, w->out, channels[OUT]};
    const uint32_t weights[4] = {h->kernel, w->kernel, channels[DEPTH], channels[OUT]};
    use_axes(b, h, w);
    add(b, LB_ROLE_IN, 3, in);
    add(b, LB_ROLE_WEIGHTS, 4, weights);
    add(b, LB_ROLE_BIAS, 1, &channels[OUT]);
    add(b, LB_ROLE_OUT, 3, out);
    formats(b, macs, 3);
}

static uint32_t kernel_extent(lb_build *b)
{
    uint32_t fixed = (uint32_t)b->c->kernel->kernel_size;
    if (fixed)
        return fixed;
    return (uint32_t)(lb_random_once_in(&b->random, 8) ? lb_build_pick(b, 5, 9)
                                                       : lb_build_pick(b, 1, 4));
}

/* Channels of input, depth of the weights, channels of output. */
static void choose_channels(lb_build *b, uint32_t channels[4])
{
    uint32_t depth = lb_build_extent(b, 33), filters = lb_build_extent(b, 65),
             groups = lb_build_side(b, 1, 4);
    if (b->c->kernel->family == LB_FAMILY_DEPTHWISE_CONV2D) {
        channels[0] = channels[2] = filters;
        channels[1] = 1;
    } else if (b->c->kernel->family == LB_FAMILY_GROUP_CONV2D) {
        channels[0] = groups * (depth > 9 ? 1 : depth);
        channels[1] = depth > 9 ? 1 : depth;
        channels[2] = groups * (filters > 17 ? 17 : filters);
    } else {
        channels[0] = channels[1] = depth;
        channels[2] = filters;
    }
}

static axis_plan plan_transposed_axis(lb_build *b)
{
    int fixed = b->c->kernel->kernel_size;
    axis_plan p = {.kernel = kernel_extent(b), .dilation = 1};
    int most = lb_random_once_in(&b->random, 4) || p.kernel < 3 ? (int)p.kernel : 3;
    p.stride = (uint8_t)(fixed ? 2 : lb_build_pick(b, 1, most));
    do {
        p.in = lb_build_side(b, 1, b->options->small ? 3 : 6);
        p.pad_before = (uint8_t)lb_build_pick(b, 0, (int)p.kernel - 1);
        p.pad_after = (uint8_t)lb_build_pick(b, 0, (int)p.kernel - 1);
        p.out = (p.in - 1) * p.stride + p.kernel - p.pad_before - p.pad_after;
    } while ((int32_t)p.out < 1);
    return p;
}

static void make_transposed(lb_build *b)
{
    axis_plan h = plan_transposed_axis(b), w = plan_transposed_axis(b);
    uint32_t inputs = lb_build_extent(b, 17), outputs = lb_build_extent(b, 65);
    uint32_t channels[4] = {inputs, inputs, outputs, 0};
    add_layer(b, &h, &w, channels, (size_t)h.kernel * w.kernel * channels[0]);
}

void lb_random_convolution(lb_build *b)
{
    uint32_t channels[4] = {0};
    if (b->c->kernel->family == LB_FAMILY_TRANSPOSE_CONV2D) {
        make_transposed(b);
        return;
    }
    axis_plan h = plan_axis(b, kernel_extent(b)), w = plan_axis(b, kernel_extent(b));
    choose_channels(b, channels);
    add_layer(b, &h, &w, channels, (size_t)h.kernel * w.kernel * channels[1]);
}

void lb_random_fully_connected(lb_build *b)
{
    unsigned rank = (unsigned)lb_build_pick(b, 1, 4);
    uint32_t in[4], weights[2] = {1, lb_build_extent(b, 65)};
    for (unsigned d = 0; d < rank; d++) {
        in[d] = lb_build_extent(b, rank == 1 ? 65 : 4);
        weights[0] *= in[d];
    }
    lb_case_tensor *t =
        lb_build_tensor(b, LB_ROLE_IN, false, (lb_el_type)b->c->kernel->in_type, rank, in);
    lb_build_data(b, t);
    add(b, LB_ROLE_WEIGHTS, 2, weights);
    add(b, LB_ROLE_BIAS, 1, &weights[1]);
    add(b, LB_ROLE_OUT, 1, &weights[1]);
    formats(b, weights[0], 1);
}
