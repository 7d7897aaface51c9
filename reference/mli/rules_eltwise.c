/* What element-wise functions check, in their order. Spec: elementwise.md 2. */
#include "describe/rules.h"
#include "models.h"

enum { IN1 = LB_ROLE_IN1, IN2 = LB_ROLE_IN2, OUT = LB_ROLE_OUT };

/* clang-format off */
#define ONE_HAS_RANK \
    LB_ASKS(LB_NOT_SUPPORTED, LB_THAT(LB_UNLIKE, LB_X(1, LB_OF_TENSOR(RANK, IN1)), LB_X(1, LB_OF_TENSOR(RANK, IN2))))
/* Innermost stride 1, unless the operand is a scalar: many * (stride - 1) = 0. */
#define STRIDE_OF_MANY(role_) \
    LB_ASKS(LB_INCOMPATIBLE_TENSORS, \
            LB_THAT(LB_EQUAL, LB_XY(1, LB_OF_TENSOR(MANY, role_), LB_STRIDE_BY(INNERMOST, role_)), LB_X(-1, LB_OF_TENSOR(MANY, role_))))
/* in1 and in2 have out's shape, unless they are scalars: many * (in - out) = 0. With two scalars it
 * is in2 that must have it (a QUIRK): in2 - out - many of in1 * (in2 - out) = 0. Of ranks, and then
 * of extents. */
#define OF_RANK(role_)   LB_OF_TENSOR(RANK, role_)
#define OF_EXTENT(role_) LB_EXTENT_BY(EACH, role_)
#define AS_OUT(of_, role_) LB_XY(1, LB_OF_TENSOR(MANY, role_), of_(role_)), LB_XY(-1, LB_OF_TENSOR(MANY, role_), of_(OUT))
#define ELSE_IN2(of_) \
    LB_X(1, of_(IN2)), LB_X(-1, of_(OUT)), LB_XY(-1, LB_OF_TENSOR(MANY, IN1), of_(IN2)), LB_XY(1, LB_OF_TENSOR(MANY, IN1), of_(OUT))
#define SHAPES_OF_MANY \
    LB_ASKS(LB_SHAPE_MISMATCH, \
            LB_THAT(LB_EQUAL, AS_OUT(OF_RANK, IN1)), LB_THAT(LB_EQUAL, AS_OUT(OF_RANK, IN2)), LB_THAT(LB_EQUAL, ELSE_IN2(OF_RANK)), \
            LB_THAT_EACH(OUT, LB_EQUAL, AS_OUT(OF_EXTENT, IN1)), LB_THAT_EACH(OUT, LB_EQUAL, AS_OUT(OF_EXTENT, IN2)), \
            LB_THAT_EACH(OUT, LB_EQUAL, ELSE_IN2(OF_EXTENT)))
#define FIRST                                                                                                          \
    {"in1.tensor", LB_IN_C(lb_check_operand, IN1, 0, 0)},                                                                       \
    {"in2.tensor", LB_IN_C(lb_check_operand, IN2, 0, 0)},                                                                       \
    {"out.tensor", LB_IN_C(lb_check_tensor, OUT, 0, 0)},                                                                        \
    {"in2.one_operand_has_rank", ONE_HAS_RANK},                                                   \
    {"in1.inner_stride", STRIDE_OF_MANY(IN1)}, \
    {"in2.inner_stride", STRIDE_OF_MANY(IN2)}, \
    {"out.inner_stride", LB_INNER_STRIDE_1(OUT)},                                                            \
    {"out.type_equals_in1", LB_SAME_TYPE(OUT, IN1, LB_INCOMPATIBLE_TENSORS)},                                    \
    {"out.shape_equals_operands", SHAPES_OF_MANY}

/* Only min and max: equal type and equal quantization of both inputs. */
#define SAME_QUANT                                                                                                     \
    {"in2.quant_equals_in1", LB_IN_C(lb_check_same_quant, IN1, IN2, LB_INCOMPATIBLE_TENSORS)}

#define TYPES                                                                                                          \
    {"in1.type", LB_TYPE_OF_VARIANT(IN1)},                                                                    \
    {"in2.type", LB_TYPE_OF_VARIANT(IN2)}

#define SA8                                                                                                            \
    {"in1.quant", LB_IN_C(lb_check_quant, IN1, -128, 127)},                                                                     \
    {"in2.quant", LB_IN_C(lb_check_quant, IN2, -128, 127)},                                                                     \
    {"out.quant", LB_IN_C(lb_check_quant, OUT, -128, 127)},                                                                     \
    {"in1.per_tensor", LB_PER_TENSOR(IN1)},                                                                \
    {"in2.per_tensor", LB_PER_TENSOR(IN2)},                                                                \
    {"out.per_tensor", LB_PER_TENSOR(OUT)}

/* Undefined: out of rank 0 (elementwise.md 12), and what no check looks at. */
#define LAST                                                                                                           \
    {"out.rank", LB_RANK_NOT_0(OUT)}, LB_PARAMETERS,                                             \
        LB_PLACE(LB_BIT_OF(IN1) | LB_BIT_OF(IN2)), LB_RULES_END
/* clang-format on */

const lb_rule lb_rules_eltwise_fx[] = {FIRST, TYPES, LAST};
const lb_rule lb_rules_eltwise_sa8[] = {FIRST, TYPES, SA8, LAST};
const lb_rule lb_rules_eltwise_pick_fx[] = {FIRST, SAME_QUANT, TYPES, LAST};
const lb_rule lb_rules_eltwise_pick_sa8[] = {FIRST, SAME_QUANT, TYPES, SA8, LAST};
