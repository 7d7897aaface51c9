/* The configuration of a movement read otherwise. The extents of what is moved stay, so that
 * elements come from other places and go to other places, in the numbers that were asked for. */
#include "harness/faults/reading_runs.h"
#include "harness/faults/views.h"
#include "reference/describe/element_copy.h"
#include "reference/mli/mov_plan.h"

#include <string.h>

/* ---- Configurations read otherwise ---- */

/* No memory but the call's own is touched: places outside of the source are padding to the model,
 * and the destination is checked with its new fields. */
static bool is_sound(const lb_call *call)
{
    const lb_tensor *in = call->tensor[LB_ROLE_IN], *out = call->tensor[LB_ROLE_OUT];
    const lb_config *cfg = &call->config;
    unsigned seen = 0;
    for (uint32_t i = 0; i < in->rank && i < LB_MAX_RANK; i++) {
        if (cfg->perm_dim[i] >= in->rank || (seen >> cfg->perm_dim[i] & 1) != 0)
            return false;
        seen |= 1u << cfg->perm_dim[i];
        lb_mov_dim dim = lb_mov_dim_of(in, cfg, i);
        bool lists = lb_is_per_axis(in) && in->sa.dim == (int32_t)dim.source &&
                     lb_axis_lists_of(out, in) == LB_LISTS_OWN;
        if (cfg->sub_sample_step[dim.source] == 0 || dim.count < 0 ||
            dim.count + dim.dst_skip > UINT32_MAX ||
            (lists && !lb_axis_lists_hold(out, (uint64_t)(dim.count + dim.dst_skip))))
            return false;
    }
    return true;
}

bool lb_read_mov_run_with_fields(lb_fault_view *view, bool changed)
{
    return changed && is_sound(view->call) ? lb_view_run_with_fields(view) : lb_view_drop(view);
}

/* Padding, or what lies outside of the source, as the number 0 rather than as bits. */
bool lb_is_moved(const lb_tensor *in, const lb_config *config, const uint32_t *index,
                 uint32_t *from, bool *inside)
{
    bool moved = true;
    *inside = true;
    for (uint32_t i = 0; i < in->rank && i < LB_MAX_RANK; i++) {
        lb_mov_dim dim = lb_mov_dim_of(in, config, i);
        int64_t j = (int64_t)index[i] - dim.dst_skip, c = lb_mov_coordinate(&dim, j);
        moved = moved && j >= 0 && j < dim.count;
        *inside = *inside && c >= 0 && c < in->shape[dim.source];
        from[dim.source] = *inside ? (uint32_t)c : 0;
    }
    return moved;
}

bool lb_read_mov_padding_as_zero_point(lb_fault_run *run)
{
    if (!lb_fault_has_result(run))
        return false;
    lb_fault_take_right(run);
    const lb_tensor *in = run->right->call.tensor[LB_ROLE_IN];
    lb_tensor *out = &run->out->tensors[LB_ROLE_OUT][0];
    if (!lb_is_sa(in->el_type) || in->sa.dim >= 0 || in->sa.zero_point.mem.i16 == 0)
        return false;
    size_t count = lb_element_count(out), filled = 0;
    for (size_t flat = 0; flat < count; flat++) {
        uint32_t index[LB_MAX_RANK] = {0}, from[LB_MAX_RANK] = {0};
        bool inside;
        lb_unflatten(out, flat, index);
        bool moved = lb_is_moved(in, &run->right->call.config, index, from, &inside);
        if (!moved || inside)
            continue;
        lb_store(out, lb_offset_of(out, index), in->sa.zero_point.mem.i16);
        filled++;
    }
    return filled > 0;
}
