/* mli_krn_sigm_* and mli_krn_tanh_* (recurrent.md 4). */
#include "activation.h"
#include "api/mli_kernels_api.h"
#include "check.h"
#include "format.h"
#include "rows.h"

static mli_status check_activation(enum lb_mli_kind kind, const mli_tensor *in, const mli_lut *lut,
                                   const mli_tensor *out)
{
    LB_MLI_TRY(lb_mli_check_in_out(in, out));
    LB_MLI_REQUIRE(in->el_type == lb_mli_type_of_kind(kind), MLI_STATUS_TYPE_MISMATCH);
    LB_MLI_TRY(lb_mli_check_in_quant(in));
    LB_MLI_REQUIRE(lb_mli_lut_usable(lut), MLI_STATUS_BAD_FUNC_CFG);
    return MLI_STATUS_OK;
}

static void activate_piece(const void *context, const void *in, size_t n, void *out)
{
    lb_mli_activation_run(context, in, n, out);
}

static mli_status activation(enum lb_mli_function function, enum lb_mli_kind kind,
                             const mli_tensor *in, const mli_lut *lut, mli_tensor *out)
{
    LB_MLI_CHECK(check_activation(kind, in, lut, out));
    struct lb_mli_activation plan;
    lb_mli_activation_plan(function, kind, lut, lb_mli_quant_at(in, 0), lb_mli_count(in),
                           lb_mli_round_now(), &plan);
    lb_mli_rows_unary(&(struct lb_mli_unary){
        .in = in->data.mem.pi8,
        .out = out->data.mem.pi8,
        .size = lb_mli_element_size(in->el_type),
        .rank = in->rank,
        .shape = in->shape,
        .in_stride = in->mem_stride,
        .out_stride = out->mem_stride,
        .work = activate_piece,
        .context = &plan,
    });
    lb_mli_set_format(out, lb_mli_activation_format(function, kind));
    return MLI_STATUS_OK;
}

#define KERNELS(type, kind)                                                                        \
    mli_status mli_krn_sigm_##type(const mli_tensor *in, const mli_lut *lut, mli_tensor *out)      \
    {                                                                                              \
        return activation(LB_MLI_SIGM, kind, in, lut, out);                                        \
    }                                                                                              \
    mli_status mli_krn_tanh_##type(const mli_tensor *in, const mli_lut *lut, mli_tensor *out)      \
    {                                                                                              \
        return activation(LB_MLI_TANH, kind, in, lut, out);                                        \
    }

KERNELS(fx8, LB_MLI_FX8)
KERNELS(fx16, LB_MLI_FX16)
KERNELS(sa8, LB_MLI_SA8)
