/* Sa8 accumulators to results that are not yet narrowed (conv.md 4.5), in vectors. The file that
 * includes it has the header of its vectors first.
 *
 * Full profiles: of a product with a right shift of 33 or more only the high half counts, and the
 * half of the rounding is added there; ties, which convergent rounding asks for, look at the low
 * half too. */
#ifndef LB_MLI_SA8_SCALE_H
#define LB_MLI_SA8_SCALE_H

#include "loops.h"

/* What belongs to the channels of a vector. Members that a profile does not use cost nothing. */
struct factors {
    V mul, mul_odd, half, shift, pre, pre_half;
};

LB_MLI_INLINE struct factors load_factors(const struct lb_mli_sa_result *q, size_t c, bool reduced)
{
    struct factors f;
    f.mul = LOAD(q->mul + c);
    f.mul_odd = ODD_DOWN(f.mul);
    if (reduced) {
        f.pre = LOAD(q->pre + c);
        f.pre_half = SRL_1(SLL(SET(1), f.pre));
        f.shift = MIN(LOAD(q->shift + c), SET(31)); /* products of 16 by 17 bits are 0 after 31 */
        f.half = SRL_1(SLL(SET(1), f.shift));
    } else {
        f.pre = f.pre_half = f.mul;
        f.shift = SUB(LOAD(q->shift + c), SET(32));
        f.half = LOAD(q->far_half + c);
    }
    return f;
}

/* A sum of a register, of memory: all lanes, and the odd ones in the places of even ones. */
#define SUM(v)    v, ODD_DOWN(v)
#define SUM_AT(p) LOAD(p), LOAD_ODD_DOWN(p)

LB_MLI_INLINE V scale_full(V sum, V sum_odd, struct factors f, enum lb_mli_round round)
{
    const V even = MUL_EVEN(sum, f.mul), odd = MUL_EVEN(sum_odd, f.mul_odd);
    const V high = ADD(HIGH_HALVES(even, odd), f.half), scaled = SRA(high, f.shift);
    if (round == LB_MLI_UP)
        return scaled;
    const V mask = SUB(ADD(f.half, f.half), SET(1));
    return EVEN_WHERE_0(scaled, OR(LOW_HALVES(even, odd), AND(high, mask)));
}

/* v / 2^shift, rounded; v + half within 32 bits. */
LB_MLI_INLINE V shift_rounding(V v, V half, V shift, enum lb_mli_round round)
{
    const V total = ADD(v, half), y = SRA(total, shift);
    if (round == LB_MLI_UP)
        return y;
    const V whole = SRL_31(SUB(shift, SET(1))); /* 1 where shift is 0: nothing is rounded */
    return EVEN_WHERE_0(y, OR(AND(total, SUB(ADD(half, half), SET(1))), whole));
}

/* A sum beyond 2^30 is beyond 16 bits after a shift of at most 8. */
LB_MLI_INLINE V scale_reduced(V sum, struct factors f, enum lb_mli_round round)
{
    const V cut = shift_rounding(MIN(sum, SET(1 << 30)), f.pre_half, f.pre, round);
    const V narrow = MAX(MIN(cut, SET(INT16_MAX)), SET(INT16_MIN));
    return shift_rounding(MUL(narrow, f.mul), f.half, f.shift, round);
}

LB_MLI_INLINE V scale(V sum, V sum_odd, struct factors f, enum lb_mli_round round, bool reduced)
{
    return reduced ? scale_reduced(sum, f, round) : scale_full(sum, sum_odd, f, round);
}

#endif
