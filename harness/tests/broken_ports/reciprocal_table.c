/* Averages from a table of reciprocals with one entry that is wrong by one: the environment says
 * which, "59+" or "59-". Without it the port is right. */
#include "broken.h"

#include <stdlib.h>

static int wrong_entry(int *by)
{
    const char *text = getenv("BROKEN_RECIPROCAL");
    char *end = NULL;
    const long entry = text ? strtol(text, &end, 10) : 0;
    *by = end && *end == '-' ? -1 : 1;
    return (int)entry;
}

/* Positions of a window along one side, cut at the edges. */
static int positions(uint32_t at, int stride, int before, int kernel, uint32_t extent)
{
    int first = (int)at * stride - before, last = first + kernel;
    first = first < 0 ? 0 : first;
    last = last > (int)extent ? (int)extent : last;
    return last - first;
}

/* 1 / n as 15 bits and a shift, as the specification has it. */
static int32_t reciprocal(int n, int *shift)
{
    int64_t v = ((int64_t)1 << 31) / n;
    int e = 0;
    for (; v << e < (int64_t)1 << 31; e++)
        ;
    *shift = 14 + e;
    return (int32_t)((v << e) >> 17);
}

static mli_status broken_average(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out)
{
    int by;
    const int entry = wrong_entry(&by);
    const mli_status status = mli_krn_avepool_hwc_fx16(in, cfg, out);
    if (status != MLI_STATUS_OK || entry == 0)
        return status;
    for (uint32_t y = 0; y < out->shape[0]; y++)
        for (uint32_t x = 0; x < out->shape[1]; x++) {
            const int rows = positions(y, cfg->stride_height, cfg->padding_top, cfg->kernel_height,
                                       in->shape[0]);
            const int columns =
                positions(x, cfg->stride_width, cfg->padding_left, cfg->kernel_width, in->shape[1]);
            int shift;
            const int64_t right = reciprocal(rows * columns, &shift);
            const int top = (int)y * cfg->stride_height - cfg->padding_top;
            const int left = (int)x * cfg->stride_width - cfg->padding_left;
            shift += in->el_params.fx.frac_bits - out->el_params.fx.frac_bits;
            if (rows * columns != entry || shift < 1 || shift > 47)
                continue;
            for (uint32_t c = 0; c < out->shape[2]; c++) {
                int64_t sum = 0;
                for (int i = 0; i < rows; i++)
                    for (int j = 0; j < columns; j++)
                        sum += broken_get(
                            in,
                            (size_t)((top < 0 ? 0 : top) + i) * (size_t)in->mem_stride[0] +
                                (size_t)((left < 0 ? 0 : left) + j) * (size_t)in->mem_stride[1] +
                                c * (size_t)in->mem_stride[2]);
                const size_t at = y * (size_t)out->mem_stride[0] + x * (size_t)out->mem_stride[1] +
                                  c * (size_t)out->mem_stride[2];
                const int32_t was = broken_get(out, at);
                const int32_t before = broken_clip(broken_round(sum * right, shift), out);
                const int32_t after = broken_clip(broken_round(sum * (right + by), shift), out);
                broken_put(out, at, broken_clip((int64_t)was + after - before, out));
            }
        }
    return status;
}

BROKEN_PORT("broken: one entry of a table of reciprocals")
#define mli_krn_avepool_hwc_fx16 broken_average
#include "../../port_kit/lb_kit.c"
