/* create_subtensor and point_to_subtensor: views, no data are copied. Spec: numerics.md 8.3, 8.4.
 */
#include "describe/element_copy.h"
#include "describe/map_cursor.h"
#include "forms.h"
#include "models.h"

/* out's data from an element of in on. */
static void point_at(lb_tensor *out, const lb_tensor *in, size_t element)
{
    out->data.mem.ptr = (unsigned char *)in->data.mem.ptr + element * lb_element_bytes(in->el_type);
}

/* The quantized dimension is gone. The spec leaves open what out then is; its one value makes a
 * usable tensor. */
static void keep_one_value(lb_tensor *out, const lb_tensor *in, uint32_t entry)
{
    lb_quant quant = lb_quant_at(in, entry);
    out->sa.dim = -1;
    out->sa.scale = out->sa.zero_point = out->sa.scale_frac_bits = (lb_container){0};
    out->sa.scale.mem.i16 = (int16_t)quant.scale;
    out->sa.zero_point.mem.i16 = (int16_t)quant.zero_point;
    out->sa.scale_frac_bits.mem.i8 = (int8_t)quant.frac;
}

/* The quantized dimension is dimension `axis` of out: its lists begin at the offset, their
 * capacities stay. */
static void advance_lists(lb_tensor *out, const lb_tensor *in, int32_t axis, uint32_t offset)
{
    out->sa.dim = axis;
    out->sa.scale.mem.ptr =
        (unsigned char *)in->sa.scale.mem.ptr + (size_t)offset * sizeof(int16_t);
    out->sa.zero_point.mem.ptr =
        (unsigned char *)in->sa.zero_point.mem.ptr + (size_t)offset * sizeof(int16_t);
    out->sa.scale_frac_bits.mem.ptr = (unsigned char *)in->sa.scale_frac_bits.mem.ptr + offset;
}

/* The element at which the view begins. */
static size_t first_element(const lb_map_cursor *view, const lb_tensor *in, int form)
{
    uint32_t index[LB_MAX_RANK] = {0};
    size_t flat = 0;
    lb_cursor_index(view, LB_MAP_X, index);
    for (uint32_t d = 0; d < in->rank; d++)
        flat = flat * in->shape[d] + index[d];
    return form == LB_VIEW_DENSE ? flat : view->offset[LB_MAP_X];
}

void lb_exact_create_subtensor(const lb_context *context, lb_call *call)
{
    const lb_tensor in = *call->tensor[LB_ROLE_IN];
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    const lb_config *cfg = &call->config;
    lb_map_cursor view;
    (void)lb_cursor_first(&view, context, call);
    const size_t element = first_element(&view, &in, context->form);
    const uint32_t entry = (uint32_t)view.offset[LB_MAP_SCALE];
    uint32_t skip = in.rank - cfg->sub_tensor_rank;
    uint32_t appended = 0;
    lb_params_copy(out, &in);
    for (uint32_t d = 0; d < in.rank; d++) {
        bool is_axis = lb_is_per_axis(&in) && in.sa.dim == (int32_t)d;
        if (skip > 0 && cfg->size[d] == 1) {
            skip--;
            if (is_axis)
                keep_one_value(out, &in, entry);
            continue;
        }
        if (is_axis)
            advance_lists(out, &in, (int32_t)appended, entry);
        out->shape[appended] = cfg->size[context->form == LB_VIEW_SIZES ? appended : d];
        out->mem_stride[appended] = in.mem_stride[context->form == LB_VIEW_STRIDES ? appended : d];
        appended++;
    }
    out->rank = cfg->sub_tensor_rank; /* QUIRK: dimensions that should have gone and could not are
                                         cut off */
    out->el_type = in.el_type;
    point_at(out, &in, element);
    out->data.capacity_bytes =
        in.data.capacity_bytes - (uint32_t)element * lb_element_bytes(in.el_type);
}

void lb_exact_point_to_subtensor(const lb_context *context, lb_call *call)
{
    const lb_tensor in = *call->tensor[LB_ROLE_IN];
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    const lb_config *cfg = &call->config;
    lb_map_cursor view;
    (void)lb_cursor_first(&view, context, call);
    const size_t element = first_element(&view, &in, context->form);
    out->rank = in.rank - cfg->coord_num + 1u;
    out->shape[0] = cfg->first_out_dim_size;
    for (uint32_t i = 1; i < out->rank; i++)
        out->shape[i] = in.shape[cfg->coord_num - 1u + i];
    out->el_type = in.el_type;
    lb_params_copy(out, &in);
    point_at(out, &in, element);
    out->data.capacity_bytes = (uint32_t)lb_element_count(out) * lb_element_bytes(in.el_type);
}
