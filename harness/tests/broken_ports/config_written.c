/* Corrects its configuration in place, which is const and may be shared or in read-only memory. */
#include "broken.h"

static mli_status broken_pool(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out)
{
    mli_status status = mli_krn_maxpool_hwc_sa8(in, cfg, out);
    mli_pool_cfg *mine = (mli_pool_cfg *)(uintptr_t)cfg;
    if (status == MLI_STATUS_OK)
        mine->stride_height++;
    return status;
}

BROKEN_PORT("broken: writes into its configuration")
#define mli_krn_maxpool_hwc_sa8 broken_pool
#include "../../port_kit/lb_kit.c"
