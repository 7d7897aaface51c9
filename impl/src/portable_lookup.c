/*
 * portable_lookup.c: look-up with interpolation in plain C. A packed table gives an entry and its neighbour in one load,
 * which instruction sets with gathering loads vectorize. Without interpolation the fraction has no bits: the same loop.
 */
#include "lookup.h"

/* |entry - next| < 2^15 and so is the fraction: the product fits 32 bits, half included, and the quotient 16: no
 * saturation of recurrent.md 4 acts. */
static inline int32_t look_up(int32_t x, const struct lb_mli_lookup *q, enum lb_mli_round round)
{
    const int32_t moved = (int32_t)((uint32_t)x << q->left) >> q->pre;
    const int32_t fraction = moved & ((1 << q->bits) - 1);
    const int32_t pair = q->pair[lb_mli_clamp((moved >> q->bits) + q->offset, 0, q->last)];
    const int32_t entry = pair >> 16;
    const int32_t fall = entry - (int16_t)pair;
    if (round == LB_MLI_UP)
        return entry - ((fall * fraction + ((1 << q->bits) >> 1)) >> q->bits);
    return entry - lb_mli_lane_convergent(fall * fraction, q->bits);
}

#define LOOKUP_S16(name, round)                                                                                        \
    static void name(const int16_t *restrict in, int32_t base, size_t n, const struct lb_mli_lookup *restrict q,       \
                     int16_t *restrict out)                                                                            \
    {                                                                                                                  \
        for (size_t i = 0; i < n; i++)                                                                                 \
            out[i] = (int16_t)look_up(in[i] - base, q, round);                                                         \
    }

LOOKUP_S16(lookup_s16_up, LB_MLI_UP)
LOOKUP_S16(lookup_s16_convergent, LB_MLI_CONVERGENT)

#define LOOKUP_S32(name, round)                                                                                        \
    static void name(const int32_t *restrict x, size_t n, const struct lb_mli_lookup *restrict q,                      \
                     int16_t *restrict out)                                                                            \
    {                                                                                                                  \
        for (size_t i = 0; i < n; i++)                                                                                 \
            out[i] = (int16_t)look_up(x[i], q, round);                                                                 \
    }

LOOKUP_S32(lookup_s32_up, LB_MLI_UP)
LOOKUP_S32(lookup_s32_convergent, LB_MLI_CONVERGENT)

void LB_MLI_FILL(lookup)(struct lb_mli_loops *loops)
{
    loops->lookup_s16[LB_MLI_UP] = lookup_s16_up;
    loops->lookup_s16[LB_MLI_CONVERGENT] = lookup_s16_convergent;
    loops->lookup_s32[LB_MLI_UP] = lookup_s32_up;
    loops->lookup_s32[LB_MLI_CONVERGENT] = lookup_s32_convergent;
}
