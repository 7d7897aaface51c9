/* What sigm and tanh check, in their order. Spec: recurrent.md 4. They do not look at their table,
 * and never at the quantization of out. The last rows stand for what the spec leaves undefined. */
#include "models.h"
#include "rules.h"

enum { IN = LB_ROLE_IN, OUT = LB_ROLE_OUT };

/* clang-format off */

#define COMMON                                                            \
    {"in.tensor",           lb_check_tensor,       IN,  0, 0},            \
    {"out.tensor",          lb_check_tensor,       OUT, 0, 0},            \
    {"out.type_equals_in",  lb_check_same_type,    OUT, IN, LB_TYPE_MISMATCH}, \
    {"out.shape_equals_in", lb_check_same_shape,   IN,  OUT, 0},          \
    {"in.inner_stride",     lb_check_inner_stride, IN,  0, 0},            \
    {"out.inner_stride",    lb_check_inner_stride, OUT, 0, 0},            \
    {"in.type",             lb_check_variant_type, IN,  0, 0}

#define LAST                                                              \
    {"in.rank", lb_check_not_rank0, IN, 0, LB_UNDEFINED}, LB_PARAMETERS, LB_PLACE(LB_BIT_OF(IN)), LB_RULES_END

const lb_rule lb_rules_activation_fx[] = {
    COMMON,
    LAST,
};

const lb_rule lb_rules_activation_sa8[] = {
    COMMON,
    {"in.quant",      lb_check_quant,      IN, -128, 127},
    {"in.per_tensor", lb_check_per_tensor, IN, 0, 0},
    LAST,
};

/* clang-format on */
