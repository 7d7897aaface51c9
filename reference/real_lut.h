/* Look-up tables in real numbers: the function itself, and what the table, the interpolation and
 * the table's ends make of it. Spec: recurrent.md 3, 4; elementwise.md 6. */
#ifndef LB_REFERENCE_REAL_LUT_H
#define LB_REFERENCE_REAL_LUT_H

#include "activation.h"
#include "lut.h"
#include "span.h"
#include "tensor.h"

/* The function of a real argument. */
double lb_real_lut_function(lb_lut_kind kind, double x);
/* The function of the real number that a span of arguments is about, in steps of the table's
 * entries (2^-out_frac_bits), with what a look-up may give. `between`: arguments may lie between
 * those of the entries, and then the function interpolates. */
lb_span lb_real_lut_lookup(lb_lut_kind kind, lb_rounding rounding, lb_span x, bool between);
/* The same of a number with `frac` fractional bits as lb_lut_lookup (lut.h) takes it: counted in
 * steps of 2^-frac. */
lb_span lb_real_lut_of_fx(lb_lut_kind kind, lb_rounding rounding, lb_span steps, int frac);

/* sigm or tanh of a number of steps of `in`, without zero point: in steps of the activation's own
 * format (activation.h), likewise without; what the function gives is saturated to its containers,
 * the number is not. */
lb_span lb_real_activated(lb_rounding rounding, lb_activation activation, lb_span steps,
                          lb_quant in, uint32_t el_type);

#endif
