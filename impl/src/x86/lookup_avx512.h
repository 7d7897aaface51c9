/* Look-up with interpolation (recurrent.md 4) in vectors of 512 bits. Words that stand for elements
 * reach at most six times 64 entries of a table, which stay in registers: permutations take the
 * place of gathered loads. */
#include "lookup.h"

#include "simd/rounding.h"

enum { LOOKUP_BLOCK = 64, BLOCKS_MAX = LB_MLI_LOOKUP_PAIRS / LOOKUP_BLOCK };

static lb_mli_lookup_s16_fn *plain_lookup[LB_MLI_ROUNDS]; /* written by the fill function alone */

/* What is the same for all elements: in + move is a number without sign, whose high bits are an
 * index into the entries from `first` on, whose low ones are the fraction. */
struct words {
    int32_t move, bits;
    int32_t more;    /* to the index, before it is cut to 0..most */
    int32_t at_zero; /* the index of 0 */
    int32_t most;
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
    return w->more >= INT16_MIN;
}

/* Entry `index` of so many blocks. */
LB_MLI_INLINE V entry_of(const V *table, V index, const __mmask32 *behind, size_t blocks)
{
    V y = _mm512_permutex2var_epi16(table[0], index, table[1]);
    for (size_t b = 1; b < blocks; b++)
        y = _mm512_mask_mov_epi16(y, behind[b],
                                  _mm512_permutex2var_epi16(table[2 * b], index, table[2 * b + 1]));
    return y;
}

/* n whole vectors. */
LB_MLI_INLINE void look_up(const int16_t *in, size_t n, const struct words *w, size_t blocks,
                           enum lb_mli_round round, int16_t *out)
{
    V entry[2 * BLOCKS_MAX], fall[2 * BLOCKS_MAX];
    for (size_t b = 0; b < 2 * blocks; b++) {
        entry[b] = LOAD(w->entry + b * VECTOR_WORDS);
        fall[b] = LOAD(w->fall + b * VECTOR_WORDS);
    }
    const V move = SET_WORDS(w->move), more = SET_WORDS(w->more), most = SET_WORDS(w->most);
    const V at_zero = SET_WORDS(w->at_zero), zero = SET(0);
    const int32_t bits = w->bits;
    for (size_t i = 0; i < n; i += VECTOR_WORDS) {
        const V v = ADD_WORDS(LOAD(in + i), move);
        const V cut =
            MIN_WORDS(MAX_WORDS(ADD_WORDS_SATURATING(SRL_WORDS(v, bits), more), zero), most);
        const V index = _mm512_mask_mov_epi16(cut, _mm512_testn_epi16_mask(v, v), at_zero);
        const V fraction = AND(SLL_WORDS(v, 15 - bits), SET_WORDS(INT16_MAX));
        __mmask32 behind[BLOCKS_MAX];
        for (size_t b = 1; b < blocks; b++)
            behind[b] = _mm512_cmpge_epi16_mask(index, SET_WORDS((int32_t)b * LOOKUP_BLOCK));
        const V down = scaled_near(entry_of(fall, index, behind, blocks), fraction, round);
        STORE(out + i, _mm512_sub_epi16(entry_of(entry, index, behind, blocks), down));
    }
}

/* An instance for each number of blocks. */
#define LOOKUP(name, round)                                                                        \
    static void name(const int16_t *in, int32_t base, size_t n, const struct lb_mli_lookup *q,     \
                     int16_t *out)                                                                 \
    {                                                                                              \
        const size_t whole = n / VECTOR_WORDS * VECTOR_WORDS;                                      \
        struct words w;                                                                            \
        size_t done = whole;                                                                       \
        if (whole == 0 || !plan_words(q, base, &w))                                                \
            done = 0;                                                                              \
        else if (w.most < LOOKUP_BLOCK)                                                            \
            look_up(in, whole, &w, 1, round, out);                                                 \
        else if (w.most < 2 * LOOKUP_BLOCK)                                                        \
            look_up(in, whole, &w, 2, round, out);                                                 \
        else if (w.most < 4 * LOOKUP_BLOCK)                                                        \
            look_up(in, whole, &w, 4, round, out);                                                 \
        else                                                                                       \
            look_up(in, whole, &w, BLOCKS_MAX, round, out);                                        \
        if (done < n)                                                                              \
            plain_lookup[round](in + done, base, n - done, q, out + done);                         \
    }

LOOKUP(lookup_up, LB_MLI_UP)
LOOKUP(lookup_convergent, LB_MLI_CONVERGENT)

/* After the plain_lookup loops of the level. */
static void fill_lookup(struct lb_mli_loops *loops)
{
    plain_lookup[LB_MLI_UP] = loops->lookup_s16[LB_MLI_UP];
    plain_lookup[LB_MLI_CONVERGENT] = loops->lookup_s16[LB_MLI_CONVERGENT];
    loops->lookup_s16[LB_MLI_UP] = lookup_up;
    loops->lookup_s16[LB_MLI_CONVERGENT] = lookup_convergent;
}
