/* Rows of 32-bit accumulators to FX_16 outputs (conv.md 3) in vectors. */
#include "simd/fx16_scale.h"

LB_MLI_INLINE V shifted(const int32_t *acc, const struct shifting *s, enum lb_mli_round round)
{
    return shifted_sum(LOAD(acc), s, round);
}

LB_MLI_INLINE V joined(const int32_t *acc, const struct joining *j, enum lb_mli_round round)
{
    return joined_sums(LOAD(acc), LOAD(acc + LANES), j, round);
}

/* Two vectors at a time; channels that fill no two go through a copy. sums_of: 32-bit numbers of an
 * accumulator. */
#define FX16_ROWS(name, plan_type, q_type, plan_of, scaled, sums_of, round)                        \
    static void name(const int32_t *acc, size_t acc_row, size_t pixels, size_t n, const q_type *q, \
                     int16_t *out, size_t out_row)                                                 \
    {                                                                                              \
        const plan_type plan = plan_of(q);                                                         \
        int32_t copy[2 * LANES * (sums_of)] = {0};                                                 \
        int16_t few[2 * LANES];                                                                    \
        for (size_t p = 0; p < pixels; p++, acc += acc_row, out += out_row) {                      \
            const int32_t *from = acc;                                                             \
            size_t c = 0;                                                                          \
            for (; c + 2 * LANES <= n; c += 2 * LANES, from += 2 * LANES * (sums_of)) {            \
                const V words = TO_WORDS(scaled(from, &plan, round),                               \
                                         scaled(from + LANES * (sums_of), &plan, round));          \
                STORE(out + c, MAX_WORDS(MIN_WORDS(words, plan.hi), plan.lo));                     \
            }                                                                                      \
            if (c < n) {                                                                           \
                const size_t vectors = (n - c + LANES - 1) / LANES;                                \
                memcpy(copy, from,                                                                 \
                       ((sums_of) == 2 ? vectors * 2 * LANES : n - c) * sizeof copy[0]);           \
                const V words = TO_WORDS(scaled(copy, &plan, round),                               \
                                         scaled(copy + LANES * (sums_of), &plan, round));          \
                STORE(few, MAX_WORDS(MIN_WORDS(words, plan.hi), plan.lo));                         \
                memcpy(out + c, few, (n - c) * sizeof few[0]);                                     \
            }                                                                                      \
        }                                                                                          \
    }

#define SHIFTED(name, round)                                                                       \
    FX16_ROWS(name, struct shifting, struct lb_mli_fx_result, plan_shifting, shifted, 1, round)
#define JOINED(name, round)                                                                        \
    FX16_ROWS(name, struct joining, struct lb_mli_split16_result, plan_joining, joined, 2, round)

SHIFTED(shifted_up, LB_MLI_UP)
SHIFTED(shifted_convergent, LB_MLI_CONVERGENT)
JOINED(joined_up, LB_MLI_UP)
JOINED(joined_convergent, LB_MLI_CONVERGENT)

static void fill_fx16_rows(struct lb_mli_loops *loops)
{
    loops->fx16_rows[LB_MLI_UP] = shifted_up;
    loops->fx16_rows[LB_MLI_CONVERGENT] = shifted_convergent;
    loops->split16_rows[LB_MLI_UP] = joined_up;
    loops->split16_rows[LB_MLI_CONVERGENT] = joined_convergent;
}
