/* The softmax of int8 has the zero point -127 in place of -128. */
#include "broken.h"

static mli_status broken_softmax(const mli_tensor *in, const mli_lut *lut,
                                 const mli_softmax_cfg *cfg, mli_tensor *out)
{
    mli_status status = mli_krn_softmax_sa8(in, lut, cfg, out);
    for (size_t i = 0; status == MLI_STATUS_OK && i < broken_count(out); i++) {
        size_t at = broken_offset(out, i);
        broken_put(out, at, broken_clip((int64_t)broken_get(out, at) + 1, out));
    }
    return status;
}

BROKEN_PORT("broken: softmax of int8 with another zero point")
#define mli_krn_softmax_sa8 broken_softmax
#include "../../port_kit/lb_kit.c"
