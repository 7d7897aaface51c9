/* What relu, leaky_relu and prelu check, in their order. Spec: elementwise.md 2.
 * The last rows of each list refuse what the spec leaves undefined and no model should compute
 * with. */
#include "describe/rules.h"
#include "models.h"

enum { IN = LB_ROLE_IN, SLOPE = LB_ROLE_SLOPE, OUT = LB_ROLE_OUT };

/* prelu's slope: a scalar for axis -1, else a tensor. */
static lb_status check_slope(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    return call->config.axis == -1 ? lb_check_scalar(context, call, rule)
                                   : lb_check_tensor(context, call, rule);
}

/* prelu's slope along an axis. Its rank is never looked at (a QUIRK): entries of shape from its
 * rank on are read. */
static lb_status check_slope_layout(const lb_context *context, const lb_call *call,
                                    const lb_rule *rule)
{
    LB_FETCH(in, rule->a);
    LB_FETCH(slope, rule->b);
    if (call->config.axis == -1)
        return LB_OK;
    bool fits = lb_has_inner_stride_1(slope);
    for (uint32_t d = 0; d < in->rank; d++)
        fits = fits && slope->shape[d] == (d == (uint32_t)call->config.axis ? in->shape[d] : 1);
    return fits ? LB_OK : LB_INCOMPATIBLE_TENSORS;
}

/* Undefined: gaps between slopes. A shape beyond the slope's rank has no strides. */
static lb_status check_slope_dense(const lb_context *context, const lb_call *call,
                                   const lb_rule *rule)
{
    (void)context;
    const lb_tensor *slope = lb_role_tensor(call, rule->b);
    uint32_t axis = (uint32_t)call->config.axis;
    bool gaps = call->config.axis >= 0 && axis < slope->rank && slope->shape[axis] > 1 &&
                slope->mem_stride[axis] != 1;
    return gaps ? LB_INCOMPATIBLE_TENSORS : LB_OK;
}

/* Slopes are read dense, as many as the axis is long. A shape beyond the slope's rank says nothing
 * of its buffer. */
static lb_status check_slope_room(const lb_context *context, const lb_call *call,
                                  const lb_rule *rule)
{
    LB_FETCH(in, rule->a);
    LB_FETCH(slope, rule->b);
    if (call->config.axis == -1)
        return LB_OK;
    if (call->config.axis < 0 || call->config.axis >= LB_MAX_RANK)
        return LB_NOT_SUPPORTED; /* the rules before this one refuse it */
    uint64_t needed = (uint64_t)in->shape[call->config.axis] * lb_element_bytes(slope->el_type);
    return slope->rank != 0 && slope->data.capacity_bytes >= needed ? LB_OK : LB_NOT_SUPPORTED;
}

#define LAST LB_UNARY_LAST, LB_RULES_END

const lb_rule lb_rules_relu_fx[] = {
    {"in.tensor", LB_IN_C(lb_check_tensor, IN, 0, 0)},
    {"cfg.present", LB_CONFIG_PRESENT},
    {"out.tensor", LB_IN_C(lb_check_tensor, OUT, 0, 0)},
    {"out.type_equals_in", LB_SAME_TYPE(OUT, IN, LB_TYPE_MISMATCH)},
    {"out.shape_equals_in", LB_SAME_SHAPE(IN, OUT)},
    {"in.inner_stride", LB_INNER_STRIDE_1(IN)},
    {"out.inner_stride", LB_INNER_STRIDE_1(OUT)},
    {"in.type", LB_TYPE_OF_VARIANT(IN)},
    LAST,
};

const lb_rule lb_rules_relu_sa8[] = {
    {"in.tensor", LB_IN_C(lb_check_tensor, IN, 0, 0)},
    {"cfg.present", LB_CONFIG_PRESENT},
    {"out.tensor", LB_IN_C(lb_check_tensor, OUT, 0, 0)},
    {"out.type_equals_in", LB_SAME_TYPE(OUT, IN, LB_TYPE_MISMATCH)},
    {"out.shape_equals_in", LB_SAME_SHAPE(IN, OUT)},
    {"in.inner_stride", LB_INNER_STRIDE_1(IN)},
    {"out.inner_stride", LB_INNER_STRIDE_1(OUT)},
    {"in.type", LB_TYPE_OF_VARIANT(IN)},
    {"in.quant", LB_IN_C(lb_check_quant, IN, -128, 127)},
    {"in.per_tensor", LB_PER_TENSOR(IN)},
    LAST,
};

/* clang-format off */
/* From slope.T on: common to leaky_relu and prelu. */
#define SLOPE_FX                                                                                                       \
    {"slope.type_equals_in", LB_SAME_TYPE(SLOPE, IN, LB_TYPE_MISMATCH)},                                         \
    {"in.type", LB_TYPE_OF_VARIANT(IN)},                                                                      \
    {"out.frac_bits_equal_in", LB_IN_C(lb_check_same_quant, OUT, IN, LB_SPEC_PARAM_MISMATCH)},                                  \
    LB_UNARY_LAST

#define SLOPE_SA8                                                                                                      \
    {"slope.type_equals_in", LB_SAME_TYPE(SLOPE, IN, LB_TYPE_MISMATCH)},                                         \
    {"in.type", LB_TYPE_OF_VARIANT(IN)},                                                                      \
    {"in.quant", LB_IN_C(lb_check_quant, IN, -128, 127)},                                                                       \
    {"out.quant", LB_IN_C(lb_check_quant, OUT, -128, 127)},                                                                     \
    {"slope.quant", LB_IN_C(lb_check_quant, SLOPE, -16384, 16383)},                                                             \
    {"in.per_tensor", LB_PER_TENSOR(IN)},                                                                  \
    {"out.per_tensor", LB_PER_TENSOR(OUT)},                                                                \
    {"slope.per_tensor", LB_PER_TENSOR(SLOPE)},                                                            \
    LB_UNARY_LAST

#define LEAKY_RELU                                                                                                     \
    LB_GIVEN_ROLE("slope", SLOPE),                                                                                     \
    {"in.tensor", LB_IN_C(lb_check_tensor, IN, 0, 0)},                                                                          \
    {"out.tensor", LB_IN_C(lb_check_tensor, OUT, 0, 0)},                                                                        \
    {"out.type_equals_in", LB_SAME_TYPE(OUT, IN, LB_TYPE_MISMATCH)},                                             \
    {"out.shape_equals_in", LB_SAME_SHAPE(IN, OUT)},                                                          \
    {"in.inner_stride", LB_INNER_STRIDE_1(IN)},                                                              \
    {"out.inner_stride", LB_INNER_STRIDE_1(OUT)},                                                            \
    {"slope.scalar", LB_IN_C(lb_check_scalar, SLOPE, 0, 0)}

#define PRELU                                                                                                          \
    LB_GIVEN_ROLE("slope", SLOPE),                                                                                     \
    {"in.tensor", LB_IN_C(lb_check_tensor, IN, 0, 0)},                                                                          \
    {"cfg.present", LB_CONFIG_PRESENT},                                                                         \
    {"cfg.axis_from_minus_1", LB_AXIS_FROM_MINUS_1},                                         \
    {"slope.tensor", LB_IN_C(check_slope, SLOPE, 0, 0)},                                                                        \
    {"out.tensor", LB_IN_C(lb_check_tensor, OUT, 0, 0)},                                                                        \
    {"out.type_equals_in", LB_SAME_TYPE(OUT, IN, LB_TYPE_MISMATCH)},                                             \
    {"out.shape_equals_in", LB_SAME_SHAPE(IN, OUT)},                                                          \
    {"cfg.axis", LB_AXIS_BELOW_RANK(IN)},                                                                                \
    {"in.inner_stride", LB_INNER_STRIDE_1(IN)},                                                              \
    {"out.inner_stride", LB_INNER_STRIDE_1(OUT)},                                                            \
    {"slope.layout", LB_IN_C(check_slope_layout, IN, SLOPE, 0)}
/* clang-format on */

const lb_rule lb_rules_leaky_relu_fx[] = {LEAKY_RELU, SLOPE_FX, LB_RULES_END};
const lb_rule lb_rules_leaky_relu_sa8[] = {LEAKY_RELU, SLOPE_SA8, LB_RULES_END};
/* Undefined: slopes that are not where they are read. */
#define SLOPES_READ                                                                                \
    {"slope.room", LB_IN_C(check_slope_room, IN, SLOPE, LB_UNDEFINED)},                            \
    {                                                                                              \
        "slope.dense", LB_IN_C(check_slope_dense, IN, SLOPE, LB_UNDEFINED)                         \
    }
const lb_rule lb_rules_prelu_fx[] = {PRELU, SLOPE_FX, SLOPES_READ, LB_RULES_END};
const lb_rule lb_rules_prelu_sa8[] = {PRELU, SLOPE_SA8, SLOPES_READ, LB_RULES_END};
