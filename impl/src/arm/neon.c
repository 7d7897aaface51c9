/* The level neon: convolutions on vectors of 128 bits. Bytes are widened to 16 bits. */
#include "loops.h"

#include "arm/vector_neon.h"

#include "simd/depthwise_tmpl.h"
#include "simd/panel_tmpl.h"

LB_MLI_HIDDEN void lb_mli_fill_neon(struct lb_mli_loops *loops);

void lb_mli_fill_neon(struct lb_mli_loops *loops)
{
    fill_depthwise(loops);
    fill_panel(loops);
}
