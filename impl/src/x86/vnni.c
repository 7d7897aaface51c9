/* The level vnni, vectors of 512 bits with integer dot products. What the compiler makes of plain C
 * has no use for these: all that is not named here is as in avx512. */
#include "loops.h"

#include "x86/vector_512.h"

#define DOT_S16(a, x, w)  _mm512_dpwssd_epi32(a, x, w)
#define DOT_U8S8(a, x, w) _mm512_dpbusd_epi32(a, x, w)

/* In assembly: gcc would copy sums from register to register, and some to memory. */
static inline V dot_s16_tied(V a, V x, V w)
{
    __asm__("vpdpwssd %2, %1, %0" : "+v"(a) : "v"(x), "v"(w));
    return a;
}
static inline V dot_u8s8_tied(V a, V x, V w)
{
    __asm__("vpdpbusd %2, %1, %0" : "+v"(a) : "v"(x), "v"(w));
    return a;
}
#define DOT_S16_TIED(a, x, w)  dot_s16_tied(a, x, w)
#define DOT_U8S8_TIED(a, x, w) dot_u8s8_tied(a, x, w)

#include "simd/depthwise_tmpl.h"
#include "simd/panel_tmpl.h"

#include "simd/panel_fx16_tmpl.h"
#include "simd/panel_sa8_tmpl.h"

#include "x86/gemv_vnni.h"
#include "x86/lut8_vnni.h"

#include "x86/lookup_vnni.h"
#include "x86/panel_row_vnni.h"

LB_MLI_HIDDEN void lb_mli_fill_vnni(struct lb_mli_loops *loops);

void lb_mli_fill_vnni(struct lb_mli_loops *loops)
{
    fill_depthwise(loops);
    fill_panel(loops);
    fill_panel_fx16(loops);
    fill_panel_sa8(loops);
    fill_gemv(loops);
    fill_lookup(loops);
    fill_lut8(loops);
    fill_panel_row(loops);
}
