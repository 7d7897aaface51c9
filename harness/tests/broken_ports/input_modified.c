/* Uses its input as working memory. */
#include "broken.h"

static mli_status broken_softmax(const mli_tensor *in, const mli_lut *lut,
                                 const mli_softmax_cfg *cfg, mli_tensor *out)
{
    mli_status status = mli_krn_softmax_sa8(in, lut, cfg, out);
    if (status == MLI_STATUS_OK)
        broken_put(in, 0, ~broken_get(in, 0));
    return status;
}

BROKEN_PORT("broken: input modified")
#define mli_krn_softmax_sa8 broken_softmax
#include "../../port_kit/lb_kit.c"
