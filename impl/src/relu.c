/* mli_krn_relu_* (elementwise.md 3): limits from the quantization of the input, then a clamp. */
#include "api/mli_kernels_api.h"
#include "check.h"
#include "loops.h"
#include "quant.h"
#include "rows.h"

static mli_status check_relu(mli_element_type type, const mli_tensor *in, const mli_relu_cfg *cfg,
                             const mli_tensor *out)
{
    LB_MLI_TRY(lb_mli_check_tensor(in));
    LB_MLI_REQUIRE(cfg, MLI_STATUS_BAD_FUNC_CFG);
    LB_MLI_TRY(lb_mli_check_tensor(out));
    LB_MLI_REQUIRE(out->el_type == in->el_type, MLI_STATUS_TYPE_MISMATCH);
    LB_MLI_REQUIRE(lb_mli_same_shape(in, out), MLI_STATUS_SHAPE_MISMATCH);
    LB_MLI_REQUIRE(lb_mli_inner_dense(in) && lb_mli_inner_dense(out),
                   MLI_STATUS_INCOMPATEBLE_TENSORS);
    LB_MLI_REQUIRE(in->el_type == type, MLI_STATUS_TYPE_MISMATCH);
    LB_MLI_TRY(lb_mli_check_quant(in, LB_MLI_ZERO_8BIT));
    LB_MLI_REQUIRE(!lb_mli_is_sa(in) || !lb_mli_per_axis(in), MLI_STATUS_INCOMPATEBLE_TENSORS);
    return MLI_STATUS_OK;
}

struct limits {
    struct lb_mli_range range;
    const struct lb_mli_loops *loops;
};

static void clamp_piece_s8(const void *context, const void *in, size_t n, void *out)
{
    const struct limits *limits = context;
    limits->loops->clamp_s8(in, n, limits->range.lo, limits->range.hi, out);
}

static void clamp_piece_s16(const void *context, const void *in, size_t n, void *out)
{
    const struct limits *limits = context;
    limits->loops->clamp_s16(in, n, limits->range.lo, limits->range.hi, out);
}

static mli_status relu(mli_element_type type, const mli_tensor *in, const mli_relu_cfg *cfg,
                       mli_tensor *out)
{
    LB_MLI_CHECK(check_relu(type, in, cfg, out));
    const bool wide = type == MLI_EL_FX_16;
    const struct limits limits = {lb_mli_relu_range(cfg->type, lb_mli_quant_at(in, 0),
                                                    wide ? LB_MLI_RANGE_16 : LB_MLI_RANGE_8),
                                  lb_mli_loops()};
    lb_mli_rows_unary(&(struct lb_mli_unary){
        .in = in->data.mem.pi8,
        .out = out->data.mem.pi8,
        .size = wide ? 2 : 1,
        .rank = in->rank,
        .shape = in->shape,
        .in_stride = in->mem_stride,
        .out_stride = out->mem_stride,
        .work = wide ? clamp_piece_s16 : clamp_piece_s8,
        .context = &limits,
    });
    if (out != in)
        out->el_params = in->el_params;
    return MLI_STATUS_OK;
}

mli_status mli_krn_relu_sa8(const mli_tensor *in, const mli_relu_cfg *cfg, mli_tensor *out)
{
    return relu(MLI_EL_SA_8, in, cfg, out);
}

mli_status mli_krn_relu_fx8(const mli_tensor *in, const mli_relu_cfg *cfg, mli_tensor *out)
{
    return relu(MLI_EL_FX_8, in, cfg, out);
}

mli_status mli_krn_relu_fx16(const mli_tensor *in, const mli_relu_cfg *cfg, mli_tensor *out)
{
    return relu(MLI_EL_FX_16, in, cfg, out);
}
