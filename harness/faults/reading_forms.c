/* Elements read in another form: without a sign, in part, held in fewer bits, as zero. */
#include "harness/faults/reading_runs.h"
#include "harness/faults/views.h"
#include "reference/core/arith.h"

/* Gives what is read where `value` stands, in an element of `bits`. */
typedef int64_t (*form_fn)(int64_t value, int bits);

static int64_t as_unsigned(int64_t value, int bits)
{
    return value < 0 ? value + ((int64_t)1 << bits) : value;
}

static int64_t as_offset(int64_t value, int bits)
{
    int64_t half = (int64_t)1 << (bits - 1);
    return value < 0 ? value + half : value - half;
}

static int64_t low_half(int64_t value, int bits)
{
    int64_t size = (int64_t)1 << (bits / 2);
    int64_t low = (value % size + size) % size;
    return low >= size / 2 ? low - size : low;
}

static int64_t other_byte_order(int64_t value, int bits)
{
    int64_t result = 0, rest = as_unsigned(value, bits);
    for (int done = 0; done < bits; done += 8, rest >>= 8)
        result = result << 8 | (rest & 0xFF);
    return result >= (int64_t)1 << (bits - 1) ? result - ((int64_t)1 << bits) : result;
}

static int64_t zero(int64_t value, int bits)
{
    (void)value, (void)bits;
    return 0;
}

#define HELD(n)                                                                                    \
    static int64_t held_in_##n(int64_t value, int bits)                                            \
    {                                                                                              \
        (void)bits;                                                                                \
        return lb_sat(value, n);                                                                   \
    }
HELD(8)
HELD(12)
HELD(16)
HELD(24)

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

static bool change_form(lb_fault_view *view, int role, unsigned i, form_fn form, bool is_wider)
{
    lb_tensor *t = lb_view_tensor(view, role, i);
    unsigned bytes = lb_element_bytes(t->el_type);
    int bits = lb_container_bits(t->el_type);
    bool changed = false;
    if (bytes == 0 || t->el_type == LB_FP32)
        return false;
    if (t->rank == 0) {
        int32_t value = lb_load(t, 0);
        int64_t other = is_wider ? value : form(value, bits);
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
        int64_t value = lb_load(t, at), other = form(value, bits);
        lb_store(t, at, other);
        changed |= value != other;
    }
    return changed;
}

static bool run_form(lb_fault_run *run, form_fn form, bool is_wider)
{
    lb_fault_view view;
    bool changed = false;
    if (!lb_view_begin(&view, run))
        return false;
    int role = run->fault->role;
    for (unsigned i = 0; i < view.call->list_count[role]; i++)
        changed |= change_form(&view, role, i, form, is_wider);
    return lb_view_run_if(&view, changed);
}

bool lb_read_as_unsigned(lb_fault_run *run)
{
    return run_form(run, as_unsigned, true);
}

bool lb_read_as_offset(lb_fault_run *run)
{
    return run_form(run, as_offset, false);
}

bool lb_read_low_half(lb_fault_run *run)
{
    const lb_tensor *t = &run->right->tensors[run->fault->role][0];
    return lb_element_bytes(t->el_type) > 1 && run_form(run, low_half, false);
}

bool lb_read_held(lb_fault_run *run)
{
    switch (run->fault->argument) {
    case 8:
        return run_form(run, held_in_8, false);
    case 12:
        return run_form(run, held_in_12, false);
    case 16:
        return run_form(run, held_in_16, false);
    default:
        return run_form(run, held_in_24, false);
    }
}

/* Elements of tensors of rank 0 alone: they are held where others have their pointer. */
static bool run_scalar_form(lb_fault_run *run, form_fn form)
{
    lb_fault_view view;
    bool changed = false;
    if (!lb_view_begin(&view, run))
        return false;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (lb_fault_role_use(view.call->kernel, role) == LB_USE_INPUT && view.call->tensor[role] &&
            view.call->tensor[role]->rank == 0 &&
            lb_element_bytes(view.call->tensor[role]->el_type) > 1)
            changed |= change_form(&view, role, 0, form, false);
    return lb_view_run_if(&view, changed);
}

bool lb_read_scalar_low_half(lb_fault_run *run)
{
    return run_scalar_form(run, low_half);
}

static int64_t low_half_unsigned(int64_t value, int bits)
{
    return as_unsigned(value, bits) % ((int64_t)1 << (bits / 2));
}

bool lb_read_scalar_low_half_unsigned(lb_fault_run *run)
{
    return run_scalar_form(run, low_half_unsigned);
}

bool lb_read_scalar_as_zero(lb_fault_run *run)
{
    return run_scalar_form(run, zero);
}

bool lb_read_byte_order(lb_fault_run *run)
{
    const lb_tensor *t = &run->right->tensors[run->fault->role][0];
    return lb_element_bytes(t->el_type) > 1 && run_form(run, other_byte_order, false);
}

bool lb_read_as_zero(lb_fault_run *run)
{
    return run_form(run, zero, false);
}

/* The elements of a vector from this one on. */
static bool run_vector_as_zero(lb_fault_run *run, bool in_blocks)
{
    lb_fault_view view;
    bool changed = false;
    if (!lb_view_begin(&view, run))
        return false;
    lb_tensor *t = lb_view_tensor(&view, run->fault->role, 0);
    bool is_vector = t && t->rank == 1 && lb_view_own_memory(&view, run->fault->role, 0, 0);
    uint32_t count = is_vector ? t->shape[0] : 0, n = (uint32_t)run->fault->argument;
    for (uint32_t i = in_blocks ? count - count % n : n; i < count; i++) {
        changed |= lb_load(t, lb_offset_of_flat(t, i)) != 0;
        lb_store(t, lb_offset_of_flat(t, i), 0);
    }
    return lb_view_run_if(&view, changed);
}

bool lb_read_tail_as_zero(lb_fault_run *run)
{
    return run_vector_as_zero(run, true);
}

bool lb_read_beyond_as_zero(lb_fault_run *run)
{
    return run_vector_as_zero(run, false);
}
