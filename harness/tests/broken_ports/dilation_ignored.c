/* Ignores the dilation: the taps of the kernel lie side by side. */
#include "broken.h"

static mli_status broken_conv2d(const mli_tensor *in, const mli_tensor *weights,
                                const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out)
{
    mli_status status = mli_krn_conv2d_hwcn_fx16(in, weights, bias, cfg, out);
    if (status != MLI_STATUS_OK || (cfg->dilation_width == 1 && cfg->dilation_height == 1))
        return status;
    /* So that the output keeps its shape, the input ends earlier. */
    uint32_t rows = (weights->shape[0] - 1) * (cfg->dilation_height - 1u);
    uint32_t columns = (weights->shape[1] - 1) * (cfg->dilation_width - 1u);
    mli_tensor shorter = *in;
    mli_conv2d_cfg dense = *cfg;
    if (rows >= in->shape[0] || columns >= in->shape[1])
        return status;
    shorter.shape[0] -= rows;
    shorter.shape[1] -= columns;
    dense.dilation_width = dense.dilation_height = 1;
    return mli_krn_conv2d_hwcn_fx16(&shorter, weights, bias, &dense, out);
}

BROKEN_PORT("broken: dilation ignored")
#define mli_krn_conv2d_hwcn_fx16 broken_conv2d
#include "../../port_kit/lb_kit.c"
