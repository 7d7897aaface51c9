/* Look-up with interpolation (recurrent.md 4) of words in vectors of 512 bits: where an element
 * stands in the table. Words that stand for elements reach at most six times 64 entries. */
#ifndef LB_MLI_LOOKUP_WORDS_H
#define LB_MLI_LOOKUP_WORDS_H

#include "lookup.h"

#include "simd/rounding.h"

enum { LOOKUP_BLOCK = 64, BLOCKS_MAX = LB_MLI_LOOKUP_PAIRS / LOOKUP_BLOCK };

/* What is the same for all elements: in + move is a number without sign, whose high bits are an
 * index into the entries from `first` on, whose low ones are the fraction. */
struct words {
    int32_t move, bits;
    int32_t more;    /* to the index, before it is cut to 0..most */
    int32_t at_zero; /* the index of 0 */
    int32_t most;
    int32_t first;
    const int16_t *entry, *fall;
};

/* base 0: elements of any sign, moved by half the range. Else a difference to base, which is not
 * above 0: its low 16 bits, of which 0 is the largest. False: bits out of the ordinary. */
static bool plan_words(const struct lb_mli_lookup *q, int32_t base, struct words *w)
{
    if (q->bits == 0 || q->pre > 0)
        return false;
    const int32_t below = 1 << ((base ? 16 : 15) - q->bits), above = base ? 0 : below - 1;
    const int32_t first = lb_mli_clamp(q->offset - below, 0, q->last);
    w->move = base ? -base : INT16_MIN;
    w->bits = q->bits;
    w->more = q->offset - below - first;
    w->most = lb_mli_clamp(q->offset + above, 0, q->last) - first;
    w->at_zero = base ? w->most : lb_mli_clamp(w->more, 0, w->most);
    w->entry = q->entry + first;
    w->fall = q->fall + first;
    w->first = first;
    return w->more >= INT16_MIN;
}

/* The same in all lanes. */
struct words_set {
    V move, more, most, at_zero;
    int32_t bits;
};

LB_MLI_INLINE struct words_set set_words(const struct words *w)
{
    return (struct words_set){SET_WORDS(w->move), SET_WORDS(w->more), SET_WORDS(w->most),
                              SET_WORDS(w->at_zero), w->bits};
}

/* Where elements stand: the entry, and how far behind it, in 2^-15. */
struct places {
    V index, fraction;
};

LB_MLI_INLINE struct places places_of(const int16_t *in, const struct words_set *w)
{
    const V v = ADD_WORDS(LOAD(in), w->move);
    const V cut =
        MIN_WORDS(MAX_WORDS(ADD_WORDS_SATURATING(SRL_WORDS(v, w->bits), w->more), SET(0)), w->most);
    return (struct places){
        _mm512_mask_mov_epi16(cut, _mm512_testn_epi16_mask(v, v), w->at_zero),
        AND(SLL_WORDS(v, 15 - w->bits), SET_WORDS(INT16_MAX)),
    };
}

#endif
