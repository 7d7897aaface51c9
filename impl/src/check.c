/* Tensor, quantization and scalar checks, overlap, shapes (numerics.md 2, 9). */
#include "check.h"

#define DIMENSION_MAX INT32_MAX

uint32_t lb_mli_element_size(mli_element_type type)
{
    switch (type) {
    case MLI_EL_FX_8:
    case MLI_EL_SA_8:
        return 1;
    case MLI_EL_FX_16:
        return 2;
    case MLI_EL_SA_32:
    case MLI_EL_FP_32:
        return 4;
    default:
        return 0;
    }
}

uint64_t lb_mli_count(const mli_tensor *t)
{
    uint64_t count = 1;
    if (t->rank > MLI_MAX_RANK)
        return 0;
    for (uint32_t d = 0; d < t->rank; d++) {
        if (t->shape[d] == 0)
            return 0;
        /* Stops growing where it would leave 64 bits: no tensor that passes the check comes near.
         */
        count = count > UINT64_MAX / t->shape[d] ? UINT64_MAX : count * t->shape[d];
    }
    return count;
}

/* Steps 4 and 5 of the tensor check. */
static bool dimensions_valid(const mli_tensor *t)
{
    int64_t least = 1; /* what the stride must reach: the extent of the dimension inside */
    for (uint32_t d = 0; d < t->rank; d++)
        if (t->mem_stride[d] <= 0 || t->shape[d] == 0 || t->shape[d] > DIMENSION_MAX)
            return false;
    for (uint32_t d = t->rank; d-- > 0;) {
        if (t->mem_stride[d] < least)
            return false;
        least = (int64_t)t->shape[d] * t->mem_stride[d];
    }
    return true;
}

/* Step 6: whether the capacity reaches the last element. Each product stays below 2^62. */
static bool has_room(const mli_tensor *t)
{
    const uint64_t size = lb_mli_element_size(t->el_type);
    if (size == 0)
        return true;
    const uint64_t room = t->data.capacity / size; /* elements */
    uint64_t last = 0;
    for (uint32_t d = 0; d < t->rank; d++) {
        last += (uint64_t)(t->shape[d] - 1) * (uint64_t)t->mem_stride[d];
        if (last >= room)
            return false;
    }
    return last < room;
}

mli_status lb_mli_check_tensor(const mli_tensor *t)
{
    LB_MLI_REQUIRE(t && t->data.mem.pi8, MLI_STATUS_BAD_TENSOR);
    LB_MLI_REQUIRE(t->rank <= MLI_MAX_RANK && t->data.capacity <= INT32_MAX, MLI_STATUS_BAD_TENSOR);
    LB_MLI_REQUIRE(dimensions_valid(t), MLI_STATUS_BAD_TENSOR);
    LB_MLI_REQUIRE(has_room(t), MLI_STATUS_NOT_ENGH_MEM);
    return MLI_STATUS_OK;
}

static mli_status check_entry(int32_t scale, int32_t zero_point, struct lb_mli_zero_range zero)
{
    LB_MLI_REQUIRE(scale > 0, MLI_STATUS_BAD_TENSOR);
    LB_MLI_REQUIRE(zero_point >= zero.lo && zero_point <= zero.hi, MLI_STATUS_INCOMPATEBLE_TENSORS);
    return MLI_STATUS_OK;
}

mli_status lb_mli_check_quant(const mli_tensor *t, struct lb_mli_zero_range zero)
{
    if (!lb_mli_is_sa(t))
        return MLI_STATUS_OK;
    const mli_data_container *scale = &t->el_params.sa.scale;
    const mli_data_container *point = &t->el_params.sa.zero_point;
    const mli_data_container *bits = &t->el_params.sa.scale_frac_bits;
    if (!lb_mli_per_axis(t)) {
        LB_MLI_REQUIRE(scale->capacity == 0 && point->capacity == 0 && bits->capacity == 0,
                       MLI_STATUS_BAD_TENSOR);
        return check_entry(scale->mem.i16, point->mem.i16, zero);
    }
    LB_MLI_REQUIRE((uint32_t)t->el_params.sa.dim < t->rank, MLI_STATUS_BAD_TENSOR);
    const uint64_t entries = t->shape[t->el_params.sa.dim];
    LB_MLI_REQUIRE(scale->capacity >= 2 * entries && point->capacity >= 2 * entries &&
                       bits->capacity >= entries,
                   MLI_STATUS_BAD_TENSOR);
    LB_MLI_REQUIRE(scale->mem.pi16 && point->mem.pi16 && bits->mem.pi8, MLI_STATUS_BAD_TENSOR);
    for (uint64_t i = 0; i < entries; i++)
        LB_MLI_TRY(check_entry(scale->mem.pi16[i], point->mem.pi16[i], zero));
    return MLI_STATUS_OK;
}

mli_status lb_mli_check_scalar(const mli_tensor *t)
{
    LB_MLI_REQUIRE(t, MLI_STATUS_BAD_TENSOR);
    if (t->rank == 0)
        return lb_mli_check_quant(t, LB_MLI_ZERO_16BIT);
    LB_MLI_TRY(lb_mli_check_tensor(t));
    LB_MLI_REQUIRE(lb_mli_count(t) == 1, MLI_STATUS_SHAPE_MISMATCH);
    return MLI_STATUS_OK;
}

bool lb_mli_same_shape(const mli_tensor *a, const mli_tensor *b)
{
    if (a->rank != b->rank)
        return false;
    for (uint32_t d = 0; d < a->rank; d++)
        if (a->shape[d] != b->shape[d])
            return false;
    return true;
}

bool lb_mli_is_dense(const mli_tensor *t)
{
    int64_t stride = 1;
    for (uint32_t d = t->rank; d-- > 0;) {
        if (t->mem_stride[d] != stride)
            return false;
        stride = (int64_t)t->shape[d] * t->mem_stride[d];
    }
    return true;
}

bool lb_mli_overlap(const mli_tensor *a, const mli_tensor *b)
{
    const uintptr_t pa = (uintptr_t)a->data.mem.pi8;
    const uintptr_t pb = (uintptr_t)b->data.mem.pi8;
    return pa < pb ? pb - pa < a->data.capacity : pa - pb < b->data.capacity;
}
