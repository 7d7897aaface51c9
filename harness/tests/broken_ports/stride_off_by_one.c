/* Steps one element too far from row to row of its input. */
#include "broken.h"

static mli_status broken_min(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out)
{
    mli_status status = mli_krn_eltwise_min_fx16(in1, in2, out);
    if (status != MLI_STATUS_OK || in1->rank < 2)
        return status;
    mli_tensor far = *in1;
    far.mem_stride[0]++;
    far.data.capacity += 2 * far.shape[0];
    return mli_krn_eltwise_min_fx16(&far, in2, out);
}

BROKEN_PORT("broken: off by one in the stride")
#define mli_krn_eltwise_min_fx16 broken_min
#include "../../port_kit/lb_kit.c"
