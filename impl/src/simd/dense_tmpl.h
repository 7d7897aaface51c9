/* Sums of two products to bytes (recurrent.md 5) in vectors. */
#include "simd/sa8_scale.h"

LB_MLI_INLINE struct factors pair_factors(int32_t mul, int32_t shift)
{
    const V all = SET(mul);
    return (struct factors){.mul = all,
                            .mul_odd = all,
                            .half = SET((int32_t)(UINT32_C(1) << (shift - 33))),
                            .shift = SET(shift - 32),
                            .pre = all,
                            .pre_half = all};
}

LB_MLI_INLINE V pair_sum(const int32_t *a, const int32_t *b, struct factors f_a, struct factors f_b,
                         enum lb_mli_round round)
{
    return ADD(scale_full(SUM_AT(a), f_a, round), scale_full(SUM_AT(b), f_b, round));
}

LB_MLI_INLINE void pair_rows(const int32_t *a, const int32_t *b, size_t n,
                             const struct lb_mli_dense_pair *q, enum lb_mli_round round,
                             int8_t *out)
{
    const struct factors f_a = pair_factors(q->mul_a, q->shift_a),
                         f_b = pair_factors(q->mul_b, q->shift_b);
    for (size_t c = 0; c < n; c += 4 * LANES, a += 4 * LANES, b += 4 * LANES) {
        const V v0 = pair_sum(a, b, f_a, f_b, round),
                v1 = pair_sum(a + LANES, b + LANES, f_a, f_b, round);
        const V v2 = pair_sum(a + 2 * LANES, b + 2 * LANES, f_a, f_b, round);
        const V v3 = pair_sum(a + 3 * LANES, b + 3 * LANES, f_a, f_b, round);
        STORE(out + c, to_bytes(v0, v1, v2, v3, q->zero, INT8_MIN, INT8_MAX));
    }
}

#define DENSE_PAIR(name, round)                                                                    \
    static void name(const int32_t *a, const int32_t *b, size_t n,                                 \
                     const struct lb_mli_dense_pair *q, int8_t *out)                               \
    {                                                                                              \
        pair_rows(a, b, n, q, round, out);                                                         \
    }

DENSE_PAIR(pair_up, LB_MLI_UP)
DENSE_PAIR(pair_convergent, LB_MLI_CONVERGENT)

static void fill_dense(struct lb_mli_loops *loops)
{
    loops->dense_pair_s8[LB_MLI_UP] = pair_up;
    loops->dense_pair_s8[LB_MLI_CONVERGENT] = pair_convergent;
}
