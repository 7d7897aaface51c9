/* Data movement (pooling_and_movement.md 4): pad, crop, subsample, permute, place, in one pass. The
 * block is cut into the box that comes from inside the source, which is copied, and slabs around
 * it, which are cleared. */
#include "mov.h"

#include <string.h>

#include "check.h"
#include "copy.h"

/* One destination dimension. The block has count indices i there; index i reads the source at
 * coordinate i * step + start of source dimension source, which lies inside the source for first <=
 * i < end. */
struct line {
    uint32_t source;
    int64_t count;
    int64_t step, start;
    int64_t first, end; /* 0 <= first <= end <= count */
};

struct plan {
    uint32_t rank;
    struct line line[MLI_MAX_RANK];
};

/* Smallest i >= 0 with i * step >= distance, at most most. step > 0. */
static int64_t steps_to(int64_t distance, int64_t step, int64_t most)
{
    if (distance <= 0)
        return 0;
    const int64_t i = (distance + step - 1) / step;
    return i < most ? i : most;
}

/* cfg passed check_order. */
static void make_plan(const mli_tensor *src, const mli_mov_cfg_t *cfg, struct plan *plan)
{
    plan->rank = src->rank;
    for (uint32_t k = 0; k < src->rank; k++) {
        struct line *line = &plan->line[k];
        const uint32_t d = cfg->perm_dim[k];
        const int64_t padded = (int64_t)src->shape[d] + cfg->padding_pre[d] + cfg->padding_post[d];
        const int64_t length = cfg->size[d] != 0 ? (int64_t)cfg->size[d] : padded - cfg->offset[d];
        line->source = d;
        line->step = cfg->sub_sample_step[d];
        line->start = (int64_t)cfg->offset[d] - cfg->padding_pre[d];
        line->count = (length + line->step - 1) / line->step;
        line->first = steps_to(-line->start, line->step, line->count);
        line->end = steps_to(src->shape[d] - line->start, line->step, line->count);
    }
}

/*
 * Checks. What the original leaves undefined is refused here; it is looked for after everything
 * that has a status of its own at that point.
 */

/* perm_dim is a permutation, steps are not 0, and blocks "from offset to the end" begin before the
 * end. */
static mli_status check_order(const mli_tensor *src, const mli_mov_cfg_t *cfg)
{
    uint32_t seen = 0;
    for (uint32_t k = 0; k < src->rank; k++) {
        const uint32_t d = cfg->perm_dim[k];
        LB_MLI_REQUIRE(d < src->rank && !(seen >> d & 1), MLI_STATUS_BAD_FUNC_CFG);
        seen |= UINT32_C(1) << d;
        LB_MLI_REQUIRE(cfg->sub_sample_step[k] != 0, MLI_STATUS_BAD_FUNC_CFG);
        const uint64_t padded =
            (uint64_t)src->shape[k] + cfg->padding_pre[k] + cfg->padding_post[k];
        LB_MLI_REQUIRE(cfg->size[k] != 0 || cfg->offset[k] <= padded, MLI_STATUS_BAD_FUNC_CFG);
    }
    return MLI_STATUS_OK;
}

/* Step 3, for parameters per axis alone. */
static mli_status check_box(const mli_tensor *src, const mli_mov_cfg_t *cfg)
{
    for (uint32_t d = 0; d < src->rank; d++) {
        const uint64_t padded =
            (uint64_t)src->shape[d] + cfg->padding_pre[d] + cfg->padding_post[d];
        LB_MLI_REQUIRE((uint64_t)cfg->offset[d] + cfg->size[d] <= padded, MLI_STATUS_BAD_FUNC_CFG);
        LB_MLI_REQUIRE(cfg->sub_sample_step[d] != 0, MLI_STATUS_BAD_FUNC_CFG);
        LB_MLI_REQUIRE(cfg->perm_dim[d] < src->rank, MLI_STATUS_BAD_FUNC_CFG);
    }
    return MLI_STATUS_OK;
}

/* Destination dimension of source dimension d, in a permutation. */
static uint32_t destination_of(const mli_mov_cfg_t *cfg, uint32_t rank, uint32_t d)
{
    for (uint32_t k = 0; k < rank; k++)
        if (cfg->perm_dim[k] == d)
            return k;
    return 0;
}

/* Parameters per axis: whether dst takes over src's arrays, or has its own (decided by the zero
 * points' pointer). */
static bool takes_arrays(const mli_tensor *src, const mli_tensor *dst)
{
    const int16_t *zero = dst->el_params.sa.zero_point.mem.pi16;
    return !zero || zero == src->el_params.sa.zero_point.mem.pi16;
}

/* The whole axis, in its place. */
static bool keeps_axis(const mli_tensor *src, const mli_mov_cfg_t *cfg, uint32_t axis, uint32_t to)
{
    return (cfg->size[axis] == 0 || cfg->size[axis] == src->shape[axis]) &&
           cfg->offset[axis] == 0 && cfg->padding_pre[axis] == 0 && cfg->padding_post[axis] == 0 &&
           cfg->sub_sample_step[axis] == 1 && cfg->dst_offset[to] == 0;
}

/* 4.4, parameters per axis. */
static mli_status check_axis(const mli_tensor *src, const mli_mov_cfg_t *cfg, const mli_tensor *dst)
{
    const mli_data_container *zero = &dst->el_params.sa.zero_point,
                             *from_zero = &src->el_params.sa.zero_point;
    const mli_data_container *scale = &dst->el_params.sa.scale,
                             *from_scale = &src->el_params.sa.scale;
    const mli_data_container *bits = &dst->el_params.sa.scale_frac_bits,
                             *from_bits = &src->el_params.sa.scale_frac_bits;
    const uint32_t axis = (uint32_t)src->el_params.sa.dim;
    LB_MLI_REQUIRE(axis < src->rank, MLI_STATUS_BAD_TENSOR);
    LB_MLI_TRY(check_order(src, cfg));
    const uint32_t to = destination_of(cfg, src->rank, axis);
    if (takes_arrays(src, dst)) {
        const bool none = !zero->mem.pi16 && !scale->mem.pi16 && !bits->mem.pi8;
        const bool same = zero->mem.pi16 == from_zero->mem.pi16 &&
                          scale->mem.pi16 == from_scale->mem.pi16 &&
                          bits->mem.pi8 == from_bits->mem.pi8;
        LB_MLI_REQUIRE(none || same, MLI_STATUS_SPEC_PARAM_MISMATCH);
        LB_MLI_REQUIRE(keeps_axis(src, cfg, axis, to), MLI_STATUS_SPEC_PARAM_MISMATCH);
        return MLI_STATUS_OK;
    }
    LB_MLI_REQUIRE(scale->mem.pi16 && scale->mem.pi16 != from_scale->mem.pi16 && bits->mem.pi8 &&
                       bits->mem.pi8 != from_bits->mem.pi8,
                   MLI_STATUS_SPEC_PARAM_MISMATCH);
    struct plan plan;
    make_plan(src, cfg, &plan);
    const uint64_t entries = (uint64_t)plan.line[to].count + cfg->dst_offset[to];
    LB_MLI_REQUIRE(zero->capacity >= 2 * entries && scale->capacity >= 2 * entries &&
                       bits->capacity >= entries,
                   MLI_STATUS_SPEC_PARAM_MISMATCH);
    LB_MLI_REQUIRE(from_zero->mem.pi16 && from_scale->mem.pi16 && from_bits->mem.pi8,
                   MLI_STATUS_SPEC_PARAM_MISMATCH);
    return MLI_STATUS_OK;
}

/* Steps 1 to 4. */
static mli_status check_move(const mli_tensor *src, const mli_mov_cfg_t *cfg, const mli_tensor *dst)
{
    LB_MLI_TRY(lb_mli_check_tensor(src));
    LB_MLI_REQUIRE(cfg, MLI_STATUS_BAD_FUNC_CFG);
    LB_MLI_REQUIRE(dst, MLI_STATUS_BAD_TENSOR);
    if (lb_mli_is_sa(src) && lb_mli_per_axis(src)) {
        LB_MLI_TRY(check_box(src, cfg));
        LB_MLI_TRY(check_axis(src, cfg, dst));
    }
    LB_MLI_REQUIRE(!dst->data.mem.pi8 || !lb_mli_overlap(src, dst),
                   MLI_STATUS_INCOMPATEBLE_TENSORS);
    LB_MLI_REQUIRE(src->rank > 0 && lb_mli_element_size(src->el_type) > 0,
                   MLI_STATUS_NOT_SUPPORTED);
    return check_order(src, cfg);
}

/*
 * Fields of dst
 */

/* Step 5, shape and strides. Strides that are given are taken, 0 means: packed. */
static void set_geometry(const struct plan *plan, const mli_mov_cfg_t *cfg, mli_tensor *dst)
{
    uint32_t packed = 1;
    for (uint32_t k = MLI_MAX_RANK; k-- > plan->rank;) {
        dst->shape[k] = 1;
        dst->mem_stride[k] = 0;
    }
    for (uint32_t k = plan->rank; k-- > 0;) {
        const uint64_t extent = (uint64_t)plan->line[k].count + cfg->dst_offset[k];
        /* An extent past 32 bits must not wrap into one that the tensor check accepts. */
        dst->shape[k] = extent > UINT32_MAX ? UINT32_MAX : (uint32_t)extent;
        if (cfg->dst_mem_stride[k] != 0)
            dst->mem_stride[k] = cfg->dst_mem_stride[k];
        else if (dst->mem_stride[k] == 0)
            dst->mem_stride[k] = (int32_t)packed;
        packed = (uint32_t)dst->mem_stride[k] * dst->shape[k];
    }
}

/* The arrays move like data along the axis; outside the source: scale 1, zero point 0, no
 * fractional bits. */
static void move_arrays(const mli_tensor *src, const struct line *line, uint32_t dst_offset,
                        mli_tensor *dst)
{
    for (int64_t i = 0; i < line->count; i++) {
        const bool inside = i >= line->first && i < line->end;
        const int64_t from = inside ? i * line->step + line->start : 0;
        const int64_t to = i + dst_offset;
        dst->el_params.sa.scale.mem.pi16[to] = inside ? src->el_params.sa.scale.mem.pi16[from] : 1;
        dst->el_params.sa.zero_point.mem.pi16[to] =
            inside ? src->el_params.sa.zero_point.mem.pi16[from] : 0;
        dst->el_params.sa.scale_frac_bits.mem.pi8[to] =
            inside ? src->el_params.sa.scale_frac_bits.mem.pi8[from] : 0;
    }
}

/* Step 5, quantization: 4.4. */
static void set_quant(const mli_tensor *src, const struct plan *plan, const mli_mov_cfg_t *cfg,
                      mli_tensor *dst)
{
    if (!lb_mli_is_sa(src) || !lb_mli_per_axis(src)) {
        dst->el_params = src->el_params;
        return;
    }
    const uint32_t to = destination_of(cfg, plan->rank, (uint32_t)src->el_params.sa.dim);
    dst->el_params.sa.dim = (int32_t)to;
    if (takes_arrays(src, dst)) {
        dst->el_params.sa.zero_point = src->el_params.sa.zero_point;
        dst->el_params.sa.scale = src->el_params.sa.scale;
        dst->el_params.sa.scale_frac_bits = src->el_params.sa.scale_frac_bits;
    } else {
        move_arrays(src, &plan->line[to], cfg->dst_offset[to], dst);
    }
}

/*
 * Data
 */

/* 4.2, "whole copy": both sides packed in the same shape, nothing left out, moved or padded.
 * dst_offset is not looked at: together with a size it may describe a shifted part, and the
 * original copies everything all the same. */
static bool copies_whole(const mli_tensor *src, const struct plan *plan, const mli_mov_cfg_t *cfg,
                         const mli_tensor *dst)
{
    for (uint32_t k = 0; k < plan->rank; k++)
        if (plan->line[k].source != k || plan->line[k].step != 1 || cfg->padding_pre[k] != 0 ||
            cfg->padding_post[k] != 0 || dst->mem_stride[k] != src->mem_stride[k])
            return false;
    return lb_mli_same_shape(src, dst) && lb_mli_is_dense(src);
}

/* Clears what lies before and behind the source, one dimension after the other: in those already
 * done the slab is as wide as the source, in those to come as wide as the block. Leaves in box the
 * part that comes from the source. */
static void clear_around(const struct plan *plan, size_t size, char *to, struct lb_mli_box *box)
{
    for (uint32_t k = 0; k < plan->rank; k++)
        box->extent[k] = (size_t)plan->line[k].count;
    for (uint32_t k = 0; k < plan->rank; k++) {
        const struct line *line = &plan->line[k];
        const ptrdiff_t step = box->to[k] * (ptrdiff_t)size;
        box->extent[k] = (size_t)line->first;
        lb_mli_clear_box(to, size, box);
        box->extent[k] = (size_t)(line->count - line->end);
        lb_mli_clear_box(to + (ptrdiff_t)line->end * step, size, box);
        box->extent[k] = (size_t)(line->end - line->first);
        to += (ptrdiff_t)line->first * step;
    }
}

static void move_data(const mli_tensor *src, const struct plan *plan, const mli_mov_cfg_t *cfg,
                      mli_tensor *dst)
{
    const size_t size = lb_mli_element_size(src->el_type);
    if (copies_whole(src, plan, cfg, dst)) {
        memcpy(dst->data.mem.pi8, src->data.mem.pi8, (size_t)lb_mli_count(src) * size);
        return;
    }
    struct lb_mli_box box = {.rank = plan->rank};
    const char *from = (const char *)src->data.mem.pi8;
    char *block = (char *)dst->data.mem.pi8, *to = block;
    for (uint32_t k = 0; k < plan->rank; k++) {
        const struct line *line = &plan->line[k];
        const ptrdiff_t source_step = src->mem_stride[line->source];
        if (line->count == 0)
            return;
        box.from[k] = (ptrdiff_t)line->step * source_step;
        box.to[k] = dst->mem_stride[k];
        block += (ptrdiff_t)cfg->dst_offset[k] * box.to[k] * (ptrdiff_t)size;
        to +=
            ((ptrdiff_t)cfg->dst_offset[k] + (ptrdiff_t)line->first) * box.to[k] * (ptrdiff_t)size;
        if (line->end > line->first)
            from +=
                (ptrdiff_t)(line->first * line->step + line->start) * source_step * (ptrdiff_t)size;
    }
    clear_around(plan, size, block, &box);
    lb_mli_copy_box(from, to, size, &box);
}

mli_status lb_mli_move(const mli_tensor *src, const mli_mov_cfg_t *cfg, mli_tensor *dst)
{
    LB_MLI_CHECK(check_move(src, cfg, dst));
    struct plan plan;
    make_plan(src, cfg, &plan);
    dst->rank = src->rank;
    dst->el_type = src->el_type;
    set_geometry(&plan, cfg, dst);
    set_quant(src, &plan, cfg, dst);
    LB_MLI_CHECK(lb_mli_check_tensor(dst));
    move_data(src, &plan, cfg, dst);
    return MLI_STATUS_OK;
}
