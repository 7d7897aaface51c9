/* Softmax over rows (litert.11, litert.12). */
#include "internal.h"
#include "tables.h"

/* ---- int8 ---- */

typedef struct call {
    lb_litert_profile profile;
    lb_litert_per_tensor_quant quant;
    int32_t diff_min;
    int bits;         /* of the output */
    int32_t exp[256]; /* of minus the place, Q0.31; 0: not computed yet */
} call;

/* exp of a difference to the maximum, -255 to 0. */
static int32_t exp_of(call *c, int32_t difference)
{
    int32_t *e = &c->exp[-difference];
    if (*e == 0)
        *e = lb_litert_exp_neg(
            lb_litert_scale32(c->profile, difference, c->quant.multiplier, c->quant.shift), 26);
    return *e;
}

static void softmax_row(call *c, const int8_t *input, size_t size, int32_t highest, int32_t sum,
                        size_t at, void *output)
{
    lb_litert_type type = c->bits == 8 ? LB_LITERT_S8 : LB_LITERT_S16;
    int bits_over_unit, shift;
    int32_t low = lb_litert_lowest(type), r = lb_litert_reciprocal(sum, &bits_over_unit);
    shift = bits_over_unit + 31 - c->bits;
    for (size_t i = 0; i < size; i++) {
        int32_t difference = input[i] - highest, result = low;
        if (difference >= c->diff_min) {
            int32_t part = lb_litert_srdhm(r, exp_of(c, difference));
            result = lb_litert_clamp((int64_t)lb_litert_rdiv(part, shift) + low, low,
                                     lb_litert_highest(type));
        }
        lb_litert_store(type, output, at + i, 1, &result);
    }
}

/* False: for this sum nothing is defined. */
static bool run_row(call *c, const int8_t *input, size_t size, size_t at, void *output)
{
    int32_t highest = INT8_MIN;
    int64_t sum = 0;
    for (size_t i = 0; i < size; i++)
        highest = input[i] > highest ? input[i] : highest;
    for (size_t i = 0; i < size; i++)
        if (input[i] - highest >= c->diff_min)
            sum += lb_litert_rdiv(exp_of(c, input[i] - highest), 12);
    /* Of 8 bits a sum of 512 or more would be shifted by 32. */
    if (sum <= 0 || sum > (c->bits == 8 ? (1 << 28) - 1 : INT32_MAX))
        return false;
    softmax_row(c, input, size, highest, (int32_t)sum, at, output);
    return true;
}

static lb_litert_status run_s8(call c, const int8_t *input, int32_t rows, int32_t row_size,
                               void *output)
{
    lb_litert_status status = LB_LITERT_SUCCESS;
    /* A difference of 0 may be shifted by 31 where it is rounded twice (U2). */
    int32_t most = c.diff_min == 0 ? 31 : 30;
    if (!input || !output || rows < 0 || row_size < 0 || c.diff_min > 0 ||
        !lb_litert_scales(c.quant.multiplier, c.quant.shift, 0, most))
        return LB_LITERT_ARG_ERROR;
    for (size_t row = 0; row_size > 0 && row < (size_t)rows; row++) {
        size_t at = row * (size_t)row_size;
        if (!run_row(&c, input + at, (size_t)row_size, at, output))
            status = LB_LITERT_FAILURE;
    }
    return status;
}

lb_litert_status lb_litert_softmax_s8(const lb_litert_context *ctx, const int8_t *input,
                                      int32_t rows, int32_t row_size, int32_t mult, int32_t shift,
                                      int32_t diff_min, int8_t *output)
{
    call c = {lb_litert_profile_of(ctx), {mult, shift}, diff_min, 8, {0}};
    return run_s8(c, input, rows, row_size, output);
}

lb_litert_status lb_litert_softmax_s8_s16(const lb_litert_context *ctx, const int8_t *input,
                                          int32_t rows, int32_t row_size, int32_t mult,
                                          int32_t shift, int32_t diff_min, int16_t *output)
{
    call c = {lb_litert_profile_of(ctx), {mult, shift}, diff_min, 16, {0}};
    return run_s8(c, input, rows, row_size, output);
}

/* ---- int16 ---- */

/* exp of an element, Q0.15. */
static int32_t exp_s16(lb_litert_profile profile, lb_litert_per_tensor_quant q, const int16_t *lut,
                       int32_t difference)
{
    int64_t scaled = lb_litert_scale32(profile, difference, q.multiplier, q.shift);
    return lb_litert_lut16(lut, lb_litert_sat16(scaled + 32767));
}

static bool run_row_s16(lb_litert_profile profile, lb_litert_per_tensor_quant q,
                        const lb_litert_softmax_lut_s16 *lut, const int16_t *input, size_t size,
                        int16_t *output)
{
    int32_t highest = INT16_MIN;
    int64_t sum = 0;
    for (size_t i = 0; i < size; i++)
        highest = input[i] > highest ? input[i] : highest;
    for (size_t i = 0; i < size; i++)
        sum += exp_s16(profile, q, lut->exp_lut, input[i] - highest);
    if (sum <= 0 || sum > INT32_MAX)
        return false;
    int zeros = lb_litert_clz((uint32_t)sum);
    int64_t g = ((sum * ((int64_t)1 << (zeros - 1)) + (1 << 13)) >> 14) - 98304;
    int64_t r = lb_litert_lut16(lut->one_by_one_lut, lb_litert_sat16(g));
    for (size_t i = 0; i < size; i++) {
        int64_t e = exp_s16(profile, q, lut->exp_lut, input[i] - highest);
        int64_t half = zeros < 31 ? (int64_t)1 << (30 - zeros) : 0;
        output[i] = (int16_t)lb_litert_clamp((e * r + half) >> (31 - zeros), 0, INT16_MAX);
    }
    return true;
}

lb_litert_status lb_litert_softmax_s16(const lb_litert_context *ctx, const int16_t *input,
                                       int32_t rows, int32_t row_size, int32_t mult, int32_t shift,
                                       const lb_litert_softmax_lut_s16 *lut, int16_t *output)
{
    lb_litert_softmax_lut_s16 own = {lb_litert_softmax_exp, lb_litert_softmax_one_over_one_plus_x};
    lb_litert_per_tensor_quant q = {mult, shift};
    lb_litert_status status = LB_LITERT_SUCCESS;
    lut = lut ? lut : &own;
    if (!input || !output || rows < 0 || row_size < 0 || !lut->exp_lut || !lut->one_by_one_lut ||
        !lb_litert_scales(mult, shift, -31, 30))
        return LB_LITERT_ARG_ERROR;
    for (size_t row = 0; row_size > 0 && row < (size_t)rows; row++) {
        size_t at = row * (size_t)row_size;
        if (!run_row_s16(lb_litert_profile_of(ctx), q, lut, input + at, (size_t)row_size,
                         output + at))
            status = LB_LITERT_FAILURE;
    }
    return status;
}
