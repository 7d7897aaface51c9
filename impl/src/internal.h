/* What every source file of the library shares: visibility, the switch for parameter checks, the
 * shape of an entry point, and the two habits of the compiler that the code leans on, asserted. */
#ifndef LB_MLI_INTERNAL_H
#define LB_MLI_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler.h"
#include "mli_types.h"

/* 1: parameters are checked, statuses as specified. 0 (MLI_CHECKS=OFF): nothing is checked. */
#ifndef LB_MLI_CHECKS
#define LB_MLI_CHECKS 1
#endif

/* 1 (MLI_SMALL=ON): for controllers. No environment, no allocation, no packed weights: a few
 * kilobytes of stack. */
#ifndef LB_MLI_SMALL
#define LB_MLI_SMALL 0
#endif

/*
 * An entry point reads check -> plan -> run:
 *
 *     mli_status mli_krn_some_fx16(const mli_tensor *in, mli_tensor *out)
 *     {
 *         LB_MLI_CHECK(check_some(in, out, MLI_EL_FX_16));
 *         ... plan, run ...
 *         return MLI_STATUS_OK;
 *     }
 *
 * with check_some written with LB_MLI_TRY (a check that has its own status) and LB_MLI_REQUIRE
 * (condition, status).
 */
#define LB_MLI_TRY(call)                                                                           \
    do {                                                                                           \
        const mli_status lb_mli_try_status = (call);                                               \
        if (lb_mli_try_status != MLI_STATUS_OK)                                                    \
            return lb_mli_try_status;                                                              \
    } while (0)

#define LB_MLI_REQUIRE(condition, status)                                                          \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return (status);                                                                       \
    } while (0)

#define LB_MLI_CHECK(call)                                                                         \
    do {                                                                                           \
        if (LB_MLI_CHECKS)                                                                         \
            LB_MLI_TRY(call);                                                                      \
    } while (0)

/* Both are implementation-defined in C, not undefined, and so in every compiler for every machine
 * of today. */
_Static_assert((-5 >> 1) == -3, "right shift of negative numbers must be arithmetic");
_Static_assert((int32_t)UINT32_C(0xFFFFFFFE) == -2,
               "conversion to a signed type must be modulo 2^width");

static inline int32_t lb_mli_min(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static inline int32_t lb_mli_max(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static inline int32_t lb_mli_clamp(int32_t v, int32_t lo, int32_t hi)
{
    return lb_mli_min(lb_mli_max(v, lo), hi);
}

static inline size_t lb_mli_min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

#endif
