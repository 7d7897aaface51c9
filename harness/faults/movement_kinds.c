/* Movement: how far it goes, what stands in padding, strides and lists of parameters of the
 * destination. The extents of what is moved stay, so that elements come from other places and go to
 * other places, in the numbers that were asked for. */
#include "harness/faults/reading_runs.h"
#include "harness/faults/views.h"
#include "reference/describe/element_copy.h"
#include "reference/mli/mov_plan.h"

#include <stdlib.h>
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

/* Does the movement write the output's element at `index`? From the input's element at `from`, or,
 * not `inside`, as padding. */
static bool is_moved(const lb_tensor *in, const lb_config *config, const uint32_t *index,
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

/* ---- The extent ---- */

typedef uint32_t (*extent_fn)(const lb_config *cfg, const lb_tensor *in, uint32_t d);

/* Another number of elements along each dimension, fields and all. */
static bool run_extent(lb_fault_run *run, extent_fn extent)
{
    lb_fault_view view;
    bool changed = false;
    if (!lb_view_begin(&view, run))
        return false;
    lb_config *cfg = &view.call->config;
    const lb_tensor *in = view.call->tensor[LB_ROLE_IN];
    for (uint32_t d = 0; d < in->rank; d++) {
        uint32_t whole = in->shape[d] - cfg->offset[d] + cfg->padding_pre[d] + cfg->padding_post[d];
        uint32_t due = cfg->size[d] != 0 ? cfg->size[d] : whole, other = extent(cfg, in, d);
        if (other == 0 || other == due)
            continue;
        cfg->size[d] = other;
        changed = true;
    }
    return lb_read_mov_run_with_fields(&view, changed);
}

/* Only whole steps count. */
static uint32_t whole_steps(const lb_config *cfg, const lb_tensor *in, uint32_t d)
{
    uint32_t step = cfg->sub_sample_step[d] > 0 ? cfg->sub_sample_step[d] : 1;
    uint32_t due = cfg->size[d] != 0 ? cfg->size[d]
                                     : in->shape[d] - cfg->offset[d] + cfg->padding_pre[d] +
                                           (uint32_t)cfg->padding_post[d];
    return due / step * step;
}

/* The size names the end of what is moved. */
static uint32_t up_to_size(const lb_config *cfg, const lb_tensor *in, uint32_t d)
{
    (void)in;
    return cfg->size[d] > cfg->offset[d] ? cfg->size[d] - cfg->offset[d] : 0;
}

/* The size counts what is left after subsampling. */
static uint32_t size_in_steps(const lb_config *cfg, const lb_tensor *in, uint32_t d)
{
    (void)in;
    return cfg->size[d] < UINT16_MAX ? cfg->size[d] * cfg->sub_sample_step[d] : 0;
}

#define UNSIZED(name, count)                                                                       \
    static uint32_t name(const lb_config *cfg, const lb_tensor *in, uint32_t d)                    \
    {                                                                                              \
        uint32_t length = in->shape[d], offset = cfg->offset[d];                                   \
        uint32_t pre = cfg->padding_pre[d], post = cfg->padding_post[d];                           \
        (void)length, (void)offset, (void)pre, (void)post;                                         \
        return cfg->size[d] != 0 ? cfg->size[d] : (count);                                         \
    }

UNSIZED(without_offset, length + pre + post)
UNSIZED(without_padding, length > offset ? length - offset : 0)
UNSIZED(without_padding_before, length + post > offset ? length + post - offset : 0)
UNSIZED(without_padding_after, length + pre > offset ? length + pre - offset : 0)
UNSIZED(without_padding_after_offset,
        offset > 0 ? (length + pre > offset ? length + pre - offset : 0) : length + pre + post)

#define EXTENT_RUN(name)                                                                           \
    static bool run_##name(lb_fault_run *run)                                                      \
    {                                                                                              \
        return run_extent(run, name);                                                              \
    }

EXTENT_RUN(whole_steps)
EXTENT_RUN(up_to_size)
EXTENT_RUN(size_in_steps)
EXTENT_RUN(without_offset)
EXTENT_RUN(without_padding)
EXTENT_RUN(without_padding_before)
EXTENT_RUN(without_padding_after)
EXTENT_RUN(without_padding_after_offset)

/* ---- Strides of the destination ---- */

/* Strides of a packed tensor of what is moved: the offset in the destination is left out. */
static bool dst_packed_without_offset(lb_fault_run *run)
{
    lb_fault_view view;
    bool changed = false;
    if (!lb_view_begin(&view, run))
        return false;
    lb_config *cfg = &view.call->config;
    const lb_tensor *in = view.call->tensor[LB_ROLE_IN], *out = view.call->tensor[LB_ROLE_OUT];
    int64_t packed = 1;
    for (uint32_t i = in->rank; i-- > 0;) {
        lb_mov_dim dim = lb_mov_dim_of(in, cfg, i);
        if (dim.count < 0 || packed > INT32_MAX)
            return lb_view_drop(&view);
        if (cfg->dst_mem_stride[i] == 0 && out->mem_stride[i] == 0)
            cfg->dst_mem_stride[i] = (int32_t)packed;
        changed |= dim.dst_skip != 0;
        packed = (cfg->dst_mem_stride[i] != 0 ? cfg->dst_mem_stride[i] : out->mem_stride[i]) *
                 (dim.count < INT32_MAX ? dim.count : INT32_MAX);
    }
    return lb_read_mov_run_with_fields(&view, changed);
}

static bool own_stride_ignored(lb_fault_run *run)
{
    lb_fault_view view;
    if (!lb_view_begin(&view, run))
        return false;
    lb_tensor *out = view.call->tensor[LB_ROLE_OUT];
    bool changed = false;
    for (uint32_t d = 0; d < LB_MAX_RANK; d++) {
        changed |= out->mem_stride[d] != 0;
        out->mem_stride[d] = 0;
    }
    if (!changed)
        return lb_view_drop(&view);
    return lb_view_run_with_fields(&view);
}

/* ---- The part where the original copies everything ---- */

static void move_part(const lb_tensor *in, const lb_config *cfg, lb_tensor *out)
{
    size_t count = lb_element_count(out);
    for (size_t flat = 0; flat < count; flat++) {
        uint32_t index[LB_MAX_RANK] = {0}, from[LB_MAX_RANK] = {0};
        bool inside;
        lb_unflatten(out, flat, index);
        bool moved = is_moved(in, cfg, index, from, &inside);
        if (moved)
            lb_store(out, lb_offset_of(out, index),
                     inside ? lb_load(in, lb_offset_of(in, from)) : 0);
    }
}

static bool part_alone(lb_fault_run *run)
{
    lb_fault_view view;
    if (!lb_view_begin(&view, run))
        return false;
    lb_call *call = view.call;
    lb_context context = {.profile = run->profile};
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    if (lb_element_bytes(in->el_type) == 0 || in->el_type == LB_FP32)
        return lb_view_drop(&view);
    lb_arena scratch = {0};
    unsigned char *before = lb_arena_alloc(&scratch, run->out->memory->block_bytes);
    memcpy(before, run->out->block, run->out->memory->block_bytes);
    lb_model_exact(&context, call);
    lb_tensor out = *call->tensor[LB_ROLE_OUT];
    /* fields and lists as the model leaves them, elements anew */
    unsigned buffer = 0;
    size_t offset = 0;
    bool found = lb_instance_locate(run->out, out.data.mem.ptr, &buffer, &offset);
    if (found) {
        const lb_buffer *b = &run->out->memory->buffers[buffer];
        memcpy(run->out->block + b->offset, before + b->offset, b->size_bytes);
        move_part(in, &call->config, &out);
    }
    lb_arena_free(&scratch);
    return found ? lb_view_end_with_fields(&view) : lb_view_drop(&view);
}

/* Where everything is copied: as many bytes as there are elements. */
static bool whole_copy_in_bytes(lb_fault_run *run)
{
    if (!lb_fault_has_result(run))
        return false;
    const lb_tensor *right = &run->right->tensors[LB_ROLE_OUT][0];
    const lb_tensor *in = run->right->call.tensor[LB_ROLE_IN];
    size_t count = lb_element_count(right), bytes = lb_storage_bytes(right->el_type);
    if (!lb_mov_is_whole_copy(in, &run->test_case->config, right) || bytes < 2)
        return false;
    lb_fault_take_right(run);
    unsigned char *data = run->out->tensors[LB_ROLE_OUT][0].data.mem.ptr;
    memcpy(data + count, run->before->block + (data - run->out->block) + count,
           count * (bytes - 1));
    return true;
}

/* What stands where there is no source: what the destination had, or the zero point. */
enum { AS_GIVEN, THE_ZERO_POINT };

static bool run_outside(lb_fault_run *run)
{
    const bool is_given = run->fault->kind->does.at == AS_GIVEN;
    if (!lb_fault_has_result(run))
        return false;
    lb_fault_take_right(run);
    const lb_tensor *in = run->right->call.tensor[LB_ROLE_IN];
    lb_tensor *out = &run->out->tensors[LB_ROLE_OUT][0];
    const bool has_zero_point =
        lb_is_sa(in->el_type) && in->sa.dim < 0 && in->sa.zero_point.mem.i16 != 0;
    unsigned char *data = out->data.mem.ptr;
    unsigned bytes = lb_storage_bytes(out->el_type), buffer = 0;
    size_t offset = 0, count = lb_element_count(out), changed = 0;
    if (bytes == 0 || out->rank == 0 || !(is_given || has_zero_point) ||
        !lb_instance_locate(run->out, data, &buffer, &offset))
        return false;
    const unsigned char *given = run->before->block + (data - run->out->block);
    for (size_t flat = 0; flat < count; flat++) {
        uint32_t index[LB_MAX_RANK] = {0}, from[LB_MAX_RANK] = {0};
        bool inside;
        lb_unflatten(out, flat, index);
        bool moved = is_moved(in, &run->right->call.config, index, from, &inside);
        size_t at = lb_offset_of(out, index);
        if (!moved || inside ||
            offset + (at + 1) * bytes > run->out->memory->buffers[buffer].size_bytes)
            continue;
        if (is_given)
            memcpy(data + at * bytes, given + at * bytes, bytes);
        else
            lb_store(out, at, in->sa.zero_point.mem.i16);
        changed++;
    }
    return changed > 0;
}

/* ---- Lists of parameters alone moved otherwise ---- */

static int64_t list_coordinate(const lb_tensor *in, const lb_config *cfg, int64_t j)
{
    lb_mov_dim dim =
        lb_mov_dim_of(in, cfg, lb_mov_destination_of(cfg, in->rank, (uint32_t)in->sa.dim));
    return lb_mov_coordinate(&dim, j);
}

/* Entries of out's own lists as a movement with this configuration would fetch them; NULL: with its
 * own, and 0 for the scale outside. */
bool lb_read_mov_run_lists(lb_fault_run *run, const lb_config *cfg)
{
    const bool outside_zero = !cfg;
    if (!lb_fault_has_result(run))
        return false;
    lb_fault_take_right(run);
    const lb_tensor *in = &run->out->tensors[LB_ROLE_IN][0];
    lb_tensor *out = &run->out->tensors[LB_ROLE_OUT][0];
    if (!lb_is_sa(in->el_type) || in->sa.dim < 0 || out->sa.dim < 0 ||
        out->sa.scale.mem.ptr == in->sa.scale.mem.ptr)
        return false;
    const lb_config *given = &run->test_case->config;
    const uint32_t axis = lb_mov_destination_of(given, in->rank, (uint32_t)in->sa.dim);
    const lb_mov_dim own = lb_mov_dim_of(in, given, axis);
    for (int64_t j = 0; j < own.count; j++) {
        int64_t from = list_coordinate(in, cfg ? cfg : given, j);
        bool inside = from >= 0 && from < in->shape[in->sa.dim];
        lb_quant quant =
            inside ? lb_quant_at(in, (uint32_t)from) : (lb_quant){outside_zero ? 0 : 1, 0, 0};
        int64_t at = j + (cfg ? cfg : given)->dst_offset[axis];
        if (at < 0 || at >= out->shape[out->sa.dim])
            continue;
        out->sa.scale.mem.pi16[at] = (int16_t)quant.scale;
        out->sa.zero_point.mem.pi16[at] = (int16_t)quant.zero_point;
        out->sa.scale_frac_bits.mem.pi8[at] = (int8_t)quant.frac;
    }
    return memcmp(run->out->block, run->right->block, run->right->memory->block_bytes) != 0;
}

static bool lists_zero_outside(lb_fault_run *run)
{
    return lb_read_mov_run_lists(run, NULL);
}

/* ---- The table ---- */

#define MOVEMENT "pooling_and_movement.md 4.1, 4.2"
#define EXTENT(name_, words_, prior_, run_)                                                        \
    LB_READING("mov.extent." name_, words_,                                                        \
               "how many elements a dimension has: size, offset, padding", MOVEMENT, prior_,       \
               lb_places_mov, NULL, run_)

/* clang-format off */
const lb_fault_kind lb_fault_movement_kinds[] = {
    LB_READING_BY("mov.padding.as_zero_point", "writes the zero point where there is no source", "memset with the zero point", MOVEMENT, 5, lb_places_mov, NULL, run_outside, .at = THE_ZERO_POINT),
    EXTENT("whole_steps", "counts whole steps only: rounds the number of elements down", 6, run_whole_steps),
    EXTENT("up_to_size", "takes the size for the end of what is moved", 4, run_up_to_size),
    EXTENT("size_in_steps", "counts the size after subsampling", 4, run_size_in_steps),
    EXTENT("without_offset", "takes the whole length, offset or not", 4, run_without_offset),
    EXTENT("without_padding", "leaves padding out of the extent", 4, run_without_padding),
    EXTENT("without_padding_before", "leaves the padding before out of the extent", 3, run_without_padding_before),
    EXTENT("without_padding_after", "leaves the padding after out of the extent", 3, run_without_padding_after),
    EXTENT("padding_after_block", "leaves the padding after out where there is an offset", 2, run_without_padding_after_offset),
    LB_READING("mov.dst_own_stride.ignored", "ignores the strides that the destination brings along", "strides of dst that are not 0", MOVEMENT, 5, lb_places_mov, NULL, own_stride_ignored),
    LB_READING("mov.dst_packed.without_offset", "packs the destination as if nothing lay before the destination offset", "strides of dst: products of its extents, offsets included", MOVEMENT, 5, lb_places_mov, NULL, dst_packed_without_offset),
    LB_READING("mov.part_alone", "moves the part that is asked for where the original copies everything", "the shortcut for whole copies", MOVEMENT, 5, lb_places_mov, NULL, part_alone),
    LB_READING("mov.whole_copy.in_bytes", "copies as many bytes as there are elements, where everything is copied", "the length of the copy", MOVEMENT, 6, lb_places_mov, NULL, whole_copy_in_bytes),
    LB_READING_BY("mov.padding.stale", "leaves padding as the destination was", "the elements that have no source", MOVEMENT, 6, lb_places_mov, NULL, run_outside, .at = AS_GIVEN),
    LB_READING("mov.lists.zero_outside", "writes scale 0 for padded channels", "per-axis parameters", "pooling_and_movement.md 4.4", 4, lb_places_mov, NULL, lists_zero_outside),
    {.name = NULL},
};
/* clang-format on */
