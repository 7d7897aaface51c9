/* relu, leaky_relu and prelu in real numbers. Spec: elementwise.md 3, 4. */
#include "models.h"
#include "real_values.h"

void lb_real_relu(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    (void)context;
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    double *value = outputs->value[LB_ROLE_OUT];
    if (value == NULL) {
        return;
    }
    size_t count = lb_element_count(in);
    for (size_t flat = 0; flat < count; flat++) {
        value[flat] = lb_real_relu_of(call->config.relu, lb_load_real(in, lb_offset_of_flat(in, flat), 0));
    }
}

/* x, or slope * x below zero; axis < 0: one slope for all. */
static void apply_slope(const lb_call *call, int32_t axis, lb_real_outputs *outputs)
{
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    const lb_tensor *slope = call->tensor[LB_ROLE_SLOPE];
    double *value = outputs->value[LB_ROLE_OUT];
    if (value == NULL) {
        return;
    }
    size_t count = lb_element_count(in);
    for (size_t flat = 0; flat < count; flat++) {
        uint32_t index[LB_MAX_RANK];
        lb_unflatten(in, flat, index);
        double x = lb_load_real(in, lb_offset_of(in, index), 0);
        size_t slope_offset = axis < 0 ? 0 : index[axis]; /* dense, whatever the strides say */
        value[flat] = x >= 0.0 ? x : x * lb_load_real(slope, slope_offset, 0);
    }
}

void lb_real_leaky_relu(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    (void)context;
    apply_slope(call, -1, outputs);
}

void lb_real_prelu(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    (void)context;
    apply_slope(call, call->config.axis, outputs);
}
