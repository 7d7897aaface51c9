/* What create_subtensor and point_to_subtensor check, in their order. Spec: numerics.md 8.3, 8.4.
 */
#include "describe/element_copy.h"
#include "describe/rules.h"
#include "models.h"

enum { IN = LB_ROLE_IN, OUT = LB_ROLE_OUT };

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

/* clang-format off */
#define SUB_RANK \
    LB_ASKS(LB_BAD_FUNC_CFG, LB_THAT(LB_AT_MOST, LB_X(1, LB_FIELD(sub_tensor_rank, LB_FIELD_U32)), LB_X(-1, LB_OF_TENSOR(RANK, IN))))
/* QUIRK: size 0 passes. */
#define SUB_WINDOW \
    LB_ASKS(LB_BAD_FUNC_CFG, \
            LB_THAT_EACH(IN, LB_AT_MOST, LB_X(1, LB_EACH_FIELD(offset, LB_FIELD_U32)), LB_N(1), LB_X(-1, LB_EXTENT_BY(EACH, IN))), \
            LB_THAT_EACH(IN, LB_AT_MOST, LB_X(1, LB_EACH_FIELD(offset, LB_FIELD_U32)), LB_X(1, LB_EACH_FIELD(size, LB_FIELD_U32)), \
                         LB_X(-1, LB_EXTENT_BY(EACH, IN))))
/* clang-format on */

const lb_rule lb_rules_create_subtensor[] = {
    {"in.tensor", LB_IN_C(lb_check_tensor, IN, 0, 0)},
    {"in.rank", LB_RANK_NOT_0(IN)},
    {"out.present", LB_PRESENT(OUT, LB_BAD_TENSOR)},
    {"cfg.present", LB_CONFIG_PRESENT},
    {"cfg.sub_tensor_rank", SUB_RANK},
    {"cfg.window", SUB_WINDOW},
    {"in.type", LB_IN_C(check_supported, IN, 0, 0)},
    LB_PARAMETERS,
    {"in.quant_lists", LB_IN_C(check_lists, IN, 0, LB_UNDEFINED)},
    {"in.axis_stays", LB_IN_C(check_axis_stays, IN, 0, LB_UNDEFINED)},
    LB_RULES_END,
};

/* ---- point_to_subtensor ---- */

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
    /* Where the check of their number is not made, there may be more than a tensor can have. */
    return last < LB_MAX_RANK && cfg->first_out_dim_size <= in->shape[last] - cfg->start_coord[last]
               ? LB_OK
               : LB_BAD_FUNC_CFG;
}

/* clang-format off */
#define COORD_COUNT LB_FIELD(coord_num, LB_FIELD_U8)
/* Undefined: no coordinate, or no size. */
#define SIZES_SAID \
    LB_ASKS(LB_UNDEFINED, LB_THAT(LB_UNLIKE, LB_X(1, COORD_COUNT)), \
            LB_THAT(LB_UNLIKE, LB_X(1, LB_FIELD(first_out_dim_size, LB_FIELD_U8))))
#define COORD_NUM LB_ASKS(LB_BAD_FUNC_CFG, LB_THAT(LB_AT_MOST, LB_X(1, COORD_COUNT), LB_X(-1, LB_OF_TENSOR(RANK, IN))))
/* QUIRK: only results of rank 1 pass, and the caller must have set their stride. */
#define RESULT \
    LB_ASKS(LB_INCOMPATIBLE_TENSORS, LB_THAT(LB_EQUAL, LB_X(1, COORD_COUNT), LB_X(-1, LB_OF_TENSOR(RANK, IN))), \
            LB_THAT(LB_EQUAL, LB_X(1, LB_STRIDE_OF(OUT, 0)), LB_N(-1)))
/* clang-format on */

const lb_rule lb_rules_point_to_subtensor[] = {
    {"in.tensor", LB_IN_C(lb_check_tensor, IN, 0, 0)},
    {"in.rank", LB_RANK_NOT_0(IN)},
    {"out.present", LB_PRESENT(OUT, LB_BAD_TENSOR)},
    {"cfg.present", LB_CONFIG_PRESENT},
    {"cfg.sizes", SIZES_SAID},
    {"in.type",
     LB_IN_C(check_supported, IN, 0, LB_UNDEFINED)}, /* the pointer itself would be changed */
    {"cfg.coord_num", COORD_NUM},
    {"cfg.window", LB_IN_C(check_coordinates, IN, 0, 0)},
    {"in.contiguous", LB_DENSE(IN)},
    {"out.rank_and_stride", RESULT},
    LB_PARAMETERS,
    {"in.quant_lists", LB_IN_C(check_lists, IN, 0, LB_UNDEFINED)},
    LB_RULES_END,
};
