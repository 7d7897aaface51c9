/* The operands of an element-wise function. Spec: elementwise.md 2. */
#include "eltwise_op.h"

size_t lb_eltwise_offset(const lb_tensor *operand, bool is_scalar, size_t flat)
{
    return is_scalar ? 0 : lb_offset_of_flat(operand, flat);
}
