/* Permute: a copy with the dimensions in another order. Exact in every profile. Spec:
 * pooling_and_movement.md 3. */
#include "describe/element_copy.h"
#include "describe/map_cursor.h"
#include "models.h"

static void move_per_tensor(lb_tensor *out, const lb_tensor *in)
{
    out->sa.dim = -1;
    /* QUIRK: the values alone; capacities of a formerly per-axis out stay */
    out->sa.scale.mem.i16 = in->sa.scale.mem.i16;
    out->sa.zero_point.mem.i16 = in->sa.zero_point.mem.i16;
    out->sa.scale_frac_bits.mem.i8 = in->sa.scale_frac_bits.mem.i8;
}

static void move_per_axis(const lb_call *call)
{
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    lb_axis_lists lists = lb_axis_lists_of(out, in);
    if (lists == LB_LISTS_NULL)
        lb_axis_lists_share(out, in);
    else if (lists == LB_LISTS_OWN)
        for (uint32_t i = 0; i < in->shape[in->sa.dim]; i++)
            lb_axis_entry_set(out, i, lb_quant_at(in, i));
    for (uint32_t k = 0; k < in->rank; k++)
        if (call->config.perm_dim[k] == in->sa.dim)
            out->sa.dim = (int32_t)k;
}

void lb_exact_permute(const lb_context *context, lb_call *call)
{
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    lb_map_cursor e;
    for (bool more = lb_cursor_first(&e, context, call); more; more = lb_cursor_next(&e)) {
        const size_t from = e.offset[LB_MAP_X], to = e.offset[LB_MAP_OUT];
        uint32_t index[LB_MAX_RANK];
        lb_element_copy(out, to, in, from);
        lb_steps *s = lb_steps_at_offset(context->steps, out, to);
        lb_steps_enter(s, LB_PART_SOURCE, "pooling_and_movement.md 3");
        if (s)
            lb_cursor_index(&e, LB_MAP_X, index);
        lb_element_tell_copy(s, out, to, in, from, index);
    }
    if (lb_is_fx(in->el_type))
        out->frac_bits = in->frac_bits;
    else if (lb_is_per_axis(in))
        move_per_axis(call);
    else
        move_per_tensor(out, in);
}
