/* Rounds 0.75, which lies between two float4e2m1, towards zero. */
#define LB_WITH_ext 1
#include "broken.h"

static mli_status broken_cast(const mli_tensor *in, mli_tensor *out)
{
    mli_status status = mli_ext_cast_fp32_float4e2m1(in, out);
    if (status != MLI_STATUS_OK || in->rank == 0)
        return status;
    for (size_t flat = 0; flat < broken_count(in); flat++)
        if (in->data.mem.pf32[broken_offset(in, flat)] == 0.75F)
            broken_put(out, broken_offset(out, flat), 1);
    return status;
}

BROKEN_PORT("broken: a cast rounds one tie the other way")
#define mli_ext_cast_fp32_float4e2m1 broken_cast
#include "../../port_kit/lb_kit.c"
