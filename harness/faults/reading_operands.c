/* Operands read otherwise: their memory in another order or with other strides, other indices,
 * gates, one operand for another. */
#include "harness/faults/places.h"
#include "harness/faults/reading_runs.h"
#include "harness/faults/views.h"

#include <string.h>

/* ---- All tensors of a role ---- */

static bool remap_role(lb_fault_view *view, int role, lb_view_source source, const void *user)
{
    bool changed = false;
    for (unsigned i = 0; i < view->call->list_count[role]; i++)
        changed |= lb_view_remap(view, role, i, source, user);
    return changed;
}

/* Where an element lies whose index along one dimension is another. */
static int64_t with_index(const lb_tensor *t, const uint32_t *index, uint32_t dim, int64_t other)
{
    uint32_t changed[LB_MAX_RANK];
    int64_t size = dim < t->rank ? t->shape[dim] : 1;
    memcpy(changed, index, sizeof changed);
    if (dim < t->rank)
        changed[dim] = (uint32_t)((other % size + size) % size);
    return (int64_t)lb_offset_of(t, changed);
}

/* ---- Order, strides and indices of one operand ---- */

int64_t lb_source_dense(const lb_tensor *t, const uint32_t *index, const void *user)
{
    int64_t flat = 0;
    (void)user;
    for (uint32_t d = 0; d < t->rank; d++)
        flat = flat * t->shape[d] + index[d];
    return flat;
}

static int64_t in_order(const lb_tensor *t, const uint32_t *index, const uint32_t *order)
{
    size_t flat = 0;
    for (uint32_t k = 0; k < t->rank; k++)
        flat = flat * t->shape[order[k]] + index[order[k]];
    return (int64_t)lb_offset_of_flat(t, flat);
}

/* The order as read, outermost first: decimal digits, dimension 0 is 1. 21: columns by rows. */
static int64_t in_digits(const lb_tensor *t, const uint32_t *index, int32_t digits)
{
    uint32_t order[LB_MAX_RANK] = {0}, rank = 0;
    for (int32_t rest = digits; rest > 0 && rank < LB_MAX_RANK; rest /= 10)
        rank++;
    for (uint32_t k = rank; k-- > 0; digits /= 10)
        order[k] = (uint32_t)(digits % 10 - 1);
    return rank == t->rank ? in_order(t, index, order) : (int64_t)lb_offset_of(t, index);
}

static int64_t with_two_exchanged(const lb_tensor *t, const uint32_t *index, uint32_t a, uint32_t b)
{
    uint32_t order[LB_MAX_RANK] = {0, 1, 2, 3};
    if (a >= t->rank || b >= t->rank)
        return (int64_t)lb_offset_of(t, index);
    order[a] = b;
    order[b] = a;
    return in_order(t, index, order);
}

/* Behind the last one, and before the first, none lies. */
static int64_t by_number(const lb_tensor *t, const uint32_t *index, int32_t further)
{
    int64_t number = lb_source_dense(t, index, NULL) + further;
    return number >= 0 && number < (int64_t)lb_element_count(t)
               ? (int64_t)lb_offset_of_flat(t, (size_t)number)
               : -1;
}

/* The stride of one dimension is another number. */
static int64_t with_stride(const lb_tensor *t, const uint32_t *index, uint32_t dim, int64_t stride)
{
    return (int64_t)lb_offset_of(t, index) + index[dim] * (stride - t->mem_stride[dim]);
}

static int64_t with_changed_index(const lb_tensor *t, const uint32_t *index, const lb_fault *fault)
{
    uint32_t dim = (uint32_t)fault->dim;
    if (dim >= t->rank)
        return (int64_t)lb_offset_of(t, index);
    return with_index(t, index, dim,
                      lb_index_changed((lb_how)fault->kind->does.how, fault->argument, index[dim],
                                       t->shape[dim]));
}

static int64_t mirrored(const lb_tensor *t, const uint32_t *index)
{
    uint32_t changed[LB_MAX_RANK];
    memcpy(changed, index, sizeof changed);
    for (uint32_t d = 0; d < 2 && d < t->rank; d++)
        changed[d] = t->shape[d] - 1 - index[d];
    return (int64_t)lb_offset_of(t, changed);
}

int64_t lb_source_found(const lb_tensor *t, const uint32_t *index, const void *user)
{
    const lb_fault *fault = user;
    uint32_t dim = (uint32_t)fault->dim;
    bool is_outer = dim + 1 < t->rank;
    switch ((lb_read_at)fault->kind->does.at) {
    case LB_READ_ORDER:
        return in_digits(t, index, fault->argument);
    case LB_READ_EXCHANGED:
        return with_two_exchanged(t, index, dim, (uint32_t)fault->other_dim);
    case LB_READ_NUMBER:
        return by_number(t, index, fault->argument);
    case LB_READ_STRIDES:
        return lb_source_dense(t, index, user);
    case LB_READ_STRIDE: /* as if what is inside had no gaps at its end */
        return dim >= t->rank
                   ? (int64_t)lb_offset_of(t, index)
                   : with_stride(t, index, dim,
                                 is_outer ? (int64_t)t->shape[dim + 1] * t->mem_stride[dim + 1]
                                          : 1);
    case LB_READ_STRIDE_OF_NEXT:
        return is_outer ? with_stride(t, index, dim, t->mem_stride[dim + 1])
                        : (int64_t)lb_offset_of(t, index);
    case LB_READ_BASE:
        return (int64_t)lb_offset_of(t, index) + fault->argument;
    case LB_READ_ROWS_AND_COLUMNS:
        return mirrored(t, index);
    case LB_READ_ONE:
        return 0;
    case LB_READ_INDEX:
        return with_changed_index(t, index, fault);
    }
    return (int64_t)lb_offset_of(t, index);
}

bool lb_read_operand(lb_fault_run *run)
{
    lb_fault_view view;
    if (!lb_view_begin(&view, run))
        return false;
    return lb_view_run_if(&view, remap_role(&view, run->fault->role, lb_source_found, run->fault));
}

/* ---- Strides of others, and of all ---- */

static int64_t with_strides_of(const lb_tensor *t, const uint32_t *index, const void *user)
{
    const lb_tensor *other = user;
    int64_t place = 0;
    for (uint32_t d = 0; d < t->rank; d++)
        place += (int64_t)index[d] * other->mem_stride[d];
    return place;
}

bool lb_read_strides_of_other(lb_fault_run *run)
{
    lb_fault_view view;
    if (!lb_view_begin(&view, run))
        return false;
    int role = run->fault->role;
    const lb_tensor *t = view.call->tensor[role];
    const lb_tensor *other = view.call->tensor[run->fault->other_role];
    return lb_view_run_if(&view, t && other && t->rank == other->rank &&
                                     remap_role(&view, role, with_strides_of, other));
}

/* Strides of an output as if it had no gaps. */
static bool close_gaps(lb_fault_view *view, int role, unsigned index)
{
    lb_tensor *t = lb_view_tensor(view, role, index);
    const lb_tensor *right = &view->run->right->tensors[role][index];
    bool changed = false;
    int64_t next = 1;
    for (uint32_t d = right->rank; t && d-- > 0;) {
        if (right->shape[d] > 1 && right->mem_stride[d] != next) {
            t->mem_stride[d] = (int32_t)next;
            changed = true;
        }
        next *= right->shape[d];
    }
    return changed;
}

/* Argument 1: outputs are written so too. */
bool lb_read_all_dense(lb_fault_run *run)
{
    lb_fault_view view;
    bool changed = false;
    if (!lb_view_begin(&view, run))
        return false;
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        if (!view.call->tensor[role] || !lb_may_have_gaps(view.call->kernel, role))
            continue;
        if (lb_reads_data(view.call->kernel, role))
            changed |= remap_role(&view, role, lb_source_dense, NULL);
        else if (lb_writes_data(view.call->kernel, role) && run->fault->argument == 1)
            for (unsigned i = 0; i < view.call->list_count[role]; i++)
                changed |= close_gaps(&view, role, i);
    }
    return lb_view_run_if(&view, changed);
}

/* ---- Gates of LSTM and GRU: the outermost dimension of weights and bias ---- */

/* The order of the gates as read: decimal digits, gate 0 is 1. */
static int64_t gate_in_order(const lb_tensor *t, const uint32_t *index, const void *user)
{
    int32_t order = *(const int32_t *)user;
    for (uint32_t g = t->shape[0]; g-- > index[0] + 1;)
        order /= 10;
    return with_index(t, index, 0, order % 10 - 1);
}

/* Lists of parameters go with the gates. */
static void reorder_lists(lb_fault_view *view, lb_tensor *t, int32_t order)
{
    lb_tensor old = *t;
    if (t->sa.dim != 0 || !lb_view_own_lists(view, t, t->shape[0]))
        return;
    for (uint32_t g = t->shape[0]; g-- > 0; order /= 10) {
        lb_quant quant = lb_quant_at(&old, (uint32_t)(order % 10 - 1));
        t->sa.scale.mem.pi16[g] = (int16_t)quant.scale;
        t->sa.zero_point.mem.pi16[g] = (int16_t)quant.zero_point;
        t->sa.scale_frac_bits.mem.pi8[g] = (int8_t)quant.frac;
    }
}

static bool reorder_gates(lb_fault_view *view, int role, int32_t order)
{
    lb_tensor *t = lb_view_tensor(view, role, 0);
    bool changed = lb_view_remap(view, role, 0, gate_in_order, &order);
    if (lb_is_sa(t->el_type))
        reorder_lists(view, t, order);
    return changed;
}

bool lb_read_gates_of_one(lb_fault_run *run)
{
    lb_fault_view view;
    if (!lb_view_begin(&view, run))
        return false;
    return lb_view_run_if(&view, reorder_gates(&view, run->fault->role, run->fault->argument));
}

bool lb_read_gates_of_all(lb_fault_run *run)
{
    static const int roles[] = {LB_ROLE_WEIGHTS_IN, LB_ROLE_WEIGHTS_OUT, LB_ROLE_BIAS};
    lb_fault_view view;
    bool changed = false;
    if (!lb_view_begin(&view, run))
        return false;
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        changed |= reorder_gates(&view, roles[i], run->fault->argument);
    return lb_view_run_if(&view, changed);
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

bool lb_read_elements_exchanged(lb_fault_run *run)
{
    return run_exchanged(run, run->fault->role, 0, run->fault->other_role, 0);
}

/* The first two of a list. */
bool lb_read_list_exchanged(lb_fault_run *run)
{
    return run_exchanged(run, run->fault->role, 0, run->fault->role, 1);
}

/* Whole tensors, formats and all. */
bool lb_read_operands_exchanged(lb_fault_run *run)
{
    lb_fault_view view;
    if (!lb_view_begin(&view, run))
        return false;
    lb_tensor *a = lb_view_tensor(&view, run->fault->role, 0);
    lb_tensor *b = lb_view_tensor(&view, run->fault->other_role, 0);
    lb_tensor kept = *a;
    *a = *b;
    *b = kept;
    return lb_view_run_if(&view, memcmp(a, b, sizeof *a) != 0);
}

/* Where one of them is a scalar: elements and shapes, but not what is worked out from formats. */
bool lb_read_scalar_exchanged(lb_fault_run *run)
{
    lb_fault_view view;
    if (!lb_view_begin(&view, run))
        return false;
    lb_tensor *a = lb_view_tensor(&view, run->fault->role, 0);
    lb_tensor *b = lb_view_tensor(&view, run->fault->other_role, 0);
    bool first = run->fault->argument == 0;
    if (!a || !b || lb_element_count(first ? a : b) != 1)
        return lb_view_drop(&view);
    lb_tensor kept = *a;
    a->rank = b->rank;
    a->data = b->data;
    memcpy(a->shape, b->shape, sizeof a->shape);
    memcpy(a->mem_stride, b->mem_stride, sizeof a->mem_stride);
    b->rank = kept.rank;
    b->data = kept.data;
    memcpy(b->shape, kept.shape, sizeof b->shape);
    memcpy(b->mem_stride, kept.mem_stride, sizeof b->mem_stride);
    return lb_view_run(&view);
}
