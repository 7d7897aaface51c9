/* softmax and l2_normalize in real numbers. Spec: elementwise.md 7, 8, 13.
 * softmax_fx8 has no real model: its result, 0 everywhere, has no meaning. */
#include "groups.h"
#include "models.h"

#include <math.h>

static double element(const lb_tensor *in, const lb_groups *groups, size_t group, size_t index)
{
    return lb_load_real(in, lb_offset_of_flat(in, lb_group_flat(groups, group, index)), 0);
}

void lb_real_softmax(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    (void)context;
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    double *value = outputs->value[LB_ROLE_OUT];
    lb_groups groups = lb_groups_of(in, call->config.axis);
    for (size_t g = 0; value != NULL && g < groups.count; g++) {
        double largest = -INFINITY;
        double sum = 0.0;
        for (size_t i = 0; i < groups.length; i++) {
            largest = fmax(largest, element(in, &groups, g, i));
        }
        for (size_t i = 0; i < groups.length; i++) {
            sum += exp(element(in, &groups, g, i) - largest);
        }
        for (size_t i = 0; i < groups.length; i++) {
            value[lb_group_flat(&groups, g, i)] = exp(element(in, &groups, g, i) - largest) / sum;
        }
    }
}

/* A group of zeros gives zeros. */
void lb_real_l2_normalize(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    (void)context;
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    double *value = outputs->value[LB_ROLE_OUT];
    lb_groups groups = lb_groups_of(in, call->config.axis);
    for (size_t g = 0; value != NULL && g < groups.count; g++) {
        double squares = 0.0;
        for (size_t i = 0; i < groups.length; i++) {
            double x = element(in, &groups, g, i);
            squares += x * x;
        }
        for (size_t i = 0; i < groups.length; i++) {
            double x = element(in, &groups, g, i);
            value[lb_group_flat(&groups, g, i)] = squares > 0.0 ? x / sqrt(squares) : 0.0;
        }
    }
}
