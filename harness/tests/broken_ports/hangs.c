/* Does not return when it is asked for groups along dimension 1. */
#include "broken.h"

static volatile int forever = 1;

static mli_status broken_l2_normalize(const mli_tensor *in, const mli_tensor *epsilon,
                                      const mli_lut *lut, const mli_l2_normalize_cfg *cfg,
                                      mli_tensor *out)
{
    mli_status status = mli_krn_l2_normalize_fx16(in, epsilon, lut, cfg, out);
    while (status == MLI_STATUS_OK && cfg->axis == 1 && forever)
        ;
    return status;
}

BROKEN_PORT("broken: hangs")
#define mli_krn_l2_normalize_fx16 broken_l2_normalize
#include "../../port_kit/lb_kit.c"
