/* Conversion in plain C: between formats of 8 and 16 bits (numerics.md 7.2), and between integers
 * and binary32 (7.3). Between integers the input is clamped, so that its distance from the zero
 * point fits 16 bits: cheaper than clamping the distance, and 16 bits times 16 is one instruction.
 * The product leaves room in 32 bits for the half and for the zero point: nothing saturates before
 * the end. */
#include <string.h>

#include "portable/portable.h"

static inline int32_t rescale(int16_t d, int16_t mul, int32_t shift, enum lb_mli_round round)
{
    const int32_t half = (int32_t)((UINT32_C(1) << shift) >> 1);
    const int32_t product = d * mul;
    return round == LB_MLI_UP ? (product + half) >> shift : lb_mli_lane_convergent(product, shift);
}

#define CONVERT(name, from, to, from_top, to_top, round)                                           \
    static void name(const void *in, size_t n, const struct lb_mli_convert *q, void *out)          \
    {                                                                                              \
        const from *restrict a = in;                                                               \
        to *restrict b = out;                                                                      \
        const from lo = (from)lb_mli_max(~(from_top), q->from_zero + INT16_MIN);                   \
        const from hi = (from)lb_mli_min(from_top, q->from_zero + INT16_MAX);                      \
        const int16_t from_zero = (int16_t)q->from_zero, mul = (int16_t)q->mul;                    \
        const int32_t shift = q->shift, to_zero = q->to_zero;                                      \
        for (size_t i = 0; i < n; i++) {                                                           \
            const from low = a[i] < lo ? lo : a[i];                                                \
            const from x = low > hi ? hi : low;                                                    \
            const int32_t y = rescale((int16_t)(x - from_zero), mul, shift, round) + to_zero;      \
            b[i] = (to)lb_mli_clamp(y, ~(to_top), to_top);                                         \
        }                                                                                          \
    }

CONVERT(s8_s8_up, int8_t, int8_t, INT8_MAX, INT8_MAX, LB_MLI_UP)
CONVERT(s8_s8_convergent, int8_t, int8_t, INT8_MAX, INT8_MAX, LB_MLI_CONVERGENT)
CONVERT(s8_s16_up, int8_t, int16_t, INT8_MAX, INT16_MAX, LB_MLI_UP)
CONVERT(s8_s16_convergent, int8_t, int16_t, INT8_MAX, INT16_MAX, LB_MLI_CONVERGENT)
CONVERT(s16_s8_up, int16_t, int8_t, INT16_MAX, INT8_MAX, LB_MLI_UP)
CONVERT(s16_s8_convergent, int16_t, int8_t, INT16_MAX, INT8_MAX, LB_MLI_CONVERGENT)
CONVERT(s16_s16_up, int16_t, int16_t, INT16_MAX, INT16_MAX, LB_MLI_UP)
CONVERT(s16_s16_convergent, int16_t, int16_t, INT16_MAX, INT16_MAX, LB_MLI_CONVERGENT)

#define CONVERT_EACH(name, from, to, to_top, round)                                                \
    static void name(const void *in, size_t n, const struct lb_mli_convert_each *q, void *out)     \
    {                                                                                              \
        const from *restrict a = in;                                                               \
        to *restrict b = out;                                                                      \
        const int32_t *restrict from_zero = q->from_zero, *restrict to_zero = q->to_zero;          \
        const int32_t *restrict mul = q->mul, *restrict shift = q->shift;                          \
        for (size_t i = 0; i < n; i++) {                                                           \
            const int32_t d = lb_mli_clamp(a[i] - from_zero[i], INT16_MIN, INT16_MAX);             \
            const int32_t y = rescale((int16_t)d, (int16_t)mul[i], shift[i], round) + to_zero[i];  \
            b[i] = (to)lb_mli_clamp(y, ~(to_top), to_top);                                         \
        }                                                                                          \
    }

CONVERT_EACH(each_s8_s8_up, int8_t, int8_t, INT8_MAX, LB_MLI_UP)
CONVERT_EACH(each_s8_s8_convergent, int8_t, int8_t, INT8_MAX, LB_MLI_CONVERGENT)
CONVERT_EACH(each_s8_s16_up, int8_t, int16_t, INT16_MAX, LB_MLI_UP)
CONVERT_EACH(each_s8_s16_convergent, int8_t, int16_t, INT16_MAX, LB_MLI_CONVERGENT)
CONVERT_EACH(each_s16_s8_up, int16_t, int8_t, INT8_MAX, LB_MLI_UP)
CONVERT_EACH(each_s16_s8_convergent, int16_t, int8_t, INT8_MAX, LB_MLI_CONVERGENT)

/* Rounding shift in 32 bits as lb_mli_rsh32, |v| < 2^30, without branches: n differs from element
 * to element. */
static inline int32_t shift_any(int32_t v, int n, enum lb_mli_round round)
{
    const int left = lb_mli_clamp(-n, 0, 32), right = lb_mli_clamp(n, 0, 32);
    const int64_t wide = (int64_t)v * ((int64_t)1 << left);
    const int64_t half = ((int64_t)1 << right) >> 1;
    if (round == LB_MLI_UP) {
        const int64_t sum = wide + half < INT32_MAX ? wide + half : INT32_MAX;
        return lb_mli_sat32(sum >> right);
    }
    const int64_t floored = wide >> right;
    const int64_t rest = wide - floored * ((int64_t)1 << right);
    return lb_mli_sat32(floored + (rest > (half | (right == 0)) - (floored & 1)));
}

/* norm32 by way of a floating-point exponent: for elements, not for plans. 2 m + 1 has one bit more
 * than m, also for m = 0, and is exact in binary64. */
static inline int norm_of(int32_t v)
{
    const uint32_t m = (uint32_t)(v < 0 ? ~v : v);
    const double odd = (double)(2 * (int64_t)m + 1);
    uint64_t bits;
    memcpy(&bits, &odd, sizeof bits);
    return 31 - ((int)(bits >> 52) - 1023);
}

/* 7.2, with a side of 32 bits: the high half of the product of two normalized factors is rounded.
 * mul has 15 bits, so that it moves left by 16; 30 bits are left of the product. */
static inline int32_t wide_one(int32_t x, const struct lb_mli_convert_each *q, size_t at,
                               enum lb_mli_round round)
{
    const int32_t d = lb_mli_lane_add32(x, -q->from_zero[at]);
    const int left = norm_of(d);
    const int64_t high = ((int64_t)d * ((int64_t)1 << left) * q->mul[at]) >> 16;
    return lb_mli_lane_add32(shift_any((int32_t)high, q->shift[at] + left - 16, round),
                             q->to_zero[at]);
}

#define CONVERT_WIDE(name, round)                                                                  \
    static void name(int32_t *v, size_t n, const struct lb_mli_convert_each *q)                    \
    {                                                                                              \
        for (size_t i = 0; i < n; i++)                                                             \
            v[i] = wide_one(v[i], q, i, round);                                                    \
    }

CONVERT_WIDE(wide_up, LB_MLI_UP)
CONVERT_WIDE(wide_convergent, LB_MLI_CONVERGENT)

/* d * mul has 47 bits. */
#define CONVERT_S32(name, to, top)                                                                 \
    static void name(const int32_t *restrict in, size_t n,                                         \
                     const struct lb_mli_convert *restrict q, void *out)                           \
    {                                                                                              \
        const struct lb_mli_convert p = *q;                                                        \
        const int64_t half = (int64_t)1 << (p.shift - 1);                                          \
        to *restrict b = out;                                                                      \
        for (size_t i = 0; i < n; i++) {                                                           \
            const int64_t product = (int64_t)lb_mli_lane_add32(in[i], -p.from_zero) * p.mul;       \
            const int32_t v = (int32_t)((product + half) >> p.shift);                              \
            b[i] = (to)lb_mli_clamp(v + p.to_zero, ~(top), top);                                   \
        }                                                                                          \
    }

CONVERT_S32(s32_s8, int8_t, INT8_MAX)
CONVERT_S32(s32_s16, int16_t, INT16_MAX)

/* 7.3, limited to +-2^31 on the way: what lies beyond, where the original has no defined result,
 * becomes the nearest integer. Each operation is a statement, so that none is fused with another.
 * Nothing branches, so that it vectorizes. */
static inline int32_t integer_of(float x, float factor)
{
    const float scaled = x * factor;
    const float half = x > 0.0F ? 0.5F : -0.5F;
    const float sum = scaled + half;
    const float number = sum == sum ? sum : 0.0F;
    const float low = number < -0x1p31F ? -0x1p31F : number;
    const float inside = low < 0x1p31F ? low : 0x1.fffffep30F; /* the largest below 2^31 */
    const int32_t v = (int32_t)inside;
    return low < 0x1p31F ? v : INT32_MAX;
}

/* For results of 8 and 16 bits the integer is first cut to 25 bits, which leaves room for the zero
 * point. */
#define QUANTIZE(name, to, top)                                                                    \
    static void name(const float *restrict in, size_t n, const float *restrict factor,             \
                     const int32_t *restrict zero, void *out)                                      \
    {                                                                                              \
        to *restrict b = out;                                                                      \
        for (size_t i = 0; i < n; i++) {                                                           \
            const int32_t v = lb_mli_clamp(integer_of(in[i], factor[i]), -(1 << 24), 1 << 24);     \
            b[i] = (to)lb_mli_clamp(v + zero[i], ~(top), top);                                     \
        }                                                                                          \
    }

QUANTIZE(quantize_s8, int8_t, INT8_MAX)
QUANTIZE(quantize_s16, int16_t, INT16_MAX)

static void quantize_s32(const float *restrict in, size_t n, const float *restrict factor,
                         const int32_t *restrict zero, void *out)
{
    int32_t *restrict b = out;
    for (size_t i = 0; i < n; i++)
        b[i] = lb_mli_lane_add32(integer_of(in[i], factor[i]), zero[i]);
}

#define DEQUANTIZE(name, from)                                                                     \
    static void name(const void *in, size_t n, const float *restrict factor,                       \
                     const int32_t *restrict zero, float *restrict out)                            \
    {                                                                                              \
        const from *restrict a = in;                                                               \
        for (size_t i = 0; i < n; i++)                                                             \
            out[i] = (float)lb_mli_lane_add32(a[i], -zero[i]) * factor[i];                         \
    }

DEQUANTIZE(dequantize_s8, int8_t)
DEQUANTIZE(dequantize_s16, int16_t)
DEQUANTIZE(dequantize_s32, int32_t)

void LB_MLI_FILL(convert)(struct lb_mli_loops *loops)
{
    static lb_mli_convert_fn *const convert[2][2][LB_MLI_ROUNDS] = {
        [LB_MLI_8BIT] = {[LB_MLI_8BIT] = {s8_s8_up, s8_s8_convergent},
                         [LB_MLI_16BIT] = {s8_s16_up, s8_s16_convergent}},
        [LB_MLI_16BIT] = {[LB_MLI_8BIT] = {s16_s8_up, s16_s8_convergent},
                          [LB_MLI_16BIT] = {s16_s16_up, s16_s16_convergent}},
    };
    static lb_mli_convert_each_fn *const convert_each[2][2][LB_MLI_ROUNDS] = {
        [LB_MLI_8BIT] = {[LB_MLI_8BIT] = {each_s8_s8_up, each_s8_s8_convergent},
                         [LB_MLI_16BIT] = {each_s8_s16_up, each_s8_s16_convergent}},
        [LB_MLI_16BIT] = {[LB_MLI_8BIT] = {each_s16_s8_up, each_s16_s8_convergent}},
    };
    memcpy(loops->convert, convert, sizeof convert);
    memcpy(loops->convert_each, convert_each, sizeof convert_each);
    loops->convert_wide[LB_MLI_UP] = wide_up;
    loops->convert_s32[LB_MLI_8BIT] = s32_s8;
    loops->convert_s32[LB_MLI_16BIT] = s32_s16;
    loops->convert_wide[LB_MLI_CONVERGENT] = wide_convergent;
    loops->quantize[LB_MLI_8BIT] = quantize_s8;
    loops->quantize[LB_MLI_16BIT] = quantize_s16;
    loops->quantize[LB_MLI_32BIT] = quantize_s32;
    loops->dequantize[LB_MLI_8BIT] = dequantize_s8;
    loops->dequantize[LB_MLI_16BIT] = dequantize_s16;
    loops->dequantize[LB_MLI_32BIT] = dequantize_s32;
}
