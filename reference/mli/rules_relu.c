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
    {"in.tensor", lb_check_tensor, IN, 0, 0},
    {"cfg.present", lb_check_config, 0, 0, 0},
    {"out.tensor", lb_check_tensor, OUT, 0, 0},
    {"out.type_equals_in", lb_check_same_type, OUT, IN, LB_TYPE_MISMATCH},
    {"out.shape_equals_in", lb_check_same_shape, IN, OUT, 0},
    {"in.inner_stride", lb_check_inner_stride, IN, 0, 0},
    {"out.inner_stride", lb_check_inner_stride, OUT, 0, 0},
    {"in.type", lb_check_variant_type, IN, 0, 0},
    LAST,
};

const lb_rule lb_rules_relu_sa8[] = {
    {"in.tensor", lb_check_tensor, IN, 0, 0},
    {"cfg.present", lb_check_config, 0, 0, 0},
    {"out.tensor", lb_check_tensor, OUT, 0, 0},
    {"out.type_equals_in", lb_check_same_type, OUT, IN, LB_TYPE_MISMATCH},
    {"out.shape_equals_in", lb_check_same_shape, IN, OUT, 0},
    {"in.inner_stride", lb_check_inner_stride, IN, 0, 0},
    {"out.inner_stride", lb_check_inner_stride, OUT, 0, 0},
    {"in.type", lb_check_variant_type, IN, 0, 0},
    {"in.quant", lb_check_quant, IN, -128, 127},
    {"in.per_tensor", lb_check_per_tensor, IN, 0, 0},
    LAST,
};

/* clang-format off */
/* From slope.T on: common to leaky_relu and prelu. */
#define SLOPE_FX                                                                                                       \
    {"slope.type_equals_in", lb_check_same_type, SLOPE, IN, LB_TYPE_MISMATCH},                                         \
    {"in.type", lb_check_variant_type, IN, 0, 0},                                                                      \
    {"out.frac_bits_equal_in", lb_check_same_quant, OUT, IN, LB_SPEC_PARAM_MISMATCH},                                  \
    LB_UNARY_LAST

#define SLOPE_SA8                                                                                                      \
    {"slope.type_equals_in", lb_check_same_type, SLOPE, IN, LB_TYPE_MISMATCH},                                         \
    {"in.type", lb_check_variant_type, IN, 0, 0},                                                                      \
    {"in.quant", lb_check_quant, IN, -128, 127},                                                                       \
    {"out.quant", lb_check_quant, OUT, -128, 127},                                                                     \
    {"slope.quant", lb_check_quant, SLOPE, -16384, 16383},                                                             \
    {"in.per_tensor", lb_check_per_tensor, IN, 0, 0},                                                                  \
    {"out.per_tensor", lb_check_per_tensor, OUT, 0, 0},                                                                \
    {"slope.per_tensor", lb_check_per_tensor, SLOPE, 0, 0},                                                            \
    LB_UNARY_LAST

#define LEAKY_RELU                                                                                                     \
    LB_GIVEN_ROLE("slope", SLOPE),                                                                                     \
    {"in.tensor", lb_check_tensor, IN, 0, 0},                                                                          \
    {"out.tensor", lb_check_tensor, OUT, 0, 0},                                                                        \
    {"out.type_equals_in", lb_check_same_type, OUT, IN, LB_TYPE_MISMATCH},                                             \
    {"out.shape_equals_in", lb_check_same_shape, IN, OUT, 0},                                                          \
    {"in.inner_stride", lb_check_inner_stride, IN, 0, 0},                                                              \
    {"out.inner_stride", lb_check_inner_stride, OUT, 0, 0},                                                            \
    {"slope.scalar", lb_check_scalar, SLOPE, 0, 0}

#define PRELU                                                                                                          \
    LB_GIVEN_ROLE("slope", SLOPE),                                                                                     \
    {"in.tensor", lb_check_tensor, IN, 0, 0},                                                                          \
    {"cfg.present", lb_check_config, 0, 0, 0},                                                                         \
    {"cfg.axis_from_minus_1", lb_check_axis_from_minus_1, 0, 0, LB_UNDEFINED},                                         \
    {"slope.tensor", check_slope, SLOPE, 0, 0},                                                                        \
    {"out.tensor", lb_check_tensor, OUT, 0, 0},                                                                        \
    {"out.type_equals_in", lb_check_same_type, OUT, IN, LB_TYPE_MISMATCH},                                             \
    {"out.shape_equals_in", lb_check_same_shape, IN, OUT, 0},                                                          \
    {"cfg.axis", lb_check_axis, IN, 0, 0},                                                                                \
    {"in.inner_stride", lb_check_inner_stride, IN, 0, 0},                                                              \
    {"out.inner_stride", lb_check_inner_stride, OUT, 0, 0},                                                            \
    {"slope.layout", check_slope_layout, IN, SLOPE, 0}
/* clang-format on */

const lb_rule lb_rules_leaky_relu_fx[] = {LEAKY_RELU, SLOPE_FX, LB_RULES_END};
const lb_rule lb_rules_leaky_relu_sa8[] = {LEAKY_RELU, SLOPE_SA8, LB_RULES_END};
/* Undefined: slopes that are not where they are read. */
#define SLOPES_READ                                                                                \
    {"slope.room", check_slope_room, IN, SLOPE, LB_UNDEFINED},                                     \
    {                                                                                              \
        "slope.dense", check_slope_dense, IN, SLOPE, LB_UNDEFINED                                  \
    }
const lb_rule lb_rules_prelu_fx[] = {PRELU, SLOPE_FX, SLOPES_READ, LB_RULES_END};
const lb_rule lb_rules_prelu_sa8[] = {PRELU, SLOPE_SA8, SLOPES_READ, LB_RULES_END};
