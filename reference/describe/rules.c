/* Check functions on roles in C: they fetch the tensors of a call and apply one condition. Spec:
 * see rules.h. The conditions on tensors themselves stand in tensor_checks.c; those that are data
 * are asked in describe/check.c. */
#include "rules.h"

#include "core/scale.h"

/* As LB_FETCH, where sa parameters are read that nobody may have set. */
#define FETCH_SET(tensor, role)                                                                    \
    LB_FETCH(tensor, role);                                                                        \
    if (lb_is_sa((tensor)->el_type) && !lb_has_own_parameters(tensor)) {                           \
        return lb_unsaid_status(LB_UNSAID_PARAMETERS);                                             \
    }

static lb_status unless(bool condition, int status)
{
    return condition ? LB_OK : (lb_status)status;
}

const lb_tensor *lb_role_tensor(const lb_call *call, int role)
{
    return call->tensor[role];
}

/* ---- Tensors ---- */

lb_status lb_check_tensor(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(t, rule->a);
    return lb_chk(t);
}

lb_status lb_check_scalar(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(t, rule->a);
    if (t->rank == 0)
        return lb_chkq(t, INT16_MIN, INT16_MAX);
    lb_status status = lb_chk(t);
    return status != LB_OK ? status : unless(lb_element_count(t) == 1, LB_SHAPE_MISMATCH);
}

lb_status lb_check_operand(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(t, rule->a);
    return lb_is_scalar(t) ? lb_check_scalar(context, call, rule) : lb_chk(t);
}

lb_status lb_check_quant(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(t, rule->a);
    return lb_chkq(t, rule->b, rule->c);
}

/* ---- Places in memory ---- */

lb_status lb_check_apart(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(t, rule->a);
    LB_FETCH(u, rule->b);
    return unless(lb_is_apart(&t->data, &u->data), LB_INCOMPATIBLE_TENSORS);
}

/* ---- Quantization ---- */

lb_status lb_check_channel_axes(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    FETCH_SET(weights, rule->a);
    FETCH_SET(bias, rule->b);
    bool both_per_tensor = weights->sa.dim < 0 && bias->sa.dim < 0;
    bool both_per_channel = weights->sa.dim == rule->c && bias->sa.dim == 0;
    return unless(both_per_tensor || both_per_channel, LB_INCOMPATIBLE_TENSORS);
}

lb_status lb_check_bias_scale(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    FETCH_SET(in, rule->a);
    FETCH_SET(weights, rule->b);
    FETCH_SET(bias, rule->c);
    bool per_tensor = weights->sa.dim < 0;
    if (weights->sa.dim >= LB_MAX_RANK || bias->sa.dim >= LB_MAX_RANK)
        return LB_INCOMPATIBLE_TENSORS; /* the rules before this one refuse it */
    uint32_t count = per_tensor ? 1 : weights->shape[weights->sa.dim];
    if (per_tensor != (bias->sa.dim < 0) || (!per_tensor && bias->shape[bias->sa.dim] < count)) {
        return LB_INCOMPATIBLE_TENSORS; /* entries would have no partner; the lists ask for this
                                           before they come here */
    }
    lb_quant in_quant = lb_quant_at(in, 0);
    for (uint32_t j = 0; j < count; j++)
        if (!lb_bias_scale_fits(context->profile->rounding, in_quant, lb_quant_at(weights, j),
                                lb_quant_at(bias, j)))
            return LB_INCOMPATIBLE_TENSORS;
    return LB_OK;
}

lb_status lb_check_same_quant(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    FETCH_SET(t, rule->a);
    FETCH_SET(u, rule->b);
    return unless(lb_has_same_quant(t, u), rule->c);
}
