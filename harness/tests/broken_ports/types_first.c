/* Looks at the types of operands before all other checks, as the function for fixed point does: a
 * block of checks that stands elsewhere in their order. */
#include "broken.h"

static mli_status broken_fully_connected(const mli_tensor *in, const mli_tensor *weights,
                                         const mli_tensor *bias, const mli_fully_connected_cfg *cfg,
                                         mli_tensor *out)
{
    if (in && weights && bias &&
        (in->el_type != MLI_EL_SA_8 || weights->el_type != MLI_EL_SA_8 ||
         bias->el_type != MLI_EL_SA_32))
        return MLI_STATUS_TYPE_MISMATCH;
    return mli_krn_fully_connected_sa8_sa8_sa32(in, weights, bias, cfg, out);
}

BROKEN_PORT("broken: the types are checked first")
#define mli_krn_fully_connected_sa8_sa8_sa32 broken_fully_connected
#include "../../port_kit/lb_kit.c"
