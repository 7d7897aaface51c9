/* Sizes, offsets and values of the public types on a 64-bit little-endian host (api.md 2, 3): what
 * a program that was built against the released headers relies on. */
#include "support.h"

#include "mli_config.h"

#define OFFSET(type, field, value)                                                                 \
    _Static_assert(offsetof(type, field) == (value), #type "." #field)
#define SIZE(type, value)  _Static_assert(sizeof(type) == (value), #type)
#define VALUE(name, value) assert_int_equal(name, value)

static void test_structures(void **state)
{
    (void)state;
    SIZE(mli_data_container, 16);
    OFFSET(mli_data_container, capacity, 0);
    OFFSET(mli_data_container, mem, 8);
    SIZE(mli_element_params, 64);
    OFFSET(mli_element_params, fx.frac_bits, 0);
    OFFSET(mli_element_params, sa.type, 0);
    OFFSET(mli_element_params, sa.zero_point, 8);
    OFFSET(mli_element_params, sa.scale, 24);
    OFFSET(mli_element_params, sa.dim, 40);
    OFFSET(mli_element_params, sa.scale_frac_bits, 48);
    SIZE(mli_tensor, 120);
    OFFSET(mli_tensor, data, 0);
    OFFSET(mli_tensor, mem_stride, 16);
    OFFSET(mli_tensor, shape, 32);
    OFFSET(mli_tensor, rank, 48);
    OFFSET(mli_tensor, el_type, 52);
    OFFSET(mli_tensor, el_params, 56);
    SIZE(mli_lut, 40);
    OFFSET(mli_lut, type, 16);
    OFFSET(mli_lut, length, 20);
    OFFSET(mli_lut, in_frac_bits, 24);
    OFFSET(mli_lut, out_frac_bits, 28);
    OFFSET(mli_lut, input_offset, 32);
    OFFSET(mli_lut, output_offset, 36);
}

static void test_configurations(void **state)
{
    (void)state;
    SIZE(mli_relu_cfg, 4);
    SIZE(mli_softmax_cfg, 4);
    SIZE(mli_l2_normalize_cfg, 4);
    SIZE(mli_fully_connected_cfg, 4);
    SIZE(mli_conv2d_cfg, 12);
    OFFSET(mli_conv2d_cfg, stride_width, 4);
    OFFSET(mli_conv2d_cfg, stride_height, 5);
    OFFSET(mli_conv2d_cfg, padding_left, 6);
    OFFSET(mli_conv2d_cfg, padding_right, 7);
    OFFSET(mli_conv2d_cfg, padding_top, 8);
    OFFSET(mli_conv2d_cfg, padding_bottom, 9);
    OFFSET(mli_conv2d_cfg, dilation_width, 10);
    OFFSET(mli_conv2d_cfg, dilation_height, 11);
    SIZE(mli_pool_cfg, 8);
    OFFSET(mli_pool_cfg, kernel_height, 1);
    OFFSET(mli_pool_cfg, stride_width, 2);
    OFFSET(mli_pool_cfg, padding_left, 4);
    OFFSET(mli_pool_cfg, padding_bottom, 7);
    SIZE(mli_rnn_dense_cfg, 1);
    SIZE(mli_rnn_cell_cfg, 32);
    OFFSET(mli_rnn_cell_cfg, results, 4);
    OFFSET(mli_rnn_cell_cfg, act, 8);
    OFFSET(mli_rnn_cell_cfg, scratch_data, 16);
    SIZE(mli_permute_cfg, 4);
    SIZE(mli_argmax_cfg, 8);
    OFFSET(mli_argmax_cfg, topk, 4);
    SIZE(mli_sub_tensor_cfg, 36);
    OFFSET(mli_sub_tensor_cfg, size, 16);
    OFFSET(mli_sub_tensor_cfg, sub_tensor_rank, 32);
    SIZE(mli_mov_cfg_t, 92);
    OFFSET(mli_mov_cfg_t, size, 16);
    OFFSET(mli_mov_cfg_t, sub_sample_step, 32);
    OFFSET(mli_mov_cfg_t, dst_offset, 48);
    OFFSET(mli_mov_cfg_t, dst_mem_stride, 64);
    OFFSET(mli_mov_cfg_t, perm_dim, 80);
    OFFSET(mli_mov_cfg_t, padding_pre, 84);
    OFFSET(mli_mov_cfg_t, padding_post, 88);
    SIZE(mli_mov_handle_t, 12);
    OFFSET(mli_mov_handle_t, num_ch, 4);
    OFFSET(mli_mov_handle_t, state, 8);
    SIZE(mli_point_to_subtsr_cfg, 20);
    OFFSET(mli_point_to_subtsr_cfg, coord_num, 16);
    OFFSET(mli_point_to_subtsr_cfg, first_out_dim_size, 17);
    SIZE(mli_rnn_cell_cfg_depr, 16);
    OFFSET(mli_rnn_cell_cfg_depr, ir_tsr, 8);
    SIZE(mli_padding2d_cfg, 4);
    SIZE(mli_concat_cfg, 2);
}

/* api.md 2; the element types of pooling_and_movement.md 1.1 */
static void test_enumerations(void **state)
{
    (void)state;
    SIZE(mli_status, 4);
    SIZE(mli_element_type, 4);
    SIZE(mli_relu_type, 4);
    SIZE(mli_mov_state, 4);
    VALUE(MLI_STATUS_OK, 0);
    VALUE(MLI_STATUS_BAD_TENSOR, 1);
    VALUE(MLI_STATUS_SHAPE_MISMATCH, 2);
    VALUE(MLI_STATUS_INCOMPATEBLE_TENSORS, 3);
    VALUE(MLI_STATUS_BAD_FUNC_CFG, 4);
    VALUE(MLI_STATUS_NOT_ENGH_MEM, 5);
    VALUE(MLI_STATUS_NOT_SUPPORTED, 6);
    VALUE(MLI_STATUS_SPEC_PARAM_MISMATCH, 7);
    VALUE(MLI_STATUS_ARGUMENT_ERROR, 8);
    VALUE(MLI_STATUS_LENGTH_ERROR, 9);
    VALUE(MLI_STATUS_SIZE_MISMATCH, 10);
    VALUE(MLI_STATUS_RANK_MISMATCH, 11);
    VALUE(MLI_STATUS_TYPE_MISMATCH, 12);
    VALUE(MLI_STATUS_MEM_BANK_MISMATCH, 13);
    VALUE(MLI_STATUS_MISALIGNMENT_ERROR, 14);
    VALUE(MLI_STATUS_LARGE_ENUM, 0x02000000);
    VALUE(MLI_EL_FX_4, 4);
    VALUE(MLI_EL_FX_8, 8);
    VALUE(MLI_EL_FX_16, 16);
    VALUE(MLI_EL_SA_8, 0x108);
    VALUE(MLI_EL_SA_32, 0x120);
    VALUE(MLI_EL_FP_16, 0x210);
    VALUE(MLI_EL_FP_32, 0x220);
    VALUE(MLI_EL_LARGE_ENUM, 0x02000000);
    VALUE(MLI_EL_PARAM_SC16_ZP16, 0);
    VALUE(MLI_EL_PARAM_LARGE_ENUM, 0x02000000);
    VALUE(MLI_RELU_NONE, 0);
    VALUE(MLI_RELU_GEN, 1);
    VALUE(MLI_RELU_1, 2);
    VALUE(MLI_RELU_6, 3);
    VALUE(MLI_RELU_LARGE_ENUM, 0x02000000);
    VALUE(RNN_DIR_FORWARD, 0);
    VALUE(RNN_DIR_BACKWARD, 1);
    VALUE(RNN_DIR_LARGE_ENUM, 0x02000000);
    VALUE(RNN_OUT_LAST, 0);
    VALUE(RNN_OUT_ALL, 1);
    VALUE(RNN_OUT_LARGE_ENUM, 0x02000000);
    VALUE(RNN_ACT_NONE, 0);
    VALUE(RNN_ACT_TANH, 1);
    VALUE(RNN_ACT_SIGM, 2);
    VALUE(RNN_ACT_LARGE_ENUM, 0x02000000);
    VALUE(RNN_ONE_TO_ONE, 0);
    VALUE(RNN_BATCH_TO_BATCH, 1);
    VALUE(RNN_BATCH_TO_LAST, 2);
    VALUE(RNN_MODE_LARGE_ENUM, 0x02000000);
    VALUE(MLI_MOV_STATE_INVALID, 0);
    VALUE(MLI_MOV_STATE_OPEN, 1);
    VALUE(MLI_MOV_STATE_PREPARED, 2);
    VALUE(MLI_MOV_STATE_DMA_CONFIGURED, 3);
    VALUE(MLI_MOV_STATE_DMA_RUNNING, 4);
    VALUE(MLI_MOV_STATE_DONE, 5);
    VALUE(MLI_MOV_LARGE_ENUM, 0x02000000);
}

/* api.md 5 */
static void test_macros(void **state)
{
    (void)state;
    VALUE(MLI_MAX_RANK, 4);
    VALUE(MLI_RNN_MAX_INPUT, 4);
    VALUE(MLI_CONCAT_MAX_TENSORS, 8);
    VALUE(PLATFORM, X86_PLATFORM);
    VALUE(X86_PLATFORM, 5);
    VALUE(V2DSP, 1);
    VALUE(V2DSP_XY, 2);
    VALUE(V2DSP_WIDE, 3);
    VALUE(V2DSP_VECTOR, 4);
    assert_string_equal(PLATFORM_STR, "X86");
    VALUE(FMAP_C_DIM_HWC, 2);
    VALUE(FMAP_W_DIM_CHW, 2);
    VALUE(KRNL_C_DIM_HWCN, 3);
    VALUE(KRNL_D_DIM_HWCN, 2);
    VALUE(KRNL_DW_N_DIM_HW1N, 3);
    VALUE(KRNL_D_DIM_HWC, 3);
    VALUE(KRNL_W_DIM_CHW, 3);
    VALUE(KRNL_RNN_W_IN_ELEMS_DIM, 1);
    VALUE(KRNL_RNN_W_OUT_ELEMS_DIM, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_structures),
        cmocka_unit_test(test_configurations),
        cmocka_unit_test(test_enumerations),
        cmocka_unit_test(test_macros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
