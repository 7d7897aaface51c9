/* One too much where the input is odd. */
#include "broken.h"

static mli_status broken_leaky_relu(const mli_tensor *in, const mli_tensor *slope, mli_tensor *out)
{
    mli_status status = mli_krn_leaky_relu_fx8(in, slope, out);
    if (status != MLI_STATUS_OK)
        return status;
    for (size_t i = 0; i < broken_count(in); i++) {
        size_t at = broken_offset(out, i);
        if (broken_get(in, broken_offset(in, i)) & 1)
            broken_put(out, at, broken_clip(broken_get(out, at) + 1, out));
    }
    return status;
}

BROKEN_PORT("broken: odd inputs")
#define mli_krn_leaky_relu_fx8 broken_leaky_relu
#include "../../port_kit/lb_kit.c"
