/* The level avx512 (F, BW, DQ, VL), vectors of 512 bits. */
#include "portable/portable.h"

#include "x86/vector_512.h"

/* Bytes are widened to 16 bits: the level's sums of two byte products saturate there, unless the
 * weights are narrow. */
#define DOT_S16(a, x, w) _mm512_add_epi32(a, _mm512_madd_epi16(x, w))
#define DOT_NARROW(a, x, w)                                                                        \
    _mm512_add_epi32(a, _mm512_madd_epi16(_mm512_maddubs_epi16(x, w), _mm512_set1_epi16(1)))

/* In assembly: gcc would make all products first and keep sums in memory. */
static inline V dot_s16_tied(V a, V x, V w)
{
    __asm__("vpmaddwd %2, %1, %1\n\tvpaddd %1, %0, %0" : "+v"(a), "+v"(x) : "v"(w));
    return a;
}
#define DOT_S16_TIED(a, x, w) dot_s16_tied(a, x, w)

#include "simd/all_tmpl.h"

#include "x86/gemv_bytes.h"
#include "x86/lookup_avx512.h"
#include "x86/lut8_avx512.h"

LB_MLI_HIDDEN void lb_mli_fill_avx512(struct lb_mli_loops *loops);

/* What fills no vector of 512 bits may still fill one of 256: the loops of 512 hand short rows
 * down. */
static void keep_narrower(struct lb_mli_loops *loops, const struct lb_mli_loops *before)
{
    loops->pool_max_s8 = before->pool_max_s8;
    loops->pool_max_s16 = before->pool_max_s16;
    loops->pool_sum_s8 = before->pool_sum_s8;
    loops->pool_sum_s16 = before->pool_sum_s16;
    memcpy(loops->pool_average_s8, before->pool_average_s8, sizeof loops->pool_average_s8);
    memcpy(loops->eltwise, before->eltwise, sizeof loops->eltwise);
    memcpy(loops->convert, before->convert, sizeof loops->convert);
    memcpy(loops->prelu_s8, before->prelu_s8, sizeof loops->prelu_s8);
    memcpy(loops->prelu_s16, before->prelu_s16, sizeof loops->prelu_s16);
    memcpy(loops->prelu_sa8, before->prelu_sa8, sizeof loops->prelu_sa8);
}

void lb_mli_fill_avx512(struct lb_mli_loops *loops)
{
    const struct lb_mli_loops before = *loops;
    lb_mli_fill_portable(loops);
    keep_narrower(loops, &before);
    fill_all(loops);
    fill_gemv_bytes(loops);
    fill_lookup(loops);
    fill_lut8(loops);
}
