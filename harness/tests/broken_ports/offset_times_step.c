/* A movement that multiplies the offset by the step: it counts the offset in elements that are
 * kept.
 */
#include "broken.h"

static mli_status broken_sync(const mli_tensor *in, const mli_mov_cfg_t *cfg, mli_tensor *out)
{
    mli_mov_cfg_t wrong;
    if (!in || !cfg)
        return mli_mov_tensor_sync(in, cfg, out);
    wrong = *cfg;
    for (uint32_t d = 0; d < in->rank && d < 4; d++)
        if (cfg->padding_pre[d] || cfg->padding_post[d])
            return mli_mov_tensor_sync(in, cfg, out);
    for (uint32_t d = 0; d < in->rank && d < 4; d++) {
        const uint32_t offset = cfg->offset[d] * cfg->sub_sample_step[d];
        const bool fits = cfg->size[d] != 0 && offset + cfg->size[d] <= in->shape[d];
        if (fits) /* so that nothing outside of the tensor is read */
            wrong.offset[d] = offset;
    }
    return mli_mov_tensor_sync(in, &wrong, out);
}

BROKEN_PORT("broken: a movement multiplies the offset by the step")
#define mli_mov_tensor_sync broken_sync
#include "../../port_kit/lb_kit.c"
