/* Looks for its configuration behind all other checks. */
#include "broken.h"

#include <stdlib.h>

static mli_status broken_fully_connected(const mli_tensor *in, const mli_tensor *weights,
                                         const mli_tensor *bias, const mli_fully_connected_cfg *cfg,
                                         mli_tensor *out)
{
    const mli_fully_connected_cfg none = {.relu.type = MLI_RELU_NONE};
    if (cfg || !out)
        return mli_krn_fully_connected_fx16(in, weights, bias, cfg, out);
    mli_tensor own = *out;
    own.data.mem.pi16 = calloc(1, own.data.capacity + 1);
    const mli_status others = mli_krn_fully_connected_fx16(in, weights, bias, &none, &own);
    free(own.data.mem.pi16);
    return others == MLI_STATUS_OK ? MLI_STATUS_BAD_FUNC_CFG : others;
}

BROKEN_PORT("broken: the configuration is checked last")
#define mli_krn_fully_connected_fx16 broken_fully_connected
#include "../../port_kit/lb_kit.c"
