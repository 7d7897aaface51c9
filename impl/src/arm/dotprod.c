/* The level dotprod: the dot products of NEON, which take two signed bytes: inputs stay as they
 * are. */
#include "loops.h"

#include "arm/vector_neon.h"

#define FLIPPED(a)        (a)
#define BYTES_EXCESS      0
#define DOT_U8S8(a, x, w) vdotq_s32(a, vreinterpretq_s8_s32(x), vreinterpretq_s8_s32(w))

#include "simd/depthwise_tmpl.h"
#include "simd/panel_tmpl.h"

LB_MLI_HIDDEN void lb_mli_fill_dotprod(struct lb_mli_loops *loops);

void lb_mli_fill_dotprod(struct lb_mli_loops *loops)
{
    fill_depthwise(loops);
    fill_panel(loops);
}
