/* Coverpoints of statuses: every rule of every function violated first, with each status that it
 * can give, and the call that passes all. The rules are data (rules_*.c), so are the points. Spec:
 * numerics.md 9 and the tables that it names. */
#include "harness/coverage/class.h"
#include "harness/port/provided.h"
#include "reference/describe/rules.h"

#include <string.h>

/* Checks of which one row can give several statuses; of all others the rule's name is the point. */
typedef struct manifold {
    lb_status (*check)(const lb_context *context, const lb_call *call, const lb_rule *rule);
    const lb_cover_point *points;
} manifold;

#define BAD_TENSOR     LB_POINT("bad_tensor", LB_BAD_TENSOR, LB_BAD_TENSOR)
#define NOT_ENOUGH_MEM LB_POINT("not_enough_mem", LB_NOT_ENOUGH_MEM, LB_NOT_ENOUGH_MEM)

/* clang-format off */
static const lb_cover_point ok_points[] = {LB_POINT("ok", LB_OK, LB_OK), {0}};
static const lb_cover_point any_point[] = {LB_POINT("", LB_COVER_ANY), {0}};
static const lb_cover_point tensor_points[] = {BAD_TENSOR, NOT_ENOUGH_MEM, {0}};
static const lb_cover_point scalar_points[] = {BAD_TENSOR, NOT_ENOUGH_MEM, LB_POINT("shape_mismatch", LB_SHAPE_MISMATCH, LB_SHAPE_MISMATCH), {0}};
static const lb_cover_point quant_points[] = {BAD_TENSOR, LB_POINT("incompatible_tensors", LB_INCOMPATIBLE_TENSORS, LB_INCOMPATIBLE_TENSORS), {0}};
/* clang-format on */

static const manifold manifolds[] = {
    {lb_check_tensor, tensor_points},
    {lb_check_operand, tensor_points},
    {lb_check_scalar, scalar_points},
    {lb_check_quant, quant_points},
};

static const lb_cover_point *points_of(const lb_rule *rule)
{
    for (size_t i = 0; i < sizeof manifolds / sizeof manifolds[0]; i++)
        if (manifolds[i].check == rule->check)
            return manifolds[i].points;
    return any_point;
}

static LB_TELLS(tell_ok)
{
    (void)o;
    lb_cover_say(group, values, LB_OK, 0);
}

static LB_TELLS(tell_rule)
{
    if (o->violated == &o->kernel->rules[group->id])
        lb_cover_say(group, values, o->after->status, 0);
}

/* What the model itself refuses behind the rules (mli_mov_tensor_sync, pooling_and_movement.md 4.1
 * step 6). */
static LB_TELLS(tell_late)
{
    if (!o->violated)
        lb_cover_say(group, values, o->after->status, 0);
}

/* Asynchronous movement: steps of a sequence. `after` holds the status of the step, or what isdone
 * says. */
static const lb_cover_point step_points[] = {LB_POINT("refused", 1, 1), {0}};
static const lb_cover_point done_points[] = {
    LB_POINT("done", 1, 1), LB_POINT("not_done", 0, 0), {0}};

static LB_TELLS(tell_step)
{
    lb_cover_say(
        group, values,
        group->points == step_points ? o->after->status != LB_OK : o->after->return_value != 0, 0);
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
    group.tell = tell_step;
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
                                        .tell = tell_ok});
    for (int i = 0; kernel->rules && kernel->rules[i].check; i++) {
        if (lb_rule_is_undefined(&kernel->rules[i]))
            continue; /* nobody is judged by it */
        lb_cover_add(list, (lb_cover_group){.class_name = "status",
                                            .instance = kernel->rules[i].name,
                                            .spec = "numerics.md 9",
                                            .points = points_of(&kernel->rules[i]),
                                            .tell = tell_rule,
                                            .of_refused = true,
                                            .id = i});
    }
    if (lb_pattern_of(kernel) == LB_PATTERN_MOVEMENT && kernel->config_kind == LB_CONFIG_MOV &&
        lb_kernel_refuses(kernel)) {
        lb_cover_add(list, (lb_cover_group){.class_name = "status",
                                            .instance = "out.tensor",
                                            .spec = "pooling_and_movement.md 4.1",
                                            .points = tensor_points,
                                            .tell = tell_late,
                                            .of_refused = true});
    }
}
