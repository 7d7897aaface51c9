/* A permutation that goes wrong for one order of four dimensions, where the third has gaps: one of
 * 24 loops was written by hand, and takes the rows to be packed. */
#include "broken.h"

static mli_status broken_permute(const mli_tensor *in, const mli_permute_cfg *cfg, mli_tensor *out)
{
    static const uint8_t order[] = {2, 0, 3, 1};
    const bool is_it = in && cfg && in->rank == 4 && memcmp(cfg->perm_dim, order, 4) == 0 &&
                       in->mem_stride[2] > in->mem_stride[3] * (int32_t)in->shape[3];
    mli_tensor packed;
    if (!is_it)
        return mli_krn_permute_fx8(in, cfg, out);
    packed = *in;
    packed.mem_stride[2] = in->mem_stride[3] * (int32_t)in->shape[3];
    return mli_krn_permute_fx8(&packed, cfg, out);
}

BROKEN_PORT("broken: one of 24 permutations takes rows to be packed")
#define mli_krn_permute_fx8 broken_permute
#include "../../port_kit/lb_kit.c"
