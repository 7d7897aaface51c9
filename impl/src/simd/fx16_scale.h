/* 32-bit accumulators to FX_16 results that are not yet narrowed (conv.md 3), in vectors. The file
 * that includes it has the header of its vectors first. */
#ifndef LB_MLI_FX16_SCALE_H
#define LB_MLI_FX16_SCALE_H

#include "loops.h"

/* Sums with the bias in them: a shift whose half saturates. */
struct shifting {
    V half, top, shift, mask, whole, lo, hi;
};

LB_MLI_INLINE struct shifting plan_shifting(const struct lb_mli_fx_result *q)
{
    const int32_t half = (int32_t)((UINT32_C(1) << q->shift) >> 1);
    struct shifting s;
    s.half = SET(half);
    s.top = SET(INT32_MAX - half);
    s.shift = SET(q->shift);
    s.mask = SET((int32_t)((UINT32_C(1) << q->shift) - 1));
    s.whole = SET(q->shift == 0);
    s.lo = SET_WORDS(q->lo);
    s.hi = SET_WORDS(q->hi);
    return s;
}

/* Convergent: nothing saturates, so the half is that of the rest alone, and a tie goes down to an
 * even number. */
LB_MLI_INLINE V shifted_sum(V v, const struct shifting *s, enum lb_mli_round round)
{
    if (round == LB_MLI_UP)
        return SRA(ADD(MIN(v, s->top), s->half), s->shift);
    const V rest = ADD(AND(v, s->mask),
                       s->half); /* below 2^32; its bit `shift` tells whether the rest counts */
    const V y = ADD(SRA(v, s->shift), AND(SRL(rest, s->shift), SUB(SET(1), s->whole)));
    return EVEN_WHERE_0(y, OR(AND(rest, s->mask), s->whole));
}

/* Sums of split weights (loops.h). */
struct joining {
    V shift, mask, lo, hi;
};

LB_MLI_INLINE struct joining plan_joining(const struct lb_mli_split16_result *q)
{
    struct joining j;
    j.shift = SET(q->shift);
    j.mask = SET(q->mask);
    j.lo = SET_WORDS(q->lo);
    j.hi = SET_WORDS(q->hi);
    return j;
}

LB_MLI_INLINE V joined_sums(V low, V high, const struct joining *j, enum lb_mli_round round)
{
    const V total = ADD(high, SRA(low, SET(8))), y = SRA(total, j->shift);
    if (round == LB_MLI_UP)
        return y;
    return EVEN_WHERE_0(y, OR(AND(total, j->mask), AND(low, SET(255))));
}

#endif
