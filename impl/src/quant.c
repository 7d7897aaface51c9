/* Scale arithmetic (numerics.md 5, 6). */
#include "quant.h"

struct lb_mli_factor lb_mli_ratio(int32_t num, int32_t den, enum lb_mli_round round)
{
    /* Normalizing num first leaves the quotient at least 16 significant bits: den has no more
     * than 15. */
    const int left = lb_mli_norm32(num);
    const int32_t quotient = (int32_t)((uint32_t)num << left) / den;
    const struct lb_mli_mantissa m = lb_mli_norm_cast16(quotient, round);
    return (struct lb_mli_factor){m.mantissa, left - m.exponent};
}

struct lb_mli_factor lb_mli_fit_shift(struct lb_mli_factor f, int32_t lo, int32_t hi,
                                      enum lb_mli_round round)
{
    const int32_t excess = lb_mli_max(f.shift - hi, 0) + lb_mli_min(f.shift - lo, 0);
    return (struct lb_mli_factor){lb_mli_rsh16(f.mul, excess, round), f.shift - excess};
}

struct lb_mli_requant lb_mli_requant(struct lb_mli_quant from, struct lb_mli_quant to,
                                     enum lb_mli_round round)
{
    const int left = lb_mli_norm32(from.scale) - lb_mli_norm16((int16_t)to.scale);
    const int32_t quotient = (int32_t)((uint32_t)from.scale << left) / to.scale;
    const struct lb_mli_mantissa m = lb_mli_norm_cast16(quotient, round);
    const int32_t shift = left + from.shift - to.shift - m.exponent;
    const int32_t moved = lb_mli_sat16(lb_mli_rsh32(m.mantissa * from.zero, shift, round));
    return (struct lb_mli_requant){m.mantissa, shift, lb_mli_sat16((int64_t)to.zero - moved)};
}

/* 6.0 in steps of q, cut towards zero; container.hi from shift 28 on, where the numerator would
 * leave 32 bits. */
static int32_t steps_of_six(struct lb_mli_quant q, int32_t container_hi)
{
    if (q.shift >= 28)
        return container_hi;
    if (q.shift >= 0)
        return (int32_t)(UINT32_C(6) << q.shift) / q.scale;
    return q.shift >= -2 ? (6 >> -q.shift) / q.scale : 0;
}

/* 1.0 in steps of q, likewise; the limit is shift 30. */
static int32_t steps_of_one(struct lb_mli_quant q, int32_t container_hi)
{
    if (q.shift >= 30)
        return container_hi;
    return q.shift >= 0 ? (int32_t)(UINT32_C(1) << q.shift) / q.scale : 0;
}

struct lb_mli_range lb_mli_relu_range(mli_relu_type type, struct lb_mli_quant q,
                                      struct lb_mli_range container)
{
    struct lb_mli_range range = container;
    int32_t steps;
    switch (type) {
    case MLI_RELU_GEN:
        range.lo = lb_mli_max(q.zero, container.lo);
        break;
    case MLI_RELU_1:
        steps = steps_of_one(q, container.hi);
        range.lo = lb_mli_max(q.zero - steps, container.lo);
        range.hi = lb_mli_min(q.zero + steps, container.hi);
        break;
    case MLI_RELU_6:
        steps = steps_of_six(q, container.hi);
        range.lo = lb_mli_max(q.zero, container.lo);
        range.hi = lb_mli_min(q.zero + steps, container.hi);
        break;
    default:
        break;
    }
    return range;
}
