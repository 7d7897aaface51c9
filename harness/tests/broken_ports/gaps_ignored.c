/* One loop over all elements: neither operands nor the output have gaps for it. */
#include "broken.h"

static mli_tensor without_gaps(const mli_tensor *t)
{
    mli_tensor dense = t ? *t : (mli_tensor){.rank = 0};
    if (t && t->rank > 0 && t->rank <= 4 && t->mem_stride[t->rank - 1] == 1)
        mli_hlp_set_tensor_mem_strides(&dense);
    return dense;
}

static mli_status broken_max(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out)
{
    mli_tensor first = without_gaps(in1), second = without_gaps(in2), dense = without_gaps(out);
    mli_status status =
        mli_krn_eltwise_max_fx16(in1 ? &first : NULL, in2 ? &second : NULL, out ? &dense : NULL);
    for (int i = 0; out && i < 4; i++)
        dense.mem_stride[i] = out->mem_stride[i];
    if (out)
        *out = dense;
    return status;
}

BROKEN_PORT("broken: gaps ignored")
#define mli_krn_eltwise_max_fx16 broken_max
#include "../../port_kit/lb_kit.c"
