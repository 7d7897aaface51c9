/* Accumulators of one input after the other brought to the output's format and added up, in plain C
 * (recurrent.md 5). Totals have 32 bits (64 where the accumulator has them) and saturate there. */
#include "portable/portable.h"

/* Rounding right shift of |v| <= 2^61 by 0..61 bits. Made positive first: instruction sets without
 * an arithmetic shift of 64 bits have the logical one. */
static inline int64_t rsh_61(int64_t v, int32_t n, enum lb_mli_round round)
{
    const uint64_t lift = UINT64_C(1) << 62;
    const uint64_t half = (UINT64_C(1) << n) >> 1;
    const uint64_t lifted = (uint64_t)v + lift;
    if (round == LB_MLI_UP)
        return (int64_t)((lifted + half) >> n) - (int64_t)(lift >> n);
    /* Ties fall to the even side: up only if the quotient below is odd. Without a shift there is
     * nothing to round. */
    const uint64_t odd = (lifted >> n) & (n > 0);
    return (int64_t)((lifted + (half - (n > 0)) + odd) >> n) - (int64_t)(lift >> n);
}

static inline int32_t sat_32(int64_t v)
{
    v = v < INT32_MIN ? INT32_MIN : v;
    return (int32_t)(v > INT32_MAX ? INT32_MAX : v);
}

#define RESCALE(name, round)                                                                       \
    static void name(const int32_t *restrict acc, size_t n, int32_t mul, int32_t shift,            \
                     int32_t *restrict total)                                                      \
    {                                                                                              \
        for (size_t i = 0; i < n; i++)                                                             \
            total[i] =                                                                             \
                lb_mli_lane_add32(total[i], sat_32(rsh_61((int64_t)acc[i] * mul, shift, round)));  \
    }

RESCALE(rescale_s32_up, LB_MLI_UP)
RESCALE(rescale_s32_convergent, LB_MLI_CONVERGENT)

#define SHIFT_S32(name, round)                                                                     \
    static void name(const int32_t *restrict acc, size_t n, int32_t shift,                         \
                     int32_t *restrict total)                                                      \
    {                                                                                              \
        for (size_t i = 0; i < n; i++)                                                             \
            total[i] =                                                                             \
                lb_mli_lane_add32(total[i], lb_mli_lane_rsh(acc[i], shift, INT32_MAX, round));     \
    }

SHIFT_S32(shift_s32_up, LB_MLI_UP)
SHIFT_S32(shift_s32_convergent, LB_MLI_CONVERGENT)

/* The total fits: inputs are four at most, and no memory holds sums beyond 2^60. */
#define SHIFT_S64(name, round)                                                                     \
    static void name(const int64_t *restrict acc, size_t n, int32_t shift,                         \
                     int64_t *restrict total)                                                      \
    {                                                                                              \
        for (size_t i = 0; i < n; i++)                                                             \
            total[i] += rsh_61(acc[i], shift, round);                                              \
    }

SHIFT_S64(shift_s64_up, LB_MLI_UP)
SHIFT_S64(shift_s64_convergent, LB_MLI_CONVERGENT)

/* Cut to 16 bits first: the zero point of 8 bits then stays in 32, and the result is the same. */
static void narrow_s32_s8(const int32_t *restrict total, size_t n, int32_t zero,
                          int8_t *restrict out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (int8_t)lb_mli_clamp(lb_mli_clamp(total[i], INT16_MIN, INT16_MAX) + zero, INT8_MIN,
                                      INT8_MAX);
}

static void narrow_s32_s16(const int32_t *restrict total, size_t n, int16_t *restrict out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (int16_t)lb_mli_clamp(total[i], INT16_MIN, INT16_MAX);
}

static void narrow_s64_s16(const int64_t *restrict total, size_t n, int16_t *restrict out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (int16_t)lb_mli_clamp(sat_32(total[i]), INT16_MIN, INT16_MAX);
}

/* The bits of a bias below its 16 leading ones (recurrent.md 5.3): what lies under the highest bit,
 * moved down by 15. */
static void cut_bias(const int32_t *restrict bias, size_t n, int32_t *restrict out)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t below = (uint32_t)(bias[i] ^ (bias[i] >> 31));
        below |= below >> 1;
        below |= below >> 2;
        below |= below >> 4;
        below |= below >> 8;
        below |= below >> 16;
        out[i] = (int32_t)((uint32_t)bias[i] & ~(below >> 15));
    }
}

void LB_MLI_FILL(dense)(struct lb_mli_loops *loops)
{
    loops->rescale_s32[LB_MLI_UP] = rescale_s32_up;
    loops->rescale_s32[LB_MLI_CONVERGENT] = rescale_s32_convergent;
    loops->shift_s32[LB_MLI_UP] = shift_s32_up;
    loops->shift_s32[LB_MLI_CONVERGENT] = shift_s32_convergent;
    loops->shift_s64[LB_MLI_UP] = shift_s64_up;
    loops->shift_s64[LB_MLI_CONVERGENT] = shift_s64_convergent;
    loops->narrow_s32_s8 = narrow_s32_s8;
    loops->narrow_s32_s16 = narrow_s32_s16;
    loops->narrow_s64_s16 = narrow_s64_s16;
    loops->cut_bias = cut_bias;
}
