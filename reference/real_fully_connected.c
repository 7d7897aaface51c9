/* Fully connected in real numbers: relu(sum(in * weights) + bias). Spec: conv.md 15. */
#include "models.h"
#include "real_values.h"

#include <math.h>
#include <string.h>

/* ext_bias: the containers of in count without their zero point, because the bias holds its share (conv.md 4.3). */
static double input_of(const lb_call *call, uint32_t i)
{
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    if (strcmp(call->kernel->specialization, "ext_bias") != 0) {
        return lb_load_real(in, i, 0);
    }
    lb_quant q = lb_quant_at(in, 0);
    return ldexp((double)lb_load(in, i) * q.scale, -q.frac);
}

void lb_real_fully_connected(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    (void)context;
    const lb_tensor *weights = call->tensor[LB_ROLE_WEIGHTS];
    double *value = outputs->value[LB_ROLE_OUT];
    if (value == NULL) {
        return;
    }
    size_t row = (size_t)weights->mem_stride[0];
    for (uint32_t c = 0; c < weights->shape[1]; c++) {
        double sum = lb_real_bias(call, c);
        for (uint32_t i = 0; i < weights->shape[0]; i++) {
            sum += input_of(call, i) * lb_load_real(weights, i * row + c, c);
        }
        value[c] = lb_real_relu_of(call->config.relu, sum);
    }
}
