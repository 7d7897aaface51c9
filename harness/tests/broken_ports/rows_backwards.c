/* Permutes a copy of its input in which each row of the last dimension stands back to front. */
#include "broken.h"

static mli_status broken_permute(const mli_tensor *in, const mli_permute_cfg *cfg, mli_tensor *out)
{
    static int16_t copy[65536];
    const mli_tensor given = *out;
    mli_status status = mli_krn_permute_fx16(in, cfg, out);
    size_t count = status == MLI_STATUS_OK ? broken_count(in) : 0;
    mli_tensor turned = *in;
    int32_t stride = 1;
    if (count == 0 || count > sizeof copy / sizeof *copy)
        return status;
    for (uint32_t d = in->rank; d-- > 0; stride *= (int32_t)in->shape[d])
        turned.mem_stride[d] = stride;
    size_t row = in->shape[in->rank - 1];
    for (size_t i = 0; i < count; i++)
        copy[i] = (int16_t)broken_get(in, broken_offset(in, i - i % row + row - 1 - i % row));
    turned.data.mem.pi16 = copy;
    turned.data.capacity = (uint32_t)(count * sizeof *copy);
    *out = given;
    return mli_krn_permute_fx16(&turned, cfg, out);
}

BROKEN_PORT("broken: rows back to front")
#define mli_krn_permute_fx16 broken_permute
#include "../../port_kit/lb_kit.c"
