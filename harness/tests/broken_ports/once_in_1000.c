/* Wrong in one of 1,000 calls of one function. */
#include "broken.h"

static mli_status broken_argmax(const mli_tensor *in, const mli_argmax_cfg *cfg, mli_tensor *out)
{
    static unsigned calls;
    mli_status status = mli_krn_argmax_fx16(in, cfg, out);
    if (status == MLI_STATUS_OK && ++calls % 1000 == 0)
        broken_put(out, broken_offset(out, 0), broken_get(out, broken_offset(out, 0)) ^ 1);
    return status;
}

BROKEN_PORT("broken: once in 1,000 calls")
#define mli_krn_argmax_fx16 broken_argmax
#include "../../port_kit/lb_kit.c"
