/* Sums of vector-matrix products, in blocks of columns (recurrent.md 5). */
#include "dense.h"

#include <string.h>

#include "check.h"

/* Beyond these shifts all results are 0 (32-bit products of 62 bits at most), or specified to stop
 * (fx16). */
enum { SA8_SHIFT_MAX = 61, FX16_SHIFT_MAX = 39 };

struct lb_mli_weighted_types lb_mli_types_of(enum lb_mli_variant variant)
{
    switch (variant) {
    case LB_MLI_V_FX16:
        return LB_MLI_TYPES_FX16;
    case LB_MLI_V_FX16_FX8:
        return LB_MLI_TYPES_FX16_FX8;
    default:
        return LB_MLI_TYPES_SA8;
    }
}

/* Bytes of an accumulator, and of a total. */
static size_t dense_sum_size(enum lb_mli_variant variant)
{
    return variant == LB_MLI_V_FX16 ? sizeof(int64_t) : sizeof(int32_t);
}

struct lb_mli_dense_scale lb_mli_dense_scale(enum lb_mli_variant variant, struct lb_mli_quant in,
                                             struct lb_mli_quant weights, struct lb_mli_quant out,
                                             enum lb_mli_round round)
{
    const int32_t shift = in.shift + weights.shift - out.shift;
    switch (variant) {
    case LB_MLI_V_FX16:
        return (struct lb_mli_dense_scale){0, 1, lb_mli_min(shift, FX16_SHIFT_MAX)};
    case LB_MLI_V_FX16_FX8:
        return (struct lb_mli_dense_scale){0, 1, shift};
    default: {
        const struct lb_mli_factor ratio = lb_mli_ratio(in.scale, out.scale, round);
        return (struct lb_mli_dense_scale){in.zero, ratio.mul * weights.scale, ratio.shift + shift};
    }
    }
}

/*
 * Biases in the format of the accumulators, where the products are added to them: inside the domain
 * of recurrent.md 5.4 the order does not matter.
 */
static void bias_fx16(const struct lb_mli_dense *plan, const int16_t *bias, size_t n, int64_t *acc)
{
    const int32_t shift = plan->bias_shift;
    if (shift < 32) { /* cut to 32 bits by wrapping (recurrent.md 5.2) */
        for (size_t i = 0; i < n; i++)
            acc[i] = (int32_t)((uint32_t)bias[i] << shift);
        return;
    }
    for (size_t i = 0; i < n; i++)
        acc[i] = lb_mli_wrap32(lb_mli_shl64(bias[i], shift));
}

static void bias_fx8(const struct lb_mli_dense *plan, const int8_t *bias, size_t n, int32_t *acc)
{
    const int32_t shift = plan->bias_shift;
    if (shift < 24) {
        for (size_t i = 0; i < n; i++)
            acc[i] = (int32_t)((uint32_t)bias[i] << shift);
        return;
    }
    for (size_t i = 0; i < n; i++)
        acc[i] = lb_mli_shl32(bias[i], shift);
}

static void bias_sa32(const struct lb_mli_dense *plan, const int32_t *bias, size_t n, int32_t *acc)
{
    if (lb_mli_profile_reduced(plan->profile))
        plan->loops->cut_bias(bias, n, acc);
    else
        memcpy(acc, bias, n * sizeof acc[0]);
}

/*
 * Accumulators of one input into the totals. Shifts that the loops do not take are done by the
 * total primitives.
 */
static void add_fx16(const struct lb_mli_dense *plan, const int64_t *acc, size_t n, int32_t shift,
                     int64_t *total)
{
    const enum lb_mli_round round = lb_mli_profile_round(plan->profile);
    if (shift >= 0) {
        plan->loops->shift_s64[round](acc, n, shift, total);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const int64_t v = lb_mli_rsh64(acc[i], shift, round);
        const bool over = v > 0 ? total[i] > INT64_MAX - v : total[i] < INT64_MIN - v;
        total[i] = over ? (v > 0 ? INT64_MAX : INT64_MIN) : total[i] + v;
    }
}

static void add_fx8(const struct lb_mli_dense *plan, const int32_t *acc, size_t n, int32_t shift,
                    int32_t *total)
{
    const enum lb_mli_round round = lb_mli_profile_round(plan->profile);
    if (shift >= 0 && shift < 32) {
        plan->loops->shift_s32[round](acc, n, shift, total);
        return;
    }
    for (size_t i = 0; i < n; i++)
        total[i] = lb_mli_sat32((int64_t)total[i] + lb_mli_rsh32(acc[i], shift, round));
}

static void add_sa8(const struct lb_mli_dense *plan, const int32_t *acc, size_t n,
                    struct lb_mli_dense_scale scale, int32_t *total)
{
    const enum lb_mli_round round = lb_mli_profile_round(plan->profile);
    if (scale.shift >= 0 && scale.shift <= SA8_SHIFT_MAX) {
        plan->loops->rescale_s32[round](acc, n, scale.mul, scale.shift, total);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const int32_t v = lb_mli_sat32(
            lb_mli_rsh64((int64_t)acc[i] * scale.mul, lb_mli_min(scale.shift, 63), round));
        total[i] = lb_mli_sat32((int64_t)total[i] + v);
    }
}

/*
 * One step each, for all variants.
 */
void lb_mli_dense_bias(const struct lb_mli_dense *plan, const void *bias, size_t n, void *acc)
{
    if (plan->variant == LB_MLI_V_FX16)
        bias_fx16(plan, bias, n, acc);
    else if (plan->variant == LB_MLI_V_FX16_FX8)
        bias_fx8(plan, bias, n, acc);
    else
        bias_sa32(plan, bias, n, acc);
}

void lb_mli_dense_add(const struct lb_mli_dense *plan, const void *acc, size_t n,
                      struct lb_mli_dense_scale scale, void *total)
{
    if (plan->variant == LB_MLI_V_FX16)
        add_fx16(plan, acc, n, scale.shift, total);
    else if (plan->variant == LB_MLI_V_FX16_FX8)
        add_fx8(plan, acc, n, scale.shift, total);
    else
        add_sa8(plan, acc, n, scale, total);
}

void lb_mli_dense_narrow(const struct lb_mli_dense *plan, const void *total, size_t n, void *out)
{
    if (plan->variant == LB_MLI_V_FX16)
        plan->loops->narrow_s64_s16(total, n, out);
    else if (plan->variant == LB_MLI_V_FX16_FX8)
        plan->loops->narrow_s32_s16(total, n, out);
    else
        plan->loops->narrow_s32_s8(total, n, plan->zero_out, out);
}

/* Products with columns first .. first + n - 1 of the matrix, added to acc. */
static void add_products(const struct lb_mli_dense *plan, const struct lb_mli_dense_input *input,
                         size_t first, size_t n, void *acc)
{
    const int8_t *const narrow = (const int8_t *)input->weights + first;
    if (plan->variant == LB_MLI_V_FX16)
        plan->loops->gemv_s16(input->x, (const int16_t *)input->weights + first, input->weights_row,
                              input->rows, n, acc);
    else if (plan->variant == LB_MLI_V_FX16_FX8)
        plan->loops->gemv_s16s8(input->x, narrow, input->weights_row, input->rows, n, acc);
    else
        plan->loops->gemv_s8(input->x, input->scale.zero, narrow, input->weights_row, input->rows,
                             n, acc);
}

void lb_mli_dense_run(const struct lb_mli_dense *plan, const struct lb_mli_dense_input *inputs,
                      unsigned count, const void *bias, size_t columns, void *out)
{
    const size_t sum_size = dense_sum_size(plan->variant);
    const size_t bias_size = lb_mli_element_size(lb_mli_types_of(plan->variant).bias);
    const size_t out_size = plan->variant == LB_MLI_V_SA8 ? 1 : 2;
    int64_t acc[LB_MLI_BLOCK], total[LB_MLI_BLOCK]; /* or half as wide */
    for (size_t first = 0; first < columns; first += LB_MLI_BLOCK) {
        const size_t n = lb_mli_min_size(columns - first, LB_MLI_BLOCK);
        memset(total, 0, n * sum_size);
        for (unsigned j = 0; j < count; j++) {
            if (j == 0)
                lb_mli_dense_bias(plan, (const char *)bias + first * bias_size, n, acc);
            else
                memset(acc, 0, n * sum_size);
            add_products(plan, &inputs[j], first, n, acc);
            lb_mli_dense_add(plan, acc, n, inputs[j].scale, total);
        }
        lb_mli_dense_narrow(plan, total, n, (char *)out + first * out_size);
    }
}
