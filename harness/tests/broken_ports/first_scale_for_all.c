/* Takes the scale of output channel 0 for all channels. */
#include "broken.h"

static int16_t scales[1024];
static int8_t fracs[1024];

static mli_status broken_conv2d(const mli_tensor *in, const mli_tensor *weights,
                                const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out)
{
    mli_status status = mli_krn_conv2d_hwcn_sa8_sa8_sa32(in, weights, bias, cfg, out);
    if (status != MLI_STATUS_OK || weights->el_params.sa.dim < 0 || weights->shape[3] > 1024)
        return status;
    mli_tensor same = *weights, same_bias = *bias;
    for (uint32_t c = 0; c < weights->shape[3]; c++) {
        scales[c] = weights->el_params.sa.scale.mem.pi16[0];
        fracs[c] = weights->el_params.sa.scale_frac_bits.mem.pi8[0];
    }
    same.el_params.sa.scale.mem.pi16 = scales;
    same.el_params.sa.scale_frac_bits.mem.pi8 = fracs;
    /* The bias keeps its numbers, so its scales must be declared to fit. */
    static int16_t bias_scales[1024];
    static int8_t bias_fracs[1024];
    for (uint32_t c = 0; c < weights->shape[3]; c++) {
        bias_scales[c] = bias->el_params.sa.scale.mem.pi16[0];
        bias_fracs[c] = bias->el_params.sa.scale_frac_bits.mem.pi8[0];
    }
    same_bias.el_params.sa.scale.mem.pi16 = bias_scales;
    same_bias.el_params.sa.scale_frac_bits.mem.pi8 = bias_fracs;
    return mli_krn_conv2d_hwcn_sa8_sa8_sa32(in, &same, &same_bias, cfg, out);
}

BROKEN_PORT("broken: scale of channel 0 for all")
#define mli_krn_conv2d_hwcn_sa8_sa8_sa32 broken_conv2d
#include "../../port_kit/lb_kit.c"
