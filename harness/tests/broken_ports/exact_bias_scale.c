/* Refuses a bias whose scale is one unit off the product of the others. */
#include "broken.h"

static int32_t scale_of(const mli_tensor *t)
{
    const mli_data_container *scale = &t->el_params.sa.scale;
    return t->el_params.sa.dim < 0 ? scale->mem.i16 : scale->mem.pi16[0];
}

static int32_t bits_of(const mli_tensor *t)
{
    const mli_data_container *bits = &t->el_params.sa.scale_frac_bits;
    return t->el_params.sa.dim < 0 ? bits->mem.i8 : bits->mem.pi8[0];
}

static mli_status broken_fully_connected(const mli_tensor *in, const mli_tensor *weights,
                                         const mli_tensor *bias, const mli_fully_connected_cfg *cfg,
                                         mli_tensor *out)
{
    mli_status status = mli_krn_fully_connected_sa8_sa8_sa32(in, weights, bias, cfg, out);
    if (status != MLI_STATUS_OK)
        return status;
    int shift = bits_of(in) + bits_of(weights) - bits_of(bias);
    int64_t product = (int64_t)scale_of(in) * scale_of(weights);
    bool is_exact = shift < 0    ? product * ((int64_t)1 << -shift) == scale_of(bias)
                    : shift < 63 ? product >> shift == scale_of(bias)
                                 : false;
    return is_exact ? status : MLI_STATUS_INCOMPATEBLE_TENSORS;
}

BROKEN_PORT("broken: the scale of the bias must be exact")
#define mli_krn_fully_connected_sa8_sa8_sa32 broken_fully_connected
#include "../../port_kit/lb_kit.c"
