/* conv2d, depthwise, group and transpose convolution in real numbers: relu(sum(in * weights) + bias) over the valid taps.
 * Spec: conv.md 6 to 9, 15. */
#include "conv_taps.h"
#include "models.h"
#include "real_values.h"

static double sum_of_taps(const lb_call *call, uint32_t y, uint32_t x, uint32_t c)
{
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    const lb_tensor *weights = call->tensor[LB_ROLE_WEIGHTS];
    lb_conv_side height = lb_conv_height(call);
    lb_conv_side width = lb_conv_width(call);
    lb_conv_channels channels = lb_conv_channels_of(call, c);
    double sum = 0.0;
    for (uint32_t i = 0; i < height.kernel; i++) {
        for (uint32_t j = 0; j < width.kernel; j++) {
            lb_tap row;
            lb_tap column;
            if (!lb_conv_tap(&height, y, i, &row) || !lb_conv_tap(&width, x, j, &column)) {
                continue;
            }
            for (uint32_t k = 0; k < channels.count; k++) {
                uint32_t x_index[] = {row.in, column.in, channels.first + k};
                uint32_t w_index[] = {row.kernel, column.kernel, k, c};
                sum += lb_load_real(in, lb_offset_of(in, x_index), 0) *
                       lb_load_real(weights, lb_offset_of(weights, w_index), c);
            }
        }
    }
    return sum;
}

void lb_real_conv2d(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    (void)context;
    const lb_tensor *out = call->tensor[LB_ROLE_OUT];
    double *value = outputs->value[LB_ROLE_OUT];
    if (value == NULL) {
        return;
    }
    for (uint32_t y = 0; y < out->shape[0]; y++) {
        for (uint32_t x = 0; x < out->shape[1]; x++) {
            for (uint32_t c = 0; c < out->shape[2]; c++) {
                *value++ = lb_real_relu_of(call->config.relu, sum_of_taps(call, y, x, c) + lb_real_bias(call, c));
            }
        }
    }
}
