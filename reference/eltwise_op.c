/* The operation of an element-wise function, and its two operands. Spec: elementwise.md 2, 5. */
#include "eltwise_op.h"

#include <string.h>

static const char *const names[] = {
    [LB_OP_ADD] = "add", [LB_OP_SUB] = "sub", [LB_OP_MUL] = "mul",
    [LB_OP_MIN] = "min", [LB_OP_MAX] = "max",
};

lb_op lb_eltwise_op(const lb_kernel *kernel)
{
    lb_op op = LB_OP_ADD;
    while (op < LB_OP_MAX && strcmp(names[op], kernel->operation) != 0)
        op++;
    return op;
}

size_t lb_eltwise_offset(const lb_tensor *operand, bool is_scalar, size_t flat)
{
    return is_scalar ? 0 : lb_offset_of_flat(operand, flat);
}
