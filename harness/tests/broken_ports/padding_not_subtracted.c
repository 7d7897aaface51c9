/* A movement that begins at the offset, whatever padding lies before it. */
#include "broken.h"

static mli_status broken_move(const mli_tensor *src, const mli_mov_cfg_t *cfg, mli_tensor *dst)
{
    if (!src || !cfg || src->rank > 4)
        return mli_mov_tensor_sync(src, cfg, dst);
    mli_mov_cfg_t moved = *cfg;
    for (uint32_t d = 0; d < src->rank; d++) {
        if (moved.size[d] == 0)
            moved.size[d] =
                src->shape[d] - moved.offset[d] + moved.padding_pre[d] + moved.padding_post[d];
        moved.offset[d] += moved.padding_pre[d];
    }
    return mli_mov_tensor_sync(src, &moved, dst);
}

BROKEN_PORT("broken: padding not subtracted")
#define mli_mov_tensor_sync broken_move
#include "../../port_kit/lb_kit.c"
