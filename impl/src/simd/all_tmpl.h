/* All loops that are written for vectors and need nothing but what vector_256.h and vector_512.h
 * name. A new template is a line in each of the two lists. */
#include "simd/convert_tmpl.h"
#include "simd/dense_tmpl.h"
#include "simd/depthwise_tmpl.h"
#include "simd/eltwise_tmpl.h"
#include "simd/fx16_rows_tmpl.h"
#include "simd/gemv_tmpl.h"
#include "simd/panel_tmpl.h"
#include "simd/permute_tmpl.h"
#include "simd/pool_tmpl.h"
#include "simd/prelu_tmpl.h"
#include "simd/reduce_tmpl.h"
#include "simd/sa8_rows_tmpl.h"

/* After the loops of the level before, and plain C. */
static void fill_all(struct lb_mli_loops *loops)
{
    fill_convert(loops);
    fill_dense(loops);
    fill_depthwise(loops);
    fill_eltwise(loops);
    fill_fx16_rows(loops);
    fill_gemv(loops);
    fill_panel(loops);
    fill_permute(loops);
    fill_pool(loops);
    fill_prelu(loops);
    fill_reduce(loops);
    fill_sa8_rows(loops);
}
