/* Writes 500 bytes past the end of its output, behind the guard zone that follows it. */
#include "broken.h"

static mli_status broken_relu(const mli_tensor *in, const mli_relu_cfg *cfg, mli_tensor *out)
{
    mli_status status = mli_krn_relu_fx8(in, cfg, out);
    if (status == MLI_STATUS_OK)
        out->data.mem.pi8[broken_count(out) + 500] = 1;
    return status;
}

BROKEN_PORT("broken: behind the zone")
#define mli_krn_relu_fx8 broken_relu
#include "../../port_kit/lb_kit.c"
