/* Checks and output format of kernels that fix the format of their output themselves. */
#include "format.h"

mli_status lb_mli_check_in_out(const mli_tensor *in, const mli_tensor *out)
{
    LB_MLI_TRY(lb_mli_check_tensor(in));
    LB_MLI_TRY(lb_mli_check_tensor(out));
    LB_MLI_REQUIRE(out->el_type == in->el_type, MLI_STATUS_TYPE_MISMATCH);
    LB_MLI_REQUIRE(lb_mli_same_shape(in, out), MLI_STATUS_SHAPE_MISMATCH);
    LB_MLI_REQUIRE(lb_mli_inner_dense(in) && lb_mli_inner_dense(out),
                   MLI_STATUS_INCOMPATEBLE_TENSORS);
    return MLI_STATUS_OK;
}

mli_status lb_mli_check_in_quant(const mli_tensor *in)
{
    LB_MLI_TRY(lb_mli_check_quant(in, LB_MLI_ZERO_8BIT));
    LB_MLI_REQUIRE(!lb_mli_is_sa(in) || !lb_mli_per_axis(in), MLI_STATUS_INCOMPATEBLE_TENSORS);
    return MLI_STATUS_OK;
}

void lb_mli_set_format(mli_tensor *t, struct lb_mli_quant format)
{
    if (!lb_mli_is_sa(t)) {
        t->el_params.fx.frac_bits = (int8_t)format.shift;
        return;
    }
    t->el_params.sa.type = MLI_EL_PARAM_SC16_ZP16;
    t->el_params.sa.dim = -1;
    t->el_params.sa.zero_point.mem.i16 = (int16_t)format.zero;
    t->el_params.sa.scale.mem.i16 = (int16_t)format.scale;
    t->el_params.sa.scale_frac_bits.mem.i8 = (int8_t)format.shift;
}
