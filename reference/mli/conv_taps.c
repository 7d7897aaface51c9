/* The geometry of the four convolution families. Spec: conv.md 6 to 9, 12. */
#include "conv_taps.h"

static lb_conv_side sizes_along(const lb_call *call, int dim)
{
    return (lb_conv_side){
        .in = call->tensor[LB_ROLE_IN]->shape[dim],
        .kernel = call->tensor[LB_ROLE_WEIGHTS]->shape[dim],
        .out = call->tensor[LB_ROLE_OUT]->shape[dim],
        .transposed = call->kernel->family == LB_FAMILY_TRANSPOSE_CONV2D,
    };
}

lb_conv_side lb_conv_height(const lb_call *call)
{
    lb_conv_side side = sizes_along(call, 0);
    side.stride = call->config.stride_height;
    side.dilation = call->config.dilation_height;
    side.padding_before = call->config.padding_top;
    return side;
}

lb_conv_side lb_conv_width(const lb_call *call)
{
    lb_conv_side side = sizes_along(call, 1);
    side.stride = call->config.stride_width;
    side.dilation = call->config.dilation_width;
    side.padding_before = call->config.padding_left;
    return side;
}

/* conv.md 6: in = out * stride - padding + kernel * dilation. */
static bool direct_tap(const lb_conv_side *side, uint32_t out, uint32_t n, lb_tap *tap)
{
    int64_t in = out * side->stride - side->padding_before + n * side->dilation;
    *tap = (lb_tap){.in = (uint32_t)in, .kernel = n};
    return in >= 0 && in < side->in;
}

/* conv.md 9: kernel = out + padding - in * stride. Inputs in ascending order are kernel positions
 * in descending order. */
static bool transposed_tap(const lb_conv_side *side, uint32_t out, uint32_t n, lb_tap *tap)
{
    int64_t kernel = side->kernel - 1 - n;
    int64_t spread = out + side->padding_before - kernel;
    int64_t in = spread / side->stride;
    *tap = (lb_tap){.in = (uint32_t)in, .kernel = (uint32_t)kernel};
    return spread >= 0 && spread % side->stride == 0 && in < side->in;
}

bool lb_conv_tap(const lb_conv_side *side, uint32_t out, uint32_t n, lb_tap *tap)
{
    return side->transposed ? transposed_tap(side, out, n, tap) : direct_tap(side, out, n, tap);
}

bool lb_conv_can_list(const lb_conv_side *height, const lb_conv_side *width)
{
    return height->kernel <= LB_MOST_TAPS && width->kernel <= LB_MOST_TAPS &&
           height->kernel * width->kernel <= LB_MOST_TAPS;
}

unsigned lb_conv_list(const lb_call *call, const lb_conv_side *height, const lb_conv_side *width,
                      uint32_t out_row, uint32_t out_column, lb_tap_offsets list[LB_MOST_TAPS])
{
    const int32_t *in = call->tensor[LB_ROLE_IN]->mem_stride;
    const int32_t *weights = call->tensor[LB_ROLE_WEIGHTS]->mem_stride;
    lb_tap columns[LB_MOST_TAPS], row;
    unsigned column_count = 0, count = 0;
    for (uint32_t j = 0; j < width->kernel; j++)
        column_count += lb_conv_tap(width, out_column, j, &columns[column_count]) ? 1 : 0;
    for (uint32_t i = 0; i < height->kernel; i++) {
        if (!lb_conv_tap(height, out_row, i, &row))
            continue;
        const size_t x_row = row.in * (size_t)in[0], w_row = row.kernel * (size_t)weights[0];
        for (unsigned j = 0; j < column_count; j++)
            list[count++] = (lb_tap_offsets){x_row + columns[j].in * (size_t)in[1],
                                             w_row + columns[j].kernel * (size_t)weights[1]};
    }
    return count;
}

/* conv.md 8, of which conv2d is the case of one group and depthwise that of one channel and one
 * filter a group. */
lb_conv_channels lb_conv_channels_of(const lb_call *call, uint32_t out_channel)
{
    const lb_tensor *weights = call->tensor[LB_ROLE_WEIGHTS];
    uint32_t group_channels = weights->shape[2];
    uint32_t groups = call->tensor[LB_ROLE_IN]->shape[2] / group_channels;
    uint32_t group_filters = weights->shape[3] / groups;
    return (lb_conv_channels){.first = out_channel / group_filters * group_channels,
                              .count = group_channels};
}
