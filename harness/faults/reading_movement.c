/* The configuration of a movement read otherwise. The extents of what is moved stay, so that
 * elements come from other places and go to other places, in the numbers that were asked for. */
#include "harness/faults/reading_runs.h"
#include "harness/faults/views.h"
#include "reference/mov_plan.h"

#include <string.h>

/* ---- Fields with a number for each dimension ---- */

typedef enum moved_field { OFFSET, SIZE, STEP, DST_OFFSET, PADDING } moved_field;

/* Paddings are two fields. */
static uint32_t get(const lb_config *cfg, moved_field field, uint32_t d)
{
    switch (field) {
    case OFFSET:
        return cfg->offset[d];
    case SIZE:
        return cfg->size[d];
    case STEP:
        return cfg->sub_sample_step[d];
    case DST_OFFSET:
        return cfg->dst_offset[d];
    default:
        return cfg->padding_pre[d] * 256u + cfg->padding_post[d];
    }
}

static void set(lb_config *cfg, moved_field field, uint32_t d, uint32_t value)
{
    switch (field) {
    case OFFSET:
        cfg->offset[d] = value;
        break;
    case SIZE:
        cfg->size[d] = value;
        break;
    case STEP:
        cfg->sub_sample_step[d] = value;
        break;
    case DST_OFFSET:
        cfg->dst_offset[d] = value;
        break;
    case PADDING:
        cfg->padding_pre[d] = (uint8_t)(value / 256u);
        cfg->padding_post[d] = (uint8_t)(value % 256u);
        break;
    }
}

/* Says in `size` what the movement comes to: then other fields may change without it. */
static void fix_extents(lb_fault_view *view)
{
    lb_config *cfg = &view->call->config;
    const lb_tensor *in = view->call->tensor[LB_ROLE_IN];
    for (uint32_t d = 0; d < in->rank; d++)
        if (cfg->size[d] == 0)
            cfg->size[d] = in->shape[d] - cfg->offset[d] + cfg->padding_pre[d] +
                           (uint32_t)cfg->padding_post[d];
}

static bool begin(lb_fault_view *view, lb_fault_run *run)
{
    if (!lb_view_begin(view, run))
        return false;
    fix_extents(view);
    view->call->status = LB_OK;
    return true;
}

static bool end(lb_fault_view *view, bool changed)
{
    return lb_view_run_if(view, changed && lb_view_is_accepted(view));
}

static bool run_ignored(lb_fault_run *run, moved_field field, uint32_t neutral)
{
    lb_fault_view view;
    uint32_t d = (uint32_t)run->fault->dim;
    if (!begin(&view, run))
        return false;
    bool changed = get(&view.call->config, field, d) != neutral;
    set(&view.call->config, field, d, neutral);
    return end(&view, changed && d < view.call->tensor[LB_ROLE_IN]->rank);
}

static bool run_swapped(lb_fault_run *run, moved_field field)
{
    lb_fault_view view;
    uint32_t d = (uint32_t)run->fault->dim;
    if (!begin(&view, run))
        return false;
    lb_config *cfg = &view.call->config;
    uint32_t own = get(cfg, field, d), next = get(cfg, field, d + 1);
    set(cfg, field, d, next);
    set(cfg, field, d + 1, own);
    return end(&view, own != next && d + 1 < view.call->tensor[LB_ROLE_IN]->rank);
}

/* Numbers that count in the dimensions of one side taken for those of the other. */
static bool run_other_side(lb_fault_run *run, moved_field field, bool is_of_destination)
{
    lb_fault_view view;
    bool changed = false;
    if (!begin(&view, run))
        return false;
    lb_config *cfg = &view.call->config, given = *cfg;
    for (uint32_t i = 0; i < view.call->tensor[LB_ROLE_IN]->rank; i++) {
        uint32_t d = given.perm_dim[i];
        uint32_t own = get(&given, field, is_of_destination ? i : d);
        uint32_t other = get(&given, field, is_of_destination ? d : i);
        set(cfg, field, is_of_destination ? i : d, other);
        changed |= own != other;
    }
    /* An offset beyond the source reads what is not there as padding; the model does so as well. */
    return field == OFFSET ? lb_view_run_if(&view, changed) : end(&view, changed);
}

#define FIELD_READINGS(name, field, neutral, is_of_destination)                                    \
    bool lb_read_mov_##name##_ignored(lb_fault_run *run)                                           \
    {                                                                                              \
        return run_ignored(run, field, neutral);                                                   \
    }                                                                                              \
    bool lb_read_mov_##name##_swapped(lb_fault_run *run)                                           \
    {                                                                                              \
        return run_swapped(run, field);                                                            \
    }                                                                                              \
    bool lb_read_mov_##name##_other_side(lb_fault_run *run)                                        \
    {                                                                                              \
        return run_other_side(run, field, is_of_destination);                                      \
    }

FIELD_READINGS(offset, OFFSET, 0, false)
FIELD_READINGS(size, SIZE, 0, false)
FIELD_READINGS(step, STEP, 1, false)
FIELD_READINGS(dst_offset, DST_OFFSET, 0, true)
FIELD_READINGS(padding, PADDING, 0, false)

/* ---- Others ---- */

bool lb_read_mov_padding_ends_swapped(lb_fault_run *run)
{
    lb_fault_view view;
    uint32_t d = (uint32_t)run->fault->dim;
    if (!begin(&view, run))
        return false;
    lb_config *cfg = &view.call->config;
    uint8_t before = cfg->padding_pre[d];
    bool changed = before != cfg->padding_post[d];
    cfg->padding_pre[d] = cfg->padding_post[d];
    cfg->padding_post[d] = before;
    return end(&view, changed && d < view.call->tensor[LB_ROLE_IN]->rank);
}

/* The source is stepped through from the padding on, or the offset counts steps. */
bool lb_read_mov_offset_in_steps(lb_fault_run *run)
{
    lb_fault_view view;
    uint32_t d = (uint32_t)run->fault->dim;
    if (!begin(&view, run))
        return false;
    lb_config *cfg = &view.call->config;
    uint32_t own = cfg->offset[d];
    cfg->offset[d] = own * cfg->sub_sample_step[d];
    return end(&view, own != cfg->offset[d] && d < view.call->tensor[LB_ROLE_IN]->rank);
}

static bool run_permutation(lb_fault_run *run, bool inverted)
{
    lb_fault_view view;
    bool changed = false;
    if (!begin(&view, run))
        return false;
    lb_config *cfg = &view.call->config, given = *cfg;
    for (uint8_t i = 0; i < view.call->tensor[LB_ROLE_IN]->rank; i++)
        if (inverted)
            cfg->perm_dim[given.perm_dim[i]] = i;
        else
            cfg->perm_dim[i] = i;
    changed = memcmp(cfg->perm_dim, given.perm_dim, sizeof cfg->perm_dim) != 0;
    return end(&view, changed);
}

bool lb_read_mov_permutation_ignored(lb_fault_run *run)
{
    return run_permutation(run, false);
}

bool lb_read_mov_permutation_inverted(lb_fault_run *run)
{
    return run_permutation(run, true);
}

/* Padding, or what lies outside of the source, as the number 0 rather than as bits. */
bool lb_is_moved(const lb_tensor *in, const lb_config *config, const uint32_t *index,
                 uint32_t *from, bool *inside)
{
    bool moved = true;
    *inside = true;
    for (uint32_t i = 0; i < in->rank; i++) {
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
