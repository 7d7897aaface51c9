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

static bool change_form(lb_fault_view *view, int role, unsigned i)
{
    lb_tensor *t = lb_view_tensor(view, role, i);
    unsigned bytes = lb_element_bytes(t->el_type);
    int bits = lb_container_bits(t->el_type), n = view->run->fault->argument;
    lb_how how = (lb_how)view->run->fault->kind->does.how;
    bool changed = false, is_wider = how == LB_UNSIGNED;
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
        int64_t value = lb_load(t, at), other = lb_element_changed(how, n, value, bits);
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

bool lb_read_form(lb_fault_run *run)
{
    lb_fault_view view;
    bool changed = false;
    int role = run->fault->role;
    if (asks_for_bytes((lb_how)run->fault->kind->does.how) &&
        lb_element_bytes(run->right->tensors[role][0].el_type) < 2)
        return false;
    if (!lb_view_begin(&view, run))
        return false;
    for (unsigned i = 0; i < view.call->list_count[role]; i++)
        changed |= change_form(&view, role, i);
    return lb_view_run_if(&view, changed);
}

/* Elements of tensors of rank 0 alone: they are held where others have their pointer. */
bool lb_read_scalar_form(lb_fault_run *run)
{
    lb_fault_view view;
    bool changed = false;
    if (!lb_view_begin(&view, run))
        return false;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (lb_fault_role_use(view.call->kernel, role) == LB_USE_INPUT && view.call->tensor[role] &&
            view.call->tensor[role]->rank == 0 &&
            lb_element_bytes(view.call->tensor[role]->el_type) > 1)
            changed |= change_form(&view, role, 0);
    return lb_view_run_if(&view, changed);
}

/* The elements of a vector from this one on; or (LB_IN_BLOCK) those behind whole blocks. */
bool lb_read_vector_as_zero(lb_fault_run *run)
{
    lb_fault_view view;
    bool changed = false, in_blocks = run->fault->kind->does.how == LB_IN_BLOCK;
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
