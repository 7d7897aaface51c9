/* What LiteRT adds to the configuration of a call (describe/config.h): members, each an int32, and
 * kinds. Spec: litert.21.2. */
#ifndef LB_REFERENCE_LITERT_CONFIG_H
#define LB_REFERENCE_LITERT_CONFIG_H

#include <stdint.h>

/* Member, sort of its number, dimension of an image that it is about (-1: none). */
/* clang-format off */
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

/* Kinds, with their members. */
#define LB_LITE_KINDS(X, F) \
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
    X(add, F(input1_offset) F(input2_offset) F(output_offset) F(left_shift) F(input1_multiplier) F(input1_shift) \
      F(input2_multiplier) F(input2_shift) F(output_multiplier) F(output_shift) LB_LITE_LIMITS(F)) \
    X(mul, F(input1_offset) F(input2_offset) F(output_offset) F(output_multiplier) F(output_shift) LB_LITE_LIMITS(F)) \
    X(softmax_s8, F(input_multiplier) F(input_left_shift) F(diff_min)) \
    X(softmax_s16, F(input_multiplier) F(input_left_shift)) \
    X(sigmoid_s8, F(input_zero_point) F(input_range_radius) F(input_multiplier) F(input_left_shift)) \
    X(sigmoid_s16, F(input_multiplier) F(input_left_shift)) \
    X(leaky_relu, F(input_zero_point) F(output_zero_point) F(alpha_multiplier) F(alpha_shift) F(identity_multiplier) F(identity_shift)) \
    X(relu, F(input_zero_point) F(output_zero_point) F(multiplier) F(shift) LB_LITE_LIMITS(F)) \
    X(relu6, F(zero) F(six)) \
    X(hard_swish, F(input_zero_point) F(output_zero_point) F(reluish_multiplier) F(reluish_exponent) F(output_multiplier) F(output_exponent)) \
    X(requantize, F(multiplier) F(shift) F(input_zero_point) F(output_zero_point)) \
    X(mean, F(input_zero_point) F(output_zero_point) F(multiplier) F(shift) F(sum)) \
    X(l2_normalization, F(input_zero_point)) \
    X(none, ) \
    X(exponent, F(exponent)) \
    X(scale, F(multiplier) F(shift))
/* clang-format on */

#define LB_LITE_FIELD_CODE(name, sort, dimension) LB_LITE_##name,
typedef enum lb_lite_field { LB_LITE_FIELDS(LB_LITE_FIELD_CODE) LB_LITE_FIELD_COUNT } lb_lite_field;

/* By name, and by number. */
#define LB_LITE_MEMBER(name, sort, dimension) int32_t name;
#define LB_LITERT_CONFIG                                                                           \
    struct {                                                                                       \
        LB_LITE_FIELDS(LB_LITE_MEMBER)                                                             \
    } litert;                                                                                      \
    int32_t of_litert[LB_LITE_FIELD_COUNT];

#define LB_LITE_KIND_CODE(name, members) LB_CONFIG_LITERT_##name,
enum {
    LB_CONFIG_OF_LITERT = 64,
    LB_CONFIG_BEFORE_LITERT = LB_CONFIG_OF_LITERT - 1,
    LB_LITE_KINDS(LB_LITE_KIND_CODE, ) LB_CONFIG_END_OF_LITERT
};

#endif
