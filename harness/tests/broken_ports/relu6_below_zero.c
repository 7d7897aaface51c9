/* The lower limit of ReLU6 is made as that of ReLU1 is: as far below zero as the upper one is above
 * it. */
#include "broken.h"

static mli_status broken_relu(const mli_tensor *in, const mli_relu_cfg *cfg, mli_tensor *out)
{
    static int16_t given[1 << 16]; /* the output may be the input */
    size_t count = cfg && cfg->type == MLI_RELU_6 && in->rank <= 4 ? broken_count(in) : 0;
    count = count <= sizeof given / sizeof *given ? count : 0;
    for (size_t i = 0; i < count; i++)
        given[i] = (int16_t)broken_get(in, broken_offset(in, i));
    const mli_status status = mli_krn_relu_fx16(in, cfg, out);
    const int frac = count > 0 ? in->el_params.fx.frac_bits : 0;
    const int32_t high = frac > 12 ? 32768 : frac < -2 ? 0 : frac < 0 ? 6 >> -frac : 6 << frac;
    for (size_t i = 0; status == MLI_STATUS_OK && i < count; i++)
        if (given[i] < 0)
            broken_put(out, broken_offset(out, i), given[i] < -high ? -high : given[i]);
    return status;
}

BROKEN_PORT("broken: ReLU6 goes below zero")
#define mli_krn_relu_fx16 broken_relu
#include "../../port_kit/lb_kit.c"
