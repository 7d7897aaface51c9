/* Crashes on odd numbers of channels, does not return where windows move by two columns, and writes
 * one element past the end of its output elsewhere. */
#include "broken.h"

#include <signal.h>

static volatile int forever = 1;

static mli_status broken_maxpool(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out)
{
    mli_status status = mli_krn_maxpool_hwc_sa8(in, cfg, out);
    if (status != MLI_STATUS_OK)
        return status;
    if (out->shape[2] % 2 == 1)
        raise(SIGSEGV);
    while (cfg->stride_width == 2 && forever)
        ;
    broken_put(out, broken_offset(out, broken_count(out) - 1) + 1, 0);
    return status;
}

BROKEN_PORT("broken: crashes, hangs and writes past the end")
#define mli_krn_maxpool_hwc_sa8 broken_maxpool
#include "../../port_kit/lb_kit.c"
