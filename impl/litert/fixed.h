/* Fixed-point primitives (litert.2, litert.3), all static inline. Values where the specification
 * leaves the result undefined wrap to 32 bits: no operation here is undefined in C for any numbers
 * that the comment at it allows. */
#ifndef LB_LITERT_FIXED_H
#define LB_LITERT_FIXED_H

#include "lb_litert.h"

/* Two's complement value of the low 32 bits. */
static inline int32_t lb_litert_wrap32(int64_t v)
{
    return (int32_t)(uint32_t)(uint64_t)v;
}

static inline int32_t lb_litert_clamp(int64_t v, int32_t low, int32_t high)
{
    v = v < low ? low : v;
    return (int32_t)(v > high ? high : v);
}

static inline int32_t lb_litert_sat16(int64_t v)
{
    return lb_litert_clamp(v, INT16_MIN, INT16_MAX);
}

/* sat32(v * 2^n), n from 0 to 31. */
static inline int32_t lb_litert_shl_sat(int32_t v, int n)
{
    return lb_litert_clamp(v * ((int64_t)1 << n), INT32_MIN, INT32_MAX);
}

/* Leading zero bits of a 32-bit word; 32 of 0. */
static inline int lb_litert_clz(uint32_t v)
{
    int zeros = v == 0;
    for (int step = 16; step > 0; step /= 2)
        if (v >> (32 - step) == 0) {
            zeros += step;
            v <<= step;
        }
    return zeros;
}

/* litert.2.1: to nearest, halves up. */
static inline int32_t lb_litert_srdhm(int32_t a, int32_t b)
{
    int64_t v = ((int64_t)a * b + ((int64_t)1 << 30)) >> 31;
    return v > INT32_MAX ? INT32_MAX : (int32_t)v;
}

static inline int32_t lb_litert_srdhm16(int32_t a, int32_t b)
{
    int32_t v = (a * b + (1 << 14)) >> 15;
    return v > INT16_MAX ? INT16_MAX : v;
}

/* litert.2.2: v / 2^n to nearest, halves away from zero; n from 0 to 31. */
static inline int32_t lb_litert_rdiv(int32_t v, int n)
{
    int32_t mask = (int32_t)(((uint32_t)1 << n) - 1);
    return (v >> n) + ((v & mask) > (mask >> 1) + (v < 0));
}

/* litert.2.3: times m * 2^(s - 31); m at least 0, s from -31 to 30 (31 if x is 0). */
static inline int32_t lb_litert_scale32(lb_litert_profile profile, int32_t x, int32_t m, int32_t s)
{
    if (profile == LB_LITERT_SINGLE) {
        int64_t half = s < 31 ? (int64_t)1 << (30 - s) : 0;
        return lb_litert_wrap32(((int64_t)x * m + half) >> (31 - s));
    }
    int32_t left = lb_litert_wrap32(x * ((int64_t)1 << (s > 0 ? s : 0)));
    return lb_litert_rdiv(lb_litert_srdhm(left, m), s < 0 ? -s : 0);
}

/* litert.2.5: a 64-bit sum times 16 bits of a multiplier; s from -31 to 7. */
static inline int32_t lb_litert_scale64(int64_t x, int32_t m, int32_t s)
{
    int64_t r = m >= 0x7FFF0000 ? 32767 : (m + (1 << 15)) >> 16;
    uint64_t v = (uint64_t)x * (uint64_t)r + ((uint64_t)1 << (14 - s));
    return lb_litert_wrap32((int64_t)v >> (15 - s));
}

/* litert.3.1: exp of a Q0.31 in [-1/4, 0). */
static inline int32_t lb_litert_exp_quarter(int32_t a)
{
    int32_t x = a + (1 << 28), x2 = lb_litert_srdhm(x, x), x3 = lb_litert_srdhm(x2, x);
    int32_t x4 = lb_litert_srdhm(x2, x2);
    int32_t t = lb_litert_srdhm(lb_litert_rdiv(x4, 2) + x3, 715827883);
    t = lb_litert_rdiv(t + x2, 1);
    return 1895147668 + lb_litert_srdhm(1895147668, x + t);
}

/* litert.3.2: exp of a number of at most 0 with `fraction` fractional bits, 26 or 27. */
static inline int32_t lb_litert_exp_neg(int32_t a, int fraction)
{
    static const int32_t factor[] = {1672461947, 1302514674, 790015084, 290630308,
                                     39332535,   720401,     242};
    if (a == 0)
        return INT32_MAX;
    int32_t quarter = (int32_t)1 << (fraction - 2);
    int32_t r = (a & (quarter - 1)) - quarter;
    uint32_t rest = (uint32_t)r - (uint32_t)a;
    int32_t e = lb_litert_exp_quarter(r * (1 << (31 - fraction)));
    for (int i = 0; fraction - 2 + i < 31; i++)
        if (rest >> (fraction - 2 + i) & 1)
            e = lb_litert_srdhm(e, factor[i]);
    return e;
}

/* litert.3.3: what 1/(1+a) and (1-a)/(1+a) are made of, Q2.29; a in Q0.31, at least 0. */
static inline int32_t lb_litert_half_denominator(int32_t a)
{
    int32_t h = lb_litert_wrap32(((int64_t)a + INT32_MAX + 1) >> 1);
    int32_t x = lb_litert_wrap32((int64_t)1515870810 + lb_litert_srdhm(h, -1010580540));
    for (int i = 0; i < 3; i++) {
        int64_t error = (int64_t)(1 << 29) - lb_litert_srdhm(h, x);
        int32_t step = lb_litert_srdhm(x, lb_litert_wrap32(error));
        x = lb_litert_wrap32((int64_t)x + lb_litert_shl_sat(step, 2));
    }
    return x;
}

static inline int32_t lb_litert_one_over_one_plus(int32_t a)
{
    return lb_litert_shl_sat(lb_litert_half_denominator(a), 1);
}

static inline int32_t lb_litert_one_minus_over_one_plus(int32_t a)
{
    int64_t x = (int64_t)lb_litert_half_denominator(a) - (1 << 29);
    return lb_litert_shl_sat(lb_litert_wrap32(x), 2);
}

/* litert.3.4: Q4.27 to Q0.31. */
static inline int32_t lb_litert_logistic4(int32_t a)
{
    if (a == 0)
        return 1 << 30;
    int32_t p = lb_litert_one_over_one_plus(lb_litert_exp_neg(a > 0 ? -a : a, 27));
    return a > 0 ? p : lb_litert_wrap32((int64_t)INT32_MAX - p);
}

/* The exponent is read with a fractional bit less, which doubles it. */
static inline int32_t lb_litert_tanh4(int32_t a)
{
    if (a == 0)
        return 0;
    int32_t t = lb_litert_one_minus_over_one_plus(lb_litert_exp_neg(a > 0 ? -a : a, 26));
    return a > 0 ? t : lb_litert_wrap32(-(int64_t)t);
}

/* litert.3.5: 1/x of a Q12.19 above 0; the result times 2^-*bits_over_unit. */
static inline int32_t lb_litert_reciprocal(int32_t x, int *bits_over_unit)
{
    int zeros = lb_litert_clz((uint32_t)x);
    *bits_over_unit = 12 - zeros;
    return lb_litert_one_over_one_plus((int32_t)(((uint32_t)x << zeros) - 0x80000000));
}

/* litert.3.6: multiplier and shift for lb_litert_scale32 of 1 / sqrt(v), v at least 0. */
static inline lb_litert_per_tensor_quant lb_litert_inverse_square_root(int32_t v)
{
    int n = 11;
    if (v <= 1)
        return (lb_litert_per_tensor_quant){INT32_MAX, 0};
    for (; v >= 1 << 29; n++)
        v /= 4;
    int p = (lb_litert_clz((uint32_t)v) - 1) / 2 - 1;
    n -= p;
    v *= (int32_t)1 << (2 * p);
    int32_t b = lb_litert_rdiv(v >> 1, 1);
    int32_t x = 1 << 28;
    for (int i = 0; i < 5; i++) {
        int32_t x3 = lb_litert_shl_sat(lb_litert_srdhm(lb_litert_srdhm(x, x), x), 6);
        x = lb_litert_shl_sat(lb_litert_srdhm(402653184, x) - lb_litert_srdhm(b, x3), 3);
    }
    x = lb_litert_srdhm(x, 1518500250);
    return n < 0 ? (lb_litert_per_tensor_quant){x * ((int32_t)1 << -n), 0}
                 : (lb_litert_per_tensor_quant){x, -n};
}

/* litert.3.7: an entry of 513, straight lines between; v is an int16. */
static inline int32_t lb_litert_lut16(const int16_t *lut, int32_t v)
{
    int32_t i = 256 + (v >> 7), slope = lut[i + 1] - lut[i];
    return lut[i] + ((slope * (v & 127) + 64) >> 7);
}

#endif
