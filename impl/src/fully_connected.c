/* mli_krn_fully_connected_* (conv.md 10). */
#include "api/mli_kernels_api.h"

#include <string.h>

#include "check.h"
#include "weighted.h"

enum { AXIS_OUT = 1 }; /* dimension of the output channels in the weights */

/* Common part of the checks: steps T, then the table of conv.md 11. */
static mli_status check_layer(const mli_tensor *in, const mli_tensor *weights,
                              const mli_tensor *bias, const mli_fully_connected_cfg *cfg,
                              const mli_tensor *out)
{
    LB_MLI_TRY(lb_mli_check_tensor(in));
    LB_MLI_TRY(lb_mli_check_tensor(weights));
    LB_MLI_TRY(lb_mli_check_tensor(bias));
    LB_MLI_TRY(lb_mli_check_tensor(out));
    LB_MLI_REQUIRE(out->el_type == in->el_type, MLI_STATUS_TYPE_MISMATCH);
    LB_MLI_REQUIRE(cfg, MLI_STATUS_BAD_FUNC_CFG);
    LB_MLI_REQUIRE(weights->rank == 2 && bias->rank == 1 && out->rank == 1,
                   MLI_STATUS_SHAPE_MISMATCH);
    LB_MLI_REQUIRE(lb_mli_count(in) == weights->shape[0], MLI_STATUS_SHAPE_MISMATCH);
    LB_MLI_REQUIRE(bias->shape[0] == weights->shape[AXIS_OUT] &&
                       out->shape[0] == weights->shape[AXIS_OUT],
                   MLI_STATUS_SHAPE_MISMATCH);
    LB_MLI_REQUIRE(lb_mli_is_dense(in) && lb_mli_is_dense(bias) && lb_mli_inner_dense(weights) &&
                       lb_mli_inner_dense(out),
                   MLI_STATUS_INCOMPATEBLE_TENSORS);
    LB_MLI_REQUIRE(!lb_mli_overlap(in, out), MLI_STATUS_INCOMPATEBLE_TENSORS);
    return MLI_STATUS_OK;
}

/* Channels whose sums are made at once: the more, the longer the pieces of memory that a row of
 * weights is. Sums become outputs in blocks of fewer. */
enum { SUMS = (LB_MLI_SMALL ? 1 : 4) * LB_MLI_BLOCK };

/* Accumulators, in the width of the variant. */
union accumulators {
    int32_t s32[SUMS];
    int64_t s64[SUMS];
};

/* Products of channels first .. first + n - 1, n up to SUMS. The operand types decide the width of
 * the accumulator (conv.md 1). */
static void run_fx_products(const struct lb_mli_loops *loops, const mli_tensor *in,
                            const mli_tensor *weights, size_t first, size_t n,
                            union accumulators *acc)
{
    const size_t rows = weights->shape[0];
    const ptrdiff_t row = weights->mem_stride[0];
    const mli_data_container *w = &weights->data;
    if (weights->el_type == MLI_EL_FX_16) {
        memset(acc->s64, 0, n * sizeof acc->s64[0]);
        loops->gemv_s16(in->data.mem.pi16, w->mem.pi16 + first, row, rows, n, acc->s64);
        return;
    }
    memset(acc->s32, 0, n * sizeof acc->s32[0]);
    if (in->el_type == MLI_EL_FX_16)
        loops->gemv_s16s8(in->data.mem.pi16, w->mem.pi8 + first, row, rows, n, acc->s32);
    else
        loops->gemv_s8(in->data.mem.pi8, 0, w->mem.pi8 + first, row, rows, n, acc->s32);
}

/* n outputs from channel first on, from the sums that begin at acc[at]. */
static void finish_fx(const struct lb_mli_fx_plan *plan, const union accumulators *acc, size_t at,
                      size_t first, size_t n, mli_tensor *out, bool wide)
{
    int32_t aligned[LB_MLI_BLOCK];
    lb_mli_fx_bias(plan, first, n, aligned);
    if (wide)
        lb_mli_fx_finish_s64_s16(plan, acc->s64 + at, aligned, n, out->data.mem.pi16 + first);
    else if (out->el_type == MLI_EL_FX_16)
        lb_mli_fx_finish_s32_s16(plan, acc->s32 + at, aligned, n, out->data.mem.pi16 + first);
    else
        lb_mli_fx_finish_s32_s8(plan, acc->s32 + at, aligned, n, out->data.mem.pi8 + first);
}

static mli_status check_fx(struct lb_mli_weighted_types types, const mli_tensor *in,
                           const mli_tensor *weights, const mli_tensor *bias,
                           const mli_fully_connected_cfg *cfg, const mli_tensor *out)
{
    LB_MLI_TRY(lb_mli_check_fx_formats(types, in, weights, bias, out));
    return check_layer(in, weights, bias, cfg, out);
}

static mli_status run_fx(struct lb_mli_weighted_types types, const mli_tensor *in,
                         const mli_tensor *weights, const mli_tensor *bias,
                         const mli_fully_connected_cfg *cfg, mli_tensor *out)
{
    LB_MLI_CHECK(check_fx(types, in, weights, bias, cfg, out));
    const size_t channels = weights->shape[AXIS_OUT];
    struct lb_mli_fx_plan plan;
    lb_mli_fx_plan(in, weights, bias, cfg->relu.type, out, lb_mli_round_now(), &plan);
    union accumulators acc;
    for (size_t first = 0; first < channels; first += SUMS) {
        const size_t n = lb_mli_min_size(channels - first, SUMS);
        run_fx_products(plan.loops, in, weights, first, n, &acc);
        for (size_t at = 0; at < n; at += LB_MLI_BLOCK)
            finish_fx(&plan, &acc, at, first + at, lb_mli_min_size(n - at, LB_MLI_BLOCK), out,
                      weights->el_type == MLI_EL_FX_16);
    }
    return MLI_STATUS_OK;
}

/* Outputs of n channels from first on; acc: their sums of products. */
static void finish_sa(const struct lb_mli_sa_plan *plan, int32_t *acc, size_t first, size_t n,
                      mli_tensor *out)
{
    struct lb_mli_sa_block block;
    lb_mli_sa_block(plan, first, n, plan->weights->shape[0], &block);
    for (size_t i = 0; block.bias_in_start && i < n; i++)
        acc[i] += block.bias[i];
    lb_mli_sa_finish_rows(plan, &block, acc, n, 1, n, out->data.mem.pi8 + first, n);
}

static void run_sa_channels(const struct lb_mli_sa_plan *plan, const mli_tensor *in, size_t first,
                            size_t n, mli_tensor *out)
{
    const mli_tensor *weights = plan->weights;
    int32_t acc[SUMS];
    memset(acc, 0, n * sizeof acc[0]);
    plan->loops->gemv_s8(in->data.mem.pi8, plan->zero_in, weights->data.mem.pi8 + first,
                         weights->mem_stride[0], weights->shape[0], n, acc);
    for (size_t at = 0; at < n; at += LB_MLI_BLOCK)
        finish_sa(plan, acc + at, first + at, lb_mli_min_size(n - at, LB_MLI_BLOCK), out);
}

static mli_status check_sa(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias,
                           const mli_fully_connected_cfg *cfg, const mli_tensor *out,
                           enum lb_mli_round round)
{
    LB_MLI_TRY(check_layer(in, weights, bias, cfg, out));
    return lb_mli_check_sa_formats(in, weights, bias, out, AXIS_OUT, round);
}

/* corrected_bias: the bias already holds what the zero point of the input takes away. */
static mli_status run_sa(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias,
                         const mli_fully_connected_cfg *cfg, mli_tensor *out, bool corrected_bias)
{
    const enum lb_mli_profile profile = lb_mli_profile();
    LB_MLI_CHECK(check_sa(in, weights, bias, cfg, out, lb_mli_profile_round(profile)));
    const size_t channels = weights->shape[AXIS_OUT];
    struct lb_mli_sa_plan plan;
    lb_mli_sa_plan(in, weights, bias, cfg->relu.type, out, profile, &plan);
    if (corrected_bias)
        plan.zero_in = 0;
    for (size_t first = 0; first < channels; first += SUMS)
        run_sa_channels(&plan, in, first, lb_mli_min_size(channels - first, SUMS), out);
    return MLI_STATUS_OK;
}

mli_status mli_krn_fully_connected_fx16(const mli_tensor *in, const mli_tensor *weights,
                                        const mli_tensor *bias, const mli_fully_connected_cfg *cfg,
                                        mli_tensor *out)
{
    return run_fx(LB_MLI_TYPES_FX16, in, weights, bias, cfg, out);
}

mli_status mli_krn_fully_connected_fx16_fx8_fx8(const mli_tensor *in, const mli_tensor *weights,
                                                const mli_tensor *bias,
                                                const mli_fully_connected_cfg *cfg, mli_tensor *out)
{
    return run_fx(LB_MLI_TYPES_FX16_FX8, in, weights, bias, cfg, out);
}

mli_status mli_krn_fully_connected_fx8(const mli_tensor *in, const mli_tensor *weights,
                                       const mli_tensor *bias, const mli_fully_connected_cfg *cfg,
                                       mli_tensor *out)
{
    return run_fx(LB_MLI_TYPES_FX8, in, weights, bias, cfg, out);
}

mli_status mli_krn_fully_connected_sa8_sa8_sa32(const mli_tensor *in, const mli_tensor *weights,
                                                const mli_tensor *bias,
                                                const mli_fully_connected_cfg *cfg, mli_tensor *out)
{
    return run_sa(in, weights, bias, cfg, out, false);
}

mli_status mli_krn_fully_connected_sa8_sa8_sa32_ext_bias(const mli_tensor *in,
                                                         const mli_tensor *weights,
                                                         const mli_tensor *bias,
                                                         const mli_fully_connected_cfg *cfg,
                                                         mli_tensor *out)
{
    return run_sa(in, weights, bias, cfg, out, true);
}
