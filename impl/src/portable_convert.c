/*
 * portable_convert.c: conversion between formats of 8 and 16 bits in plain C (numerics.md 7.2). The product of 16 and 15
 * bits leaves room in 32 for the half and for the zero point: nothing saturates before the end.
 */
#include "dispatch.h"

static inline int32_t convert_one(int32_t x, struct lb_mli_convert p, int32_t top, enum lb_mli_round round)
{
    const int32_t half = (int32_t)((UINT32_C(1) << p.shift) >> 1);
    const int32_t product = lb_mli_clamp(x - p.from_zero, INT16_MIN, INT16_MAX) * p.mul;
    const int32_t a = round == LB_MLI_UP ? (product + half) >> p.shift : lb_mli_lane_convergent(product, p.shift);
    return lb_mli_clamp(a + p.to_zero, ~top, top);
}

#define CONVERT(name, from, to, top, round)                                                                            \
    static void name(const void *in, size_t n, const struct lb_mli_convert *q, void *out)                              \
    {                                                                                                                  \
        const struct lb_mli_convert p = *q;                                                                            \
        const from *restrict a = in;                                                                                   \
        to *restrict b = out;                                                                                          \
        for (size_t i = 0; i < n; i++)                                                                                 \
            b[i] = (to)convert_one(a[i], p, top, round);                                                               \
    }

CONVERT(s8_s8_up, int8_t, int8_t, INT8_MAX, LB_MLI_UP)
CONVERT(s8_s8_convergent, int8_t, int8_t, INT8_MAX, LB_MLI_CONVERGENT)
CONVERT(s8_s16_up, int8_t, int16_t, INT16_MAX, LB_MLI_UP)
CONVERT(s8_s16_convergent, int8_t, int16_t, INT16_MAX, LB_MLI_CONVERGENT)
CONVERT(s16_s8_up, int16_t, int8_t, INT8_MAX, LB_MLI_UP)
CONVERT(s16_s8_convergent, int16_t, int8_t, INT8_MAX, LB_MLI_CONVERGENT)
CONVERT(s16_s16_up, int16_t, int16_t, INT16_MAX, LB_MLI_UP)
CONVERT(s16_s16_convergent, int16_t, int16_t, INT16_MAX, LB_MLI_CONVERGENT)

void LB_MLI_FILL(convert)(struct lb_mli_loops *loops)
{
    loops->convert[LB_MLI_8BIT][LB_MLI_8BIT][LB_MLI_UP] = s8_s8_up;
    loops->convert[LB_MLI_8BIT][LB_MLI_8BIT][LB_MLI_CONVERGENT] = s8_s8_convergent;
    loops->convert[LB_MLI_8BIT][LB_MLI_16BIT][LB_MLI_UP] = s8_s16_up;
    loops->convert[LB_MLI_8BIT][LB_MLI_16BIT][LB_MLI_CONVERGENT] = s8_s16_convergent;
    loops->convert[LB_MLI_16BIT][LB_MLI_8BIT][LB_MLI_UP] = s16_s8_up;
    loops->convert[LB_MLI_16BIT][LB_MLI_8BIT][LB_MLI_CONVERGENT] = s16_s8_convergent;
    loops->convert[LB_MLI_16BIT][LB_MLI_16BIT][LB_MLI_UP] = s16_s16_up;
    loops->convert[LB_MLI_16BIT][LB_MLI_16BIT][LB_MLI_CONVERGENT] = s16_s16_convergent;
}
