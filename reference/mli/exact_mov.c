/* Movement of tensors: pad, crop, subsample, permute and place, bit for bit. Spec:
 * pooling_and_movement.md 4. The fields of dst are written before dst is checked, and stay so where
 * that check fails: it is part of the model. */
#include "core/arith.h"
#include "describe/element_copy.h"
#include "describe/map_cursor.h"
#include "describe/rules.h"
#include "forms.h"
#include "models.h"
#include "mov_plan.h"

#include <string.h>

/* ---- Fields of dst: 4.1, step 5 ---- */

static void write_dimensions(const lb_map *map, const lb_call *call, int form)
{
    const lb_tensor *src = call->tensor[LB_ROLE_IN];
    const lb_config *config = &call->config;
    lb_tensor *dst = call->tensor[LB_ROLE_OUT];
    dst->rank = src->rank;
    dst->el_type = src->el_type;
    for (uint32_t i = 0; i < src->rank; i++) {
        int64_t extent = lb_leaf_value(map, call, map->loop[i].extent) + config->dst_offset[i];
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
        const int64_t less = form == LB_MOV_PACKED_WITHOUT_OFFSET ? config->dst_offset[i] : 0;
        packed = lb_wrap(dst->mem_stride[i] * ((int64_t)dst->shape[i] - less), 32);
    }
    for (uint32_t i = src->rank; i < LB_MAX_RANK; i++) {
        dst->shape[i] = 1;
        dst->mem_stride[i] = 0;
    }
}

/* ---- Quantization parameters of dst: 4.4 ---- */

/* Lists are moved like data along their axis, dimension `axis` of dst; padding has the parameters
 * (1, 0, 0). */
static void move_lists(const lb_map *map, const lb_call *call, uint32_t axis, int form)
{
    const lb_tensor *src = call->tensor[LB_ROLE_IN];
    lb_bound_map bound;
    uint32_t at[LB_MAP_LOOPS] = {0};
    if (!lb_map_bind(&bound, map, call))
        return;
    for (at[axis] = 0; at[axis] < bound.extent[axis]; at[axis]++) {
        int64_t from, to;
        lb_quant quant = {.scale = form == LB_MOV_LISTS_ZERO_OUTSIDE ? 0 : 1};
        if (lb_index_at(&bound.access[LB_MAP_X].index[axis], at, &from))
            quant = lb_quant_at(src, (uint32_t)from);
        (void)lb_index_at(&bound.access[LB_MAP_OUT].index[axis], at, &to);
        lb_axis_entry_set(call->tensor[LB_ROLE_OUT], (uint32_t)to, quant);
    }
}

static void write_params(const lb_map *map, const lb_call *call, int form)
{
    const lb_tensor *src = call->tensor[LB_ROLE_IN];
    lb_tensor *dst = call->tensor[LB_ROLE_OUT];
    if (!lb_is_per_axis(src)) {
        lb_params_copy(dst, src);
        return;
    }
    uint32_t axis = lb_mov_destination_of(&call->config, src->rank, (uint32_t)src->sa.dim);
    if (lb_axis_lists_of(dst, src) == LB_LISTS_OWN)
        move_lists(map, call, axis, form);
    else
        lb_axis_lists_share(dst, src);
    dst->sa.dim = (int32_t)axis;
}

/* ---- Data: 4.2 ---- */

static void copy_whole(const lb_tensor *src, lb_tensor *dst, lb_steps *steps, int form)
{
    size_t count = lb_element_count(src);
    if (form == LB_MOV_WHOLE_IN_BYTES) {
        memmove(dst->data.mem.ptr, src->data.mem.ptr, count);
        return;
    }
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
static void move_element(const lb_map_cursor *e, int64_t padding, const lb_call *call,
                         const lb_context *context)
{
    const lb_tensor *src = e->tensor[LB_MAP_X];
    lb_tensor *dst = e->tensor[LB_MAP_OUT];
    const size_t to = e->offset[LB_MAP_OUT];
    uint32_t along[LB_MAX_RANK], from[LB_MAX_RANK] = {0};
    const bool inside = lb_cursor_is_inside(e, LB_MAP_X);
    lb_steps *s = lb_steps_at_offset(context->steps, dst, to);
    lb_steps_enter(s, LB_PART_SOURCE, "pooling_and_movement.md 4.2");
    if (inside)
        lb_element_copy(dst, to, src, e->offset[LB_MAP_X]);
    else if (padding != 0)
        lb_store(dst, to, padding);
    else if (context->form != LB_MOV_PADDING_STALE)
        lb_element_clear(dst, to);
    if (s)
        lb_cursor_index(e, LB_MAP_X, along);
    for (uint32_t i = 0; s && i < src->rank; i++)
        from[call->config.perm_dim[i]] = along[i];
    lb_element_tell_copy(s, dst, to, inside ? src : NULL, e->offset[LB_MAP_X], from);
}

static void move_elements(const lb_context *context, int64_t padding, lb_call *call)
{
    lb_map_cursor e;
    for (bool more = lb_cursor_first(&e, context, call); more; more = lb_cursor_next(&e))
        move_element(&e, padding, call, context);
}

static const lb_rule no_rule;

void lb_exact_mov(const lb_context *context, lb_call *call)
{
    const lb_tensor *src = call->tensor[LB_ROLE_IN];
    const lb_config *config = &call->config;
    lb_tensor *dst = call->tensor[LB_ROLE_OUT];
    const lb_map *map = lb_map_in(context, call->kernel);
    write_dimensions(map, call, context->form);
    /* an edited map is one of elements */
    write_params(context->lists ? context->lists : lb_map_of(call->kernel), call, context->form);
    lb_status status =
        lb_chk(dst); /* step 6: no rule of the list, because fields have been written by now */
    if (status != LB_OK) {
        call->undefined = lb_violation_unsaid(&no_rule, status);
        call->status = call->undefined == LB_SAID ? status : LB_BAD_TENSOR;
        return;
    }
    if (context->form != LB_MOV_PART_ALONE && lb_mov_is_whole_copy(src, config, dst)) {
        copy_whole(src, dst, context->steps, context->form);
    } else {
        /* features.md 21 */
        bool holds_zero_point =
            (context->form == LB_MOV_PADDING_ZERO_POINT ||
             context->profile->at.value[LB_FEATURE_MOVED_PADDING] == LB_MOVED_ZERO_POINT) &&
            lb_is_sa(src->el_type) && !lb_is_per_axis(src);
        int64_t padding = holds_zero_point ? lb_quant_at(src, 0).zero_point : 0;
        move_elements(context, padding, call);
    }
}
