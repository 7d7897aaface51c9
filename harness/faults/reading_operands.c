/* Operands read otherwise: their memory in another order or with other strides, other indices. */
#include "harness/faults/reading_runs.h"
#include "reference/describe/check.h"

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

/* The stride of one dimension is another number, from an index on. */
static int64_t with_stride(const lb_tensor *t, const uint32_t *index, uint32_t dim, int64_t stride,
                           int64_t from)
{
    const int64_t steps = index[dim] > from ? index[dim] - from : 0;
    return (int64_t)lb_offset_of(t, index) + steps * (stride - t->mem_stride[dim]);
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

static int64_t backwards(const lb_tensor *t, const uint32_t *index, int32_t dims)
{
    uint32_t changed[LB_MAX_RANK];
    memcpy(changed, index, sizeof changed);
    for (uint32_t d = 0; d < t->rank; d++)
        changed[d] = dims >> d & 1 ? t->shape[d] - 1 - index[d] : index[d];
    return (int64_t)lb_offset_of(t, changed);
}

int64_t lb_source_found(const lb_tensor *t, const uint32_t *index, const void *user)
{
    const lb_fault *fault = user;
    const bool is_last = fault->dim == LB_LAST_DIMENSION && t->rank > 0;
    const uint32_t dim = is_last ? t->rank - 1 : (uint32_t)fault->dim;
    const bool is_outer = dim + 1 < t->rank;
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
                                 is_outer ? (int64_t)t->shape[dim + 1] * t->mem_stride[dim + 1] : 1,
                                 fault->argument);
    case LB_READ_STRIDE_OF_NEXT:
        return is_outer ? with_stride(t, index, dim, t->mem_stride[dim + 1], 0)
                        : (int64_t)lb_offset_of(t, index);
    case LB_READ_BASE:
        return (int64_t)lb_offset_of(t, index) + fault->argument;
    case LB_READ_BACKWARDS:
        return backwards(t, index,
                         fault->argument != 0 ? fault->argument : fault->kind->does.number);
    case LB_READ_ONE:
        return 0;
    case LB_READ_INDEX:
        return with_changed_index(t, index, fault);
    }
    return (int64_t)lb_offset_of(t, index);
}

static bool read_operand(lb_fault_view *view)
{
    return remap_role(view, view->run->fault->role, lb_source_found, view->run->fault);
}

/* From the second one of a list on. */
static bool read_list_dense(lb_fault_view *view)
{
    bool changed = false;
    for (unsigned i = 1; i < view->call->list_count[view->run->fault->role]; i++)
        changed |= lb_view_remap(view, view->run->fault->role, i, lb_source_dense, NULL);
    return changed;
}

static bool read_gates_dense(lb_fault_view *view)
{
    bool changed = remap_role(view, LB_ROLE_WEIGHTS_IN, lb_source_dense, NULL);
    changed |= remap_role(view, LB_ROLE_WEIGHTS_OUT, lb_source_dense, NULL);
    changed |= remap_role(view, LB_ROLE_BIAS, lb_source_dense, NULL);
    return changed;
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

/* Of an output too: what lies behind it is written over, as far as the memory of the case goes. */
static bool write_with_strides_of(lb_fault_view *view, lb_tensor *t, const lb_tensor *other)
{
    size_t bytes = lb_storage_bytes(t->el_type);
    if (memcmp(t->mem_stride, other->mem_stride, t->rank * sizeof *t->mem_stride) == 0 ||
        memcmp(t->shape, other->shape, t->rank * sizeof *t->shape) != 0)
        return false;
    memcpy(t->mem_stride, other->mem_stride, t->rank * sizeof *t->mem_stride);
    for (uint32_t d = 0; d < t->rank; d++)
        bytes +=
            (size_t)(t->shape[d] - 1) * (size_t)t->mem_stride[d] * lb_storage_bytes(t->el_type);
    const unsigned char *end = view->run->out->block + view->run->out->memory->block_bytes;
    return bytes <= (size_t)(end - (const unsigned char *)t->data.mem.ptr) ||
           lb_view_own_memory(view, view->run->fault->role, 0, bytes) != NULL;
}

static bool read_strides_of_other(lb_fault_view *view)
{
    int role = view->run->fault->role;
    lb_tensor *t = lb_view_tensor(view, role, 0);
    const lb_tensor *other = view->call->tensor[view->run->fault->other_role];
    if (!t || !other || t->rank != other->rank)
        return false;
    return lb_writes_data(view->call->kernel, role)
               ? write_with_strides_of(view, t, other)
               : remap_role(view, role, with_strides_of, other);
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
static bool read_all_dense(lb_fault_view *view)
{
    bool changed = false;
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        if (!view->call->tensor[role] || !lb_may_have_gaps(view->call->kernel, role))
            continue;
        if (lb_reads_data(view->call->kernel, role))
            changed |= remap_role(view, role, lb_source_dense, NULL);
        else if (lb_writes_data(view->call->kernel, role) && view->run->fault->argument == 1)
            for (unsigned i = 0; i < view->call->list_count[role]; i++)
                changed |= close_gaps(view, role, i);
    }
    return changed;
}

/* ---- Places ---- */

/* Of an operand that is one element, such as a slope without an axis, there is no other one. */
static bool reads_many(const lb_kernel *kernel, int role)
{
    bool is_one = role == LB_ROLE_SLOPE && kernel->config_kind != LB_CONFIG_AXIS;
    return lb_reads_data(kernel, role) && !is_one;
}

/* Elements are read by index, and not all in a row whatever the shape. */
static bool reads_by_index(const lb_kernel *kernel, int role)
{
    bool in_a_row = (lb_pattern_of(kernel) == LB_PATTERN_DENSE ||
                     lb_pattern_of(kernel) == LB_PATTERN_DENSE_LISTS) &&
                    role == LB_ROLE_IN;
    return reads_many(kernel, role) && !in_a_row;
}

/* ---- Roles ---- */

LB_OWN_ROLES(places_read_both_ways, LB_NO_DIMS, reads_many(kernel, at->role), -1, 1)

/* Roles whose tensors may have gaps. */
static bool reads_strided(const lb_kernel *kernel, int role)
{
    return reads_by_index(kernel, role) && lb_may_have_gaps(kernel, role) && role != LB_ROLE_BIAS &&
           role != LB_ROLE_SLOPE && role != LB_ROLE_CELL && role != LB_ROLE_PREV_OUT &&
           !lb_is_recurrent(kernel);
}

/* All of them at once: where there are several, and with the output. */
static LB_PLACES(places_all_strided)
{
    int reads = 0;
    bool writes = false;
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        reads += reads_strided(scope->kernel, role);
        writes |= lb_writes_data(scope->kernel, role) && lb_may_have_gaps(scope->kernel, role);
    }
    if (reads > 1)
        sink(user, &(lb_fault){.kind = kind});
    if (reads > 0 && writes)
        sink(user, &(lb_fault){.kind = kind, .argument = 1});
}

LB_OWN_ROLES(places_read_strided, LB_NO_DIMS, reads_strided(kernel, at->role), 0)

LB_OWN_ROLES(lists, LB_NO_DIMS,
             lb_pattern_of(kernel) == LB_PATTERN_DENSE_LISTS &&
                 (at->role == LB_ROLE_IN || at->role == LB_ROLE_WEIGHTS),
             0)

/* Tensors of one shape, whose strides may be taken for each other's. */
static bool is_main(const lb_kernel *kernel, int role)
{
    return (role <= LB_ROLE_IN2 || role == LB_ROLE_OUT) &&
           lb_fault_role_use(kernel, role) != LB_USE_NONE && lb_may_have_gaps(kernel, role);
}

LB_OWN_PLACES(places_strides_of_other,
              lb_families[kernel->family].reach == LB_REACH_PLACE && at->role != at->other_role &&
                  is_main(kernel, at->role) && is_main(kernel, at->other_role) &&
                  (reads_by_index(kernel, at->role) || lb_writes_data(kernel, at->role)),
              .role = LB_ANY_ROLE, .other = LB_ANY_ROLE)

/* Operands of which one element may serve for all. */
LB_OWN_ROLES(places_broadcast, LB_NO_DIMS,
             (at->role == LB_ROLE_BIAS || at->role == LB_ROLE_SLOPE || at->role == LB_ROLE_IN1 ||
              at->role == LB_ROLE_IN2) &&
                 reads_many(kernel, at->role),
             0)

/* ---- Dimensions ---- */

/* Dimensions that can be longer than this. */
static bool reads_beyond(const lb_kernel *kernel, const lb_fault *at, int32_t length)
{
    return reads_by_index(kernel, at->role) &&
           lb_longest(kernel, at->role, (unsigned)at->dim) > (uint32_t)length;
}

LB_OWN_ROLES(places_read_dims, LB_EACH_DIM, reads_beyond(kernel, at, 1), 0)

/* Outer dimensions of tensors that may have gaps. */
LB_OWN_ROLES(places_strided_dims, LB_OUTER_DIMS,
             reads_by_index(kernel, at->role) && lb_may_have_gaps(kernel, at->role) &&
                 at->role != LB_ROLE_BIAS && !lb_is_recurrent(kernel),
             0)

LB_OWN_ROLES(places_read_dims_both_ways, LB_EACH_DIM, reads_beyond(kernel, at, 1), -1, 1)

LB_OWN_ROLES(places_read_blocks, LB_EACH_DIM, reads_beyond(kernel, at, at->argument), 4, 8, 16, 32,
             64, 128, 256, 512)

LB_OWN_ROLES(places_mirrored, LB_NO_DIMS,
             at->role == LB_ROLE_WEIGHTS && lb_is_conv(kernel) && kernel->kernel_size != 1, 0)

enum { ROWS_AND_COLUMNS = 3 }; /* bits: dimensions 0 and 1 */
#define SEVERAL                                                                                    \
    "{n=|||dimensions 0 and 1||dimensions 0 and 2|dimensions 1 and 2|dimensions 0 to 2||"          \
    "dimensions 0 and 3|dimensions 1 and 3|dimensions 0, 1 and 3|dimensions 2 and 3|"              \
    "dimensions 0, 2 and 3|dimensions 1 to 3|all dimensions}"

/* Several dimensions, each of which may have more than one index. */
static bool may_be_backwards(const lb_kernel *kernel, const lb_fault *at)
{
    bool may = kernel->weights_type != 0 && reads_by_index(kernel, at->role) &&
               (at->role == LB_ROLE_WEIGHTS || at->role == LB_ROLE_IN) &&
               at->argument >> lb_dims_of(kernel, at->role) == 0;
    for (unsigned d = 0; may && d < lb_dims_of(kernel, at->role); d++)
        may = !(at->argument >> d & 1) || lb_longest(kernel, at->role, d) > 1;
    return may &&
           !(at->argument == ROWS_AND_COLUMNS && at->role == LB_ROLE_WEIGHTS && lb_is_conv(kernel));
}

LB_OWN_ROLES(places_backwards, LB_NO_DIMS, may_be_backwards(kernel, at), 3, 5, 6, 7, 9, 10, 11, 12,
             13, 14, 15)

/* ---- Orders: decimal digits, from 1 ---- */

/* Where extents are 1, whatever the call, the memory is the same in many an order. */
static bool is_own_order(const lb_kernel *kernel, int role, int digits)
{
    int next = 10;
    for (; digits > 0; digits /= 10) {
        const int dim = digits % 10;
        if (lb_longest(kernel, role, (unsigned)dim - 1) == 1)
            continue;
        if (dim > next)
            return false;
        next = dim;
    }
    return true;
}

void lb_put_orders(const lb_fault *like, const lb_kernel *kernel, const int *orders,
                   lb_fault_sink sink, void *user)
{
    for (; *orders != 0; orders++) {
        lb_fault fault = *like;
        fault.argument = *orders;
        if (!kernel || !is_own_order(kernel, like->role, *orders))
            sink(user, &fault);
    }
}

static const int orders_2[] = {21, 0};
const int lb_orders_3[] = {132, 213, 231, 312, 321, 0};
const int lb_orders_4[] = {1243, 1324, 1342, 1423, 1432, 2134, 2143, 2314, 2341, 2413, 2431, 3124,
                           3142, 3214, 3241, 3412, 3421, 4123, 4132, 4213, 4231, 4312, 4321, 0};
static const int few_orders_4[] = {1243, 1324, 1342, 1423, 2134, 2341, 4123, 4321, 0};

static bool may_have_rank(const lb_kernel *kernel, int role, int rank)
{
    const lb_leaf_range range =
        lb_checks_bound(kernel, (lb_leaf){.kind = LB_LEAF_RANK, .role = (int8_t)role});
    return rank >= range.low && rank <= range.high;
}

static LB_PLACES(places_orders)
{
    const lb_kernel *kernel = scope->kernel;
    bool is_movement =
        lb_pattern_of(kernel) == LB_PATTERN_ORDER || lb_pattern_of(kernel) == LB_PATTERN_MOVEMENT;
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        unsigned dims = lb_dims_of(kernel, role);
        bool any_rank = dims == LB_MAX_RANK && role != LB_ROLE_WEIGHTS;
        lb_fault like = {.kind = kind, .role = (int8_t)role};
        if (!reads_by_index(kernel, role) || is_movement)
            continue;
        if (dims == 2 || (any_rank && may_have_rank(kernel, role, 2)))
            lb_put_orders(&like, kernel, orders_2, sink, user);
        if (dims == 3 || (any_rank && may_have_rank(kernel, role, 3)))
            lb_put_orders(&like, kernel, lb_orders_3, sink, user);
        if (dims == 4)
            lb_put_orders(&like, kernel, any_rank ? few_orders_4 : lb_orders_4, sink, user);
    }
}

/* ---- The table ---- */

#define CONV    "conv.md 6 to 9"
#define LAYOUTS "numerics.md 2; conv.md 6 to 10; recurrent.md 5 to 8; pooling_and_movement.md 1.3"
#define STRIDES "numerics.md 2; pooling_and_movement.md 1.3"

/* clang-format off */
const lb_fault_kind lb_fault_operand_kinds[] = {
    LB_CHANGE_BY("order", "reads the memory of an operand in this order of its dimensions", "layouts of weights and maps: HWCN, NHWC, CHW; rows for columns", LAYOUTS, 6, places_orders, "{role}, {n}", read_operand, .at = LB_READ_ORDER),
    LB_CHANGE_BY("dense", "reads an operand as if it had no gaps", "index arithmetic without mem_stride", STRIDES, 8, places_read_strided, "{role}", read_operand, .at = LB_READ_STRIDES),
    LB_CHANGE("all_dense", "takes all tensors as if they had no gaps", "one loop over all elements, without mem_stride", STRIDES, 7, places_all_strided, "{n=operands|operands and outputs}", read_all_dense),
    {LB_CHANGE_OF_CALL("list.dense_from_second", "reads the second tensor of a list, and on, as if without gaps", "loops over inputs: strides of the first", "numerics.md 2", 4, lists, "{role}", read_list_dense)},
    {LB_CHANGE_OF_CALL("gates.dense", "reads weights and bias as if there were no gaps between gates", "mem_stride of the first dimension", "numerics.md 2; recurrent.md 6", 5, lb_places_gates, NULL, read_gates_dense)},
    LB_CHANGE_BY("dense_dimension", "takes the extent of the next dimension for the stride of this one", "index arithmetic: one of several strides used", STRIDES, 5, places_strided_dims, "{role}, dimension {dim}", read_operand, .at = LB_READ_STRIDE),
    LB_CHANGE_BY("stride_of_next", "takes the stride of the next dimension for this one", "indices of mem_stride", STRIDES, 3, places_strided_dims, "{role}, dimension {dim}", read_operand, .at = LB_READ_STRIDE_OF_NEXT),
    LB_CHANGE("strides_of_other", "reads or writes a tensor with the strides of another", "one set of strides for all operands", STRIDES, 5, places_strides_of_other, "{role}, {other}", read_strides_of_other),
    LB_CHANGE_BY("moved_base", "reads an operand {n} elements from where it is", "pointers moved before the first load, counts from 1", LAYOUTS, 4, places_read_both_ways, "{role}, {n}", read_operand, .at = LB_READ_BASE),
    LB_CHANGE_BY("reversed", "reads a dimension back to front", "mirrored kernels: convolution for correlation; frames, channels from the end", LAYOUTS, 4, places_read_dims, "{role}, dimension {dim}", read_operand, .at = LB_READ_INDEX, .how = LB_MIRRORED),
    LB_CHANGE_BY("mirrored", "reads the kernel turned by half a turn", "convolution for correlation, transposed for direct", CONV, 6, places_mirrored, "{role}", read_operand, .at = LB_READ_BACKWARDS, .number = ROWS_AND_COLUMNS),
    LB_CHANGE_BY("backwards", "reads several dimensions back to front", "orders of weights that tools of other frameworks write", LAYOUTS, 3, places_backwards, "{role}, " SEVERAL, read_operand, .at = LB_READ_BACKWARDS),
    LB_CHANGE_BY("neighbour", "reads the element this far along a dimension", "loop variables changed too early or too late: the neighbouring channel, row, gate", LAYOUTS, 5, places_read_dims_both_ways, "{role}, dimension {dim}, {n}", read_operand, .at = LB_READ_INDEX, .how = LB_PLUS),
    LB_CHANGE_BY("first", "reads index 0 of a dimension for all", "loop variables that are not used, pointers that are not moved", LAYOUTS, 5, places_read_dims, "{role}, dimension {dim}", read_operand, .at = LB_READ_INDEX, .how = LB_AS_ZERO),
    LB_CHANGE_BY("in_block", "begins with index 0 again after every block of {n} along a dimension", "the offset of a block that is not added", LAYOUTS, 4, places_read_blocks, "{role}, dimension {dim}, {n}", read_operand, .at = LB_READ_INDEX, .how = LB_IN_BLOCK),
    LB_CHANGE_BY("paired", "exchanges neighbours in pairs along a dimension", "packed pairs, halves of a register", LAYOUTS, 2, places_read_dims, "{role}, dimension {dim}", read_operand, .at = LB_READ_INDEX, .how = LB_PAIRED),
    LB_CHANGE_BY("first_of_all", "takes the first element of an operand for all", "scalar operands: a broadcast that should not be", LAYOUTS, 4, places_broadcast, "{role}", read_operand, .at = LB_READ_ONE),
    {.name = NULL},
};
/* clang-format on */
