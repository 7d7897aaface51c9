/* mli_krn_group_conv2d_hwcn_* (conv.md 8): a plain convolution for each group; groups of one
 * channel and one filter are a depthwise convolution. */
#include "api/mli_kernels_api.h"

#include "conv_check.h"
#include "conv_run.h"

/* The groups one after the other. all: every group's geometry, pointers at the first group,
 * channels of all groups. */
static void run_groups(const struct lb_mli_conv *all, size_t groups)
{
    const size_t in_size = lb_mli_conv_in_size(all->plan->kind),
                 w_size = lb_mli_conv_w_size(all->plan->kind);
    const size_t filters = all->channels / groups;
    for (size_t g = 0; g < groups; g++) {
        struct lb_mli_conv group = *all;
        group.channels = filters;
        group.first = g * filters;
        group.in = lb_mli_at(all->in, (ptrdiff_t)(g * all->depth), in_size);
        group.weights = lb_mli_at(all->weights, (ptrdiff_t)group.first, w_size);
        group.out = lb_mli_out_at(all, 0, 0, group.first);
        lb_mli_conv_run(&group);
    }
}

/* kernel: height and width that the function demands, 0: any. */
static mli_status run(enum lb_mli_conv_kind kind, uint32_t kernel, const mli_tensor *in,
                      const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                      mli_tensor *out)
{
    const enum lb_mli_profile profile = lb_mli_profile();
    LB_MLI_CHECK(lb_mli_check_conv(LB_MLI_GROUP_CONV2D, kind, kernel, in, weights, bias, cfg, out,
                                   lb_mli_profile_round(profile)));
    struct lb_mli_conv_plan plan;
    out->el_type = in->el_type;
    lb_mli_conv_plan(kind, in, weights, bias, cfg->relu.type, out, profile, &plan);
    const struct lb_mli_conv conv = lb_mli_conv_whole(&plan, in, weights, cfg, out);
    const size_t groups = in->shape[FMAP_C_DIM_HWC] / conv.depth;
    if (conv.depth == 1 && groups == conv.channels)
        lb_mli_conv_run_channels(&conv);
    else
        run_groups(&conv, groups);
    return MLI_STATUS_OK;
}

#define KERNEL(name, kind, kernel)                                                                 \
    mli_status mli_krn_group_conv2d_hwcn_##name(const mli_tensor *in, const mli_tensor *weights,   \
                                                const mli_tensor *bias, const mli_conv2d_cfg *cfg, \
                                                mli_tensor *out)                                   \
    {                                                                                              \
        return run(kind, kernel, in, weights, bias, cfg, out);                                     \
    }

KERNEL(fx16, LB_MLI_CONV_FX16, 0)
KERNEL(fx16_k3x3, LB_MLI_CONV_FX16, 3)
KERNEL(fx16_k5x5, LB_MLI_CONV_FX16, 5)
KERNEL(fx16_fx8_fx8, LB_MLI_CONV_FX16_FX8, 0)
KERNEL(fx16_fx8_fx8_k3x3, LB_MLI_CONV_FX16_FX8, 3)
KERNEL(fx16_fx8_fx8_k5x5, LB_MLI_CONV_FX16_FX8, 5)
KERNEL(sa8_sa8_sa32, LB_MLI_CONV_SA8, 0)
KERNEL(sa8_sa8_sa32_k3x3, LB_MLI_CONV_SA8, 3)
KERNEL(sa8_sa8_sa32_k5x5, LB_MLI_CONV_SA8, 5)
