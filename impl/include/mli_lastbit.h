/* What this library adds to MLI 2.0. The numerics of a platform (rounding, accumulator) and the set
 * of inner loops (instruction set) are choices at run time here, not of the build. */
#ifndef MLI_LASTBIT_H
#define MLI_LASTBIT_H

#include "mli_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Chooses the numeric profile of all later calls of the process (numerics.md 4.3).
 *
 * name: "up-full", "up-reduced", "convergent-full" or "convergent-reduced": rounding up (ties
 * towards plus infinity) or convergent (ties to even), accumulator full or reduced (sa8 kernels
 * with weights only). "+avepool16" behind a name: average pooling of sa8 keeps 15 bits of its
 * multiplier instead of 7 (pooling_and_movement.md 2.6, build option). At start the environment
 * variable MLI_PROFILE gives the name; without it, and with a name that is unknown (one line on
 * standard error then), the profile is up-full. May be called from any thread; a call that is
 * running in another thread keeps the profile it began with.
 *
 * Returns MLI_STATUS_OK, or MLI_STATUS_ARGUMENT_ERROR if name is NULL or unknown: nothing changes
 * then.
 */
mli_status mli_ext_set_profile(const char *name);

/** The name of the current profile, a string that is never released or changed. */
const char *mli_ext_get_profile(void);

/** The version of this library, "major.minor.patch", a string that is never released or changed. */
const char *mli_ext_version(void);

/**
 * Chooses the inner loops of all later calls of the process. Results are the same to the last bit
 * at every level.
 *
 * level: "portable" (plain C for any processor of the architecture) or the name of an instruction
 * set level that the library was built with, as mli_ext_cpu_level tells them: on x86-64 "avx2" and
 * better ones, on aarch64 under Linux "neon" and better ones, none elsewhere. At start the
 * environment variable MLI_CPU gives the name; without it, and with one that is unknown or that
 * this processor lacks (one line on standard error then), the best level that the processor has is
 * taken. May be called from any thread; a call that is running in another thread keeps the loops it
 * began with.
 *
 * Returns MLI_STATUS_OK; MLI_STATUS_ARGUMENT_ERROR if level is NULL or unknown;
 * MLI_STATUS_NOT_SUPPORTED if this processor lacks the level. Nothing changes unless OK.
 */
mli_status mli_ext_set_cpu(const char *level);

/** The name of the current level, a string that is never released or changed. */
const char *mli_ext_get_cpu(void);

/** The names of the levels that this processor has, "portable" (index 0) first and the best last;
 * NULL from their number on. Strings are never released or changed. */
const char *mli_ext_cpu_level(uint32_t index);

/**
 * Packs the weights of a 2D convolution once, for mli_ext_conv2d_prepared: mli_krn_conv2d_hwcn_*
 * packs them in every call, which counts where outputs are few (a fifth of a 1x1 convolution of 7 x
 * 7 pixels and 1024 channels).
 *
 * in: an input of the layer, whose type alone counts. cfg: its dilation_width counts alone. memory:
 * the caller's, of any alignment, as long as it is used; *size: its bytes. NULL: *size becomes the
 * bytes that are needed, and nothing else happens; so it does with too few. What is packed holds
 * for this CPU level, for these weights where they are, and as long as they do not change.
 *
 * Returns, in this order: MLI_STATUS_BAD_TENSOR, _SHAPE_MISMATCH (weights of another rank than 4),
 * _INCOMPATEBLE_TENSORS (channels apart), _BAD_FUNC_CFG (cfg NULL, no dilation), _ARGUMENT_ERROR
 * (size NULL), _TYPE_MISMATCH; _NOT_SUPPORTED: nothing is packed at this level, or for weights so
 * large; _NOT_ENGH_MEM; else MLI_STATUS_OK.
 */
mli_status mli_ext_prepare_conv2d(const mli_tensor *in, const mli_tensor *weights,
                                  const mli_conv2d_cfg *cfg, void *memory, uint32_t *size);

/**
 * mli_krn_conv2d_hwcn_sa8_sa8_sa32, _fx16_fx8_fx8 or _fx16, as the tensors' types have it, to the
 * last bit and with the same statuses. prepared: memory that mli_ext_prepare_conv2d filled; NULL,
 * or what was packed for another level or other weights: packed in the call. May be used by any
 * number of threads at once. Weights that changed after they were packed give results of the old
 * ones; a library built for debugging (NDEBUG not defined) returns MLI_STATUS_ARGUMENT_ERROR
 * instead. Types that fit no function: MLI_STATUS_TYPE_MISMATCH.
 */
mli_status mli_ext_conv2d_prepared(const mli_tensor *in, const mli_tensor *weights,
                                   const mli_tensor *bias, const mli_conv2d_cfg *cfg,
                                   mli_tensor *out, const void *prepared);

/*
 * Element formats beside those of MLI (float4.md): float4e2m1 and what is cast to and from it,
 * elements of four bits, MXFP4 blocks.
 *
 * Tensors are dense (mem_stride as the shape has it), of rank 1 to 4, and hold one bit pattern in
 * each container: a byte for types of 8 bits and fewer (mem.pi8; int4 sign-extended, the others in
 * the low bits, the rest 0), two bytes for float16 and bfloat16 (mem.pi16). packed4 is a byte with
 * two elements, the first in its low four bits.
 */
enum {
    MLI_EXT_EL_INT4 = 0x1104,
    MLI_EXT_EL_UINT4 = 0x1114,
    MLI_EXT_EL_PACKED4 = 0x1124,
    MLI_EXT_EL_FLOAT4E2M1 = 0x1204,
    MLI_EXT_EL_FLOAT8E4M3FN = 0x1208,
    MLI_EXT_EL_FLOAT8E5M2 = 0x1218,
    MLI_EXT_EL_FLOAT8E8M0 = 0x1228,
    MLI_EXT_EL_FLOAT16 = 0x1210,
    MLI_EXT_EL_BFLOAT16 = 0x1220
};

/*
 * All return, in this order: MLI_STATUS_BAD_TENSOR (a NULL tensor or data pointer; rank 0 or above
 * 4; a shape or stride that the tensor check of MLI refuses), in before out;
 * MLI_STATUS_TYPE_MISMATCH; MLI_STATUS_INCOMPATEBLE_TENSORS (not dense); MLI_STATUS_SIZE_MISMATCH
 * (numbers of elements that do not fit each other); MLI_STATUS_NOT_ENGH_MEM (a capacity that does
 * not hold the elements); MLI_STATUS_INCOMPATEBLE_TENSORS (buffers that overlap; a cast between
 * containers of equal size may be in place); else MLI_STATUS_OK.
 */

/** Casts to float4e2m1: to nearest, ties to even, saturating at 6, sign kept. NaN becomes code 7
 * (+6) whatever its sign. */
mli_status mli_ext_cast_fp32_float4e2m1(const mli_tensor *in, mli_tensor *out);
mli_status mli_ext_cast_float16_float4e2m1(const mli_tensor *in, mli_tensor *out);
mli_status mli_ext_cast_bfloat16_float4e2m1(const mli_tensor *in, mli_tensor *out);
mli_status mli_ext_cast_float8e4m3fn_float4e2m1(const mli_tensor *in, mli_tensor *out);
mli_status mli_ext_cast_float8e5m2_float4e2m1(const mli_tensor *in, mli_tensor *out);
/** The same, but a NaN becomes code 8 (-0), a negative one code 0. */
mli_status mli_ext_cast_fp32_float4e2m1_nan_library(const mli_tensor *in, mli_tensor *out);

/** Casts from float4e2m1: exact. */
mli_status mli_ext_cast_float4e2m1_fp32(const mli_tensor *in, mli_tensor *out);
mli_status mli_ext_cast_float4e2m1_float16(const mli_tensor *in, mli_tensor *out);
mli_status mli_ext_cast_float4e2m1_bfloat16(const mli_tensor *in, mli_tensor *out);
mli_status mli_ext_cast_float4e2m1_float8e4m3fn(const mli_tensor *in, mli_tensor *out);
mli_status mli_ext_cast_float4e2m1_float8e5m2(const mli_tensor *in, mli_tensor *out);

/** n elements to (n + 1) / 2 bytes of packed4, and back. The low four bits of each count; the
 * nibble behind an odd count is written as 0 and not looked at. */
mli_status mli_ext_pack_float4e2m1(const mli_tensor *in, mli_tensor *out);
mli_status mli_ext_pack_int4(const mli_tensor *in, mli_tensor *out);
mli_status mli_ext_pack_uint4(const mli_tensor *in, mli_tensor *out);
mli_status mli_ext_unpack_float4e2m1(const mli_tensor *in, mli_tensor *out);
mli_status mli_ext_unpack_int4(const mli_tensor *in, mli_tensor *out);
mli_status mli_ext_unpack_uint4(const mli_tensor *in, mli_tensor *out);

/** MXFP4: 32 consecutive numbers share a scale 2^(byte - 127), a float8e8m0. Its exponent is that
 * of the largest magnitude, rounded down, minus 2, at least -127; all zeros: byte 0; NaN or
 * infinity among them: byte 255, and elements of code 0. in: fp32, a multiple of 32 elements;
 * scales: one float8e8m0 for each 32, elements: as many float4e2m1. */
mli_status mli_ext_mxfp4_scales(const mli_tensor *in, mli_tensor *scales);
mli_status mli_ext_mxfp4_elements(const mli_tensor *in, mli_tensor *elements);
/** The fp32 numbers scale * element: exact, infinity beyond fp32, NaN (0x7fc00000) where the scale
 * is 255. */
mli_status mli_ext_mxfp4_values(const mli_tensor *scales, const mli_tensor *elements,
                                mli_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
