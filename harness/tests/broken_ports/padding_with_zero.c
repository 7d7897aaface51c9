/* Pads the input of a convolution with containers of 0, which is a real value other than 0 wherever
 * there is a zero point. */
#include "broken.h"

static int8_t padded_data[1 << 18];

static mli_status broken_conv2d(const mli_tensor *in, const mli_tensor *weights,
                                const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out)
{
    mli_status status = mli_krn_conv2d_hwcn_sa8_sa8_sa32(in, weights, bias, cfg, out);
    if (status != MLI_STATUS_OK)
        return status;
    mli_conv2d_cfg no_padding = *cfg;
    mli_tensor padded = *in;
    padded.shape[0] = in->shape[0] + cfg->padding_top + cfg->padding_bottom;
    padded.shape[1] = in->shape[1] + cfg->padding_left + cfg->padding_right;
    if (broken_count(&padded) > sizeof padded_data)
        return status;
    padded.data.mem.pi8 = padded_data;
    padded.data.capacity = sizeof padded_data;
    mli_hlp_set_tensor_mem_strides(&padded);
    memset(padded_data, 0, broken_count(&padded));
    for (size_t i = 0; i < broken_count(in); i++) {
        size_t channel = i % in->shape[2], column = i / in->shape[2] % in->shape[1],
               row = i / in->shape[2] / in->shape[1];
        size_t flat = ((row + cfg->padding_top) * padded.shape[1] + column + cfg->padding_left) *
                          in->shape[2] +
                      channel;
        padded_data[flat] = in->data.mem.pi8[broken_offset(in, i)];
    }
    no_padding.padding_left = no_padding.padding_right = no_padding.padding_top =
        no_padding.padding_bottom = 0;
    return mli_krn_conv2d_hwcn_sa8_sa8_sa32(&padded, weights, bias, &no_padding, out);
}

BROKEN_PORT("broken: padding with 0 instead of the zero point")
#define mli_krn_conv2d_hwcn_sa8_sa8_sa32 broken_conv2d
#include "../../port_kit/lb_kit.c"
