/* What the four convolution families check, in their order. Spec: conv.md 11; the letters below are
 * its steps. */
#include "conv_taps.h"
#include "describe/rules.h"
#include "models.h"

enum { IN = LB_ROLE_IN, WEIGHTS = LB_ROLE_WEIGHTS, BIAS = LB_ROLE_BIAS, OUT = LB_ROLE_OUT };

/* The direction that a condition on the geometry looks at: `a` of its rule. */
enum { HEIGHT, WIDTH };

static lb_status unless(bool condition, lb_status status)
{
    return condition ? LB_OK : status;
}

static bool has_maps(const lb_call *call)
{
    return call->tensor[IN] && call->tensor[WEIGHTS] && call->tensor[OUT];
}

/* For a condition on the geometry: leaves where there is no geometry. */
#define FETCH_SIDE(side)                                                                           \
    (void)context;                                                                                 \
    if (!has_maps(call))                                                                           \
        return LB_BAD_TENSOR;                                                                      \
    if (call->config_null)                                                                         \
        return LB_BAD_FUNC_CFG;                                                                    \
    lb_conv_side side = rule->a == HEIGHT ? lb_conv_height(call) : lb_conv_width(call)

/* ---- D1 of group: channel counts ---- */

/* Undefined, whatever the ranks: a group wider than the input, or of no channels (a division by
 * zero in the library). */
static lb_status check_group_channels(const lb_context *context, const lb_call *call,
                                      const lb_rule *rule)
{
    (void)context;
    (void)rule;
    uint32_t in_channels = call->tensor[IN]->shape[2];
    uint32_t group_channels = call->tensor[WEIGHTS]->shape[2];
    return unless(group_channels != 0 && group_channels <= in_channels, LB_SHAPE_MISMATCH);
}

static lb_status check_groups(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    (void)rule;
    if (!has_maps(call))
        return LB_BAD_TENSOR;
    uint32_t in_channels = call->tensor[IN]->shape[2];
    uint32_t group_channels = call->tensor[WEIGHTS]->shape[2];
    bool whole = group_channels != 0 && in_channels % group_channels == 0;
    return unless(whole, LB_SHAPE_MISMATCH);
}

static lb_status check_group_filters(const lb_context *context, const lb_call *call,
                                     const lb_rule *rule)
{
    (void)context;
    (void)rule;
    if (!has_maps(call))
        return LB_BAD_TENSOR;
    uint32_t group_channels = call->tensor[WEIGHTS]->shape[2];
    uint32_t groups = group_channels == 0 ? 0 : call->tensor[IN]->shape[2] / group_channels;
    bool whole = groups != 0 && call->tensor[WEIGHTS]->shape[3] % groups == 0;
    return unless(whole, LB_SHAPE_MISMATCH);
}

/* ---- D4, D4t, D4u, X1: one direction each ---- */

static lb_status check_stride(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    FETCH_SIDE(side);
    return unless(side.stride > 0, LB_BAD_FUNC_CFG);
}

/* b: the stride that a specialization is made for. */
static lb_status check_stride_is(const lb_context *context, const lb_call *call,
                                 const lb_rule *rule)
{
    FETCH_SIDE(side);
    return unless(side.stride == rule->b, LB_BAD_FUNC_CFG);
}

static lb_status check_stride_in_kernel(const lb_context *context, const lb_call *call,
                                        const lb_rule *rule)
{
    FETCH_SIDE(side);
    return unless(side.stride <= side.kernel, LB_BAD_FUNC_CFG);
}

static lb_status check_dilation(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    FETCH_SIDE(side);
    return unless(side.dilation > 0, LB_BAD_FUNC_CFG);
}

static lb_status check_no_dilation(const lb_context *context, const lb_call *call,
                                   const lb_rule *rule)
{
    FETCH_SIDE(side);
    return unless(side.dilation == 1, LB_BAD_FUNC_CFG);
}

static lb_status check_padding(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    FETCH_SIDE(side);
    int64_t kernel = lb_conv_effective_kernel(&side);
    return unless(side.padding_before < kernel && side.padding_after < kernel, LB_BAD_FUNC_CFG);
}

/* The last window starts inside the padded input and ends there; out may be smaller than that. */
static lb_status check_out_fits(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    FETCH_SIDE(side);
    int64_t needed = (side.out - 1) * side.stride + lb_conv_effective_kernel(&side);
    return unless(needed <= side.in + side.padding_before + side.padding_after, LB_BAD_FUNC_CFG);
}

static lb_status check_transposed_out(const lb_context *context, const lb_call *call,
                                      const lb_rule *rule)
{
    FETCH_SIDE(side);
    int64_t spread = (side.in - 1) * side.stride + side.kernel;
    return unless(side.out == spread - side.padding_before - side.padding_after, LB_BAD_FUNC_CFG);
}

/* ---- The steps ---- */

/* clang-format off */

/* A, and Q1 of sa8 */
#define TYPES                                                                                                          \
    {"in.type", lb_check_variant_type, IN, 0, 0},                                                                      \
    {"weights.type", lb_check_variant_type, WEIGHTS, 0, 0},                                                            \
    {"bias.type", lb_check_variant_type, BIAS, 0, 0}

/* B, C */
#define FRAC_BITS                                                                                                      \
    {"bias.frac_bits", lb_check_frac_bits, IN, WEIGHTS, BIAS},                                                         \
    {"out.frac_bits", lb_check_frac_bits, IN, WEIGHTS, OUT}

/* K */
#define KERNEL_SIZE                                                                                                    \
    {"weights.kernel_size", lb_check_kernel_size, WEIGHTS, 0, LB_SHAPE_MISMATCH}

/* T1 to T4 */
#define TENSORS                                                                                                        \
    {"in.tensor", lb_check_tensor, IN, 0, 0},                                                                          \
    {"weights.tensor", lb_check_tensor, WEIGHTS, 0, 0},                                                                \
    {"bias.tensor", lb_check_tensor, BIAS, 0, 0},                                                                      \
    {"out.tensor", lb_check_tensor, OUT, 0, 0},                                                                        \
    {"out.type_equals_in", lb_check_same_type, OUT, IN, LB_TYPE_MISMATCH}

/* D1; the families have one or two conditions more, on the input channels. Ranks come first: the sizes read after them exist. */
#define SHAPES                                                                                                         \
    {"in.rank", lb_check_rank, IN, 3, 0},                                                                              \
    {"out.rank", lb_check_rank, OUT, 3, 0},                                                                            \
    {"weights.rank", lb_check_rank, WEIGHTS, 4, 0},                                                                    \
    {"bias.rank", lb_check_rank, BIAS, 1, 0},                                                                          \
    {"bias.length_equals_channels", lb_check_dims_equal, LB_DIM(BIAS, 0), LB_DIM(WEIGHTS, 3), 0},                      \
    {"out.channels_equal_weights", lb_check_dims_equal, LB_DIM(OUT, 2), LB_DIM(WEIGHTS, 3), 0}

#define ALL_CHANNELS                                                                                                   \
    {"in.channels_equal_weights", lb_check_dims_equal, LB_DIM(IN, 2), LB_DIM(WEIGHTS, 2), 0}

#define ONE_CHANNEL                                                                                                    \
    {"weights.one_channel", lb_check_dim, LB_DIM(WEIGHTS, 2), 1, LB_SHAPE_MISMATCH},                                   \
    {"in.channels_equal_out", lb_check_dims_equal, LB_DIM(IN, 2), LB_DIM(WEIGHTS, 3), 0}

#define GROUPS                                                                                                         \
    {"in.whole_groups", check_groups, 0, 0, 0},                                                                        \
    {"out.whole_groups", check_group_filters, 0, 0, 0}

/* D2, D3 */
#define LAYOUT                                                                                                         \
    {"in.inner_stride", lb_check_inner_stride, IN, 0, 0},                                                              \
    {"weights.inner_stride", lb_check_inner_stride, WEIGHTS, 0, 0},                                                    \
    {"bias.inner_stride", lb_check_inner_stride, BIAS, 0, 0},                                                          \
    {"out.inner_stride", lb_check_inner_stride, OUT, 0, 0},                                                            \
    {"cfg.present", lb_check_config, 0, 0, 0}

/* D4, D5 */
#define GEOMETRY                                                                                                       \
    {"cfg.dilation_height", check_dilation, HEIGHT, 0, 0},                                                             \
    {"cfg.dilation_width", check_dilation, WIDTH, 0, 0},                                                               \
    {"cfg.stride_height", check_stride, HEIGHT, 0, 0},                                                                 \
    {"cfg.stride_width", check_stride, WIDTH, 0, 0},                                                                   \
    {"cfg.padding_height", check_padding, HEIGHT, 0, 0},                                                               \
    {"cfg.padding_width", check_padding, WIDTH, 0, 0},                                                                 \
    {"out.height_fits", check_out_fits, HEIGHT, 0, 0},                                                                 \
    {"out.width_fits", check_out_fits, WIDTH, 0, 0},                                                                   \
    LB_APART

/* D4t, D4u, D5 */
#define TRANSPOSED_GEOMETRY                                                                                            \
    {"cfg.dilation_height", check_no_dilation, HEIGHT, 0, 0},                                                          \
    {"cfg.dilation_width", check_no_dilation, WIDTH, 0, 0},                                                            \
    {"cfg.padding_height", check_padding, HEIGHT, 0, 0},                                                               \
    {"cfg.padding_width", check_padding, WIDTH, 0, 0},                                                                 \
    {"cfg.stride_height", check_stride, HEIGHT, 0, 0},                                                                 \
    {"cfg.stride_width", check_stride, WIDTH, 0, 0},                                                                   \
    {"cfg.stride_height_in_kernel", check_stride_in_kernel, HEIGHT, 0, 0},                                             \
    {"cfg.stride_width_in_kernel", check_stride_in_kernel, WIDTH, 0, 0},                                               \
    {"out.height_exact", check_transposed_out, HEIGHT, 0, 0},                                                          \
    {"out.width_exact", check_transposed_out, WIDTH, 0, 0},                                                            \
    LB_APART

/* Q2 to Q6 */
#define QUANTIZATION                                                                                                   \
    {"in.quant", lb_check_quant, IN, -128, 127},                                                                       \
    {"out.quant", lb_check_quant, OUT, -128, 127},                                                                     \
    {"weights.quant", lb_check_quant, WEIGHTS, 0, 0},                                                                  \
    {"bias.quant", lb_check_quant, BIAS, 0, 0},                                                                        \
    {"bias.axis_matches_weights", lb_check_channel_axes, WEIGHTS, BIAS, 3},                                            \
    {"in.per_tensor", lb_check_per_tensor, IN, 0, 0},                                                                  \
    {"out.per_tensor", lb_check_per_tensor, OUT, 0, 0},                                                                \
    LB_BIAS_SCALE(WEIGHTS)

/* X1, X2 (a QUIRK: not shape_mismatch) */
#define STRIDE_2_KERNEL                                                                                                \
    {"cfg.stride_height_2", check_stride_is, HEIGHT, 2, 0},                                                            \
    {"cfg.stride_width_2", check_stride_is, WIDTH, 2, 0},                                                              \
    {"weights.kernel_size", lb_check_kernel_size, WEIGHTS, 0, LB_INCOMPATIBLE_TENSORS}

/* Undefined: NULL where types and kernel sizes are looked at first. */
#define GIVEN                                                                                                          \
    LB_GIVEN_ROLE("in", IN), LB_GIVEN_ROLE("weights", WEIGHTS), LB_GIVEN_ROLE("bias", BIAS), LB_GIVEN_ROLE("out", OUT)
#define WEIGHTS_GIVEN LB_GIVEN_ROLE("weights", WEIGHTS)
/* Undefined: what no check looks at. */
#define LAST LB_PARAMETERS, LB_PLACE(0), LB_RULES_END

/* ---- The lists; CHANNELS: what D1 asks of the input channels; FIRST: what must be so before D1 ---- */

#define NOTHING_FIRST
#define FX(FIRST, CHANNELS)         GIVEN, TYPES, FRAC_BITS, TENSORS, FIRST SHAPES, CHANNELS, LAYOUT, GEOMETRY, LAST
#define FX_KERNEL(FIRST, CHANNELS)  GIVEN, TYPES, FRAC_BITS, KERNEL_SIZE, TENSORS, FIRST SHAPES, CHANNELS, LAYOUT, GEOMETRY, LAST
#define SA8(FIRST, CHANNELS)        TENSORS, FIRST SHAPES, CHANNELS, LAYOUT, GEOMETRY, TYPES, QUANTIZATION, LAST
#define SA8_KERNEL(FIRST, CHANNELS) WEIGHTS_GIVEN, KERNEL_SIZE, TENSORS, FIRST SHAPES, CHANNELS, LAYOUT, GEOMETRY, TYPES, QUANTIZATION, LAST

const lb_rule lb_rules_conv2d_fx[] = {FX(NOTHING_FIRST, ALL_CHANNELS)};
const lb_rule lb_rules_conv2d_fx_kernel[] = {FX_KERNEL(NOTHING_FIRST, ALL_CHANNELS)};
const lb_rule lb_rules_conv2d_sa8[] = {SA8(NOTHING_FIRST, ALL_CHANNELS)};
const lb_rule lb_rules_conv2d_sa8_kernel[] = {SA8_KERNEL(NOTHING_FIRST, ALL_CHANNELS)};

const lb_rule lb_rules_depthwise_fx[] = {FX(NOTHING_FIRST, ONE_CHANNEL)};
const lb_rule lb_rules_depthwise_fx_kernel[] = {FX_KERNEL(NOTHING_FIRST, ONE_CHANNEL)};
const lb_rule lb_rules_depthwise_sa8[] = {SA8(NOTHING_FIRST, ONE_CHANNEL)};
const lb_rule lb_rules_depthwise_sa8_kernel[] = {SA8_KERNEL(NOTHING_FIRST, ONE_CHANNEL)};

#define GROUPS_FIRST {"in.group_channels", check_group_channels, 0, 0, LB_UNDEFINED},

const lb_rule lb_rules_group_fx[] = {FX(GROUPS_FIRST, GROUPS)};
const lb_rule lb_rules_group_fx_kernel[] = {FX_KERNEL(GROUPS_FIRST, GROUPS)};
const lb_rule lb_rules_group_sa8[] = {SA8(GROUPS_FIRST, GROUPS)};
const lb_rule lb_rules_group_sa8_kernel[] = {SA8_KERNEL(GROUPS_FIRST, GROUPS)};

#define TRANSPOSED TENSORS, SHAPES, ALL_CHANNELS, LAYOUT, TRANSPOSED_GEOMETRY

const lb_rule lb_rules_transpose_fx[] = {GIVEN, TYPES, FRAC_BITS, TRANSPOSED, LAST};
const lb_rule lb_rules_transpose_fx_kernel[] = {GIVEN, TYPES, FRAC_BITS, TRANSPOSED, STRIDE_2_KERNEL, LAST};
const lb_rule lb_rules_transpose_sa8[] = {TRANSPOSED, TYPES, QUANTIZATION, LAST};
const lb_rule lb_rules_transpose_sa8_kernel[] = {TRANSPOSED, TYPES, QUANTIZATION, STRIDE_2_KERNEL, LAST};

/* clang-format on */
