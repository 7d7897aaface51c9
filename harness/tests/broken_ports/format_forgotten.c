/* Forgets to write the format of its output: the data are right, the number of fractional bits
 * stays what it was. */
#include "broken.h"

static mli_status broken_maxpool(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out)
{
    mli_element_params before = out ? out->el_params : (mli_element_params){.fx = {0}};
    mli_status status = mli_krn_maxpool_hwc_fx16(in, cfg, out);
    if (out)
        out->el_params = before;
    return status;
}

BROKEN_PORT("broken: format of the output forgotten")
#define mli_krn_maxpool_hwc_fx16 broken_maxpool
#include "../../port_kit/lb_kit.c"
