/* The weighted sum of recurrent functions in real numbers: several inputs, each requantized to the
 * output's format by itself. Spec: recurrent.md 5. */
#ifndef LB_REFERENCE_REAL_DENSE_H
#define LB_REFERENCE_REAL_DENSE_H

#include "describe/kernels.h"

/* One input: a tensor as in lb_dense_term (dense.h), or a vector that no tensor holds. */
typedef struct lb_real_term {
    const lb_tensor *x;       /* NULL: */
    const lb_span *items;     /* steps without zero point */
    uint32_t count;           /* of items */
    lb_quant quant;           /* of items */
    const lb_tensor *weights; /* (N, M) */
} lb_real_term;

/* Output m in steps of `out`, without zero point, before it is saturated to the container. The bias
 * is in the format of the first term's products. */
lb_span lb_real_dense(const lb_context *context, const lb_real_term *terms, unsigned term_count,
                      const lb_tensor *bias, uint32_t m, lb_quant out);

#endif
