/* What element-wise functions check, in their order. Spec: elementwise.md 2. */
#include "describe/rules.h"
#include "models.h"

enum { IN1 = LB_ROLE_IN1, IN2 = LB_ROLE_IN2, OUT = LB_ROLE_OUT };

static lb_status check_not_both_rank0(const lb_context *context, const lb_call *call,
                                      const lb_rule *rule)
{
    LB_FETCH(a, rule->a);
    LB_FETCH(b, rule->b);
    return a->rank == 0 && b->rank == 0 ? LB_NOT_SUPPORTED : LB_OK;
}

/* Innermost stride 1, unless the operand is a scalar. */
static lb_status check_operand_stride(const lb_context *context, const lb_call *call,
                                      const lb_rule *rule)
{
    LB_FETCH(t, rule->a);
    return lb_is_scalar(t) ? LB_OK : lb_check_inner_stride(context, call, rule);
}

/* Shapes of in1, in2 and out. With two scalars it is in2 that out must equal (a QUIRK). */
static lb_status check_shapes(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    (void)rule;
    LB_FETCH(in1, IN1);
    LB_FETCH(in2, IN2);
    LB_FETCH(out, OUT);
    if (!lb_is_scalar(in1) && !lb_is_scalar(in2) && !lb_has_same_shape(in1, in2))
        return LB_SHAPE_MISMATCH;
    return lb_has_same_shape(lb_is_scalar(in1) ? in2 : in1, out) ? LB_OK : LB_SHAPE_MISMATCH;
}

/* clang-format off */
#define FIRST                                                                                                          \
    {"in1.tensor", lb_check_operand, IN1, 0, 0},                                                                       \
    {"in2.tensor", lb_check_operand, IN2, 0, 0},                                                                       \
    {"out.tensor", lb_check_tensor, OUT, 0, 0},                                                                        \
    {"in2.one_operand_has_rank", check_not_both_rank0, IN1, IN2, 0},                                                   \
    {"in1.inner_stride", check_operand_stride, IN1, 0, 0},                                                             \
    {"in2.inner_stride", check_operand_stride, IN2, 0, 0},                                                             \
    {"out.inner_stride", lb_check_inner_stride, OUT, 0, 0},                                                            \
    {"out.type_equals_in1", lb_check_same_type, OUT, IN1, LB_INCOMPATIBLE_TENSORS},                                    \
    {"out.shape_equals_operands", check_shapes, 0, 0, 0}

/* Only min and max: equal type and equal quantization of both inputs. */
#define SAME_QUANT                                                                                                     \
    {"in2.quant_equals_in1", lb_check_same_quant, IN1, IN2, LB_INCOMPATIBLE_TENSORS}

#define TYPES                                                                                                          \
    {"in1.type", lb_check_variant_type, IN1, 0, 0},                                                                    \
    {"in2.type", lb_check_variant_type, IN2, 0, 0}

#define SA8                                                                                                            \
    {"in1.quant", lb_check_quant, IN1, -128, 127},                                                                     \
    {"in2.quant", lb_check_quant, IN2, -128, 127},                                                                     \
    {"out.quant", lb_check_quant, OUT, -128, 127},                                                                     \
    {"in1.per_tensor", lb_check_per_tensor, IN1, 0, 0},                                                                \
    {"in2.per_tensor", lb_check_per_tensor, IN2, 0, 0},                                                                \
    {"out.per_tensor", lb_check_per_tensor, OUT, 0, 0}

/* Undefined: out of rank 0 (elementwise.md 12), and what no check looks at. */
#define LAST                                                                                                           \
    {"out.rank", lb_check_not_rank0, OUT, 0, LB_UNDEFINED}, LB_PARAMETERS,                                             \
        LB_PLACE(LB_BIT_OF(IN1) | LB_BIT_OF(IN2)), LB_RULES_END
/* clang-format on */

const lb_rule lb_rules_eltwise_fx[] = {FIRST, TYPES, LAST};
const lb_rule lb_rules_eltwise_sa8[] = {FIRST, TYPES, SA8, LAST};
const lb_rule lb_rules_eltwise_pick_fx[] = {FIRST, SAME_QUANT, TYPES, LAST};
const lb_rule lb_rules_eltwise_pick_sa8[] = {FIRST, SAME_QUANT, TYPES, SA8, LAST};
