/* Three too little where the result is 37 or more. */
#include "broken.h"

static mli_status broken_relu(const mli_tensor *in, const mli_relu_cfg *cfg, mli_tensor *out)
{
    mli_status status = mli_krn_relu_fx8(in, cfg, out);
    for (size_t i = 0; status == MLI_STATUS_OK && i < broken_count(out); i++) {
        size_t at = broken_offset(out, i);
        if (broken_get(out, at) >= 37)
            broken_put(out, at, broken_get(out, at) - 3);
    }
    return status;
}

BROKEN_PORT("broken: results above 36")
#define mli_krn_relu_fx8 broken_relu
#include "../../port_kit/lb_kit.c"
