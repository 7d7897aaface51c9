/* The kernels of MLI 2.0. Each family has one text (roles, shapes, ranges, what is written,
 * statuses in order), each function a line. Formulas: numerics.md, conv.md, elementwise.md,
 * recurrent.md, pooling_and_movement.md; the sections are named.
 *
 * Names end in the operand types: sa8, fx8, fx16 for one operand; fx16, fx16_fx8_fx8, sa8_sa8_sa32
 * for input, weights and bias. All kernels take const pointers to their inputs and write the data
 * of the last argument, out, and no other field of it unless the text says so. Shape, strides,
 * type, quantization and capacity of out are set by the caller. Elements that strides skip are
 * never written, and on any status but MLI_STATUS_OK nothing is. Kernels keep no state and may run
 * in several threads at once.
 *
 * Words used below (numerics.md 2):
 *
 * - chk(t): t and its data pointer not NULL, rank <= 4, capacity <= 2^31-1, shapes 1..2^31-1, each
 *   stride above 0 and not below the extent of the dimension inside it: else BAD_TENSOR; then the
 *   capacity holds all elements: else NOT_ENGH_MEM.
 * - chkq(t,Z): SA types: dim below rank; arrays with room for all entries (per axis) or capacities
 *   of 0 (per tensor): else BAD_TENSOR; each scale > 0: else BAD_TENSOR; each zero point in Z: else
 *   INCOMPATEBLE_TENSORS. Z8 is -128..127.
 * - apart: the memory [data, data + capacity) of two tensors does not meet: else
 *   INCOMPATEBLE_TENSORS.
 * - inner 1: the innermost stride is 1; dense: all strides are exactly those of a packed tensor.
 *
 * A NULL tensor is always BAD_TENSOR here, in the place where the function first looks at it, also
 * where the original would crash. In a build without parameter checks (MLI_CHECKS=OFF) nothing is
 * checked and OK is returned. */
#ifndef MLI_KERNELS_API_H
#define MLI_KERNELS_API_H

#include <stdint.h>

#include "mli_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Convolution (conv.md 6). in [Hi, Wi, Ci], weights [Kh, Kw, Ci, Co], bias [Co], out [Ho, Wo, Co],
 * all inner 1.
 *
 * out[y][x][c] = relu(bias[c] + sum over the taps that lie inside in). Padding has the real value
 * 0. cfg: strides and dilations 1..255, paddings below the effective kernel size; out may be
 * smaller than the geometry allows, not larger. fx: frac_bits of bias and of out not above those of
 * in + weights. sa8: in and out per tensor, zero points in Z8; weights and bias with zero point 0,
 * both per tensor or both per output channel (dim 3 and 0); the bias scale equals in scale *
 * weights scale. The kernel also stores in's el_type in out, which the checks have made equal.
 *
 * Windows may lie wholly in padding: their outputs come from the bias alone. Accumulators wrap
 * modulo 2^32 (fx16: 2^64); the bias is added with saturation, last. Weights and bias may overlap
 * anything. The caller gives no scratch memory: this and the next three families use up to 64 kB of
 * the stack, and allocate memory for the time of a call if packed weights need more than 16 kB;
 * where there is none they work without, slower and with the same result.
 *
 * Statuses in order (conv.md 11). fx: types of in, weights, bias (TYPE_MISMATCH); frac_bits of
 * bias, then of out (INCOMPATEBLE_TENSORS). _kNxN: kernel size (SHAPE_MISMATCH). All: chk of in,
 * weights, bias, out; type of out (TYPE_MISMATCH); ranks and channel counts (SHAPE_MISMATCH); inner
 * 1 (INCOMPATEBLE_TENSORS); cfg NULL, dilations, strides, paddings, size of out (BAD_FUNC_CFG); in
 * and out apart. sa8: types (TYPE_MISMATCH); chkq(in, Z8), chkq(out, Z8), chkq(weights, 0),
 * chkq(bias, 0); axes of weights and bias, in and out per tensor, bias scale
 * (INCOMPATEBLE_TENSORS). A _kNxN function gives the bits of the general one.
 */

/** Convolution, FX_16 throughout, 64-bit accumulator; any kernel size. */
mli_status mli_krn_conv2d_hwcn_fx16(const mli_tensor *in, const mli_tensor *weights,
                                    const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                                    mli_tensor *out);
/** Convolution, FX_16 throughout, 64-bit accumulator; 1x1 kernels. */
mli_status mli_krn_conv2d_hwcn_fx16_k1x1(const mli_tensor *in, const mli_tensor *weights,
                                         const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                                         mli_tensor *out);
/** Convolution, FX_16 throughout, 64-bit accumulator; 3x3 kernels. */
mli_status mli_krn_conv2d_hwcn_fx16_k3x3(const mli_tensor *in, const mli_tensor *weights,
                                         const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                                         mli_tensor *out);
/** Convolution, FX_16 throughout, 64-bit accumulator; 5x5 kernels. */
mli_status mli_krn_conv2d_hwcn_fx16_k5x5(const mli_tensor *in, const mli_tensor *weights,
                                         const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                                         mli_tensor *out);
/** Convolution, FX_16 in and out, FX_8 weights and bias; any kernel size. */
mli_status mli_krn_conv2d_hwcn_fx16_fx8_fx8(const mli_tensor *in, const mli_tensor *weights,
                                            const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                                            mli_tensor *out);
/** Convolution, FX_16 in and out, FX_8 weights and bias; 1x1 kernels. */
mli_status mli_krn_conv2d_hwcn_fx16_fx8_fx8_k1x1(const mli_tensor *in, const mli_tensor *weights,
                                                 const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                                                 mli_tensor *out);
/** Convolution, FX_16 in and out, FX_8 weights and bias; 3x3 kernels. */
mli_status mli_krn_conv2d_hwcn_fx16_fx8_fx8_k3x3(const mli_tensor *in, const mli_tensor *weights,
                                                 const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                                                 mli_tensor *out);
/** Convolution, FX_16 in and out, FX_8 weights and bias; 5x5 kernels. */
mli_status mli_krn_conv2d_hwcn_fx16_fx8_fx8_k5x5(const mli_tensor *in, const mli_tensor *weights,
                                                 const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                                                 mli_tensor *out);
/** Convolution, SA_8 with SA_32 bias; any kernel size. */
mli_status mli_krn_conv2d_hwcn_sa8_sa8_sa32(const mli_tensor *in, const mli_tensor *weights,
                                            const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                                            mli_tensor *out);
/** Convolution, SA_8 with SA_32 bias; 1x1 kernels. */
mli_status mli_krn_conv2d_hwcn_sa8_sa8_sa32_k1x1(const mli_tensor *in, const mli_tensor *weights,
                                                 const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                                                 mli_tensor *out);
/** Convolution, SA_8 with SA_32 bias; 3x3 kernels. */
mli_status mli_krn_conv2d_hwcn_sa8_sa8_sa32_k3x3(const mli_tensor *in, const mli_tensor *weights,
                                                 const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                                                 mli_tensor *out);
/** Convolution, SA_8 with SA_32 bias; 5x5 kernels. */
mli_status mli_krn_conv2d_hwcn_sa8_sa8_sa32_k5x5(const mli_tensor *in, const mli_tensor *weights,
                                                 const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                                                 mli_tensor *out);

/*
 * Depthwise convolution (conv.md 7). in [Hi, Wi, C], weights [Kh, Kw, 1, C], bias [C], out [Ho, Wo,
 * C]: channel c of out comes from channel c of in alone. Ranges and statuses as for the
 * convolution; the channel counts that must agree are those above.
 */

/** Depthwise convolution, FX_16 throughout, 64-bit accumulator; any kernel size. */
mli_status mli_krn_depthwise_conv2d_hwcn_fx16(const mli_tensor *in, const mli_tensor *weights,
                                              const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                                              mli_tensor *out);
/** Depthwise convolution, FX_16 throughout, 64-bit accumulator; 3x3 kernels. */
mli_status mli_krn_depthwise_conv2d_hwcn_fx16_k3x3(const mli_tensor *in, const mli_tensor *weights,
                                                   const mli_tensor *bias,
                                                   const mli_conv2d_cfg *cfg, mli_tensor *out);
/** Depthwise convolution, FX_16 throughout, 64-bit accumulator; 5x5 kernels. */
mli_status mli_krn_depthwise_conv2d_hwcn_fx16_k5x5(const mli_tensor *in, const mli_tensor *weights,
                                                   const mli_tensor *bias,
                                                   const mli_conv2d_cfg *cfg, mli_tensor *out);
/** Depthwise convolution, FX_16 in and out, FX_8 weights and bias; any kernel size. */
mli_status mli_krn_depthwise_conv2d_hwcn_fx16_fx8_fx8(const mli_tensor *in,
                                                      const mli_tensor *weights,
                                                      const mli_tensor *bias,
                                                      const mli_conv2d_cfg *cfg, mli_tensor *out);
/** Depthwise convolution, FX_16 in and out, FX_8 weights and bias; 3x3 kernels. */
mli_status mli_krn_depthwise_conv2d_hwcn_fx16_fx8_fx8_k3x3(const mli_tensor *in,
                                                           const mli_tensor *weights,
                                                           const mli_tensor *bias,
                                                           const mli_conv2d_cfg *cfg,
                                                           mli_tensor *out);
/** Depthwise convolution, FX_16 in and out, FX_8 weights and bias; 5x5 kernels. */
mli_status mli_krn_depthwise_conv2d_hwcn_fx16_fx8_fx8_k5x5(const mli_tensor *in,
                                                           const mli_tensor *weights,
                                                           const mli_tensor *bias,
                                                           const mli_conv2d_cfg *cfg,
                                                           mli_tensor *out);
/** Depthwise convolution, SA_8 with SA_32 bias; any kernel size. */
mli_status mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32(const mli_tensor *in,
                                                      const mli_tensor *weights,
                                                      const mli_tensor *bias,
                                                      const mli_conv2d_cfg *cfg, mli_tensor *out);
/** Depthwise convolution, SA_8 with SA_32 bias; 3x3 kernels. */
mli_status mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32_k3x3(const mli_tensor *in,
                                                           const mli_tensor *weights,
                                                           const mli_tensor *bias,
                                                           const mli_conv2d_cfg *cfg,
                                                           mli_tensor *out);
/** Depthwise convolution, SA_8 with SA_32 bias; 5x5 kernels. */
mli_status mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32_k5x5(const mli_tensor *in,
                                                           const mli_tensor *weights,
                                                           const mli_tensor *bias,
                                                           const mli_conv2d_cfg *cfg,
                                                           mli_tensor *out);

/*
 * Group convolution (conv.md 8). in [Hi, Wi, Ci], weights [Kh, Kw, Cg, Co], bias [Co], out [Ho, Wo,
 * Co]. Ci / Cg groups, a whole number; Co / groups filters in each, a whole number; a filter sees
 * the Cg channels of its group. Ranges and statuses as for the convolution, with these divisions
 * among the channel counts (SHAPE_MISMATCH).
 */

/** Group convolution, FX_16 throughout, 64-bit accumulator; any kernel size. */
mli_status mli_krn_group_conv2d_hwcn_fx16(const mli_tensor *in, const mli_tensor *weights,
                                          const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                                          mli_tensor *out);
/** Group convolution, FX_16 throughout, 64-bit accumulator; 3x3 kernels. */
mli_status mli_krn_group_conv2d_hwcn_fx16_k3x3(const mli_tensor *in, const mli_tensor *weights,
                                               const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                                               mli_tensor *out);
/** Group convolution, FX_16 throughout, 64-bit accumulator; 5x5 kernels. */
mli_status mli_krn_group_conv2d_hwcn_fx16_k5x5(const mli_tensor *in, const mli_tensor *weights,
                                               const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                                               mli_tensor *out);
/** Group convolution, FX_16 in and out, FX_8 weights and bias; any kernel size. */
mli_status mli_krn_group_conv2d_hwcn_fx16_fx8_fx8(const mli_tensor *in, const mli_tensor *weights,
                                                  const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                                                  mli_tensor *out);
/** Group convolution, FX_16 in and out, FX_8 weights and bias; 3x3 kernels. */
mli_status mli_krn_group_conv2d_hwcn_fx16_fx8_fx8_k3x3(const mli_tensor *in,
                                                       const mli_tensor *weights,
                                                       const mli_tensor *bias,
                                                       const mli_conv2d_cfg *cfg, mli_tensor *out);
/** Group convolution, FX_16 in and out, FX_8 weights and bias; 5x5 kernels. */
mli_status mli_krn_group_conv2d_hwcn_fx16_fx8_fx8_k5x5(const mli_tensor *in,
                                                       const mli_tensor *weights,
                                                       const mli_tensor *bias,
                                                       const mli_conv2d_cfg *cfg, mli_tensor *out);
/** Group convolution, SA_8 with SA_32 bias; any kernel size. */
mli_status mli_krn_group_conv2d_hwcn_sa8_sa8_sa32(const mli_tensor *in, const mli_tensor *weights,
                                                  const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                                                  mli_tensor *out);
/** Group convolution, SA_8 with SA_32 bias; 3x3 kernels. */
mli_status mli_krn_group_conv2d_hwcn_sa8_sa8_sa32_k3x3(const mli_tensor *in,
                                                       const mli_tensor *weights,
                                                       const mli_tensor *bias,
                                                       const mli_conv2d_cfg *cfg, mli_tensor *out);
/** Group convolution, SA_8 with SA_32 bias; 5x5 kernels. */
mli_status mli_krn_group_conv2d_hwcn_sa8_sa8_sa32_k5x5(const mli_tensor *in,
                                                       const mli_tensor *weights,
                                                       const mli_tensor *bias,
                                                       const mli_conv2d_cfg *cfg, mli_tensor *out);

/*
 * Transposed convolution (conv.md 9). in [Hi, Wi, Ci], weights [Kh, Kw, Ci, Co], bias [Co], out
 * [Ho, Wo, Co] with exactly Ho = (Hi-1)*stride_height + Kh - padding_top - padding_bottom and Wo
 * alike. Dilations must be 1, strides 1..kernel size, paddings below the kernel size. Quantization
 * rules as for the convolution.
 *
 * Statuses in order: as for the convolution up to inner 1, without the step for kernel sizes; cfg
 * NULL; dilations, paddings, strides; size of out (all BAD_FUNC_CFG); in and out apart; the sa8
 * steps. _kNxN_str2, last: strides (BAD_FUNC_CFG), kernel size (INCOMPATEBLE_TENSORS).
 */

/** Transposed convolution, FX_16 throughout, 64-bit accumulator; any kernel size. */
mli_status mli_krn_transpose_conv2d_hwcn_fx16(const mli_tensor *in, const mli_tensor *weights,
                                              const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                                              mli_tensor *out);
/** Transposed convolution, FX_16 throughout, 64-bit accumulator; 2x2 kernels, strides 2. */
mli_status mli_krn_transpose_conv2d_hwcn_fx16_k2x2_str2(const mli_tensor *in,
                                                        const mli_tensor *weights,
                                                        const mli_tensor *bias,
                                                        const mli_conv2d_cfg *cfg, mli_tensor *out);
/** Transposed convolution, FX_16 throughout, 64-bit accumulator; 4x4 kernels, strides 2. */
mli_status mli_krn_transpose_conv2d_hwcn_fx16_k4x4_str2(const mli_tensor *in,
                                                        const mli_tensor *weights,
                                                        const mli_tensor *bias,
                                                        const mli_conv2d_cfg *cfg, mli_tensor *out);
/** Transposed convolution, FX_16 in and out, FX_8 weights and bias; any kernel size. */
mli_status mli_krn_transpose_conv2d_hwcn_fx16_fx8_fx8(const mli_tensor *in,
                                                      const mli_tensor *weights,
                                                      const mli_tensor *bias,
                                                      const mli_conv2d_cfg *cfg, mli_tensor *out);
/** Transposed convolution, FX_16 in and out, FX_8 weights and bias; 2x2 kernels, strides 2. */
mli_status mli_krn_transpose_conv2d_hwcn_fx16_fx8_fx8_k2x2_str2(const mli_tensor *in,
                                                                const mli_tensor *weights,
                                                                const mli_tensor *bias,
                                                                const mli_conv2d_cfg *cfg,
                                                                mli_tensor *out);
/** Transposed convolution, FX_16 in and out, FX_8 weights and bias; 4x4 kernels, strides 2. */
mli_status mli_krn_transpose_conv2d_hwcn_fx16_fx8_fx8_k4x4_str2(const mli_tensor *in,
                                                                const mli_tensor *weights,
                                                                const mli_tensor *bias,
                                                                const mli_conv2d_cfg *cfg,
                                                                mli_tensor *out);
/** Transposed convolution, SA_8 with SA_32 bias; any kernel size. */
mli_status mli_krn_transpose_conv2d_hwcn_sa8_sa8_sa32(const mli_tensor *in,
                                                      const mli_tensor *weights,
                                                      const mli_tensor *bias,
                                                      const mli_conv2d_cfg *cfg, mli_tensor *out);
/** Transposed convolution, SA_8 with SA_32 bias; 2x2 kernels, strides 2. */
mli_status mli_krn_transpose_conv2d_hwcn_sa8_sa8_sa32_k2x2_str2(const mli_tensor *in,
                                                                const mli_tensor *weights,
                                                                const mli_tensor *bias,
                                                                const mli_conv2d_cfg *cfg,
                                                                mli_tensor *out);
/** Transposed convolution, SA_8 with SA_32 bias; 4x4 kernels, strides 2. */
mli_status mli_krn_transpose_conv2d_hwcn_sa8_sa8_sa32_k4x4_str2(const mli_tensor *in,
                                                                const mli_tensor *weights,
                                                                const mli_tensor *bias,
                                                                const mli_conv2d_cfg *cfg,
                                                                mli_tensor *out);

/*
 * Fully connected (conv.md 10). in: any shape of n elements, dense; weights [n, Co], inner 1, row
 * stride free; bias [Co], dense; out [Co], stride 1. cfg: ReLU type only.
 *
 * out[c] = relu(bias[c] + sum over i of in[i] * weights[i][c]), i in row-major order of in.
 * Quantization rules as for the convolution; weights per output channel have dim 1. Accumulators
 * wrap modulo 2^32 (fx16: 2^64); the bias is added with saturation, last.
 *
 * Statuses in order (conv.md 11). fx: types of in, weights, bias (TYPE_MISMATCH); frac_bits of
 * bias, then of out (INCOMPATEBLE_TENSORS). All: chk of in, weights, bias, out; type of out
 * (TYPE_MISMATCH); cfg NULL (BAD_FUNC_CFG); ranks and sizes (SHAPE_MISMATCH); in and bias dense,
 * weights and out inner 1 (INCOMPATEBLE_TENSORS); in and out apart. sa8: types (TYPE_MISMATCH);
 * chkq(in, Z8), chkq(out, Z8), chkq(weights, 0), chkq(bias, 0); axes of weights and bias, in and
 * out per tensor, bias scale (INCOMPATEBLE_TENSORS).
 */

/** Fully connected, FX_16 throughout, 64-bit accumulator. */
mli_status mli_krn_fully_connected_fx16(const mli_tensor *in, const mli_tensor *weights,
                                        const mli_tensor *bias, const mli_fully_connected_cfg *cfg,
                                        mli_tensor *out);
/** Fully connected, FX_16 in and out, FX_8 weights and bias. */
mli_status mli_krn_fully_connected_fx16_fx8_fx8(const mli_tensor *in, const mli_tensor *weights,
                                                const mli_tensor *bias,
                                                const mli_fully_connected_cfg *cfg,
                                                mli_tensor *out);
/** Fully connected, SA_8 with SA_32 bias. */
mli_status mli_krn_fully_connected_sa8_sa8_sa32(const mli_tensor *in, const mli_tensor *weights,
                                                const mli_tensor *bias,
                                                const mli_fully_connected_cfg *cfg,
                                                mli_tensor *out);
/** Fully connected, SA_8 with SA_32 bias that already holds -zero_point(in) * sum(weights[][c]):
 * the zero point of in is checked but takes no part. Not equal to
 * mli_krn_fully_connected_sa8_sa8_sa32 on the same bias. */
mli_status mli_krn_fully_connected_sa8_sa8_sa32_ext_bias(const mli_tensor *in,
                                                         const mli_tensor *weights,
                                                         const mli_tensor *bias,
                                                         const mli_fully_connected_cfg *cfg,
                                                         mli_tensor *out);
/** Deprecated. Fully connected, FX_8 throughout, 32-bit accumulator. */
mli_status mli_krn_fully_connected_fx8(const mli_tensor *in, const mli_tensor *weights,
                                       const mli_tensor *bias, const mli_fully_connected_cfg *cfg,
                                       mli_tensor *out);
/** Deprecated, declared and absent by design: no library defines it (api.md 4.4). */
mli_status mli_krn_fully_connected_fx8w16d(const mli_tensor *in, const mli_tensor *weights,
                                           const mli_tensor *bias,
                                           const mli_fully_connected_cfg *cfg, mli_tensor *out);

/*
 * Dense layer of several inputs (recurrent.md 5). in and weights are arrays of cfg->inputs_num
 * (1..4) pointers. in[j]: any shape of Nj elements, dense; weights[j] [Nj, M], inner 1; bias [M] in
 * the format of pair 0; out [M]. All quantization per tensor, each pair with its own; zero points
 * of weights and bias 0.
 *
 * out[m] = bias[m] + sum over j of round(sum over k of in[j][k] * weights[j][k][m]): each input is
 * brought to out's format and rounded by itself.
 *
 * Statuses in order: cfg NULL or inputs_num outside 1..4: BAD_FUNC_CFG; for each j: chk of in[j],
 * weights[j], shapes (SHAPE_MISMATCH), in[j] dense and weights[j] inner 1 (INCOMPATEBLE_TENSORS),
 * in[j] and out apart; chk(bias), its shape (SHAPE_MISMATCH), chk(out), its shape (SHAPE_MISMATCH),
 * type of out (TYPE_MISMATCH), bias inner 1 and out dense (INCOMPATEBLE_TENSORS); all types
 * (TYPE_MISMATCH); fx: frac_bits of out, then of bias (INCOMPATEBLE_TENSORS); sa8: for each j
 * chkq(in[j], Z8), chkq(weights[j], 0), then chkq(out, Z8), chkq(bias, 0), all per tensor, bias
 * scale (INCOMPATEBLE_TENSORS). in or weights NULL: BAD_TENSOR, after cfg. The sums of an input
 * must stay inside the accumulator (recurrent.md 5.4); beyond, they wrap.
 */

/** Dense layer of several inputs, FX_16 throughout, 64-bit accumulator. */
mli_status mli_krn_rnn_dense_fx16(const mli_tensor **in, const mli_tensor **weights,
                                  const mli_tensor *bias, const mli_rnn_dense_cfg *cfg,
                                  mli_tensor *out);
/** Dense layer of several inputs, FX_16 in and out, FX_8 weights and bias. */
mli_status mli_krn_rnn_dense_fx16_fx8_fx8(const mli_tensor **in, const mli_tensor **weights,
                                          const mli_tensor *bias, const mli_rnn_dense_cfg *cfg,
                                          mli_tensor *out);
/** Dense layer of several inputs, SA_8 with SA_32 bias. */
mli_status mli_krn_rnn_dense_sa8_sa8_sa32(const mli_tensor **in, const mli_tensor **weights,
                                          const mli_tensor *bias, const mli_rnn_dense_cfg *cfg,
                                          mli_tensor *out);

/*
 * LSTM cell (recurrent.md 6, 7). in [T, N] dense; prev_out [M]; weights_in [4, N, M], weights_out
 * [4, M, M], bias [4, M], gates in the order input, new information, forget, output; cell [M], read
 * and written; tanh_lut and sigm_lut from their create_lut. out: any shape, dense, with room for M
 * (RNN_OUT_LAST) or T*M (RNN_OUT_ALL) elements. cfg: direction, results, activation of the cell,
 * scratch_data of at least 4*M elements of in's type.
 *
 * i, f, o = sigm(..), g = tanh(..); cell = f*cell + i*g; out = o * act(cell), frame by frame. sa8:
 * in, prev_out, cell and out per tensor; weights and bias all per tensor or all per gate (dim 0),
 * zero points 0. Written: data of cell and out, scratch (the gates of the last frame), and out's
 * rank 2, shape (rows, M) and strides (M, 1). out may start at prev_out's data; every other overlap
 * is undefined.
 *
 * Statuses in order (recurrent.md 7): capacity of tanh_lut, sigm_lut (NOT_ENGH_MEM); chk of in,
 * prev_out, their ranks (SHAPE_MISMATCH), in dense, prev_out inner 1 (INCOMPATEBLE_TENSORS); chk of
 * weights_in, weights_out, shapes (SHAPE_MISMATCH), inner 1 (INCOMPATEBLE_TENSORS); chk(bias),
 * shape; chk(cell), shape; chk(out), type (TYPE_MISMATCH), room (BAD_TENSOR); scratch
 * (BAD_FUNC_CFG); cell and bias inner 1, out dense, in and scratch apart (INCOMPATEBLE_TENSORS);
 * all types (TYPE_MISMATCH); fx: frac_bits of bias (INCOMPATEBLE_TENSORS); sa8: axes
 * (INCOMPATEBLE_TENSORS), chkq(in, Z8), chkq(prev_out, Z8), chkq(cell, Z8), chkq(weights_in, 0),
 * chkq(weights_out, 0), chkq(bias, 0), bias scale (INCOMPATEBLE_TENSORS). cfg or a table NULL:
 * BAD_FUNC_CFG, first; other enumeration values in cfg act as the first of their type. Where the
 * original is undefined, last: sa8: out per axis, its scale not above 0 or its zero point outside
 * Z8: NOT_SUPPORTED; a table not usable: BAD_FUNC_CFG. The sums of a gate must stay inside the
 * accumulator (recurrent.md 5.4); beyond, they wrap.
 */

/** LSTM cell, FX_16 throughout, 64-bit accumulator. */
mli_status mli_krn_lstm_cell_fx16(const mli_tensor *in, const mli_tensor *prev_out,
                                  const mli_tensor *weights_in, const mli_tensor *weights_out,
                                  const mli_tensor *bias, const mli_lut *tanh_lut,
                                  const mli_lut *sigm_lut, const mli_rnn_cell_cfg *cfg,
                                  mli_tensor *cell, mli_tensor *out);
/** LSTM cell, FX_16 in and out, FX_8 weights and bias. */
mli_status mli_krn_lstm_cell_fx16_fx8_fx8(const mli_tensor *in, const mli_tensor *prev_out,
                                          const mli_tensor *weights_in,
                                          const mli_tensor *weights_out, const mli_tensor *bias,
                                          const mli_lut *tanh_lut, const mli_lut *sigm_lut,
                                          const mli_rnn_cell_cfg *cfg, mli_tensor *cell,
                                          mli_tensor *out);
/** LSTM cell, SA_8 with SA_32 bias. */
mli_status mli_krn_lstm_cell_sa8_sa8_sa32(const mli_tensor *in, const mli_tensor *prev_out,
                                          const mli_tensor *weights_in,
                                          const mli_tensor *weights_out, const mli_tensor *bias,
                                          const mli_lut *tanh_lut, const mli_lut *sigm_lut,
                                          const mli_rnn_cell_cfg *cfg, mli_tensor *cell,
                                          mli_tensor *out);

/*
 * GRU cell (recurrent.md 6, 8). As the LSTM cell with three gates in the order update, reset, new,
 * without cell, and scratch_data of at least 3*M elements; the activation in cfg is not used.
 *
 * z, r = sigm(..); n = tanh(in part + (r*h) part); h = z*h + (1-z)*n. The reset gate multiplies h
 * before the product. sa8 with per-tensor weights computes gate n with a quarter of its scale, as
 * the original does (recurrent.md 8). Statuses as for the LSTM cell, without cell.
 */

/** GRU cell, FX_16 throughout, 64-bit accumulator. */
mli_status mli_krn_gru_cell_fx16(const mli_tensor *in, const mli_tensor *prev_out,
                                 const mli_tensor *weights_in, const mli_tensor *weights_out,
                                 const mli_tensor *bias, const mli_lut *tanh_lut,
                                 const mli_lut *sigm_lut, const mli_rnn_cell_cfg *cfg,
                                 mli_tensor *out);
/** GRU cell, FX_16 in and out, FX_8 weights and bias. */
mli_status mli_krn_gru_cell_fx16_fx8_fx8(const mli_tensor *in, const mli_tensor *prev_out,
                                         const mli_tensor *weights_in,
                                         const mli_tensor *weights_out, const mli_tensor *bias,
                                         const mli_lut *tanh_lut, const mli_lut *sigm_lut,
                                         const mli_rnn_cell_cfg *cfg, mli_tensor *out);
/** GRU cell, SA_8 with SA_32 bias. */
mli_status mli_krn_gru_cell_sa8_sa8_sa32(const mli_tensor *in, const mli_tensor *prev_out,
                                         const mli_tensor *weights_in,
                                         const mli_tensor *weights_out, const mli_tensor *bias,
                                         const mli_lut *tanh_lut, const mli_lut *sigm_lut,
                                         const mli_rnn_cell_cfg *cfg, mli_tensor *out);

/*
 * Deprecated, declared and absent by design: no library defines these three (api.md 4.4).
 */

/** Basic recurrent cell: absent by design. */
mli_status mli_krn_basic_rnn_cell_fx8(const mli_tensor *in, const mli_tensor *prev_out,
                                      const mli_tensor *weights, const mli_tensor *bias,
                                      const mli_rnn_cell_cfg_depr *cfg, mli_tensor *out);
/** Basic recurrent cell: absent by design. */
mli_status mli_krn_basic_rnn_cell_fx16(const mli_tensor *in, const mli_tensor *prev_out,
                                       const mli_tensor *weights, const mli_tensor *bias,
                                       const mli_rnn_cell_cfg_depr *cfg, mli_tensor *out);
/** Basic recurrent cell: absent by design. */
mli_status mli_krn_basic_rnn_cell_fx8w16d(const mli_tensor *in, const mli_tensor *prev_out,
                                          const mli_tensor *weights, const mli_tensor *bias,
                                          const mli_rnn_cell_cfg_depr *cfg, mli_tensor *out);

/*
 * Pooling (pooling_and_movement.md 2). in [H, W, C], out [OH, OW, C], same type, inner 1. cfg:
 * kernel size 1..255 (the _kNxN functions: N), strides 1..255, paddings below the kernel size. A
 * window is cut to the input: padding takes part neither as a value nor in the divisor. out may be
 * smaller than the geometry allows, not larger.
 *
 * Maximum: of the containers; out's el_params become in's. Average: rounded to out's format,
 * through a reciprocal of limited precision (pooling_and_movement.md 2.4 to 2.6); out's format is
 * an input and no field of out is written. Sums that leave 32 bits (fx8: not below 1025 elements)
 * wrap.
 *
 * An output that is narrower than the fringe of padding (pooling_and_movement.md 2.2: kernel 5,
 * padding 2 + 2 on a map 1 wide) makes the original write outside out. Here every output is the
 * plain result of its cut window, and nothing else is touched.
 *
 * Statuses in order: cfg NULL (BAD_FUNC_CFG); _kNxN: kernel size in cfg (SHAPE_MISMATCH); chk(in),
 * chk(out); types equal (TYPE_MISMATCH); ranks 3 (SHAPE_MISMATCH); inner 1 (INCOMPATEBLE_TENSORS);
 * paddings, strides, then size of out and channels (BAD_FUNC_CFG); in and out apart; type of in
 * (TYPE_MISMATCH); sa8: both per tensor (INCOMPATEBLE_TENSORS); average of sa8: chkq(in, Z8),
 * chkq(out, Z8).
 */

/** Maximum pooling, SA_8; any window. */
mli_status mli_krn_maxpool_hwc_sa8(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
/** Maximum pooling, SA_8; 2x2 windows. */
mli_status mli_krn_maxpool_hwc_sa8_k2x2(const mli_tensor *in, const mli_pool_cfg *cfg,
                                        mli_tensor *out);
/** Maximum pooling, SA_8; 3x3 windows. */
mli_status mli_krn_maxpool_hwc_sa8_k3x3(const mli_tensor *in, const mli_pool_cfg *cfg,
                                        mli_tensor *out);
/** Maximum pooling, FX_8; any window. */
mli_status mli_krn_maxpool_hwc_fx8(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
/** Maximum pooling, FX_8; 2x2 windows. */
mli_status mli_krn_maxpool_hwc_fx8_k2x2(const mli_tensor *in, const mli_pool_cfg *cfg,
                                        mli_tensor *out);
/** Maximum pooling, FX_8; 3x3 windows. */
mli_status mli_krn_maxpool_hwc_fx8_k3x3(const mli_tensor *in, const mli_pool_cfg *cfg,
                                        mli_tensor *out);
/** Maximum pooling, FX_16; any window. */
mli_status mli_krn_maxpool_hwc_fx16(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
/** Maximum pooling, FX_16; 2x2 windows. */
mli_status mli_krn_maxpool_hwc_fx16_k2x2(const mli_tensor *in, const mli_pool_cfg *cfg,
                                         mli_tensor *out);
/** Maximum pooling, FX_16; 3x3 windows. */
mli_status mli_krn_maxpool_hwc_fx16_k3x3(const mli_tensor *in, const mli_pool_cfg *cfg,
                                         mli_tensor *out);
/** Average pooling, SA_8; any window. */
mli_status mli_krn_avepool_hwc_sa8(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
/** Average pooling, SA_8; 2x2 windows. */
mli_status mli_krn_avepool_hwc_sa8_k2x2(const mli_tensor *in, const mli_pool_cfg *cfg,
                                        mli_tensor *out);
/** Average pooling, SA_8; 3x3 windows. */
mli_status mli_krn_avepool_hwc_sa8_k3x3(const mli_tensor *in, const mli_pool_cfg *cfg,
                                        mli_tensor *out);
/** Average pooling, FX_8; any window. */
mli_status mli_krn_avepool_hwc_fx8(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
/** Average pooling, FX_8; 2x2 windows. */
mli_status mli_krn_avepool_hwc_fx8_k2x2(const mli_tensor *in, const mli_pool_cfg *cfg,
                                        mli_tensor *out);
/** Average pooling, FX_8; 3x3 windows. */
mli_status mli_krn_avepool_hwc_fx8_k3x3(const mli_tensor *in, const mli_pool_cfg *cfg,
                                        mli_tensor *out);
/** Average pooling, FX_16; any window. */
mli_status mli_krn_avepool_hwc_fx16(const mli_tensor *in, const mli_pool_cfg *cfg, mli_tensor *out);
/** Average pooling, FX_16; 2x2 windows. */
mli_status mli_krn_avepool_hwc_fx16_k2x2(const mli_tensor *in, const mli_pool_cfg *cfg,
                                         mli_tensor *out);
/** Average pooling, FX_16; 3x3 windows. */
mli_status mli_krn_avepool_hwc_fx16_k3x3(const mli_tensor *in, const mli_pool_cfg *cfg,
                                         mli_tensor *out);

/*
 * Arg max (elementwise.md 9). out: SA_32, dense, shape [slices, cfg->topk]. axis < 0: one slice,
 * the whole tensor; axis d: shape[d] slices, slice j has all elements with index j along d. Row j
 * of out: the positions of the topk largest elements, largest first, as memory offsets in elements
 * from in's data. Of equal elements the order is that of the original's heap; topk = 1 is the last
 * maximum. in inner 1. Also written: out's quantization: scale 1, zero point 0, scale_frac_bits 0,
 * dim -1.
 *
 * Statuses in order: chk(in), chk(out); out SA_32 (TYPE_MISMATCH); out dense
 * (INCOMPATEBLE_TENSORS); cfg NULL or axis above rank (BAD_FUNC_CFG); in inner 1
 * (INCOMPATEBLE_TENSORS); axis = rank, topk above the slice (BAD_FUNC_CFG); shape of out
 * (SHAPE_MISMATCH); type of in (TYPE_MISMATCH); sa8: per tensor (INCOMPATEBLE_TENSORS). The rank of
 * out is not looked at, shape[0] and shape[1] are: NOT_ENGH_MEM, last, if the capacity has no room
 * for so many. in of rank 0 is one element behind the data pointer.
 */

/** Arg max of SA_8. */
mli_status mli_krn_argmax_sa8(const mli_tensor *in, const mli_argmax_cfg *cfg, mli_tensor *out);
/** Arg max of FX_16. */
mli_status mli_krn_argmax_fx16(const mli_tensor *in, const mli_argmax_cfg *cfg, mli_tensor *out);

/*
 * ReLU (elementwise.md 3). in, out: same type and shape, inner 1. cfg->type: none, max(x, 0), clip
 * to [-1, 1], clip to [0, 6]; the limits come from in's quantization. Also written: out's el_params
 * become in's. out may lie exactly on in (same pointer, same strides).
 *
 * Statuses in order: chk(in); cfg NULL (BAD_FUNC_CFG); chk(out); types equal (TYPE_MISMATCH);
 * shapes equal (SHAPE_MISMATCH); inner 1 (INCOMPATEBLE_TENSORS); type of in (TYPE_MISMATCH); sa8:
 * chkq(in, Z8), per tensor (INCOMPATEBLE_TENSORS). out's quantization is not looked at.
 */

/** ReLU of SA_8. */
mli_status mli_krn_relu_sa8(const mli_tensor *in, const mli_relu_cfg *cfg, mli_tensor *out);
/** ReLU of FX_8. */
mli_status mli_krn_relu_fx8(const mli_tensor *in, const mli_relu_cfg *cfg, mli_tensor *out);
/** ReLU of FX_16. */
mli_status mli_krn_relu_fx16(const mli_tensor *in, const mli_relu_cfg *cfg, mli_tensor *out);

/*
 * Leaky ReLU (elementwise.md 4): x for x >= 0, slope * x below. slope_coeff: a scalar (rank 0, or
 * any rank with one element) of in's type. in, out: same type and shape, inner 1. fx: out's
 * frac_bits equal in's. sa8: all per tensor; zero points of in and out in Z8, of the slope in
 * -16384..16383. out may lie exactly on in.
 *
 * Statuses in order: chk(in), chk(out); types equal (TYPE_MISMATCH); shapes equal (SHAPE_MISMATCH);
 * inner 1 (INCOMPATEBLE_TENSORS); slope: rank 0: chkq(slope, int16), else chk(slope) and one
 * element (SHAPE_MISMATCH); types (TYPE_MISMATCH); fx: frac_bits (SPEC_PARAM_MISMATCH); sa8:
 * chkq(in, Z8), chkq(out, Z8), chkq(slope, -16384..16383), all per tensor (INCOMPATEBLE_TENSORS).
 */

/** Leaky ReLU of SA_8. */
mli_status mli_krn_leaky_relu_sa8(const mli_tensor *in, const mli_tensor *slope_coeff,
                                  mli_tensor *out);
/** Leaky ReLU of FX_8. */
mli_status mli_krn_leaky_relu_fx8(const mli_tensor *in, const mli_tensor *slope_coeff,
                                  mli_tensor *out);
/** Leaky ReLU of FX_16. */
mli_status mli_krn_leaky_relu_fx16(const mli_tensor *in, const mli_tensor *slope_coeff,
                                   mli_tensor *out);

/*
 * Parametric ReLU (elementwise.md 4): leaky ReLU with a slope for each index of dimension
 * cfg->axis. axis -1: exactly the leaky ReLU. Else slope_coeff has shape[axis] = in's and 1 in
 * every other dimension of in, and its data are read as a dense list. Other rules as for the leaky
 * ReLU.
 *
 * Statuses in order: chk(in); cfg NULL (BAD_FUNC_CFG); slope: as leaky ReLU (axis -1) or
 * chk(slope); chk(out); types equal (TYPE_MISMATCH); shapes equal (SHAPE_MISMATCH); axis not below
 * in's rank, or below -1 (BAD_FUNC_CFG); in, out and slope inner 1, shape of the slope
 * (INCOMPATEBLE_TENSORS), its capacity if its rank is too small (NOT_ENGH_MEM); then as leaky ReLU
 * from the slope's type on.
 */

/** Parametric ReLU of SA_8. */
mli_status mli_krn_prelu_sa8(const mli_tensor *in, const mli_tensor *slope_coeff,
                             const mli_prelu_cfg *cfg, mli_tensor *out);
/** Parametric ReLU of FX_8. */
mli_status mli_krn_prelu_fx8(const mli_tensor *in, const mli_tensor *slope_coeff,
                             const mli_prelu_cfg *cfg, mli_tensor *out);
/** Parametric ReLU of FX_16. */
mli_status mli_krn_prelu_fx16(const mli_tensor *in, const mli_tensor *slope_coeff,
                              const mli_prelu_cfg *cfg, mli_tensor *out);

/*
 * Sigmoid and hyperbolic tangent by table (recurrent.md 4). in, out: same type and shape, inner 1;
 * lut from the function's own create_lut. Also written: out's format: fx8 frac_bits 7, fx16
 * frac_bits 15; sa8 sigmoid scale 1, scale_frac_bits 8, zero point -128, sa8 tangent scale 1,
 * scale_frac_bits 7, zero point 0, dim -1. out may lie exactly on in.
 *
 * Statuses in order: chk(in), chk(out); types equal (TYPE_MISMATCH); shapes equal (SHAPE_MISMATCH);
 * inner 1 (INCOMPATEBLE_TENSORS); type of in (TYPE_MISMATCH); sa8: chkq(in, Z8), in per tensor
 * (INCOMPATEBLE_TENSORS). lut not usable: BAD_FUNC_CFG, last. A table is usable, here and below, if
 * neither lut nor its data pointer is NULL and its length is 2 or more; length, in_frac_bits,
 * input_offset and (sa8) out_frac_bits may be others than create_lut sets, as long as the memory
 * has so many entries. in of rank 0 is one element behind the data pointer.
 */

/** Sigmoid of SA_8. */
mli_status mli_krn_sigm_sa8(const mli_tensor *in, const mli_lut *lut, mli_tensor *out);
/** Sigmoid of FX_8. */
mli_status mli_krn_sigm_fx8(const mli_tensor *in, const mli_lut *lut, mli_tensor *out);
/** Sigmoid of FX_16. */
mli_status mli_krn_sigm_fx16(const mli_tensor *in, const mli_lut *lut, mli_tensor *out);
/** Hyperbolic tangent of SA_8. */
mli_status mli_krn_tanh_sa8(const mli_tensor *in, const mli_lut *lut, mli_tensor *out);
/** Hyperbolic tangent of FX_8. */
mli_status mli_krn_tanh_fx8(const mli_tensor *in, const mli_lut *lut, mli_tensor *out);
/** Hyperbolic tangent of FX_16. */
mli_status mli_krn_tanh_fx16(const mli_tensor *in, const mli_lut *lut, mli_tensor *out);

/*
 * Softmax (elementwise.md 7). in, out: same type and shape, inner 1. cfg->axis: below 0 one group,
 * the whole tensor; else each line along axis is a group. lut from mli_krn_softmax_create_lut. Also
 * written: out's format: fx16 frac_bits 15; fx8 frac_bits 7; sa8 scale 1, scale_frac_bits 8, zero
 * point -128, dim -1. Groups of up to 65538 elements. out may lie exactly on in.
 *
 * Statuses in order: chk(in), chk(out); types equal (TYPE_MISMATCH); shapes equal (SHAPE_MISMATCH);
 * inner 1 (INCOMPATEBLE_TENSORS); type of in (TYPE_MISMATCH); cfg NULL or axis not below rank
 * (BAD_FUNC_CFG); sa8: chkq(in, Z8), per tensor (INCOMPATEBLE_TENSORS). lut not usable:
 * BAD_FUNC_CFG, last. in of rank 0 is one element behind the data pointer. With larger groups, or a
 * table that is not create_lut's, the results have no meaning.
 */

/** Softmax of SA_8. */
mli_status mli_krn_softmax_sa8(const mli_tensor *in, const mli_lut *lut, const mli_softmax_cfg *cfg,
                               mli_tensor *out);
/** Softmax of FX_16. */
mli_status mli_krn_softmax_fx16(const mli_tensor *in, const mli_lut *lut,
                                const mli_softmax_cfg *cfg, mli_tensor *out);
/** Deprecated. Softmax of FX_8: every element is 0, as the original computes it. */
mli_status mli_krn_softmax_fx8(const mli_tensor *in, const mli_lut *lut, const mli_softmax_cfg *cfg,
                               mli_tensor *out);

/*
 * L2 normalization (elementwise.md 8): each group divided by the root of its sum of squares; a
 * group of zeros gives zeros. Groups as for softmax, but only axis -1 means the whole tensor: axis
 * below -1 is BAD_FUNC_CFG. epsilon is not used and may be NULL. lut from
 * mli_krn_l2_normalize_create_lut. Also written: out's format: fx16 frac_bits 15; sa8 scale 1,
 * scale_frac_bits 7, zero point 0, dim -1. Statuses as for softmax. out may lie exactly on in.
 */

/** L2 normalization of FX_16. */
mli_status mli_krn_l2_normalize_fx16(const mli_tensor *in, const mli_tensor *epsilon,
                                     const mli_lut *lut, const mli_l2_normalize_cfg *cfg,
                                     mli_tensor *out);
/** L2 normalization of SA_8. */
mli_status mli_krn_l2_normalize_sa8(const mli_tensor *in, const mli_tensor *epsilon,
                                    const mli_lut *lut, const mli_l2_normalize_cfg *cfg,
                                    mli_tensor *out);

/*
 * Element-wise with two operands (elementwise.md 5). Equal shapes, or one operand (or both) a
 * scalar: rank 0, or any rank with one element; a scalar applies to every element. in1, in2, out of
 * one type, non-scalars inner 1. out's quantization is an input; sa8: all per tensor, zero points
 * in Z8. min and max: in1 and in2 equally quantized. fx add: operands are brought to the larger
 * frac_bits with 32-bit saturation, then rounded once. sa8 add: each operand is rounded to a step
 * of out by itself. out may lie exactly on in1 or in2 (same pointer, same strides).
 *
 * Statuses in order (elementwise.md 2): in1, then in2: a scalar of rank 0: chkq(., int16), else
 * chk; chk(out); both of rank 0 (NOT_SUPPORTED); inner 1 (INCOMPATEBLE_TENSORS); type of out is
 * in1's (INCOMPATEBLE_TENSORS); shapes of the non-scalars and out; two scalars: out has in2's shape
 * (SHAPE_MISMATCH); min and max: type and quantization of in1 and in2 equal (INCOMPATEBLE_TENSORS);
 * types (TYPE_MISMATCH); sa8: chkq(in1, Z8), chkq(in2, Z8), chkq(out, Z8), all per tensor
 * (INCOMPATEBLE_TENSORS).
 */

/** in1 + in2, SA_8. */
mli_status mli_krn_eltwise_add_sa8(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out);
/** in1 + in2, FX_8. */
mli_status mli_krn_eltwise_add_fx8(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out);
/** in1 + in2, FX_16. */
mli_status mli_krn_eltwise_add_fx16(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out);
/** in1 - in2, SA_8. */
mli_status mli_krn_eltwise_sub_sa8(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out);
/** in1 - in2, FX_8. */
mli_status mli_krn_eltwise_sub_fx8(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out);
/** in1 - in2, FX_16. */
mli_status mli_krn_eltwise_sub_fx16(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out);
/** in1 * in2, SA_8. */
mli_status mli_krn_eltwise_mul_sa8(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out);
/** in1 * in2, FX_8. */
mli_status mli_krn_eltwise_mul_fx8(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out);
/** in1 * in2, FX_16. */
mli_status mli_krn_eltwise_mul_fx16(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out);
/** The lesser of in1 and in2, SA_8. */
mli_status mli_krn_eltwise_min_sa8(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out);
/** The lesser of in1 and in2, FX_8. */
mli_status mli_krn_eltwise_min_fx8(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out);
/** The lesser of in1 and in2, FX_16. */
mli_status mli_krn_eltwise_min_fx16(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out);
/** The greater of in1 and in2, SA_8. */
mli_status mli_krn_eltwise_max_sa8(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out);
/** The greater of in1 and in2, FX_8. */
mli_status mli_krn_eltwise_max_fx8(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out);
/** The greater of in1 and in2, FX_16. */
mli_status mli_krn_eltwise_max_fx16(const mli_tensor *in1, const mli_tensor *in2, mli_tensor *out);

/*
 * Permute (pooling_and_movement.md 3). out[i0, i1, ..] = in[j..] with j[perm_dim[k]] = ik: a copy
 * in another order of dimensions. rank 1..4, all strides of both honoured, out.shape[k] =
 * in.shape[perm_dim[k]]. Also written: fx: frac_bits; sa8 per tensor: dim -1 and the three values;
 * per axis: dim, and the arrays are copied into out's own (or out takes in's pointers if its own
 * are NULL).
 *
 * Statuses in order: chk(in), chk(out); types equal (TYPE_MISMATCH); cfg NULL (BAD_FUNC_CFG); for
 * each k in turn perm_dim valid and unique (BAD_FUNC_CFG), shape (SHAPE_MISMATCH); in and out
 * apart; type of in (TYPE_MISMATCH); sa8 per axis: rules for out's arrays (SPEC_PARAM_MISMATCH).
 *
 * What the original leaves undefined comes last: rank 0 is NOT_SUPPORTED; sa8 per axis with dim not
 * below rank is BAD_TENSOR, arrays of in that are NULL and would have to be copied
 * SPEC_PARAM_MISMATCH. out's rank is not compared with in's: where it is smaller, the entries of
 * its shape and strides that it hides pass chk too.
 */

/** Permute, SA_8. */
mli_status mli_krn_permute_sa8(const mli_tensor *in, const mli_permute_cfg *cfg, mli_tensor *out);
/** Permute, FX_8. */
mli_status mli_krn_permute_fx8(const mli_tensor *in, const mli_permute_cfg *cfg, mli_tensor *out);
/** Permute, FX_16. */
mli_status mli_krn_permute_fx16(const mli_tensor *in, const mli_permute_cfg *cfg, mli_tensor *out);

/*
 * Look-up tables (recurrent.md 3, elementwise.md 6). get_lut_size: bytes the table needs.
 * create_lut: the caller gives lut->data (pointer, capacity); lut->type is written, then
 * NOT_ENGH_MEM if the capacity is too small, else the table and the other five fields are. lut or
 * its data pointer NULL: BAD_FUNC_CFG. A table may be used by any number of calls.
 */

/** Bytes of the table of the sigmoid: 640. */
int32_t mli_krn_sigm_get_lut_size(void);
/** Fills the table of the sigmoid. */
mli_status mli_krn_sigm_create_lut(mli_lut *lut);
/** Bytes of the table of the hyperbolic tangent: 688. */
int32_t mli_krn_tanh_get_lut_size(void);
/** Fills the table of the hyperbolic tangent. */
mli_status mli_krn_tanh_create_lut(mli_lut *lut);
/** Bytes of the table of the softmax: 716. */
int32_t mli_krn_softmax_get_lut_size(void);
/** Fills the table of the softmax. */
mli_status mli_krn_softmax_create_lut(mli_lut *lut);
/** Bytes of the table of the L2 normalization: 194. */
int32_t mli_krn_l2_normalize_get_lut_size(void);
/** Fills the table of the L2 normalization. */
mli_status mli_krn_l2_normalize_create_lut(mli_lut *lut);

#ifdef __cplusplus
}
#endif

#endif
