/* The rows of the table of all 151 public functions and 20 extensions, in the order of api.md 4.1
 * to 4.3, each by its whole name: its family, how it is called, and what its rules (lb_rules_NAME),
 * exact model (lb_exact_NAME) and real model (lb_real_NAME) are called; none: it has none.
 * Who includes this says with ROW what becomes of a row. */

/* clang-format off */

/* With weights and bias. */
#define WEIGHTED(NAME, FAMILY, VARIANT, SPECIAL, SIZE, ROLES, CONFIG, RULES, EXACT, REAL)          \
    ROW(NAME, FAMILY, VARIANT, SPECIAL, NONE, W_##VARIANT, SIZE, ROLES, CONFIG, true, RULES, EXACT,  \
        REAL, NULL)
/* One element type throughout. */
#define SIMPLE(NAME, FAMILY, VARIANT, SPECIAL, OPERATION, SIZE, ROLES, CONFIG, RULES, EXACT, REAL) \
    ROW(NAME, FAMILY, VARIANT, SPECIAL, OPERATION, T_##VARIANT, SIZE, ROLES, CONFIG, true, RULES,  \
        EXACT, REAL, NULL)
/* Functions that are not kernels. */
#define CALL(NAME, FAMILY, ROLES, CONFIG, STATUS, RULES, EXACT, REAL)                              \
    ROW(NAME, FAMILY, , NONE, NONE, T_, 0, ROLES, CONFIG, STATUS, RULES, EXACT, REAL, NULL)
/* It fills the memory of an mli_lut, here the buffer of `out`, and the structure's other fields. */
#define CREATE_LUT(NAME)                                                                           \
    ROW(NAME, LUT, , NONE, NONE, T_, 0, table, TABLE, true, create_lut, create_lut, none,          \
        lb_refused_create_lut)
#define FLOAT4(NAME) CALL(NAME, FLOAT4, unary, NONE, true, float4, float4, none)

WEIGHTED(mli_krn_conv2d_hwcn_fx16, CONV2D, fx16, NONE, 0, weighted, CONV2D, conv2d_fx, weighted, conv2d)
WEIGHTED(mli_krn_conv2d_hwcn_fx16_fx8_fx8, CONV2D, fx16_fx8_fx8, NONE, 0, weighted, CONV2D, conv2d_fx, weighted, conv2d)
WEIGHTED(mli_krn_conv2d_hwcn_sa8_sa8_sa32, CONV2D, sa8_sa8_sa32, NONE, 0, weighted, CONV2D, conv2d_sa8, weighted, conv2d)
WEIGHTED(mli_krn_conv2d_hwcn_fx16_k1x1, CONV2D, fx16, K1X1, 1, weighted, CONV2D, conv2d_fx_kernel, weighted, conv2d)
WEIGHTED(mli_krn_conv2d_hwcn_fx16_fx8_fx8_k1x1, CONV2D, fx16_fx8_fx8, K1X1, 1, weighted, CONV2D, conv2d_fx_kernel, weighted, conv2d)
WEIGHTED(mli_krn_conv2d_hwcn_sa8_sa8_sa32_k1x1, CONV2D, sa8_sa8_sa32, K1X1, 1, weighted, CONV2D, conv2d_sa8_kernel, weighted, conv2d)
WEIGHTED(mli_krn_conv2d_hwcn_fx16_k3x3, CONV2D, fx16, K3X3, 3, weighted, CONV2D, conv2d_fx_kernel, weighted, conv2d)
WEIGHTED(mli_krn_conv2d_hwcn_fx16_fx8_fx8_k3x3, CONV2D, fx16_fx8_fx8, K3X3, 3, weighted, CONV2D, conv2d_fx_kernel, weighted, conv2d)
WEIGHTED(mli_krn_conv2d_hwcn_sa8_sa8_sa32_k3x3, CONV2D, sa8_sa8_sa32, K3X3, 3, weighted, CONV2D, conv2d_sa8_kernel, weighted, conv2d)
WEIGHTED(mli_krn_conv2d_hwcn_fx16_k5x5, CONV2D, fx16, K5X5, 5, weighted, CONV2D, conv2d_fx_kernel, weighted, conv2d)
WEIGHTED(mli_krn_conv2d_hwcn_fx16_fx8_fx8_k5x5, CONV2D, fx16_fx8_fx8, K5X5, 5, weighted, CONV2D, conv2d_fx_kernel, weighted, conv2d)
WEIGHTED(mli_krn_conv2d_hwcn_sa8_sa8_sa32_k5x5, CONV2D, sa8_sa8_sa32, K5X5, 5, weighted, CONV2D, conv2d_sa8_kernel, weighted, conv2d)

WEIGHTED(mli_krn_depthwise_conv2d_hwcn_fx16, DEPTHWISE_CONV2D, fx16, NONE, 0, weighted, CONV2D, depthwise_fx, weighted, conv2d)
WEIGHTED(mli_krn_depthwise_conv2d_hwcn_fx16_fx8_fx8, DEPTHWISE_CONV2D, fx16_fx8_fx8, NONE, 0, weighted, CONV2D, depthwise_fx, weighted, conv2d)
WEIGHTED(mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32, DEPTHWISE_CONV2D, sa8_sa8_sa32, NONE, 0, weighted, CONV2D, depthwise_sa8, weighted, conv2d)
WEIGHTED(mli_krn_depthwise_conv2d_hwcn_fx16_k3x3, DEPTHWISE_CONV2D, fx16, K3X3, 3, weighted, CONV2D, depthwise_fx_kernel, weighted, conv2d)
WEIGHTED(mli_krn_depthwise_conv2d_hwcn_fx16_fx8_fx8_k3x3, DEPTHWISE_CONV2D, fx16_fx8_fx8, K3X3, 3, weighted, CONV2D, depthwise_fx_kernel, weighted, conv2d)
WEIGHTED(mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32_k3x3, DEPTHWISE_CONV2D, sa8_sa8_sa32, K3X3, 3, weighted, CONV2D, depthwise_sa8_kernel, weighted, conv2d)
WEIGHTED(mli_krn_depthwise_conv2d_hwcn_fx16_k5x5, DEPTHWISE_CONV2D, fx16, K5X5, 5, weighted, CONV2D, depthwise_fx_kernel, weighted, conv2d)
WEIGHTED(mli_krn_depthwise_conv2d_hwcn_fx16_fx8_fx8_k5x5, DEPTHWISE_CONV2D, fx16_fx8_fx8, K5X5, 5, weighted, CONV2D, depthwise_fx_kernel, weighted, conv2d)
WEIGHTED(mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32_k5x5, DEPTHWISE_CONV2D, sa8_sa8_sa32, K5X5, 5, weighted, CONV2D, depthwise_sa8_kernel, weighted, conv2d)

WEIGHTED(mli_krn_group_conv2d_hwcn_fx16, GROUP_CONV2D, fx16, NONE, 0, weighted, CONV2D, group_fx, weighted, conv2d)
WEIGHTED(mli_krn_group_conv2d_hwcn_fx16_fx8_fx8, GROUP_CONV2D, fx16_fx8_fx8, NONE, 0, weighted, CONV2D, group_fx, weighted, conv2d)
WEIGHTED(mli_krn_group_conv2d_hwcn_sa8_sa8_sa32, GROUP_CONV2D, sa8_sa8_sa32, NONE, 0, weighted, CONV2D, group_sa8, weighted, conv2d)
WEIGHTED(mli_krn_group_conv2d_hwcn_fx16_k3x3, GROUP_CONV2D, fx16, K3X3, 3, weighted, CONV2D, group_fx_kernel, weighted, conv2d)
WEIGHTED(mli_krn_group_conv2d_hwcn_fx16_fx8_fx8_k3x3, GROUP_CONV2D, fx16_fx8_fx8, K3X3, 3, weighted, CONV2D, group_fx_kernel, weighted, conv2d)
WEIGHTED(mli_krn_group_conv2d_hwcn_sa8_sa8_sa32_k3x3, GROUP_CONV2D, sa8_sa8_sa32, K3X3, 3, weighted, CONV2D, group_sa8_kernel, weighted, conv2d)
WEIGHTED(mli_krn_group_conv2d_hwcn_fx16_k5x5, GROUP_CONV2D, fx16, K5X5, 5, weighted, CONV2D, group_fx_kernel, weighted, conv2d)
WEIGHTED(mli_krn_group_conv2d_hwcn_fx16_fx8_fx8_k5x5, GROUP_CONV2D, fx16_fx8_fx8, K5X5, 5, weighted, CONV2D, group_fx_kernel, weighted, conv2d)
WEIGHTED(mli_krn_group_conv2d_hwcn_sa8_sa8_sa32_k5x5, GROUP_CONV2D, sa8_sa8_sa32, K5X5, 5, weighted, CONV2D, group_sa8_kernel, weighted, conv2d)

WEIGHTED(mli_krn_transpose_conv2d_hwcn_fx16, TRANSPOSE_CONV2D, fx16, NONE, 0, weighted, CONV2D, transpose_fx, weighted, conv2d)
WEIGHTED(mli_krn_transpose_conv2d_hwcn_fx16_fx8_fx8, TRANSPOSE_CONV2D, fx16_fx8_fx8, NONE, 0, weighted, CONV2D, transpose_fx, weighted, conv2d)
WEIGHTED(mli_krn_transpose_conv2d_hwcn_sa8_sa8_sa32, TRANSPOSE_CONV2D, sa8_sa8_sa32, NONE, 0, weighted, CONV2D, transpose_sa8, weighted, conv2d)
WEIGHTED(mli_krn_transpose_conv2d_hwcn_fx16_k2x2_str2, TRANSPOSE_CONV2D, fx16, K2X2_STR2, 2, weighted, CONV2D, transpose_fx_kernel, weighted, conv2d)
WEIGHTED(mli_krn_transpose_conv2d_hwcn_fx16_fx8_fx8_k2x2_str2, TRANSPOSE_CONV2D, fx16_fx8_fx8, K2X2_STR2, 2, weighted, CONV2D, transpose_fx_kernel, weighted, conv2d)
WEIGHTED(mli_krn_transpose_conv2d_hwcn_sa8_sa8_sa32_k2x2_str2, TRANSPOSE_CONV2D, sa8_sa8_sa32, K2X2_STR2, 2, weighted, CONV2D, transpose_sa8_kernel, weighted, conv2d)
WEIGHTED(mli_krn_transpose_conv2d_hwcn_fx16_k4x4_str2, TRANSPOSE_CONV2D, fx16, K4X4_STR2, 4, weighted, CONV2D, transpose_fx_kernel, weighted, conv2d)
WEIGHTED(mli_krn_transpose_conv2d_hwcn_fx16_fx8_fx8_k4x4_str2, TRANSPOSE_CONV2D, fx16_fx8_fx8, K4X4_STR2, 4, weighted, CONV2D, transpose_fx_kernel, weighted, conv2d)
WEIGHTED(mli_krn_transpose_conv2d_hwcn_sa8_sa8_sa32_k4x4_str2, TRANSPOSE_CONV2D, sa8_sa8_sa32, K4X4_STR2, 4, weighted, CONV2D, transpose_sa8_kernel, weighted, conv2d)

WEIGHTED(mli_krn_fully_connected_fx16, FULLY_CONNECTED, fx16, NONE, 0, weighted, FULLY_CONNECTED, fully_connected_fx, weighted, fully_connected)
WEIGHTED(mli_krn_fully_connected_fx16_fx8_fx8, FULLY_CONNECTED, fx16_fx8_fx8, NONE, 0, weighted, FULLY_CONNECTED, fully_connected_fx, weighted, fully_connected)
WEIGHTED(mli_krn_fully_connected_sa8_sa8_sa32, FULLY_CONNECTED, sa8_sa8_sa32, NONE, 0, weighted, FULLY_CONNECTED, fully_connected_sa8, weighted, fully_connected)
WEIGHTED(mli_krn_fully_connected_sa8_sa8_sa32_ext_bias, FULLY_CONNECTED, sa8_sa8_sa32, EXT_BIAS, 0, weighted, FULLY_CONNECTED, fully_connected_sa8, weighted, fully_connected)
WEIGHTED(mli_krn_fully_connected_fx8, FULLY_CONNECTED, fx8, NONE, 0, weighted, FULLY_CONNECTED, fully_connected_fx, weighted, fully_connected)

WEIGHTED(mli_krn_rnn_dense_fx16, RNN_DENSE, fx16, NONE, 0, rnn_dense, RNN_DENSE, rnn_dense_fx, program, rnn_dense)
WEIGHTED(mli_krn_rnn_dense_fx16_fx8_fx8, RNN_DENSE, fx16_fx8_fx8, NONE, 0, rnn_dense, RNN_DENSE, rnn_dense_fx, program, rnn_dense)
WEIGHTED(mli_krn_rnn_dense_sa8_sa8_sa32, RNN_DENSE, sa8_sa8_sa32, NONE, 0, rnn_dense, RNN_DENSE, rnn_dense_sa8, program, rnn_dense)
WEIGHTED(mli_krn_lstm_cell_fx16, LSTM, fx16, NONE, 0, lstm, RNN_CELL, lstm_fx, program, lstm)
WEIGHTED(mli_krn_lstm_cell_fx16_fx8_fx8, LSTM, fx16_fx8_fx8, NONE, 0, lstm, RNN_CELL, lstm_fx, program, lstm)
WEIGHTED(mli_krn_lstm_cell_sa8_sa8_sa32, LSTM, sa8_sa8_sa32, NONE, 0, lstm, RNN_CELL, lstm_sa8, program, lstm)
WEIGHTED(mli_krn_gru_cell_fx16, GRU, fx16, NONE, 0, gru, RNN_CELL, gru_fx, program, gru)
WEIGHTED(mli_krn_gru_cell_fx16_fx8_fx8, GRU, fx16_fx8_fx8, NONE, 0, gru, RNN_CELL, gru_fx, program, gru)
WEIGHTED(mli_krn_gru_cell_sa8_sa8_sa32, GRU, sa8_sa8_sa32, NONE, 0, gru, RNN_CELL, gru_sa8, program, gru)

SIMPLE(mli_krn_maxpool_hwc_sa8, MAXPOOL, sa8, NONE, NONE, 0, unary, POOL, maxpool_sa8, maxpool, maxpool)
SIMPLE(mli_krn_maxpool_hwc_fx8, MAXPOOL, fx8, NONE, NONE, 0, unary, POOL, pool_fx, maxpool, maxpool)
SIMPLE(mli_krn_maxpool_hwc_fx16, MAXPOOL, fx16, NONE, NONE, 0, unary, POOL, pool_fx, maxpool, maxpool)
SIMPLE(mli_krn_maxpool_hwc_sa8_k2x2, MAXPOOL, sa8, K2X2, NONE, 2, unary, POOL, maxpool_sa8, maxpool, maxpool)
SIMPLE(mli_krn_maxpool_hwc_fx8_k2x2, MAXPOOL, fx8, K2X2, NONE, 2, unary, POOL, pool_fx, maxpool, maxpool)
SIMPLE(mli_krn_maxpool_hwc_fx16_k2x2, MAXPOOL, fx16, K2X2, NONE, 2, unary, POOL, pool_fx, maxpool, maxpool)
SIMPLE(mli_krn_maxpool_hwc_sa8_k3x3, MAXPOOL, sa8, K3X3, NONE, 3, unary, POOL, maxpool_sa8, maxpool, maxpool)
SIMPLE(mli_krn_maxpool_hwc_fx8_k3x3, MAXPOOL, fx8, K3X3, NONE, 3, unary, POOL, pool_fx, maxpool, maxpool)
SIMPLE(mli_krn_maxpool_hwc_fx16_k3x3, MAXPOOL, fx16, K3X3, NONE, 3, unary, POOL, pool_fx, maxpool, maxpool)
SIMPLE(mli_krn_avepool_hwc_sa8, AVEPOOL, sa8, NONE, NONE, 0, unary, POOL, avepool_sa8, avepool, avepool)
SIMPLE(mli_krn_avepool_hwc_fx8, AVEPOOL, fx8, NONE, NONE, 0, unary, POOL, pool_fx, avepool, avepool)
SIMPLE(mli_krn_avepool_hwc_fx16, AVEPOOL, fx16, NONE, NONE, 0, unary, POOL, pool_fx, avepool, avepool)
SIMPLE(mli_krn_avepool_hwc_sa8_k2x2, AVEPOOL, sa8, K2X2, NONE, 2, unary, POOL, avepool_sa8, avepool, avepool)
SIMPLE(mli_krn_avepool_hwc_fx8_k2x2, AVEPOOL, fx8, K2X2, NONE, 2, unary, POOL, pool_fx, avepool, avepool)
SIMPLE(mli_krn_avepool_hwc_fx16_k2x2, AVEPOOL, fx16, K2X2, NONE, 2, unary, POOL, pool_fx, avepool, avepool)
SIMPLE(mli_krn_avepool_hwc_sa8_k3x3, AVEPOOL, sa8, K3X3, NONE, 3, unary, POOL, avepool_sa8, avepool, avepool)
SIMPLE(mli_krn_avepool_hwc_fx8_k3x3, AVEPOOL, fx8, K3X3, NONE, 3, unary, POOL, pool_fx, avepool, avepool)
SIMPLE(mli_krn_avepool_hwc_fx16_k3x3, AVEPOOL, fx16, K3X3, NONE, 3, unary, POOL, pool_fx, avepool, avepool)

/* Results are places in memory: there are no real numbers to compare. */
SIMPLE(mli_krn_argmax_sa8, ARGMAX, sa8, NONE, NONE, 0, unary, ARGMAX, argmax_sa8, argmax, none)
SIMPLE(mli_krn_argmax_fx16, ARGMAX, fx16, NONE, NONE, 0, unary, ARGMAX, argmax_fx, argmax, none)

SIMPLE(mli_krn_relu_sa8, RELU, sa8, NONE, NONE, 0, unary, RELU, relu_sa8, relu, relu)
SIMPLE(mli_krn_relu_fx8, RELU, fx8, NONE, NONE, 0, unary, RELU, relu_fx, relu, relu)
SIMPLE(mli_krn_relu_fx16, RELU, fx16, NONE, NONE, 0, unary, RELU, relu_fx, relu, relu)
SIMPLE(mli_krn_leaky_relu_sa8, LEAKY_RELU, sa8, NONE, NONE, 0, slope, NONE, leaky_relu_sa8, leaky_relu, leaky_relu)
SIMPLE(mli_krn_leaky_relu_fx8, LEAKY_RELU, fx8, NONE, NONE, 0, slope, NONE, leaky_relu_fx, leaky_relu, leaky_relu)
SIMPLE(mli_krn_leaky_relu_fx16, LEAKY_RELU, fx16, NONE, NONE, 0, slope, NONE, leaky_relu_fx, leaky_relu, leaky_relu)
SIMPLE(mli_krn_prelu_sa8, PRELU, sa8, NONE, NONE, 0, slope, AXIS, prelu_sa8, prelu, prelu)
SIMPLE(mli_krn_prelu_fx8, PRELU, fx8, NONE, NONE, 0, slope, AXIS, prelu_fx, prelu, prelu)
SIMPLE(mli_krn_prelu_fx16, PRELU, fx16, NONE, NONE, 0, slope, AXIS, prelu_fx, prelu, prelu)

SIMPLE(mli_krn_sigm_sa8, SIGM, sa8, NONE, NONE, 0, unary, NONE, activation_sa8, activation, activation)
SIMPLE(mli_krn_sigm_fx8, SIGM, fx8, NONE, NONE, 0, unary, NONE, activation_fx, activation, activation)
SIMPLE(mli_krn_sigm_fx16, SIGM, fx16, NONE, NONE, 0, unary, NONE, activation_fx, activation, activation)
SIMPLE(mli_krn_tanh_sa8, TANH, sa8, NONE, NONE, 0, unary, NONE, activation_sa8, activation, activation)
SIMPLE(mli_krn_tanh_fx8, TANH, fx8, NONE, NONE, 0, unary, NONE, activation_fx, activation, activation)
SIMPLE(mli_krn_tanh_fx16, TANH, fx16, NONE, NONE, 0, unary, NONE, activation_fx, activation, activation)
SIMPLE(mli_krn_softmax_sa8, SOFTMAX, sa8, NONE, NONE, 0, unary, AXIS, softmax_sa8, softmax, softmax)
SIMPLE(mli_krn_softmax_fx16, SOFTMAX, fx16, NONE, NONE, 0, unary, AXIS, softmax_fx, softmax, softmax)
SIMPLE(mli_krn_softmax_fx8, SOFTMAX, fx8, NONE, NONE, 0, unary, AXIS, softmax_fx, softmax_fx8, none)
/* writes zeros, which are no softmax */
SIMPLE(mli_krn_l2_normalize_sa8, L2_NORMALIZE, sa8, NONE, NONE, 0, l2_normalize, AXIS, l2_normalize_sa8, l2_normalize, l2_normalize)
SIMPLE(mli_krn_l2_normalize_fx16, L2_NORMALIZE, fx16, NONE, NONE, 0, l2_normalize, AXIS, l2_normalize_fx, l2_normalize, l2_normalize)

SIMPLE(mli_krn_eltwise_add_sa8, ELTWISE, sa8, NONE, ADD, 0, binary, NONE, eltwise_sa8, eltwise, eltwise)
SIMPLE(mli_krn_eltwise_add_fx8, ELTWISE, fx8, NONE, ADD, 0, binary, NONE, eltwise_fx, eltwise, eltwise)
SIMPLE(mli_krn_eltwise_add_fx16, ELTWISE, fx16, NONE, ADD, 0, binary, NONE, eltwise_fx, eltwise, eltwise)
SIMPLE(mli_krn_eltwise_sub_sa8, ELTWISE, sa8, NONE, SUB, 0, binary, NONE, eltwise_sa8, eltwise, eltwise)
SIMPLE(mli_krn_eltwise_sub_fx8, ELTWISE, fx8, NONE, SUB, 0, binary, NONE, eltwise_fx, eltwise, eltwise)
SIMPLE(mli_krn_eltwise_sub_fx16, ELTWISE, fx16, NONE, SUB, 0, binary, NONE, eltwise_fx, eltwise, eltwise)
SIMPLE(mli_krn_eltwise_mul_sa8, ELTWISE, sa8, NONE, MUL, 0, binary, NONE, eltwise_sa8, eltwise, eltwise)
SIMPLE(mli_krn_eltwise_mul_fx8, ELTWISE, fx8, NONE, MUL, 0, binary, NONE, eltwise_fx, eltwise, eltwise)
SIMPLE(mli_krn_eltwise_mul_fx16, ELTWISE, fx16, NONE, MUL, 0, binary, NONE, eltwise_fx, eltwise, eltwise)
SIMPLE(mli_krn_eltwise_min_sa8, ELTWISE, sa8, NONE, MIN, 0, binary, NONE, eltwise_pick_sa8, eltwise, eltwise)
SIMPLE(mli_krn_eltwise_min_fx8, ELTWISE, fx8, NONE, MIN, 0, binary, NONE, eltwise_pick_fx, eltwise, eltwise)
SIMPLE(mli_krn_eltwise_min_fx16, ELTWISE, fx16, NONE, MIN, 0, binary, NONE, eltwise_pick_fx, eltwise, eltwise)
SIMPLE(mli_krn_eltwise_max_sa8, ELTWISE, sa8, NONE, MAX, 0, binary, NONE, eltwise_pick_sa8, eltwise, eltwise)
SIMPLE(mli_krn_eltwise_max_fx8, ELTWISE, fx8, NONE, MAX, 0, binary, NONE, eltwise_pick_fx, eltwise, eltwise)
SIMPLE(mli_krn_eltwise_max_fx16, ELTWISE, fx16, NONE, MAX, 0, binary, NONE, eltwise_pick_fx, eltwise, eltwise)

SIMPLE(mli_krn_permute_sa8, PERMUTE, sa8, NONE, NONE, 0, unary, PERMUTE, permute_sa8, permute, permute)
SIMPLE(mli_krn_permute_fx8, PERMUTE, fx8, NONE, NONE, 0, unary, PERMUTE, permute_fx, permute, permute)
SIMPLE(mli_krn_permute_fx16, PERMUTE, fx16, NONE, NONE, 0, unary, PERMUTE, permute_fx, permute, permute)

CREATE_LUT(mli_krn_sigm_create_lut)
CALL(mli_krn_sigm_get_lut_size, LUT, none, NONE, false, none, lut_size, none)
CREATE_LUT(mli_krn_tanh_create_lut)
CALL(mli_krn_tanh_get_lut_size, LUT, none, NONE, false, none, lut_size, none)
CREATE_LUT(mli_krn_softmax_create_lut)
CALL(mli_krn_softmax_get_lut_size, LUT, none, NONE, false, none, lut_size, none)
CREATE_LUT(mli_krn_l2_normalize_create_lut)
CALL(mli_krn_l2_normalize_get_lut_size, LUT, none, NONE, false, none, lut_size, none)

CALL(mli_hlp_convert_tensor, CONVERT, unary, NONE, true, convert, convert, convert)
CALL(mli_hlp_convert_tensor_safx, CONVERT, unary, NONE, true, convert_safx, convert, convert)

CALL(mli_hlp_count_elem_num, HELPER, getter, START_DIM, false, getter, count_elem_num, none)
CALL(mli_hlp_tensor_element_size, HELPER, getter, NONE, false, getter, element_size, none)
CALL(mli_hlp_tensor_data_ptr_cmp, HELPER, compare, NONE, false, compare, data_ptr_cmp, none)
CALL(mli_hlp_create_subtensor, HELPER, unary, SUB_TENSOR, true, create_subtensor, create_subtensor, none)
CALL(mli_hlp_point_to_subtensor, HELPER, unary, POINT_TO_SUBTENSOR, true, point_to_subtensor, point_to_subtensor, none)
CALL(mli_hlp_tensor_scale_shift, HELPER, getter, SCALE_IDX, false, getter_of_entry, tensor_scale_shift, none)
CALL(mli_hlp_tensor_scale, HELPER, getter, SCALE_IDX, false, getter_of_entry, tensor_scale, none)
CALL(mli_hlp_tensor_zero_offset, HELPER, getter, ZERO_IDX, false, getter_of_entry, tensor_zero_offset, none)
CALL(mli_hlp_compile_options_string, HELPER, none, NONE, false, none, none, none)
CALL(mli_hlp_accu_guard_bits_sa8_sa8, HELPER, none, NONE, false, none, guard_bits_sa8_sa8, none)
CALL(mli_hlp_accu_guard_bits_fx16_fx16, HELPER, none, NONE, false, none, guard_bits_fx16_fx16, none)
CALL(mli_hlp_accu_guard_bits_fx16_fx8, HELPER, none, NONE, false, none, guard_bits_fx16_fx8, none)
CALL(mli_hlp_set_tensor_mem_strides, HELPER, set_strides, NONE, false, set_strides, set_mem_strides, none)

CALL(mli_mov_tensor_sync, MOV, unary, MOV, true, mov, mov, none)
/* The asynchronous calls act on handles and shared channels, so they are called in sequences
 * alone: mov_state.h. */
CALL(mli_mov_prepare, MOV, unary, MOV, true, none, none, none)
CALL(mli_mov_start, MOV, unary, MOV, true, none, none, none)
CALL(mli_mov_registercallback, MOV, none, NONE, true, none, none, none)
CALL(mli_mov_isdone, MOV, none, NONE, false, none, none, none)
CALL(mli_mov_wait, MOV, none, NONE, true, none, none, none)
CALL(mli_mov_set_num_dma_ch, MOV, none, NONE, true, none, none, none)
CALL(mli_mov_acquire_handle, MOV, none, NONE, true, none, none, none)
CALL(mli_mov_release_handle, MOV, none, NONE, true, none, none, none)
CALL(mli_mov_cfg_for_copy, MOV, none, MOV_COPY, true, mov_cfg, mov_cfg_for_copy, none)
CALL(mli_mov_cfg_for_slice, MOV, none, MOV_SLICE, true, mov_cfg, mov_cfg_for_slice, none)
CALL(mli_mov_cfg_for_concat, MOV, none, MOV_CONCAT, true, mov_cfg, mov_cfg_for_concat, none)
CALL(mli_mov_cfg_for_subsample, MOV, none, MOV_SUBSAMPLE, true, mov_cfg, mov_cfg_for_subsample, none)
CALL(mli_mov_cfg_for_permute, MOV, none, MOV_PERMUTE, true, mov_cfg, mov_cfg_for_permute, none)
CALL(mli_mov_cfg_for_padding2d_chw, MOV, none, MOV_PADDING2D, true, mov_cfg, mov_cfg_for_padding2d_chw, none)
CALL(mli_mov_cfg_for_padding2d_hwc, MOV, none, MOV_PADDING2D, true, mov_cfg, mov_cfg_for_padding2d_hwc, none)
CALL(mli_mov_cfg_all, MOV, none, MOV_ALL, true, mov_cfg, mov_cfg_all, none)

/* No part of the API: element formats of float4.md. What each does stands in exact_float4.c. */
FLOAT4(mli_ext_cast_fp32_float4e2m1)
FLOAT4(mli_ext_cast_fp32_float4e2m1_nan_library)
FLOAT4(mli_ext_cast_float16_float4e2m1)
FLOAT4(mli_ext_cast_bfloat16_float4e2m1)
FLOAT4(mli_ext_cast_float8e4m3fn_float4e2m1)
FLOAT4(mli_ext_cast_float8e5m2_float4e2m1)
FLOAT4(mli_ext_cast_float4e2m1_fp32)
FLOAT4(mli_ext_cast_float4e2m1_float16)
FLOAT4(mli_ext_cast_float4e2m1_bfloat16)
FLOAT4(mli_ext_cast_float4e2m1_float8e4m3fn)
FLOAT4(mli_ext_cast_float4e2m1_float8e5m2)
FLOAT4(mli_ext_pack_float4e2m1)
FLOAT4(mli_ext_pack_int4)
FLOAT4(mli_ext_pack_uint4)
FLOAT4(mli_ext_unpack_float4e2m1)
FLOAT4(mli_ext_unpack_int4)
FLOAT4(mli_ext_unpack_uint4)
FLOAT4(mli_ext_mxfp4_scales)
FLOAT4(mli_ext_mxfp4_elements)
CALL(mli_ext_mxfp4_values, FLOAT4, binary, NONE, true, mxfp4_values, mxfp4_values, none)

/* clang-format on */

#undef WEIGHTED
#undef SIMPLE
#undef CALL
#undef CREATE_LUT
#undef FLOAT4
#undef ROW
