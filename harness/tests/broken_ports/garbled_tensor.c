/* Leaves nonsense in the fields of its output: a rank, strides, a type and pointers that nothing
 * fits. */
#include "broken.h"

static mli_status broken_eltwise(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out)
{
    mli_status status = mli_krn_eltwise_max_sa8(in1, in2, out);
    if (status != MLI_STATUS_OK)
        return status;
    memset(out, 0x7B, sizeof *out);
    out->el_type = MLI_EL_SA_8;
    out->el_params.sa.dim = 0x7B7B;
    return (mli_status)0x1234;
}

BROKEN_PORT("broken: nonsense in the fields of the output")
#define mli_krn_eltwise_max_sa8 broken_eltwise
#include "../../port_kit/lb_kit.c"
