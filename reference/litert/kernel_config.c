/* Keys of `config` in cases of LiteRT's functions, by the kinds of config.h. All are required, and
 * all are arguments: no kernel takes NULL in their place. Spec: litert.21.2. */
#include "describe/kernels.h"
#include "fields.h"

#include <string.h>

#define LB_LITE_FIELD_NAME(name, sort, dimension) #name,
static const char *const field_names[LB_LITE_FIELD_COUNT] = {LB_LITE_FIELDS(LB_LITE_FIELD_NAME)};

int lb_lite_field_find(const char *name)
{
    for (int i = 0; i < LB_LITE_FIELD_COUNT; i++)
        if (strcmp(field_names[i], name) == 0)
            return i;
    return -1;
}

/* clang-format off */

#define F_stride_height LB_CONFIG_FIELD("stride_height", litert.stride_height, STEP, 1, false, true, NULL)
#define F_stride_width LB_CONFIG_FIELD("stride_width", litert.stride_width, STEP, 2, false, true, NULL)
#define F_padding_top LB_CONFIG_FIELD("padding_top", litert.padding_top, PADDING, 1, false, true, NULL)
#define F_padding_left LB_CONFIG_FIELD("padding_left", litert.padding_left, PADDING, 2, false, true, NULL)
#define F_dilation_height LB_CONFIG_FIELD("dilation_height", litert.dilation_height, GAP, 1, false, true, NULL)
#define F_dilation_width LB_CONFIG_FIELD("dilation_width", litert.dilation_width, GAP, 2, false, true, NULL)
#define F_depth_multiplier LB_CONFIG_FIELD("depth_multiplier", litert.depth_multiplier, SIZE, -1, false, true, NULL)
#define F_filter_height LB_CONFIG_FIELD("filter_height", litert.filter_height, SIZE, 1, false, true, NULL)
#define F_filter_width LB_CONFIG_FIELD("filter_width", litert.filter_width, SIZE, 2, false, true, NULL)
#define F_accumulator_bits LB_CONFIG_FIELD("accumulator_bits", litert.accumulator_bits, CHOICE, -1, false, true, NULL)
#define F_input_offset LB_CONFIG_FIELD("input_offset", litert.input_offset, ZERO_POINT, -1, false, true, NULL)
#define F_weights_offset LB_CONFIG_FIELD("weights_offset", litert.weights_offset, ZERO_POINT, -1, false, true, NULL)
#define F_output_offset LB_CONFIG_FIELD("output_offset", litert.output_offset, ZERO_POINT, -1, false, true, NULL)
#define F_input1_offset LB_CONFIG_FIELD("input1_offset", litert.input1_offset, ZERO_POINT, -1, false, true, NULL)
#define F_input2_offset LB_CONFIG_FIELD("input2_offset", litert.input2_offset, ZERO_POINT, -1, false, true, NULL)
#define F_left_shift LB_CONFIG_FIELD("left_shift", litert.left_shift, SHIFT, -1, false, true, NULL)
#define F_input1_multiplier LB_CONFIG_FIELD("input1_multiplier", litert.input1_multiplier, MULTIPLIER, -1, false, true, NULL)
#define F_input1_shift LB_CONFIG_FIELD("input1_shift", litert.input1_shift, SHIFT, -1, false, true, NULL)
#define F_input2_multiplier LB_CONFIG_FIELD("input2_multiplier", litert.input2_multiplier, MULTIPLIER, -1, false, true, NULL)
#define F_input2_shift LB_CONFIG_FIELD("input2_shift", litert.input2_shift, SHIFT, -1, false, true, NULL)
#define F_output_multiplier LB_CONFIG_FIELD("output_multiplier", litert.output_multiplier, MULTIPLIER, -1, false, true, NULL)
#define F_output_shift LB_CONFIG_FIELD("output_shift", litert.output_shift, SHIFT, -1, false, true, NULL)
#define F_activation_min LB_CONFIG_FIELD("activation_min", litert.activation_min, LIMIT, -1, false, true, NULL)
#define F_activation_max LB_CONFIG_FIELD("activation_max", litert.activation_max, LIMIT, -1, false, true, NULL)
#define F_multiplier LB_CONFIG_FIELD("multiplier", litert.multiplier, MULTIPLIER, -1, false, true, NULL)
#define F_shift LB_CONFIG_FIELD("shift", litert.shift, SHIFT, -1, false, true, NULL)
#define F_input_multiplier LB_CONFIG_FIELD("input_multiplier", litert.input_multiplier, MULTIPLIER, -1, false, true, NULL)
#define F_input_left_shift LB_CONFIG_FIELD("input_left_shift", litert.input_left_shift, SHIFT, -1, false, true, NULL)
#define F_diff_min LB_CONFIG_FIELD("diff_min", litert.diff_min, LIMIT, -1, false, true, NULL)
#define F_input_zero_point LB_CONFIG_FIELD("input_zero_point", litert.input_zero_point, ZERO_POINT, -1, false, true, NULL)
#define F_output_zero_point LB_CONFIG_FIELD("output_zero_point", litert.output_zero_point, ZERO_POINT, -1, false, true, NULL)
#define F_input_range_radius LB_CONFIG_FIELD("input_range_radius", litert.input_range_radius, LIMIT, -1, false, true, NULL)
#define F_alpha_multiplier LB_CONFIG_FIELD("alpha_multiplier", litert.alpha_multiplier, MULTIPLIER, -1, false, true, NULL)
#define F_alpha_shift LB_CONFIG_FIELD("alpha_shift", litert.alpha_shift, SHIFT, -1, false, true, NULL)
#define F_identity_multiplier LB_CONFIG_FIELD("identity_multiplier", litert.identity_multiplier, MULTIPLIER, -1, false, true, NULL)
#define F_identity_shift LB_CONFIG_FIELD("identity_shift", litert.identity_shift, SHIFT, -1, false, true, NULL)
#define F_zero LB_CONFIG_FIELD("zero", litert.zero, LIMIT, -1, false, true, NULL)
#define F_six LB_CONFIG_FIELD("six", litert.six, LIMIT, -1, false, true, NULL)
#define F_reluish_multiplier LB_CONFIG_FIELD("reluish_multiplier", litert.reluish_multiplier, MULTIPLIER, -1, false, true, NULL)
#define F_reluish_exponent LB_CONFIG_FIELD("reluish_exponent", litert.reluish_exponent, SHIFT, -1, false, true, NULL)
#define F_output_exponent LB_CONFIG_FIELD("output_exponent", litert.output_exponent, SHIFT, -1, false, true, NULL)
#define F_sum LB_CONFIG_FIELD("sum", litert.sum, FLAG, -1, false, true, NULL)
#define F_exponent LB_CONFIG_FIELD("exponent", litert.exponent, SHIFT, -1, false, true, NULL)
#define GEOMETRY F_stride_height, F_stride_width, F_padding_top, F_padding_left
#define DILATION F_dilation_height, F_dilation_width
#define LIMITS   F_activation_min, F_activation_max

#define KIND(name, ...) \
    [LB_CONFIG_LITERT_##name - LB_CONFIG_OF_LITERT] = {.fields = (const lb_config_field[]){__VA_ARGS__}, .use = LB_CONFIG_IS_ARGUMENTS}

const lb_config_form lb_litert_configs[LB_CONFIG_END_OF_LITERT - LB_CONFIG_OF_LITERT] = {
    KIND(conv_2d_s8, GEOMETRY, DILATION, F_input_offset, F_output_offset, LIMITS, {.name = NULL}),
    KIND(conv_2d_s16, GEOMETRY, DILATION, F_accumulator_bits, LIMITS, {.name = NULL}),
    KIND(depthwise_conv_2d_s8, GEOMETRY, DILATION, F_depth_multiplier, F_input_offset, F_output_offset, LIMITS,
         {.name = NULL}),
    KIND(depthwise_conv_2d_s16, GEOMETRY, DILATION, F_depth_multiplier, LIMITS, {.name = NULL}),
    KIND(transpose_conv_s8, GEOMETRY, F_input_offset, F_output_offset, LIMITS, {.name = NULL}),
    KIND(transpose_conv_s16, GEOMETRY, LIMITS, {.name = NULL}),
    KIND(fully_connected_s8, F_input_offset, F_weights_offset, F_output_offset, F_multiplier, F_shift, LIMITS,
         {.name = NULL}),
    KIND(fully_connected_per_channel_s8, F_input_offset, F_output_offset, LIMITS, {.name = NULL}),
    KIND(fully_connected_s16, F_input_offset, F_weights_offset, F_output_offset, F_accumulator_bits,
         F_multiplier, F_shift, LIMITS, {.name = NULL}),
    KIND(fully_connected_per_channel_s16, F_input_offset, F_output_offset, F_accumulator_bits, LIMITS,
         {.name = NULL}),
    KIND(pool, F_filter_height, F_filter_width, GEOMETRY, LIMITS, {.name = NULL}),
    KIND(add, F_input1_offset, F_input2_offset, F_output_offset, F_left_shift, F_input1_multiplier,
         F_input1_shift, F_input2_multiplier, F_input2_shift, F_output_multiplier, F_output_shift, LIMITS,
         {.name = NULL}),
    KIND(mul, F_input1_offset, F_input2_offset, F_output_offset, F_output_multiplier, F_output_shift, LIMITS,
         {.name = NULL}),
    KIND(softmax_s8, F_input_multiplier, F_input_left_shift, F_diff_min, {.name = NULL}),
    KIND(softmax_s16, F_input_multiplier, F_input_left_shift, {.name = NULL}),
    KIND(sigmoid_s8, F_input_zero_point, F_input_range_radius, F_input_multiplier, F_input_left_shift,
         {.name = NULL}),
    KIND(sigmoid_s16, F_input_multiplier, F_input_left_shift, {.name = NULL}),
    KIND(leaky_relu, F_input_zero_point, F_output_zero_point, F_alpha_multiplier, F_alpha_shift,
         F_identity_multiplier, F_identity_shift, {.name = NULL}),
    KIND(relu, F_input_zero_point, F_output_zero_point, F_multiplier, F_shift, LIMITS, {.name = NULL}),
    KIND(relu6, F_zero, F_six, {.name = NULL}),
    KIND(hard_swish, F_input_zero_point, F_output_zero_point, F_reluish_multiplier, F_reluish_exponent,
         F_output_multiplier, F_output_exponent, {.name = NULL}),
    KIND(requantize, F_multiplier, F_shift, F_input_zero_point, F_output_zero_point, {.name = NULL}),
    KIND(mean, F_input_zero_point, F_output_zero_point, F_multiplier, F_shift, F_sum, {.name = NULL}),
    KIND(l2_normalization, F_input_zero_point, {.name = NULL}),
    KIND(none, {.name = NULL}),
    KIND(exponent, F_exponent, {.name = NULL}),
    KIND(scale, F_multiplier, F_shift, {.name = NULL}),
};

/* clang-format on */
