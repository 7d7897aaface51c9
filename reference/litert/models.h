/* LiteRT's kernels, row by row, with the models of each; and what models ask of a row. */
#ifndef LB_REFERENCE_LITERT_MODELS_H
#define LB_REFERENCE_LITERT_MODELS_H

#include "fields.h"

/* Does the configuration of the function have the field? */
bool lb_lite_has_field(const lb_kernel *kernel, lb_lite_field field);
/* What a field that is a zero point, or minus one, or a limit can be (litert.1.3, litert.1.5);
 * false: it is something else. */
bool lb_lite_type_range(const lb_kernel *kernel, lb_lite_field field, int64_t *low, int64_t *high);

/* clang-format off */

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

#define LB_LITE_EXACT(name, family, in, out, roles, kind, rules, map, exact, real)                 \
    void lb_lite_exact_##exact(const lb_context *context, lb_call *call);
LB_LITE_KERNELS(LB_LITE_EXACT)
LB_LITE_FIXED_POINT(LB_LITE_EXACT)

/* In real arithmetic (real.h): of all that are no fixed-point functions. */
void lb_lite_real_model(const lb_context *context, const lb_call *call, lb_real_outputs *outputs);

#endif
