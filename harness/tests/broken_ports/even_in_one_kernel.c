/* Rounds ties to even in one kernel only: average pooling of fx16. */
#include "broken.h"

static mli_status broken_avepool(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out)
{
    const char *profile = mli_ext_get_profile();
    mli_ext_set_profile(strstr(profile, "full") ? "convergent-full" : "convergent-reduced");
    mli_status status = mli_krn_avepool_hwc_fx16(in, cfg, out);
    mli_ext_set_profile(profile);
    return status;
}

BROKEN_PORT("broken: ties to even in one kernel")
#define mli_krn_avepool_hwc_fx16 broken_avepool
#include "../../port_kit/lb_kit.c"
