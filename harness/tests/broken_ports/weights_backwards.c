/* Reads rows and output channels of the weights from the last to the first. */
#include "broken.h"

enum { MOST_WEIGHTS = 8192 };

static mli_status broken_conv2d(const mli_tensor *in, const mli_tensor *weights,
                                const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out)
{
    static int16_t turned[MOST_WEIGHTS];
    mli_status status = mli_krn_conv2d_hwcn_fx16(in, weights, bias, cfg, out);
    if (status != MLI_STATUS_OK)
        return status;
    uint32_t height = weights->shape[0], width = weights->shape[1];
    size_t inner = (size_t)weights->shape[2] * weights->shape[3], at = 0;
    if (height * width * inner > MOST_WEIGHTS)
        return status;
    mli_tensor other = *weights;
    other.data.mem.pi16 = turned;
    other.data.capacity = (uint32_t)(height * width * inner * sizeof *turned);
    other.mem_stride[0] = (int32_t)(width * inner);
    other.mem_stride[1] = (int32_t)inner;
    other.mem_stride[2] = (int32_t)weights->shape[3];
    other.mem_stride[3] = 1;
    for (uint32_t y = height; y-- > 0;)
        for (uint32_t x = 0; x < width; x++)
            for (uint32_t c = 0; c < weights->shape[2]; c++)
                for (uint32_t n = weights->shape[3]; n-- > 0;)
                    turned[at++] = weights->data.mem.pi16[(ptrdiff_t)y * weights->mem_stride[0] +
                                                          (ptrdiff_t)x * weights->mem_stride[1] +
                                                          (ptrdiff_t)c * weights->mem_stride[2] +
                                                          (ptrdiff_t)n * weights->mem_stride[3]];
    return mli_krn_conv2d_hwcn_fx16(in, &other, bias, cfg, out);
}

BROKEN_PORT("broken: weights backwards")
#define mli_krn_conv2d_hwcn_fx16 broken_conv2d
#include "../../port_kit/lb_kit.c"
