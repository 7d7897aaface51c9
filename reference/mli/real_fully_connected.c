/* Fully connected in real numbers: relu(sum(in * weights) + bias). Spec: conv.md 15.
 * ext_bias: the containers of in count without their zero point, because the bias holds its share
 * (conv.md 4.3). */
#include "models.h"
#include "real_values.h"
#include "real_weighted.h"

void lb_real_fully_connected(const lb_context *context, const lb_call *call,
                             lb_real_outputs *outputs)
{
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    const lb_tensor *weights = call->tensor[LB_ROLE_WEIGHTS];
    if (!lb_real_wants(outputs, LB_ROLE_OUT))
        return;
    lb_real_weighted weighted = lb_real_weighted_start(context, call);
    size_t row = (size_t)weights->mem_stride[0];
    for (uint32_t c = 0; c < weights->shape[1]; c++) {
        lb_real_sum sum = {0.0, 0.0};
        lb_real_macs(&sum, in, 0, 1, weighted.zero_point, weights, c, row, weights->shape[0]);
        lb_real_weighted_put(&weighted, outputs, c, c, &sum);
    }
}
