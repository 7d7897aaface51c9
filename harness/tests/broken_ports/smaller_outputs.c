/* Takes an output that is smaller than it must be. */
#include "broken.h"

static bool is_smaller(uint32_t out, uint32_t in, uint32_t stride, uint32_t kernel,
                       uint32_t padding)
{
    return out < (in - 1) * stride + kernel - padding;
}

static mli_status broken_conv2d(const mli_tensor *in, const mli_tensor *weights,
                                const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out)
{
    mli_status status = mli_krn_transpose_conv2d_hwcn_fx16(in, weights, bias, cfg, out);
    if (status != MLI_STATUS_BAD_FUNC_CFG || !cfg || cfg->dilation_height != 1 ||
        cfg->dilation_width != 1 || cfg->stride_height == 0 || cfg->stride_width == 0)
        return status;
    bool is_in_height = is_smaller(out->shape[0], in->shape[0], cfg->stride_height,
                                   weights->shape[0], cfg->padding_top + cfg->padding_bottom);
    bool is_in_width = is_smaller(out->shape[1], in->shape[1], cfg->stride_width, weights->shape[1],
                                  cfg->padding_left + cfg->padding_right);
    return is_in_height || is_in_width ? MLI_STATUS_OK : status;
}

BROKEN_PORT("broken: outputs that are too small")
#define mli_krn_transpose_conv2d_hwcn_fx16 broken_conv2d
#include "../../port_kit/lb_kit.c"
