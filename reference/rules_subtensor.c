/* What create_subtensor and point_to_subtensor check, in their order. Spec: numerics.md 8.3, 8.4.
 */
#include "element_copy.h"
#include "models.h"
#include "rules.h"

enum { IN = LB_ROLE_IN, OUT = LB_ROLE_OUT };

static lb_status check_present(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    return lb_role_tensor(call, rule->a) != NULL ? LB_OK : LB_BAD_TENSOR;
}

/* fp32 and types without containers. QUIRK: functions of the host have changed out's data and
 * el_type by then; which values they hold is not laid down, so the model leaves them as they were.
 */
static lb_status check_supported(const lb_context *context, const lb_call *call,
                                 const lb_rule *rule)
{
    (void)context;
    const lb_tensor *t = lb_role_tensor(call, rule->a);
    if (t == NULL) {
        return LB_BAD_TENSOR;
    }
    return lb_is_fx(t->el_type) || lb_is_sa(t->el_type) ? LB_OK : LB_NOT_SUPPORTED;
}

/* Undefined: lists of a per-axis tensor that are not there. */
static lb_status check_lists(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    const lb_tensor *t = lb_role_tensor(call, rule->a);
    if (t == NULL) {
        return LB_BAD_TENSOR;
    }
    return !lb_is_per_axis(t) || lb_axis_lists_present(t) ? LB_OK : LB_BAD_TENSOR;
}

/* ---- create_subtensor ---- */

static lb_status check_sub_rank(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    const lb_tensor *in = lb_role_tensor(call, rule->a);
    if (in == NULL) {
        return LB_BAD_TENSOR;
    }
    return call->config.sub_tensor_rank <= in->rank ? LB_OK : LB_BAD_FUNC_CFG;
}

/* QUIRK: size 0 passes. */
static lb_status check_sub_window(const lb_context *context, const lb_call *call,
                                  const lb_rule *rule)
{
    (void)context;
    const lb_tensor *in = lb_role_tensor(call, rule->a);
    const lb_config *cfg = &call->config;
    if (in == NULL) {
        return LB_BAD_TENSOR;
    }
    for (uint32_t d = 0; d < in->rank && d < LB_MAX_RANK; d++) {
        bool inside =
            cfg->offset[d] < in->shape[d] && cfg->size[d] <= in->shape[d] - cfg->offset[d];
        if (!inside) {
            return LB_BAD_FUNC_CFG;
        }
    }
    return LB_OK;
}

const lb_rule lb_rules_create_subtensor[] = {
    {"in.tensor", lb_check_tensor, IN, 0, 0},
    {"out.present", check_present, OUT, 0, 0},
    {"cfg.present", lb_check_config, 0, 0, 0},
    {"cfg.sub_tensor_rank", check_sub_rank, IN, 0, 0},
    {"cfg.window", check_sub_window, IN, 0, 0},
    {"in.type", check_supported, IN, 0, 0},
    {"in.quant_lists", check_lists, IN, 0, LB_UNDEFINED},
    LB_RULES_END,
};

/* ---- point_to_subtensor ---- */

/* coord_num 0 is undefined: refused with the status of one that is too large. */
static lb_status check_coord_num(const lb_context *context, const lb_call *call,
                                 const lb_rule *rule)
{
    (void)context;
    const lb_tensor *in = lb_role_tensor(call, rule->a);
    uint32_t count = call->config.coord_num;
    if (in == NULL) {
        return LB_BAD_TENSOR;
    }
    return count >= 1 && count <= in->rank ? LB_OK : LB_BAD_FUNC_CFG;
}

static lb_status check_coordinates(const lb_context *context, const lb_call *call,
                                   const lb_rule *rule)
{
    (void)context;
    const lb_tensor *in = lb_role_tensor(call, rule->a);
    const lb_config *cfg = &call->config;
    if (in == NULL) {
        return LB_BAD_TENSOR;
    }
    uint32_t last = cfg->coord_num - 1u;
    for (uint32_t d = 0; d <= last && d < LB_MAX_RANK; d++) {
        if (cfg->start_coord[d] >= in->shape[d]) {
            return LB_BAD_FUNC_CFG;
        }
    }
    return cfg->first_out_dim_size <= in->shape[last] - cfg->start_coord[last] ? LB_OK
                                                                               : LB_BAD_FUNC_CFG;
}

/* QUIRK: only results of rank 1 pass, and the caller must have set their stride. */
static lb_status check_result(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    const lb_tensor *in = lb_role_tensor(call, rule->a);
    const lb_tensor *out = lb_role_tensor(call, rule->b);
    if (in == NULL || out == NULL) {
        return LB_BAD_TENSOR;
    }
    bool fits = call->config.coord_num == in->rank && out->mem_stride[0] == 1;
    return fits ? LB_OK : LB_INCOMPATIBLE_TENSORS;
}

const lb_rule lb_rules_point_to_subtensor[] = {
    {"in.tensor", lb_check_tensor, IN, 0, 0},
    {"out.present", check_present, OUT, 0, 0},
    {"cfg.present", lb_check_config, 0, 0, 0},
    {"cfg.coord_num", check_coord_num, IN, 0, 0},
    {"cfg.window", check_coordinates, IN, 0, 0},
    {"in.contiguous", lb_check_contiguous, IN, 0, 0},
    {"out.rank_and_stride", check_result, IN, OUT, 0},
    {"in.type", check_supported, IN, 0,
     0}, /* undefined for these: the model has nothing to point at */
    LB_RULES_END,
};
