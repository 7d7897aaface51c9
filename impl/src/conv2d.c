/* mli_krn_conv2d_hwcn_* (conv.md 6). */
#include "api/mli_kernels_api.h"

#include "conv_check.h"
#include "conv_prepared.h"
#include "conv_run.h"
#include "mli_lastbit.h"

/* kernel: height and width that the function demands, 0: any. prepared: NULL, or packed weights. */
static mli_status run(enum lb_mli_conv_kind kind, uint32_t kernel, const mli_tensor *in,
                      const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                      mli_tensor *out, const void *prepared)
{
    const enum lb_mli_profile profile = lb_mli_profile();
    LB_MLI_CHECK(lb_mli_check_conv(LB_MLI_CONV2D, kind, kernel, in, weights, bias, cfg, out,
                                   lb_mli_profile_round(profile)));
    struct lb_mli_conv_plan plan;
    out->el_type = in->el_type;
    lb_mli_conv_plan(kind, in, weights, bias, cfg->relu.type, out, profile, &plan);
    struct lb_mli_conv conv = lb_mli_conv_whole(&plan, in, weights, cfg, out);
    conv.prepared = lb_mli_prepared_for(&conv, prepared);
    if (conv.prepared && !lb_mli_prepared_is_current(&conv, conv.prepared))
        return MLI_STATUS_ARGUMENT_ERROR;
    lb_mli_conv_run(&conv);
    return MLI_STATUS_OK;
}

#define KERNEL(name, kind, kernel)                                                                 \
    mli_status mli_krn_conv2d_hwcn_##name(const mli_tensor *in, const mli_tensor *weights,         \
                                          const mli_tensor *bias, const mli_conv2d_cfg *cfg,       \
                                          mli_tensor *out)                                         \
    {                                                                                              \
        return run(kind, kernel, in, weights, bias, cfg, out, NULL);                               \
    }

KERNEL(fx16, LB_MLI_CONV_FX16, 0)
KERNEL(fx16_k1x1, LB_MLI_CONV_FX16, 1)
KERNEL(fx16_k3x3, LB_MLI_CONV_FX16, 3)
KERNEL(fx16_k5x5, LB_MLI_CONV_FX16, 5)
KERNEL(fx16_fx8_fx8, LB_MLI_CONV_FX16_FX8, 0)
KERNEL(fx16_fx8_fx8_k1x1, LB_MLI_CONV_FX16_FX8, 1)
KERNEL(fx16_fx8_fx8_k3x3, LB_MLI_CONV_FX16_FX8, 3)
KERNEL(fx16_fx8_fx8_k5x5, LB_MLI_CONV_FX16_FX8, 5)
KERNEL(sa8_sa8_sa32, LB_MLI_CONV_SA8, 0)
KERNEL(sa8_sa8_sa32_k1x1, LB_MLI_CONV_SA8, 1)
KERNEL(sa8_sa8_sa32_k3x3, LB_MLI_CONV_SA8, 3)
KERNEL(sa8_sa8_sa32_k5x5, LB_MLI_CONV_SA8, 5)

mli_status mli_ext_conv2d_prepared(const mli_tensor *in, const mli_tensor *weights,
                                   const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                                   mli_tensor *out, const void *prepared)
{
    enum lb_mli_conv_kind kind;
    LB_MLI_REQUIRE(in && weights, MLI_STATUS_BAD_TENSOR);
    LB_MLI_REQUIRE(lb_mli_conv_kind_of(in, weights, &kind), MLI_STATUS_TYPE_MISMATCH);
    return run(kind, 0, in, weights, bias, cfg, out, prepared);
}
