/* Writes 256 bytes in front of an output, far beyond the bytes that are looked at beside a buffer.
 */
#include "broken.h"

static mli_status broken_relu(const mli_tensor *in, const mli_relu_cfg *cfg, mli_tensor *out)
{
    mli_status status = mli_krn_relu_fx8(in, cfg, out);
    if (status == MLI_STATUS_OK)
        out->data.mem.pi8[-256] ^= 1;
    return status;
}

BROKEN_PORT("broken: writes in front of the start")
#define mli_krn_relu_fx8 broken_relu
#include "../../port_kit/lb_kit.c"
