/* Element-wise add, sub, mul, min, max in real numbers. Spec: elementwise.md 5. */
#include "eltwise_op.h"
#include "models.h"
#include "rules.h"

#include <math.h>

static double result_of(lb_op op, double a, double b)
{
    switch (op) {
    case LB_OP_ADD:
        return a + b;
    case LB_OP_SUB:
        return a - b;
    case LB_OP_MUL:
        return a * b;
    case LB_OP_MIN:
        return fmin(a, b);
    default:
        return fmax(a, b);
    }
}

void lb_real_eltwise(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    (void)context;
    const lb_tensor *in1 = call->tensor[LB_ROLE_IN1];
    const lb_tensor *in2 = call->tensor[LB_ROLE_IN2];
    double *value = outputs->value[LB_ROLE_OUT];
    if (value == NULL) {
        return;
    }
    bool scalar1 = lb_is_scalar(in1);
    bool scalar2 = lb_is_scalar(in2);
    lb_op op = lb_eltwise_op(call->kernel);
    size_t count = lb_element_count(call->tensor[LB_ROLE_OUT]);
    for (size_t flat = 0; flat < count; flat++) {
        double a = lb_load_real(in1, lb_eltwise_offset(in1, scalar1, flat), 0);
        double b = lb_load_real(in2, lb_eltwise_offset(in2, scalar2, flat), 0);
        value[flat] = result_of(op, a, b);
    }
}
