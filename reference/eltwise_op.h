/* The operation of an element-wise function, and its two operands: what both models of the family
 * share. */
#ifndef LB_REFERENCE_ELTWISE_OP_H
#define LB_REFERENCE_ELTWISE_OP_H

#include "kernels.h"

typedef enum lb_op { LB_OP_ADD, LB_OP_SUB, LB_OP_MUL, LB_OP_MIN, LB_OP_MAX } lb_op;

lb_op lb_eltwise_op(const lb_kernel *kernel);
/* Offset in the operand for the element at this flat index of out; a scalar serves every element
 * (elementwise.md 2). */
size_t lb_eltwise_offset(const lb_tensor *operand, bool is_scalar, size_t flat);

#endif
