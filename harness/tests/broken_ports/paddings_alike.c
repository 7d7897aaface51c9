/* Only paddings that are the same on both sides are supported; others are refused. */
#include "broken.h"

static mli_status broken_group_conv2d(const mli_tensor *in, const mli_tensor *weights,
                                      const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                                      mli_tensor *out)
{
    mli_status status = mli_krn_group_conv2d_hwcn_fx16(in, weights, bias, cfg, out);
    return status == MLI_STATUS_OK && (cfg->padding_top != cfg->padding_bottom ||
                                       cfg->padding_left != cfg->padding_right)
               ? MLI_STATUS_BAD_FUNC_CFG
               : status;
}

BROKEN_PORT("broken: paddings of both sides must be the same")
#define mli_krn_group_conv2d_hwcn_fx16 broken_group_conv2d
#include "../../port_kit/lb_kit.c"
