/* Look-up tables in real numbers: the function itself, and what the table, the interpolation and
 * the table's ends make of it. Spec: recurrent.md 3, 4; elementwise.md 6. */
#ifndef LB_REFERENCE_REAL_LUT_H
#define LB_REFERENCE_REAL_LUT_H

#include "core/lut.h"
#include "core/span.h"
#include "core/tensor.h"
#include "describe/activation.h"

/* What a look-up may give of the real number that a span of arguments is about, counted in steps
 * of 2^-frac as lb_lut_lookup (lut.h) takes it. */
lb_span lb_real_lut_of_fx(lb_lut_kind kind, lb_rounding rounding, lb_span steps, int frac);

/* sigm or tanh of a number of steps of `in`, without zero point: in steps of the activation's own
 * format (activation.h), likewise without; what the function gives is saturated to its containers,
 * the number is not. */
lb_span lb_real_activated(lb_rounding rounding, lb_activation activation, lb_span steps,
                          lb_quant in, uint32_t el_type);

#endif
