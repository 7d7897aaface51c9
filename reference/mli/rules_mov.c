/* What movement checks before it writes fields, in order. Spec: pooling_and_movement.md 4.1 (steps
 * in brackets), 4.4. The check of dst with its new fields, step 6, is part of the model
 * (exact_mov.c): what it refuses stays written. */
#include "describe/element_copy.h"
#include "describe/rules.h"
#include "models.h"
#include "mov_plan.h"

enum { IN = LB_ROLE_IN, OUT = LB_ROLE_OUT };

/* perm_dim[0 .. rank-1] has each of 0 .. rank-1 once. */
static bool is_permutation(const uint8_t *perm_dim, uint32_t rank)
{
    unsigned seen = 0;
    for (uint32_t i = 0; i < rank; i++) {
        if (perm_dim[i] >= rank || (seen >> perm_dim[i] & 1) != 0)
            return false;
        seen |= 1u << perm_dim[i];
    }
    return true;
}

/* Undefined: rank 0, types without containers, an axis below -1. */
static lb_status check_movable(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(src, rule->a);
    bool movable = src->rank != 0 && lb_element_bytes(src->el_type) != 0 &&
                   !(lb_is_sa(src->el_type) && src->sa.dim < -1);
    return movable ? LB_OK : LB_NOT_SUPPORTED;
}

/* [3] QUIRK: of a per-axis source only. */
static lb_status check_per_axis_config(const lb_context *context, const lb_call *call,
                                       const lb_rule *rule)
{
    (void)context;
    const lb_tensor *src = lb_role_tensor(call, rule->a);
    const lb_config *cfg = &call->config;
    if (!src)
        return LB_BAD_TENSOR;
    for (uint32_t d = 0; lb_is_per_axis(src) && d < src->rank && d < LB_MAX_RANK; d++) {
        int64_t extent = (int64_t)src->shape[d] + cfg->padding_pre[d] + cfg->padding_post[d];
        if ((int64_t)cfg->offset[d] + cfg->size[d] > extent || cfg->sub_sample_step[d] == 0 ||
            cfg->perm_dim[d] >= src->rank)
            return LB_BAD_FUNC_CFG;
    }
    return LB_OK;
}

/* Do all coordinates along a dimension lie inside the source? */
static bool stays_inside(const lb_tensor *src, const lb_mov_dim *dim)
{
    return dim->count == 0 || lb_mov_coordinate(dim, dim->count - 1) < src->shape[dim->source];
}

/* Undefined for every source: a step of 0, perm_dim that is no permutation, an offset beyond an
 * extent whose rest is asked for, sizes past 32 bits; without any padding, coordinates outside the
 * source. A library may divide by zero, read what is not its own, or never stop there. */
static lb_status check_config_is_defined(const lb_context *context, const lb_call *call,
                                         const lb_rule *rule)
{
    (void)context;
    const lb_tensor *src = lb_role_tensor(call, rule->a);
    const lb_config *cfg = &call->config;
    bool padded = false;
    bool inside = true;
    if (!is_permutation(cfg->perm_dim, src->rank))
        return LB_BAD_FUNC_CFG;
    for (uint32_t i = 0; i < src->rank; i++) {
        lb_mov_dim dim = lb_mov_dim_of(src, cfg, i);
        if (cfg->sub_sample_step[dim.source] == 0 || dim.count < 0 ||
            dim.count + dim.dst_skip > UINT32_MAX)
            return LB_BAD_FUNC_CFG;
        padded = padded || cfg->padding_pre[i] != 0 || cfg->padding_post[i] != 0;
        inside = inside && stays_inside(src, &dim);
    }
    return padded || inside ? LB_OK : LB_BAD_FUNC_CFG;
}

/* Undefined: an axis that src does not have, lists that are not there, or that are moved onto each
 * other. */
static lb_status check_axis(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(src, rule->a);
    LB_FETCH(dst, rule->b);
    if (!lb_is_per_axis(src))
        return LB_OK;
    bool copied = lb_axis_lists_of(dst, src) == LB_LISTS_OWN;
    bool there = src->sa.dim < (int64_t)src->rank;
    bool readable = there && lb_axis_lists_present(src) &&
                    lb_axis_lists_hold(src, src->shape[src->sa.dim]) &&
                    lb_axis_lists_apart(src, dst);
    return there && (!copied || readable) ? LB_OK : LB_BAD_TENSOR;
}

/* The lists of src may be shared: its axis is moved whole and to the start. */
static bool axis_is_untouched(const lb_tensor *src, const lb_config *cfg, uint32_t axis,
                              uint32_t destination)
{
    return (cfg->size[axis] == 0 || cfg->size[axis] == src->shape[axis]) &&
           cfg->offset[axis] == 0 && cfg->padding_pre[axis] == 0 && cfg->padding_post[axis] == 0 &&
           cfg->sub_sample_step[axis] == 1 && cfg->dst_offset[destination] == 0;
}

/* [3], 4.4 */
static lb_status check_lists(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(src, rule->a);
    LB_FETCH(dst, rule->b);
    if (!lb_is_per_axis(src))
        return LB_OK;
    uint32_t axis = (uint32_t)src->sa.dim;
    uint32_t destination = lb_mov_destination_of(&call->config, src->rank, axis);
    lb_mov_dim dim = lb_mov_dim_of(src, &call->config, destination);
    bool fits = false;
    switch (lb_axis_lists_of(dst, src)) {
    case LB_LISTS_NULL:
    case LB_LISTS_SAME:
        fits = axis_is_untouched(src, &call->config, axis, destination);
        break;
    case LB_LISTS_OWN:
        fits = lb_axis_lists_hold(dst, (uint64_t)(dim.count + dim.dst_skip));
        break;
    default:
        break;
    }
    return fits ? LB_OK : LB_SPEC_PARAM_MISMATCH;
}

/* Undefined: numbers where pointers to lists are read. */
static lb_status check_pointers(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    const lb_tensor *src = lb_role_tensor(call, rule->a);
    const lb_tensor *dst = lb_role_tensor(call, rule->b);
    return !lb_is_per_axis(src) || lb_axis_lists_are_pointers(dst) ? LB_OK : LB_BAD_TENSOR;
}

/* Undefined: sums past 32 bits, which a function in unsigned numbers takes for small ones: offset +
 * size + 1 <= 2^32, which is 2^14 * 2^14 * 2^4. */
/* clang-format off */
#define WIDTH \
    LB_ASKS(LB_UNDEFINED, \
            LB_THAT_EACH(IN, LB_AT_MOST, LB_X(1, LB_EACH_FIELD(offset, LB_FIELD_U32)), LB_X(1, LB_EACH_FIELD(size, LB_FIELD_U32)), \
                         LB_N(1), LB_XY(-(1 << 14), LB_NUMBER_OF(1 << 14), LB_NUMBER_OF(1 << 4))))
/* clang-format on */

/* Rows about what is undefined stand where they keep later checks from computing with it. */
const lb_rule lb_rules_mov[] = {
    LB_GIVEN_ROLE("out", OUT),
    {"in.tensor", LB_IN_C(lb_check_tensor, IN, 0, 0)}, /* [1] */
    {"cfg.present", LB_CONFIG_PRESENT},                /* [2] */
    {"in.movable", LB_IN_C(check_movable, IN, 0, LB_UNDEFINED)},
    LB_PARAMETERS,
    {"cfg.width", WIDTH},
    {"cfg.per_axis_source", LB_IN_C(check_per_axis_config, IN, 0, 0)}, /* [3] */
    {"cfg.defined", LB_IN_C(check_config_is_defined, IN, 0, LB_UNDEFINED)},
    {"in.axis", LB_IN_C(check_axis, IN, OUT, LB_UNDEFINED)},
    {"out.quant_lists", LB_IN_C(check_lists, IN, OUT, 0)}, /* [3] */
    {"out.quant_pointers", LB_IN_C(check_pointers, IN, OUT, LB_UNDEFINED)},
    LB_APART, /* [4] */
    LB_RULES_END,
};
