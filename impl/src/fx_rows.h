/*
 * fx_rows.h: rows of 32-bit accumulators to FX_16 outputs (conv.md 3), once for all levels with vectors. A level's file
 * includes the header of its vectors and then this one, which defines the level's fill function "fx_rows"; with
 * LB_MLI_SCALING_ALONE it has the arithmetic of vectors alone, for loops that keep sums in registers.
 */
#include "dispatch.h"

/* Each rounding gets an instance of its own. */
#define ALWAYS __attribute__((always_inline))

/* Sums with the bias in them: a shift whose half saturates. */
struct shifting {
    V half, top, shift, mask, whole, lo, hi;
};

static inline ALWAYS struct shifting plan_shifting(const struct lb_mli_fx_result *q)
{
    const int32_t half = (int32_t)((UINT32_C(1) << q->shift) >> 1);
    struct shifting s;
    s.half = SET(half);
    s.top = SET(INT32_MAX - half);
    s.shift = SET(q->shift);
    s.mask = SET((int32_t)((UINT32_C(1) << q->shift) - 1));
    s.whole = SET(q->shift == 0);
    s.lo = SET_WORDS(q->lo);
    s.hi = SET_WORDS(q->hi);
    return s;
}

/* Convergent: nothing saturates, so the half is that of the rest alone, and a tie goes down to an even number. */
static inline ALWAYS V shifted_sum(V v, const struct shifting *s, enum lb_mli_round round)
{
    if (round == LB_MLI_UP)
        return SRA(ADD(MIN(v, s->top), s->half), s->shift);
    const V rest = ADD(AND(v, s->mask), s->half); /* below 2^32; its bit `shift` tells whether the rest counts */
    const V y = ADD(SRA(v, s->shift), AND(SRL(rest, s->shift), SUB(SET(1), s->whole)));
    return EVEN_WHERE_0(y, OR(AND(rest, s->mask), s->whole));
}

/* Sums of split weights (dispatch.h). */
struct joining {
    V shift, mask, lo, hi;
};

static inline ALWAYS struct joining plan_joining(const struct lb_mli_planes_result *q)
{
    struct joining j;
    j.shift = SET(q->shift);
    j.mask = SET(q->mask);
    j.lo = SET_WORDS(q->lo);
    j.hi = SET_WORDS(q->hi);
    return j;
}

static inline ALWAYS V joined_sums(V low, V high, const struct joining *j, enum lb_mli_round round)
{
    const V total = ADD(high, SRA(low, SET(8))), y = SRA(total, j->shift);
    if (round == LB_MLI_UP)
        return y;
    return EVEN_WHERE_0(y, OR(AND(total, j->mask), AND(low, SET(255))));
}

#ifndef LB_MLI_SCALING_ALONE

static inline ALWAYS V shifted(const int32_t *acc, const struct shifting *s, enum lb_mli_round round)
{
    return shifted_sum(LOAD(acc), s, round);
}

static inline ALWAYS V joined(const int32_t *acc, const struct joining *j, enum lb_mli_round round)
{
    return joined_sums(LOAD(acc), LOAD(acc + LANES), j, round);
}

/* Two vectors at a time; channels that fill no two go through a copy. sums_of: 32-bit numbers of an accumulator. */
#define ROWS(name, plan_type, q_type, plan_of, scaled, sums_of, round)                                                 \
    static void name(const int32_t *acc, size_t acc_row, size_t pixels, size_t n, const q_type *q, int16_t *out,       \
                     size_t out_row)                                                                                   \
    {                                                                                                                  \
        const plan_type plan = plan_of(q);                                                                             \
        int32_t copy[2 * LANES * (sums_of)] = {0};                                                                     \
        int16_t few[2 * LANES];                                                                                        \
        for (size_t p = 0; p < pixels; p++, acc += acc_row, out += out_row) {                                          \
            const int32_t *from = acc;                                                                                 \
            size_t c = 0;                                                                                              \
            for (; c + 2 * LANES <= n; c += 2 * LANES, from += 2 * LANES * (sums_of)) {                                \
                const V words = TO_WORDS(scaled(from, &plan, round), scaled(from + LANES * (sums_of), &plan, round));  \
                STORE(out + c, MAX_WORDS(MIN_WORDS(words, plan.hi), plan.lo));                                         \
            }                                                                                                          \
            if (c < n) {                                                                                               \
                const size_t vectors = (n - c + LANES - 1) / LANES;                                                    \
                memcpy(copy, from, ((sums_of) == 2 ? vectors * 2 * LANES : n - c) * sizeof copy[0]);                   \
                const V words = TO_WORDS(scaled(copy, &plan, round), scaled(copy + LANES * (sums_of), &plan, round));  \
                STORE(few, MAX_WORDS(MIN_WORDS(words, plan.hi), plan.lo));                                             \
                memcpy(out + c, few, (n - c) * sizeof few[0]);                                                         \
            }                                                                                                          \
        }                                                                                                              \
    }

#define SHIFTED(name, round) ROWS(name, struct shifting, struct lb_mli_fx_result, plan_shifting, shifted, 1, round)
#define JOINED(name, round)  ROWS(name, struct joining, struct lb_mli_planes_result, plan_joining, joined, 2, round)

SHIFTED(shifted_up, LB_MLI_UP)
SHIFTED(shifted_convergent, LB_MLI_CONVERGENT)
JOINED(joined_up, LB_MLI_UP)
JOINED(joined_convergent, LB_MLI_CONVERGENT)

void LB_MLI_FILL(fx_rows)(struct lb_mli_loops *loops)
{
    loops->fx16_rows[LB_MLI_UP] = shifted_up;
    loops->fx16_rows[LB_MLI_CONVERGENT] = shifted_convergent;
    loops->planes_rows[LB_MLI_UP] = joined_up;
    loops->planes_rows[LB_MLI_CONVERGENT] = joined_convergent;
}

#endif
