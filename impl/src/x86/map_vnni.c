/*
 * map_vnni.c: look-up in a table of 256 by the byte permutations that most processors with dot products have too (AVX-512
 * VBMI). Half of the table each for negative numbers and others.
 */
#include "dispatch.h"

#include "vector_512.h"

enum { VECTOR_BYTES = 64 };

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")))

/* x in t0..t3, 64 entries each. */
static inline TARGET V mapped(V x, V t0, V t1, V t2, V t3)
{
    const V of_negative = _mm512_permutex2var_epi8(t0, x, t1), of_others = _mm512_permutex2var_epi8(t2, x, t3);
    return _mm512_mask_blend_epi8(_mm512_movepi8_mask(x), of_others, of_negative);
}

static TARGET void map_s8(const int8_t *in, size_t n, const int8_t table[256], int8_t *out)
{
    const V t0 = LOAD(table), t1 = LOAD(table + 64), t2 = LOAD(table + 128), t3 = LOAD(table + 192);
    size_t i = 0;
    for (; i + VECTOR_BYTES <= n; i += VECTOR_BYTES)
        STORE(out + i, mapped(LOAD(in + i), t0, t1, t2, t3));
    const __mmask64 rest = (UINT64_C(1) << (n - i)) - 1;
    if (rest)
        _mm512_mask_storeu_epi8(out + i, rest, mapped(_mm512_maskz_loadu_epi8(rest, in + i), t0, t1, t2, t3));
}

#include "map_sums.h"

/* After the loops of the level before. */
void LB_MLI_FILL(map)(struct lb_mli_loops *loops)
{
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx512vbmi"))
        return;
    loops->map_s8 = map_s8;
    loops->sum_map_s8 = sum_map_s8;
}
