/* Products and sums of sa8 numbers as element-wise functions and recurrent cells form them, in real
 * numbers. Spec: elementwise.md 5, 13; recurrent.md 6. Spans are counted in steps, without zero
 * point. */
#ifndef LB_REFERENCE_REAL_OPS_H
#define LB_REFERENCE_REAL_OPS_H

#include "core/span.h"
#include "core/tensor.h"

/* a * b in steps of `out`, rounded, before the zero point. */
lb_span lb_real_product_sa8(lb_rounding rounding, lb_span a, lb_quant qa, lb_span b, lb_quant qb,
                            lb_quant out);
/* One operand of a sum in steps of `out`, rounded by itself. */
lb_span lb_real_addend_sa8(lb_rounding rounding, lb_span a, lb_quant qa, lb_quant out);

#endif
