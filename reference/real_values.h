/* Real-number pieces that several real models share. Spec: conv.md 15, elementwise.md 3. */
#ifndef LB_REFERENCE_REAL_VALUES_H
#define LB_REFERENCE_REAL_VALUES_H

#include "kernels.h"

/* relu.type of the configuration: none, max(0, v), clamp to [-1, 1], clamp to [0, 6]. */
double lb_real_relu_of(int32_t type, double v);
/* Bias of an output channel of kernels with weights: fx by its own format; sa by the scales of in and weights, which is
 * what the kernel takes it for (conv.md 15). */
double lb_real_bias(const lb_call *call, uint32_t channel);

#endif
