/* Look-up with interpolation in plain C. A packed table gives an entry and its neighbour in one
 * load, which instruction sets with gathering loads vectorize. Without interpolation the fraction
 * has no bits: the same loop. */
#include "lookup.h"
#include "portable/portable.h"

/* |entry - next| < 2^15 and so is the fraction: the product fits 32 bits, half included, and the
 * quotient 16: no saturation of recurrent.md 4 acts. */
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

#define LOOKUP_S16(name, round)                                                                    \
    static void name(const int16_t *restrict in, int32_t base, size_t n,                           \
                     const struct lb_mli_lookup *restrict q, int16_t *restrict out)                \
    {                                                                                              \
        for (size_t i = 0; i < n; i++)                                                             \
            out[i] = (int16_t)look_up(in[i] - base, q, round);                                     \
    }

LOOKUP_S16(lookup_s16_up, LB_MLI_UP)
LOOKUP_S16(lookup_s16_convergent, LB_MLI_CONVERGENT)

#define LOOKUP_S32(name, round)                                                                    \
    static void name(const int32_t *restrict x, size_t n, const struct lb_mli_lookup *restrict q,  \
                     int16_t *restrict out)                                                        \
    {                                                                                              \
        for (size_t i = 0; i < n; i++)                                                             \
            out[i] = (int16_t)look_up(x[i], q, round);                                             \
    }

LOOKUP_S32(lookup_s32_up, LB_MLI_UP)
LOOKUP_S32(lookup_s32_convergent, LB_MLI_CONVERGENT)

/* The bits of all magnitudes together tell whether one of them has more than 15. */
static bool lookup_pack(const int16_t *restrict table, size_t n,
                        struct lb_mli_lookup *restrict plan)
{
    int32_t beyond = 0;
    for (size_t i = 0; i < n; i++) {
        const int32_t fall = table[i] - table[i + 1], magnitude = fall < 0 ? -fall : fall;
        beyond |= magnitude;
        plan->pair[i] = (int32_t)((uint32_t)(uint16_t)table[i] << 16 | (uint16_t)table[i + 1]);
        plan->entry[i] = table[i];
        plan->fall[i] = (int16_t)fall;
    }
    return beyond <= INT16_MAX;
}

/* No half saturates: 2^30 + 2^30 only at a shift of 31, which is 0 for all x. */
static inline void scale(int32_t *x, size_t n, int32_t shift, enum lb_mli_round round)
{
    if (shift >= 0) {
        const int32_t right = lb_mli_min(shift, 31);
        for (size_t i = 0; i < n; i++)
            x[i] = lb_mli_lane_rnd(x[i], right, round);
        return;
    }
    const int32_t left = lb_mli_min(-shift, 31);
    const int32_t most = INT32_MAX >> left;
    for (size_t i = 0; i < n; i++) {
        const int32_t moved = (int32_t)((uint32_t)x[i] << left);
        x[i] = x[i] > most ? INT32_MAX : x[i] < ~most ? INT32_MIN : moved;
    }
}

static void lookup_scale_up(int32_t *x, size_t n, int32_t shift)
{
    scale(x, n, shift, LB_MLI_UP);
}

static void lookup_scale_convergent(int32_t *x, size_t n, int32_t shift)
{
    scale(x, n, shift, LB_MLI_CONVERGENT);
}

void LB_MLI_FILL(lookup)(struct lb_mli_loops *loops)
{
    loops->lookup_pack = lookup_pack;
    loops->lookup_scale[LB_MLI_UP] = lookup_scale_up;
    loops->lookup_scale[LB_MLI_CONVERGENT] = lookup_scale_convergent;
    loops->lookup_s16[LB_MLI_UP] = lookup_s16_up;
    loops->lookup_s16[LB_MLI_CONVERGENT] = lookup_s16_convergent;
    loops->lookup_s32[LB_MLI_UP] = lookup_s32_up;
    loops->lookup_s32[LB_MLI_CONVERGENT] = lookup_s32_convergent;
}
