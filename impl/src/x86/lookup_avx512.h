/* Look-up with interpolation (recurrent.md 4) in vectors of 512 bits. The entries of a table that
 * words reach stay in registers: permutations take the place of gathered loads. */
#include "x86/lookup_words.h"

static lb_mli_lookup_s16_fn *plain_lookup[LB_MLI_ROUNDS]; /* written by the fill function alone */

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
    const struct words_set set = set_words(w);
    for (size_t i = 0; i < n; i += VECTOR_WORDS) {
        const struct places at = places_of(in + i, &set);
        __mmask32 behind[BLOCKS_MAX];
        for (size_t b = 1; b < blocks; b++)
            behind[b] = _mm512_cmpge_epi16_mask(at.index, SET_WORDS((int32_t)b * LOOKUP_BLOCK));
        const V down = scaled_near(entry_of(fall, at.index, behind, blocks), at.fraction, round);
        STORE(out + i, _mm512_sub_epi16(entry_of(entry, at.index, behind, blocks), down));
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
