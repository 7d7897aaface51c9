/* What create_subtensor and point_to_subtensor check, in their order. Spec: numerics.md 8.3, 8.4.
 */
#include "describe/element_copy.h"
#include "describe/rules.h"
#include "models.h"

enum { IN = LB_ROLE_IN, OUT = LB_ROLE_OUT };

static lb_status check_present(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    return lb_role_tensor(call, rule->a) ? LB_OK : LB_BAD_TENSOR;
}

/* fp32 and types without containers. QUIRK: functions of the host have changed out's data and
 * el_type by then; which values they hold is not laid down, so the model leaves them as they were.
 */
static lb_status check_supported(const lb_context *context, const lb_call *call,
                                 const lb_rule *rule)
{
    LB_FETCH(t, rule->a);
    return lb_is_fx(t->el_type) || lb_is_sa(t->el_type) ? LB_OK : LB_NOT_SUPPORTED;
}

/* Undefined: lists of a per-axis tensor that are not there. */
static lb_status check_lists(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(t, rule->a);
    bool there = !lb_is_per_axis(t) || (t->sa.dim < (int64_t)t->rank && lb_axis_lists_present(t) &&
                                        lb_axis_lists_hold(t, t->shape[t->sa.dim]));
    return there ? LB_OK : LB_BAD_TENSOR;
}

/* ---- create_subtensor ---- */

static lb_status check_sub_rank(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(in, rule->a);
    return call->config.sub_tensor_rank <= in->rank ? LB_OK : LB_BAD_FUNC_CFG;
}

/* QUIRK: size 0 passes. */
static lb_status check_sub_window(const lb_context *context, const lb_call *call,
                                  const lb_rule *rule)
{
    (void)context;
    const lb_tensor *in = lb_role_tensor(call, rule->a);
    const lb_config *cfg = &call->config;
    if (!in)
        return LB_BAD_TENSOR;
    for (uint32_t d = 0; d < in->rank && d < LB_MAX_RANK; d++) {
        bool inside =
            cfg->offset[d] < in->shape[d] && cfg->size[d] <= in->shape[d] - cfg->offset[d];
        if (!inside)
            return LB_BAD_FUNC_CFG;
    }
    return LB_OK;
}

/* Undefined: the quantized dimension is dropped or cut off, and leaves parameters behind that
 * nobody can use. */
static lb_status check_axis_stays(const lb_context *context, const lb_call *call,
                                  const lb_rule *rule)
{
    (void)context;
    const lb_tensor *in = lb_role_tensor(call, rule->a);
    uint32_t sub_rank = call->config.sub_tensor_rank;
    uint32_t skip = in->rank - sub_rank;
    uint32_t kept = 0;
    bool stays = !lb_is_per_axis(in);
    for (uint32_t d = 0; d < in->rank && !stays; d++) {
        bool drops = skip > 0 && call->config.size[d] == 1;
        if (in->sa.dim == (int64_t)d) {
            stays = !drops && kept < sub_rank;
            break;
        }
        skip -= drops;
        kept += !drops;
    }
    return stays ? LB_OK : LB_BAD_TENSOR;
}

const lb_rule lb_rules_create_subtensor[] = {
    {"in.tensor", lb_check_tensor, IN, 0, 0},
    {"in.rank", lb_check_not_rank0, IN, 0, LB_UNDEFINED},
    {"out.present", check_present, OUT, 0, 0},
    {"cfg.present", lb_check_config, 0, 0, 0},
    {"cfg.sub_tensor_rank", check_sub_rank, IN, 0, 0},
    {"cfg.window", check_sub_window, IN, 0, 0},
    {"in.type", check_supported, IN, 0, 0},
    LB_PARAMETERS,
    {"in.quant_lists", check_lists, IN, 0, LB_UNDEFINED},
    {"in.axis_stays", check_axis_stays, IN, 0, LB_UNDEFINED},
    LB_RULES_END,
};

/* ---- point_to_subtensor ---- */

/* Undefined: no coordinate, or no size. */
static lb_status check_sizes_said(const lb_context *context, const lb_call *call,
                                  const lb_rule *rule)
{
    (void)context;
    (void)rule;
    const lb_config *cfg = &call->config;
    return cfg->coord_num > 0 && cfg->first_out_dim_size > 0 ? LB_OK : LB_BAD_FUNC_CFG;
}

static lb_status check_coord_num(const lb_context *context, const lb_call *call,
                                 const lb_rule *rule)
{
    (void)context;
    const lb_tensor *in = lb_role_tensor(call, rule->a);
    uint32_t count = call->config.coord_num;
    if (!in)
        return LB_BAD_TENSOR;
    return count <= in->rank ? LB_OK : LB_BAD_FUNC_CFG;
}

static lb_status check_coordinates(const lb_context *context, const lb_call *call,
                                   const lb_rule *rule)
{
    (void)context;
    const lb_tensor *in = lb_role_tensor(call, rule->a);
    const lb_config *cfg = &call->config;
    if (!in)
        return LB_BAD_TENSOR;
    uint32_t last = cfg->coord_num - 1u;
    for (uint32_t d = 0; d <= last && d < LB_MAX_RANK; d++)
        if (cfg->start_coord[d] >= in->shape[d])
            return LB_BAD_FUNC_CFG;
    return cfg->first_out_dim_size <= in->shape[last] - cfg->start_coord[last] ? LB_OK
                                                                               : LB_BAD_FUNC_CFG;
}

/* QUIRK: only results of rank 1 pass, and the caller must have set their stride. */
static lb_status check_result(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    LB_FETCH(in, rule->a);
    LB_FETCH(out, rule->b);
    bool fits = call->config.coord_num == in->rank && out->mem_stride[0] == 1;
    return fits ? LB_OK : LB_INCOMPATIBLE_TENSORS;
}

const lb_rule lb_rules_point_to_subtensor[] = {
    {"in.tensor", lb_check_tensor, IN, 0, 0},
    {"in.rank", lb_check_not_rank0, IN, 0, LB_UNDEFINED},
    {"out.present", check_present, OUT, 0, 0},
    {"cfg.present", lb_check_config, 0, 0, 0},
    {"cfg.sizes", check_sizes_said, 0, 0, LB_UNDEFINED},
    {"in.type", check_supported, IN, 0, LB_UNDEFINED}, /* the pointer itself would be changed */
    {"cfg.coord_num", check_coord_num, IN, 0, 0},
    {"cfg.window", check_coordinates, IN, 0, 0},
    {"in.contiguous", lb_check_contiguous, IN, 0, 0},
    {"out.rank_and_stride", check_result, IN, OUT, 0},
    LB_PARAMETERS,
    {"in.quant_lists", check_lists, IN, 0, LB_UNDEFINED},
    LB_RULES_END,
};
