/* The test of the border is `<` where it should be `<=`: the last row of the input is taken for
 * padding. Padding adds nothing to sums of sa8, as the zero point does. */
#include "broken.h"

static mli_status broken_conv2d(const mli_tensor *in, const mli_tensor *weights,
                                const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out)
{
    static int8_t copy[1 << 20];
    mli_status status = mli_krn_conv2d_hwcn_sa8_sa8_sa32(in, weights, bias, cfg, out);
    const size_t last = status == MLI_STATUS_OK ? broken_offset(in, broken_count(in) - 1) : 0;
    if (status != MLI_STATUS_OK || last >= sizeof copy)
        return status;
    mli_tensor other = *in;
    memcpy(copy, in->data.mem.pi8, last + 1);
    other.data.mem.pi8 = copy;
    const size_t row = (size_t)in->shape[1] * in->shape[2];
    for (size_t i = broken_count(in) - row; i < broken_count(in); i++)
        broken_put(&other, broken_offset(&other, i), in->el_params.sa.zero_point.mem.i16);
    return mli_krn_conv2d_hwcn_sa8_sa8_sa32(&other, weights, bias, cfg, out);
}

BROKEN_PORT("broken: the last row taken for padding")
#define mli_krn_conv2d_hwcn_sa8_sa8_sa32 broken_conv2d
#include "../../port_kit/lb_kit.c"
