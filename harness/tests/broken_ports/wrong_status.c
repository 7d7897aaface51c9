/* Reports shapes that do not fit as a bad tensor. */
#include "broken.h"

static mli_status broken_conv2d(const mli_tensor *in, const mli_tensor *weights,
                                const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out)
{
    mli_status status = mli_krn_conv2d_hwcn_sa8_sa8_sa32(in, weights, bias, cfg, out);
    return status == MLI_STATUS_SHAPE_MISMATCH ? MLI_STATUS_BAD_TENSOR : status;
}

BROKEN_PORT("broken: wrong status")
#define mli_krn_conv2d_hwcn_sa8_sa8_sa32 broken_conv2d
#include "../../port_kit/lb_kit.c"
