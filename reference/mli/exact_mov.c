/* Movement of tensors: pad, crop, subsample, permute and place, bit for bit. Spec:
 * pooling_and_movement.md 4. The fields of dst are written before dst is checked, and stay so where
 * that check fails: it is part of the model. */
#include "core/arith.h"
#include "describe/element_copy.h"
#include "describe/rules.h"
#include "models.h"
#include "mov_plan.h"

/* ---- Fields of dst: 4.1, step 5 ---- */

static void write_dimensions(const lb_tensor *src, const lb_config *config, lb_tensor *dst)
{
    dst->rank = src->rank;
    dst->el_type = src->el_type;
    for (uint32_t i = 0; i < src->rank; i++) {
        lb_mov_dim dim = lb_mov_dim_of(src, config, i);
        int64_t extent = dim.count + dim.dst_skip;
        dst->shape[i] = extent > UINT32_MAX
                            ? UINT32_MAX
                            : (uint32_t)extent; /* QUIRK: not the size written into */
    }
    int64_t packed = 1;
    for (uint32_t i = src->rank; i-- > 0;) {
        /* QUIRK: a stride left in dst by an earlier use wins over the packed one. */
        if (config->dst_mem_stride[i] != 0)
            dst->mem_stride[i] = config->dst_mem_stride[i];
        else if (dst->mem_stride[i] == 0)
            dst->mem_stride[i] = (int32_t)packed;
        packed = lb_wrap(dst->mem_stride[i] * (int64_t)dst->shape[i], 32);
    }
    for (uint32_t i = src->rank; i < LB_MAX_RANK; i++) {
        dst->shape[i] = 1;
        dst->mem_stride[i] = 0;
    }
}

/* ---- Quantization parameters of dst: 4.4 ---- */

/* Lists are moved like data along their axis; padding has the parameters (1, 0, 0). */
static void move_lists(const lb_tensor *src, const lb_mov_dim *dim, lb_tensor *dst)
{
    const lb_quant padding = {.scale = 1};
    for (int64_t j = 0; j < dim->count; j++) {
        int64_t from = lb_mov_coordinate(dim, j);
        bool inside = from >= 0 && from < src->shape[dim->source];
        lb_quant quant = inside ? lb_quant_at(src, (uint32_t)from) : padding;
        lb_axis_entry_set(dst, (uint32_t)(j + dim->dst_skip), quant);
    }
}

static void write_params(const lb_tensor *src, const lb_config *config, lb_tensor *dst)
{
    if (!lb_is_per_axis(src)) {
        lb_params_copy(dst, src);
        return;
    }
    uint32_t axis = lb_mov_destination_of(config, src->rank, (uint32_t)src->sa.dim);
    lb_mov_dim dim = lb_mov_dim_of(src, config, axis);
    if (lb_axis_lists_of(dst, src) == LB_LISTS_OWN)
        move_lists(src, &dim, dst);
    else
        lb_axis_lists_share(dst, src);
    dst->sa.dim = (int32_t)axis;
}

/* ---- Data: 4.2 ---- */

static void copy_whole(const lb_tensor *src, lb_tensor *dst, lb_steps *steps)
{
    size_t count = lb_element_count(src);
    for (size_t i = 0; i < count; i++) {
        lb_element_copy(dst, i, src, i);
        lb_steps *s = lb_steps_at_offset(steps, dst, i);
        uint32_t index[LB_MAX_RANK];
        lb_unflatten(src, i, index);
        lb_steps_enter(s, LB_PART_SOURCE_OF_COPY, "pooling_and_movement.md 4.2");
        lb_element_tell_copy(s, dst, i, src, i, index);
    }
}

/* One element: zero bits (QUIRK: not the zero point) where the source has none. */
static void move_element(const lb_tensor *src, int64_t padding, const lb_mov_dim dims[LB_MAX_RANK],
                         const int64_t j[LB_MAX_RANK], lb_tensor *dst, lb_steps *steps)
{
    uint32_t from[LB_MAX_RANK] = {0};
    uint32_t to[LB_MAX_RANK] = {0};
    bool inside = true;
    for (uint32_t i = 0; i < src->rank; i++) {
        int64_t c = lb_mov_coordinate(&dims[i], j[i]);
        inside = inside && c >= 0 && c < src->shape[dims[i].source];
        from[dims[i].source] = inside ? (uint32_t)c : 0;
        to[i] = (uint32_t)(j[i] + dims[i].dst_skip);
    }
    size_t to_offset = lb_offset_of(dst, to);
    size_t from_offset = lb_offset_of(src, from);
    lb_steps *s = lb_steps_at_offset(steps, dst, to_offset);
    lb_steps_enter(s, LB_PART_SOURCE, "pooling_and_movement.md 4.2");
    if (inside)
        lb_element_copy(dst, to_offset, src, from_offset);
    else if (padding != 0)
        lb_store(dst, to_offset, padding);
    else
        lb_element_clear(dst, to_offset);
    lb_element_tell_copy(s, dst, to_offset, inside ? src : NULL, from_offset, from);
}

/* The next index of the counts, the last dimension fastest; false after the last one. */
static bool step_index(const lb_mov_dim dims[LB_MAX_RANK], uint32_t rank, int64_t j[LB_MAX_RANK])
{
    for (uint32_t i = rank; i-- > 0;) {
        if (++j[i] < dims[i].count)
            return true;
        j[i] = 0;
    }
    return false;
}

static void move_elements(const lb_tensor *src, int64_t padding, const lb_config *config,
                          lb_tensor *dst, lb_steps *steps)
{
    lb_mov_dim dims[LB_MAX_RANK];
    int64_t j[LB_MAX_RANK] = {0};
    bool any = true;
    for (uint32_t i = 0; i < src->rank; i++) {
        dims[i] = lb_mov_dim_of(src, config, i);
        any = any && dims[i].count > 0;
    }
    while (any) {
        move_element(src, padding, dims, j, dst, steps);
        any = step_index(dims, src->rank, j);
    }
}

static const lb_rule no_rule;

void lb_exact_mov(const lb_context *context, lb_call *call)
{
    const lb_tensor *src = call->tensor[LB_ROLE_IN];
    const lb_config *config = &call->config;
    lb_tensor *dst = call->tensor[LB_ROLE_OUT];
    write_dimensions(src, config, dst);
    write_params(src, config, dst);
    lb_status status =
        lb_chk(dst); /* step 6: no rule of the list, because fields have been written by now */
    if (status != LB_OK) {
        call->undefined = lb_violation_unsaid(&no_rule, status);
        call->status = call->undefined == LB_SAID ? status : LB_BAD_TENSOR;
        return;
    }
    if (lb_mov_is_whole_copy(src, config, dst)) {
        copy_whole(src, dst, context->steps);
    } else {
        /* features.md 21 */
        bool holds_zero_point =
            context->profile->at.value[LB_FEATURE_MOVED_PADDING] == LB_MOVED_ZERO_POINT &&
            lb_is_sa(src->el_type) && !lb_is_per_axis(src);
        int64_t padding = holds_zero_point ? lb_quant_at(src, 0).zero_point : 0;
        move_elements(src, padding, config, dst, context->steps);
    }
}
