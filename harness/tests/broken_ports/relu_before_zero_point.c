/* Applies the ReLU before the result is requantized: it cuts at container 0 instead of at the zero
 * point of the output. */
#include "broken.h"

static mli_status broken_fully_connected(const mli_tensor *in, const mli_tensor *weights,
                                         const mli_tensor *bias, const mli_fully_connected_cfg *cfg,
                                         mli_tensor *out)
{
    static const mli_fully_connected_cfg none = {{MLI_RELU_NONE}};
    if (!cfg || cfg->relu.type != MLI_RELU_GEN)
        return mli_krn_fully_connected_sa8_sa8_sa32(in, weights, bias, cfg, out);
    mli_status status = mli_krn_fully_connected_sa8_sa8_sa32(in, weights, bias, &none, out);
    for (size_t i = 0; status == MLI_STATUS_OK && i < broken_count(out); i++)
        if (broken_get(out, broken_offset(out, i)) < 0)
            broken_put(out, broken_offset(out, i), 0);
    return status;
}

BROKEN_PORT("broken: ReLU before requantization")
#define mli_krn_fully_connected_sa8_sa8_sa32 broken_fully_connected
#include "../../port_kit/lb_kit.c"
