/* Wrong in every seventh call of one function: a state that no single call shows. */
#include "broken.h"

static mli_status broken_relu(const mli_tensor *in, const mli_relu_cfg *cfg, mli_tensor *out)
{
    static unsigned calls;
    mli_status status = mli_krn_relu_fx8(in, cfg, out);
    if (status == MLI_STATUS_OK && ++calls % 7 == 0)
        out->data.mem.pi8[0] ^= 1;
    return status;
}

BROKEN_PORT("broken: every seventh call")
#define mli_krn_relu_fx8 broken_relu
#include "../../port_kit/lb_kit.c"
