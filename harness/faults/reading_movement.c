/* The configuration of a movement read otherwise. The extents of what is moved stay, so that
 * elements come from other places and go to other places, in the numbers that were asked for. */
#include "harness/faults/reading_runs.h"
#include "harness/faults/views.h"
#include "reference/describe/element_copy.h"
#include "reference/mli/mov_plan.h"

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
static void fix_extents(const lb_tensor *in, lb_config *cfg)
{
    for (uint32_t d = 0; d < in->rank && d < LB_MAX_RANK; d++)
        if (cfg->size[d] == 0)
            cfg->size[d] = in->shape[d] - cfg->offset[d] + cfg->padding_pre[d] +
                           (uint32_t)cfg->padding_post[d];
}

static const lb_tensor *source_of(const lb_fault_run *run)
{
    return run->right->call.tensor[LB_ROLE_IN];
}

/* The configuration of the call, for a fault to change. */
static bool begin(const lb_fault_run *run, lb_config *cfg)
{
    if (!lb_fault_has_result(run))
        return false;
    *cfg = run->test_case->config;
    fix_extents(source_of(run), cfg);
    return true;
}

/* Where the elements of out may lie. */
typedef struct destination {
    lb_tensor *out;
    unsigned char *data;
    size_t bytes, room; /* of an element, behind the first one */
} destination;

static bool find_destination(const lb_fault_run *run, destination *to)
{
    unsigned buffer = 0;
    size_t offset = 0;
    to->out = &run->out->tensors[LB_ROLE_OUT][0];
    to->data = to->out->data.mem.ptr;
    to->bytes = lb_storage_bytes(to->out->el_type);
    if (to->bytes == 0 || !lb_instance_locate(run->out, to->data, &buffer, &offset))
        return false;
    to->room = run->out->memory->buffers[buffer].size_bytes - offset;
    return true;
}

static bool has_room(const destination *to, size_t at)
{
    return (at + 1) * to->bytes <= to->room;
}

/* Elements as they were before the call. */
static void take_back(const lb_fault_run *run, const destination *to)
{
    const unsigned char *given = run->before->block + (to->data - run->out->block);
    size_t count = lb_element_count(to->out);
    for (size_t flat = 0; flat < count; flat++) {
        size_t at = lb_offset_of_flat(to->out, flat);
        if (has_room(to, at))
            memcpy(to->data + at * to->bytes, given + at * to->bytes, to->bytes);
    }
}

/* The element at `j` of the counts. */
static void move_one(const lb_tensor *in, const lb_mov_dim *dims, const int64_t *j,
                     const destination *to)
{
    uint32_t from[LB_MAX_RANK] = {0}, index[LB_MAX_RANK] = {0};
    bool inside = true;
    for (uint32_t i = 0; i < in->rank && i < LB_MAX_RANK; i++) {
        int64_t c = lb_mov_coordinate(&dims[i], j[i]);
        inside = inside && c >= 0 && c < in->shape[dims[i].source];
        from[dims[i].source] = inside ? (uint32_t)c : 0;
        index[i] = (uint32_t)(j[i] + dims[i].dst_skip);
    }
    size_t at = lb_offset_of(to->out, index);
    if (!has_room(to, at))
        return;
    if (inside)
        lb_element_copy(to->out, at, in, lb_offset_of(in, from));
    else
        lb_element_clear(to->out, at);
}

static void move_all(const lb_tensor *in, const lb_config *cfg, const destination *to)
{
    lb_mov_dim dims[LB_MAX_RANK];
    int64_t j[LB_MAX_RANK] = {0}, count = 1;
    for (uint32_t i = 0; i < in->rank && i < LB_MAX_RANK; i++) {
        dims[i] = lb_mov_dim_of(in, cfg, i);
        count = dims[i].count > 0 ? count * dims[i].count : 0;
    }
    for (; count > 0; count--) {
        move_one(in, dims, j, to);
        for (uint32_t i = in->rank; i-- > 0 && ++j[i] == dims[i].count;)
            j[i] = 0;
    }
}

/* As many elements as should be moved come from and go to where this configuration says. Fields are
 * right: the fault is in how data are moved. What lies outside of the source is padding. */
static bool end(lb_fault_run *run, const lb_config *cfg, bool changed)
{
    const lb_tensor *in = source_of(run);
    destination to;
    if (!changed)
        return false;
    for (uint32_t d = 0; d < in->rank && d < LB_MAX_RANK; d++)
        if (cfg->sub_sample_step[d] == 0 || cfg->perm_dim[d] >= in->rank)
            return false;
    lb_fault_take_right(run);
    if (!find_destination(run, &to))
        return false;
    take_back(run, &to);
    if (lb_mov_is_whole_copy(in, cfg, to.out))
        for (size_t i = 0; i < lb_element_count(in); i++)
            lb_element_copy(to.out, i, in, i);
    else
        move_all(in, cfg, &to);
    return true;
}

/* ---- Configurations read otherwise ---- */

/* Changes the configuration as the fault has it; false: it is as it was. */
typedef bool change_fn(const lb_fault *fault, const lb_tensor *in, lb_config *cfg);

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

/* Argument 0: the numbers of elements stay, and what is moved changes; 1: they follow. */
static bool run_changed(lb_fault_run *run, change_fn *change)
{
    lb_fault_view view;
    lb_config cfg;
    if (run->fault->argument == 0)
        return begin(run, &cfg) && end(run, &cfg, change(run->fault, source_of(run), &cfg));
    if (!lb_view_begin(&view, run))
        return false;
    bool changed = change(run->fault, view.call->tensor[LB_ROLE_IN], &view.call->config);
    return lb_read_mov_run_with_fields(&view, changed);
}

/* Dimension LB_MAX_RANK: all of them. */
static bool is_meant(const lb_fault *fault, uint32_t d)
{
    return fault->dim == LB_MAX_RANK || (uint32_t)fault->dim == d;
}

static bool ignore(const lb_fault *fault, const lb_tensor *in, lb_config *cfg, moved_field field,
                   uint32_t neutral)
{
    bool changed = false;
    for (uint32_t d = 0; d < in->rank && d < LB_MAX_RANK; d++)
        if (is_meant(fault, d)) {
            changed |= get(cfg, field, d) != neutral;
            set(cfg, field, d, neutral);
        }
    return changed;
}

static bool swap(const lb_fault *fault, const lb_tensor *in, lb_config *cfg, moved_field field)
{
    uint32_t d = (uint32_t)fault->dim;
    if (d + 1 >= in->rank)
        return false;
    uint32_t own = get(cfg, field, d), next = get(cfg, field, d + 1);
    set(cfg, field, d, next);
    set(cfg, field, d + 1, own);
    return own != next;
}

/* Numbers that count in the dimensions of one side taken for those of the other. */
static bool take_other_side(const lb_tensor *in, lb_config *cfg, moved_field field,
                            bool is_of_destination)
{
    const lb_config given = *cfg;
    bool changed = false;
    for (uint32_t i = 0; i < in->rank && i < LB_MAX_RANK; i++) {
        uint32_t d = given.perm_dim[i];
        uint32_t own = get(&given, field, is_of_destination ? i : d);
        uint32_t other = get(&given, field, is_of_destination ? d : i);
        set(cfg, field, is_of_destination ? i : d, other);
        changed |= own != other;
    }
    return changed;
}

#define READING(name)                                                                              \
    bool lb_read_mov_##name(lb_fault_run *run)                                                     \
    {                                                                                              \
        return run_changed(run, name);                                                             \
    }

#define FIELD_READINGS(name, field, neutral, is_of_destination)                                    \
    static bool name##_ignored(const lb_fault *fault, const lb_tensor *in, lb_config *cfg)         \
    {                                                                                              \
        return ignore(fault, in, cfg, field, neutral);                                             \
    }                                                                                              \
    static bool name##_swapped(const lb_fault *fault, const lb_tensor *in, lb_config *cfg)         \
    {                                                                                              \
        return swap(fault, in, cfg, field);                                                        \
    }                                                                                              \
    static bool name##_other_side(const lb_fault *fault, const lb_tensor *in, lb_config *cfg)      \
    {                                                                                              \
        (void)fault;                                                                               \
        return take_other_side(in, cfg, field, is_of_destination);                                 \
    }                                                                                              \
    READING(name##_ignored)                                                                        \
    READING(name##_swapped)                                                                        \
    READING(name##_other_side)

FIELD_READINGS(offset, OFFSET, 0, false)
FIELD_READINGS(size, SIZE, 0, false)
FIELD_READINGS(step, STEP, 1, false)
FIELD_READINGS(dst_offset, DST_OFFSET, 0, true)
FIELD_READINGS(padding, PADDING, 0, false)

/* ---- Others ---- */

static bool padding_ends_swapped(const lb_fault *fault, const lb_tensor *in, lb_config *cfg)
{
    bool changed = false;
    for (uint32_t d = 0; d < in->rank && d < LB_MAX_RANK; d++)
        if (is_meant(fault, d)) {
            uint8_t before = cfg->padding_pre[d];
            changed |= before != cfg->padding_post[d];
            cfg->padding_pre[d] = cfg->padding_post[d];
            cfg->padding_post[d] = before;
        }
    return changed;
}

/* The source is stepped through from the padding on, or the offset counts steps. */
static bool offset_in_steps(const lb_fault *fault, const lb_tensor *in, lb_config *cfg)
{
    bool changed = false;
    for (uint32_t d = 0; d < in->rank && d < LB_MAX_RANK; d++)
        if (is_meant(fault, d)) {
            uint32_t own = cfg->offset[d];
            cfg->offset[d] = own * cfg->sub_sample_step[d];
            changed |= cfg->offset[d] != own;
        }
    return changed;
}

/* The padding before moves the source the other way. */
static bool padding_added(const lb_fault *fault, const lb_tensor *in, lb_config *cfg)
{
    bool changed = false;
    for (uint32_t d = 0; d < in->rank && d < LB_MAX_RANK; d++)
        if (is_meant(fault, d)) {
            changed |= cfg->padding_pre[d] != 0;
            cfg->offset[d] += 2 * (uint32_t)cfg->padding_pre[d];
        }
    return changed;
}

static bool permutation_ignored(const lb_fault *fault, const lb_tensor *in, lb_config *cfg)
{
    bool changed = false;
    (void)fault;
    for (uint8_t i = 0; i < in->rank && i < LB_MAX_RANK; i++) {
        changed |= cfg->perm_dim[i] != i;
        cfg->perm_dim[i] = i;
    }
    return changed;
}

static bool permutation_inverted(const lb_fault *fault, const lb_tensor *in, lb_config *cfg)
{
    const lb_config given = *cfg;
    (void)fault;
    for (uint8_t i = 0; i < in->rank && i < LB_MAX_RANK; i++)
        cfg->perm_dim[given.perm_dim[i]] = i;
    return memcmp(cfg->perm_dim, given.perm_dim, in->rank) != 0;
}

READING(padding_ends_swapped)
READING(offset_in_steps)
READING(padding_added)
READING(permutation_ignored)
READING(permutation_inverted)

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
