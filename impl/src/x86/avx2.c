/* The level avx2, vectors of 256 bits. */
#include "portable/portable.h"

#include "x86/vector_256.h"

/* Bytes are widened to 16 bits: the level's sums of two byte products saturate there, unless the
 * weights are narrow. */
#define DOT_S16(a, x, w) _mm256_add_epi32(a, _mm256_madd_epi16(x, w))
#define DOT_NARROW(a, x, w)                                                                        \
    _mm256_add_epi32(a, _mm256_madd_epi16(_mm256_maddubs_epi16(x, w), _mm256_set1_epi16(1)))

/* In assembly: gcc would make all products first and keep sums in memory. */
static inline V dot_s16_tied(V a, V x, V w)
{
    __asm__("vpmaddwd %2, %1, %1\n\tvpaddd %1, %0, %0" : "+x"(a), "+x"(x) : "x"(w));
    return a;
}
#define DOT_S16_TIED(a, x, w) dot_s16_tied(a, x, w)

#include "simd/all_tmpl.h"

#include "x86/gemv_bytes.h"
#include "x86/lut8_avx2.h"

LB_MLI_HIDDEN void lb_mli_fill_avx2(struct lb_mli_loops *loops);

void lb_mli_fill_avx2(struct lb_mli_loops *loops)
{
    lb_mli_fill_portable(loops);
    fill_all(loops);
    fill_gemv_bytes(loops);
    fill_lut8(loops);
}
