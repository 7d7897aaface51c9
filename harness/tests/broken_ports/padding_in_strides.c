/* Windows begin at (position - padding) * stride: the padding is multiplied by the stride. */
#include "broken.h"

static mli_status broken_conv2d(const mli_tensor *in, const mli_tensor *weights,
                                const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out)
{
    mli_conv2d_cfg wrong = *cfg;
    const unsigned left = (unsigned)cfg->padding_left * cfg->stride_width;
    wrong.padding_left = left > UINT8_MAX ? UINT8_MAX : (uint8_t)left;
    return mli_krn_conv2d_hwcn_sa8_sa8_sa32(in, weights, bias, &wrong, out);
}

BROKEN_PORT("broken: the padding is multiplied by the stride")
#define mli_krn_conv2d_hwcn_sa8_sa8_sa32 broken_conv2d
#include "../../port_kit/lb_kit.c"
