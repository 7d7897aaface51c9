/* Writes 40,000 bytes behind an output. */
#include "broken.h"

static mli_status broken_relu(const mli_tensor *in, const mli_relu_cfg *cfg, mli_tensor *out)
{
    mli_status status = mli_krn_relu_fx8(in, cfg, out);
    if (status == MLI_STATUS_OK)
        out->data.mem.pi8[40000] ^= 1;
    return status;
}

BROKEN_PORT("broken: writes far behind the end")
#define mli_krn_relu_fx8 broken_relu
#include "../../port_kit/lb_kit.c"
