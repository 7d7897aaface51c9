/* The checks of the convolution families (conv.md 11). The letters are those of its tables. */
#include "conv_check.h"

#include "check.h"

/* One direction of a call, as the checks look at it. */
struct direction {
    int64_t in, out, kernel;
    int64_t stride, dilation, pad_before, pad_after;
};

static struct direction rows_of(const mli_tensor *in, const mli_tensor *weights,
                                const mli_conv2d_cfg *cfg, const mli_tensor *out)
{
    return (struct direction){
        in->shape[FMAP_H_DIM_HWC], out->shape[FMAP_H_DIM_HWC], weights->shape[KRNL_H_DIM_HWCN],
        cfg->stride_height,        cfg->dilation_height,       cfg->padding_top,
        cfg->padding_bottom};
}

static struct direction cols_of(const mli_tensor *in, const mli_tensor *weights,
                                const mli_conv2d_cfg *cfg, const mli_tensor *out)
{
    return (struct direction){
        in->shape[FMAP_W_DIM_HWC], out->shape[FMAP_W_DIM_HWC], weights->shape[KRNL_W_DIM_HWCN],
        cfg->stride_width,         cfg->dilation_width,        cfg->padding_left,
        cfg->padding_right};
}

/* Steps A, B, C: fx alone makes them. */
static mli_status check_formats_first(enum lb_mli_conv_kind kind, const mli_tensor *in,
                                      const mli_tensor *weights, const mli_tensor *bias,
                                      const mli_tensor *out)
{
    switch (kind) {
    case LB_MLI_CONV_FX16:
        return lb_mli_check_fx_formats(LB_MLI_TYPES_FX16, in, weights, bias, out);
    case LB_MLI_CONV_FX16_FX8:
        return lb_mli_check_fx_formats(LB_MLI_TYPES_FX16_FX8, in, weights, bias, out);
    default:
        return MLI_STATUS_OK;
    }
}

/* Steps Q: sa8 alone makes them. */
static mli_status check_formats_last(enum lb_mli_conv_kind kind, const mli_tensor *in,
                                     const mli_tensor *weights, const mli_tensor *bias,
                                     const mli_tensor *out, enum lb_mli_round round)
{
    if (kind != LB_MLI_CONV_SA8)
        return MLI_STATUS_OK;
    return lb_mli_check_sa_formats(in, weights, bias, out, KRNL_C_DIM_HWCN, round);
}

/* Step K. It comes before the check of weights and so reads shapes of any rank. */
static mli_status check_kernel(const mli_tensor *weights, uint32_t kernel)
{
    if (kernel == 0)
        return MLI_STATUS_OK;
    LB_MLI_REQUIRE(weights, MLI_STATUS_BAD_TENSOR);
    LB_MLI_REQUIRE(weights->shape[KRNL_H_DIM_HWCN] == kernel &&
                       weights->shape[KRNL_W_DIM_HWCN] == kernel,
                   MLI_STATUS_SHAPE_MISMATCH);
    return MLI_STATUS_OK;
}

/* Steps T. */
static mli_status check_tensors(const mli_tensor *in, const mli_tensor *weights,
                                const mli_tensor *bias, const mli_tensor *out)
{
    LB_MLI_TRY(lb_mli_check_tensor(in));
    LB_MLI_TRY(lb_mli_check_tensor(weights));
    LB_MLI_TRY(lb_mli_check_tensor(bias));
    LB_MLI_TRY(lb_mli_check_tensor(out));
    LB_MLI_REQUIRE(out->el_type == in->el_type, MLI_STATUS_TYPE_MISMATCH);
    return MLI_STATUS_OK;
}

static bool channels_fit(enum lb_mli_conv_family family, const mli_tensor *in,
                         const mli_tensor *weights, const mli_tensor *bias, const mli_tensor *out)
{
    const uint32_t inputs = in->shape[FMAP_C_DIM_HWC], outputs = weights->shape[KRNL_C_DIM_HWCN];
    const uint32_t depth = weights->shape[KRNL_D_DIM_HWCN];
    if (bias->shape[0] != outputs || out->shape[FMAP_C_DIM_HWC] != outputs)
        return false;
    switch (family) {
    case LB_MLI_DEPTHWISE_CONV2D:
        return depth == 1 && inputs == outputs;
    case LB_MLI_GROUP_CONV2D:
        return inputs % depth == 0 && outputs % (inputs / depth) == 0;
    default:
        return inputs == depth;
    }
}

/* Steps D1 to D3. */
static mli_status check_shapes(enum lb_mli_conv_family family, const mli_tensor *in,
                               const mli_tensor *weights, const mli_tensor *bias,
                               const mli_conv2d_cfg *cfg, const mli_tensor *out)
{
    LB_MLI_REQUIRE(in->rank == 3 && out->rank == 3 && weights->rank == 4 && bias->rank == 1,
                   MLI_STATUS_SHAPE_MISMATCH);
    LB_MLI_REQUIRE(channels_fit(family, in, weights, bias, out), MLI_STATUS_SHAPE_MISMATCH);
    LB_MLI_REQUIRE(lb_mli_inner_dense(in) && lb_mli_inner_dense(weights) &&
                       lb_mli_inner_dense(bias) && lb_mli_inner_dense(out),
                   MLI_STATUS_INCOMPATEBLE_TENSORS);
    LB_MLI_REQUIRE(cfg, MLI_STATUS_BAD_FUNC_CFG);
    return MLI_STATUS_OK;
}

/* Step D4 in one direction. */
static bool windows_fit(struct direction d)
{
    const int64_t reach = (d.kernel - 1) * d.dilation + 1;
    return d.dilation > 0 && d.stride > 0 && d.pad_before < reach && d.pad_after < reach &&
           (d.out - 1) * d.stride + reach <= d.in + d.pad_before + d.pad_after;
}

/* Steps D4t in one direction. */
static bool transpose_steps_fit(struct direction d)
{
    return d.dilation == 1 && d.pad_before < d.kernel && d.pad_after < d.kernel && d.stride > 0 &&
           d.stride <= d.kernel;
}

/* Steps D4u in one direction. */
static bool transpose_size_fits(struct direction d)
{
    return d.out == (d.in - 1) * d.stride + d.kernel - d.pad_before - d.pad_after;
}

mli_status lb_mli_check_conv(enum lb_mli_conv_family family, enum lb_mli_conv_kind kind,
                             uint32_t kernel, const mli_tensor *in, const mli_tensor *weights,
                             const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                             const mli_tensor *out, enum lb_mli_round round)
{
    LB_MLI_TRY(check_formats_first(kind, in, weights, bias, out));
    LB_MLI_TRY(check_kernel(weights, kernel));
    LB_MLI_TRY(check_tensors(in, weights, bias, out));
    LB_MLI_TRY(check_shapes(family, in, weights, bias, cfg, out));
    LB_MLI_REQUIRE(windows_fit(rows_of(in, weights, cfg, out)) &&
                       windows_fit(cols_of(in, weights, cfg, out)),
                   MLI_STATUS_BAD_FUNC_CFG);
    LB_MLI_REQUIRE(!lb_mli_overlap(in, out), MLI_STATUS_INCOMPATEBLE_TENSORS);
    return check_formats_last(kind, in, weights, bias, out, round);
}

mli_status lb_mli_check_transpose(enum lb_mli_conv_kind kind, uint32_t kernel, const mli_tensor *in,
                                  const mli_tensor *weights, const mli_tensor *bias,
                                  const mli_conv2d_cfg *cfg, const mli_tensor *out,
                                  enum lb_mli_round round)
{
    LB_MLI_TRY(check_formats_first(kind, in, weights, bias, out));
    LB_MLI_TRY(check_tensors(in, weights, bias, out));
    LB_MLI_TRY(check_shapes(LB_MLI_CONV2D, in, weights, bias, cfg, out));
    const struct direction rows = rows_of(in, weights, cfg, out),
                           cols = cols_of(in, weights, cfg, out);
    LB_MLI_REQUIRE(transpose_steps_fit(rows) && transpose_steps_fit(cols), MLI_STATUS_BAD_FUNC_CFG);
    LB_MLI_REQUIRE(transpose_size_fits(rows) && transpose_size_fits(cols), MLI_STATUS_BAD_FUNC_CFG);
    LB_MLI_REQUIRE(!lb_mli_overlap(in, out), MLI_STATUS_INCOMPATEBLE_TENSORS);
    LB_MLI_TRY(check_formats_last(kind, in, weights, bias, out, round));
    if (kernel) {
        LB_MLI_REQUIRE(rows.stride == 2 && cols.stride == 2, MLI_STATUS_BAD_FUNC_CFG);
        LB_MLI_REQUIRE(rows.kernel == kernel && cols.kernel == kernel,
                       MLI_STATUS_INCOMPATEBLE_TENSORS);
    }
    return MLI_STATUS_OK;
}
