/* Windows that begin in padding are moved to the edge of the input, and are not cut. */
#include "broken.h"

static int64_t at_least_0(int64_t v)
{
    return v > 0 ? v : 0;
}

static int8_t largest(const mli_tensor *in, const mli_pool_cfg *cfg, int64_t y, int64_t x,
                      uint32_t c)
{
    int8_t most = INT8_MIN;
    for (int64_t i = y; i < y + cfg->kernel_height && i < in->shape[0]; i++)
        for (int64_t j = x; j < x + cfg->kernel_width && j < in->shape[1]; j++) {
            const int8_t v =
                in->data.mem.pi8[i * in->mem_stride[0] + j * in->mem_stride[1] + (int64_t)c];
            most = v > most ? v : most;
        }
    return most;
}

static mli_status broken_maxpool(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out)
{
    mli_status status = mli_krn_maxpool_hwc_fx8(in, cfg, out);
    for (uint32_t y = 0; status == MLI_STATUS_OK && y < out->shape[0]; y++)
        for (uint32_t x = 0; x < out->shape[1]; x++)
            for (uint32_t c = 0; c < out->shape[2]; c++)
                out->data.mem.pi8[(int64_t)y * out->mem_stride[0] +
                                  (int64_t)x * out->mem_stride[1] + (int64_t)c] =
                    largest(in, cfg, at_least_0((int64_t)y * cfg->stride_height - cfg->padding_top),
                            at_least_0((int64_t)x * cfg->stride_width - cfg->padding_left), c);
    return status;
}

BROKEN_PORT("broken: windows at the edge")
#define mli_krn_maxpool_hwc_fx8 broken_maxpool
#include "../../port_kit/lb_kit.c"
