/* Elements above the zero point are passed on, moved to the zero point of the output alone: both
 * the ratio of the scales and the shift that belongs to it are left out. */
#include "broken.h"

#include <stdlib.h>

static mli_status broken_leaky_relu(const mli_tensor *in, const mli_tensor *slope, mli_tensor *out)
{
    const size_t count = in && in->rank <= 4 ? broken_count(in) : 0;
    int32_t *given = calloc(count + 1, sizeof *given);
    for (size_t i = 0; given && i < count; i++)
        given[i] = broken_get(in, broken_offset(in, i)) - in->el_params.sa.zero_point.mem.i16;
    const mli_status status = mli_krn_leaky_relu_sa8(in, slope, out);
    for (size_t i = 0; given && status == MLI_STATUS_OK && i < count; i++)
        if (given[i] >= 0)
            broken_put(out, broken_offset(out, i),
                       broken_clip(given[i] + out->el_params.sa.zero_point.mem.i16, out));
    free(given);
    return status;
}

BROKEN_PORT("broken: positive side without scales")
#define mli_krn_leaky_relu_sa8 broken_leaky_relu
#include "../../port_kit/lb_kit.c"
