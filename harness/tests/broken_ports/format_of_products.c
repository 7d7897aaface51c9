/* Leaves the format of the products in the output. */
#include "broken.h"

static mli_status broken_conv2d(const mli_tensor *in, const mli_tensor *weights,
                                const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out)
{
    mli_status status = mli_krn_depthwise_conv2d_hwcn_fx16(in, weights, bias, cfg, out);
    if (status == MLI_STATUS_OK)
        out->el_params.fx.frac_bits =
            (int8_t)(in->el_params.fx.frac_bits + weights->el_params.fx.frac_bits);
    return status;
}

BROKEN_PORT("broken: the output has the format of the products")
#define mli_krn_depthwise_conv2d_hwcn_fx16 broken_conv2d
#include "../../port_kit/lb_kit.c"
