/* The integer kernels of LiteRT (TensorFlow Lite, TensorFlow Lite for Microcontrollers): int8 and
 * int16 activations, int8 weights, at integer level. What every bit must be, and what is undefined:
 * the specification of the set, whose sections (litert.2.3) are named here.
 *
 * The interface has the shape that most ports have, that of CMSIS-NN (litert.23): offsets are added
 * (minus the zero point of an input, plus that of the output), a positive shift is to the left,
 * tiles have their width first, padding is that before the data. Three things differ: the context,
 * which every kernel takes first, holds the profile in place of a buffer, for no kernel needs one;
 * additions and multiplications take their numbers in a structure, and broadcast; what CMSIS-NN
 * lacks is here.
 *
 * Tensors are dense, the last dimension fastest: activations NHWC, filters OHWI (of depthwise
 * convolutions [1, H, W, channels of the output]). Output may be the input for kernels that work
 * element by element; no other buffers overlap.
 *
 * Nothing is allocated, nothing is global: any number of threads may call. No call has undefined
 * behaviour of C, whatever the numbers in its tensors, provided that pointers lead to as many
 * elements as the dimensions say. Where the specification leaves the result undefined (litert.1.5),
 * sums and results wrap to 32 bits. */
#ifndef LB_LITERT_H
#define LB_LITERT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What every kernel returns. */
typedef enum lb_litert_status {
    LB_LITERT_SUCCESS = 0,
    /** A NULL pointer, a dimension below 0 or that does not go with the others, a multiplier below
     * 0, a shift or an offset out of its range, limits in the wrong order: nothing is written. */
    LB_LITERT_ARG_ERROR = -1,
    /** Numbers for which nothing is defined (softmax, average pooling): what is written means
     * nothing. */
    LB_LITERT_FAILURE = -3
} lb_litert_status;

/** How 32-bit sums are scaled (litert.1.4): rounded twice, the default of LiteRT, or once. */
typedef enum lb_litert_profile { LB_LITERT_DOUBLE, LB_LITERT_SINGLE } lb_litert_profile;

/** What every kernel takes first. NULL: all fields 0. */
typedef struct lb_litert_context {
    lb_litert_profile profile;
} lb_litert_context;

/** Element types of activations. */
typedef enum lb_litert_type { LB_LITERT_S8, LB_LITERT_S16, LB_LITERT_S32 } lb_litert_type;

/** Dimensions of a tensor: batches, height, width, channels. */
typedef struct lb_litert_dims {
    int32_t n, h, w, c;
} lb_litert_dims;

/** A number for each direction: of strides, paddings, dilations. */
typedef struct lb_litert_tile {
    int32_t w, h;
} lb_litert_tile;

/** Limits of the output (litert.2.6), within the range of its type. */
typedef struct lb_litert_activation {
    int32_t min, max;
} lb_litert_activation;

/** A multiplier and a shift for each channel of the output (litert.2.3). */
typedef struct lb_litert_per_channel_quant {
    const int32_t *multiplier, *shift;
} lb_litert_per_channel_quant;

/** A multiplier and a shift for all elements. */
typedef struct lb_litert_per_tensor_quant {
    int32_t multiplier, shift;
} lb_litert_per_tensor_quant;

/** Bias of kernels with int16 activations. Its type decides how wide the sums are: int32_t, with
 * the whole multiplier, or int64_t, with 16 bits of it (litert.4). data NULL: no bias. */
typedef struct lb_litert_bias {
    const void *data;
    bool is_int32;
} lb_litert_bias;

/* ---- Kernels with weights ---- */

/** conv_2d. Offsets are those of int8 kernels; 0 for int16. */
typedef struct lb_litert_conv_params {
    int32_t input_offset, output_offset;
    lb_litert_tile stride, padding, dilation;
    lb_litert_activation activation;
} lb_litert_conv_params;

/** depthwise_conv_2d: ch_mult channels of the output for each of the input. */
typedef struct lb_litert_dw_conv_params {
    int32_t input_offset, output_offset, ch_mult;
    lb_litert_tile stride, padding, dilation;
    lb_litert_activation activation;
} lb_litert_dw_conv_params;

/** transpose_conv. */
typedef struct lb_litert_transpose_conv_params {
    int32_t input_offset, output_offset;
    lb_litert_tile stride, padding;
    lb_litert_activation activation;
} lb_litert_transpose_conv_params;

/** fully_connected. filter_offset: minus the zero point of the weights, 0 in models. */
typedef struct lb_litert_fc_params {
    int32_t input_offset, filter_offset, output_offset;
    lb_litert_activation activation;
} lb_litert_fc_params;

/** Convolution of int8 (litert.4), with groups where the filter has fewer channels than the input.
 * Filter: n the channels of the output, c those of the input in one group. bias may be NULL; its
 * dimensions are not looked at. */
lb_litert_status lb_litert_convolve_s8(const lb_litert_context *ctx,
                                       const lb_litert_conv_params *params,
                                       const lb_litert_per_channel_quant *quant,
                                       const lb_litert_dims *input_dims, const int8_t *input,
                                       const lb_litert_dims *filter_dims, const int8_t *filter,
                                       const lb_litert_dims *bias_dims, const int32_t *bias,
                                       const lb_litert_dims *output_dims, int8_t *output);

/** Convolution of int16 (litert.4), as lb_litert_convolve_s8; offsets must be 0. */
lb_litert_status lb_litert_convolve_s16(const lb_litert_context *ctx,
                                        const lb_litert_conv_params *params,
                                        const lb_litert_per_channel_quant *quant,
                                        const lb_litert_dims *input_dims, const int16_t *input,
                                        const lb_litert_dims *filter_dims, const int8_t *filter,
                                        const lb_litert_dims *bias_dims, const lb_litert_bias *bias,
                                        const lb_litert_dims *output_dims, int16_t *output);

/** Depthwise convolution of int8 (litert.5). Filter: n 1, c the channels of the output. */
lb_litert_status lb_litert_depthwise_conv_s8(
    const lb_litert_context *ctx, const lb_litert_dw_conv_params *params,
    const lb_litert_per_channel_quant *quant, const lb_litert_dims *input_dims, const int8_t *input,
    const lb_litert_dims *filter_dims, const int8_t *filter, const lb_litert_dims *bias_dims,
    const int32_t *bias, const lb_litert_dims *output_dims, int8_t *output);

/** Depthwise convolution of int16 (litert.5), sums of 64 bits; offsets must be 0. */
lb_litert_status
lb_litert_depthwise_conv_s16(const lb_litert_context *ctx, const lb_litert_dw_conv_params *params,
                             const lb_litert_per_channel_quant *quant,
                             const lb_litert_dims *input_dims, const int16_t *input,
                             const lb_litert_dims *filter_dims, const int8_t *filter,
                             const lb_litert_dims *bias_dims, const int64_t *bias,
                             const lb_litert_dims *output_dims, int16_t *output);

/** Transposed convolution of int8 (litert.6). Any size of the output and any padding will do. */
lb_litert_status lb_litert_transpose_conv_s8(
    const lb_litert_context *ctx, const lb_litert_transpose_conv_params *params,
    const lb_litert_per_channel_quant *quant, const lb_litert_dims *input_dims, const int8_t *input,
    const lb_litert_dims *filter_dims, const int8_t *filter, const lb_litert_dims *bias_dims,
    const int32_t *bias, const lb_litert_dims *output_dims, int8_t *output);

/** Transposed convolution of int16 (litert.6), sums of 64 bits; offsets must be 0. */
lb_litert_status lb_litert_transpose_conv_s16(
    const lb_litert_context *ctx, const lb_litert_transpose_conv_params *params,
    const lb_litert_per_channel_quant *quant, const lb_litert_dims *input_dims,
    const int16_t *input, const lb_litert_dims *filter_dims, const int8_t *filter,
    const lb_litert_dims *bias_dims, const int64_t *bias, const lb_litert_dims *output_dims,
    int16_t *output);

/** fully_connected of int8 (litert.7). Input and output: n rows; filter: n the elements of a row of
 * the input, c the outputs of a row. The other dimensions are not looked at. bias may be NULL. */
lb_litert_status lb_litert_fully_connected_s8(
    const lb_litert_context *ctx, const lb_litert_fc_params *params,
    const lb_litert_per_tensor_quant *quant, const lb_litert_dims *input_dims, const int8_t *input,
    const lb_litert_dims *filter_dims, const int8_t *filter, const lb_litert_dims *bias_dims,
    const int32_t *bias, const lb_litert_dims *output_dims, int8_t *output);

/** The same with a multiplier and a shift for each output; filter_offset must be 0. */
lb_litert_status lb_litert_fully_connected_per_channel_s8(
    const lb_litert_context *ctx, const lb_litert_fc_params *params,
    const lb_litert_per_channel_quant *quant, const lb_litert_dims *input_dims, const int8_t *input,
    const lb_litert_dims *filter_dims, const int8_t *filter, const lb_litert_dims *bias_dims,
    const int32_t *bias, const lb_litert_dims *output_dims, int8_t *output);

/** fully_connected of int16 (litert.7); all three offsets count. */
lb_litert_status lb_litert_fully_connected_s16(
    const lb_litert_context *ctx, const lb_litert_fc_params *params,
    const lb_litert_per_tensor_quant *quant, const lb_litert_dims *input_dims, const int16_t *input,
    const lb_litert_dims *filter_dims, const int8_t *filter, const lb_litert_dims *bias_dims,
    const lb_litert_bias *bias, const lb_litert_dims *output_dims, int16_t *output);

/** The same with a multiplier and a shift for each output; filter_offset must be 0. */
lb_litert_status lb_litert_fully_connected_per_channel_s16(
    const lb_litert_context *ctx, const lb_litert_fc_params *params,
    const lb_litert_per_channel_quant *quant, const lb_litert_dims *input_dims,
    const int16_t *input, const lb_litert_dims *filter_dims, const int8_t *filter,
    const lb_litert_dims *bias_dims, const lb_litert_bias *bias, const lb_litert_dims *output_dims,
    int16_t *output);

/* ---- Windows and rows ---- */

/** Pooling. */
typedef struct lb_litert_pool_params {
    lb_litert_tile stride, padding;
    lb_litert_activation activation;
} lb_litert_pool_params;

/** Average pooling (litert.8). Of filter_dims h and w count. A window without a valid element:
 * LB_LITERT_FAILURE. */
lb_litert_status lb_litert_avgpool_s8(const lb_litert_context *ctx,
                                      const lb_litert_pool_params *params,
                                      const lb_litert_dims *input_dims, const int8_t *input,
                                      const lb_litert_dims *filter_dims,
                                      const lb_litert_dims *output_dims, int8_t *output);
lb_litert_status lb_litert_avgpool_s16(const lb_litert_context *ctx,
                                       const lb_litert_pool_params *params,
                                       const lb_litert_dims *input_dims, const int16_t *input,
                                       const lb_litert_dims *filter_dims,
                                       const lb_litert_dims *output_dims, int16_t *output);

/** Maximum pooling (litert.8). A window without a valid element has the lowest value. */
lb_litert_status lb_litert_max_pool_s8(const lb_litert_context *ctx,
                                       const lb_litert_pool_params *params,
                                       const lb_litert_dims *input_dims, const int8_t *input,
                                       const lb_litert_dims *filter_dims,
                                       const lb_litert_dims *output_dims, int8_t *output);
lb_litert_status lb_litert_max_pool_s16(const lb_litert_context *ctx,
                                        const lb_litert_pool_params *params,
                                        const lb_litert_dims *input_dims, const int16_t *input,
                                        const lb_litert_dims *filter_dims,
                                        const lb_litert_dims *output_dims, int16_t *output);

/** Softmax of int8 over rows of row_size elements (litert.11), results in int8 or int16. A sum for
 * which nothing is defined: LB_LITERT_FAILURE. */
lb_litert_status lb_litert_softmax_s8(const lb_litert_context *ctx, const int8_t *input,
                                      int32_t rows, int32_t row_size, int32_t mult, int32_t shift,
                                      int32_t diff_min, int8_t *output);
lb_litert_status lb_litert_softmax_s8_s16(const lb_litert_context *ctx, const int8_t *input,
                                          int32_t rows, int32_t row_size, int32_t mult,
                                          int32_t shift, int32_t diff_min, int16_t *output);

/** The tables of lb_litert_softmax_s16: 513 entries each. */
typedef struct lb_litert_softmax_lut_s16 {
    const int16_t *exp_lut, *one_by_one_lut;
} lb_litert_softmax_lut_s16;

/** Softmax of int16 (litert.12). lut NULL: the tables of LiteRT. A sum beyond int32:
 * LB_LITERT_FAILURE. */
lb_litert_status lb_litert_softmax_s16(const lb_litert_context *ctx, const int16_t *input,
                                       int32_t rows, int32_t row_size, int32_t mult, int32_t shift,
                                       const lb_litert_softmax_lut_s16 *lut, int16_t *output);

/** Most dimensions that mean and sum take. */
enum { LB_LITERT_MAX_RANK = 8 };

/** mean and sum (litert.19). */
typedef struct lb_litert_mean_params {
    int32_t input_zero_point, output_zero_point, multiplier, shift;
    bool sum; /**< sums, not means */
} lb_litert_mean_params;

/** Mean or sum over the dimensions that axis names (litert.19): a negative one counts from the end,
 * a repeated one counts once. A dimension of 0 that is reduced: LB_LITERT_ARG_ERROR, unless nothing
 * is written. */
lb_litert_status lb_litert_mean_s8(const lb_litert_context *ctx,
                                   const lb_litert_mean_params *params, int32_t rank,
                                   const int32_t *shape, const int8_t *input, int32_t axis_count,
                                   const int32_t *axis, int8_t *output);
lb_litert_status lb_litert_mean_s16(const lb_litert_context *ctx,
                                    const lb_litert_mean_params *params, int32_t rank,
                                    const int32_t *shape, const int16_t *input, int32_t axis_count,
                                    const int32_t *axis, int16_t *output);

/** L2 normalization over rows (litert.20). */
lb_litert_status lb_litert_l2_normalization_s8(const lb_litert_context *ctx, const int8_t *input,
                                               int32_t rows, int32_t row_size,
                                               int32_t input_zero_point, int8_t *output);

/* ---- Element by element ---- */

/** add and sub (litert.9): shifts of at most 0, left_shift from 0 to 30. */
typedef struct lb_litert_add_params {
    int32_t input1_offset, input1_multiplier, input1_shift;
    int32_t input2_offset, input2_multiplier, input2_shift;
    int32_t left_shift;
    int32_t output_offset, output_multiplier, output_shift;
    lb_litert_activation activation;
} lb_litert_add_params;

/** mul (litert.10). */
typedef struct lb_litert_mul_params {
    int32_t input1_offset, input2_offset;
    int32_t output_offset, output_multiplier, output_shift;
    lb_litert_activation activation;
} lb_litert_mul_params;

/** Addition, subtraction and multiplication. A dimension of an input is that of the output, or 1:
 * its element repeats then. Of plain vectors n, h and w are 1. */
lb_litert_status lb_litert_add_s8(const lb_litert_context *ctx, const lb_litert_add_params *params,
                                  const lb_litert_dims *input1_dims, const int8_t *input1,
                                  const lb_litert_dims *input2_dims, const int8_t *input2,
                                  const lb_litert_dims *output_dims, int8_t *output);
lb_litert_status lb_litert_add_s16(const lb_litert_context *ctx, const lb_litert_add_params *params,
                                   const lb_litert_dims *input1_dims, const int16_t *input1,
                                   const lb_litert_dims *input2_dims, const int16_t *input2,
                                   const lb_litert_dims *output_dims, int16_t *output);
lb_litert_status lb_litert_sub_s8(const lb_litert_context *ctx, const lb_litert_add_params *params,
                                  const lb_litert_dims *input1_dims, const int8_t *input1,
                                  const lb_litert_dims *input2_dims, const int8_t *input2,
                                  const lb_litert_dims *output_dims, int8_t *output);
lb_litert_status lb_litert_sub_s16(const lb_litert_context *ctx, const lb_litert_add_params *params,
                                   const lb_litert_dims *input1_dims, const int16_t *input1,
                                   const lb_litert_dims *input2_dims, const int16_t *input2,
                                   const lb_litert_dims *output_dims, int16_t *output);
lb_litert_status lb_litert_mul_s8(const lb_litert_context *ctx, const lb_litert_mul_params *params,
                                  const lb_litert_dims *input1_dims, const int8_t *input1,
                                  const lb_litert_dims *input2_dims, const int8_t *input2,
                                  const lb_litert_dims *output_dims, int8_t *output);
lb_litert_status lb_litert_mul_s16(const lb_litert_context *ctx, const lb_litert_mul_params *params,
                                   const lb_litert_dims *input1_dims, const int16_t *input1,
                                   const lb_litert_dims *input2_dims, const int16_t *input2,
                                   const lb_litert_dims *output_dims, int16_t *output);

/** logistic and tanh of int8 (litert.13): beyond -+input_range_radius the ends of the output. */
typedef struct lb_litert_sigmoid_params {
    int32_t input_zero_point, input_range_radius, input_multiplier, input_left_shift;
} lb_litert_sigmoid_params;

/** logistic and tanh of `size` elements. Those of int16 (litert.14) take a shift to the right,
 * 0..30, or with multiplier 0 one to the left, whatever its name says. */
lb_litert_status lb_litert_logistic_s8(const lb_litert_context *ctx,
                                       const lb_litert_sigmoid_params *params, const int8_t *input,
                                       size_t size, int8_t *output);
lb_litert_status lb_litert_tanh_s8(const lb_litert_context *ctx,
                                   const lb_litert_sigmoid_params *params, const int8_t *input,
                                   size_t size, int8_t *output);
lb_litert_status lb_litert_logistic_s16(const lb_litert_context *ctx, int32_t input_multiplier,
                                        int32_t input_left_shift, const int16_t *input, size_t size,
                                        int16_t *output);
lb_litert_status lb_litert_tanh_s16(const lb_litert_context *ctx, int32_t input_multiplier,
                                    int32_t input_left_shift, const int16_t *input, size_t size,
                                    int16_t *output);

/** leaky_relu (litert.15). alpha_multiplier may be negative. */
typedef struct lb_litert_leaky_relu_params {
    int32_t input_zero_point, output_zero_point;
    int32_t alpha_multiplier, alpha_shift, identity_multiplier, identity_shift;
} lb_litert_leaky_relu_params;

lb_litert_status lb_litert_leaky_relu_s8(const lb_litert_context *ctx,
                                         const lb_litert_leaky_relu_params *params,
                                         const int8_t *input, size_t size, int8_t *output);
lb_litert_status lb_litert_leaky_relu_s16(const lb_litert_context *ctx,
                                          const lb_litert_leaky_relu_params *params,
                                          const int16_t *input, size_t size, int16_t *output);

/** relu with requantization (litert.16). */
typedef struct lb_litert_relu_params {
    int32_t input_zero_point, output_zero_point, multiplier, shift;
    lb_litert_activation activation;
} lb_litert_relu_params;

lb_litert_status lb_litert_relu_s8(const lb_litert_context *ctx,
                                   const lb_litert_relu_params *params, const int8_t *input,
                                   size_t size, int8_t *output);
lb_litert_status lb_litert_relu_s16(const lb_litert_context *ctx,
                                    const lb_litert_relu_params *params, const int16_t *input,
                                    size_t size, int16_t *output);

/** relu6 (litert.16): limits alone, the containers that stand for 0 and 6. */
lb_litert_status lb_litert_relu6_s8(const lb_litert_context *ctx, int32_t zero, int32_t six,
                                    const int8_t *input, size_t size, int8_t *output);
lb_litert_status lb_litert_relu6_s16(const lb_litert_context *ctx, int32_t zero, int32_t six,
                                     const int16_t *input, size_t size, int16_t *output);

/** hard_swish (litert.17): reluish_exponent from -15 to 31, output_exponent from -15 to 0. */
typedef struct lb_litert_hard_swish_params {
    int32_t input_zero_point, output_zero_point;
    int32_t reluish_multiplier, reluish_exponent, output_multiplier, output_exponent;
} lb_litert_hard_swish_params;

lb_litert_status lb_litert_hard_swish_s8(const lb_litert_context *ctx,
                                         const lb_litert_hard_swish_params *params,
                                         const int8_t *input, size_t size, int8_t *output);

/** requantize (litert.18). */
typedef struct lb_litert_requantize_params {
    int32_t multiplier, shift, input_zero_point, output_zero_point;
} lb_litert_requantize_params;

/** requantize of `size` elements, from one type to another: any of the three to S8 and S16, S8 and
 * S16 to S32. In place only where the type stays. */
lb_litert_status lb_litert_requantize(const lb_litert_context *ctx,
                                      const lb_litert_requantize_params *params,
                                      lb_litert_type input_type, const void *input, size_t size,
                                      lb_litert_type output_type, void *output);

/* ---- Preparing: from the scales of a model to integers (litert.22) ---- */

/** What an output does with what it is given (litert.22.2). */
typedef enum lb_litert_fused {
    LB_LITERT_NONE,
    LB_LITERT_RELU,
    LB_LITERT_RELU6,
    LB_LITERT_RELU_N1_TO_1
} lb_litert_fused;

/** A value is scale * (container - zero_point); scale above 0. */
typedef struct lb_litert_quantization {
    float scale;
    int32_t zero_point;
} lb_litert_quantization;

/** Multiplier and shift of a real number (litert.22.1). What is too small is 0 with shift 0. */
lb_litert_per_tensor_quant lb_litert_prepare_multiplier(lb_litert_profile profile, double real);

/** Limits of an output (litert.22.2). */
lb_litert_activation lb_litert_prepare_activation(lb_litert_type type, lb_litert_fused fused,
                                                  lb_litert_quantization output);

/** One direction of a window. */
typedef struct lb_litert_padding {
    int32_t out, before, after_extra;
} lb_litert_padding;

/** Size of the output and padding (litert.22.3), of "same" or of "valid" windows; all 0 where a
 * size is refused. Of transpose_conv: `in` is its output's size, the dilation 1, and `before` its
 * padding. Filter, stride and dilation are above 0. */
lb_litert_padding lb_litert_prepare_padding(bool same, int32_t in, int32_t filter, int32_t stride,
                                            int32_t dilation);

/** Multipliers and shifts of convolutions, of all kinds, and of fully_connected with a scale for
 * each output (litert.22.4): filter_scale, multiplier and shift have `channels` elements. */
void lb_litert_prepare_conv(lb_litert_profile profile, float input_scale, const float *filter_scale,
                            size_t channels, float output_scale, int32_t *multiplier,
                            int32_t *shift);

/** Multiplier and shift of fully_connected with one scale for all weights (litert.22.4). */
lb_litert_per_tensor_quant lb_litert_prepare_fully_connected(lb_litert_profile profile,
                                                             float input_scale, float filter_scale,
                                                             float output_scale);

/** Parameters of add and of sub, whose rounding differs (litert.22.5); of S8 and S16. Scales that
 * they cannot have: LB_LITERT_ARG_ERROR. */
lb_litert_status lb_litert_prepare_add(lb_litert_profile profile, lb_litert_type type,
                                       lb_litert_quantization input1, lb_litert_quantization input2,
                                       lb_litert_quantization output, lb_litert_fused fused,
                                       lb_litert_add_params *params);
lb_litert_status lb_litert_prepare_sub(lb_litert_profile profile, lb_litert_type type,
                                       lb_litert_quantization input1, lb_litert_quantization input2,
                                       lb_litert_quantization output, lb_litert_fused fused,
                                       lb_litert_add_params *params);

/** Parameters of mul (litert.22.5). */
lb_litert_mul_params lb_litert_prepare_mul(lb_litert_profile profile, lb_litert_type type,
                                           lb_litert_quantization input1,
                                           lb_litert_quantization input2,
                                           lb_litert_quantization output, lb_litert_fused fused);

/** Multiplier, shift and least difference of softmax of int8 (litert.22.6). An input whose scale
 * times beta is 2^-26 or less: LB_LITERT_ARG_ERROR. */
lb_litert_status lb_litert_prepare_softmax_s8(lb_litert_profile profile, float input_scale,
                                              float beta, lb_litert_per_tensor_quant *quant,
                                              int32_t *diff_min);

/** Multiplier and shift of softmax of int16 (litert.22.6). */
lb_litert_per_tensor_quant lb_litert_prepare_softmax_s16(lb_litert_profile profile,
                                                         float input_scale, float beta);

/** Parameters of logistic and of tanh of int8 (litert.22.7). A scale for which the radius is no
 * int32: LB_LITERT_ARG_ERROR. */
lb_litert_status lb_litert_prepare_sigmoid_s8(lb_litert_quantization input,
                                              lb_litert_sigmoid_params *params);

/** Multiplier and shift of logistic and of tanh of int16 (litert.22.7). */
lb_litert_per_tensor_quant lb_litert_prepare_logistic_s16(float input_scale);
lb_litert_per_tensor_quant lb_litert_prepare_tanh_s16(float input_scale);

/** Parameters of leaky_relu, relu and hard_swish (litert.22.8). An output exponent of hard_swish
 * above 0: LB_LITERT_ARG_ERROR. */
lb_litert_leaky_relu_params lb_litert_prepare_leaky_relu(lb_litert_profile profile,
                                                         lb_litert_quantization input, float alpha,
                                                         lb_litert_quantization output);
lb_litert_relu_params lb_litert_prepare_relu(lb_litert_profile profile, lb_litert_type type,
                                             lb_litert_quantization input,
                                             lb_litert_quantization output);
lb_litert_status lb_litert_prepare_hard_swish(lb_litert_profile profile,
                                              lb_litert_quantization input,
                                              lb_litert_quantization output,
                                              lb_litert_hard_swish_params *params);

/** The containers of 0 and 6 (litert.22.8), of S8 and S16. */
void lb_litert_prepare_relu6(lb_litert_type type, lb_litert_quantization input, int32_t *zero,
                             int32_t *six);

/** Multiplier and shift of requantize and mean (litert.22.9). */
lb_litert_per_tensor_quant lb_litert_prepare_requantize(lb_litert_profile profile,
                                                        float input_scale, float output_scale);

#ifdef __cplusplus
}
#endif

#endif
