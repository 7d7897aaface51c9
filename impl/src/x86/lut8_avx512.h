/* Look-up in a table of 256 by permutations of words, which fetch an entry together with its
 * neighbour. The low bytes of words are looked up apart from the high ones. */
#define TARGET

/* The word that has entry `index`: of 64 words in t0 and t1 or, where behind says so, in t2 and t3.
 */
static inline V word_of(V index, __mmask32 behind, V t0, V t1, V t2, V t3)
{
    return _mm512_mask_mov_epi16(_mm512_permutex2var_epi16(t0, index, t1), behind,
                                 _mm512_permutex2var_epi16(t2, index, t3));
}

static inline V mapped(V x, V t0, V t1, V t2, V t3)
{
    const V u = FLIPPED(x);
    const V low = word_of(_mm512_srli_epi16(u, 1), _mm512_test_epi16_mask(u, SET_WORDS(0x80)), t0,
                          t1, t2, t3);
    const V high = word_of(_mm512_srli_epi16(u, 9), _mm512_movepi16_mask(u), t0, t1, t2, t3);
    const V low_byte = _mm512_mask_srli_epi16(low, _mm512_test_epi16_mask(u, SET_WORDS(1)), low, 8);
    const V high_byte =
        _mm512_mask_slli_epi16(high, _mm512_testn_epi16_mask(u, SET_WORDS(0x100)), high, 8);
    return _mm512_mask_blend_epi8(UINT64_C(0xAAAAAAAAAAAAAAAA), low_byte, high_byte);
}

#include "x86/lut8_512.h"

/* After the plain loops of the level. */
static void fill_lut8(struct lb_mli_loops *loops)
{
    loops->lut8 = lut8;
    loops->sum_lut8 = sum_lut8;
}
