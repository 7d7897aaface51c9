/* Look-up in a table of 256 by the byte permutations that most processors with dot products have
 * too (AVX-512 VBMI). Half of the table each for negative numbers and others. */
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")))

static inline TARGET V mapped(V x, V t0, V t1, V t2, V t3)
{
    const V of_negative = _mm512_permutex2var_epi8(t0, x, t1),
            of_others = _mm512_permutex2var_epi8(t2, x, t3);
    return _mm512_mask_blend_epi8(_mm512_movepi8_mask(x), of_others, of_negative);
}

#include "x86/lut8_512.h"

/* After the loops of the level before. */
static void fill_lut8(struct lb_mli_loops *loops)
{
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx512vbmi"))
        return;
    loops->lut8 = lut8;
    loops->sum_lut8 = sum_lut8;
}
