/* What the four convolution families check, in their order. Spec: conv.md 11; the letters below are
 * its steps. */
#include "describe/rules.h"
#include "models.h"

enum { IN = LB_ROLE_IN, WEIGHTS = LB_ROLE_WEIGHTS, BIAS = LB_ROLE_BIAS, OUT = LB_ROLE_OUT };

/* clang-format off */

/* ---- D1 of group: channel counts ---- */

/* Undefined, whatever the ranks: a group wider than the input, or of no channels (a division by
 * zero in the library). */
#define GROUP_CHANNELS \
    LB_ASKS(LB_UNDEFINED, LB_THAT(LB_UNLIKE, LB_X(1, LB_EXTENT_OF(WEIGHTS, 2))), \
            LB_THAT(LB_AT_MOST, LB_X(1, LB_EXTENT_OF(WEIGHTS, 2)), LB_X(-1, LB_EXTENT_OF(IN, 2))))

/* The groups of the family's index map. */
#define GROUPS_OF_IN {.kind = LB_LEAF_DERIVED, .at = 0}
#define WHOLE_GROUPS \
    LB_ASKS(LB_SHAPE_MISMATCH, LB_THAT(LB_WHOLE, LB_X(1, LB_EXTENT_OF(IN, 2)), LB_X(1, LB_EXTENT_OF(WEIGHTS, 2))))
#define WHOLE_GROUPS_OF_FILTERS \
    LB_ASKS(LB_SHAPE_MISMATCH, LB_THAT(LB_WHOLE, LB_X(1, LB_EXTENT_OF(WEIGHTS, 3)), LB_X(1, GROUPS_OF_IN)))

/* ---- D4, D4t, D4u, X1: one direction each, the dimension d of in, weights and out ---- */

#define U8(member) LB_FIELD(member, LB_FIELD_U8)
#define CONFIG_ASKS(...) LB_ASKS(LB_BAD_FUNC_CFG, LB_THAT_CONFIG_GIVEN, __VA_ARGS__)
#define NOT_0(member)      CONFIG_ASKS(LB_THAT(LB_UNLIKE, LB_X(1, U8(member))))
/* That of no dilation, and the stride that a specialization is made for. */
#define FIELD_IS(member, n) CONFIG_ASKS(LB_THAT(LB_EQUAL, LB_X(1, U8(member)), LB_N(-(n))))
#define STRIDE_IN_KERNEL(d, stride) \
    CONFIG_ASKS(LB_THAT(LB_AT_MOST, LB_X(1, U8(stride)), LB_X(-1, LB_EXTENT_OF(WEIGHTS, d))))

/* A kernel is (kernel - 1) * dilation + 1 long; a padding is less. */
#define LESS_THAN_KERNEL(padding, d, dilation) \
    LB_THAT(LB_AT_MOST, LB_X(1, U8(padding)), LB_XY(-1, LB_EXTENT_OF(WEIGHTS, d), U8(dilation)), LB_X(1, U8(dilation)))
#define PADDING(d, dilation, before, after) \
    CONFIG_ASKS(LESS_THAN_KERNEL(before, d, dilation), LESS_THAN_KERNEL(after, d, dilation))

/* The last window starts inside the padded input and ends there; out may be smaller than that:
 * (out - 1) * stride + kernel <= in + padding. */
#define OUT_FITS(d, stride, dilation, before, after) \
    CONFIG_ASKS(\
            LB_THAT(LB_AT_MOST, LB_XY(1, LB_EXTENT_OF(OUT, d), U8(stride)), LB_X(-1, U8(stride)), \
                    LB_XY(1, LB_EXTENT_OF(WEIGHTS, d), U8(dilation)), LB_X(-1, U8(dilation)), LB_N(1), \
                    LB_X(-1, LB_EXTENT_OF(IN, d)), LB_X(-1, U8(before)), LB_X(-1, U8(after))))
/* out = (in - 1) * stride + kernel - padding. */
#define TRANSPOSED_OUT(d, stride, before, after) \
    CONFIG_ASKS(\
            LB_THAT(LB_EQUAL, LB_X(-1, LB_EXTENT_OF(OUT, d)), LB_XY(1, LB_EXTENT_OF(IN, d), U8(stride)), \
                    LB_X(-1, U8(stride)), LB_X(1, LB_EXTENT_OF(WEIGHTS, d)), LB_X(-1, U8(before)), LB_X(-1, U8(after))))

/* ---- The steps ---- */

/* A, and Q1 of sa8 */
#define TYPES                                                                                                          \
    {"in.type", LB_TYPE_OF_VARIANT(IN)},                                                                      \
    {"weights.type", LB_TYPE_OF_VARIANT(WEIGHTS)},                                                            \
    {"bias.type", LB_TYPE_OF_VARIANT(BIAS)}

/* B, C */
#define FRAC_BITS                                                                                                      \
    {"bias.frac_bits", LB_FRAC_BITS_WITHIN(IN, WEIGHTS, BIAS)},                                                         \
    {"out.frac_bits", LB_FRAC_BITS_WITHIN(IN, WEIGHTS, OUT)}

/* K */
#define KERNEL_SIZE                                                                                                    \
    {"weights.kernel_size", LB_KERNEL_SIZE_IS(WEIGHTS, LB_SHAPE_MISMATCH)}

/* T1 to T4 */
#define TENSORS                                                                                                        \
    {"in.tensor", LB_IN_C(lb_check_tensor, IN, 0, 0)},                                                                          \
    {"weights.tensor", LB_IN_C(lb_check_tensor, WEIGHTS, 0, 0)},                                                                \
    {"bias.tensor", LB_IN_C(lb_check_tensor, BIAS, 0, 0)},                                                                      \
    {"out.tensor", LB_IN_C(lb_check_tensor, OUT, 0, 0)},                                                                        \
    {"out.type_equals_in", LB_SAME_TYPE(OUT, IN, LB_TYPE_MISMATCH)}

/* D1; the families have one or two conditions more, on the input channels. Ranks come first: the sizes read after them exist. */
#define SHAPES                                                                                                         \
    {"in.rank", LB_RANK_IS(IN, 3)},                                                                              \
    {"out.rank", LB_RANK_IS(OUT, 3)},                                                                            \
    {"weights.rank", LB_RANK_IS(WEIGHTS, 4)},                                                                    \
    {"bias.rank", LB_RANK_IS(BIAS, 1)},                                                                          \
    {"bias.length_equals_channels", LB_SAME_EXTENT(BIAS, 0, WEIGHTS, 3)},                      \
    {"out.channels_equal_weights", LB_SAME_EXTENT(OUT, 2, WEIGHTS, 3)}

#define ALL_CHANNELS                                                                                                   \
    {"in.channels_equal_weights", LB_SAME_EXTENT(IN, 2, WEIGHTS, 2)}

#define ONE_CHANNEL                                                                                                    \
    {"weights.one_channel", LB_EXTENT_IS(WEIGHTS, 2, 1)},                                   \
    {"in.channels_equal_out", LB_SAME_EXTENT(IN, 2, WEIGHTS, 3)}

#define GROUPS                                                                                                         \
    {"in.whole_groups", WHOLE_GROUPS},                                                                        \
    {"out.whole_groups", WHOLE_GROUPS_OF_FILTERS}

/* D2, D3 */
#define LAYOUT                                                                                                         \
    {"in.inner_stride", LB_INNER_STRIDE_1(IN)},                                                              \
    {"weights.inner_stride", LB_INNER_STRIDE_1(WEIGHTS)},                                                    \
    {"bias.inner_stride", LB_INNER_STRIDE_1(BIAS)},                                                          \
    {"out.inner_stride", LB_INNER_STRIDE_1(OUT)},                                                            \
    {"cfg.present", LB_CONFIG_PRESENT}

/* D4, D5 */
#define GEOMETRY                                                                                                       \
    {"cfg.dilation_height", NOT_0(dilation_height)},                                                             \
    {"cfg.dilation_width", NOT_0(dilation_width)},                                                               \
    {"cfg.stride_height", NOT_0(stride_height)},                                                                 \
    {"cfg.stride_width", NOT_0(stride_width)},                                                                   \
    {"cfg.padding_height", PADDING(0, dilation_height, padding_top, padding_bottom)},                                                               \
    {"cfg.padding_width", PADDING(1, dilation_width, padding_left, padding_right)},                                                                 \
    {"out.height_fits", OUT_FITS(0, stride_height, dilation_height, padding_top, padding_bottom)},                                                                 \
    {"out.width_fits", OUT_FITS(1, stride_width, dilation_width, padding_left, padding_right)},                                                                   \
    LB_APART

/* D4t, D4u, D5 */
#define TRANSPOSED_GEOMETRY                                                                                            \
    {"cfg.dilation_height", FIELD_IS(dilation_height, 1)},                                                          \
    {"cfg.dilation_width", FIELD_IS(dilation_width, 1)},                                                            \
    {"cfg.padding_height", PADDING(0, dilation_height, padding_top, padding_bottom)},                                                               \
    {"cfg.padding_width", PADDING(1, dilation_width, padding_left, padding_right)},                                                                 \
    {"cfg.stride_height", NOT_0(stride_height)},                                                                 \
    {"cfg.stride_width", NOT_0(stride_width)},                                                                   \
    {"cfg.stride_height_in_kernel", STRIDE_IN_KERNEL(0, stride_height)},                                             \
    {"cfg.stride_width_in_kernel", STRIDE_IN_KERNEL(1, stride_width)},                                               \
    {"out.height_exact", TRANSPOSED_OUT(0, stride_height, padding_top, padding_bottom)},                                                          \
    {"out.width_exact", TRANSPOSED_OUT(1, stride_width, padding_left, padding_right)},                                                            \
    LB_APART

/* Q2 to Q6 */
#define QUANTIZATION                                                                                                   \
    {"in.quant", LB_IN_C(lb_check_quant, IN, -128, 127)},                                                                       \
    {"out.quant", LB_IN_C(lb_check_quant, OUT, -128, 127)},                                                                     \
    {"weights.quant", LB_IN_C(lb_check_quant, WEIGHTS, 0, 0)},                                                                  \
    {"bias.quant", LB_IN_C(lb_check_quant, BIAS, 0, 0)},                                                                        \
    {"bias.axis_matches_weights", LB_IN_C(lb_check_channel_axes, WEIGHTS, BIAS, 3)},                                            \
    {"in.per_tensor", LB_PER_TENSOR(IN)},                                                                  \
    {"out.per_tensor", LB_PER_TENSOR(OUT)},                                                                \
    LB_BIAS_SCALE(WEIGHTS)

/* X1, X2 (a QUIRK: not shape_mismatch) */
#define STRIDE_2_KERNEL                                                                                                \
    {"cfg.stride_height_2", FIELD_IS(stride_height, 2)},                                                            \
    {"cfg.stride_width_2", FIELD_IS(stride_width, 2)},                                                              \
    {"weights.kernel_size", LB_KERNEL_SIZE_IS(WEIGHTS, LB_INCOMPATIBLE_TENSORS)}

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

#define GROUPS_FIRST {"in.group_channels", GROUP_CHANNELS},

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
