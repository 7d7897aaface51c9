/* What LiteRT's kernels are, row by row: their families, the fields of their configuration, and the
 * functions with the models of each. A new family begins here; what asks for all of a kind takes it
 * from these rows. Spec: litert.21.2. */
#ifndef LB_REFERENCE_LITERT_ROWS_H
#define LB_REFERENCE_LITERT_ROWS_H

/* clang-format off */

/* As the rows of describe/families.h. */
#define LB_LITERT_FAMILIES(X) \
    X(LITERT_CONV_2D, "litert_conv_2d", "litert.4", OWN, NONE, NONE, ONE, NONE, LITERT) \
    X(LITERT_DEPTHWISE_CONV_2D, "litert_depthwise_conv_2d", "litert.5", OWN, NONE, NONE, ONE, NONE, LITERT) \
    X(LITERT_TRANSPOSE_CONV, "litert_transpose_conv", "litert.6", OWN, NONE, NONE, ONE, NONE, LITERT) \
    X(LITERT_FULLY_CONNECTED, "litert_fully_connected", "litert.7", OWN, NONE, NONE, ONE, NONE, LITERT) \
    X(LITERT_AVERAGE_POOL_2D, "litert_average_pool_2d", "litert.8", OWN, NONE, NONE, ONE, NONE, LITERT) \
    X(LITERT_MAX_POOL_2D, "litert_max_pool_2d", "litert.8", OWN, NONE, NONE, NONE, NONE, LITERT) \
    X(LITERT_ADD, "litert_add", "litert.9", OWN, NONE, NONE, NONE, NONE, LITERT) \
    X(LITERT_MUL, "litert_mul", "litert.10", OWN, NONE, NONE, NONE, NONE, LITERT) \
    X(LITERT_SOFTMAX, "litert_softmax", "litert.11", OWN, NONE, NONE, ONE, NONE, LITERT) \
    X(LITERT_SIGMOID, "litert_sigmoid", "litert.13", OWN, NONE, NONE, NONE, NONE, LITERT) \
    X(LITERT_RELU, "litert_relu", "litert.16", OWN, NONE, NONE, NONE, NONE, LITERT) \
    X(LITERT_HARD_SWISH, "litert_hard_swish", "litert.17", OWN, NONE, NONE, NONE, NONE, LITERT) \
    X(LITERT_REQUANTIZE, "litert_requantize", "litert.18", OWN, NONE, NONE, NONE, NONE, LITERT) \
    X(LITERT_MEAN, "litert_mean", "litert.19", OWN, NONE, NONE, ONE, NONE, LITERT) \
    X(LITERT_L2_NORMALIZATION, "litert_l2_normalization", "litert.20", OWN, NONE, NONE, ONE, NONE, LITERT) \
    X(LITERT_FIXED_POINT, "litert_fixed_point", "litert.2", OWN, NONE, NONE, NONE, NONE, LITERT)

/* Member, sort of its number, dimension of an image that it is about (-1: none). */
#define LB_LITE_FIELDS(X) \
    X(stride_height, STEP, 1) \
    X(stride_width, STEP, 2) \
    X(padding_top, PADDING, 1) \
    X(padding_left, PADDING, 2) \
    X(dilation_height, GAP, 1) \
    X(dilation_width, GAP, 2) \
    X(depth_multiplier, SIZE, -1) \
    X(filter_height, SIZE, 1) \
    X(filter_width, SIZE, 2) \
    X(accumulator_bits, CHOICE, -1) \
    X(input_offset, ZERO_POINT, -1) \
    X(weights_offset, ZERO_POINT, -1) \
    X(output_offset, ZERO_POINT, -1) \
    X(input1_offset, ZERO_POINT, -1) \
    X(input2_offset, ZERO_POINT, -1) \
    X(left_shift, SHIFT, -1) \
    X(input1_multiplier, MULTIPLIER, -1) \
    X(input1_shift, SHIFT, -1) \
    X(input2_multiplier, MULTIPLIER, -1) \
    X(input2_shift, SHIFT, -1) \
    X(output_multiplier, MULTIPLIER, -1) \
    X(output_shift, SHIFT, -1) \
    X(activation_min, LIMIT, -1) \
    X(activation_max, LIMIT, -1) \
    X(multiplier, MULTIPLIER, -1) \
    X(shift, SHIFT, -1) \
    X(input_multiplier, MULTIPLIER, -1) \
    X(input_left_shift, SHIFT, -1) \
    X(diff_min, LIMIT, -1) \
    X(input_zero_point, ZERO_POINT, -1) \
    X(output_zero_point, ZERO_POINT, -1) \
    X(input_range_radius, LIMIT, -1) \
    X(alpha_multiplier, MULTIPLIER, -1) \
    X(alpha_shift, SHIFT, -1) \
    X(identity_multiplier, MULTIPLIER, -1) \
    X(identity_shift, SHIFT, -1) \
    X(zero, LIMIT, -1) \
    X(six, LIMIT, -1) \
    X(reluish_multiplier, MULTIPLIER, -1) \
    X(reluish_exponent, SHIFT, -1) \
    X(output_exponent, SHIFT, -1) \
    X(sum, FLAG, -1) \
    X(exponent, SHIFT, -1)

#define LB_LITE_GEOMETRY(F) F(stride_height) F(stride_width) F(padding_top) F(padding_left)
#define LB_LITE_DILATION(F) F(dilation_height) F(dilation_width)
#define LB_LITE_LIMITS(F)   F(activation_min) F(activation_max)

/* Kinds, with their members; U: the numbers that it mostly has, and the ends of what it can have. */
#define LB_LITE_KINDS(X, F, U) \
    X(conv_2d_s8, LB_LITE_GEOMETRY(F) LB_LITE_DILATION(F) F(input_offset) F(output_offset) LB_LITE_LIMITS(F)) \
    X(conv_2d_s16, LB_LITE_GEOMETRY(F) LB_LITE_DILATION(F) F(accumulator_bits) LB_LITE_LIMITS(F)) \
    X(depthwise_conv_2d_s8, LB_LITE_GEOMETRY(F) LB_LITE_DILATION(F) F(depth_multiplier) F(input_offset) F(output_offset) LB_LITE_LIMITS(F)) \
    X(depthwise_conv_2d_s16, LB_LITE_GEOMETRY(F) LB_LITE_DILATION(F) F(depth_multiplier) LB_LITE_LIMITS(F)) \
    X(transpose_conv_s8, LB_LITE_GEOMETRY(F) F(input_offset) F(output_offset) LB_LITE_LIMITS(F)) \
    X(transpose_conv_s16, LB_LITE_GEOMETRY(F) LB_LITE_LIMITS(F)) \
    X(fully_connected_s8, F(input_offset) F(weights_offset) F(output_offset) F(multiplier) F(shift) LB_LITE_LIMITS(F)) \
    X(fully_connected_per_channel_s8, F(input_offset) F(output_offset) LB_LITE_LIMITS(F)) \
    X(fully_connected_s16, F(input_offset) F(weights_offset) F(output_offset) F(accumulator_bits) F(multiplier) F(shift) LB_LITE_LIMITS(F)) \
    X(fully_connected_per_channel_s16, F(input_offset) F(output_offset) F(accumulator_bits) LB_LITE_LIMITS(F)) \
    X(pool, F(filter_height) F(filter_width) LB_LITE_GEOMETRY(F) LB_LITE_LIMITS(F)) \
    X(add, F(input1_offset) F(input2_offset) F(output_offset) F(left_shift) F(input1_multiplier) U(input1_shift, -4, 0, -31, 0) \
      F(input2_multiplier) U(input2_shift, -4, 0, -31, 0) F(output_multiplier) F(output_shift) LB_LITE_LIMITS(F)) \
    X(mul, F(input1_offset) F(input2_offset) F(output_offset) F(output_multiplier) F(output_shift) LB_LITE_LIMITS(F)) \
    X(softmax_s8, F(input_multiplier) U(input_left_shift, 20, 28, 0, 31) U(diff_min, -2047, -7, -65536, 0)) \
    X(softmax_s16, F(input_multiplier) U(input_left_shift, -3, 1, -31, 20)) \
    X(sigmoid_s8, F(input_zero_point) U(input_range_radius, 1, 255, 1, 32767) F(input_multiplier) U(input_left_shift, 16, 27, 0, 31)) \
    X(sigmoid_s16, U(input_multiplier, 1, 65535, 0, 65535) U(input_left_shift, 0, 14, 0, 14)) \
    X(leaky_relu, F(input_zero_point) F(output_zero_point) \
      U(alpha_multiplier, -INT32_MAX, INT32_MAX, INT32_MIN, INT32_MAX) U(alpha_shift, -6, 1, -31, 30) \
      F(identity_multiplier) F(identity_shift)) \
    X(relu, F(input_zero_point) F(output_zero_point) F(multiplier) F(shift) LB_LITE_LIMITS(F)) \
    X(relu6, F(zero) F(six)) \
    X(hard_swish, F(input_zero_point) F(output_zero_point) \
      U(reluish_multiplier, 1 << 14, INT16_MAX, INT16_MIN, INT16_MAX) U(reluish_exponent, -3, 5, -15, 31) \
      U(output_multiplier, 1 << 14, INT16_MAX, INT16_MIN, INT16_MAX) U(output_exponent, -8, 0, -15, 0)) \
    X(requantize, F(multiplier) F(shift) F(input_zero_point) F(output_zero_point)) \
    X(mean, F(input_zero_point) F(output_zero_point) F(multiplier) F(shift) F(sum)) \
    X(l2_normalization, F(input_zero_point)) \
    X(none, ) \
    X(exponent, U(exponent, 0, 31, 0, 31)) \
    X(scale, F(multiplier) F(shift))

/* The kernels: name, family, element types in and out, roles, kind of configuration, rules, map, exact model, real
 * model. */
#define LB_LITE_KERNELS(X) \
    X(conv_2d_s8, CONV_2D, S8, S8, per_channel, conv_2d_s8, conv_2d, conv_2d, weights, conv) \
    X(depthwise_conv_2d_s8, DEPTHWISE_CONV_2D, S8, S8, per_channel, depthwise_conv_2d_s8, depthwise_conv_2d, depthwise_conv_2d, weights, depthwise) \
    X(transpose_conv_s8, TRANSPOSE_CONV, S8, S8, per_channel, transpose_conv_s8, transpose_conv, transpose_conv, weights, transpose) \
    X(fully_connected_s8, FULLY_CONNECTED, S8, S8, weights, fully_connected_s8, fully_connected, fully_connected, weights, fully_connected) \
    X(fully_connected_per_channel_s8, FULLY_CONNECTED, S8, S8, per_channel, fully_connected_per_channel_s8, fully_connected, fully_connected, weights, fully_connected) \
    X(average_pool_2d_s8, AVERAGE_POOL_2D, S8, S8, one, pool, pool, pool, average_pool, average) \
    X(max_pool_2d_s8, MAX_POOL_2D, S8, S8, one, pool, pool, pool, max_pool, maximum) \
    X(add_s8, ADD, S8, S8, two, add, broadcast, broadcast, add, add) \
    X(sub_s8, ADD, S8, S8, two, add, broadcast, broadcast, sub, sub) \
    X(mul_s8, MUL, S8, S8, two, mul, broadcast, broadcast, mul, mul) \
    X(leaky_relu_s8, RELU, S8, S8, one, leaky_relu, same, by_place, leaky_relu, leaky_relu) \
    X(relu_s8, RELU, S8, S8, one, relu, same, by_place, relu, relu) \
    X(relu6_s8, RELU, S8, S8, one, relu6, same, by_place, relu6, relu6) \
    X(mean_s8, MEAN, S8, S8, reduce, mean, reduce, reduce, mean, mean) \
    X(logistic_s8, SIGMOID, S8, S8, one, sigmoid_s8, same, by_place, logistic_s8, logistic) \
    X(tanh_s8, SIGMOID, S8, S8, one, sigmoid_s8, same, by_place, tanh_s8, tanh) \
    X(conv_2d_s16, CONV_2D, S16, S16, per_channel, conv_2d_s16, conv_2d, conv_2d, weights, conv) \
    X(depthwise_conv_2d_s16, DEPTHWISE_CONV_2D, S16, S16, per_channel, depthwise_conv_2d_s16, depthwise_conv_2d, depthwise_conv_2d, weights, depthwise) \
    X(transpose_conv_s16, TRANSPOSE_CONV, S16, S16, per_channel, transpose_conv_s16, transpose_conv, transpose_conv, weights, transpose) \
    X(fully_connected_s16, FULLY_CONNECTED, S16, S16, weights, fully_connected_s16, fully_connected, fully_connected, weights, fully_connected) \
    X(fully_connected_per_channel_s16, FULLY_CONNECTED, S16, S16, per_channel, fully_connected_per_channel_s16, fully_connected, fully_connected, weights, fully_connected) \
    X(average_pool_2d_s16, AVERAGE_POOL_2D, S16, S16, one, pool, pool, pool, average_pool, average) \
    X(max_pool_2d_s16, MAX_POOL_2D, S16, S16, one, pool, pool, pool, max_pool, maximum) \
    X(add_s16, ADD, S16, S16, two, add, broadcast, broadcast, add, add) \
    X(sub_s16, ADD, S16, S16, two, add, broadcast, broadcast, sub, sub) \
    X(mul_s16, MUL, S16, S16, two, mul, broadcast, broadcast, mul, mul) \
    X(leaky_relu_s16, RELU, S16, S16, one, leaky_relu, same, by_place, leaky_relu, leaky_relu) \
    X(relu_s16, RELU, S16, S16, one, relu, same, by_place, relu, relu) \
    X(relu6_s16, RELU, S16, S16, one, relu6, same, by_place, relu6, relu6) \
    X(mean_s16, MEAN, S16, S16, reduce, mean, reduce, reduce, mean, mean) \
    X(logistic_s16, SIGMOID, S16, S16, one, sigmoid_s16, same, by_place, logistic_s16, logistic) \
    X(tanh_s16, SIGMOID, S16, S16, one, sigmoid_s16, same, by_place, tanh_s16, tanh) \
    X(softmax_s8, SOFTMAX, S8, S8, one, softmax_s8, same, rows, softmax_s8, softmax) \
    X(softmax_s8_s16, SOFTMAX, S8, S16, one, softmax_s8, same, rows, softmax_s8, softmax) \
    X(softmax_s16, SOFTMAX, S16, S16, one, softmax_s16, same, rows, softmax_s16, softmax) \
    X(hard_swish_s8, HARD_SWISH, S8, S8, one, hard_swish, same, by_place, hard_swish, hard_swish) \
    X(requantize_s8_s8, REQUANTIZE, S8, S8, one, requantize, same, by_place, requantize, requantize) \
    X(requantize_s16_s8, REQUANTIZE, S16, S8, one, requantize, same, by_place, requantize, requantize) \
    X(requantize_s32_s8, REQUANTIZE, S32, S8, one, requantize, same, by_place, requantize, requantize) \
    X(requantize_s8_s16, REQUANTIZE, S8, S16, one, requantize, same, by_place, requantize, requantize) \
    X(requantize_s16_s16, REQUANTIZE, S16, S16, one, requantize, same, by_place, requantize, requantize) \
    X(requantize_s32_s16, REQUANTIZE, S32, S16, one, requantize, same, by_place, requantize, requantize) \
    X(requantize_s8_s32, REQUANTIZE, S8, S32, one, requantize, same, by_place, requantize, requantize) \
    X(requantize_s16_s32, REQUANTIZE, S16, S32, one, requantize, same, by_place, requantize, requantize) \
    X(l2_normalization_s8, L2_NORMALIZATION, S8, S8, one, l2_normalization, same, rows, l2_normalization, l2_normalization)

/* Its fixed-point functions as kernels: without a real model. */
#define LB_LITE_FIXED_POINT(X) \
    X(doubling_high_mul_s32, FIXED_POINT, S32, S32, two, none, pairs, broadcast, doubling_high_mul, none) \
    X(doubling_high_mul_s16, FIXED_POINT, S16, S16, two, none, pairs, broadcast, doubling_high_mul, none) \
    X(rounding_divide_by_pot_s32, FIXED_POINT, S32, S32, one, exponent, same, by_place, rounding_divide, none) \
    X(scale_s32, FIXED_POINT, S32, S32, one, scale, same, by_place, scale_s32, none) \
    X(scale_smaller_than_one_s32, FIXED_POINT, S32, S32, one, scale, same, by_place, scale_smaller_than_one, none) \
    X(scale_greater_than_one_s32, FIXED_POINT, S32, S32, one, scale, same, by_place, scale_greater_than_one, none) \
    X(scale_s64, FIXED_POINT, S64, S32, one, scale, same, by_place, scale_s64, none) \
    X(exp_on_negative_q5, FIXED_POINT, S32, S32, one, none, same, by_place, exp_on_negative_q5, none) \
    X(exp_on_negative_q4, FIXED_POINT, S32, S32, one, none, same, by_place, exp_on_negative_q4, none) \
    X(one_over_one_plus_x, FIXED_POINT, S32, S32, one, none, same, by_place, one_over_one_plus_x, none) \
    X(one_minus_x_over_one_plus_x, FIXED_POINT, S32, S32, one, none, same, by_place, one_minus_x_over_one_plus_x, none) \
    X(logistic_q4, FIXED_POINT, S32, S32, one, none, same, by_place, logistic_q4, none) \
    X(tanh_q4, FIXED_POINT, S32, S32, one, none, same, by_place, tanh_q4, none) \
    X(reciprocal_q12, FIXED_POINT, S32, S32, reciprocal, none, same, by_place, reciprocal_q12, none) \
    X(inverse_square_root, FIXED_POINT, S32, S32, root, none, same, by_place, inverse_square_root, none)

/* clang-format on */

#endif
