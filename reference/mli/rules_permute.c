/* What permute checks, in its order. Spec: pooling_and_movement.md 3 (numbers in brackets below).
 * The last rows of each list stand for what the spec leaves undefined. */
#include "describe/element_copy.h"
#include "describe/rules.h"
#include "models.h"

enum { IN = LB_ROLE_IN, OUT = LB_ROLE_OUT };

/* Entry k of the permutation, and the output dimension that it makes. */
static lb_status check_dimension(const lb_call *call, const lb_tensor *in, const lb_tensor *out,
                                 uint32_t k)
{
    const uint8_t *perm_dim = call->config.perm_dim;
    if (perm_dim[k] >= in->rank)
        return LB_BAD_FUNC_CFG;
    for (uint32_t later = k + 1; later < in->rank; later++)
        if (perm_dim[k] == perm_dim[later])
            return LB_BAD_FUNC_CFG;
    return out->shape[k] == in->shape[perm_dim[k]] ? LB_OK : LB_SHAPE_MISMATCH;
}

/* [4] Dimension by dimension, so that a wrong shape at 0 wins over a bad entry at 1. */
static lb_status check_permutation(const lb_context *context, const lb_call *call,
                                   const lb_rule *rule)
{
    LB_FETCH(in, rule->a);
    LB_FETCH(out, rule->b);
    for (uint32_t k = 0; k < in->rank && k < LB_MAX_RANK; k++) {
        lb_status status = check_dimension(call, in, out, k);
        if (status != LB_OK)
            return status;
    }
    return LB_OK;
}

/* Undefined: numbers where pointers to lists are read. */
static lb_status check_pointers(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    const lb_tensor *in = lb_role_tensor(call, rule->a);
    const lb_tensor *out = lb_role_tensor(call, rule->b);
    return !lb_is_per_axis(in) || lb_axis_lists_are_pointers(out) ? LB_OK : LB_BAD_TENSOR;
}

/* [7] */
static lb_status check_lists(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(in, rule->a);
    LB_FETCH(out, rule->b);
    if (!lb_is_per_axis(in))
        return LB_OK;
    switch (lb_axis_lists_of(out, in)) {
    case LB_LISTS_MIXED:
        return LB_SPEC_PARAM_MISMATCH;
    case LB_LISTS_OWN:
        return lb_axis_lists_hold(out, in->shape[in->sa.dim]) ? LB_OK : LB_SPEC_PARAM_MISMATCH;
    default:
        return LB_OK;
    }
}

/* Undefined: lists to be copied from that are not there. */
static lb_status check_source_lists(const lb_context *context, const lb_call *call,
                                    const lb_rule *rule)
{
    LB_FETCH(in, rule->a);
    LB_FETCH(out, rule->b);
    if (!lb_is_per_axis(in) || lb_axis_lists_of(out, in) != LB_LISTS_OWN)
        return LB_OK;
    if (in->sa.dim >= LB_MAX_RANK)
        return LB_BAD_TENSOR;
    bool readable = lb_axis_lists_present(in) && lb_axis_lists_hold(in, in->shape[in->sa.dim]);
    return readable ? LB_OK : LB_BAD_TENSOR;
}

/* Undefined: lists that are copied onto others of in. */
static lb_status check_lists_apart(const lb_context *context, const lb_call *call,
                                   const lb_rule *rule)
{
    (void)context;
    const lb_tensor *in = lb_role_tensor(call, rule->a);
    const lb_tensor *out = lb_role_tensor(call, rule->b);
    bool copied = lb_is_per_axis(in) && lb_axis_lists_of(out, in) == LB_LISTS_OWN;
    return !copied || lb_axis_lists_apart(out, in) ? LB_OK : LB_BAD_TENSOR;
}

/* QUIRK: out's rank is never compared with in's. Where it is smaller, the tensor check has not seen
 * all dimensions that will be written: elements beyond the buffer would be undefined. */
static lb_status check_room(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(in, rule->a);
    LB_FETCH(out, rule->b);
    lb_tensor written = *out;
    written.rank = in->rank;
    return lb_chk(&written);
}

/* clang-format off */
/* Undefined: an axis that in does not have. */
#define AXIS_IS_THERE LB_ASKS(LB_UNDEFINED, LB_THAT(LB_AT_MOST, LB_X(1, LB_OF_TENSOR(AXIS, IN)), LB_N(1), LB_X(-1, LB_OF_TENSOR(RANK, IN))))
/* clang-format on */

/* [1] to [6] */
#define COMMON                                                                                     \
    {"in.tensor", LB_IN_C(lb_check_tensor, IN, 0, 0)},                                             \
        {"out.tensor", LB_IN_C(lb_check_tensor, OUT, 0, 0)},                                       \
        {"out.type_equals_in", LB_SAME_TYPE(OUT, IN, LB_TYPE_MISMATCH)},                           \
        {"cfg.present", LB_CONFIG_PRESENT},                                                        \
        {"cfg.permutation", LB_IN_C(check_permutation, IN, OUT, 0)}, LB_APART,                     \
    {                                                                                              \
        "in.type", LB_TYPE_OF_VARIANT(IN)                                                          \
    }

#define GUARDS                                                                                     \
    {"in.rank", LB_RANK_NOT_0(IN)},                                                                \
    {                                                                                              \
        "out.room", LB_IN_C(check_room, IN, OUT, LB_UNDEFINED)                                     \
    }

const lb_rule lb_rules_permute_fx[] = {COMMON, LB_PARAMETERS, GUARDS, LB_RULES_END};

const lb_rule lb_rules_permute_sa8[] = {
    COMMON,
    LB_PARAMETERS,
    {"in.axis", AXIS_IS_THERE},
    {"out.quant_lists", LB_IN_C(check_lists, IN, OUT, 0)},
    {"out.quant_pointers", LB_IN_C(check_pointers, IN, OUT, LB_UNDEFINED)},
    {"in.quant_lists", LB_IN_C(check_source_lists, IN, OUT, LB_UNDEFINED)},
    {"out.quant_lists_apart", LB_IN_C(check_lists_apart, IN, OUT, LB_UNDEFINED)},
    GUARDS,
    LB_RULES_END,
};
