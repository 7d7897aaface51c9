/* Integer primitives of the models: every rounding, shift, saturation and cast, written once.
 * Spec: numerics.md 3 (and 4.3, 5 for scale.h, which builds on this).
 * All functions are total: defined for every value that fits the stated width and for every int
 * shift count. Values are carried in int64_t; `width` is the width in bits (8, 16, 24, 32, 40, 64:
 * any of 1..64) of the type in which the step is done. Arguments must fit `width` where a width is
 * given, results always do. */
#ifndef LB_REFERENCE_ARITH_H
#define LB_REFERENCE_ARITH_H

#include "profile.h"

#include <stdbool.h>
#include <stdint.h>

/* Largest and smallest two's complement value of `width` bits, 1 <= width <= 64. */
static inline int64_t lb_max_of(int width)
{
    return (int64_t)((UINT64_MAX >> (64 - width)) >> 1);
}

static inline int64_t lb_min_of(int width)
{
    return -lb_max_of(width) - 1;
}

/* The value whose two's complement pattern is `bits`. */
static inline int64_t lb_from_bits(uint64_t bits)
{
    return bits <= INT64_MAX ? (int64_t)bits : -(int64_t)~bits - 1;
}

/* Two's complement value of the low `width` bits of v. */
static inline int64_t lb_wrap(int64_t v, int width)
{
    uint64_t low = (uint64_t)v & (UINT64_MAX >> (64 - width));
    bool negative = (low >> (width - 1)) & 1;
    /* The bits above the width become copies of the sign bit. */
    return lb_from_bits(negative ? low | ~(UINT64_MAX >> (64 - width)) : low);
}

/* v clamped to `width` bits. */
static inline int64_t lb_sat(int64_t v, int width)
{
    int64_t high = lb_max_of(width);
    if (v > high)
        return high;
    return v < -high - 1 ? -high - 1 : v;
}

/* sat(a + b), sat(a - b): also for width 64, where the sum itself would not fit. */
static inline int64_t lb_add(int64_t a, int64_t b, int width)
{
    if (b > 0 && a > INT64_MAX - b)
        return lb_max_of(width);
    if (b < 0 && a < INT64_MIN - b)
        return lb_min_of(width);
    return lb_sat(a + b, width);
}

static inline int64_t lb_sub(int64_t a, int64_t b, int width)
{
    if (b < 0 && a > INT64_MAX + b)
        return lb_max_of(width);
    if (b > 0 && a < INT64_MIN + b)
        return lb_min_of(width);
    return lb_sat(a - b, width);
}

/* sat(-a), sat(|a|): the lowest value becomes the highest. */
int64_t lb_neg(int64_t a, int width);
int64_t lb_abs(int64_t a, int width);
/* Number of redundant sign bits of v in `width` bits; width - 1 for 0 and -1. */
int lb_norm(int64_t v, int width);
/* Saturating left shift; a negative count is asr by -n. */
int64_t lb_shl(int64_t v, int n, int width);
/* Arithmetic right shift, floor(v / 2^n); a negative count is shl by -n. */
int64_t lb_asr(int64_t v, int n, int width);
/* Rounding right shift in the given mode; n >= width gives 0 (floor of a negative number: -1); a
 * negative count is shl by -n.
 * In the mode `up` the addition of the half saturates at `width` (a QUIRK of numerics.md 3). */
int64_t lb_rsh(lb_rounding rounding, int64_t v, int n, int width);
/* Saturated to (width - k) bits, 0 <= k < width. */
int64_t lb_trunc_sat(int64_t v, int k, int width);
/* wrap(floor((a*b + 2^30) / 2^31), 32), a and b 32 bits. */
int64_t lb_mulh(int64_t a, int64_t b);
/* Quotient towards zero; b != 0. */
int64_t lb_tdiv(int64_t a, int64_t b);
/* cast(v, src, dst, n): the table "Casts" of numerics.md 3. Supported: dst <= src, 8 to 16, 16
 * to 64. */
int64_t lb_cast(lb_rounding rounding, int64_t v, int src_bits, int dst_bits, int n);
/* norm_cast(v, dst): v (32 bits) scaled to fill dst bits (16 or 32); the exponent goes to *k: v ~
 * result * 2^k. */
int64_t lb_norm_cast(lb_rounding rounding, int64_t v, int dst_bits, int *k);

#endif
