/* Takes the maximum over one column more than the last window has, behind the end of its input. */
#include "broken.h"

static mli_status broken_maxpool(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out)
{
    mli_status status = mli_krn_maxpool_hwc_fx8(in, cfg, out);
    if (status != MLI_STATUS_OK)
        return status;
    size_t last = broken_offset(out, broken_count(out) - 1);
    int32_t behind = broken_get(in, broken_offset(in, broken_count(in) - 1) + 2);
    if (behind > broken_get(out, last))
        broken_put(out, last, behind);
    return status;
}

BROKEN_PORT("broken: reads behind its input")
#define mli_krn_maxpool_hwc_fx8 broken_maxpool
#include "../../port_kit/lb_kit.c"
