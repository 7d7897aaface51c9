/* Fixed-point primitives (numerics.md 3): saturation, normalization, saturating and rounding
 * shifts. All are static inline and take the rounding mode as an argument: with a constant there
 * the compiler drops the other.
 *
 * Two kinds. The total ones (lb_mli_shl*, lb_mli_rsh*) are defined for every shift count: for
 * plans, and for the odd call whose parameters are out of the ordinary. The lane ones
 * (lb_mli_lane_*) have no branches and vectorize; they demand what their comment says. */
#ifndef LB_MLI_FIXED_H
#define LB_MLI_FIXED_H

#include "internal.h"

enum lb_mli_round {
    LB_MLI_UP, /* ties towards plus infinity; the addition of the half saturates in the width of the
                  step */
    LB_MLI_CONVERGENT, /* ties to even */
    LB_MLI_ROUNDS      /* count */
};

/* Saturation to 8, 16, 32 bits. */
static inline int32_t lb_mli_sat8(int64_t v)
{
    return (int32_t)(v < INT8_MIN ? INT8_MIN : v > INT8_MAX ? INT8_MAX : v);
}

static inline int32_t lb_mli_sat16(int64_t v)
{
    return (int32_t)(v < INT16_MIN ? INT16_MIN : v > INT16_MAX ? INT16_MAX : v);
}

static inline int32_t lb_mli_sat32(int64_t v)
{
    return (int32_t)(v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : v);
}

/* Two's complement value of the low 32 bits. */
static inline int32_t lb_mli_wrap32(int64_t v)
{
    return (int32_t)(uint32_t)(uint64_t)v;
}

/* Bits of v: the position of its highest 1 from 1 on, 0 for 0. */
static inline int lb_mli_bit_length(uint64_t v)
{
    int bits = 0;
    for (int step = 32; step > 0; step /= 2) {
        if (v >> step) {
            v >>= step;
            bits += step;
        }
    }
    return bits + (int)v;
}

/* Redundant sign bits of v in a word of 16, 32, 64 bits: how far v can go left. norm(0) = norm(-1)
 * = width - 1. */
static inline int lb_mli_norm64(int64_t v)
{
    return 63 - lb_mli_bit_length((uint64_t)(v < 0 ? ~v : v));
}

static inline int lb_mli_norm32(int32_t v)
{
    return lb_mli_norm64(v) - 32;
}

static inline int lb_mli_norm16(int16_t v)
{
    return lb_mli_norm64(v) - 48;
}

/* Saturating left shift, n >= 0, in 64 bits. */
static inline int64_t lb_mli_shl64(int64_t v, int n)
{
    if (v == 0)
        return 0;
    if (n > 63)
        return v < 0 ? INT64_MIN : INT64_MAX;
    if (v > (INT64_MAX >> n))
        return INT64_MAX;
    if (v < (INT64_MIN >> n))
        return INT64_MIN;
    return (int64_t)((uint64_t)v << n);
}

/* Rounding right shift in a word of w bits, w in {8, 16, 32}, |v| in range of the word, any n. */
static inline int32_t lb_mli_rsh_in(int32_t v, int n, int w, enum lb_mli_round round)
{
    const int64_t top = ((int64_t)1 << (w - 1)) - 1;
    if (n == 0)
        return v;
    if (n < 0) {
        const int64_t wide = (int64_t)v * ((int64_t)1 << (n < -w ? w : -n));
        return (int32_t)(wide > top ? top : wide < -top - 1 ? -top - 1 : wide);
    }
    if (n >= w)
        return 0;
    const int64_t half = (int64_t)1 << (n - 1);
    if (round == LB_MLI_UP) {
        const int64_t sum = v + half;
        return (int32_t)((sum > top ? top : sum) >> n);
    }
    const int64_t floored = (int64_t)v >> n;
    const int64_t rest = v - floored * 2 * half;
    return (int32_t)(floored + (rest > half || (rest == half && (floored & 1))));
}

static inline int32_t lb_mli_rsh8(int32_t v, int n, enum lb_mli_round round)
{
    return lb_mli_rsh_in(v, n, 8, round);
}

static inline int32_t lb_mli_rsh16(int32_t v, int n, enum lb_mli_round round)
{
    return lb_mli_rsh_in(v, n, 16, round);
}

static inline int32_t lb_mli_rsh32(int32_t v, int n, enum lb_mli_round round)
{
    return lb_mli_rsh_in(v, n, 32, round);
}

/* Rounding right shift in 64 bits, any n. */
static inline int64_t lb_mli_rsh64(int64_t v, int n, enum lb_mli_round round)
{
    if (n == 0)
        return v;
    if (n < 0)
        return lb_mli_shl64(v, n < -64 ? 64 : -n);
    if (n >= 64)
        return 0;
    const int64_t half = (int64_t)(UINT64_C(1) << (n - 1));
    if (round == LB_MLI_UP)
        return (v > INT64_MAX - half ? INT64_MAX : v + half) >> n;
    const int64_t floored = v >> n;
    const int64_t rest = (int64_t)((uint64_t)v & ((UINT64_C(1) << n) - 1));
    return floored + (rest > half || (rest == half && (floored & 1)));
}

/* Saturating left shift in 32 bits, n >= 0. */
static inline int32_t lb_mli_shl32(int32_t v, int n)
{
    return lb_mli_rsh_in(v, -n, 32, LB_MLI_UP);
}

/* x as mantissa and exponent: x ~ mantissa * 2^exponent, |mantissa| in 2^14..2^15 unless x is 0
 * ("norm_cast" to 16 bits in numerics.md 3, N16 in elementwise.md 1). */
struct lb_mli_mantissa {
    int32_t mantissa;
    int32_t exponent;
};

static inline struct lb_mli_mantissa lb_mli_norm_cast16(int32_t x, enum lb_mli_round round)
{
    const int exponent = 16 - lb_mli_norm32(x);
    return (struct lb_mli_mantissa){lb_mli_sat16(lb_mli_rsh32(x, exponent, round)), exponent};
}

/*
 * Lanes. n is the same for all elements of a loop: what depends on n alone leaves the loop.
 */

/* Convergent v / 2^n, 0 <= n <= 31, any v. */
static inline int32_t lb_mli_lane_convergent(int32_t v, int n)
{
    const int32_t mask = (int32_t)((UINT32_C(1) << n) - 1);
    const int32_t half = (int32_t)((UINT32_C(1) << n) >> 1) | (n == 0);
    const int32_t floored = v >> n;
    return floored + ((v & mask) > half - (floored & 1));
}

/* v / 2^n rounded, 0 <= n <= 31, any v. The half is not added but taken from the last bit that
 * leaves, so nothing saturates: equal to a rounding shift in a wider word, and to one in 32 bits if
 * v + 2^(n-1) < 2^31. */
static inline int32_t lb_mli_lane_rnd(int32_t v, int n, enum lb_mli_round round)
{
    if (round == LB_MLI_CONVERGENT)
        return lb_mli_lane_convergent(v, n);
    return (v >> n) + ((v >> (n - (n > 0))) & (n > 0));
}

/* Rounding right shift in a word whose largest value is top (INT8_MAX, INT16_MAX, INT32_MAX), 0 <=
 * n < width: the addition of the half saturates. */
static inline int32_t lb_mli_lane_rsh(int32_t v, int n, int32_t top, enum lb_mli_round round)
{
    if (round == LB_MLI_CONVERGENT)
        return lb_mli_lane_convergent(v, n);
    const int32_t half = (int32_t)((UINT32_C(1) << n) >> 1);
    return (lb_mli_min(v, top - half) + half) >> n;
}

/* Saturating 32-bit addition. */
static inline int32_t lb_mli_lane_add32(int32_t a, int32_t b)
{
    const int32_t sum = (int32_t)((uint32_t)a + (uint32_t)b);
    const int32_t overflow = (a ^ sum) & (b ^ sum);
    return overflow < 0 ? (a >> 31) ^ INT32_MAX : sum;
}

#endif
