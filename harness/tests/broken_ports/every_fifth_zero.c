/* Every fifth element of the output is zero. */
#include "broken.h"

static mli_status broken_relu(const mli_tensor *in, const mli_relu_cfg *cfg, mli_tensor *out)
{
    mli_status status = mli_krn_relu_fx16(in, cfg, out);
    for (size_t i = 3; status == MLI_STATUS_OK && i < broken_count(out); i += 5)
        broken_put(out, broken_offset(out, i), 0);
    return status;
}

BROKEN_PORT("broken: every fifth element is zero")
#define mli_krn_relu_fx16 broken_relu
#include "../../port_kit/lb_kit.c"
