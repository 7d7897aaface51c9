/* The getters, set_tensor_mem_strides and mov_cfg_for_*: they check nothing, so all rows here are
 * of what the API leaves undefined. Spec: numerics.md 8.1, 8.2; pooling_and_movement.md 5. */
#include "describe/element_copy.h"
#include "describe/rules.h"
#include "models.h"

enum { IN = LB_ROLE_IN };

/* The entry that is asked for stands in the lists, whatever shape[dim] is. */
static lb_status check_entry(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    const lb_tensor *t = lb_role_tensor(call, rule->a);
    bool is_scale = call->kernel->config_kind == LB_CONFIG_SCALE_IDX;
    uint64_t index = is_scale ? call->config.scale_idx : call->config.zero_idx;
    bool readable =
        !lb_is_per_axis(t) || (lb_axis_lists_present(t) && lb_axis_lists_hold(t, index + 1));
    return readable ? LB_OK : LB_BAD_TENSOR;
}

const lb_rule lb_rules_getter[] = {LB_GIVEN_ROLE("in", IN), LB_RULES_END};

const lb_rule lb_rules_getter_of_entry[] = {
    LB_GIVEN_ROLE("in", IN),
    LB_PARAMETERS,
    {"in.quant_entry", LB_IN_C(check_entry, IN, 0, LB_UNDEFINED)},
    LB_RULES_END,
};

const lb_rule lb_rules_compare[] = {
    LB_GIVEN_ROLE("in1", LB_ROLE_IN1),
    LB_GIVEN_ROLE("in2", LB_ROLE_IN2),
    LB_RULES_END,
};

/* clang-format off */
#define RANK_FROM_1 \
    LB_ASKS(LB_UNDEFINED, LB_THAT(LB_UNLIKE, LB_X(1, LB_OF_TENSOR(RANK, IN))), \
            LB_THAT(LB_AT_MOST, LB_X(1, LB_OF_TENSOR(RANK, IN)), LB_N(-LB_MAX_RANK)))
/* clang-format on */

const lb_rule lb_rules_set_strides[] = {
    LB_GIVEN_ROLE("in", IN),
    {"in.rank", RANK_FROM_1},
    LB_RULES_END,
};

const lb_rule lb_rules_mov_cfg[] = {
    {"cfg.given", LB_CONFIG_DEFINED},
    LB_RULES_END,
};
