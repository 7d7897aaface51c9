/* Adds the bias as it is to the sum, whose binary point is elsewhere. */
#include "broken.h"

static mli_status broken_conv2d(const mli_tensor *in, const mli_tensor *weights,
                                const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out)
{
    mli_tensor shifted = bias ? *bias : (mli_tensor){.rank = 0};
    if (in && weights && bias) {
        int frac = in->el_params.fx.frac_bits + weights->el_params.fx.frac_bits;
        if (frac > bias->el_params.fx.frac_bits && frac <= INT8_MAX)
            shifted.el_params.fx.frac_bits = (int8_t)frac;
    }
    return mli_krn_conv2d_hwcn_fx16_fx8_fx8(in, weights, bias ? &shifted : NULL, cfg, out);
}

BROKEN_PORT("broken: bias not shifted")
#define mli_krn_conv2d_hwcn_fx16_fx8_fx8 broken_conv2d
#include "../../port_kit/lb_kit.c"
