/* Real-number pieces that several real models share. Spec: conv.md 15, elementwise.md 3,
 * numerics.md 5, 6. */
#ifndef LB_REFERENCE_REAL_VALUES_H
#define LB_REFERENCE_REAL_VALUES_H

#include "describe/kernels.h"

/* Element `index` of an output: the real number, and the span in its containers, zero point
 * included, before the last saturation. Either list may be missing. */
void lb_real_put(const lb_real_outputs *outputs, lb_role role, size_t index, double real,
                 lb_span containers, int bits);
/* The same with a real number that follows from the containers: those of `format`. */
void lb_real_put_as(const lb_real_outputs *outputs, lb_role role, size_t index, lb_quant format,
                    lb_span containers, int bits);
/* Does anybody ask for this output? */
bool lb_real_wants(const lb_real_outputs *outputs, lb_role role);

/* relu.type of the configuration: none, max(0, v), clamp to [-1, 1], clamp to [0, 6]. `format`,
 * `bits`: of the tensor that gives the limits. QUIRK (numerics.md 6): with that many fractional
 * bits the highest container stands in for the limit. */
double lb_real_relu_of(int32_t type, double v, lb_quant format, int bits);

/* The real number of one step of a format. */
double lb_real_step(lb_quant format);
/* How many steps of `to` one step of `from` is. */
double lb_real_steps_between(lb_quant from, lb_quant to);

/* Largest relative error of a 15-bit multiplier that stands for a ratio of scales
 * (numerics.md 5.1, 5.2): 2^-15 of rounding; in the mode convergent 2^-15 more, because the
 * division before it has cut the quotient to 16 bits or more and a ratio just above a tie then
 * looks like one. */
double lb_real_ratio_error(lb_rounding rounding);

#endif
