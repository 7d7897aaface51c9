/* Elements read in another form: without a sign, in part, held in fewer bits, as zero. */
#include "harness/faults/reading_runs.h"
#include "harness/faults/views.h"

/* Elements that no longer fit into their type stand in a wider one, with the same parameters. */
static void widen(lb_fault_view *view, int role, unsigned i, size_t places)
{
    lb_tensor *t = lb_view_tensor(view, role, i);
    lb_tensor old = *t;
    int16_t frac = t->frac_bits;
    int32_t *wide = lb_arena_array(&view->scratch, places, sizeof *wide);
    for (size_t at = 0; at < places; at++)
        wide[at] = lb_load(&old, at);
    t->data.mem.pi32 = wide;
    t->el_type = LB_SA32;
    if (lb_is_fx(old.el_type)) {
        t->sa.dim = -1;
        t->sa.scale.mem.i16 = 1;
        t->sa.zero_point.mem.i16 = 0;
        t->sa.scale_frac_bits.mem.i8 = (int8_t)frac;
    }
}

/* Can it be more than the type holds? */
static bool goes_beyond(lb_how how)
{
    return how == LB_UNSIGNED || how == LB_ABSOLUTE || how == LB_HALVES_SIGNED;
}

static bool change_form(lb_fault_view *view, int role, unsigned i)
{
    lb_tensor *t = lb_view_tensor(view, role, i);
    unsigned bytes = lb_element_bytes(t->el_type);
    int bits = lb_container_bits(t->el_type), n = view->run->fault->argument;
    lb_how how = (lb_how)view->run->fault->kind->does.how;
    bool changed = false, is_wider = goes_beyond(how);
    if (bytes == 0 || t->el_type == LB_FP32)
        return false;
    if (t->rank == 0) {
        int32_t value = lb_load(t, 0);
        int64_t other = is_wider ? value : lb_element_changed(how, n, value, bits);
        lb_store(t, 0, other);
        return other != value;
    }
    size_t places = lb_view_available(view, t) / bytes;
    if (places == 0)
        return false;
    if (is_wider)
        widen(view, role, i, places);
    else if (!lb_view_own_memory(view, role, i, 0))
        return false;
    for (size_t at = 0; at < places; at++) {
        int64_t value = lb_load_wide(t, at), other = lb_element_changed(how, n, value, bits);
        lb_store(t, at, other);
        changed |= value != other;
    }
    return changed;
}

/* Halves, and bytes in another order: of elements of more than a byte. */
static bool asks_for_bytes(lb_how how)
{
    return how == LB_LOW_HALF || how == LB_OTHER_BYTE_ORDER;
}

static bool read_form(lb_fault_view *view)
{
    bool changed = false;
    int role = view->run->fault->role;
    if (asks_for_bytes((lb_how)view->run->fault->kind->does.how) &&
        lb_element_bytes(view->run->right->tensors[role][0].el_type) < 2)
        return false;
    for (unsigned i = 0; i < view->call->list_count[role]; i++)
        changed |= change_form(view, role, i);
    return changed;
}

/* Elements of tensors of rank 0 alone: they are held where others have their pointer. */
static bool read_scalar_form(lb_fault_view *view)
{
    bool changed = false;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (lb_fault_role_use(view->call->kernel, role) == LB_USE_INPUT &&
            view->call->tensor[role] && view->call->tensor[role]->rank == 0 &&
            lb_element_bytes(view->call->tensor[role]->el_type) > 1)
            changed |= change_form(view, role, 0);
    return changed;
}

/* The elements of a vector from this one on; or (LB_IN_BLOCK) those behind whole blocks. */
static bool read_vector_as_zero(lb_fault_view *view)
{
    bool changed = false, in_blocks = view->run->fault->kind->does.how == LB_IN_BLOCK;
    lb_tensor *t = lb_view_tensor(view, view->run->fault->role, 0);
    bool is_vector = t && t->rank == 1 && lb_view_own_memory(view, view->run->fault->role, 0, 0);
    uint32_t count = is_vector ? t->shape[0] : 0, n = (uint32_t)view->run->fault->argument;
    for (uint32_t i = in_blocks ? count - count % n : n; i < count; i++) {
        changed |= lb_load(t, lb_offset_of_flat(t, i)) != 0;
        lb_store(t, lb_offset_of_flat(t, i), 0);
    }
    return changed;
}

/* ---- Places ---- */

/* What is added or multiplied beside the main operands, and may be forgotten. */
LB_OWN_ROLES(places_side_operands, LB_NO_DIMS,
             (at->role == LB_ROLE_BIAS || at->role == LB_ROLE_SLOPE ||
              at->role == LB_ROLE_PREV_OUT || at->role == LB_ROLE_CELL) &&
                 lb_reads_data(kernel, at->role),
             0)

/* A number for each channel. */
static bool is_channel_vector(const lb_kernel *kernel, int role)
{
    return (role == LB_ROLE_BIAS || role == LB_ROLE_SLOPE) && lb_reads_data(kernel, role) &&
           !lb_is_recurrent(kernel);
}

LB_OWN_ROLES(places_channel_vectors, LB_NO_DIMS, is_channel_vector(kernel, at->role), 2, 4, 8, 16)
LB_OWN_ROLES(places_channel_vectors_beyond, LB_NO_DIMS, is_channel_vector(kernel, at->role), 1, 2,
             4, 8, 16, 32, 64)

/* ---- Forms of elements ---- */

/* Models that take elements as wide as they come. */
static bool takes_as_they_come(const lb_kernel *kernel, int role)
{
    uint32_t type = lb_type_of_role(kernel, role);
    bool is_weights = lb_role_is_weights((lb_role)role);
    if (!lb_reads_data(kernel, role) || role == LB_ROLE_BIAS)
        return false;
    if (lb_pattern_of(kernel) == LB_PATTERN_DENSE_LISTS)
        return is_weights && type != LB_FX16;
    if (lb_is_recurrent(kernel))
        return is_weights && type == LB_SA8;
    const lb_pattern pattern = lb_pattern_of(kernel);
    return pattern == LB_PATTERN_PAIR || pattern == LB_PATTERN_SLOPES || lb_is_pool(kernel) ||
           lb_has_weights(kernel);
}

LB_OWN_ROLES(places_unsigned, LB_NO_DIMS, takes_as_they_come(kernel, at->role), 0)

/* Elements that wide multipliers take in halves. */
LB_OWN_ROLES(places_halves, LB_NO_DIMS,
             takes_as_they_come(kernel, at->role) &&
                 lb_element_bytes(lb_type_of_role(kernel, at->role)) == 2,
             0)

/* Elements that are compared with one another and stand in no result. */
LB_OWN_ROLES(places_compared, LB_NO_DIMS,
             lb_pattern_of(kernel) == LB_PATTERN_SLICES && lb_reads_data(kernel, at->role), 0)

/* Integers of more bits. */
static bool reads_wider(const lb_kernel *kernel, int role, int32_t bits)
{
    uint32_t type = lb_type_of_role(kernel, role);
    return lb_reads_data(kernel, role) && lb_pattern_of(kernel) != LB_PATTERN_CODES &&
           (type == 0 || 8 * lb_element_bytes(type) > (unsigned)bits);
}

LB_OWN_ROLES(places_wide, LB_NO_DIMS, reads_wider(kernel, at->role, 8), 0)

LB_OWN_ROLES(places_held, LB_NO_DIMS, reads_wider(kernel, at->role, at->argument), 8, 12, 16, 24)

/* Elements that are integers. */
LB_OWN_ROLES(places_integers, LB_NO_DIMS,
             lb_pattern_of(kernel) != LB_PATTERN_CODES && lb_reads_data(kernel, at->role), 0)

/* Operands that may have rank 0, of elements wider than a byte. */
LB_OWN_NUMBERS(wide_scalars,
               (lb_pattern_of(kernel) == LB_PATTERN_PAIR ||
                lb_kernel_role(kernel, LB_ROLE_SLOPE)) &&
                   lb_element_bytes(kernel->in_type) > 1,
               0)

/* ---- The table ---- */

#define LAYOUTS "numerics.md 2; conv.md 6 to 10; recurrent.md 5 to 8; pooling_and_movement.md 1.3"
#define FORMATS "numerics.md 1"

/* Elements in fewer bits than they have: right where they fit. */
#define HOLDING(name_, words_, look_, prior_, places_, place_, how_)                               \
    {                                                                                              \
        LB_CHANGE_OF_CALL("reading." name_, words_, look_, FORMATS, prior_, places_, place_,       \
                          read_form),                                                              \
            .does = {.how = (how_)}, .holds_elements = true                                        \
    }

/* clang-format off */
const lb_fault_kind lb_fault_element_kinds[] = {
    LB_CHANGE_BY("form.unsigned", "reads elements as unsigned numbers", "uint8_t pointers, loads that extend with zeros", FORMATS, 6, places_unsigned, "{role}", read_form, .how = LB_UNSIGNED),
    LB_CHANGE_BY("form.offset", "reads elements as unsigned numbers with an offset of half the range", "kernels made for uint8 data with zero point 128", FORMATS, 3, places_integers, "{role}", read_form, .how = LB_WITH_OFFSET),
    LB_CHANGE_BY("form.size", "compares the absolute values of elements", "instructions for the largest magnitude", FORMATS, 3, places_compared, "{role}", read_form, .how = LB_ABSOLUTE),
    HOLDING("form.low_half", "reads the low half of an element only", "int8_t or int16_t pointers to wider elements, such as a bias of 16 bits", 4, places_wide, "{role}", LB_LOW_HALF),
    HOLDING("form.held", "holds elements in no more than {n} bits, and saturates", "types of buffers", 3, places_held, "{role}, {n}", LB_SATURATES),
    LB_CHANGE_BY("form.halves_signed", "takes both halves of an element with a sign, and does not correct the high one", "v >> 8 beside (int8_t)v: (v - low) >> 8", FORMATS, 3, places_halves, "{role}", read_form, .how = LB_HALVES_SIGNED),
    LB_CHANGE_BY("form.scalar_low_half", "reads the low half of a scalar that a tensor of rank 0 holds", "mem.i8 of an element of 16 bits", FORMATS, 4, wide_scalars, NULL, read_scalar_form, .how = LB_LOW_HALF),
    LB_CHANGE_BY("form.scalar_low_half_unsigned", "reads the low half of a scalar that a tensor of rank 0 holds, without a sign", "a byte of an element of 16 bits", FORMATS, 2, wide_scalars, NULL, read_scalar_form, .how = LB_LOW_HALF_UNSIGNED),
    LB_CHANGE_BY("form.scalar_as_zero", "takes 0 for a scalar that a tensor of rank 0 holds", "where the element of a tensor of rank 0 is", FORMATS, 3, wide_scalars, NULL, read_scalar_form, .how = LB_AS_ZERO),
    LB_CHANGE_BY("form.byte_order", "reads the bytes of an element in the other order", "loads by bytes, big-endian hosts", FORMATS, 2, places_wide, "{role}", read_form, .how = LB_OTHER_BYTE_ORDER),
    LB_CHANGE_BY("zero", "takes 0 for every element of an operand", "operands that are forgotten, or read as absent", LAYOUTS, 5, places_side_operands, "{role}", read_form, .how = LB_AS_ZERO),
    LB_CHANGE_BY("tail_as_zero", "takes 0 for the elements of an operand beyond whole blocks of {n}", "the rest behind a vector loop: it goes without this operand", LAYOUTS, 5, places_channel_vectors, "{role}, {n}", read_vector_as_zero, .how = LB_IN_BLOCK),
    LB_CHANGE_BY("beyond_as_zero", "takes 0 for the elements of an operand from number {n} on", "buffers and counters of fixed size", LAYOUTS, 4, places_channel_vectors_beyond, "{role}, {n}", read_vector_as_zero, .how = LB_NO_MORE),
    {.name = NULL},
};
/* clang-format on */
