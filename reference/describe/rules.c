/* Check functions on roles: they fetch the tensors of a call and apply one condition. Spec: see
 * rules.h. The conditions on tensors themselves stand in tensor_checks.c. */
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

/* Size of an LB_DIM. */
static uint32_t dim_size(const lb_tensor *t, int dim)
{
    return t->shape[dim % LB_MAX_RANK];
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

/* ---- Configuration ---- */

lb_status lb_check_config(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    (void)rule;
    return unless(!call->config_null, LB_BAD_FUNC_CFG);
}

lb_status lb_check_axis(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(t, rule->a);
    return unless(!call->config_null && call->config.axis < (int64_t)t->rank, LB_BAD_FUNC_CFG);
}

/* ---- Element types ---- */

lb_status lb_check_same_type(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(t, rule->a);
    LB_FETCH(u, rule->b);
    return unless(t->el_type == u->el_type, rule->c);
}

lb_status lb_check_type(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(t, rule->a);
    return unless(t->el_type == (uint32_t)rule->b, LB_TYPE_MISMATCH);
}

lb_status lb_check_variant_type(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(t, rule->a);
    return unless(t->el_type == lb_variant_type(call->kernel, (lb_role)rule->a), LB_TYPE_MISMATCH);
}

/* ---- Shapes ---- */

lb_status lb_check_same_shape(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(t, rule->a);
    LB_FETCH(u, rule->b);
    return unless(lb_has_same_shape(t, u), LB_SHAPE_MISMATCH);
}

lb_status lb_check_rank(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(t, rule->a);
    return unless(t->rank == (uint32_t)rule->b, LB_SHAPE_MISMATCH);
}

lb_status lb_check_dim(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(t, rule->a / LB_MAX_RANK);
    return unless(dim_size(t, rule->a) == (uint32_t)rule->b, rule->c);
}

lb_status lb_check_dims_equal(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(t, rule->a / LB_MAX_RANK);
    LB_FETCH(u, rule->b / LB_MAX_RANK);
    return unless(dim_size(t, rule->a) == dim_size(u, rule->b), LB_SHAPE_MISMATCH);
}

lb_status lb_check_count_is_dim(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(t, rule->a);
    LB_FETCH(u, rule->b / LB_MAX_RANK);
    return unless(lb_element_count(t) == dim_size(u, rule->b), LB_SHAPE_MISMATCH);
}

lb_status lb_check_kernel_size(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(t, rule->a);
    uint32_t size = (uint32_t)call->kernel->kernel_size;
    return unless(t->shape[0] == size && t->shape[1] == size, rule->c);
}

/* ---- Places in memory ---- */

lb_status lb_check_inner_stride(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(t, rule->a);
    return unless(lb_has_inner_stride_1(t), LB_INCOMPATIBLE_TENSORS);
}

lb_status lb_check_contiguous(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(t, rule->a);
    return unless(lb_is_contiguous(t), LB_INCOMPATIBLE_TENSORS);
}

lb_status lb_check_apart(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(t, rule->a);
    LB_FETCH(u, rule->b);
    return unless(lb_is_apart(&t->data, &u->data), LB_INCOMPATIBLE_TENSORS);
}

/* ---- Quantization ---- */

lb_status lb_check_per_tensor(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    FETCH_SET(t, rule->a);
    return unless(!lb_is_sa(t->el_type) || t->sa.dim < 0, LB_INCOMPATIBLE_TENSORS);
}

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

lb_status lb_check_frac_bits(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(in, rule->a);
    LB_FETCH(weights, rule->b);
    LB_FETCH(t, rule->c);
    /* The field is read whatever the type is: the out of an fx function may still be sa here
     * (conv.md 11, step C). */
    return unless(t->frac_bits <= in->frac_bits + weights->frac_bits, LB_INCOMPATIBLE_TENSORS);
}

lb_status lb_check_same_quant(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    FETCH_SET(t, rule->a);
    FETCH_SET(u, rule->b);
    return unless(lb_has_same_quant(t, u), rule->c);
}

/* ---- Guard of the models ---- */

lb_status lb_check_not_rank0(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(t, rule->a);
    return unless(t->rank != 0, LB_NOT_SUPPORTED);
}
