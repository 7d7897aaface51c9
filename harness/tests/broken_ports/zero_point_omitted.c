/* Adds containers without taking the zero point of the first operand off. */
#include "broken.h"

static mli_status broken_add(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out)
{
    mli_tensor without = in1 ? *in1 : (mli_tensor){.rank = 0};
    if (in1 && in1->el_type == MLI_EL_SA_8 && in1->el_params.sa.dim < 0)
        without.el_params.sa.zero_point.mem.i16 = 0;
    return mli_krn_eltwise_add_sa8(in1 ? &without : NULL, in2, out);
}

BROKEN_PORT("broken: zero point omitted")
#define mli_krn_eltwise_add_sa8 broken_add
#include "../../port_kit/lb_kit.c"
