/* Views over memory that stands already. Spec: see view.h. */
#include "view.h"

void lb_set_quant(lb_tensor *t, lb_quant quant)
{
    if (!lb_is_sa(t->el_type)) {
        t->frac_bits = (int8_t)quant.frac;
        return;
    }
    t->sa.zero_point.mem.i16 = (int16_t)quant.zero_point;
    t->sa.scale.mem.i16 = (int16_t)quant.scale;
    t->sa.scale_frac_bits.mem.i8 = (int8_t)quant.frac;
    t->sa.type = 0;
    t->sa.dim = -1;
}

lb_tensor lb_vector(void *memory, uint32_t el_type, uint32_t length, lb_quant quant)
{
    lb_tensor view = {
        .data = {.capacity_bytes = length * lb_element_bytes(el_type), .mem = {.ptr = memory}},
        .mem_stride = {1},
        .shape = {length},
        .rank = 1,
        .el_type = el_type,
    };
    lb_set_quant(&view, quant);
    return view;
}

lb_tensor lb_slice(const lb_tensor *t, uint32_t index)
{
    lb_tensor view = *t;
    size_t start = (size_t)index * (size_t)t->mem_stride[0];
    view.data.mem.ptr = (unsigned char *)t->data.mem.ptr + start * lb_element_bytes(t->el_type);
    view.fine = t->fine ? t->fine + start : NULL;
    view.rank = t->rank - 1;
    for (uint32_t d = 0; d + 1 < LB_MAX_RANK; d++) {
        view.shape[d] = t->shape[d + 1];
        view.mem_stride[d] = t->mem_stride[d + 1];
    }
    if (!lb_is_sa(t->el_type) || t->sa.dim < 0)
        return view;
    if (t->sa.dim == 0)
        return lb_with_quant(&view, lb_quant_at(t, index));
    view.sa.dim = t->sa.dim - 1;
    return view;
}

lb_tensor lb_with_quant(const lb_tensor *t, lb_quant quant)
{
    lb_tensor view = *t;
    lb_set_quant(&view, quant);
    return view;
}
