/* Movement again: how far it goes, strides and lists of parameters of the destination. */
#include "harness/faults/reading_runs.h"
#include "harness/faults/views.h"
#include "reference/mli/mov_plan.h"

#include <stdlib.h>
#include <string.h>

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

static bool dst_stride_ignored(lb_fault_run *run)
{
    lb_fault_view view;
    if (!lb_view_begin(&view, run))
        return false;
    int32_t *strides = view.call->config.dst_mem_stride;
    uint32_t rank = view.call->tensor[LB_ROLE_IN]->rank, dim = (uint32_t)run->fault->dim;
    bool changed = false;
    /* dimension LB_MAX_RANK: all of them; from the innermost one otherwise */
    for (uint32_t d = 0; d < rank; d++)
        if (dim == LB_MAX_RANK || d + dim + 1 == rank) {
            changed |= strides[d] != 0;
            strides[d] = 0;
        }
    return lb_read_mov_run_with_fields(&view, changed);
}

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
        bool moved = lb_is_moved(in, cfg, index, from, &inside);
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

/* What lies outside of the source stays as the destination was. */
static bool padding_stale(lb_fault_run *run)
{
    if (!lb_fault_has_result(run))
        return false;
    lb_fault_take_right(run);
    const lb_tensor *in = run->right->call.tensor[LB_ROLE_IN];
    lb_tensor *out = &run->out->tensors[LB_ROLE_OUT][0];
    unsigned char *data = out->data.mem.ptr;
    unsigned bytes = lb_storage_bytes(out->el_type), buffer = 0;
    size_t offset = 0, count = lb_element_count(out), kept = 0;
    if (bytes == 0 || out->rank == 0 || !lb_instance_locate(run->out, data, &buffer, &offset))
        return false;
    const unsigned char *given = run->before->block + (data - run->out->block);
    for (size_t flat = 0; flat < count; flat++) {
        uint32_t index[LB_MAX_RANK] = {0}, from[LB_MAX_RANK] = {0};
        bool inside;
        lb_unflatten(out, flat, index);
        bool moved = lb_is_moved(in, &run->right->call.config, index, from, &inside);
        size_t at = lb_offset_of(out, index) * bytes;
        if (!moved || inside || offset + at + bytes > run->out->memory->buffers[buffer].size_bytes)
            continue;
        memcpy(data + at, given + at, bytes);
        kept++;
    }
    return kept > 0;
}

/* ---- Lists of parameters alone moved otherwise ---- */

typedef void (*config_fn)(lb_config *cfg);

static void no_step(lb_config *cfg)
{
    for (int d = 0; d < LB_MAX_RANK; d++)
        cfg->sub_sample_step[d] = 1;
}

static void no_offset(lb_config *cfg)
{
    memset(cfg->offset, 0, sizeof cfg->offset);
}

static void no_padding(lb_config *cfg)
{
    memset(cfg->padding_pre, 0, sizeof cfg->padding_pre);
}

static void no_dst_offset(lb_config *cfg)
{
    memset(cfg->dst_offset, 0, sizeof cfg->dst_offset);
}

static int64_t list_coordinate(const lb_tensor *in, const lb_config *cfg, int64_t j)
{
    lb_mov_dim dim =
        lb_mov_dim_of(in, cfg, lb_mov_destination_of(cfg, in->rank, (uint32_t)in->sa.dim));
    return lb_mov_coordinate(&dim, j);
}

/* Entries of out's own lists as a movement with this configuration would fetch them. */
static bool run_lists(lb_fault_run *run, config_fn change, bool outside_zero)
{
    if (!lb_fault_has_result(run))
        return false;
    lb_fault_take_right(run);
    const lb_tensor *in = &run->out->tensors[LB_ROLE_IN][0];
    lb_tensor *out = &run->out->tensors[LB_ROLE_OUT][0];
    if (!lb_is_sa(in->el_type) || in->sa.dim < 0 || out->sa.dim < 0 ||
        out->sa.scale.mem.ptr == in->sa.scale.mem.ptr)
        return false;
    lb_config cfg = run->test_case->config;
    lb_mov_dim own =
        lb_mov_dim_of(in, &cfg, lb_mov_destination_of(&cfg, in->rank, (uint32_t)in->sa.dim));
    if (change)
        change(&cfg);
    for (int64_t j = 0; j < own.count; j++) {
        int64_t from = change ? list_coordinate(in, &cfg, j) : lb_mov_coordinate(&own, j);
        bool inside = from >= 0 && from < in->shape[in->sa.dim];
        lb_quant quant =
            inside ? lb_quant_at(in, (uint32_t)from) : (lb_quant){outside_zero ? 0 : 1, 0, 0};
        int64_t skip = change == no_dst_offset ? 0 : own.dst_skip, at = j + skip;
        if (at < 0 || at >= out->shape[out->sa.dim])
            continue;
        out->sa.scale.mem.pi16[at] = (int16_t)quant.scale;
        out->sa.zero_point.mem.pi16[at] = (int16_t)quant.zero_point;
        out->sa.scale_frac_bits.mem.pi8[at] = (int8_t)quant.frac;
    }
    return memcmp(run->out->block, run->right->block, run->right->memory->block_bytes) != 0;
}

#define LIST_RUN(name, change, outside_zero)                                                       \
    static bool name(lb_fault_run *run)                                                            \
    {                                                                                              \
        return run_lists(run, change, outside_zero);                                               \
    }

LIST_RUN(lists_without_step, no_step, false)
LIST_RUN(lists_without_offset, no_offset, false)
LIST_RUN(lists_without_padding, no_padding, false)
LIST_RUN(lists_without_dst_offset, no_dst_offset, false)
LIST_RUN(lists_zero_outside, NULL, true)

/* ---- Places ---- */

static LB_PLACES(mov_dims_and_all)
{
    for (int8_t dim = 0;
         scope->kernel->config_kind == LB_CONFIG_MOV && scope->kernel->exact && dim <= LB_MAX_RANK;
         dim++)
        sink(user, &(lb_fault){.kind = kind, .dim = dim});
}

static LB_DESCRIBES(tell_stride)
{
    if (fault->dim == LB_MAX_RANK)
        return "all dimensions";
    return fault->dim == 0 ? "the innermost dimension"
                           : lb_arena_printf(arena, "dimension %d from the innermost", fault->dim);
}

/* ---- The table ---- */

#define MOVEMENT "pooling_and_movement.md 4.1, 4.2"
#define EXTENT(name_, words_, prior_, run_)                                                        \
    LB_READING("mov.extent." name_, words_,                                                        \
               "how many elements a dimension has: size, offset, padding", MOVEMENT, prior_,       \
               lb_places_mov, NULL, run_)

const lb_fault_kind lb_fault_movement_kinds[] = {
    LB_READING("mov.padding.as_zero_point", "writes the zero point where there is no source",
               "memset with the zero point", MOVEMENT, 5, lb_places_mov, NULL,
               lb_read_mov_padding_as_zero_point),
    EXTENT("whole_steps", "counts whole steps only: rounds the number of elements down", 6,
           run_whole_steps),
    EXTENT("up_to_size", "takes the size for the end of what is moved", 4, run_up_to_size),
    EXTENT("size_in_steps", "counts the size after subsampling", 4, run_size_in_steps),
    EXTENT("without_offset", "takes the whole length, offset or not", 4, run_without_offset),
    EXTENT("without_padding", "leaves padding out of the extent", 4, run_without_padding),
    EXTENT("without_padding_before", "leaves the padding before out of the extent", 3,
           run_without_padding_before),
    EXTENT("without_padding_after", "leaves the padding after out of the extent", 3,
           run_without_padding_after),
    EXTENT("padding_after_block", "leaves the padding after out where there is an offset", 2,
           run_without_padding_after_offset),
    LB_READING("mov.dst_mem_stride.ignored",
               "ignores the destination stride that the configuration has",
               "fields of the configuration: dst_mem_stride", MOVEMENT, 5, mov_dims_and_all,
               tell_stride, dst_stride_ignored),
    LB_READING(
        "mov.dst_own_stride.ignored", "ignores the strides that the destination brings along",
        "strides of dst that are not 0", MOVEMENT, 5, lb_places_mov, NULL, own_stride_ignored),
    LB_READING("mov.dst_packed.without_offset",
               "packs the destination as if nothing lay before the destination offset",
               "strides of dst: products of its extents, offsets included", MOVEMENT, 5,
               lb_places_mov, NULL, dst_packed_without_offset),
    LB_READING("mov.part_alone",
               "moves the part that is asked for where the original copies everything",
               "the shortcut for whole copies", MOVEMENT, 5, lb_places_mov, NULL, part_alone),
    LB_READING("mov.whole_copy.in_bytes",
               "copies as many bytes as there are elements, where everything is copied",
               "the length of the copy", MOVEMENT, 6, lb_places_mov, NULL, whole_copy_in_bytes),
    LB_READING("mov.padding.stale", "leaves padding as the destination was",
               "the elements that have no source", MOVEMENT, 6, lb_places_mov, NULL, padding_stale),
    LB_READING("mov.lists.without_step", "moves lists of parameters without the subsampling step",
               "per-axis parameters", "pooling_and_movement.md 4.4", 5, lb_places_mov, NULL,
               lists_without_step),
    LB_READING("mov.lists.without_offset", "moves lists of parameters without the offset",
               "per-axis parameters", "pooling_and_movement.md 4.4", 5, lb_places_mov, NULL,
               lists_without_offset),
    LB_READING("mov.lists.without_padding", "moves lists of parameters without the padding before",
               "per-axis parameters", "pooling_and_movement.md 4.4", 4, lb_places_mov, NULL,
               lists_without_padding),
    LB_READING("mov.lists.without_dst_offset",
               "moves lists of parameters without the destination offset", "per-axis parameters",
               "pooling_and_movement.md 4.4", 4, lb_places_mov, NULL, lists_without_dst_offset),
    LB_READING("mov.lists.zero_outside", "writes scale 0 for padded channels",
               "per-axis parameters", "pooling_and_movement.md 4.4", 4, lb_places_mov, NULL,
               lists_zero_outside),
    {.name = NULL},
};
