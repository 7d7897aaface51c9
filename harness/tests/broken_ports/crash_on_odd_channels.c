/* Crashes where the number of output channels is odd. */
#include "broken.h"

#include <signal.h>

static mli_status broken_conv2d(const mli_tensor *in, const mli_tensor *weights,
                                const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out)
{
    if (out && out->rank == 3 && out->shape[2] % 2 == 1)
        raise(SIGSEGV);
    return mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32(in, weights, bias, cfg, out);
}

BROKEN_PORT("broken: crash on odd channel counts")
#define mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32 broken_conv2d
#include "../../port_kit/lb_kit.c"
