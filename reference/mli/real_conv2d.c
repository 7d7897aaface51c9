/* conv2d, depthwise, group and transpose convolution in real numbers: relu(sum(in * weights) +
 * bias) over the valid taps. Spec: conv.md 6 to 9, 15. */
#include "conv_taps.h"
#include "models.h"
#include "real_values.h"
#include "real_weighted.h"

typedef struct conv_walk {
    const lb_tensor *in, *weights;
    lb_conv_side height, width;
    int32_t zero_point;
} conv_walk;

/* All input channels at one position of the kernel. */
static void add_position(const conv_walk *walk, lb_tap row, lb_tap column,
                         lb_conv_channels channels, uint32_t c, lb_real_sum *sum)
{
    uint32_t x_index[] = {row.in, column.in, channels.first};
    uint32_t w_index[] = {row.kernel, column.kernel, 0, c};
    lb_real_macs(sum, walk->in, lb_offset_of(walk->in, x_index), (size_t)walk->in->mem_stride[2],
                 walk->zero_point, walk->weights, lb_offset_of(walk->weights, w_index),
                 (size_t)walk->weights->mem_stride[2], channels.count);
}

static lb_real_sum sum_of_taps(const conv_walk *walk, lb_conv_channels channels, uint32_t y,
                               uint32_t x, uint32_t c)
{
    lb_real_sum sum = {0.0, 0.0};
    for (uint32_t i = 0; i < walk->height.kernel; i++) {
        lb_tap row;
        if (!lb_conv_tap(&walk->height, y, i, &row))
            continue;
        for (uint32_t j = 0; j < walk->width.kernel; j++) {
            lb_tap column;
            if (lb_conv_tap(&walk->width, x, j, &column))
                add_position(walk, row, column, channels, c, &sum);
        }
    }
    return sum;
}

/* All output channels at one position. */
static void put_position(const conv_walk *walk, const lb_call *call,
                         const lb_real_weighted *weighted, uint32_t y, uint32_t x,
                         lb_real_outputs *outputs)
{
    const uint32_t *shape = call->tensor[LB_ROLE_OUT]->shape;
    lb_tap_offsets list[LB_MOST_TAPS];
    lb_products p = {.x = walk->in,
                     .weights = walk->weights,
                     .taps = list,
                     .x_step = (size_t)walk->in->mem_stride[2],
                     .weight_step = (size_t)walk->weights->mem_stride[2]};
    const bool listed = lb_conv_can_list(&walk->height, &walk->width);
    if (listed)
        p.tap_count = lb_conv_list(call, &walk->height, &walk->width, y, x, list);
    for (uint32_t c = 0; c < shape[2]; c++) {
        const lb_conv_channels channels = lb_conv_channels_of(call, c);
        lb_real_sum sum = {0.0, 0.0};
        p.count = channels.count;
        p.first =
            (lb_tap_offsets){channels.first * p.x_step, c * (size_t)walk->weights->mem_stride[3]};
        if (!listed || !lb_real_whole(&sum, &p, walk->zero_point))
            sum = sum_of_taps(walk, channels, y, x, c);
        lb_real_weighted_put(weighted, outputs, ((size_t)y * shape[1] + x) * shape[2] + c, c, &sum);
    }
}

void lb_real_conv2d(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    const lb_tensor *out = call->tensor[LB_ROLE_OUT];
    if (!lb_real_wants(outputs, LB_ROLE_OUT))
        return;
    lb_real_weighted weighted = lb_real_weighted_start(context, call);
    conv_walk walk = {
        .in = call->tensor[LB_ROLE_IN],
        .weights = call->tensor[LB_ROLE_WEIGHTS],
        .height = lb_conv_height(call),
        .width = lb_conv_width(call),
        .zero_point = weighted.zero_point,
    };
    for (uint32_t y = 0; y < out->shape[0]; y++)
        for (uint32_t x = 0; x < out->shape[1]; x++)
            put_position(&walk, call, &weighted, y, x, outputs);
}
