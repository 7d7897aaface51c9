/* mli_krn_eltwise_* (elementwise.md 5): checks, scalars, strides; the arithmetic is in
 * eltwise_vector.c. */
#include <string.h>

#include "api/mli_kernels_api.h"
#include "check.h"
#include "eltwise.h"
#include "profile.h"
#include "rows.h"

enum { BROADCAST = 512 }; /* elements of a repeated scalar */

static const mli_element_type type_of_kind[LB_MLI_KINDS] = {
    [LB_MLI_FX8] = MLI_EL_FX_8,
    [LB_MLI_FX16] = MLI_EL_FX_16,
    [LB_MLI_SA8] = MLI_EL_SA_8,
};

/* Equal type and quantization: what min and max ask of their operands. Lists per axis count as
 * equal if they are the same memory; no kernel of this family takes them anyway. */
static bool equally_quantized(const mli_tensor *a, const mli_tensor *b)
{
    if (a->el_type != b->el_type)
        return false;
    if (!lb_mli_is_sa(a))
        return a->el_type == MLI_EL_FP_32 || a->el_params.fx.frac_bits == b->el_params.fx.frac_bits;
    if (a->el_params.sa.dim != b->el_params.sa.dim || a->el_params.sa.type != b->el_params.sa.type)
        return false;
    if (lb_mli_per_axis(a))
        return a->el_params.sa.zero_point.mem.pi16 == b->el_params.sa.zero_point.mem.pi16 &&
               a->el_params.sa.scale.mem.pi16 == b->el_params.sa.scale.mem.pi16 &&
               a->el_params.sa.scale_frac_bits.mem.pi8 == b->el_params.sa.scale_frac_bits.mem.pi8;
    const struct lb_mli_quant qa = lb_mli_quant_at(a, 0);
    const struct lb_mli_quant qb = lb_mli_quant_at(b, 0);
    return qa.zero == qb.zero && qa.scale == qb.scale && qa.shift == qb.shift;
}

static mli_status check_operand(const mli_tensor *t)
{
    LB_MLI_REQUIRE(t, MLI_STATUS_BAD_TENSOR);
    return lb_mli_is_scalar(t) ? lb_mli_check_scalar(t) : lb_mli_check_tensor(t);
}

static mli_status check_sa8(const mli_tensor *in1, const mli_tensor *in2, const mli_tensor *out)
{
    LB_MLI_TRY(lb_mli_check_quant(in1, LB_MLI_ZERO_8BIT));
    LB_MLI_TRY(lb_mli_check_quant(in2, LB_MLI_ZERO_8BIT));
    LB_MLI_TRY(lb_mli_check_quant(out, LB_MLI_ZERO_8BIT));
    LB_MLI_REQUIRE(!lb_mli_per_axis(in1) && !lb_mli_per_axis(in2) && !lb_mli_per_axis(out),
                   MLI_STATUS_INCOMPATEBLE_TENSORS);
    return MLI_STATUS_OK;
}

static mli_status check_eltwise(enum lb_mli_op op, enum lb_mli_kind kind, const mli_tensor *in1,
                                const mli_tensor *in2, const mli_tensor *out)
{
    LB_MLI_TRY(check_operand(in1));
    LB_MLI_TRY(check_operand(in2));
    LB_MLI_TRY(lb_mli_check_tensor(out));
    LB_MLI_REQUIRE(in1->rank > 0 || in2->rank > 0, MLI_STATUS_NOT_SUPPORTED);
    const bool scalar1 = lb_mli_is_scalar(in1);
    const bool scalar2 = lb_mli_is_scalar(in2);
    LB_MLI_REQUIRE((scalar1 || lb_mli_inner_dense(in1)) && (scalar2 || lb_mli_inner_dense(in2)) &&
                       lb_mli_inner_dense(out),
                   MLI_STATUS_INCOMPATEBLE_TENSORS);
    LB_MLI_REQUIRE(out->el_type == in1->el_type, MLI_STATUS_INCOMPATEBLE_TENSORS);
    LB_MLI_REQUIRE(scalar1 || scalar2 || lb_mli_same_shape(in1, in2), MLI_STATUS_SHAPE_MISMATCH);
    LB_MLI_REQUIRE(lb_mli_same_shape(scalar1 ? in2 : in1, out), MLI_STATUS_SHAPE_MISMATCH);
    if (op == LB_MLI_MIN || op == LB_MLI_MAX)
        LB_MLI_REQUIRE(equally_quantized(in1, in2), MLI_STATUS_INCOMPATEBLE_TENSORS);
    LB_MLI_REQUIRE(in1->el_type == type_of_kind[kind] && in2->el_type == type_of_kind[kind],
                   MLI_STATUS_TYPE_MISMATCH);
    return kind == LB_MLI_SA8 ? check_sa8(in1, in2, out) : MLI_STATUS_OK;
}

/* An operand: rows of a tensor, or a scalar repeated. */
struct operand {
    bool scalar;
    const char *data;
    unsigned slot; /* in rows.at, if it is no scalar */
};

static struct operand operand_of(const mli_tensor *t, int16_t *repeated)
{
    if (!lb_mli_is_scalar(t))
        return (struct operand){false, (const char *)t->data.mem.pi8, 0};
    if (t->el_type == MLI_EL_FX_16) {
        const int16_t value = t->rank == 0 ? t->data.mem.i16 : t->data.mem.pi16[0];
        for (size_t i = 0; i < BROADCAST; i++)
            repeated[i] = value;
    } else {
        memset(repeated, t->rank == 0 ? t->data.mem.i8 : t->data.mem.pi8[0], BROADCAST);
    }
    return (struct operand){true, (const char *)repeated, 0};
}

/* One row; a repeated scalar reaches as far as BROADCAST. */
static void run_row(const struct lb_mli_eltwise *plan, const struct operand *a,
                    const struct operand *b, const struct lb_mli_rows *rows, size_t size, char *out)
{
    const char *row_a = a->data + (a->scalar ? 0 : rows->at[a->slot] * (ptrdiff_t)size);
    const char *row_b = b->data + (b->scalar ? 0 : rows->at[b->slot] * (ptrdiff_t)size);
    const size_t step = a->scalar || b->scalar ? BROADCAST : rows->length;
    out += rows->at[0] * (ptrdiff_t)size;
    for (size_t at = 0; at < rows->length; at += step)
        lb_mli_eltwise_run(plan, a->scalar ? row_a : row_a + at * size,
                           b->scalar ? row_b : row_b + at * size,
                           lb_mli_min_size(rows->length - at, step), out + at * size);
}

static mli_status eltwise(enum lb_mli_op op, enum lb_mli_kind kind, const mli_tensor *in1,
                          const mli_tensor *in2, mli_tensor *out)
{
    LB_MLI_CHECK(check_eltwise(op, kind, in1, in2, out));
    struct lb_mli_eltwise plan;
    lb_mli_eltwise_plan(op, kind, lb_mli_quant_at(in1, 0), lb_mli_quant_at(in2, 0),
                        lb_mli_quant_at(out, 0), lb_mli_round_now(), &plan);
    int16_t repeated1[BROADCAST], repeated2[BROADCAST];
    struct operand a = operand_of(in1, repeated1);
    struct operand b = operand_of(in2, repeated2);
    const int32_t *strides[LB_MLI_ROWS_OPERANDS] = {out->mem_stride};
    unsigned operands = 1;
    if (!a.scalar)
        strides[a.slot = operands++] = in1->mem_stride;
    if (!b.scalar)
        strides[b.slot = operands++] = in2->mem_stride;
    struct lb_mli_rows rows;
    lb_mli_rows_start(&rows, out->rank, out->shape, operands, strides);
    do
        run_row(&plan, &a, &b, &rows, lb_mli_element_size(out->el_type), (char *)out->data.mem.pi8);
    while (lb_mli_rows_next(&rows));
    return MLI_STATUS_OK;
}

#define KERNEL(name, op, kind)                                                                     \
    mli_status name(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out)                 \
    {                                                                                              \
        return eltwise(op, kind, in1, in2, out);                                                   \
    }

KERNEL(mli_krn_eltwise_add_sa8, LB_MLI_ADD, LB_MLI_SA8)
KERNEL(mli_krn_eltwise_add_fx8, LB_MLI_ADD, LB_MLI_FX8)
KERNEL(mli_krn_eltwise_add_fx16, LB_MLI_ADD, LB_MLI_FX16)
KERNEL(mli_krn_eltwise_sub_sa8, LB_MLI_SUB, LB_MLI_SA8)
KERNEL(mli_krn_eltwise_sub_fx8, LB_MLI_SUB, LB_MLI_FX8)
KERNEL(mli_krn_eltwise_sub_fx16, LB_MLI_SUB, LB_MLI_FX16)
KERNEL(mli_krn_eltwise_mul_sa8, LB_MLI_MUL, LB_MLI_SA8)
KERNEL(mli_krn_eltwise_mul_fx8, LB_MLI_MUL, LB_MLI_FX8)
KERNEL(mli_krn_eltwise_mul_fx16, LB_MLI_MUL, LB_MLI_FX16)
KERNEL(mli_krn_eltwise_min_sa8, LB_MLI_MIN, LB_MLI_SA8)
KERNEL(mli_krn_eltwise_min_fx8, LB_MLI_MIN, LB_MLI_FX8)
KERNEL(mli_krn_eltwise_min_fx16, LB_MLI_MIN, LB_MLI_FX16)
KERNEL(mli_krn_eltwise_max_sa8, LB_MLI_MAX, LB_MLI_SA8)
KERNEL(mli_krn_eltwise_max_fx8, LB_MLI_MAX, LB_MLI_FX8)
KERNEL(mli_krn_eltwise_max_fx16, LB_MLI_MAX, LB_MLI_FX16)
