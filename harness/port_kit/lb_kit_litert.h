/* The functions of LiteRT, each with the shape of its call (its name is that of its first
 * function), and of each shape the names of its words of configuration. A function's number on the
 * wire is LB_WIRE_LITERT * LB_WIRE_SET_NUMBERS and its place in this list: new ones go to the end.
 * ci/write-derived writes both. */
#ifndef LB_KIT_LITERT_H
#define LB_KIT_LITERT_H

/* clang-format off */
#define LB_KIT_LITERT_FUNCTIONS(F) \
    F(litert_conv_2d_s8, litert_conv_2d_s8) \
    F(litert_depthwise_conv_2d_s8, litert_depthwise_conv_2d_s8) \
    F(litert_transpose_conv_s8, litert_transpose_conv_s8) \
    F(litert_fully_connected_s8, litert_fully_connected_s8) \
    F(litert_fully_connected_per_channel_s8, litert_fully_connected_per_channel_s8) \
    F(litert_average_pool_2d_s8, litert_average_pool_2d_s8) \
    F(litert_average_pool_2d_s8, litert_max_pool_2d_s8) \
    F(litert_add_s8, litert_add_s8) \
    F(litert_add_s8, litert_sub_s8) \
    F(litert_mul_s8, litert_mul_s8) \
    F(litert_leaky_relu_s8, litert_leaky_relu_s8) \
    F(litert_relu_s8, litert_relu_s8) \
    F(litert_relu6_s8, litert_relu6_s8) \
    F(litert_mean_s8, litert_mean_s8) \
    F(litert_logistic_s8, litert_logistic_s8) \
    F(litert_logistic_s8, litert_tanh_s8) \
    F(litert_conv_2d_s16, litert_conv_2d_s16) \
    F(litert_depthwise_conv_2d_s16, litert_depthwise_conv_2d_s16) \
    F(litert_transpose_conv_s16, litert_transpose_conv_s16) \
    F(litert_fully_connected_s16, litert_fully_connected_s16) \
    F(litert_fully_connected_per_channel_s16, litert_fully_connected_per_channel_s16) \
    F(litert_average_pool_2d_s8, litert_average_pool_2d_s16) \
    F(litert_average_pool_2d_s8, litert_max_pool_2d_s16) \
    F(litert_add_s8, litert_add_s16) \
    F(litert_add_s8, litert_sub_s16) \
    F(litert_mul_s8, litert_mul_s16) \
    F(litert_leaky_relu_s8, litert_leaky_relu_s16) \
    F(litert_relu_s8, litert_relu_s16) \
    F(litert_relu6_s8, litert_relu6_s16) \
    F(litert_mean_s8, litert_mean_s16) \
    F(litert_logistic_s16, litert_logistic_s16) \
    F(litert_logistic_s16, litert_tanh_s16) \
    F(litert_softmax_s8, litert_softmax_s8) \
    F(litert_softmax_s8, litert_softmax_s8_s16) \
    F(litert_logistic_s16, litert_softmax_s16) \
    F(litert_hard_swish_s8, litert_hard_swish_s8) \
    F(litert_requantize_s8_s8, litert_requantize_s8_s8) \
    F(litert_requantize_s8_s8, litert_requantize_s16_s8) \
    F(litert_requantize_s8_s8, litert_requantize_s32_s8) \
    F(litert_requantize_s8_s8, litert_requantize_s8_s16) \
    F(litert_requantize_s8_s8, litert_requantize_s16_s16) \
    F(litert_requantize_s8_s8, litert_requantize_s32_s16) \
    F(litert_requantize_s8_s8, litert_requantize_s8_s32) \
    F(litert_requantize_s8_s8, litert_requantize_s16_s32) \
    F(litert_l2_normalization_s8, litert_l2_normalization_s8) \
    F(litert_doubling_high_mul_s32, litert_doubling_high_mul_s32) \
    F(litert_doubling_high_mul_s32, litert_doubling_high_mul_s16) \
    F(litert_rounding_divide_by_pot_s32, litert_rounding_divide_by_pot_s32) \
    F(litert_scale_s32, litert_scale_s32) \
    F(litert_scale_s32, litert_scale_smaller_than_one_s32) \
    F(litert_scale_s32, litert_scale_greater_than_one_s32) \
    F(litert_scale_s32, litert_scale_s64) \
    F(litert_doubling_high_mul_s32, litert_exp_on_negative_q5) \
    F(litert_doubling_high_mul_s32, litert_exp_on_negative_q4) \
    F(litert_doubling_high_mul_s32, litert_one_over_one_plus_x) \
    F(litert_doubling_high_mul_s32, litert_one_minus_x_over_one_plus_x) \
    F(litert_doubling_high_mul_s32, litert_logistic_q4) \
    F(litert_doubling_high_mul_s32, litert_tanh_q4) \
    F(litert_doubling_high_mul_s32, litert_reciprocal_q12) \
    F(litert_doubling_high_mul_s32, litert_inverse_square_root)

#define LB_KIT_CONFIG_litert_conv_2d_s8 \
    "stride_height stride_width padding_top padding_left dilation_height dilation_width input_offset output_offset activation_min activation_max"
#define LB_KIT_CONFIG_litert_depthwise_conv_2d_s8 \
    "stride_height stride_width padding_top padding_left dilation_height dilation_width depth_multiplier input_offset output_offset activation_min activation_max"
#define LB_KIT_CONFIG_litert_transpose_conv_s8 \
    "stride_height stride_width padding_top padding_left input_offset output_offset activation_min activation_max"
#define LB_KIT_CONFIG_litert_fully_connected_s8 \
    "input_offset weights_offset output_offset multiplier shift activation_min activation_max"
#define LB_KIT_CONFIG_litert_fully_connected_per_channel_s8 \
    "input_offset output_offset activation_min activation_max"
#define LB_KIT_CONFIG_litert_average_pool_2d_s8 \
    "filter_height filter_width stride_height stride_width padding_top padding_left activation_min activation_max"
#define LB_KIT_CONFIG_litert_add_s8 \
    "input1_offset input2_offset output_offset left_shift input1_multiplier input1_shift input2_multiplier input2_shift output_multiplier output_shift activation_min activation_max"
#define LB_KIT_CONFIG_litert_mul_s8 \
    "input1_offset input2_offset output_offset output_multiplier output_shift activation_min activation_max"
#define LB_KIT_CONFIG_litert_leaky_relu_s8 \
    "input_zero_point output_zero_point alpha_multiplier alpha_shift identity_multiplier identity_shift"
#define LB_KIT_CONFIG_litert_relu_s8 \
    "input_zero_point output_zero_point multiplier shift activation_min activation_max"
#define LB_KIT_CONFIG_litert_relu6_s8 \
    "zero six"
#define LB_KIT_CONFIG_litert_mean_s8 \
    "input_zero_point output_zero_point multiplier shift sum"
#define LB_KIT_CONFIG_litert_logistic_s8 \
    "input_zero_point input_range_radius input_multiplier input_left_shift"
#define LB_KIT_CONFIG_litert_conv_2d_s16 \
    "stride_height stride_width padding_top padding_left dilation_height dilation_width accumulator_bits activation_min activation_max"
#define LB_KIT_CONFIG_litert_depthwise_conv_2d_s16 \
    "stride_height stride_width padding_top padding_left dilation_height dilation_width depth_multiplier activation_min activation_max"
#define LB_KIT_CONFIG_litert_transpose_conv_s16 \
    "stride_height stride_width padding_top padding_left activation_min activation_max"
#define LB_KIT_CONFIG_litert_fully_connected_s16 \
    "input_offset weights_offset output_offset accumulator_bits multiplier shift activation_min activation_max"
#define LB_KIT_CONFIG_litert_fully_connected_per_channel_s16 \
    "input_offset output_offset accumulator_bits activation_min activation_max"
#define LB_KIT_CONFIG_litert_logistic_s16 \
    "input_multiplier input_left_shift"
#define LB_KIT_CONFIG_litert_softmax_s8 \
    "input_multiplier input_left_shift diff_min"
#define LB_KIT_CONFIG_litert_hard_swish_s8 \
    "input_zero_point output_zero_point reluish_multiplier reluish_exponent output_multiplier output_exponent"
#define LB_KIT_CONFIG_litert_requantize_s8_s8 \
    "multiplier shift input_zero_point output_zero_point"
#define LB_KIT_CONFIG_litert_l2_normalization_s8 \
    "input_zero_point"
#define LB_KIT_CONFIG_litert_doubling_high_mul_s32 \
    ""
#define LB_KIT_CONFIG_litert_rounding_divide_by_pot_s32 \
    "exponent"
#define LB_KIT_CONFIG_litert_scale_s32 \
    "multiplier shift"
/* clang-format on */

#endif
