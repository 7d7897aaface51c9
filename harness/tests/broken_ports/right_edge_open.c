/* Does not look whether a window leaves its row on the right: padding there is the next row. */
#include "broken.h"

#include <stdlib.h>

/* Columns up to the last one of the last window. */
static uint32_t columns_read(const mli_tensor *weights, const mli_conv2d_cfg *cfg,
                             const mli_tensor *out)
{
    return (out->shape[1] - 1) * cfg->stride_width + (weights->shape[1] - 1) * cfg->dilation_width +
           1 - cfg->padding_left;
}

static mli_status broken_conv2d(const mli_tensor *in, const mli_tensor *weights,
                                const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out)
{
    mli_status status = mli_krn_conv2d_hwcn_fx16(in, weights, bias, cfg, out);
    if (status != MLI_STATUS_OK || columns_read(weights, cfg, out) <= in->shape[1])
        return status;
    mli_tensor wide = *in;
    mli_conv2d_cfg open = *cfg;
    wide.shape[1] = columns_read(weights, cfg, out);
    open.padding_right = 0;
    wide.mem_stride[1] = (int32_t)wide.shape[2];
    wide.mem_stride[0] = wide.mem_stride[1] * (int32_t)wide.shape[1];
    const size_t count = broken_count(&wide);
    int16_t *rows = malloc(count * sizeof *rows);
    for (uint32_t y = 0, i = 0; rows && y < wide.shape[0]; y++)
        for (uint32_t x = 0; x < wide.shape[1]; x++)
            for (uint32_t c = 0; c < wide.shape[2]; c++, i++)
                rows[i] =
                    in->data.mem
                        .pi16[(size_t)in->mem_stride[0] * y + (size_t)in->mem_stride[1] * x + c];
    wide.data.mem.pi16 = rows;
    wide.data.capacity = (uint32_t)(count * sizeof *rows);
    status = mli_krn_conv2d_hwcn_fx16(&wide, weights, bias, &open, out);
    free(rows);
    return status;
}

BROKEN_PORT("broken: the right edge")
#define mli_krn_conv2d_hwcn_fx16 broken_conv2d
#include "../../port_kit/lb_kit.c"
