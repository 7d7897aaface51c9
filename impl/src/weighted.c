/* Formats and results of kernels with weights (conv.md 3 to 5, 11). */
#include "weighted.h"

#include <string.h>

#include "check.h"

mli_status lb_mli_check_fx_formats(struct lb_mli_weighted_types types, const mli_tensor *in,
                                   const mli_tensor *weights, const mli_tensor *bias,
                                   const mli_tensor *out)
{
    LB_MLI_REQUIRE(in && weights && bias && out, MLI_STATUS_BAD_TENSOR);
    LB_MLI_REQUIRE(in->el_type == types.in && weights->el_type == types.weights &&
                       bias->el_type == types.bias,
                   MLI_STATUS_TYPE_MISMATCH);
    const int product_bits = in->el_params.fx.frac_bits + weights->el_params.fx.frac_bits;
    LB_MLI_REQUIRE(bias->el_params.fx.frac_bits <= product_bits, MLI_STATUS_INCOMPATEBLE_TENSORS);
    /* The type of out is not checked yet: of an SA tensor this reads the low byte of sa.type, as
     * specified. */
    LB_MLI_REQUIRE(out->el_params.fx.frac_bits <= product_bits, MLI_STATUS_INCOMPATEBLE_TENSORS);
    return MLI_STATUS_OK;
}

mli_status lb_mli_check_bias_scale(const mli_tensor *in, const mli_tensor *weights,
                                   const mli_tensor *bias, uint32_t channels,
                                   enum lb_mli_round round)
{
    const struct lb_mli_quant qi = lb_mli_quant_at(in, 0);
    for (uint32_t c = 0; c < channels; c++) {
        const struct lb_mli_quant qw = lb_mli_quant_at(weights, c);
        const struct lb_mli_quant qb = lb_mli_quant_at(bias, c);
        const int32_t right = qi.shift + qw.shift - qb.shift;
        const int32_t product = qi.scale * qw.scale;
        const int64_t expected =
            right > 0 ? lb_mli_rsh32(product, right, round) : lb_mli_shl64(product, -right);
        LB_MLI_REQUIRE(expected >= qb.scale - 1 && expected <= qb.scale + 1,
                       MLI_STATUS_INCOMPATEBLE_TENSORS);
    }
    return MLI_STATUS_OK;
}

mli_status lb_mli_check_sa_formats(const mli_tensor *in, const mli_tensor *weights,
                                   const mli_tensor *bias, const mli_tensor *out,
                                   int32_t weights_axis, enum lb_mli_round round)
{
    LB_MLI_REQUIRE(in->el_type == MLI_EL_SA_8 && weights->el_type == MLI_EL_SA_8 &&
                       bias->el_type == MLI_EL_SA_32,
                   MLI_STATUS_TYPE_MISMATCH);
    LB_MLI_TRY(lb_mli_check_quant(in, LB_MLI_ZERO_8BIT));
    LB_MLI_TRY(lb_mli_check_quant(out, LB_MLI_ZERO_8BIT));
    LB_MLI_TRY(lb_mli_check_quant(weights, LB_MLI_ZERO_NONE));
    LB_MLI_TRY(lb_mli_check_quant(bias, LB_MLI_ZERO_NONE));
    const bool per_channel = lb_mli_per_axis(weights);
    if (per_channel)
        LB_MLI_REQUIRE(weights->el_params.sa.dim == weights_axis && bias->el_params.sa.dim == 0,
                       MLI_STATUS_INCOMPATEBLE_TENSORS);
    else
        LB_MLI_REQUIRE(!lb_mli_per_axis(bias), MLI_STATUS_INCOMPATEBLE_TENSORS);
    LB_MLI_REQUIRE(!lb_mli_per_axis(in) && !lb_mli_per_axis(out), MLI_STATUS_INCOMPATEBLE_TENSORS);
    return lb_mli_check_bias_scale(in, weights, bias,
                                   per_channel ? weights->shape[weights_axis] : 1, round);
}

void lb_mli_fx_plan(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias,
                    mli_relu_type relu, const mli_tensor *out, enum lb_mli_round round,
                    struct lb_mli_fx_plan *plan)
{
    const int32_t product_bits = in->el_params.fx.frac_bits + weights->el_params.fx.frac_bits;
    const struct lb_mli_range container =
        out->el_type == MLI_EL_FX_8 ? LB_MLI_RANGE_8 : LB_MLI_RANGE_16;
    const struct lb_mli_range range = lb_mli_relu_range(relu, lb_mli_quant_at(out, 0), container);
    *plan = (struct lb_mli_fx_plan){
        .bias = bias,
        .bias_shift = product_bits - bias->el_params.fx.frac_bits,
        .round = round,
        .result = {product_bits - out->el_params.fx.frac_bits, range.lo, range.hi},
        .loops = lb_mli_loops(),
    };
}

void lb_mli_fx_bias(const struct lb_mli_fx_plan *plan, size_t first, size_t n, int32_t *aligned)
{
    const bool narrow = plan->bias->el_type == MLI_EL_FX_8;
    for (size_t i = 0; i < n; i++) {
        if (narrow)
            aligned[i] =
                lb_mli_rsh32(plan->bias->data.mem.pi8[first + i], -plan->bias_shift, plan->round);
        else
            aligned[i] = lb_mli_wrap32(
                lb_mli_rsh64(plan->bias->data.mem.pi16[first + i], -plan->bias_shift, plan->round));
    }
}

/* One result by the total primitives, for shifts that the table's loops do not take. */
static int32_t fx_result_32(const struct lb_mli_fx_plan *plan, int32_t acc, int32_t bias)
{
    const int32_t sum = lb_mli_sat32((int64_t)acc + bias);
    return lb_mli_clamp(lb_mli_rsh32(sum, plan->result.shift, plan->round), plan->result.lo,
                        plan->result.hi);
}

static int32_t fx_result_64(const struct lb_mli_fx_plan *plan, int64_t acc, int32_t bias)
{
    const int64_t sum = bias > 0 ? (acc > INT64_MAX - bias ? INT64_MAX : acc + bias)
                                 : (acc < INT64_MIN - bias ? INT64_MIN : acc + bias);
    return lb_mli_clamp(lb_mli_sat32(lb_mli_rsh64(sum, plan->result.shift, plan->round)),
                        plan->result.lo, plan->result.hi);
}

static bool shift_within(const struct lb_mli_fx_plan *plan, int bits)
{
    return plan->result.shift >= 0 && plan->result.shift < bits;
}

void lb_mli_fx_finish_s32_s8(const struct lb_mli_fx_plan *plan, const int32_t *acc,
                             const int32_t *aligned, size_t n, int8_t *out)
{
    if (shift_within(plan, 32)) {
        plan->loops->result_s32_s8[plan->round](acc, aligned, n, &plan->result, out);
        return;
    }
    for (size_t i = 0; i < n; i++)
        out[i] = (int8_t)fx_result_32(plan, acc[i], aligned[i]);
}

void lb_mli_fx_finish_s32_s16(const struct lb_mli_fx_plan *plan, const int32_t *acc,
                              const int32_t *aligned, size_t n, int16_t *out)
{
    if (shift_within(plan, 32)) {
        plan->loops->result_s32_s16[plan->round](acc, aligned, n, &plan->result, out);
        return;
    }
    for (size_t i = 0; i < n; i++)
        out[i] = (int16_t)fx_result_32(plan, acc[i], aligned[i]);
}

void lb_mli_fx_finish_s64_s16(const struct lb_mli_fx_plan *plan, const int64_t *acc,
                              const int32_t *aligned, size_t n, int16_t *out)
{
    if (shift_within(plan, 64)) {
        plan->loops->result_s64_s16[plan->round](acc, aligned, n, &plan->result, out);
        return;
    }
    for (size_t i = 0; i < n; i++)
        out[i] = (int16_t)fx_result_64(plan, acc[i], aligned[i]);
}

void lb_mli_sa_plan(const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias,
                    mli_relu_type relu, const mli_tensor *out, enum lb_mli_profile profile,
                    struct lb_mli_sa_plan *plan)
{
    const struct lb_mli_quant qi = lb_mli_quant_at(in, 0);
    const struct lb_mli_quant qo = lb_mli_quant_at(out, 0);
    struct lb_mli_factor ratio = lb_mli_ratio(qi.scale, qo.scale, lb_mli_profile_round(profile));
    ratio.shift += qi.shift - qo.shift;
    *plan = (struct lb_mli_sa_plan){
        .weights = weights,
        .bias = bias->data.mem.pi32,
        .ratio = ratio,
        .zero_in = qi.zero,
        .zero_out = qo.zero,
        .range = lb_mli_relu_range(relu, qo, LB_MLI_RANGE_8),
        .profile = profile,
        .loops = lb_mli_loops(),
    };
}

enum {
    FAR = 33
}; /* shifts from which on only the high half of a product and of the rounding's half counts */

struct channel {
    int32_t mul, shift, pre, far_half;
};

/* Multiplier and shifts of one entry of the weights' parameters (conv.md 4.2, 4.5). */
static struct channel plan_channel(const struct lb_mli_sa_plan *plan, struct lb_mli_quant weights)
{
    struct channel c = {plan->ratio.mul * weights.scale, plan->ratio.shift + weights.shift, 0, 0};
    if (lb_mli_profile_reduced(plan->profile)) {
        const int left = lb_mli_norm32(c.mul);
        const int32_t top_bits = (int32_t)((uint32_t)c.mul << left);
        c.mul = lb_mli_rsh32(top_bits, 16, lb_mli_profile_round(plan->profile));
        c.shift += left - 16;
        c.pre = lb_mli_clamp(c.shift - 21, 0, 8);
        c.shift -= c.pre;
    }
    c.shift = lb_mli_min(c.shift, 63);
    if (c.shift >= FAR)
        c.far_half = (int32_t)(UINT32_C(1) << (c.shift - FAR));
    return c;
}

/* The 16 leading bits of a bias (conv.md 4.4, reduced). */
static int32_t leading_bits(int32_t bias)
{
    const int cut = lb_mli_max(16 - lb_mli_norm32(bias), 0);
    return (int32_t)((uint32_t)(bias >> cut) << cut);
}

/* Do sums of so many products (x - zero) * w, and the bias after them, stay within 32 bits? */
static bool sums_fit(size_t products, uint32_t bias)
{
    enum { PRODUCT = 255 * 128 };
    return products <= INT32_MAX / PRODUCT && products * PRODUCT + bias <= INT32_MAX;
}

/* Multipliers of each channel, or one for all of them; true: all shifts are far. */
static bool plan_channels(const struct lb_mli_sa_plan *plan, size_t first, size_t n,
                          struct lb_mli_sa_block *block)
{
    const bool per_channel = lb_mli_per_axis(plan->weights);
    const struct channel one = plan_channel(plan, lb_mli_quant_at(plan->weights, (uint32_t)first));
    int32_t least = one.shift;
    for (size_t i = 0; i < n && !per_channel; i++) {
        block->mul[i] = one.mul;
        block->shift[i] = one.shift;
        block->pre[i] = one.pre;
        block->far_half[i] = one.far_half;
    }
    for (size_t i = 0; i < n && per_channel; i++) {
        const struct channel c =
            plan_channel(plan, lb_mli_quant_at(plan->weights, (uint32_t)(first + i)));
        block->mul[i] = c.mul;
        block->shift[i] = c.shift;
        block->pre[i] = c.pre;
        block->far_half[i] = c.far_half;
        least = lb_mli_min(least, c.shift);
    }
    block->regular = least >= 0;
    return least >= FAR;
}

void lb_mli_sa_block(const struct lb_mli_sa_plan *plan, size_t first, size_t n, size_t products,
                     struct lb_mli_sa_block *block)
{
    const bool reduced = lb_mli_profile_reduced(plan->profile),
               far = plan_channels(plan, first, n, block);
    uint32_t largest = 0;
    for (size_t i = 0; i < n && reduced; i++)
        block->bias[i] = leading_bits(plan->bias[first + i]);
    if (!reduced && n > 0)
        memcpy(block->bias, plan->bias + first, n * sizeof block->bias[0]);
    for (size_t i = 0; i < n; i++) {
        const uint32_t bias = (uint32_t)block->bias[i],
                       magnitude = block->bias[i] < 0 ? 0U - bias : bias;
        largest = magnitude > largest ? magnitude : largest;
    }
    block->bias_in_start = n >= plan->loops->sa8_rows_channels && block->regular &&
                           (reduced || far) && sums_fit(products, largest);
    block->result = (struct lb_mli_sa_result){.bias = block->bias,
                                              .mul = block->mul,
                                              .shift = block->shift,
                                              .pre = block->pre,
                                              .zero = plan->zero_out,
                                              .lo = plan->range.lo,
                                              .hi = plan->range.hi,
                                              .far_half = block->far_half,
                                              .far = far};
}

/* One result by the total primitives: shifts to the left too. */
static int32_t sa_result(const struct lb_mli_sa_plan *plan, const struct lb_mli_sa_result *q,
                         int32_t acc, size_t i)
{
    const enum lb_mli_round round = lb_mli_profile_round(plan->profile);
    int32_t sum = lb_mli_sat32((int64_t)acc + q->bias[i]);
    if (lb_mli_profile_reduced(plan->profile))
        sum = lb_mli_sat16(lb_mli_rsh32(sum, q->pre[i], round));
    const int32_t scaled = lb_mli_sat16(lb_mli_rsh64((int64_t)sum * q->mul[i], q->shift[i], round));
    return lb_mli_clamp(scaled + q->zero, q->lo, q->hi);
}

void lb_mli_sa_finish(const struct lb_mli_sa_plan *plan, const struct lb_mli_sa_block *block,
                      const int32_t *acc, size_t n, int8_t *out)
{
    if (block->regular) {
        plan->loops->result_sa8[plan->profile](acc, n, &block->result, out);
        return;
    }
    for (size_t i = 0; i < n; i++)
        out[i] = (int8_t)sa_result(plan, &block->result, acc[i], i);
}

void lb_mli_sa_finish_rows(const struct lb_mli_sa_plan *plan, const struct lb_mli_sa_block *block,
                           const int32_t *acc, size_t acc_row, size_t pixels, size_t n, int8_t *out,
                           size_t out_row)
{
    if (block->bias_in_start) {
        plan->loops->sa8_rows[plan->profile](acc, acc_row, pixels, n, &block->result, out, out_row);
        return;
    }
    for (size_t p = 0; p < pixels; p++)
        lb_mli_sa_finish(plan, block, acc + p * acc_row, n, out + p * out_row);
}
