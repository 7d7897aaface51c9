/*
 * map_vnni.c: look-up in a table of 256 by the byte permutations that most processors with dot products have too (AVX-512
 * VBMI). Half of the table each for negative numbers and others.
 */
#include "dispatch.h"

#include "vector_512.h"

enum { VECTOR_BYTES = 64 };

static lb_mli_map_s8_fn *plain_map; /* written by the fill function alone */

__attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi"))) static void
map_s8(const int8_t *in, size_t n, const int8_t table[256], int8_t *out)
{
    const V t0 = LOAD(table), t1 = LOAD(table + 64), t2 = LOAD(table + 128), t3 = LOAD(table + 192);
    size_t i = 0;
    for (; i + VECTOR_BYTES <= n; i += VECTOR_BYTES) {
        const V x = LOAD(in + i);
        const V of_negative = _mm512_permutex2var_epi8(t0, x, t1), of_others = _mm512_permutex2var_epi8(t2, x, t3);
        STORE(out + i, _mm512_mask_blend_epi8(_mm512_movepi8_mask(x), of_others, of_negative));
    }
    plain_map(in + i, n - i, table, out + i);
}

/* After the loops of the level before. */
void LB_MLI_FILL(map)(struct lb_mli_loops *loops)
{
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx512vbmi"))
        return;
    plain_map = loops->map_s8;
    loops->map_s8 = map_s8;
}
