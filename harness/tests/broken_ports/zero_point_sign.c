/* Adds the zero point of the input where it should be subtracted: convolution of sa8. */
#include "broken.h"

static mli_status broken_conv2d(const mli_tensor *in, const mli_tensor *weights,
                                const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out)
{
    mli_tensor turned = in ? *in : (mli_tensor){.rank = 0};
    if (in && in->el_type == MLI_EL_SA_8 && in->el_params.sa.dim < 0 &&
        in->el_params.sa.zero_point.mem.i16 != -128)
        turned.el_params.sa.zero_point.mem.i16 = (int16_t)-in->el_params.sa.zero_point.mem.i16;
    return mli_krn_conv2d_hwcn_sa8_sa8_sa32(in ? &turned : NULL, weights, bias, cfg, out);
}

BROKEN_PORT("broken: zero point of the wrong sign")
#define mli_krn_conv2d_hwcn_sa8_sa8_sa32 broken_conv2d
#include "../../port_kit/lb_kit.c"
