/* Platform numbers, build limits and compiler helpers that programs written for MLI 2.0 ask for
 * (api.md 5). Not included by mli_api.h. Every host reports platform 5, whatever its processor or
 * compiler. */
#ifndef MLI_CONFIG_H
#define MLI_CONFIG_H

/* Values of PLATFORM. */
#define V2DSP        1
#define V2DSP_XY     2
#define V2DSP_WIDE   3
#define V2DSP_VECTOR 4
#define X86_PLATFORM 5

#define PLATFORM     X86_PLATFORM
#define PLATFORM_STR "X86"

/* Most inputs of mli_krn_rnn_dense_*. */
#define MLI_RNN_MAX_INPUT 4
/* No function uses it. */
#define MLI_CONCAT_MAX_TENSORS 8

/* The released header defines __restrict and __builtin_assume() as empty on a host; this one leaves
 * them alone. */
#if defined(__GNUC__)
#define MLI_FORCE_INLINE inline __attribute__((always_inline))
#define MLI_NO_INLINE    __attribute__((noinline))
#else
#define MLI_FORCE_INLINE inline
#define MLI_NO_INLINE
#endif

/* Placement in closely coupled memory and compiler pragmas of DSP builds: nothing on a host. */
#define MLI_CODE_SECTION_START(x)
#define MLI_CODE_SECTION_END()
#define PRAGMA_CLANG(x)

#endif
