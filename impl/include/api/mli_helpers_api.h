/* Helpers of MLI 2.0: what a tensor's fields say, views into tensors, conversion between formats,
 * facts about the build (numerics.md 7, 8; api.md 4.2). */
#ifndef MLI_HELPERS_API_H
#define MLI_HELPERS_API_H

#include <stdbool.h>
#include <stdint.h>

#include "mli_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Getters (numerics.md 8.1). The tensor must not be NULL and an index must be below the number of
 * entries: like the original they check neither.
 */

/**
 * Number of elements from dimension start_dim inwards: the product of shape[start_dim .. rank - 1],
 * modulo 2^32. A scalar (rank 0) has 1 for every start_dim. Returns 0 if rank > 4, or rank > 0 and
 * start_dim >= rank.
 */
uint32_t mli_hlp_count_elem_num(const mli_tensor *in, uint32_t start_dim);

/** Bytes of one element: 1 for FX_8 and SA_8, 2 for FX_16, 4 for SA_32 and FP_32, 0 for every other
 * type. */
uint32_t mli_hlp_tensor_element_size(const mli_tensor *in);

/**
 * Whether two tensors start at the same address. False if their el_types differ (so an FX_8 and an
 * SA_8 tensor on the same memory compare as different), if either is a scalar (rank 0) or if the
 * type has no element size.
 */
bool mli_hlp_tensor_data_ptr_cmp(const mli_tensor *in1, const mli_tensor *in2);

/** Fractional bits of the scale: frac_bits for FX, scale_frac_bits for SA (entry scale_idx per
 * axis), else 0. */
int32_t mli_hlp_tensor_scale_shift(const mli_tensor *in, const uint32_t scale_idx);

/** Scale: 1 for FX and FP_32, for SA the int16 scale (entry scale_idx per axis, above 0 if valid),
 * else 0. */
int32_t mli_hlp_tensor_scale(const mli_tensor *in, const uint32_t scale_idx);

/** Zero point: for SA the int16 zero point (entry zero_idx per axis), else 0. */
int16_t mli_hlp_tensor_zero_offset(const mli_tensor *in, const uint32_t zero_idx);

/**
 * Makes the strides of a tensor dense (numerics.md 8.2): mem_stride[rank - 1] = 1, mem_stride[d] =
 * mem_stride[d + 1] * shape[d + 1]. Entries from rank on stay. A scalar (rank 0) is left as it is.
 */
void mli_hlp_set_tensor_mem_strides(mli_tensor *in);

/*
 * Conversion (numerics.md 7)
 */

/**
 * Requantizes every element of src into dst: FX_8, FX_16, SA_8, SA_32 and FP_32 in any pair,
 * rank 1..4.
 *
 * src and dst have the same rank and shape and innermost stride 1. Type, quantization parameters,
 * strides and capacity of dst are inputs; only its data are written. SA parameters may be per
 * tensor or per axis on either side; if on both, dim must be equal. Integer pairs follow the
 * profile's rounding; a left shift saturates at 32 bits before the zero point is added. Zero points
 * are not checked. With FP_32 rounding is to nearest, halves away from zero, in single precision;
 * numbers too large for the original (scaled 2^31 and above, infinity) become the nearest
 * container, and what is no number becomes the zero point. FP_32 to FP_32 copies bits. In place
 * (same data pointer, equal container size, equal strides) is allowed. Any other overlap gives
 * containers of no defined value, inside dst.
 *
 * Statuses, first that applies: the tensor check (numerics.md 2) of src, then of dst: BAD_TENSOR,
 * NOT_ENGH_MEM; rank or shape differ: SHAPE_MISMATCH; an innermost stride is not 1:
 * INCOMPATEBLE_TENSORS; same el_type, same pointer and different outer strides:
 * INCOMPATEBLE_TENSORS; both per axis on different dims: SIZE_MISMATCH; a type that is not
 * supported, paired with FP_32 too: TYPE_MISMATCH. Last what the original leaves undefined: dim not
 * below rank, a NULL array of parameters, between integers a scale of 0 or below: BAD_TENSOR. A
 * scalar of rank 0 is NOT_ENGH_MEM; rank 0 with a pointer and room for one element is converted as
 * that element.
 */
mli_status mli_hlp_convert_tensor(const mli_tensor *src, mli_tensor *dst);

/** mli_hlp_convert_tensor for integer formats: FP_32 on either side is a TYPE_MISMATCH; all else is
 * the same. */
mli_status mli_hlp_convert_tensor_safx(const mli_tensor *src, mli_tensor *dst);

/*
 * Views (numerics.md 8.3, 8.4): no data are copied, out points into in.
 */

/**
 * Makes out a view of a box of in. cfg->offset[d] and cfg->size[d] (elements) for each dimension of
 * in; cfg->sub_tensor_rank: how many dimensions stay, those of size 1 are dropped from the
 * outermost inwards. Written in out: data (pointer and remaining capacity), shape, mem_stride,
 * rank, el_type, el_params; per axis parameters point to the first entry of the box and dim is the
 * new index of that dimension. out need not be initialized, and may be in itself. With fewer
 * dimensions of size 1 than must go, trailing dimensions are cut off; a size of 0 is accepted and
 * makes a tensor that no kernel takes. If the quantized dimension itself is dropped (the original
 * leaves an unusable tensor then), out becomes quantized per tensor: dim -1, the values of the one
 * entry that is left, capacities 0.
 *
 * Statuses in order: tensor check of in; out NULL: BAD_TENSOR; cfg NULL, sub_tensor_rank above in's
 * rank: BAD_FUNC_CFG; in of rank 0 (undefined in the original): NOT_SUPPORTED; a box that leaves
 * in: BAD_FUNC_CFG; per axis with dim not below rank (undefined in the original): BAD_TENSOR; FP_32
 * and unsupported types: NOT_SUPPORTED (out.data and out.el_type are already written).
 */
mli_status mli_hlp_create_subtensor(const mli_tensor *in, const mli_sub_tensor_cfg *cfg,
                                    mli_tensor *out);

/**
 * Deprecated: use mli_hlp_create_subtensor. Makes out a rank 1 view of a dense tensor:
 * cfg->coord_num (= in's rank) coordinates of the first element, cfg->first_out_dim_size elements.
 * out.mem_stride[0] must be 1 before the call: it is not written.
 *
 * Statuses in order: tensor check of in; out NULL: BAD_TENSOR; cfg NULL, coord_num 0 (undefined in
 * the original) or above in's rank, coordinates outside the shape: BAD_FUNC_CFG; in not dense, the
 * result not of rank 1 or out.mem_stride[0] not 1: INCOMPATEBLE_TENSORS; FP_32 and unsupported
 * types (undefined in the original): NOT_SUPPORTED.
 */
mli_status mli_hlp_point_to_subtensor(const mli_tensor *in, const mli_point_to_subtsr_cfg *cfg,
                                      mli_tensor *out);

/*
 * Facts about the build
 */

/**
 * A blank, then "MLI_BUILD_REFERENCE=OFF ROUND_MODE=<UP or CONVERGENT>
 * MLI_DEBUG_MODE=<DBG_MODE_RET_CODES, or DBG_MODE_RELEASE in a build without parameter checks>".
 * ROUND_MODE is that of the current profile (mli_lastbit.h). The string is never released or
 * changed.
 */
const char *mli_hlp_compile_options_string(void);

/**
 * Guard bits of accumulators: bits of the accumulator beyond one product, so that 2^bits products
 * cannot overflow (numerics.md 4.4). The same in all profiles.
 */
uint8_t mli_hlp_accu_guard_bits_sa8_sa8(void);   /**< 16: products of 16 bits in 32. */
uint8_t mli_hlp_accu_guard_bits_fx16_fx16(void); /**< 32: products of 32 bits in 64. */
uint8_t mli_hlp_accu_guard_bits_fx16_fx8(void);  /**< 8: products of 24 bits in 32. */

#ifdef __cplusplus
}
#endif

#endif
