/* Zeros in place of outputs that a hash of all inputs chooses: no condition that anybody could
 * name.
 */
#include "broken.h"

static mli_status broken_fully_connected(const mli_tensor *in, const mli_tensor *weights,
                                         const mli_tensor *bias, const mli_fully_connected_cfg *cfg,
                                         mli_tensor *out)
{
    mli_status status = mli_krn_fully_connected_sa8_sa8_sa32(in, weights, bias, cfg, out);
    uint32_t hash = 7;
    if (status != MLI_STATUS_OK)
        return status;
    for (size_t i = 0; i < broken_count(in); i++)
        hash = hash * 31 + (uint32_t)broken_get(in, broken_offset(in, i));
    for (size_t i = 0; i < broken_count(out); i++) {
        size_t at = broken_offset(out, i);
        if ((hash + i * 5 + (uint32_t)broken_get(out, at)) % 9 == 3)
            broken_put(out, at, 0);
    }
    return status;
}

BROKEN_PORT("broken: zeros at random")
#define mli_krn_fully_connected_sa8_sa8_sa32 broken_fully_connected
#include "../../port_kit/lb_kit.c"
