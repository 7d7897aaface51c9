/* Leaves the bias out where the input has more than eight channels, in two kernels, and where it
 * has more than 74 in a third. */
#include "broken.h"

enum { MOST_CHANNELS = 8, MOST_OF_DEPTHWISE = 74, MOST_BIASES = 1024 };

typedef mli_status (*kernel)(const mli_tensor *, const mli_tensor *, const mli_tensor *,
                             const mli_conv2d_cfg *, mli_tensor *);

static mli_status without_bias(kernel right, uint32_t most_channels, const mli_tensor *in,
                               const mli_tensor *weights, const mli_tensor *bias,
                               const mli_conv2d_cfg *cfg, mli_tensor *out)
{
    static int32_t nothing[MOST_BIASES];
    mli_status status = right(in, weights, bias, cfg, out);
    if (status != MLI_STATUS_OK || in->shape[2] <= most_channels || bias->shape[0] > MOST_BIASES)
        return status;
    mli_tensor none = *bias;
    none.data.mem.pi32 = nothing;
    none.data.capacity = sizeof nothing;
    none.mem_stride[0] = 1;
    return right(in, weights, &none, cfg, out);
}

static mli_status broken_conv2d(const mli_tensor *in, const mli_tensor *weights,
                                const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out)
{
    return without_bias(mli_krn_conv2d_hwcn_sa8_sa8_sa32, MOST_CHANNELS, in, weights, bias, cfg,
                        out);
}

static mli_status broken_group(const mli_tensor *in, const mli_tensor *weights,
                               const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out)
{
    return without_bias(mli_krn_group_conv2d_hwcn_sa8_sa8_sa32, MOST_CHANNELS, in, weights, bias,
                        cfg, out);
}

static mli_status broken_depthwise(const mli_tensor *in, const mli_tensor *weights,
                                   const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                                   mli_tensor *out)
{
    return without_bias(mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32, MOST_OF_DEPTHWISE, in, weights,
                        bias, cfg, out);
}

BROKEN_PORT("broken: no bias with many input channels")
#define mli_krn_conv2d_hwcn_sa8_sa8_sa32           broken_conv2d
#define mli_krn_group_conv2d_hwcn_sa8_sa8_sa32     broken_group
#define mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32 broken_depthwise
#include "../../port_kit/lb_kit.c"
