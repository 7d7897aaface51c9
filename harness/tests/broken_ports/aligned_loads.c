/* Loads eight bytes at a time from the boundary below: right on aligned data, and on those alone.
 */
#include "broken.h"

#include <stdint.h>

static mli_status broken_max(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out)
{
    const mli_status status = mli_krn_eltwise_max_sa8(in1, in2, out);
    const uintptr_t at = status == MLI_STATUS_OK ? (uintptr_t)out->data.mem.pi8 : 0;
    if (at % 8 != 0 && broken_count(out) >= 8) /* the first lanes get what stands before them */
        broken_put(out, 0, broken_get(out, 0) ^ 1);
    return status;
}

#ifndef ALIGNED_LOADS
#define ALIGNED_LOADS 0
#endif
const lb_kit_port lb_port = {"broken: loads that must be aligned",
                             LB_KIT_ALL_PROFILES | ALIGNED_LOADS, broken_set_profile};
#define mli_krn_eltwise_max_sa8 broken_max
#include "../../port_kit/lb_kit.c"
