/* What a call chooses, read otherwise: the axis, tensors of a list, the state that goes from frame
 * to frame, the function itself. */
#include "harness/faults/reading_runs.h"
#include "harness/faults/views.h"

#include <string.h>

/* ---- The axis ---- */

/* By the operator, of as many as the input has. */
static bool run_axis(lb_fault_run *run)
{
    const lb_tensor *in = run->before->call.tensor[LB_ROLE_IN];
    lb_how how = (lb_how)run->fault->kind->does.how;
    int32_t axis = run->test_case->config.axis, rank = in ? (int32_t)in->rank : 0;
    int32_t other = how == LB_PLUS       ? axis + run->fault->argument
                    : how == LB_MIRRORED ? rank - 1 - axis
                                         : rank - 1;
    return in && axis >= 0 && other >= 0 && lb_run_on_axis(run, other);
}

static bool axis_for_all(lb_fault_run *run)
{
    const lb_tensor *in = run->before->call.tensor[LB_ROLE_IN];
    bool last = run->fault->kind->does.how == LB_AS_LAST;
    lb_fault_view view;
    if (!in || in->rank == 0 || run->test_case->config.axis >= 0 || !lb_view_begin(&view, run))
        return false;
    view.call->config.axis = last ? (int32_t)in->rank - 1 : 0;
    return lb_view_run_if(&view, lb_view_is_accepted(&view));
}

LB_OWN_NUMBERS(axes, lb_has_axis(kernel), 0)

LB_OWN_NUMBERS(axes_both_ways, lb_has_axis(kernel), -1, 1)

/* ---- Tensors of a list ---- */

static bool list_dense(lb_fault_view *view)
{
    bool changed = false;
    for (unsigned i = 1; i < view->call->list_count[view->run->fault->role]; i++)
        changed |= lb_view_remap(view, view->run->fault->role, i, lb_source_dense, NULL);
    return changed;
}

LB_OWN_ROLES(lists, LB_NO_DIMS,
             lb_pattern_of(kernel) == LB_PATTERN_DENSE_LISTS &&
                 (at->role == LB_ROLE_IN || at->role == LB_ROLE_WEIGHTS),
             0)

/* ---- Operands that are read without their gaps ---- */

static bool gates_dense(lb_fault_view *view)
{
    static const int roles[] = {LB_ROLE_WEIGHTS_IN, LB_ROLE_WEIGHTS_OUT, LB_ROLE_BIAS};
    bool changed = false;
    for (size_t r = 0; r < sizeof roles / sizeof *roles; r++)
        changed |= lb_view_remap(view, roles[r], 0, lb_source_dense, NULL);
    return changed;
}

/* ---- Another function ---- */

static bool same_arguments(const lb_kernel *a, const lb_kernel *b)
{
    const lb_role_spec *x = a->roles, *y = b->roles;
    for (; x->use != LB_USE_NONE && y->use == x->use && y->role == x->role; x++, y++)
        ;
    return x->use == LB_USE_NONE && y->use == LB_USE_NONE && a->config_kind == b->config_kind &&
           a->in_type == b->in_type && a->weights_type == b->weights_type &&
           a->bias_type == b->bias_type;
}

static bool run_function(lb_fault_run *run)
{
    lb_fault_view view;
    const lb_kernel *other = &lb_kernels[run->fault->argument];
    if (!lb_view_begin(&view, run))
        return false;
    const lb_kernel *own = view.call->kernel;
    lb_context context = {.profile = run->profile};
    view.call->kernel = other;
    if (!lb_view_is_accepted(&view)) {
        view.call->kernel = own;
        return lb_view_drop(&view);
    }
    other->exact(&context, view.call);
    view.call->kernel = own;
    return lb_view_end_with_fields(&view);
}

/* Extensions, helpers and kernels stand in tables of their own. */
static bool in_one_table(const lb_kernel *a, const lb_kernel *b)
{
    bool apart = lb_pattern_of(a) == LB_PATTERN_CODES || lb_pattern_of(b) == LB_PATTERN_CODES ||
                 lb_pattern_of(a) == LB_PATTERN_HELPER || lb_pattern_of(b) == LB_PATTERN_HELPER;
    return a->family == b->family || !apart;
}

/* One of them refuses what the other asks for. */
static bool excludes(const lb_kernel *a, const lb_kernel *b)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        uint32_t type = lb_type_of_role(a, role), other = lb_type_of_role(b, role);
        if (type != 0 && other != 0 && type != other)
            return true;
    }
    return false;
}

/* What differs in a kernel size alone, or in the shapes that it is made for, computes the same; a
 * bias that holds a share of the result makes it another. */
static bool computes_the_same(const lb_kernel *a, const lb_kernel *b)
{
    bool a_shares = a->special == LB_SPECIAL_EXT_BIAS;
    bool b_shares = b->special == LB_SPECIAL_EXT_BIAS;
    bool is_told_by_name = lb_pattern_of(a) == LB_PATTERN_CODES;
    return a->exact == b->exact && a_shares == b_shares && !is_told_by_name;
}

/* Siblings that take the same arguments. */
static LB_PLACES(functions)
{
    const lb_kernel *own = scope->kernel;
    for (size_t k = 0; own->exact && k < lb_kernel_count; k++) {
        const lb_kernel *other = &lb_kernels[k];
        bool same = other->family == own->family && other->op == own->op &&
                    lb_pattern_of(own) != LB_PATTERN_MOVEMENT &&
                    lb_pattern_of(own) != LB_PATTERN_HELPER && other->special == own->special;
        bool siblings = in_one_table(own, other) && !excludes(own, other);
        if (other->exact && !computes_the_same(own, other) && !same && siblings &&
            same_arguments(own, other))
            sink(user, &(lb_fault){.kind = kind, .argument = (int32_t)k});
    }
}

/* ---- The table ---- */

#define KIND(...) LB_KIND_OF_CALL(LB_FAULTS_READING, __VA_ARGS__)
#define CHANGE    LB_CHANGE_OF_CALL

#define AXES "elementwise.md 4, 7 to 9"

/* clang-format off */
const lb_fault_kind lb_fault_choice_kinds[] = {
    {KIND("axis.last", "works along the innermost dimension whatever the axis is", "an axis that is not read", AXES, 6, axes, NULL, run_axis), .does.how = LB_AS_LAST},
    {KIND("axis.from_end", "counts the axis from the innermost dimension", "rank - 1 - axis", AXES, 4, axes, NULL, run_axis), .does.how = LB_MIRRORED},
    {KIND("axis.moved", "works along the dimension beside the axis", "an axis counted from 1", AXES, 4, axes_both_ways, "{n}", run_axis), .does.how = LB_PLUS},
    {KIND("axis.last_for_all", "works along the innermost dimension where the whole tensor is asked for", "axis -1 taken for the last one", AXES, 7, axes, NULL, axis_for_all), .does.how = LB_AS_LAST},
    {KIND("axis.first_for_all", "works along the outermost dimension where the whole tensor is asked for", "axis -1", AXES, 3, axes, NULL, axis_for_all), .does.how = LB_AS_ZERO},
    {CHANGE("list.dense_from_second", "reads the second tensor of a list, and on, as if without gaps", "loops over inputs: strides of the first", "numerics.md 2", 4, lists, "{role}", list_dense)},
    {CHANGE("gates.dense", "reads weights and bias as if there were no gaps between gates", "mem_stride of the first dimension", "numerics.md 2; recurrent.md 6", 5, lb_places_gates, NULL, gates_dense)},
    {KIND("function.other", "computes another function", "tables of functions, copied code", "", 4, functions, "{function}", run_function)},
    {.name = NULL},
};
/* clang-format on */
