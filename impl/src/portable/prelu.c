/* Parametric ReLU in plain C. */
#include "portable/portable.h"

/* The half saturates in 32 bits only for -2^15 * -2^15 at a shift of 31: visible, so not left out.
 */
static inline int32_t prelu_fx(int32_t x, int32_t slope, int32_t shift, int32_t top,
                               enum lb_mli_round round)
{
    const int32_t scaled =
        lb_mli_clamp(lb_mli_lane_rsh(x * slope, shift, INT32_MAX, round), ~top, top);
    return x < 0 ? scaled : x;
}

#define PRELU_FX(name, type, top, round)                                                           \
    static void name(const type *restrict x, const type *restrict slope, size_t n, int32_t shift,  \
                     type *restrict out)                                                           \
    {                                                                                              \
        for (size_t i = 0; i < n; i++)                                                             \
            out[i] = (type)prelu_fx(x[i], slope[i], shift, top, round);                            \
    }

PRELU_FX(prelu_s8_up, int8_t, INT8_MAX, LB_MLI_UP)
PRELU_FX(prelu_s8_convergent, int8_t, INT8_MAX, LB_MLI_CONVERGENT)
PRELU_FX(prelu_s16_up, int16_t, INT16_MAX, LB_MLI_UP)
PRELU_FX(prelu_s16_convergent, int16_t, INT16_MAX, LB_MLI_CONVERGENT)

/* Differences have 9 bits, multipliers 16: the half never saturates. */
#define PRELU_SA8(name, round)                                                                     \
    static void name(const int8_t *restrict x, const struct lb_mli_prelu_slopes *slopes, size_t n, \
                     const struct lb_mli_prelu_sa8 *restrict q, int8_t *restrict out)              \
    {                                                                                              \
        const struct lb_mli_prelu_sa8 p = *q;                                                      \
        const int32_t *restrict slope_mul = slopes->mul, *restrict slope_shift = slopes->shift;    \
        for (size_t i = 0; i < n; i++) {                                                           \
            const int32_t d = x[i] - p.zero_in;                                                    \
            const int32_t mul = d < 0 ? slope_mul[i] : p.mul;                                      \
            const int32_t shift = d < 0 ? slope_shift[i] : p.shift;                                \
            const int32_t scaled = lb_mli_lane_rnd(d * mul, shift, round);                         \
            out[i] = (int8_t)lb_mli_clamp(scaled + p.zero_out, INT8_MIN, INT8_MAX);                \
        }                                                                                          \
    }

PRELU_SA8(prelu_sa8_up, LB_MLI_UP)
PRELU_SA8(prelu_sa8_convergent, LB_MLI_CONVERGENT)

void LB_MLI_FILL(prelu)(struct lb_mli_loops *loops)
{
    loops->prelu_s8[LB_MLI_UP] = prelu_s8_up;
    loops->prelu_s8[LB_MLI_CONVERGENT] = prelu_s8_convergent;
    loops->prelu_s16[LB_MLI_UP] = prelu_s16_up;
    loops->prelu_s16[LB_MLI_CONVERGENT] = prelu_s16_convergent;
    loops->prelu_sa8[LB_MLI_UP] = prelu_sa8_up;
    loops->prelu_sa8[LB_MLI_CONVERGENT] = prelu_sa8_convergent;
}
