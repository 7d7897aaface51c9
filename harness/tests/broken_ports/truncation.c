/* Cuts bits off where it should round: mul of fx16. */
#include "broken.h"

static mli_status broken_mul(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out)
{
    mli_status status = mli_krn_eltwise_mul_fx16(in1, in2, out);
    if (status != MLI_STATUS_OK)
        return status;
    int shift =
        in1->el_params.fx.frac_bits + in2->el_params.fx.frac_bits - out->el_params.fx.frac_bits;
    for (size_t i = 0; shift > 0 && shift < 31 && i < broken_count(out); i++) {
        int64_t a = in1->rank ? broken_get(in1, broken_offset(in1, i)) : in1->data.mem.i16;
        int64_t b = in2->rank ? broken_get(in2, broken_offset(in2, i)) : in2->data.mem.i16;
        broken_put(out, broken_offset(out, i), broken_clip((a * b) >> shift, out));
    }
    return status;
}

BROKEN_PORT("broken: truncation")
#define mli_krn_eltwise_mul_fx16 broken_mul
#include "../../port_kit/lb_kit.c"
