/* What max and average pooling check, in their order. Spec: pooling_and_movement.md 2.1 (numbers in
 * brackets below). */
#include "describe/rules.h"
#include "models.h"

enum { IN = LB_ROLE_IN, OUT = LB_ROLE_OUT };

/* [2] Both kernel sizes are those of the specialization. */
static lb_status check_kernel(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    (void)rule;
    int size = call->kernel->kernel_size;
    bool fits =
        size == 0 || (call->config.kernel_width == size && call->config.kernel_height == size);
    return fits ? LB_OK : LB_SHAPE_MISMATCH;
}

/* [7] A kernel size 0 fails here too: no padding is below it. */
static lb_status check_padding(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    (void)rule;
    const lb_config *cfg = &call->config;
    bool fits = cfg->padding_left < cfg->kernel_width && cfg->padding_right < cfg->kernel_width &&
                cfg->padding_top < cfg->kernel_height && cfg->padding_bottom < cfg->kernel_height &&
                cfg->stride_width != 0 && cfg->stride_height != 0;
    return fits ? LB_OK : LB_BAD_FUNC_CFG;
}

/* The last window of a dimension ends inside the padded input. */
static bool windows_fit(uint32_t out_size, uint8_t stride, uint8_t kernel, uint32_t in_size,
                        int padding)
{
    return ((int64_t)out_size - 1) * stride + kernel <= (int64_t)in_size + padding;
}

/* [8] QUIRK: an inequality; a smaller output is the top left part of the full one. */
static lb_status check_sizes(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    const lb_tensor *in = lb_role_tensor(call, rule->a);
    const lb_tensor *out = lb_role_tensor(call, rule->b);
    const lb_config *cfg = &call->config;
    if (!in || !out)
        return LB_BAD_TENSOR;
    bool fits = windows_fit(out->shape[0], cfg->stride_height, cfg->kernel_height, in->shape[0],
                            cfg->padding_top + cfg->padding_bottom) &&
                windows_fit(out->shape[1], cfg->stride_width, cfg->kernel_width, in->shape[1],
                            cfg->padding_left + cfg->padding_right) &&
                in->shape[2] == out->shape[2];
    return fits ? LB_OK : LB_BAD_FUNC_CFG;
}

/* 2.2, along one dimension: neither fringe is wider than all steps together. */
static bool fringe_is_narrow(uint32_t in_size, uint32_t out_size, int kernel, int stride,
                             int before)
{
    int64_t steps = (int64_t)out_size * stride;
    return before <= steps && steps - stride + kernel - in_size - before <= steps;
}

static lb_status check_windows(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    const lb_tensor *in = lb_role_tensor(call, rule->a);
    const lb_tensor *out = lb_role_tensor(call, rule->b);
    const lb_config *cfg = &call->config;
    bool narrow = fringe_is_narrow(in->shape[0], out->shape[0], cfg->kernel_height,
                                   cfg->stride_height, cfg->padding_top) &&
                  fringe_is_narrow(in->shape[1], out->shape[1], cfg->kernel_width,
                                   cfg->stride_width, cfg->padding_left);
    return narrow ? LB_OK : LB_BAD_FUNC_CFG;
}

/* [1] to [10] */
#define COMMON                                                                                     \
    {"cfg.present", lb_check_config, 0, 0, 0}, {"cfg.kernel_size", check_kernel, 0, 0, 0},         \
        {"in.tensor", lb_check_tensor, IN, 0, 0}, {"out.tensor", lb_check_tensor, OUT, 0, 0},      \
        {"out.type_equals_in", lb_check_same_type, OUT, IN, LB_TYPE_MISMATCH},                     \
        {"in.rank", lb_check_rank, IN, 3, 0}, {"out.rank", lb_check_rank, OUT, 3, 0},              \
        {"in.inner_stride", lb_check_inner_stride, IN, 0, 0},                                      \
        {"out.inner_stride", lb_check_inner_stride, OUT, 0, 0},                                    \
        {"cfg.padding_and_strides", check_padding, 0, 0, 0},                                       \
        {"out.size", check_sizes, IN, OUT, 0}, LB_APART,                                           \
    {                                                                                              \
        "in.type", lb_check_variant_type, IN, 0, 0                                                 \
    }

/* Undefined: windows that reach beyond the fringe (2.2), and what no check looks at. */
#define LAST {"cfg.windows", check_windows, IN, OUT, LB_UNDEFINED}, LB_PARAMETERS, LB_RULES_END

/* [11] */
#define PER_TENSOR                                                                                 \
    {"in.per_tensor", lb_check_per_tensor, IN, 0, 0},                                              \
    {                                                                                              \
        "out.per_tensor", lb_check_per_tensor, OUT, 0, 0                                           \
    }

const lb_rule lb_rules_pool_fx[] = {COMMON, LAST};

/* QUIRK: no quantization value is looked at */
const lb_rule lb_rules_maxpool_sa8[] = {COMMON, PER_TENSOR, LAST};

const lb_rule lb_rules_avepool_sa8[] = {
    COMMON,
    PER_TENSOR,
    {"in.quant", lb_check_quant, IN, -128, 127}, /* [12] */
    {"out.quant", lb_check_quant, OUT, -128, 127},
    LAST,
};
