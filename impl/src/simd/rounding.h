/* Right shifts with rounding of vectors, by one count for all elements, once for all levels with
 * vectors. The header of the level's vectors comes before it. Each rounding mode is an instance of
 * its own: the mode is a constant where these functions are called.
 *
 * The half is added, which leaves a tie as a number that is whole but for its rounding: convergent
 * rounding then takes the even one. Nothing saturates: value and half together must fit. */
#ifndef LB_MLI_ROUNDING_H
#define LB_MLI_ROUNDING_H

#include "fixed.h"

/* v / 2^n in 32 bits, n 0..31. */
struct rounding {
    V half, mask, shift, whole; /* whole: not 0 where nothing is rounded */
};

LB_MLI_INLINE struct rounding rounding_by(int32_t n)
{
    struct rounding r;
    r.half = SET((int32_t)((UINT32_C(1) << n) >> 1));
    r.mask = SET((int32_t)((UINT32_C(1) << n) - 1));
    r.shift = SET(n);
    r.whole = SET(n == 0);
    return r;
}

LB_MLI_INLINE V rounded(V v, const struct rounding *r, enum lb_mli_round round)
{
    const V total = ADD(v, r->half), y = SRA(total, r->shift);
    if (round == LB_MLI_UP)
        return y;
    return EVEN_WHERE_0(y, OR(AND(total, r->mask), r->whole));
}

/* Products of words, 32 bits of the low and of the high half of each 128 bits. */
struct products {
    V low, high;
};

LB_MLI_INLINE struct products products_of(V a, V b)
{
    const V low = MUL_WORDS(a, b), high = MUL_HIGH_WORDS(a, b);
    return (struct products){LOW_WORDS(low, high), HIGH_WORDS(low, high)};
}

/* v / 2^n in words, n 0..15. */
struct word_rounding {
    V half, mask, whole;
    int32_t n;
};

LB_MLI_INLINE struct word_rounding word_rounding_by(int32_t n)
{
    struct word_rounding r;
    r.half = SET_WORDS((1 << n) >> 1);
    r.mask = SET_WORDS((1 << n) - 1);
    r.whole = SET_WORDS(n == 0);
    r.n = n;
    return r;
}

LB_MLI_INLINE V rounded_words(V v, const struct word_rounding *r, enum lb_mli_round round)
{
    const V total = ADD_WORDS(v, r->half), y = SRA_WORDS(total, r->n);
    if (round == LB_MLI_UP)
        return y;
    return EVEN_WORDS_WHERE_0(y, OR(AND(total, r->mask), r->whole));
}

/*
 * v * mul / 2^shift for words, where shift is 17 or more: the low half of the product, which is not
 * negative, then counts for a tie alone, and the half goes to the high one. shift 17..31.
 */
struct scaling {
    V mul, unit; /* unit: 2^15 steps of the result */
    struct word_rounding high;
};

LB_MLI_INLINE struct scaling scaling_by(int32_t mul, int32_t shift)
{
    struct scaling s;
    s.mul = SET_WORDS(mul);
    s.unit = SET_WORDS(1 << (31 - shift));
    s.high = word_rounding_by(shift - 16);
    return s;
}

/* To half a step upwards, by one instruction that multiplies and rounds: shifts whose counts are
 * not constants are two. */
LB_MLI_INLINE V scaled_far(V v, const struct scaling *s, enum lb_mli_round round)
{
    const V high = MUL_HIGH_WORDS(v, s->mul), y = MUL_ROUND_WORDS(high, s->unit);
    if (round == LB_MLI_UP)
        return y;
    const V total = ADD_WORDS(high, s->high.half);
    return EVEN_WORDS_WHERE_0(y, OR(AND(total, s->high.mask), MUL_WORDS(v, s->mul)));
}

/* v * mul / 2^15. Upwards one instruction does it; a tie shows in the low 15 bits. */
LB_MLI_INLINE V scaled_near(V v, V mul, enum lb_mli_round round)
{
    const V y = MUL_ROUND_WORDS(v, mul);
    if (round == LB_MLI_UP)
        return y;
    return EVEN_WORDS_WHERE_0(y, XOR(AND(MUL_WORDS(v, mul), SET_WORDS(0x7FFF)), SET_WORDS(0x4000)));
}

/* v * mul / 2^shift in 32 bits for shifts of 33 or more: likewise of the high half of 64 bits. by:
 * rounding_by(shift - 32). */
LB_MLI_INLINE V scaled_high(V v, V mul, const struct rounding *by, enum lb_mli_round round)
{
    const V even = MUL_EVEN(v, mul), odd = MUL_EVEN(ODD_DOWN(v), mul);
    const V total = ADD(HIGH_HALVES(even, odd), by->half), y = SRA(total, by->shift);
    if (round == LB_MLI_UP)
        return y;
    return EVEN_WHERE_0(y, OR(AND(total, by->mask), LOW_HALVES(even, odd)));
}

#endif
