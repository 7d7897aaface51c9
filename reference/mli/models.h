/* The models and rule lists of all families, for the rows of kernels.c. Each family has its files:
 * exact_<family>.c, real_<family>.c, rules_<family>.c. A model finds its variant in call->kernel.
 * What an exact and a real model may rely on and what they give: kernels.h (lb_exact_fn,
 * lb_real_fn). */
#ifndef LB_REFERENCE_MODELS_H
#define LB_REFERENCE_MODELS_H

#include "describe/kernels.h"

#define LB_EXACT_MODEL(name) void name(const lb_context *context, lb_call *call)
#define LB_REAL_MODEL(name)                                                                        \
    void name(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)

/* ---- fully connected: conv.md 3, 4, 10, 11, 15 ---- */
LB_REAL_MODEL(lb_real_fully_connected);
extern const lb_rule lb_rules_fully_connected_fx[];
extern const lb_rule lb_rules_fully_connected_sa8[];

/* ---- relu, leaky_relu, prelu: elementwise.md 2, 3, 4 ---- */
LB_EXACT_MODEL(lb_exact_relu);
LB_EXACT_MODEL(lb_exact_leaky_relu);
LB_EXACT_MODEL(lb_exact_prelu);
LB_REAL_MODEL(lb_real_relu);
LB_REAL_MODEL(lb_real_leaky_relu);
LB_REAL_MODEL(lb_real_prelu);
extern const lb_rule lb_rules_relu_fx[];
extern const lb_rule lb_rules_relu_sa8[];
extern const lb_rule lb_rules_leaky_relu_fx[];
extern const lb_rule lb_rules_leaky_relu_sa8[];
extern const lb_rule lb_rules_prelu_fx[];
extern const lb_rule lb_rules_prelu_sa8[];

/* ---- eltwise: elementwise.md 2, 5 ---- */
LB_EXACT_MODEL(lb_exact_eltwise);
LB_REAL_MODEL(lb_real_eltwise);
extern const lb_rule lb_rules_eltwise_fx[]; /* add, sub, mul */
extern const lb_rule lb_rules_eltwise_sa8[];
extern const lb_rule lb_rules_eltwise_pick_fx[]; /* min, max */
extern const lb_rule lb_rules_eltwise_pick_sa8[];

/* ---- conv2d, depthwise, group, transpose convolution: conv.md 3 to 9, 11, 15 ---- */
LB_EXACT_MODEL(lb_exact_weighted);
LB_REAL_MODEL(lb_real_conv2d);
/* _kernel: of the specializations, which ask for their kernel size too */
extern const lb_rule lb_rules_conv2d_fx[];
extern const lb_rule lb_rules_conv2d_fx_kernel[];
extern const lb_rule lb_rules_conv2d_sa8[];
extern const lb_rule lb_rules_conv2d_sa8_kernel[];
extern const lb_rule lb_rules_depthwise_fx[];
extern const lb_rule lb_rules_depthwise_fx_kernel[];
extern const lb_rule lb_rules_depthwise_sa8[];
extern const lb_rule lb_rules_depthwise_sa8_kernel[];
extern const lb_rule lb_rules_group_fx[];
extern const lb_rule lb_rules_group_fx_kernel[];
extern const lb_rule lb_rules_group_sa8[];
extern const lb_rule lb_rules_group_sa8_kernel[];
extern const lb_rule lb_rules_transpose_fx[];
extern const lb_rule lb_rules_transpose_fx_kernel[];
extern const lb_rule lb_rules_transpose_sa8[];
extern const lb_rule lb_rules_transpose_sa8_kernel[];

/* ---- maxpool, avepool: pooling_and_movement.md 2 ---- */
LB_EXACT_MODEL(lb_exact_maxpool);
LB_EXACT_MODEL(lb_exact_avepool);
LB_REAL_MODEL(lb_real_maxpool);
LB_REAL_MODEL(lb_real_avepool);
extern const lb_rule lb_rules_pool_fx[];
extern const lb_rule lb_rules_maxpool_sa8[];
extern const lb_rule lb_rules_avepool_sa8[];

/* ---- permute: pooling_and_movement.md 3 ---- */
LB_EXACT_MODEL(lb_exact_permute);
LB_REAL_MODEL(lb_real_permute);
extern const lb_rule lb_rules_permute_fx[];
extern const lb_rule lb_rules_permute_sa8[];

/* ---- convert_tensor, convert_tensor_safx: numerics.md 7 ---- */
LB_EXACT_MODEL(lb_exact_convert);
LB_REAL_MODEL(lb_real_convert);
extern const lb_rule lb_rules_convert[];
extern const lb_rule lb_rules_convert_safx[];

/* ---- helpers: numerics.md 4.4, 8 ---- */
LB_EXACT_MODEL(lb_exact_create_subtensor);
LB_EXACT_MODEL(lb_exact_point_to_subtensor);
extern const lb_rule lb_rules_create_subtensor[];
extern const lb_rule lb_rules_point_to_subtensor[];
LB_EXACT_MODEL(lb_exact_count_elem_num);
LB_EXACT_MODEL(lb_exact_element_size);
LB_EXACT_MODEL(lb_exact_data_ptr_cmp);
LB_EXACT_MODEL(lb_exact_tensor_scale);
LB_EXACT_MODEL(lb_exact_tensor_scale_shift);
LB_EXACT_MODEL(lb_exact_tensor_zero_offset);
LB_EXACT_MODEL(lb_exact_guard_bits_sa8_sa8);
LB_EXACT_MODEL(lb_exact_guard_bits_fx16_fx16);
LB_EXACT_MODEL(lb_exact_guard_bits_fx16_fx8);
LB_EXACT_MODEL(lb_exact_set_mem_strides);
extern const lb_rule lb_rules_getter[]; /* of the tensor; of an entry of its lists */
extern const lb_rule lb_rules_getter_of_entry[];
extern const lb_rule lb_rules_compare[];
extern const lb_rule lb_rules_set_strides[];

/* ---- movement: pooling_and_movement.md 4, 5 (6: mov_state.h). lb_exact_mov may end with a status
 * of its own ---- */
LB_EXACT_MODEL(lb_exact_mov);
extern const lb_rule lb_rules_mov[];
LB_EXACT_MODEL(lb_exact_mov_cfg_for_copy);
LB_EXACT_MODEL(lb_exact_mov_cfg_for_slice);
LB_EXACT_MODEL(lb_exact_mov_cfg_for_concat);
LB_EXACT_MODEL(lb_exact_mov_cfg_for_subsample);
LB_EXACT_MODEL(lb_exact_mov_cfg_for_permute);
LB_EXACT_MODEL(lb_exact_mov_cfg_for_padding2d_chw);
LB_EXACT_MODEL(lb_exact_mov_cfg_for_padding2d_hwc);
LB_EXACT_MODEL(lb_exact_mov_cfg_all);
extern const lb_rule lb_rules_mov_cfg[];

/* ---- sigm, tanh: recurrent.md 3, 4 ---- */
LB_EXACT_MODEL(lb_exact_activation);
LB_REAL_MODEL(lb_real_activation);
extern const lb_rule lb_rules_activation_fx[];
extern const lb_rule lb_rules_activation_sa8[];

/* ---- sizes of the look-up tables: recurrent.md 3, elementwise.md 6 ---- */
LB_EXACT_MODEL(lb_exact_lut_size);
LB_EXACT_MODEL(lb_exact_create_lut);
/* The type is written before anything is checked: what a call writes that is refused. */
void lb_refused_create_lut(lb_call *call);
extern const lb_rule lb_rules_create_lut[];

/* ---- softmax, l2_normalize: elementwise.md 2, 7, 8 ---- */
LB_EXACT_MODEL(lb_exact_softmax);     /* sa8, fx16 */
LB_EXACT_MODEL(lb_exact_softmax_fx8); /* writes zeros */
LB_EXACT_MODEL(lb_exact_l2_normalize);
LB_REAL_MODEL(lb_real_softmax);
LB_REAL_MODEL(lb_real_l2_normalize);
extern const lb_rule lb_rules_softmax_fx[];
extern const lb_rule lb_rules_l2_normalize_fx[];
extern const lb_rule lb_rules_softmax_sa8[];
extern const lb_rule lb_rules_l2_normalize_sa8[];

/* ---- argmax: elementwise.md 2, 9 ---- */
LB_EXACT_MODEL(lb_exact_argmax);
extern const lb_rule lb_rules_argmax_fx[];
extern const lb_rule lb_rules_argmax_sa8[];

/* ---- rnn_dense, LSTM, GRU: recurrent.md 5 to 8 ---- */
LB_REAL_MODEL(lb_real_rnn_dense);
LB_REAL_MODEL(lb_real_lstm);
LB_REAL_MODEL(lb_real_gru);
extern const lb_rule lb_rules_rnn_dense_fx[];
extern const lb_rule lb_rules_rnn_dense_sa8[];
extern const lb_rule lb_rules_lstm_fx[];
extern const lb_rule lb_rules_lstm_sa8[];
extern const lb_rule lb_rules_gru_fx[];
extern const lb_rule lb_rules_gru_sa8[];

/* ---- Element formats: exact_float4.c, rules_float4.c ---- */

extern const lb_rule lb_rules_float4[];
extern const lb_rule lb_rules_mxfp4_values[];
void lb_exact_float4(const lb_context *context, lb_call *call);
void lb_exact_mxfp4_values(const lb_context *context, lb_call *call);

#endif
