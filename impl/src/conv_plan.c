/* Plans and results of convolutions. */
#include "conv_plan.h"

void lb_mli_conv_plan(enum lb_mli_conv_kind kind, const mli_tensor *in, const mli_tensor *weights,
                      const mli_tensor *bias, mli_relu_type relu, const mli_tensor *out,
                      enum lb_mli_profile profile, struct lb_mli_conv_plan *plan)
{
    *plan = (struct lb_mli_conv_plan){.kind = kind};
    if (kind == LB_MLI_CONV_SA8) {
        lb_mli_sa_plan(in, weights, bias, relu, out, profile, &plan->sa);
        plan->loops = plan->sa.loops;
        plan->zero_in = plan->sa.zero_in;
    } else {
        lb_mli_fx_plan(in, weights, bias, relu, out, lb_mli_profile_round(profile), &plan->fx);
        plan->loops = plan->fx.loops;
    }
}

bool lb_mli_conv_kind_of(const mli_tensor *in, const mli_tensor *weights,
                         enum lb_mli_conv_kind *kind)
{
    if (in->el_type == MLI_EL_SA_8 && weights->el_type == MLI_EL_SA_8)
        *kind = LB_MLI_CONV_SA8;
    else if (in->el_type == MLI_EL_FX_16 && weights->el_type == MLI_EL_FX_8)
        *kind = LB_MLI_CONV_FX16_FX8;
    else if (in->el_type == MLI_EL_FX_16 && weights->el_type == MLI_EL_FX_16)
        *kind = LB_MLI_CONV_FX16;
    else
        return false;
    return true;
}

struct lb_mli_conv lb_mli_conv_whole(const struct lb_mli_conv_plan *plan, const mli_tensor *in,
                                     const mli_tensor *weights, const mli_conv2d_cfg *cfg,
                                     const mli_tensor *out)
{
    return (struct lb_mli_conv){
        .plan = plan,
        .rows = {.in = in->shape[FMAP_H_DIM_HWC],
                 .out = out->shape[FMAP_H_DIM_HWC],
                 .taps = weights->shape[KRNL_H_DIM_HWCN],
                 .stride = cfg->stride_height,
                 .dilation = cfg->dilation_height,
                 .pad = cfg->padding_top},
        .cols = {.in = in->shape[FMAP_W_DIM_HWC],
                 .out = out->shape[FMAP_W_DIM_HWC],
                 .taps = weights->shape[KRNL_W_DIM_HWCN],
                 .stride = cfg->stride_width,
                 .dilation = cfg->dilation_width,
                 .pad = cfg->padding_left},
        .depth = weights->shape[KRNL_D_DIM_HWCN],
        .channels = weights->shape[KRNL_C_DIM_HWCN],
        .in = in->data.mem.pi8,
        .in_row = in->mem_stride[FMAP_H_DIM_HWC],
        .in_col = in->mem_stride[FMAP_W_DIM_HWC],
        .weights = weights->data.mem.pi8,
        .w_row = weights->mem_stride[KRNL_H_DIM_HWCN],
        .w_col = weights->mem_stride[KRNL_W_DIM_HWCN],
        .w_depth = weights->mem_stride[KRNL_D_DIM_HWCN],
        .out = out->data.mem.pi8,
        .out_row = out->mem_stride[FMAP_H_DIM_HWC],
        .out_col = out->mem_stride[FMAP_W_DIM_HWC],
    };
}

/* Sums of FX_16 by FX_8 products, each at most 2^22, start with the bias if that leaves 32 bits
 * nowhere. */
static void plan_fx_results(const struct lb_mli_conv_plan *plan, size_t first, size_t n,
                            size_t products, union lb_mli_conv_results *results)
{
    enum { PRODUCT = 1 << 22 };
    uint32_t largest = 0;
    lb_mli_fx_bias(&plan->fx, first, n, results->fx.bias);
    for (size_t i = 0; i < n; i++) {
        const int32_t bias = results->fx.bias[i];
        const uint32_t magnitude = bias < 0 ? 0U - (uint32_t)bias : (uint32_t)bias;
        largest = magnitude > largest ? magnitude : largest;
    }
    results->fx.bias_in_start =
        plan->kind == LB_MLI_CONV_FX16_FX8 && plan->loops->fx16_rows[plan->fx.round] &&
        plan->fx.result.shift >= 0 && plan->fx.result.shift < 32 &&
        products <= INT32_MAX / PRODUCT && products * PRODUCT + largest <= INT32_MAX;
}

void lb_mli_conv_results(const struct lb_mli_conv_plan *plan, size_t first, size_t n,
                         size_t products, union lb_mli_conv_results *results)
{
    if (plan->kind == LB_MLI_CONV_SA8)
        lb_mli_sa_block(&plan->sa, first, n, products, &results->sa);
    else
        plan_fx_results(plan, first, n, products, results);
}

void lb_mli_conv_add_bias(const struct lb_mli_conv_plan *plan,
                          const union lb_mli_conv_results *results, size_t n, int32_t *start)
{
    const bool sa8 = plan->kind == LB_MLI_CONV_SA8;
    const int32_t *const bias = sa8 ? results->sa.bias : results->fx.bias;
    if (!(sa8 ? results->sa.bias_in_start : results->fx.bias_in_start))
        return;
    for (size_t c = 0; c < n; c++)
        start[c] = (int32_t)((uint32_t)start[c] + (uint32_t)bias[c]);
}

void lb_mli_conv_finish(const struct lb_mli_conv_plan *plan,
                        const union lb_mli_conv_results *results, const void *acc, size_t n,
                        void *out)
{
    switch (plan->kind) {
    case LB_MLI_CONV_SA8:
        lb_mli_sa_finish(&plan->sa, &results->sa, acc, n, out);
        break;
    case LB_MLI_CONV_FX16_FX8:
        lb_mli_fx_finish_s32_s16(&plan->fx, acc, results->fx.bias, n, out);
        break;
    case LB_MLI_CONV_FX16:
        lb_mli_fx_finish_s64_s16(&plan->fx, acc, results->fx.bias, n, out);
        break;
    }
}

enum { SPLIT16_SHIFT_MIN = 8, SPLIT16_SHIFT_MAX = 36 };

bool lb_mli_conv_split16_shift(const struct lb_mli_conv_plan *plan)
{
    return plan->loops->split16_rows[plan->fx.round] &&
           plan->fx.result.shift >= SPLIT16_SHIFT_MIN && plan->fx.result.shift <= SPLIT16_SHIFT_MAX;
}

/* The low byte of bias and half goes where sums of low halves are. */
void lb_mli_conv_plan_split16(const struct lb_mli_conv_plan *plan,
                              const union lb_mli_conv_results *results, size_t n, int32_t *start,
                              struct lb_mli_split16_result *split16)
{
    const struct lb_mli_fx_result *result = &plan->fx.result;
    const size_t lanes = plan->loops->panel_lanes;
    const int32_t shift = result->shift - SPLIT16_SHIFT_MIN;
    const int32_t high_half = shift > 0 ? (int32_t)(UINT32_C(1) << shift >> 1) : 0;
    const int32_t low_half = shift > 0 ? 0 : 128;
    for (size_t c = 0; c < n; c++) {
        int32_t *const of_channel = start + c / lanes * 2 * lanes + c % lanes;
        of_channel[0] = (results->fx.bias[c] & 255) + low_half;
        of_channel[lanes] = (results->fx.bias[c] >> 8) + high_half;
    }
    *split16 = (struct lb_mli_split16_result){shift, (int32_t)((UINT32_C(1) << shift) - 1),
                                              result->lo, result->hi};
}

void lb_mli_conv_finish_rows(const struct lb_mli_conv_plan *plan,
                             const union lb_mli_conv_results *results,
                             const struct lb_mli_split16_result *split16, const int32_t *acc,
                             size_t acc_row, size_t pixels, size_t n, char *out, size_t out_step)
{
    if (plan->kind == LB_MLI_CONV_SA8) {
        lb_mli_sa_finish_rows(&plan->sa, &results->sa, acc, acc_row, pixels, n, (int8_t *)out,
                              out_step);
        return;
    }
    int16_t *const words = (int16_t *)(void *)out;
    if (split16) {
        plan->loops->split16_rows[plan->fx.round](acc, acc_row, pixels, n, split16, words,
                                                  out_step / 2);
    } else if (results->fx.bias_in_start) {
        plan->loops->fx16_rows[plan->fx.round](acc, acc_row, pixels, n, &plan->fx.result, words,
                                               out_step / 2);
    } else {
        for (size_t p = 0; p < pixels; p++)
            lb_mli_conv_finish(plan, results, acc + p * acc_row, n, out + p * out_step);
    }
}
