/* A port that dies where the API promises nothing: a permutation that names a dimension twice. The
 * kit calls it in the place of mli_mov_tensor_sync. */
#include "../../port_kit/lb_kit.h"

#include <mli_api.h>

#include <stdlib.h>

mli_status touchy_tensor_sync(const mli_tensor *src, const mli_mov_cfg_t *cfg, mli_tensor *dst);

mli_status touchy_tensor_sync(const mli_tensor *src, const mli_mov_cfg_t *cfg, mli_tensor *dst)
{
    if (cfg->perm_dim[0] == cfg->perm_dim[1])
        abort();
    return mli_mov_tensor_sync(src, cfg, dst);
}

const lb_kit_port lb_port = {"a port that dies where the API promises nothing", LB_KIT_UP_FULL, 0};
