/* The limit of ReLU6 is right for all fractional bits but 5 and 6, where six shifted by them is cut
 * to a byte. */
#include "broken.h"

static mli_status broken_relu(const mli_tensor *in, const mli_relu_cfg *cfg, mli_tensor *out)
{
    const int frac = in && cfg && cfg->type == MLI_RELU_6 ? in->el_params.fx.frac_bits : 0;
    const mli_status status = mli_krn_relu_fx8(in, cfg, out);
    const int high = frac == 5 ? 64 : 63;
    if (status != MLI_STATUS_OK || (frac != 5 && frac != 6))
        return status;
    for (size_t i = 0; i < broken_count(out); i++)
        if (broken_get(out, broken_offset(out, i)) > high)
            broken_put(out, broken_offset(out, i), high);
    return status;
}

BROKEN_PORT("broken: ReLU6 cuts its limit at two formats")
#define mli_krn_relu_fx8 broken_relu
#include "../../port_kit/lb_kit.c"
