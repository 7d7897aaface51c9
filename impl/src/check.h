/* Parameter checks that kernels share, with the statuses of numerics.md 2 and 9. Functions that
 * return a status stop at the first condition that fails; predicates answer a single question.
 * Which checks a kernel makes, and in which order, stands in the kernel's own file. Nothing here is
 * called in a build without checks (LB_MLI_CHECK). */
#ifndef LB_MLI_CHECK_H
#define LB_MLI_CHECK_H

#include "internal.h"

/* Zero points that a function accepts; chkq with b = 7, 15, 0 in numerics.md 2. */
struct lb_mli_zero_range {
    int32_t lo, hi;
};
#define LB_MLI_ZERO_8BIT  ((struct lb_mli_zero_range){INT8_MIN, INT8_MAX})
#define LB_MLI_ZERO_16BIT ((struct lb_mli_zero_range){INT16_MIN, INT16_MAX})
#define LB_MLI_ZERO_NONE  ((struct lb_mli_zero_range){0, 0})

/* chk(t): NULL allowed (BAD_TENSOR). Pointer, rank, capacity, shape, strides: BAD_TENSOR; room:
 * NOT_ENGH_MEM. */
LB_MLI_HIDDEN mli_status lb_mli_check_tensor(const mli_tensor *t);

/* chkq(t, zero): quantization parameters of SA tensors; every other type passes. t passed
 * lb_mli_check_tensor, or is a scalar of rank 0. */
LB_MLI_HIDDEN mli_status lb_mli_check_quant(const mli_tensor *t, struct lb_mli_zero_range zero);

/* VS(t) of elementwise.md 2: a scalar operand. NULL: BAD_TENSOR; rank 0: quantization only; else
 * chk(t) and exactly one element, else SHAPE_MISMATCH. */
LB_MLI_HIDDEN mli_status lb_mli_check_scalar(const mli_tensor *t);

/* Same rank and same shape. */
LB_MLI_HIDDEN bool lb_mli_same_shape(const mli_tensor *a, const mli_tensor *b);

/* All strides are exactly those of a packed tensor, also where a dimension is 1. */
LB_MLI_HIDDEN bool lb_mli_is_dense(const mli_tensor *t);

/* The memory [data, data + capacity) of two tensors meets: declared capacities, full addresses,
 * touching ends do not count. Both passed lb_mli_check_tensor. */
LB_MLI_HIDDEN bool lb_mli_overlap(const mli_tensor *a, const mli_tensor *b);

/* Number of elements as 64 bits: neither wraps nor cares for strides. 1 for rank 0, 0 for a rank
 * above 4. */
LB_MLI_HIDDEN uint64_t lb_mli_count(const mli_tensor *t);

/* Bytes of one element of a type, 0 for types that no function computes with. */
LB_MLI_HIDDEN uint32_t lb_mli_element_size(mli_element_type type);

/* Innermost stride 1, or rank 0. */
static inline bool lb_mli_inner_dense(const mli_tensor *t)
{
    return t->rank == 0 || t->mem_stride[t->rank - 1] == 1;
}

static inline bool lb_mli_is_sa(const mli_tensor *t)
{
    return t->el_type == MLI_EL_SA_8 || t->el_type == MLI_EL_SA_32;
}

/* sa.dim: the dimension along which parameters differ, below 0 if they do not. SA tensors only. */
static inline bool lb_mli_per_axis(const mli_tensor *t)
{
    return t->el_params.sa.dim >= 0;
}

/* Scalar operand in the sense of elementwise.md 2: rank 0, or one element. t is not NULL, else
 * unchecked. */
static inline bool lb_mli_is_scalar(const mli_tensor *t)
{
    return t->rank == 0 || lb_mli_count(t) == 1;
}

#endif
