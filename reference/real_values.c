/* Real-number pieces that several real models share. Spec: conv.md 15, elementwise.md 3. */
#include "real_values.h"

#include <math.h>

double lb_real_relu_of(int32_t type, double v)
{
    switch (type) {
    case 1:
        return fmax(v, 0.0);
    case 2:
        return fmin(fmax(v, -1.0), 1.0);
    case 3:
        return fmin(fmax(v, 0.0), 6.0);
    default:
        return v;
    }
}

double lb_real_bias(const lb_call *call, uint32_t channel)
{
    const lb_tensor *bias = call->tensor[LB_ROLE_BIAS];
    size_t offset = channel * (size_t)bias->mem_stride[0];
    if (!lb_is_sa(bias->el_type)) {
        return lb_load_real(bias, offset, 0);
    }
    lb_quant in = lb_quant_at(call->tensor[LB_ROLE_IN], 0);
    lb_quant weights = lb_quant_at(call->tensor[LB_ROLE_WEIGHTS], channel);
    return ldexp((double)lb_load(bias, offset) * in.scale * weights.scale, -(in.frac + weights.frac));
}
