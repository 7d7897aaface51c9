/* mli_krn_transpose_conv2d_hwcn_* (conv.md 9). Outputs whose coordinates are equal modulo the
 * stride form a phase: they use the same taps of the kernel, on neighbouring inputs. Each phase is
 * a plain convolution of stride 1 with a part of the kernel, read backwards; no zeros are inserted
 * anywhere. */
#include "api/mli_kernels_api.h"

#include "conv_check.h"
#include "conv_run.h"

/* A phase in one direction: outputs first, first + stride, ... */
struct phase {
    struct lb_mli_axis axis;
    int64_t first_tap; /* of the kernel, for tap 0 of axis; tap i is stride * i below it */
};

static struct phase plan_phase(const struct lb_mli_axis *whole, int64_t first)
{
    const int64_t stride = whole->stride, reach = first + whole->pad;
    const int64_t least = reach % stride; /* taps of this phase: least, least + stride, ... */
    const int64_t taps = (whole->taps - least + stride - 1) / stride;
    return (struct phase){
        .axis = {.in = whole->in,
                 .out = (whole->out - first + stride - 1) / stride,
                 .taps = taps,
                 .stride = 1,
                 .dilation = 1,
                 .pad = taps - 1 - reach / stride},
        .first_tap = least + stride * (taps - 1),
    };
}

static void run_phase(const struct lb_mli_conv *whole, int64_t y, int64_t x)
{
    const struct phase rows = plan_phase(&whole->rows, y), cols = plan_phase(&whole->cols, x);
    const ptrdiff_t row_step = (ptrdiff_t)whole->rows.stride,
                    col_step = (ptrdiff_t)whole->cols.stride;
    const ptrdiff_t at =
        (ptrdiff_t)rows.first_tap * whole->w_row + (ptrdiff_t)cols.first_tap * whole->w_col;
    struct lb_mli_conv part = *whole;
    part.rows = rows.axis;
    part.cols = cols.axis;
    part.weights = lb_mli_at(whole->weights, at, lb_mli_conv_w_size(whole->plan->kind));
    part.w_row = -row_step * whole->w_row;
    part.w_col = -col_step * whole->w_col;
    part.out = lb_mli_out_at(whole, y, x, 0);
    part.out_row = row_step * whole->out_row;
    part.out_col = col_step * whole->out_col;
    lb_mli_conv_run(&part);
}

/* kernel: height and width that the function demands, 0: any. */
static mli_status run(enum lb_mli_conv_kind kind, uint32_t kernel, const mli_tensor *in,
                      const mli_tensor *weights, const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                      mli_tensor *out)
{
    const enum lb_mli_profile profile = lb_mli_profile();
    LB_MLI_CHECK(lb_mli_check_transpose(kind, kernel, in, weights, bias, cfg, out,
                                        lb_mli_profile_round(profile)));
    struct lb_mli_conv_plan plan;
    lb_mli_conv_plan(kind, in, weights, bias, cfg->relu.type, out, profile, &plan);
    const struct lb_mli_conv conv = lb_mli_conv_whole(&plan, in, weights, cfg, out);
    for (int64_t y = 0; y < conv.rows.stride && y < conv.rows.out; y++)
        for (int64_t x = 0; x < conv.cols.stride && x < conv.cols.out; x++)
            run_phase(&conv, y, x);
    return MLI_STATUS_OK;
}

#define KERNEL(name, kind, kernel)                                                                 \
    mli_status mli_krn_transpose_conv2d_hwcn_##name(                                               \
        const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias,                   \
        const mli_conv2d_cfg *cfg, mli_tensor *out)                                                \
    {                                                                                              \
        return run(kind, kernel, in, weights, bias, cfg, out);                                     \
    }

KERNEL(fx16, LB_MLI_CONV_FX16, 0)
KERNEL(fx16_k2x2_str2, LB_MLI_CONV_FX16, 2)
KERNEL(fx16_k4x4_str2, LB_MLI_CONV_FX16, 4)
KERNEL(fx16_fx8_fx8, LB_MLI_CONV_FX16_FX8, 0)
KERNEL(fx16_fx8_fx8_k2x2_str2, LB_MLI_CONV_FX16_FX8, 2)
KERNEL(fx16_fx8_fx8_k4x4_str2, LB_MLI_CONV_FX16_FX8, 4)
KERNEL(sa8_sa8_sa32, LB_MLI_CONV_SA8, 0)
KERNEL(sa8_sa8_sa32_k2x2_str2, LB_MLI_CONV_SA8, 2)
KERNEL(sa8_sa8_sa32_k4x4_str2, LB_MLI_CONV_SA8, 4)
