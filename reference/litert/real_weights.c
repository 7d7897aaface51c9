/* conv_2d, depthwise_conv_2d, transpose_conv and fully_connected in real arithmetic (litert.4 to
 * litert.7). */
#include "real_call.h"

/* A place in an output of four dimensions. */
typedef struct place {
    int64_t n, y, x, channel;
} place;

static place place_of(const lb_lite_call *c, size_t at)
{
    int64_t rest = (int64_t)at, channels = lb_lite_dimension(&c->out, 0);
    int64_t width = lb_lite_dimension(&c->out, 1), height = lb_lite_dimension(&c->out, 2);
    place p = {.channel = rest % channels};
    rest /= channels;
    p.x = rest % width;
    rest /= width;
    p.y = rest % height;
    p.n = rest / height;
    return p;
}

static int64_t whole(const lb_lite_call *c, lb_lite_field field)
{
    return (int64_t)lb_lite_key_of(c, field);
}

/* The input at a place, or nothing where it has none. */
static double input_or_zero(const lb_lite_call *c, int64_t n, int64_t y, int64_t x, int64_t channel)
{
    const lb_lite_tensor *in = lb_lite_input(c, LB_ROLE_IN);
    if (y < 0 || x < 0 || y >= in->shape[1] || x >= in->shape[2])
        return 0;
    return lb_lite_at(in, n, y, x, channel) + lb_lite_key_of(c, LB_LITE_input_offset);
}

/* Bias, scale, offset and limits. */
static lb_span output_of(const lb_lite_call *c, double sum, int64_t channel)
{
    const lb_lite_tensor *bias = lb_lite_input(c, LB_ROLE_BIAS);
    const lb_lite_tensor *multipliers = lb_lite_input(c, LB_ROLE_MULTIPLIER);
    const lb_lite_tensor *shifts = lb_lite_input(c, LB_ROLE_SHIFT);
    double multiplier =
        multipliers ? multipliers->values[channel] : lb_lite_key_of(c, LB_LITE_multiplier);
    double shift = shifts ? shifts->values[channel] : lb_lite_key_of(c, LB_LITE_shift);
    bool wide = c->out.bits == 16 && lb_lite_key_of(c, LB_LITE_accumulator_bits) != 32;
    lb_span v = lb_span_of(sum + (bias ? bias->values[channel] : 0));
    v = wide ? lb_lite_scaled_wide(v, multiplier, shift) : lb_lite_scaled(c, v, multiplier, shift);
    return lb_lite_within_limits(c, lb_span_moved(v, lb_lite_key_of(c, LB_LITE_output_offset)));
}

lb_span lb_lite_real_conv(const lb_lite_call *c, size_t at)
{
    const lb_lite_tensor *in = lb_lite_input(c, LB_ROLE_IN), *w = lb_lite_input(c, LB_ROLE_WEIGHTS);
    place p = place_of(c, at);
    int64_t in_group = w->shape[3], groups = in_group > 0 ? in->shape[3] / in_group : 1;
    int64_t group = p.channel / (w->shape[0] / groups);
    int64_t top = p.y * whole(c, LB_LITE_stride_height) - whole(c, LB_LITE_padding_top);
    int64_t left = p.x * whole(c, LB_LITE_stride_width) - whole(c, LB_LITE_padding_left);
    double sum = 0;
    for (int64_t i = 0; i < w->shape[1]; i++)
        for (int64_t j = 0; j < w->shape[2]; j++)
            for (int64_t k = 0; k < in_group; k++)
                sum += lb_lite_at(w, p.channel, i, j, k) *
                       input_or_zero(c, p.n, top + i * whole(c, LB_LITE_dilation_height),
                                     left + j * whole(c, LB_LITE_dilation_width),
                                     group * in_group + k);
    return output_of(c, sum, p.channel);
}

lb_span lb_lite_real_depthwise(const lb_lite_call *c, size_t at)
{
    const lb_lite_tensor *w = lb_lite_input(c, LB_ROLE_WEIGHTS);
    place p = place_of(c, at);
    int64_t top = p.y * whole(c, LB_LITE_stride_height) - whole(c, LB_LITE_padding_top);
    int64_t left = p.x * whole(c, LB_LITE_stride_width) - whole(c, LB_LITE_padding_left);
    double sum = 0;
    for (int64_t i = 0; i < w->shape[1]; i++)
        for (int64_t j = 0; j < w->shape[2]; j++)
            sum += lb_lite_at(w, 0, i, j, p.channel) *
                   input_or_zero(c, p.n, top + i * whole(c, LB_LITE_dilation_height),
                                 left + j * whole(c, LB_LITE_dilation_width),
                                 p.channel / whole(c, LB_LITE_depth_multiplier));
    return output_of(c, sum, p.channel);
}

/* Element (i, j) of the filter reaches this output from the input that lies there once the strides
 * are taken out, if one does. */
lb_span lb_lite_real_transpose(const lb_lite_call *c, size_t at)
{
    const lb_lite_tensor *w = lb_lite_input(c, LB_ROLE_WEIGHTS);
    place p = place_of(c, at);
    int64_t stride_y = whole(c, LB_LITE_stride_height), stride_x = whole(c, LB_LITE_stride_width);
    double sum = 0;
    for (int64_t i = 0; i < w->shape[1]; i++)
        for (int64_t j = 0; j < w->shape[2]; j++) {
            int64_t y = p.y + whole(c, LB_LITE_padding_top) - i;
            int64_t x = p.x + whole(c, LB_LITE_padding_left) - j;
            if (y < 0 || x < 0 || y % stride_y != 0 || x % stride_x != 0)
                continue;
            for (int64_t k = 0; k < w->shape[3]; k++)
                sum += lb_lite_at(w, p.channel, i, j, k) *
                       input_or_zero(c, p.n, y / stride_y, x / stride_x, k);
        }
    return output_of(c, sum, p.channel);
}

lb_span lb_lite_real_fully_connected(const lb_lite_call *c, size_t at)
{
    const lb_lite_tensor *in = lb_lite_input(c, LB_ROLE_IN), *w = lb_lite_input(c, LB_ROLE_WEIGHTS);
    int64_t depth = lb_lite_dimension(w, 0), outputs = lb_lite_dimension(w, 1);
    int64_t row = (int64_t)at / outputs, channel = (int64_t)at % outputs;
    double sum = 0;
    for (int64_t d = 0; d < depth; d++)
        sum += (w->values[channel * depth + d] + lb_lite_key_of(c, LB_LITE_weights_offset)) *
               (in->values[row * depth + d] + lb_lite_key_of(c, LB_LITE_input_offset));
    return output_of(c, sum, channel);
}
