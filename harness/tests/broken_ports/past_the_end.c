/* Writes one element past the end of its output. */
#include "broken.h"

static mli_status broken_maxpool(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out)
{
    mli_status status = mli_krn_maxpool_hwc_sa8(in, cfg, out);
    if (status == MLI_STATUS_OK)
        broken_put(out, broken_offset(out, broken_count(out) - 1) + 1, 0);
    return status;
}

BROKEN_PORT("broken: one element past the end")
#define mli_krn_maxpool_hwc_sa8 broken_maxpool
#include "../../port_kit/lb_kit.c"
