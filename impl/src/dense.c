/*
 * dense.c: sums of vector-matrix products, in blocks of columns (recurrent.md 5).
 */
#include "dense.h"

#include <string.h>

/* Beyond these shifts all results are 0 (32-bit products of 62 bits at most), or specified to stop (fx16). */
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
 * Biases in the format of the accumulators, where the products are added to them: inside the domain of recurrent.md 5.4
 * the order does not matter.
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
 * Accumulators of one input into the totals. Shifts that the loops do not take are done by the total primitives.
 */
static void add_fx16(const struct lb_mli_dense *plan, const int64_t *acc, size_t n, int32_t shift, int64_t *total)
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

static void add_fx8(const struct lb_mli_dense *plan, const int32_t *acc, size_t n, int32_t shift, int32_t *total)
{
    const enum lb_mli_round round = lb_mli_profile_round(plan->profile);
    if (shift >= 0 && shift < 32) {
        plan->loops->shift_s32[round](acc, n, shift, total);
        return;
    }
    for (size_t i = 0; i < n; i++)
        total[i] = lb_mli_sat32((int64_t)total[i] + lb_mli_rsh32(acc[i], shift, round));
}

static void add_sa8(const struct lb_mli_dense *plan, const int32_t *acc, size_t n, struct lb_mli_dense_scale scale,
                    int32_t *total)
{
    const enum lb_mli_round round = lb_mli_profile_round(plan->profile);
    if (scale.shift >= 0 && scale.shift <= SA8_SHIFT_MAX) {
        plan->loops->rescale_s32[round](acc, n, scale.mul, scale.shift, total);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const int32_t v = lb_mli_sat32(lb_mli_rsh64((int64_t)acc[i] * scale.mul, lb_mli_min(scale.shift, 63), round));
        total[i] = lb_mli_sat32((int64_t)total[i] + v);
    }
}

/*
 * Columns first .. first + n - 1, one function for each width of accumulator and weights.
 */
static void run_fx16(const struct lb_mli_dense *plan, const struct lb_mli_dense_input *inputs, unsigned count,
                     const int16_t *bias, size_t first, size_t n, int16_t *out)
{
    int64_t acc[LB_MLI_BLOCK], total[LB_MLI_BLOCK];
    memset(total, 0, n * sizeof total[0]);
    for (unsigned j = 0; j < count; j++) {
        const struct lb_mli_dense_input *input = &inputs[j];
        if (j == 0)
            bias_fx16(plan, bias + first, n, acc);
        else
            memset(acc, 0, n * sizeof acc[0]);
        plan->loops->mac_s16(input->x, (const int16_t *)input->weights + first, input->weights_row, input->rows, n,
                             acc);
        add_fx16(plan, acc, n, input->scale.shift, total);
    }
    plan->loops->narrow_s64_s16(total, n, out + first);
}

static void run_fx8(const struct lb_mli_dense *plan, const struct lb_mli_dense_input *inputs, unsigned count,
                    const int8_t *bias, size_t first, size_t n, int16_t *out)
{
    int32_t acc[LB_MLI_BLOCK], total[LB_MLI_BLOCK];
    memset(total, 0, n * sizeof total[0]);
    for (unsigned j = 0; j < count; j++) {
        const struct lb_mli_dense_input *input = &inputs[j];
        if (j == 0)
            bias_fx8(plan, bias + first, n, acc);
        else
            memset(acc, 0, n * sizeof acc[0]);
        plan->loops->mac_s16s8(input->x, (const int8_t *)input->weights + first, input->weights_row, input->rows, n,
                               acc);
        add_fx8(plan, acc, n, input->scale.shift, total);
    }
    plan->loops->narrow_s32_s16(total, n, out + first);
}

static void run_sa8(const struct lb_mli_dense *plan, const struct lb_mli_dense_input *inputs, unsigned count,
                    const int32_t *bias, size_t first, size_t n, int8_t *out)
{
    int32_t acc[LB_MLI_BLOCK], total[LB_MLI_BLOCK];
    memset(total, 0, n * sizeof total[0]);
    for (unsigned j = 0; j < count; j++) {
        const struct lb_mli_dense_input *input = &inputs[j];
        if (j == 0)
            bias_sa32(plan, bias + first, n, acc);
        else
            memset(acc, 0, n * sizeof acc[0]);
        plan->loops->mac_s8(input->x, input->scale.zero, (const int8_t *)input->weights + first, input->weights_row,
                            input->rows, n, acc);
        add_sa8(plan, acc, n, input->scale, total);
    }
    plan->loops->narrow_s32_s8(total, n, plan->zero_out, out + first);
}

void lb_mli_dense_run(const struct lb_mli_dense *plan, const struct lb_mli_dense_input *inputs, unsigned count,
                      const void *bias, size_t columns, void *out)
{
    for (size_t first = 0; first < columns; first += LB_MLI_BLOCK) {
        const size_t n = lb_mli_min_size(columns - first, LB_MLI_BLOCK);
        if (plan->variant == LB_MLI_V_FX16)
            run_fx16(plan, inputs, count, bias, first, n, out);
        else if (plan->variant == LB_MLI_V_FX16_FX8)
            run_fx8(plan, inputs, count, bias, first, n, out);
        else
            run_sa8(plan, inputs, count, bias, first, n, out);
    }
}
