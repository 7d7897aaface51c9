/* Writes over an entry of the table that it was given, after it has used it. */
#include "broken.h"

static mli_status broken_sigm(const mli_tensor *in, const mli_lut *lut, mli_tensor *out)
{
    mli_status status = mli_krn_sigm_sa8(in, lut, out);
    if (status == MLI_STATUS_OK && lut && lut->data.mem.pi8)
        lut->data.mem.pi8[lut->data.capacity - 1] ^= 1;
    return status;
}

BROKEN_PORT("broken: table written over")
#define mli_krn_sigm_sa8 broken_sigm
#include "../../port_kit/lb_kit.c"
