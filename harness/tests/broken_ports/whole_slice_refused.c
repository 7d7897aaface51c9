/* topk must be below the number of elements of a slice: as many are refused. */
#include "broken.h"

static int64_t slice_size(const mli_tensor *in, int32_t axis)
{
    int64_t size = 1;
    for (int d = 0; d < (int)in->rank; d++)
        size *= d == axis ? 1 : in->shape[d];
    return size;
}

static mli_status broken_argmax(const mli_tensor *in, const mli_argmax_cfg *cfg, mli_tensor *out)
{
    bool is_known = in && cfg && in->rank <= 4 && cfg->axis < (int32_t)in->rank;
    mli_status status = mli_krn_argmax_fx16(in, cfg, out);
    return status == MLI_STATUS_OK && is_known && cfg->topk == slice_size(in, cfg->axis)
               ? MLI_STATUS_BAD_FUNC_CFG
               : status;
}

BROKEN_PORT("broken: as many as a slice has are refused")
#define mli_krn_argmax_fx16 broken_argmax
#include "../../port_kit/lb_kit.c"
