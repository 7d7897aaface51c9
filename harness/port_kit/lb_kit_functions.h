/* The functions of the API, each with the shape of its call. A function's number on the wire is its
 * place in this list, from 0: new ones go to the end, where ci/write-derived puts them. Included by
 * the kit and by lastbit. */
#ifndef LB_KIT_FUNCTIONS_H
#define LB_KIT_FUNCTIONS_H

#include "lb_kit_litert.h"

/* clang-format off */
/* ci/write-derived: functions */
#define LB_KIT_FUNCTIONS(F) \
    F(conv2d, mli_krn_conv2d_hwcn_fx16) \
    F(conv2d, mli_krn_conv2d_hwcn_fx16_fx8_fx8) \
    F(conv2d, mli_krn_conv2d_hwcn_sa8_sa8_sa32) \
    F(conv2d, mli_krn_conv2d_hwcn_fx16_k1x1) \
    F(conv2d, mli_krn_conv2d_hwcn_fx16_fx8_fx8_k1x1) \
    F(conv2d, mli_krn_conv2d_hwcn_sa8_sa8_sa32_k1x1) \
    F(conv2d, mli_krn_conv2d_hwcn_fx16_k3x3) \
    F(conv2d, mli_krn_conv2d_hwcn_fx16_fx8_fx8_k3x3) \
    F(conv2d, mli_krn_conv2d_hwcn_sa8_sa8_sa32_k3x3) \
    F(conv2d, mli_krn_conv2d_hwcn_fx16_k5x5) \
    F(conv2d, mli_krn_conv2d_hwcn_fx16_fx8_fx8_k5x5) \
    F(conv2d, mli_krn_conv2d_hwcn_sa8_sa8_sa32_k5x5) \
    F(conv2d, mli_krn_depthwise_conv2d_hwcn_fx16) \
    F(conv2d, mli_krn_depthwise_conv2d_hwcn_fx16_fx8_fx8) \
    F(conv2d, mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32) \
    F(conv2d, mli_krn_depthwise_conv2d_hwcn_fx16_k3x3) \
    F(conv2d, mli_krn_depthwise_conv2d_hwcn_fx16_fx8_fx8_k3x3) \
    F(conv2d, mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32_k3x3) \
    F(conv2d, mli_krn_depthwise_conv2d_hwcn_fx16_k5x5) \
    F(conv2d, mli_krn_depthwise_conv2d_hwcn_fx16_fx8_fx8_k5x5) \
    F(conv2d, mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32_k5x5) \
    F(conv2d, mli_krn_group_conv2d_hwcn_fx16) \
    F(conv2d, mli_krn_group_conv2d_hwcn_fx16_fx8_fx8) \
    F(conv2d, mli_krn_group_conv2d_hwcn_sa8_sa8_sa32) \
    F(conv2d, mli_krn_group_conv2d_hwcn_fx16_k3x3) \
    F(conv2d, mli_krn_group_conv2d_hwcn_fx16_fx8_fx8_k3x3) \
    F(conv2d, mli_krn_group_conv2d_hwcn_sa8_sa8_sa32_k3x3) \
    F(conv2d, mli_krn_group_conv2d_hwcn_fx16_k5x5) \
    F(conv2d, mli_krn_group_conv2d_hwcn_fx16_fx8_fx8_k5x5) \
    F(conv2d, mli_krn_group_conv2d_hwcn_sa8_sa8_sa32_k5x5) \
    F(conv2d, mli_krn_transpose_conv2d_hwcn_fx16) \
    F(conv2d, mli_krn_transpose_conv2d_hwcn_fx16_fx8_fx8) \
    F(conv2d, mli_krn_transpose_conv2d_hwcn_sa8_sa8_sa32) \
    F(conv2d, mli_krn_transpose_conv2d_hwcn_fx16_k2x2_str2) \
    F(conv2d, mli_krn_transpose_conv2d_hwcn_fx16_fx8_fx8_k2x2_str2) \
    F(conv2d, mli_krn_transpose_conv2d_hwcn_sa8_sa8_sa32_k2x2_str2) \
    F(conv2d, mli_krn_transpose_conv2d_hwcn_fx16_k4x4_str2) \
    F(conv2d, mli_krn_transpose_conv2d_hwcn_fx16_fx8_fx8_k4x4_str2) \
    F(conv2d, mli_krn_transpose_conv2d_hwcn_sa8_sa8_sa32_k4x4_str2) \
    F(fully_connected, mli_krn_fully_connected_fx16) \
    F(fully_connected, mli_krn_fully_connected_fx16_fx8_fx8) \
    F(fully_connected, mli_krn_fully_connected_sa8_sa8_sa32) \
    F(fully_connected, mli_krn_fully_connected_sa8_sa8_sa32_ext_bias) \
    F(fully_connected, mli_krn_fully_connected_fx8) \
    F(rnn_dense, mli_krn_rnn_dense_fx16) \
    F(rnn_dense, mli_krn_rnn_dense_fx16_fx8_fx8) \
    F(rnn_dense, mli_krn_rnn_dense_sa8_sa8_sa32) \
    F(lstm, mli_krn_lstm_cell_fx16) \
    F(lstm, mli_krn_lstm_cell_fx16_fx8_fx8) \
    F(lstm, mli_krn_lstm_cell_sa8_sa8_sa32) \
    F(gru, mli_krn_gru_cell_fx16) \
    F(gru, mli_krn_gru_cell_fx16_fx8_fx8) \
    F(gru, mli_krn_gru_cell_sa8_sa8_sa32) \
    F(pool, mli_krn_maxpool_hwc_sa8) \
    F(pool, mli_krn_maxpool_hwc_fx8) \
    F(pool, mli_krn_maxpool_hwc_fx16) \
    F(pool, mli_krn_maxpool_hwc_sa8_k2x2) \
    F(pool, mli_krn_maxpool_hwc_fx8_k2x2) \
    F(pool, mli_krn_maxpool_hwc_fx16_k2x2) \
    F(pool, mli_krn_maxpool_hwc_sa8_k3x3) \
    F(pool, mli_krn_maxpool_hwc_fx8_k3x3) \
    F(pool, mli_krn_maxpool_hwc_fx16_k3x3) \
    F(pool, mli_krn_avepool_hwc_sa8) \
    F(pool, mli_krn_avepool_hwc_fx8) \
    F(pool, mli_krn_avepool_hwc_fx16) \
    F(pool, mli_krn_avepool_hwc_sa8_k2x2) \
    F(pool, mli_krn_avepool_hwc_fx8_k2x2) \
    F(pool, mli_krn_avepool_hwc_fx16_k2x2) \
    F(pool, mli_krn_avepool_hwc_sa8_k3x3) \
    F(pool, mli_krn_avepool_hwc_fx8_k3x3) \
    F(pool, mli_krn_avepool_hwc_fx16_k3x3) \
    F(argmax, mli_krn_argmax_sa8) \
    F(argmax, mli_krn_argmax_fx16) \
    F(relu, mli_krn_relu_sa8) \
    F(relu, mli_krn_relu_fx8) \
    F(relu, mli_krn_relu_fx16) \
    F(leaky_relu, mli_krn_leaky_relu_sa8) \
    F(leaky_relu, mli_krn_leaky_relu_fx8) \
    F(leaky_relu, mli_krn_leaky_relu_fx16) \
    F(prelu, mli_krn_prelu_sa8) \
    F(prelu, mli_krn_prelu_fx8) \
    F(prelu, mli_krn_prelu_fx16) \
    F(sigm, mli_krn_sigm_sa8) \
    F(sigm, mli_krn_sigm_fx8) \
    F(sigm, mli_krn_sigm_fx16) \
    F(tanh, mli_krn_tanh_sa8) \
    F(tanh, mli_krn_tanh_fx8) \
    F(tanh, mli_krn_tanh_fx16) \
    F(softmax, mli_krn_softmax_sa8) \
    F(softmax, mli_krn_softmax_fx8) \
    F(softmax, mli_krn_softmax_fx16) \
    F(l2_normalize, mli_krn_l2_normalize_sa8) \
    F(l2_normalize, mli_krn_l2_normalize_fx16) \
    F(eltwise, mli_krn_eltwise_add_sa8) \
    F(eltwise, mli_krn_eltwise_add_fx8) \
    F(eltwise, mli_krn_eltwise_add_fx16) \
    F(eltwise, mli_krn_eltwise_sub_sa8) \
    F(eltwise, mli_krn_eltwise_sub_fx8) \
    F(eltwise, mli_krn_eltwise_sub_fx16) \
    F(eltwise, mli_krn_eltwise_mul_sa8) \
    F(eltwise, mli_krn_eltwise_mul_fx8) \
    F(eltwise, mli_krn_eltwise_mul_fx16) \
    F(eltwise, mli_krn_eltwise_min_sa8) \
    F(eltwise, mli_krn_eltwise_min_fx8) \
    F(eltwise, mli_krn_eltwise_min_fx16) \
    F(eltwise, mli_krn_eltwise_max_sa8) \
    F(eltwise, mli_krn_eltwise_max_fx8) \
    F(eltwise, mli_krn_eltwise_max_fx16) \
    F(permute, mli_krn_permute_sa8) \
    F(permute, mli_krn_permute_fx8) \
    F(permute, mli_krn_permute_fx16) \
    F(create_lut, mli_krn_sigm_create_lut) \
    F(create_lut, mli_krn_tanh_create_lut) \
    F(create_lut, mli_krn_softmax_create_lut) \
    F(create_lut, mli_krn_l2_normalize_create_lut) \
    F(lut_size, mli_krn_sigm_get_lut_size) \
    F(lut_size, mli_krn_tanh_get_lut_size) \
    F(lut_size, mli_krn_softmax_get_lut_size) \
    F(lut_size, mli_krn_l2_normalize_get_lut_size) \
    F(convert, mli_hlp_convert_tensor) \
    F(convert, mli_hlp_convert_tensor_safx) \
    F(create_subtensor, mli_hlp_create_subtensor) \
    F(point_to_subtensor, mli_hlp_point_to_subtensor) \
    F(count_elem_num, mli_hlp_count_elem_num) \
    F(element_size, mli_hlp_tensor_element_size) \
    F(data_ptr_cmp, mli_hlp_tensor_data_ptr_cmp) \
    F(scale, mli_hlp_tensor_scale) \
    F(scale, mli_hlp_tensor_scale_shift) \
    F(zero_offset, mli_hlp_tensor_zero_offset) \
    F(set_mem_strides, mli_hlp_set_tensor_mem_strides) \
    F(guard_bits, mli_hlp_accu_guard_bits_sa8_sa8) \
    F(guard_bits, mli_hlp_accu_guard_bits_fx16_fx16) \
    F(guard_bits, mli_hlp_accu_guard_bits_fx16_fx8) \
    F(mov_sync, mli_mov_tensor_sync) \
    F(mov_cfg_copy, mli_mov_cfg_for_copy) \
    F(mov_cfg_slice, mli_mov_cfg_for_slice) \
    F(mov_cfg_concat, mli_mov_cfg_for_concat) \
    F(mov_cfg_subsample, mli_mov_cfg_for_subsample) \
    F(mov_cfg_permute, mli_mov_cfg_for_permute) \
    F(mov_cfg_padding2d, mli_mov_cfg_for_padding2d_chw) \
    F(mov_cfg_padding2d, mli_mov_cfg_for_padding2d_hwc) \
    F(mov_cfg_all, mli_mov_cfg_all) \
    F(mov_set_num_dma_ch, mli_mov_set_num_dma_ch) \
    F(mov_acquire_handle, mli_mov_acquire_handle) \
    F(mov_prepare, mli_mov_prepare) \
    F(mov_registercallback, mli_mov_registercallback) \
    F(mov_prepare, mli_mov_start) \
    F(mov_isdone, mli_mov_isdone) \
    F(mov_wait, mli_mov_wait) \
    F(mov_wait, mli_mov_release_handle) \
    LB_KIT_EXT_FUNCTIONS(F)
/* ci/write-derived: end */

/* No part of the API: element formats beside those of MLI. A port has them with -DLB_WITH_ext. */
#define LB_KIT_EXT_FUNCTIONS(F) \
    F(ext, mli_ext_cast_fp32_float4e2m1) \
    F(ext, mli_ext_cast_fp32_float4e2m1_nan_library) \
    F(ext, mli_ext_cast_float16_float4e2m1) \
    F(ext, mli_ext_cast_bfloat16_float4e2m1) \
    F(ext, mli_ext_cast_float8e4m3fn_float4e2m1) \
    F(ext, mli_ext_cast_float8e5m2_float4e2m1) \
    F(ext, mli_ext_cast_float4e2m1_fp32) \
    F(ext, mli_ext_cast_float4e2m1_float16) \
    F(ext, mli_ext_cast_float4e2m1_bfloat16) \
    F(ext, mli_ext_cast_float4e2m1_float8e4m3fn) \
    F(ext, mli_ext_cast_float4e2m1_float8e5m2) \
    F(ext, mli_ext_pack_float4e2m1) \
    F(ext, mli_ext_pack_int4) \
    F(ext, mli_ext_pack_uint4) \
    F(ext, mli_ext_unpack_float4e2m1) \
    F(ext, mli_ext_unpack_int4) \
    F(ext, mli_ext_unpack_uint4) \
    F(ext, mli_ext_mxfp4_scales) \
    F(ext, mli_ext_mxfp4_elements) \
    F(ext_blocks, mli_ext_mxfp4_values)
/* clang-format on */

/* The words of each shape's configuration, in the order in which they go over the wire; "*4" is a
 * list. NULL: such functions are no kernels, and no kernel with an interface of its own takes their
 * place. */
/* ci/write-derived: configurations */
#define LB_KIT_CONFIG_conv2d                                                                       \
    "relu stride_width stride_height padding_left padding_right padding_top padding_bottom "       \
    "dilation_width dilation_height"
#define LB_KIT_CONFIG_fully_connected "relu"
#define LB_KIT_CONFIG_rnn_dense       "inputs_num"
#define LB_KIT_CONFIG_lstm            "direction results act scratch_bytes"
#define LB_KIT_CONFIG_gru             "direction results act scratch_bytes"
#define LB_KIT_CONFIG_pool                                                                         \
    "kernel_width kernel_height stride_width stride_height padding_left padding_right "            \
    "padding_top padding_bottom"
#define LB_KIT_CONFIG_argmax       "axis topk"
#define LB_KIT_CONFIG_relu         "type"
#define LB_KIT_CONFIG_leaky_relu   ""
#define LB_KIT_CONFIG_prelu        "axis"
#define LB_KIT_CONFIG_sigm         ""
#define LB_KIT_CONFIG_tanh         ""
#define LB_KIT_CONFIG_softmax      "axis"
#define LB_KIT_CONFIG_l2_normalize "axis"
#define LB_KIT_CONFIG_eltwise      ""
#define LB_KIT_CONFIG_permute      "perm_dim*4"
#define LB_KIT_CONFIG_convert      ""
#define LB_KIT_CONFIG_mov_sync                                                                     \
    "offset*4 size*4 sub_sample_step*4 dst_offset*4 dst_mem_stride*4 perm_dim*4 padding_pre*4 "    \
    "padding_post*4"
#define LB_KIT_CONFIG_ext        ""
#define LB_KIT_CONFIG_ext_blocks ""
/* ci/write-derived: end */
#define LB_KIT_CONFIG_create_lut           NULL
#define LB_KIT_CONFIG_lut_size             NULL
#define LB_KIT_CONFIG_create_subtensor     NULL
#define LB_KIT_CONFIG_point_to_subtensor   NULL
#define LB_KIT_CONFIG_count_elem_num       NULL
#define LB_KIT_CONFIG_element_size         NULL
#define LB_KIT_CONFIG_data_ptr_cmp         NULL
#define LB_KIT_CONFIG_scale                NULL
#define LB_KIT_CONFIG_zero_offset          NULL
#define LB_KIT_CONFIG_set_mem_strides      NULL
#define LB_KIT_CONFIG_guard_bits           NULL
#define LB_KIT_CONFIG_mov_cfg_copy         NULL
#define LB_KIT_CONFIG_mov_cfg_slice        NULL
#define LB_KIT_CONFIG_mov_cfg_concat       NULL
#define LB_KIT_CONFIG_mov_cfg_subsample    NULL
#define LB_KIT_CONFIG_mov_cfg_permute      NULL
#define LB_KIT_CONFIG_mov_cfg_padding2d    NULL
#define LB_KIT_CONFIG_mov_cfg_all          NULL
#define LB_KIT_CONFIG_mov_set_num_dma_ch   NULL
#define LB_KIT_CONFIG_mov_acquire_handle   NULL
#define LB_KIT_CONFIG_mov_prepare          NULL
#define LB_KIT_CONFIG_mov_registercallback NULL
#define LB_KIT_CONFIG_mov_isdone           NULL
#define LB_KIT_CONFIG_mov_wait             NULL

#endif
