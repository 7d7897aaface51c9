/* Functions in the shape of those of CMSIS-NN (litert.23.2), for tests of the adapter. */
#ifndef ARM_NNFUNCTIONS_H
#define ARM_NNFUNCTIONS_H

#include "arm_nn_types.h"

/* clang-format off */
typedef arm_cmsis_nn_status own_status;
#define OWN_TENSORS(T, B, ...) \
    const cmsis_nn_dims *in_dims, const T *in, const cmsis_nn_dims *filter_dims, const int8_t *filter, \
    const cmsis_nn_dims *bias_dims, const B *bias, __VA_ARGS__ const cmsis_nn_dims *out_dims, T *out
#define OWN_CONV(P) const cmsis_nn_context *ctx, const P *params, const cmsis_nn_per_channel_quant_params *quant
#define OWN_SIZES(P) const P *params, const cmsis_nn_dims *in_dims, const cmsis_nn_dims *filter_dims, const cmsis_nn_dims *out_dims
#define OWN_POOL(T) const cmsis_nn_context *ctx, const cmsis_nn_pool_params *params, const cmsis_nn_dims *in_dims, const T *in, \
    const cmsis_nn_dims *filter_dims, const cmsis_nn_dims *out_dims, T *out
#define OWN_ADD(T) const T *in1, const T *in2, int32_t in1_offset, int32_t in1_mult, int32_t in1_shift, int32_t in2_offset, \
    int32_t in2_mult, int32_t in2_shift, int32_t left_shift, T *out, int32_t out_offset, int32_t out_mult, int32_t out_shift, \
    int32_t act_min, int32_t act_max, int32_t n
#define OWN_MUL(T) const T *in1, const T *in2, int32_t in1_offset, int32_t in2_offset, T *out, int32_t out_offset, \
    int32_t out_mult, int32_t out_shift, int32_t act_min, int32_t act_max, int32_t n

own_status arm_convolve_wrapper_s8(OWN_CONV(cmsis_nn_conv_params), OWN_TENSORS(int8_t, int32_t, ));
own_status arm_convolve_s8(OWN_CONV(cmsis_nn_conv_params), OWN_TENSORS(int8_t, int32_t, const cmsis_nn_dims *upscale_dims,));
own_status arm_convolve_wrapper_s16(OWN_CONV(cmsis_nn_conv_params), OWN_TENSORS(int16_t, cmsis_nn_bias_data, ));
own_status arm_depthwise_conv_wrapper_s8(OWN_CONV(cmsis_nn_dw_conv_params), OWN_TENSORS(int8_t, int32_t, ));
own_status arm_depthwise_conv_wrapper_s16(OWN_CONV(cmsis_nn_dw_conv_params), OWN_TENSORS(int16_t, int64_t, ));
own_status arm_transpose_conv_wrapper_s8(const cmsis_nn_context *ctx, const cmsis_nn_context *output_ctx,
    const cmsis_nn_transpose_conv_params *params, const cmsis_nn_per_channel_quant_params *quant, OWN_TENSORS(int8_t, int32_t, ));
own_status arm_fully_connected_s8(const cmsis_nn_context *ctx, const cmsis_nn_fc_params *params,
    const cmsis_nn_per_tensor_quant_params *quant, OWN_TENSORS(int8_t, int32_t, ));
own_status arm_fully_connected_per_channel_s8(const cmsis_nn_context *ctx, const cmsis_nn_fc_params *params,
    const cmsis_nn_per_channel_quant_params *quant, OWN_TENSORS(int8_t, int32_t, ));
own_status arm_fully_connected_wrapper_s8(const cmsis_nn_context *ctx, const cmsis_nn_fc_params *params,
    const cmsis_nn_quant_params *quant, OWN_TENSORS(int8_t, int32_t, ));
own_status arm_fully_connected_s16(const cmsis_nn_context *ctx, const cmsis_nn_fc_params *params,
    const cmsis_nn_per_tensor_quant_params *quant, OWN_TENSORS(int16_t, int64_t, ));
own_status arm_avgpool_s8(OWN_POOL(int8_t));
own_status arm_avgpool_s16(OWN_POOL(int16_t));
own_status arm_max_pool_s8(OWN_POOL(int8_t));
own_status arm_max_pool_s16(OWN_POOL(int16_t));
own_status arm_elementwise_add_s8(OWN_ADD(int8_t));
own_status arm_elementwise_add_s16(OWN_ADD(int16_t));
own_status arm_elementwise_mul_s8(OWN_MUL(int8_t));
own_status arm_elementwise_mul_s16(OWN_MUL(int16_t));
void arm_softmax_s8(const int8_t *in, int32_t rows, int32_t row_size, int32_t mult, int32_t shift, int32_t diff_min, int8_t *out);
void arm_softmax_s8_s16(const int8_t *in, int32_t rows, int32_t row_size, int32_t mult, int32_t shift, int32_t diff_min, int16_t *out);
own_status arm_softmax_s16(const int16_t *in, int32_t rows, int32_t row_size, int32_t mult, int32_t shift,
    const cmsis_nn_softmax_lut_s16 *tables, int16_t *out);
own_status arm_nn_activation_s16(const int16_t *in, int16_t *out, int32_t n, int32_t left_shift, arm_nn_activation_type type);
own_status arm_vector_sum_s8(int32_t *sums, int32_t columns, int32_t rows, const int8_t *data, int32_t lhs_offset,
    int32_t rhs_offset, const int32_t *bias);

int32_t arm_convolve_wrapper_s8_get_buffer_size(OWN_SIZES(cmsis_nn_conv_params));
int32_t arm_convolve_s8_get_buffer_size(const cmsis_nn_dims *in_dims, const cmsis_nn_dims *filter_dims);
int32_t arm_convolve_wrapper_s16_get_buffer_size(OWN_SIZES(cmsis_nn_conv_params));
int32_t arm_depthwise_conv_wrapper_s8_get_buffer_size(OWN_SIZES(cmsis_nn_dw_conv_params));
int32_t arm_depthwise_conv_wrapper_s16_get_buffer_size(OWN_SIZES(cmsis_nn_dw_conv_params));
int32_t arm_transpose_conv_s8_get_buffer_size(OWN_SIZES(cmsis_nn_transpose_conv_params));
int32_t arm_transpose_conv_s8_get_reverse_conv_buffer_size(const cmsis_nn_transpose_conv_params *params,
    const cmsis_nn_dims *in_dims, const cmsis_nn_dims *filter_dims);
int32_t arm_fully_connected_s8_get_buffer_size(const cmsis_nn_dims *filter_dims);
int32_t arm_fully_connected_s16_get_buffer_size(const cmsis_nn_dims *filter_dims);
int32_t arm_avgpool_s8_get_buffer_size(int out_width, int channels);
int32_t arm_avgpool_s16_get_buffer_size(int out_width, int channels);
/* clang-format on */

#endif
