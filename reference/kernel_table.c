/* The table of all 151 public functions and 20 extensions, in the order of api.md 4.1 to 4.3: a
 * line for the functions of a family that differ by element type only. A line ends with rules,
 * exact model, real model; a function without models says NULL. */
#include "kernel_roles.h"
#include "models.h"

/* clang-format off */

/* Element types of a variant: in, weights, bias. */
#define T_NONE .in_type = 0
#define T_SA8  .in_type = LB_SA8
#define T_FX8  .in_type = LB_FX8
#define T_FX16 .in_type = LB_FX16
#define T_FX8_FX8_FX8    .in_type = LB_FX8,  .weights_type = LB_FX8,  .bias_type = LB_FX8
#define T_FX16_FX16_FX16 .in_type = LB_FX16, .weights_type = LB_FX16, .bias_type = LB_FX16
#define T_FX16_FX8_FX8   .in_type = LB_FX16, .weights_type = LB_FX8,  .bias_type = LB_FX8
#define T_SA8_SA8_SA32   .in_type = LB_SA8,  .weights_type = LB_SA8,  .bias_type = LB_SA32

#define ROW(NAME, FAMILY, VARIANT, SPECIAL, OPERATION, TYPES, SIZE, ROLES, CONFIG, STATUS, RULES, EXACT, REAL)         \
    {                                                                                                                  \
        .name = NAME, .family = LB_FAMILY_##FAMILY, .variant = VARIANT, .specialization = SPECIAL,                     \
        .operation = OPERATION, TYPES, .kernel_size = SIZE, .roles = lb_roles_##ROLES,                                 \
        .config_kind = LB_CONFIG_##CONFIG, .returns_status = STATUS, .rules = RULES, .exact = EXACT, .real = REAL      \
    }

/* The three variants of a function with weights. SUFFIX: the specialization with its underscore. */
#define WEIGHTED(FAMILY, PREFIX, SUFFIX, SPECIAL, SIZE, ROLES, CONFIG, RULES_FX, RULES_SA8, EXACT, REAL)               \
    ROW("mli_krn_" PREFIX "_fx16" SUFFIX, FAMILY, "fx16", SPECIAL, "", T_FX16_FX16_FX16, SIZE,                         \
        ROLES, CONFIG, true, RULES_FX, EXACT, REAL),                                                                   \
    ROW("mli_krn_" PREFIX "_fx16_fx8_fx8" SUFFIX, FAMILY, "fx16_fx8_fx8", SPECIAL, "", T_FX16_FX8_FX8, SIZE,           \
        ROLES, CONFIG, true, RULES_FX, EXACT, REAL),                                                                   \
    ROW("mli_krn_" PREFIX "_sa8_sa8_sa32" SUFFIX, FAMILY, "sa8_sa8_sa32", SPECIAL, "", T_SA8_SA8_SA32, SIZE,           \
        ROLES, CONFIG, true, RULES_SA8, EXACT, REAL)

/* One element type throughout: sa8 and fx16, and fx8 where the family has it. */
#define SIMPLE(FAMILY, PREFIX, T, TYPE, SUFFIX, SPECIAL, OPERATION, SIZE, ROLES, CONFIG, RULES, EXACT, REAL)           \
    ROW("mli_krn_" PREFIX "_" T SUFFIX, FAMILY, T, SPECIAL, OPERATION, TYPE, SIZE, ROLES, CONFIG, true, RULES, EXACT, REAL)

#define SA8_FX16(FAMILY, PREFIX, ROLES, CONFIG, RULES_FX, RULES_SA8, EXACT, REAL)                                      \
    SIMPLE(FAMILY, PREFIX, "sa8",  T_SA8,  "", "", "", 0, ROLES, CONFIG, RULES_SA8, EXACT, REAL),                      \
    SIMPLE(FAMILY, PREFIX, "fx16", T_FX16, "", "", "", 0, ROLES, CONFIG, RULES_FX,  EXACT, REAL)

#define SA8_FX8_FX16(FAMILY, PREFIX, SUFFIX, SPECIAL, OPERATION, SIZE, ROLES, CONFIG, RULES_FX, RULES_SA8, EXACT, REAL) \
    SIMPLE(FAMILY, PREFIX, "sa8",  T_SA8,  SUFFIX, SPECIAL, OPERATION, SIZE, ROLES, CONFIG, RULES_SA8, EXACT, REAL),   \
    SIMPLE(FAMILY, PREFIX, "fx8",  T_FX8,  SUFFIX, SPECIAL, OPERATION, SIZE, ROLES, CONFIG, RULES_FX,  EXACT, REAL),   \
    SIMPLE(FAMILY, PREFIX, "fx16", T_FX16, SUFFIX, SPECIAL, OPERATION, SIZE, ROLES, CONFIG, RULES_FX,  EXACT, REAL)

/* Functions that are not kernels. */
#define CALL(NAME, FAMILY, ROLES, CONFIG, STATUS, RULES, EXACT, REAL)                                                  \
    ROW(NAME, FAMILY, "", "", "", T_NONE, 0, ROLES, CONFIG, STATUS, RULES, EXACT, REAL)

#define FLOAT4(NAME) CALL("mli_ext_" NAME, FLOAT4, unary, NONE, true, lb_rules_float4, lb_exact_float4, NULL)

const lb_kernel lb_kernels[] = {
    WEIGHTED(CONV2D, "conv2d_hwcn", "",      "",     0, weighted, CONV2D,
             lb_rules_conv2d_fx, lb_rules_conv2d_sa8, lb_exact_conv2d, lb_real_conv2d),
    WEIGHTED(CONV2D, "conv2d_hwcn", "_k1x1", "k1x1", 1, weighted, CONV2D,
             lb_rules_conv2d_fx_kernel, lb_rules_conv2d_sa8_kernel, lb_exact_conv2d, lb_real_conv2d),
    WEIGHTED(CONV2D, "conv2d_hwcn", "_k3x3", "k3x3", 3, weighted, CONV2D,
             lb_rules_conv2d_fx_kernel, lb_rules_conv2d_sa8_kernel, lb_exact_conv2d, lb_real_conv2d),
    WEIGHTED(CONV2D, "conv2d_hwcn", "_k5x5", "k5x5", 5, weighted, CONV2D,
             lb_rules_conv2d_fx_kernel, lb_rules_conv2d_sa8_kernel, lb_exact_conv2d, lb_real_conv2d),

    WEIGHTED(DEPTHWISE_CONV2D, "depthwise_conv2d_hwcn", "",      "",     0, weighted, CONV2D,
             lb_rules_depthwise_fx, lb_rules_depthwise_sa8, lb_exact_conv2d, lb_real_conv2d),
    WEIGHTED(DEPTHWISE_CONV2D, "depthwise_conv2d_hwcn", "_k3x3", "k3x3", 3, weighted, CONV2D,
             lb_rules_depthwise_fx_kernel, lb_rules_depthwise_sa8_kernel, lb_exact_conv2d, lb_real_conv2d),
    WEIGHTED(DEPTHWISE_CONV2D, "depthwise_conv2d_hwcn", "_k5x5", "k5x5", 5, weighted, CONV2D,
             lb_rules_depthwise_fx_kernel, lb_rules_depthwise_sa8_kernel, lb_exact_conv2d, lb_real_conv2d),

    WEIGHTED(GROUP_CONV2D, "group_conv2d_hwcn", "",      "",     0, weighted, CONV2D,
             lb_rules_group_fx, lb_rules_group_sa8, lb_exact_conv2d, lb_real_conv2d),
    WEIGHTED(GROUP_CONV2D, "group_conv2d_hwcn", "_k3x3", "k3x3", 3, weighted, CONV2D,
             lb_rules_group_fx_kernel, lb_rules_group_sa8_kernel, lb_exact_conv2d, lb_real_conv2d),
    WEIGHTED(GROUP_CONV2D, "group_conv2d_hwcn", "_k5x5", "k5x5", 5, weighted, CONV2D,
             lb_rules_group_fx_kernel, lb_rules_group_sa8_kernel, lb_exact_conv2d, lb_real_conv2d),

    WEIGHTED(TRANSPOSE_CONV2D, "transpose_conv2d_hwcn", "",           "",          0, weighted, CONV2D,
             lb_rules_transpose_fx, lb_rules_transpose_sa8, lb_exact_conv2d, lb_real_conv2d),
    WEIGHTED(TRANSPOSE_CONV2D, "transpose_conv2d_hwcn", "_k2x2_str2", "k2x2_str2", 2, weighted, CONV2D,
             lb_rules_transpose_fx_kernel, lb_rules_transpose_sa8_kernel, lb_exact_conv2d, lb_real_conv2d),
    WEIGHTED(TRANSPOSE_CONV2D, "transpose_conv2d_hwcn", "_k4x4_str2", "k4x4_str2", 4, weighted, CONV2D,
             lb_rules_transpose_fx_kernel, lb_rules_transpose_sa8_kernel, lb_exact_conv2d, lb_real_conv2d),

    WEIGHTED(FULLY_CONNECTED, "fully_connected", "", "", 0, weighted, FULLY_CONNECTED,
             lb_rules_fully_connected_fx, lb_rules_fully_connected_sa8, lb_exact_fully_connected, lb_real_fully_connected),
    ROW("mli_krn_fully_connected_sa8_sa8_sa32_ext_bias", FULLY_CONNECTED, "sa8_sa8_sa32", "ext_bias", "", T_SA8_SA8_SA32, 0,
        weighted, FULLY_CONNECTED, true, lb_rules_fully_connected_sa8, lb_exact_fully_connected, lb_real_fully_connected),
    ROW("mli_krn_fully_connected_fx8", FULLY_CONNECTED, "fx8", "", "", T_FX8_FX8_FX8, 0,
        weighted, FULLY_CONNECTED, true, lb_rules_fully_connected_fx, lb_exact_fully_connected, lb_real_fully_connected),

    WEIGHTED(RNN_DENSE, "rnn_dense", "", "", 0, rnn_dense, RNN_DENSE, lb_rules_rnn_dense_fx, lb_rules_rnn_dense_sa8,
             lb_exact_rnn_dense, lb_real_rnn_dense),
    WEIGHTED(LSTM,      "lstm_cell", "", "", 0, lstm,      RNN_CELL,  lb_rules_lstm_fx, lb_rules_lstm_sa8,
             lb_exact_lstm, lb_real_lstm),
    WEIGHTED(GRU,       "gru_cell",  "", "", 0, gru,       RNN_CELL,  lb_rules_gru_fx, lb_rules_gru_sa8,
             lb_exact_gru, lb_real_gru),

    SA8_FX8_FX16(MAXPOOL, "maxpool_hwc", "",      "",     "", 0, unary, POOL, lb_rules_pool_fx, lb_rules_maxpool_sa8,
                 lb_exact_maxpool, lb_real_maxpool),
    SA8_FX8_FX16(MAXPOOL, "maxpool_hwc", "_k2x2", "k2x2", "", 2, unary, POOL, lb_rules_pool_fx, lb_rules_maxpool_sa8,
                 lb_exact_maxpool, lb_real_maxpool),
    SA8_FX8_FX16(MAXPOOL, "maxpool_hwc", "_k3x3", "k3x3", "", 3, unary, POOL, lb_rules_pool_fx, lb_rules_maxpool_sa8,
                 lb_exact_maxpool, lb_real_maxpool),
    SA8_FX8_FX16(AVEPOOL, "avepool_hwc", "",      "",     "", 0, unary, POOL, lb_rules_pool_fx, lb_rules_avepool_sa8,
                 lb_exact_avepool, lb_real_avepool),
    SA8_FX8_FX16(AVEPOOL, "avepool_hwc", "_k2x2", "k2x2", "", 2, unary, POOL, lb_rules_pool_fx, lb_rules_avepool_sa8,
                 lb_exact_avepool, lb_real_avepool),
    SA8_FX8_FX16(AVEPOOL, "avepool_hwc", "_k3x3", "k3x3", "", 3, unary, POOL, lb_rules_pool_fx, lb_rules_avepool_sa8,
                 lb_exact_avepool, lb_real_avepool),

    /* Results are places in memory: there are no real numbers to compare. */
    SA8_FX16(ARGMAX, "argmax", unary, ARGMAX, lb_rules_argmax_fx, lb_rules_argmax_sa8, lb_exact_argmax, NULL),

    SA8_FX8_FX16(RELU, "relu", "", "", "", 0, unary, RELU, lb_rules_relu_fx, lb_rules_relu_sa8, lb_exact_relu, lb_real_relu),
    SA8_FX8_FX16(LEAKY_RELU, "leaky_relu", "", "", "", 0, slope, NONE, lb_rules_leaky_relu_fx, lb_rules_leaky_relu_sa8,
                 lb_exact_leaky_relu, lb_real_leaky_relu),
    SA8_FX8_FX16(PRELU, "prelu", "", "", "", 0, slope, AXIS, lb_rules_prelu_fx, lb_rules_prelu_sa8,
                 lb_exact_prelu, lb_real_prelu),

    SA8_FX8_FX16(SIGM, "sigm", "", "", "", 0, unary, NONE, lb_rules_activation_fx, lb_rules_activation_sa8,
                 lb_exact_activation, lb_real_activation),
    SA8_FX8_FX16(TANH, "tanh", "", "", "", 0, unary, NONE, lb_rules_activation_fx, lb_rules_activation_sa8,
                 lb_exact_activation, lb_real_activation),
    SA8_FX16(SOFTMAX, "softmax", unary, AXIS, lb_rules_normalize_fx, lb_rules_normalize_sa8, lb_exact_softmax, lb_real_softmax),
    SIMPLE(SOFTMAX, "softmax", "fx8", T_FX8, "", "", "", 0, unary, AXIS, lb_rules_normalize_fx,
           lb_exact_softmax_fx8, NULL), /* writes zeros, which are no softmax */
    SA8_FX16(L2_NORMALIZE, "l2_normalize", l2_normalize, AXIS, lb_rules_normalize_fx, lb_rules_normalize_sa8,
             lb_exact_l2_normalize, lb_real_l2_normalize),

    SA8_FX8_FX16(ELTWISE, "eltwise_add", "", "", "add", 0, binary, NONE, lb_rules_eltwise_fx, lb_rules_eltwise_sa8,
                 lb_exact_eltwise, lb_real_eltwise),
    SA8_FX8_FX16(ELTWISE, "eltwise_sub", "", "", "sub", 0, binary, NONE, lb_rules_eltwise_fx, lb_rules_eltwise_sa8,
                 lb_exact_eltwise, lb_real_eltwise),
    SA8_FX8_FX16(ELTWISE, "eltwise_mul", "", "", "mul", 0, binary, NONE, lb_rules_eltwise_fx, lb_rules_eltwise_sa8,
                 lb_exact_eltwise, lb_real_eltwise),
    SA8_FX8_FX16(ELTWISE, "eltwise_min", "", "", "min", 0, binary, NONE, lb_rules_eltwise_pick_fx, lb_rules_eltwise_pick_sa8,
                 lb_exact_eltwise, lb_real_eltwise),
    SA8_FX8_FX16(ELTWISE, "eltwise_max", "", "", "max", 0, binary, NONE, lb_rules_eltwise_pick_fx, lb_rules_eltwise_pick_sa8,
                 lb_exact_eltwise, lb_real_eltwise),

    SA8_FX8_FX16(PERMUTE, "permute", "", "", "", 0, unary, PERMUTE, lb_rules_permute_fx, lb_rules_permute_sa8,
                 lb_exact_permute, lb_real_permute),

    /* create_lut fills the memory of an mli_lut: here the buffer of `out`. The other fields of the struct are no part of a case;
     * every function that looks something up is judged with the port's own tables, so a wrong field shows there. */
    CALL("mli_krn_sigm_create_lut",           LUT, table, NONE, true,  lb_rules_create_lut, lb_exact_create_lut, NULL),
    CALL("mli_krn_sigm_get_lut_size",         LUT, none, NONE, false, NULL, lb_exact_lut_size, NULL),
    CALL("mli_krn_tanh_create_lut",           LUT, table, NONE, true,  lb_rules_create_lut, lb_exact_create_lut, NULL),
    CALL("mli_krn_tanh_get_lut_size",         LUT, none, NONE, false, NULL, lb_exact_lut_size, NULL),
    CALL("mli_krn_softmax_create_lut",        LUT, table, NONE, true,  lb_rules_create_lut, lb_exact_create_lut, NULL),
    CALL("mli_krn_softmax_get_lut_size",      LUT, none, NONE, false, NULL, lb_exact_lut_size, NULL),
    CALL("mli_krn_l2_normalize_create_lut",   LUT, table, NONE, true,  lb_rules_create_lut, lb_exact_create_lut, NULL),
    CALL("mli_krn_l2_normalize_get_lut_size", LUT, none, NONE, false, NULL, lb_exact_lut_size, NULL),

    CALL("mli_hlp_convert_tensor",      CONVERT, unary, NONE, true,
         lb_rules_convert, lb_exact_convert, lb_real_convert),
    CALL("mli_hlp_convert_tensor_safx", CONVERT, unary, NONE, true,
         lb_rules_convert_safx, lb_exact_convert, lb_real_convert),

    CALL("mli_hlp_count_elem_num",             HELPER, getter,      START_DIM,          false,
         NULL, lb_exact_count_elem_num, NULL),
    CALL("mli_hlp_tensor_element_size",        HELPER, getter,      NONE,               false,
         NULL, lb_exact_element_size, NULL),
    CALL("mli_hlp_tensor_data_ptr_cmp",        HELPER, compare,     NONE,               false,
         NULL, lb_exact_data_ptr_cmp, NULL),
    CALL("mli_hlp_create_subtensor",           HELPER, unary,       SUB_TENSOR,         true,
         lb_rules_create_subtensor, lb_exact_create_subtensor, NULL),
    CALL("mli_hlp_point_to_subtensor",         HELPER, unary,       POINT_TO_SUBTENSOR, true,
         lb_rules_point_to_subtensor, lb_exact_point_to_subtensor, NULL),
    CALL("mli_hlp_tensor_scale_shift",         HELPER, getter,      SCALE_IDX,          false,
         NULL, lb_exact_tensor_scale_shift, NULL),
    CALL("mli_hlp_tensor_scale",               HELPER, getter,      SCALE_IDX,          false,
         NULL, lb_exact_tensor_scale, NULL),
    CALL("mli_hlp_tensor_zero_offset",         HELPER, getter,      ZERO_IDX,           false,
         NULL, lb_exact_tensor_zero_offset, NULL),
    CALL("mli_hlp_compile_options_string",     HELPER, none,        NONE,               false, NULL, NULL, NULL),
    CALL("mli_hlp_accu_guard_bits_sa8_sa8",    HELPER, none,        NONE,               false,
         NULL, lb_exact_guard_bits_sa8_sa8, NULL),
    CALL("mli_hlp_accu_guard_bits_fx16_fx16",  HELPER, none,        NONE,               false,
         NULL, lb_exact_guard_bits_fx16_fx16, NULL),
    CALL("mli_hlp_accu_guard_bits_fx16_fx8",   HELPER, none,        NONE,               false,
         NULL, lb_exact_guard_bits_fx16_fx8, NULL),
    CALL("mli_hlp_set_tensor_mem_strides",     HELPER, set_strides, NONE,               false,
         NULL, lb_exact_set_mem_strides, NULL),

    CALL("mli_mov_tensor_sync",           MOV, unary, MOV,           true,  lb_rules_mov, lb_exact_mov, NULL),
    /* The asynchronous calls act on handles and shared channels, so they are called in sequences alone: mov_state.h. */
    CALL("mli_mov_prepare",               MOV, unary, MOV,           true,  NULL, NULL, NULL),
    CALL("mli_mov_start",                 MOV, unary, MOV,           true,  NULL, NULL, NULL),
    CALL("mli_mov_registercallback",      MOV, none,  NONE,          true,  NULL, NULL, NULL),
    CALL("mli_mov_isdone",                MOV, none,  NONE,          false, NULL, NULL, NULL),
    CALL("mli_mov_wait",                  MOV, none,  NONE,          true,  NULL, NULL, NULL),
    CALL("mli_mov_set_num_dma_ch",        MOV, none,  NONE,          true,  NULL, NULL, NULL),
    CALL("mli_mov_acquire_handle",        MOV, none,  NONE,          true,  NULL, NULL, NULL),
    CALL("mli_mov_release_handle",        MOV, none,  NONE,          true,  NULL, NULL, NULL),
    CALL("mli_mov_cfg_for_copy",          MOV, none,  MOV_COPY,      true,  NULL, lb_exact_mov_cfg_for_copy, NULL),
    CALL("mli_mov_cfg_for_slice",         MOV, none,  MOV_SLICE,     true,  NULL, lb_exact_mov_cfg_for_slice, NULL),
    CALL("mli_mov_cfg_for_concat",        MOV, none,  MOV_CONCAT,    true,  NULL, lb_exact_mov_cfg_for_concat, NULL),
    CALL("mli_mov_cfg_for_subsample",     MOV, none,  MOV_SUBSAMPLE, true,  NULL, lb_exact_mov_cfg_for_subsample, NULL),
    CALL("mli_mov_cfg_for_permute",       MOV, none,  MOV_PERMUTE,   true,  NULL, lb_exact_mov_cfg_for_permute, NULL),
    CALL("mli_mov_cfg_for_padding2d_chw", MOV, none,  MOV_PADDING2D, true,
         NULL, lb_exact_mov_cfg_for_padding2d_chw, NULL),
    CALL("mli_mov_cfg_for_padding2d_hwc", MOV, none,  MOV_PADDING2D, true,
         NULL, lb_exact_mov_cfg_for_padding2d_hwc, NULL),
    CALL("mli_mov_cfg_all",               MOV, none,  MOV_ALL,       true,  NULL, lb_exact_mov_cfg_all, NULL),

    /* No part of the API: element formats of float4.md. What each does stands in exact_float4.c. */
    FLOAT4("cast_fp32_float4e2m1"), FLOAT4("cast_fp32_float4e2m1_nan_library"), FLOAT4("cast_float16_float4e2m1"),
    FLOAT4("cast_bfloat16_float4e2m1"), FLOAT4("cast_float8e4m3fn_float4e2m1"), FLOAT4("cast_float8e5m2_float4e2m1"),
    FLOAT4("cast_float4e2m1_fp32"), FLOAT4("cast_float4e2m1_float16"), FLOAT4("cast_float4e2m1_bfloat16"),
    FLOAT4("cast_float4e2m1_float8e4m3fn"), FLOAT4("cast_float4e2m1_float8e5m2"),
    FLOAT4("pack_float4e2m1"), FLOAT4("pack_int4"), FLOAT4("pack_uint4"),
    FLOAT4("unpack_float4e2m1"), FLOAT4("unpack_int4"), FLOAT4("unpack_uint4"),
    FLOAT4("mxfp4_scales"), FLOAT4("mxfp4_elements"),
    CALL("mli_ext_mxfp4_values", FLOAT4, binary, NONE, true, lb_rules_mxfp4_values, lb_exact_mxfp4_values, NULL),
};

/* clang-format on */

const size_t lb_kernel_count = sizeof lb_kernels / sizeof lb_kernels[0];
