/* Look-up with interpolation (recurrent.md 4) by the byte permutations that most processors with
 * dot products have too (AVX-512 VBMI): the low and the high bytes of entries and of steps to the
 * next are tables of their own, and one permutation looks up 64 bytes in 64 entries. Two vectors of
 * elements go together, the bytes of one in even places, of the other in odd ones. */
#include "x86/lookup_words.h"

/* Written by the fill function alone. */
static lb_mli_lookup_s16_fn *word_lookup[LB_MLI_ROUNDS];
static lb_mli_lookup_pack_fn *word_pack;

static bool pack_bytes(const int16_t *table, size_t n, struct lb_mli_lookup *plan)
{
    if (!word_pack(table, n, plan))
        return false;
    for (size_t i = 0; i < n; i++) {
        plan->bytes[0][i] = (uint8_t)plan->entry[i];
        plan->bytes[1][i] = (uint8_t)(plan->entry[i] >> 8);
        plan->bytes[2][i] = (uint8_t)plan->fall[i];
        plan->bytes[3][i] = (uint8_t)(plan->fall[i] >> 8);
    }
    return true;
}

/* Two vectors, by bytes: a in even places. And back. */
LB_MLI_INLINE V braided(V a, V b)
{
    return _mm512_ternarylogic_epi32(SET_WORDS(0xFF), a, _mm512_slli_epi16(b, 8), 0xEA);
}

struct word_pair {
    V a, b;
};

LB_MLI_INLINE struct word_pair unbraided(V low, V high)
{
    const __mmask64 odd = UINT64_C(0xAAAAAAAAAAAAAAAA);
    return (struct word_pair){_mm512_mask_mov_epi8(low, odd, _mm512_slli_epi16(high, 8)),
                              _mm512_mask_mov_epi8(_mm512_srli_epi16(low, 8), odd, high)};
}

/* Bytes `index` (modulo the block) of the block that behind tells. */
LB_MLI_INLINE TARGET V byte_of(const V *table, V index, const __mmask64 *behind, size_t blocks)
{
    V y = _mm512_permutexvar_epi8(index, table[0]);
    for (size_t b = 1; b < blocks; b++)
        y = _mm512_mask_permutexvar_epi8(y, behind[b], index, table[b]);
    return y;
}

/* n elements, at least two vectors; the last pair of vectors overlaps the one before. */
LB_MLI_INLINE TARGET void look_up_bytes(const int16_t *in, size_t n, const struct lb_mli_lookup *q,
                                        const struct words *w, size_t blocks,
                                        enum lb_mli_round round, int16_t *out)
{
    const struct words_set set = set_words(w);
    V table[4][BLOCKS_MAX];
    for (size_t t = 0; t < 4; t++)
        for (size_t b = 0; b < blocks; b++)
            table[t][b] = LOAD(q->bytes[t] + w->first + b * LOOKUP_BLOCK);
    for (size_t done = 0; done < n; done += 2 * VECTOR_WORDS) {
        const size_t i = lb_mli_min_size(done, n - 2 * VECTOR_WORDS);
        const struct places a = places_of(in + i, &set), b = places_of(in + i + VECTOR_WORDS, &set);
        const V index = braided(a.index, b.index);
        const V half = braided(_mm512_srli_epi16(a.index, 1), _mm512_srli_epi16(b.index, 1));
        __mmask64 behind[BLOCKS_MAX];
        for (size_t k = 1; k < blocks; k++)
            behind[k] = _mm512_cmpge_epu8_mask(half, SET_BYTES((int32_t)k * LOOKUP_BLOCK / 2));
        const struct word_pair entry = unbraided(byte_of(table[0], index, behind, blocks),
                                                 byte_of(table[1], index, behind, blocks));
        const struct word_pair fall = unbraided(byte_of(table[2], index, behind, blocks),
                                                byte_of(table[3], index, behind, blocks));
        STORE(out + i, _mm512_sub_epi16(entry.a, scaled_near(fall.a, a.fraction, round)));
        STORE(out + i + VECTOR_WORDS,
              _mm512_sub_epi16(entry.b, scaled_near(fall.b, b.fraction, round)));
    }
}

/* In one block, and for few elements, words do as well. */
#define LOOKUP_BYTES(name, round)                                                                  \
    static TARGET void name(const int16_t *in, int32_t base, size_t n,                             \
                            const struct lb_mli_lookup *q, int16_t *out)                           \
    {                                                                                              \
        struct words w;                                                                            \
        if (n < 2 * VECTOR_WORDS || !plan_words(q, base, &w) || w.most < LOOKUP_BLOCK)             \
            word_lookup[round](in, base, n, q, out);                                               \
        else if (w.most < 2 * LOOKUP_BLOCK)                                                        \
            look_up_bytes(in, n, q, &w, 2, round, out);                                            \
        else if (w.most < 4 * LOOKUP_BLOCK)                                                        \
            look_up_bytes(in, n, q, &w, 4, round, out);                                            \
        else                                                                                       \
            look_up_bytes(in, n, q, &w, BLOCKS_MAX, round, out);                                   \
    }

LOOKUP_BYTES(lookup_bytes_up, LB_MLI_UP)
LOOKUP_BYTES(lookup_bytes_convergent, LB_MLI_CONVERGENT)

/* After the loops of the level before. */
static void fill_lookup(struct lb_mli_loops *loops)
{
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx512vbmi"))
        return;
    word_pack = loops->lookup_pack;
    loops->lookup_pack = pack_bytes;
    memcpy(word_lookup, loops->lookup_s16, sizeof word_lookup);
    loops->lookup_s16[LB_MLI_UP] = lookup_bytes_up;
    loops->lookup_s16[LB_MLI_CONVERGENT] = lookup_bytes_convergent;
}
