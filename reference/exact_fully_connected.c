/* Fully connected, to the last bit: out[c] = F_c(in[i] * weights[i][c]). Spec: conv.md 10, order of additions 12. */
#include "models.h"
#include "weighted.h"

static int64_t output_of(const lb_weighted *weighted, const lb_call *call, uint32_t channel)
{
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    const lb_tensor *weights = call->tensor[LB_ROLE_WEIGHTS];
    size_t row = (size_t)weights->mem_stride[0];
    lb_acc acc = lb_acc_start(weighted->profile, weighted->operands);
    for (uint32_t i = 0; i < weights->shape[0]; i++) {
        lb_acc_mac(&acc, lb_load(in, i), lb_load(weights, i * row + channel));
    }
    if (weighted->in_zero_point != 0) {
        for (uint32_t i = 0; i < weights->shape[0]; i++) {
            lb_acc_mac(&acc, -weighted->in_zero_point, lb_load(weights, i * row + channel));
        }
    }
    lb_channel parameters = lb_weighted_channel(weighted, call, channel);
    return lb_weighted_finish(weighted, &parameters, &acc);
}

void lb_exact_fully_connected(const lb_context *context, lb_call *call)
{
    lb_weighted weighted = lb_weighted_start(context, call);
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    for (uint32_t c = 0; c < out->shape[0]; c++) {
        lb_store(out, c, output_of(&weighted, call, c)); /* its stride is 1 */
    }
}
