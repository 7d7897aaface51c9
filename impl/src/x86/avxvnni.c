/* The level avxvnni, vectors of 256 bits with integer dot products. All that is not named here is
 * as in avx2. */
#include "loops.h"

#include "x86/vector_256.h"

#define DOT_S16(a, x, w)  _mm256_dpwssd_avx_epi32(a, x, w)
#define DOT_U8S8(a, x, w) _mm256_dpbusd_avx_epi32(a, x, w)

/* In assembly: gcc would copy sums from register to register, and some to memory. */
static inline V dot_s16_tied(V a, V x, V w)
{
    __asm__("%{vex%} vpdpwssd %2, %1, %0" : "+x"(a) : "x"(x), "x"(w));
    return a;
}
static inline V dot_u8s8_tied(V a, V x, V w)
{
    __asm__("%{vex%} vpdpbusd %2, %1, %0" : "+x"(a) : "x"(x), "x"(w));
    return a;
}
#define DOT_S16_TIED(a, x, w)  dot_s16_tied(a, x, w)
#define DOT_U8S8_TIED(a, x, w) dot_u8s8_tied(a, x, w)

#include "simd/depthwise_tmpl.h"
#include "simd/gemv_tmpl.h"
#include "simd/panel_tmpl.h"

#include "x86/gemv_bytes.h"

LB_MLI_HIDDEN void lb_mli_fill_avxvnni(struct lb_mli_loops *loops);

void lb_mli_fill_avxvnni(struct lb_mli_loops *loops)
{
    fill_depthwise(loops);
    fill_gemv(loops);
    fill_gemv_bytes(loops);
    fill_panel(loops);
}
