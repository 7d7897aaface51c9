/* Saturates inside the sum, at the limits of the result, instead of at its end: fully connected of
 * sa8, in sums of 16 bits. */
#include "broken.h"

static int32_t saturated(int32_t sum)
{
    return sum > INT16_MAX ? INT16_MAX : sum < INT16_MIN ? INT16_MIN : sum;
}

/* The first result in which the saturated sum differs is moved by as much as that makes, in steps
 * of the result. */
static mli_status broken_fully_connected(const mli_tensor *in, const mli_tensor *weights,
                                         const mli_tensor *bias, const mli_fully_connected_cfg *cfg,
                                         mli_tensor *out)
{
    mli_status status = mli_krn_fully_connected_sa8_sa8_sa32(in, weights, bias, cfg, out);
    if (status != MLI_STATUS_OK)
        return status;
    int32_t zero = in->el_params.sa.dim < 0 ? in->el_params.sa.zero_point.mem.i16 : 0;
    for (size_t c = 0; c < out->shape[0]; c++) {
        int32_t sum = 0, cut = 0;
        for (size_t i = 0; i < broken_count(in); i++) {
            int32_t product =
                (in->data.mem.pi8[i] - zero) *
                weights->data.mem
                    .pi8[i * (size_t)weights->mem_stride[0] + c * (size_t)weights->mem_stride[1]];
            sum += product;
            cut = saturated(cut + product);
        }
        size_t at = c * (size_t)out->mem_stride[0];
        if (sum != cut)
            broken_put(out, at,
                       broken_clip((int64_t)broken_get(out, at) * cut / (sum ? sum : 1), out));
    }
    return status;
}

BROKEN_PORT("broken: saturation inside the sum")
#define mli_krn_fully_connected_sa8_sa8_sa32 broken_fully_connected
#include "../../port_kit/lb_kit.c"
