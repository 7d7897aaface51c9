/* Results of odd columns are stored in the row above theirs, where there is one: those of the first
 * row are lost, and the last row keeps what stood there. */
#include "broken.h"

#include <stdbool.h>
#include <stdlib.h>

static void move_up(const mli_tensor *out, const int32_t *before)
{
    const size_t columns = out->shape[1], channels = out->shape[2];
    const size_t row = columns * channels, count = broken_count(out);
    for (size_t i = 0; i < count; i++)
        if (i / channels % columns % 2 == 1)
            broken_put(out, broken_offset(out, i),
                       i + row < count ? broken_get(out, broken_offset(out, i + row)) : before[i]);
}

static bool is_stored(const mli_tensor *out)
{
    const size_t count = out && out->rank == 3 && out->el_type == MLI_EL_FX_16 &&
                                 out->data.mem.pi16 && out->shape[0] > 1
                             ? broken_count(out)
                             : 0;
    return count > 0 && count < 1 << 20 &&
           (broken_offset(out, count - 1) + 1) * sizeof(int16_t) <= out->data.capacity;
}

static mli_status broken_conv2d(const mli_tensor *in, const mli_tensor *weights,
                                const mli_tensor *bias, const mli_conv2d_cfg *cfg, mli_tensor *out)
{
    const size_t count = is_stored(out) ? broken_count(out) : 0;
    int32_t *before = calloc(count + 1, sizeof *before);
    for (size_t i = 0; before && i < count; i++)
        before[i] = broken_get(out, broken_offset(out, i));
    const mli_status status = mli_krn_conv2d_hwcn_fx16(in, weights, bias, cfg, out);
    if (before && count > 0 && status == MLI_STATUS_OK)
        move_up(out, before);
    free(before);
    return status;
}

BROKEN_PORT("broken: odd columns are stored one row up")
#define mli_krn_conv2d_hwcn_fx16 broken_conv2d
#include "../../port_kit/lb_kit.c"
