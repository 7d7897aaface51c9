/* What kernels share that fix the format of their output themselves (sigm, tanh, softmax,
 * l2_normalize, argmax): the checks that they begin with, and the format written into the output.
 */
#ifndef LB_MLI_FORMAT_H
#define LB_MLI_FORMAT_H

#include "check.h"
#include "loops.h"
#include "quant.h"

static inline mli_element_type lb_mli_type_of_kind(enum lb_mli_kind kind)
{
    return kind == LB_MLI_FX8 ? MLI_EL_FX_8 : kind == LB_MLI_FX16 ? MLI_EL_FX_16 : MLI_EL_SA_8;
}

/* chk(in), chk(out), equal types (TYPE_MISMATCH), equal shapes (SHAPE_MISMATCH), innermost strides
 * 1 (INCOMPATEBLE_TENSORS). */
LB_MLI_HIDDEN mli_status lb_mli_check_in_out(const mli_tensor *in, const mli_tensor *out);

/* sa8: chkq(in, 8 bits), then per tensor (INCOMPATEBLE_TENSORS). Other types pass. */
LB_MLI_HIDDEN mli_status lb_mli_check_in_quant(const mli_tensor *in);

/* Writes a per-tensor format: FX: frac_bits; SA: scale, zero point, shift, type, dim. The
 * capacities of SA parameters stay as they are (recurrent.md 4). */
LB_MLI_HIDDEN void lb_mli_set_format(mli_tensor *t, struct lb_mli_quant format);

#endif
