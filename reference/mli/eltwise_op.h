/* The operands of an element-wise function: what both models of the family share. */
#ifndef LB_REFERENCE_ELTWISE_OP_H
#define LB_REFERENCE_ELTWISE_OP_H

#include "describe/kernels.h"

/* Offset in the operand for the element at this flat index of out; a scalar serves every element
 * (elementwise.md 2). */
size_t lb_eltwise_offset(const lb_tensor *operand, bool is_scalar, size_t flat);

#endif
