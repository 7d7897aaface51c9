// test_headers_cxx.cpp: the public headers under C++11: prototypes of all 155 declarations,
// configurations filled positionally, kernels in tables of function pointers, as the test programs
// written for MLI 2.0 use them.
#include "mli_api.h"
#include "mli_config.h"
#include "mli_lastbit.h"
#include "mli_types.h"

#include <cstdio>
#include <type_traits>

namespace
{

typedef const mli_tensor *T;
typedef mli_status conv(T, T, T, const mli_conv2d_cfg *, mli_tensor *);
typedef mli_status dense(T, T, T, const mli_fully_connected_cfg *, mli_tensor *);
typedef mli_status rnn_dense(const mli_tensor **, const mli_tensor **, T, const mli_rnn_dense_cfg *,
                             mli_tensor *);
typedef mli_status lstm(T, T, T, T, T, const mli_lut *, const mli_lut *, const mli_rnn_cell_cfg *,
                        mli_tensor *, mli_tensor *);
typedef mli_status gru(T, T, T, T, T, const mli_lut *, const mli_lut *, const mli_rnn_cell_cfg *,
                       mli_tensor *);
typedef mli_status old_rnn(T, T, T, T, const mli_rnn_cell_cfg_depr *, mli_tensor *);
typedef mli_status pool(T, const mli_pool_cfg *, mli_tensor *);
typedef mli_status argmax(T, const mli_argmax_cfg *, mli_tensor *);
typedef mli_status relu(T, const mli_relu_cfg *, mli_tensor *);
typedef mli_status two(T, T, mli_tensor *); // leaky ReLU, element-wise
typedef mli_status prelu(T, T, const mli_prelu_cfg *, mli_tensor *);
typedef mli_status table(T, const mli_lut *, mli_tensor *);
typedef mli_status softmax(T, const mli_lut *, const mli_softmax_cfg *, mli_tensor *);
typedef mli_status l2(T, T, const mli_lut *, const mli_l2_normalize_cfg *, mli_tensor *);
typedef mli_status permute(T, const mli_permute_cfg *, mli_tensor *);
typedef mli_status create_lut(mli_lut *);
typedef int32_t lut_size();
typedef mli_status convert(T, mli_tensor *);
typedef mli_status sub_tensor(T, const mli_sub_tensor_cfg *, mli_tensor *);
typedef mli_status point_to(T, const mli_point_to_subtsr_cfg *, mli_tensor *);
typedef uint8_t guard_bits();
typedef mli_status sync(T, const mli_mov_cfg_t *, mli_tensor *);
typedef mli_status move(mli_mov_handle_t *, T, const mli_mov_cfg_t *, mli_tensor *);
typedef mli_status handle(mli_mov_handle_t *);

#define IS(name, type) static_assert(std::is_same<decltype(name), type>::value, #name)
#define WEIGHTED(stem, suffix, type)                                                               \
    IS(mli_krn_##stem##_fx16##suffix, type);                                                       \
    IS(mli_krn_##stem##_fx16_fx8_fx8##suffix, type);                                               \
    IS(mli_krn_##stem##_sa8_sa8_sa32##suffix, type)
#define PLAIN(stem, suffix, type)                                                                  \
    IS(mli_krn_##stem##_sa8##suffix, type);                                                        \
    IS(mli_krn_##stem##_fx8##suffix, type);                                                        \
    IS(mli_krn_##stem##_fx16##suffix, type)

WEIGHTED(conv2d_hwcn, , conv);
WEIGHTED(conv2d_hwcn, _k1x1, conv);
WEIGHTED(conv2d_hwcn, _k3x3, conv);
WEIGHTED(conv2d_hwcn, _k5x5, conv);
WEIGHTED(depthwise_conv2d_hwcn, , conv);
WEIGHTED(depthwise_conv2d_hwcn, _k3x3, conv);
WEIGHTED(depthwise_conv2d_hwcn, _k5x5, conv);
WEIGHTED(group_conv2d_hwcn, , conv);
WEIGHTED(group_conv2d_hwcn, _k3x3, conv);
WEIGHTED(group_conv2d_hwcn, _k5x5, conv);
WEIGHTED(transpose_conv2d_hwcn, , conv);
WEIGHTED(transpose_conv2d_hwcn, _k2x2_str2, conv);
WEIGHTED(transpose_conv2d_hwcn, _k4x4_str2, conv);
WEIGHTED(fully_connected, , dense);
IS(mli_krn_fully_connected_sa8_sa8_sa32_ext_bias, dense);
IS(mli_krn_fully_connected_fx8, dense);
IS(mli_krn_fully_connected_fx8w16d, dense);
WEIGHTED(rnn_dense, , rnn_dense);
WEIGHTED(lstm_cell, , lstm);
WEIGHTED(gru_cell, , gru);
IS(mli_krn_basic_rnn_cell_fx8, old_rnn);
IS(mli_krn_basic_rnn_cell_fx16, old_rnn);
IS(mli_krn_basic_rnn_cell_fx8w16d, old_rnn);
PLAIN(maxpool_hwc, , pool);
PLAIN(maxpool_hwc, _k2x2, pool);
PLAIN(maxpool_hwc, _k3x3, pool);
PLAIN(avepool_hwc, , pool);
PLAIN(avepool_hwc, _k2x2, pool);
PLAIN(avepool_hwc, _k3x3, pool);
IS(mli_krn_argmax_sa8, argmax);
IS(mli_krn_argmax_fx16, argmax);
PLAIN(relu, , relu);
PLAIN(leaky_relu, , two);
PLAIN(prelu, , prelu);
PLAIN(sigm, , table);
PLAIN(tanh, , table);
PLAIN(softmax, , softmax);
IS(mli_krn_l2_normalize_fx16, l2);
IS(mli_krn_l2_normalize_sa8, l2);
PLAIN(eltwise_add, , two);
PLAIN(eltwise_sub, , two);
PLAIN(eltwise_mul, , two);
PLAIN(eltwise_min, , two);
PLAIN(eltwise_max, , two);
PLAIN(permute, , permute);
IS(mli_krn_sigm_create_lut, create_lut);
IS(mli_krn_tanh_create_lut, create_lut);
IS(mli_krn_softmax_create_lut, create_lut);
IS(mli_krn_l2_normalize_create_lut, create_lut);
IS(mli_krn_sigm_get_lut_size, lut_size);
IS(mli_krn_tanh_get_lut_size, lut_size);
IS(mli_krn_softmax_get_lut_size, lut_size);
IS(mli_krn_l2_normalize_get_lut_size, lut_size);

IS(mli_hlp_count_elem_num, uint32_t(T, uint32_t));
IS(mli_hlp_tensor_element_size, uint32_t(T));
IS(mli_hlp_tensor_data_ptr_cmp, bool(T, T));
IS(mli_hlp_convert_tensor, convert);
IS(mli_hlp_convert_tensor_safx, convert);
IS(mli_hlp_create_subtensor, sub_tensor);
IS(mli_hlp_point_to_subtensor, point_to);
IS(mli_hlp_tensor_scale_shift, int32_t(T, const uint32_t));
IS(mli_hlp_tensor_scale, int32_t(T, const uint32_t));
IS(mli_hlp_tensor_zero_offset, int16_t(T, const uint32_t));
IS(mli_hlp_compile_options_string, const char *());
IS(mli_hlp_accu_guard_bits_sa8_sa8, guard_bits);
IS(mli_hlp_accu_guard_bits_fx16_fx16, guard_bits);
IS(mli_hlp_accu_guard_bits_fx16_fx8, guard_bits);
IS(mli_hlp_set_tensor_mem_strides, void(mli_tensor *));

IS(mli_mov_tensor_sync, sync);
IS(mli_mov_prepare, move);
IS(mli_mov_start, move);
IS(mli_mov_registercallback, mli_status(mli_mov_handle_t *, void (*)(int32_t), int32_t));
IS(mli_mov_isdone, bool(mli_mov_handle_t *));
IS(mli_mov_wait, handle);
IS(mli_mov_set_num_dma_ch, mli_status(int, int));
IS(mli_mov_acquire_handle, mli_status(int, mli_mov_handle_t *));
IS(mli_mov_release_handle, handle);
IS(mli_mov_cfg_for_copy, mli_status(mli_mov_cfg_t *));
IS(mli_mov_cfg_for_slice, mli_status(mli_mov_cfg_t *, int *, int *, int *));
IS(mli_mov_cfg_for_concat, mli_status(mli_mov_cfg_t *, int *, int *));
IS(mli_mov_cfg_for_subsample, mli_status(mli_mov_cfg_t *, int *, int *));
IS(mli_mov_cfg_for_permute, mli_status(mli_mov_cfg_t *, uint8_t *));
IS(mli_mov_cfg_for_padding2d_chw,
   mli_status(mli_mov_cfg_t *, uint8_t, uint8_t, uint8_t, uint8_t, int *));
IS(mli_mov_cfg_for_padding2d_hwc,
   mli_status(mli_mov_cfg_t *, uint8_t, uint8_t, uint8_t, uint8_t, int *));
IS(mli_mov_cfg_all, mli_status(mli_mov_cfg_t *, int *, int *, int *, int *, int *, uint8_t *,
                               uint8_t, uint8_t, uint8_t, uint8_t));

// Positional, in the order of the fields (api.md 6).
const mli_conv2d_cfg conv_cfg = {{MLI_RELU_6}, 1, 2, 3, 4, 5, 6, 7, 8};
const mli_pool_cfg pool_cfg = {1, 2, 3, 4, 5, 6, 7, 8};
const mli_rnn_cell_cfg cell_cfg = {RNN_DIR_BACKWARD, RNN_OUT_ALL, RNN_ACT_SIGM, {16, {nullptr}}};
const mli_argmax_cfg argmax_cfg = {-1, 3};
const mli_sub_tensor_cfg sub_cfg = {{1, 2}, {3, 4}, 2};
const mli_prelu_cfg prelu_cfg = {-1};
const mli_fully_connected_cfg dense_cfg = {{MLI_RELU_1}};
const mli_permute_cfg permute_cfg = {{2, 0, 1, 3}};

// Kernels in tables, each called.
two *const adders[] = {mli_krn_eltwise_add_fx16, mli_krn_eltwise_sub_fx16, mli_krn_eltwise_mul_fx16,
                       mli_krn_eltwise_min_fx16, mli_krn_eltwise_max_fx16};

bool fields_in_order()
{
    return conv_cfg.relu.type == MLI_RELU_6 && conv_cfg.stride_width == 1 &&
           conv_cfg.stride_height == 2 && conv_cfg.padding_left == 3 &&
           conv_cfg.padding_right == 4 && conv_cfg.padding_top == 5 &&
           conv_cfg.padding_bottom == 6 && conv_cfg.dilation_width == 7 &&
           conv_cfg.dilation_height == 8 && pool_cfg.kernel_height == 2 &&
           pool_cfg.stride_width == 3 && pool_cfg.padding_bottom == 8 &&
           cell_cfg.act == RNN_ACT_SIGM && cell_cfg.scratch_data.capacity == 16 &&
           argmax_cfg.topk == 3 && sub_cfg.size[1] == 4 && sub_cfg.sub_tensor_rank == 2 &&
           prelu_cfg.axis == -1 && dense_cfg.relu.type == MLI_RELU_1 &&
           permute_cfg.perm_dim[0] == 2;
}

bool tables_work()
{
    int16_t a[] = {12}, b[] = {-3}, c[] = {0};
    const int16_t expected[] = {9, 15, -36, -3, 12};
    mli_tensor in1 = {0};
    in1.data.mem.pi16 = a;
    in1.data.capacity = sizeof(a);
    in1.rank = 1;
    in1.shape[0] = 1;
    in1.mem_stride[0] = 1;
    in1.el_type = MLI_EL_FX_16;
    mli_tensor in2 = in1, out = in1;
    in2.data.mem.pi16 = b;
    out.data.mem.pi16 = c;
    for (int i = 0; i < 5; i++)
        if (adders[i](&in1, &in2, &out) != MLI_STATUS_OK || c[0] != expected[i])
            return false;
    return true;
}

} // namespace

int main()
{
    if (!fields_in_order() || !tables_work()) {
        std::fprintf(stderr, "fields %d, tables %d\n", fields_in_order(), tables_work());
        return 1;
    }
    return 0;
}
