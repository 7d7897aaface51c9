/* conv2d, depthwise, group and transpose convolution, to the last bit: the families differ in which taps meet an output
 * element (conv_taps.h) and in nothing else. Spec: conv.md 6 to 9, order of additions 12. */
#include "conv_taps.h"
#include "models.h"
#include "weighted.h"

typedef struct place {
    uint32_t row, column, channel;
} place;

typedef struct conv_walk {
    const lb_tensor *in, *weights;
    lb_conv_side height, width;
    lb_conv_channels channels; /* of the output channel at hand */
} conv_walk;

/* Multiplies and adds the taps of one output element: input channel outermost, then kernel row, then kernel column.
 * `constant`: what meets the weights in place of the inputs; NULL: the inputs themselves. */
static void add_taps(lb_acc *acc, const conv_walk *walk, place out, const int32_t *constant)
{
    for (uint32_t k = 0; k < walk->channels.count; k++) {
        for (uint32_t i = 0; i < walk->height.kernel; i++) {
            lb_tap row;
            if (!lb_conv_tap(&walk->height, out.row, i, &row)) {
                continue;
            }
            for (uint32_t j = 0; j < walk->width.kernel; j++) {
                lb_tap column;
                if (!lb_conv_tap(&walk->width, out.column, j, &column)) {
                    continue;
                }
                uint32_t x_index[] = {row.in, column.in, walk->channels.first + k};
                uint32_t w_index[] = {row.kernel, column.kernel, k, out.channel};
                int32_t x = constant != NULL ? *constant : lb_load(walk->in, lb_offset_of(walk->in, x_index));
                int32_t w = lb_load(walk->weights, lb_offset_of(walk->weights, w_index));
                lb_acc_mac(acc, x, w);
            }
        }
    }
}

static int64_t output_of(const lb_weighted *weighted, const lb_channel *channel, const conv_walk *walk, place out)
{
    lb_acc acc = lb_acc_start(weighted->profile, weighted->operands);
    add_taps(&acc, walk, out, NULL);
    if (weighted->in_zero_point != 0) {
        int32_t minus_zero_point = -weighted->in_zero_point;
        add_taps(&acc, walk, out, &minus_zero_point);
    }
    return lb_weighted_finish(weighted, channel, &acc);
}

static void run_channel(const lb_weighted *weighted, lb_call *call, uint32_t c)
{
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    lb_channel channel = lb_weighted_channel(weighted, call, c);
    conv_walk walk = {
        .in = call->tensor[LB_ROLE_IN],
        .weights = call->tensor[LB_ROLE_WEIGHTS],
        .height = lb_conv_height(call),
        .width = lb_conv_width(call),
        .channels = lb_conv_channels_of(call, c),
    };
    for (uint32_t y = 0; y < out->shape[0]; y++) {
        for (uint32_t x = 0; x < out->shape[1]; x++) {
            uint32_t index[] = {y, x, c};
            lb_store(out, lb_offset_of(out, index), output_of(weighted, &channel, &walk, (place){y, x, c}));
        }
    }
}

void lb_exact_conv2d(const lb_context *context, lb_call *call)
{
    lb_weighted weighted = lb_weighted_start(context, call);
    for (uint32_t c = 0; c < call->tensor[LB_ROLE_OUT]->shape[2]; c++) {
        run_channel(&weighted, call, c);
    }
}
