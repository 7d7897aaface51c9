/* Sums in 32 bits what needs more: fully connected of fx16, whose product alone has 32. */
#include "broken.h"

static mli_status broken_fully_connected(const mli_tensor *in, const mli_tensor *weights,
                                         const mli_tensor *bias, const mli_fully_connected_cfg *cfg,
                                         mli_tensor *out)
{
    mli_status status = mli_krn_fully_connected_fx16(in, weights, bias, cfg, out);
    int shift = status == MLI_STATUS_OK
                    ? in->el_params.fx.frac_bits + weights->el_params.fx.frac_bits -
                          out->el_params.fx.frac_bits
                    : -1;
    for (size_t c = 0; shift >= 0 && shift < 32 && c < out->shape[0]; c++) {
        int64_t sum = 0;
        for (size_t i = 0; i < broken_count(in); i++)
            sum +=
                (int64_t)in->data.mem.pi16[i] *
                weights->data.mem
                    .pi16[i * (size_t)weights->mem_stride[0] + c * (size_t)weights->mem_stride[1]];
        int32_t narrow = (int32_t)(uint32_t)((uint64_t)sum & UINT32_MAX);
        if (narrow != sum)
            broken_put(out, c * (size_t)out->mem_stride[0],
                       broken_clip(broken_round(narrow, shift), out));
    }
    return status;
}

BROKEN_PORT("broken: accumulator of 32 bits")
#define mli_krn_fully_connected_fx16 broken_fully_connected
#include "../../port_kit/lb_kit.c"
