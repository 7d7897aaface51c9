/* Coverpoints of statuses: every rule of every function violated first, with each status that it
 * can give, and the call that passes all. The rules are data (rules_*.c), so are the points. Spec:
 * numerics.md 9 and the tables that it names. */
#include "harness/coverage/class.h"
#include "harness/port/provided.h"
#include "reference/describe/rules.h"

#include <string.h>

static const char *const ok_points[] = {"ok", NULL};
static const char *const one_point[] = {"", NULL};

/* Checks of which one row can give several statuses; of all others the rule's name is the point. */
typedef struct manifold {
    lb_status (*check)(const lb_context *context, const lb_call *call, const lb_rule *rule);
    const char *const *points;
    lb_status statuses[3];
} manifold;

static const char *const tensor_points[] = {"bad_tensor", "not_enough_mem", NULL};
static const char *const scalar_points[] = {"bad_tensor", "not_enough_mem", "shape_mismatch", NULL};
static const char *const quant_points[] = {"bad_tensor", "incompatible_tensors", NULL};

static const manifold manifolds[] = {
    {lb_check_tensor, tensor_points, {LB_BAD_TENSOR, LB_NOT_ENOUGH_MEM}},
    {lb_check_operand, tensor_points, {LB_BAD_TENSOR, LB_NOT_ENOUGH_MEM}},
    {lb_check_scalar, scalar_points, {LB_BAD_TENSOR, LB_NOT_ENOUGH_MEM, LB_SHAPE_MISMATCH}},
    {lb_check_quant, quant_points, {LB_BAD_TENSOR, LB_INCOMPATIBLE_TENSORS}},
};

static const manifold *manifold_of(const lb_rule *rule)
{
    for (size_t i = 0; i < sizeof manifolds / sizeof manifolds[0]; i++)
        if (manifolds[i].check == rule->check)
            return &manifolds[i];
    return NULL;
}

static uint64_t observe_ok(const lb_observation *o, const lb_cover_group *group)
{
    (void)o;
    (void)group;
    return 1;
}

static uint64_t observe_rule(const lb_observation *o, const lb_cover_group *group)
{
    const lb_rule *rule = &o->kernel->rules[group->id];
    const manifold *m = manifold_of(rule);
    if (o->violated != rule)
        return 0;
    for (unsigned i = 0; m && m->points[i]; i++)
        if (m->statuses[i] == o->after->status)
            return (uint64_t)1 << i;
    return !m ? 1 : 0;
}

/* What the model itself refuses behind the rules (mli_mov_tensor_sync, pooling_and_movement.md 4.1
 * step 6). */
static const char *const late_points[] = {"bad_tensor", "not_enough_mem", NULL};

static uint64_t observe_late(const lb_observation *o, const lb_cover_group *group)
{
    (void)group;
    return o->violated ? 0
                       : LB_BIT(o->after->status == LB_BAD_TENSOR, 0) |
                             LB_BIT(o->after->status == LB_NOT_ENOUGH_MEM, 1);
}

/* Asynchronous movement: steps of a sequence. `after` holds the status of the step, or what isdone
 * says. */
static const char *const step_points[] = {"refused", NULL};
static const char *const done_points[] = {"done", "not_done", NULL};

static uint64_t observe_step(const lb_observation *o, const lb_cover_group *group)
{
    (void)group;
    return LB_BIT(o->after->status != LB_OK, 0);
}

static uint64_t observe_done(const lb_observation *o, const lb_cover_group *group)
{
    (void)group;
    return o->after->return_value != 0 ? 1 : 2;
}

static void add_steps(lb_cover_list *list)
{
    bool refuses = strcmp(list->kernel->name, "mli_mov_acquire_handle") == 0 ||
                   strcmp(list->kernel->name, "mli_mov_prepare") == 0;
    lb_cover_group group = {.class_name = "step",
                            .instance = "",
                            .spec = "pooling_and_movement.md 6",
                            .of_refused = true};
    group.points = refuses ? step_points : done_points;
    group.observe = refuses ? observe_step : observe_done;
    if (refuses || strcmp(list->kernel->name, "mli_mov_isdone") == 0)
        lb_cover_add(list, group);
}

void lb_cover_status(lb_cover_list *list)
{
    const lb_kernel *kernel = list->kernel;
    if (lb_function_moves(kernel))
        add_steps(list);
    lb_cover_add(list, (lb_cover_group){.class_name = "status",
                                        .instance = "",
                                        .spec = "numerics.md 9",
                                        .points = ok_points,
                                        .observe = observe_ok});
    for (int i = 0; kernel->rules && kernel->rules[i].check; i++) {
        const manifold *m = manifold_of(&kernel->rules[i]);
        if (lb_rule_is_undefined(&kernel->rules[i]))
            continue; /* nobody is judged by it */
        lb_cover_add(list, (lb_cover_group){.class_name = "status",
                                            .instance = kernel->rules[i].name,
                                            .spec = "numerics.md 9",
                                            .points = m ? m->points : one_point,
                                            .observe = observe_rule,
                                            .of_refused = true,
                                            .id = i});
    }
    if (lb_pattern_of(kernel) == LB_PATTERN_MOVEMENT && kernel->config_kind == LB_CONFIG_MOV &&
        lb_kernel_refuses(kernel)) {
        lb_cover_add(list, (lb_cover_group){.class_name = "status",
                                            .instance = "out.tensor",
                                            .spec = "pooling_and_movement.md 4.1",
                                            .points = late_points,
                                            .observe = observe_late,
                                            .of_refused = true});
    }
}
