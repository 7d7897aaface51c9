/* Splits weights into a high byte and a low one that is taken as signed, without adding to the high
 * one what that takes away: weights count 256 too low whose low byte is 128 or more. */
#include "broken.h"

#include <stdlib.h>

static mli_status broken_conv2d(const mli_tensor *in, const mli_tensor *weights,
                                const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out)
{
    const mli_status status = mli_krn_conv2d_hwcn_fx16(in, weights, bias, cfg, out);
    if (status != MLI_STATUS_OK)
        return status;
    mli_tensor split = *weights;
    split.data.mem.pi16 = malloc(weights->data.capacity);
    for (size_t i = 0; split.data.mem.pi16 && i < broken_count(weights); i++) {
        const size_t at = broken_offset(weights, i);
        const int32_t value = broken_get(weights, at);
        broken_put(&split, at, (value & 255) < 128 ? value : broken_clip(value - 256, weights));
    }
    const mli_status again =
        split.data.mem.pi16 ? mli_krn_conv2d_hwcn_fx16(in, &split, bias, cfg, out) : status;
    free(split.data.mem.pi16);
    return again;
}

BROKEN_PORT("broken: high halves are not corrected")
#define mli_krn_conv2d_hwcn_fx16 broken_conv2d
#include "../../port_kit/lb_kit.c"
