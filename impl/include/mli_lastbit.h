/*
 * mli_lastbit.h: what this library adds to MLI 2.0. The numerics of a platform (rounding, accumulator) and the set of
 * inner loops (instruction set) are choices at run time here, not of the build.
 */
#ifndef MLI_LASTBIT_H
#define MLI_LASTBIT_H

#include "mli_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Chooses the numeric profile of all later calls of the process (numerics.md 4.3).
 *
 * name: "up-full", "up-reduced", "convergent-full" or "convergent-reduced": rounding up (ties towards plus infinity)
 * or convergent (ties to even), accumulator full or reduced (sa8 kernels with weights only).
 * At start the environment variable MLI_PROFILE gives the name; without it, and with a name that is unknown (one line
 * on standard error then), the profile is up-full.
 * May be called from any thread; a call that is running in another thread keeps the profile it began with.
 *
 * Returns MLI_STATUS_OK, or MLI_STATUS_ARGUMENT_ERROR if name is NULL or unknown: nothing changes then.
 */
mli_status mli_ext_set_profile(const char *name);

/** The name of the current profile, a string that is never released or changed. */
const char *mli_ext_get_profile(void);

/** The version of this library, "major.minor.patch", a string that is never released or changed. */
const char *mli_ext_version(void);

/**
 * Chooses the inner loops of all later calls of the process. Results are the same to the last bit at every level.
 *
 * level: "portable" (plain C for any processor of the architecture) or the name of an instruction set level that the
 * library was built with: on x86-64 "avx2", "avx512" (F, BW, DQ and VL), "vnni" (AVX-512 and its integer dot
 * products), on aarch64 under Linux "neon" and "dotprod", none elsewhere.
 * At start the environment variable MLI_CPU gives the name; without it, and with one that is unknown or that this
 * processor lacks (one line on standard error then), the best level that the processor has is taken.
 * May be called from any thread; a call that is running in another thread keeps the loops it began with.
 *
 * Returns MLI_STATUS_OK; MLI_STATUS_ARGUMENT_ERROR if level is NULL or unknown; MLI_STATUS_NOT_SUPPORTED if this
 * processor lacks the level. Nothing changes unless OK.
 */
mli_status mli_ext_set_cpu(const char *level);

/** The name of the current level, a string that is never released or changed. */
const char *mli_ext_get_cpu(void);

/** The names of the levels that this processor has, "portable" (index 0) first and the best last; NULL from their number
 * on. Strings are never released or changed. */
const char *mli_ext_cpu_level(uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
