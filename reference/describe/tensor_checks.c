/* Conditions on tensors from which the rules are made: chk, chkq, shapes, strides, overlap. Spec:
 * numerics.md 2. */
#include "rules.h"

#include "core/arith.h"

lb_status lb_unsaid_status(lb_unsaid why)
{
    return (lb_status)(LB_UNSAID_STATUS + (int)why);
}

/* numerics.md 2, tensor check, rows 4 and 5; rank <= 4. */
static bool has_positive_dimensions(const lb_tensor *t)
{
    for (uint32_t d = 0; d < t->rank; d++)
        if (t->mem_stride[d] <= 0 || t->shape[d] == 0 || t->shape[d] > INT32_MAX)
            return false;
    return true;
}

static bool has_ordered_strides(const lb_tensor *t)
{
    int64_t needed = 1;
    for (uint32_t d = t->rank; d-- > 0;) {
        if (t->mem_stride[d] < needed)
            return false;
        needed = (int64_t)t->shape[d] * t->mem_stride[d];
    }
    return true;
}

/* The products of row 5. */
static bool products_fit(const lb_tensor *t)
{
    for (uint32_t d = 1; d < t->rank; d++)
        if ((int64_t)t->shape[d] * t->mem_stride[d] > INT32_MAX)
            return false;
    return true;
}

/* Four products below 2^62 fit 64 unsigned bits. */
uint64_t lb_span_elements(const lb_tensor *t)
{
    uint64_t span = 1;
    for (uint32_t d = 0; d < t->rank; d++)
        span += (uint64_t)(t->shape[d] - 1) * (uint64_t)t->mem_stride[d];
    return span;
}

lb_status lb_chk(const lb_tensor *t)
{
    if (!t || !t->data.mem.ptr || t->rank > LB_MAX_RANK || t->data.capacity_bytes > INT32_MAX)
        return LB_BAD_TENSOR;
    if (!has_positive_dimensions(t))
        return LB_BAD_TENSOR;
    if (!has_ordered_strides(t))
        return products_fit(t) ? LB_BAD_TENSOR : lb_unsaid_status(LB_UNSAID_WIDTH);
    unsigned bytes = lb_element_bytes(t->el_type);
    uint64_t span = lb_span_elements(t);
    if (bytes == 0 || span <= t->data.capacity_bytes / bytes)
        return LB_OK;
    return span <= INT32_MAX / bytes ? LB_NOT_ENOUGH_MEM : lb_unsaid_status(LB_UNSAID_WIDTH);
}

/* A list of quantization parameters with room for `count` entries. */
static bool has_entries(const lb_container *list, uint64_t count, unsigned bytes)
{
    return list->mem.ptr && list->capacity_bytes >= count * bytes;
}

/* numerics.md 2, quantization check, rows 1 and 2. */
static bool has_valid_parameters(const lb_tensor *t)
{
    if (t->sa.dim < 0) {
        return t->sa.scale.capacity_bytes == 0 && t->sa.zero_point.capacity_bytes == 0 &&
               t->sa.scale_frac_bits.capacity_bytes == 0;
    }
    if (t->sa.dim >= (int64_t)t->rank || t->sa.dim >= LB_MAX_RANK)
        return false;
    uint32_t count = t->shape[t->sa.dim];
    return has_entries(&t->sa.scale, count, 2) && has_entries(&t->sa.zero_point, count, 2) &&
           has_entries(&t->sa.scale_frac_bits, count, 1);
}

lb_status lb_chkq(const lb_tensor *t, int32_t zero_point_low, int32_t zero_point_high)
{
    if (!lb_is_sa(t->el_type))
        return LB_OK;
    if (!lb_has_own_parameters(t))
        return lb_unsaid_status(LB_UNSAID_PARAMETERS);
    if (!has_valid_parameters(t))
        return LB_BAD_TENSOR;
    uint32_t count = t->sa.dim < 0 ? 1 : t->shape[t->sa.dim];
    for (uint32_t i = 0; i < count; i++) {
        lb_quant q = lb_quant_at(t, i);
        if (q.scale <= 0)
            return LB_BAD_TENSOR;
        if (q.zero_point < zero_point_low || q.zero_point > zero_point_high)
            return LB_INCOMPATIBLE_TENSORS;
    }
    return LB_OK;
}

bool lb_is_scalar(const lb_tensor *t)
{
    return t->rank == 0 || (t->rank <= LB_MAX_RANK && lb_element_count(t) == 1);
}

bool lb_has_same_shape(const lb_tensor *a, const lb_tensor *b)
{
    if (a->rank != b->rank)
        return false;
    for (uint32_t d = 0; d < a->rank && d < LB_MAX_RANK; d++)
        if (a->shape[d] != b->shape[d])
            return false;
    return true;
}

bool lb_has_same_quant(const lb_tensor *a, const lb_tensor *b)
{
    if (a->el_type != b->el_type)
        return false;
    if (!lb_is_sa(a->el_type))
        return a->frac_bits == b->frac_bits;
    if (a->sa.dim != b->sa.dim || a->sa.type != b->sa.type)
        return false;
    if (a->sa.dim >= 0) {
        /* Per axis: the lists themselves would have to be one; functions that ask refuse per axis
         * right after. */
        return a->sa.scale.mem.ptr == b->sa.scale.mem.ptr &&
               a->sa.zero_point.mem.ptr == b->sa.zero_point.mem.ptr &&
               a->sa.scale_frac_bits.mem.ptr == b->sa.scale_frac_bits.mem.ptr;
    }
    lb_quant p = lb_quant_at(a, 0);
    lb_quant q = lb_quant_at(b, 0);
    return p.scale == q.scale && p.frac == q.frac && p.zero_point == q.zero_point;
}

bool lb_has_inner_stride_1(const lb_tensor *t)
{
    return t->rank == 0 || t->rank > LB_MAX_RANK || t->mem_stride[t->rank - 1] == 1;
}

bool lb_is_contiguous(const lb_tensor *t)
{
    int64_t dense = 1;
    for (uint32_t d = t->rank < LB_MAX_RANK ? t->rank : LB_MAX_RANK; d-- > 0;) {
        if (t->mem_stride[d] != dense)
            return false;
        dense = lb_sat(dense * t->shape[d],
                       32); /* past the width of a stride nothing is equal any more */
    }
    return true;
}

bool lb_is_apart(const lb_container *a, const lb_container *b)
{
    uintptr_t a_start = (uintptr_t)a->mem.ptr;
    uintptr_t b_start = (uintptr_t)b->mem.ptr;
    if (a_start == 0 || b_start == 0)
        return true;
    /* Distances, not ends: an end could pass the top of the address space. */
    return a_start <= b_start ? b_start - a_start >= a->capacity_bytes
                              : a_start - b_start >= b->capacity_bytes;
}
