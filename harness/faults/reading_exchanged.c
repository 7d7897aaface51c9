/* One operand, one gate of it, or the function itself, for another. */
#include "harness/faults/reading_runs.h"

#include <string.h>

/* ---- Gates of LSTM and GRU: the outermost dimension of weights and bias ---- */

const int lb_gate_roles[] = {LB_ROLE_WEIGHTS_IN, LB_ROLE_WEIGHTS_OUT, LB_ROLE_BIAS};

/* The order of the gates as read: decimal digits, gate 0 is 1. */
static uint32_t gate_for(const lb_fault_view *view, uint32_t gate, uint32_t gates)
{
    int32_t order = view->run->fault->argument;
    while (++gate < gates)
        order /= 10;
    return (uint32_t)(order % 10 - 1);
}

static int64_t gate_in_order(const lb_tensor *t, const uint32_t *index, const void *user)
{
    const uint32_t other = gate_for(user, index[0], t->shape[0]);
    return (int64_t)lb_offset_of(t, index) + ((int64_t)other - index[0]) * t->mem_stride[0];
}

/* Lists of parameters go with the gates. */
static bool reorder_gates(lb_fault_view *view, int role)
{
    const bool changed = lb_view_remap(view, role, 0, gate_in_order, view);
    lb_read_entries(view, lb_view_tensor(view, role, 0), LB_ALL_LISTS, gate_for);
    return changed;
}

static bool read_gates_of_one(lb_fault_view *view)
{
    return reorder_gates(view, view->run->fault->role);
}

static bool read_gates_of_all(lb_fault_view *view)
{
    bool changed = false;
    for (size_t i = 0; i < LB_GATE_ROLES; i++)
        changed |= reorder_gates(view, lb_gate_roles[i]);
    return changed;
}

/* ---- One operand for another ---- */

/* Elements of another tensor, in row-major order and from its start again at its end. */
static bool take_elements(lb_fault_view *view, int role, unsigned i, const lb_tensor *other)
{
    lb_tensor *t = lb_view_tensor(view, role, i);
    lb_tensor old = *t;
    bool changed = false;
    size_t count = lb_element_count(t), others = lb_element_count(other);
    size_t available = lb_view_available(view, t), bytes = lb_storage_bytes(t->el_type);
    if (bytes == 0 || others == 0 || other->rank == 0 || other->el_type == LB_FP32 ||
        !lb_view_own_memory(view, role, i, 0))
        return false;
    for (size_t flat = 0; flat < count; flat++) {
        size_t at = lb_offset_of_flat(t, flat);
        if ((at + 1) * bytes > available)
            continue;
        int32_t value = lb_load(other, lb_offset_of_flat(other, flat % others));
        changed |= value != lb_load(&old, at);
        lb_store(t, at, value);
    }
    return changed;
}

/* Both tensors read as the other one, each in its own shape and format. */
static bool run_exchanged(lb_fault_run *run, int role_a, unsigned a, int role_b, unsigned b)
{
    lb_fault_view view;
    if (!lb_view_begin(&view, run))
        return false;
    lb_tensor *first_one = lb_view_tensor(&view, role_a, a);
    lb_tensor *second_one = lb_view_tensor(&view, role_b, b);
    if (!first_one || !second_one)
        return lb_view_drop(&view);
    lb_tensor kept_first = *first_one, kept_second = *second_one;
    bool changed = take_elements(&view, role_a, a, &kept_second);
    changed |= take_elements(&view, role_b, b, &kept_first);
    return lb_view_run_if(&view, changed);
}

static bool read_elements_exchanged(lb_fault_run *run)
{
    return run_exchanged(run, run->fault->role, 0, run->fault->other_role, 0);
}

/* The first two of a list. */
static bool read_list_exchanged(lb_fault_run *run)
{
    return run_exchanged(run, run->fault->role, 0, run->fault->role, 1);
}

/* Where one of them is a scalar: elements and shapes, but not what is worked out from formats. */
static bool read_scalar_exchanged(lb_fault_view *view)
{
    lb_tensor *a = lb_view_tensor(view, view->run->fault->role, 0);
    lb_tensor *b = lb_view_tensor(view, view->run->fault->other_role, 0);
    bool first = view->run->fault->argument == 0;
    if (!a || !b || lb_element_count(first ? a : b) != 1)
        return false;
    lb_tensor kept = *a;
    a->rank = b->rank;
    a->data = b->data;
    memcpy(a->shape, b->shape, sizeof a->shape);
    memcpy(a->mem_stride, b->mem_stride, sizeof a->mem_stride);
    b->rank = kept.rank;
    b->data = kept.data;
    memcpy(b->shape, kept.shape, sizeof b->shape);
    memcpy(b->mem_stride, kept.mem_stride, sizeof b->mem_stride);
    return true;
}

/* ---- Places ---- */

/* In one operand: pairs of gates exchanged, and one gate read for another. */
static LB_PLACES(places_gates_of_one)
{
    static const int of_4[] = {1243, 1324, 1432, 2134, 3214, 4231, 2234, 3234, 4234, 1134,
                               1334, 1434, 1214, 1224, 1244, 1231, 1232, 1233, 0};
    static const int of_3[] = {132, 213, 321, 223, 323, 113, 133, 121, 122, 0};
    unsigned gates = lb_gate_count(scope->kernel);
    for (size_t i = 0; gates > 0 && i < LB_GATE_ROLES; i++) {
        lb_fault like = {.kind = kind, .role = (int8_t)lb_gate_roles[i]};
        lb_put_orders(&like, NULL, gates == 4 ? of_4 : of_3, sink, user);
    }
}

static LB_PLACES(places_gates_of_all)
{
    unsigned gates = lb_gate_count(scope->kernel);
    if (gates > 0)
        lb_put_orders(&(lb_fault){.kind = kind}, NULL, gates == 4 ? lb_orders_4 : lb_orders_3, sink,
                      user);
}

/* ---- Pairs of operands ---- */

static LB_PLACES(places_exchanged)
{
    static const int8_t pairs[][2] = {{LB_ROLE_IN1, LB_ROLE_IN2},
                                      {LB_ROLE_WEIGHTS_IN, LB_ROLE_WEIGHTS_OUT},
                                      {LB_ROLE_IN, LB_ROLE_PREV_OUT},
                                      {LB_ROLE_PREV_OUT, LB_ROLE_CELL}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (lb_reads_data(scope->kernel, pairs[i][0]) && lb_reads_data(scope->kernel, pairs[i][1]))
            sink(user, &(lb_fault){.kind = kind, .role = pairs[i][0], .other_role = pairs[i][1]});
}

LB_OWN_ROLES(places_lists_exchanged, LB_NO_DIMS,
             lb_pattern_of(kernel) == LB_PATTERN_DENSE_LISTS &&
                 (at->role == LB_ROLE_IN || at->role == LB_ROLE_WEIGHTS),
             0)

/* The other operations give the same either way round. */
LB_OWN_PLACES(places_scalar_difference, kernel->op == LB_OP_SUB, .role = {LB_ROLE_IN1, LB_ROLE_IN1},
              .other = {LB_ROLE_IN2, LB_ROLE_IN2}, .most = 1)

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

#define LAYOUTS "numerics.md 2; conv.md 6 to 10; recurrent.md 5 to 8; pooling_and_movement.md 1.3"
#define GATES   "recurrent.md 6 to 8"

/* clang-format off */
const lb_fault_kind lb_fault_exchange_kinds[] = {
    LB_CHANGE("gates.of_one", "reads the gates of one operand in this order", "gate indices of weights, recurrent weights, bias", GATES, 4, places_gates_of_one, "{role}, {n}", read_gates_of_one),
    LB_CHANGE("gates.of_all", "reads the gates of all operands in this order", "orders of gates of other frameworks", GATES, 6, places_gates_of_all, "{n}", read_gates_of_all),
    LB_READING("exchanged.elements", "reads the elements of one operand for those of the other", "order of arguments", LAYOUTS, 4, places_exchanged, "{role}, {other}", read_elements_exchanged),
    LB_READING("exchanged.list", "takes the first two tensors of a list for each other", "order of a list", "recurrent.md 5", 3, places_lists_exchanged, "{role}", read_list_exchanged),
    LB_CHANGE("exchanged.scalar", "exchanges the elements of both operands where one is a scalar", "the scalar's branch of a loop that always has the tensor first", "elementwise.md 5", 5, places_scalar_difference, "{n=the first one|the second one}", read_scalar_exchanged),
    LB_KIND(LB_FAULTS_READING, "function.other", "computes another function", "tables of functions, copied code", "", 4, functions, "{function}", run_function),
    {.name = NULL},
};
/* clang-format on */
