/* Element-wise loops in plain C (elementwise.md 5). Inline bodies for one element, one loop for
 * each operation, type and rounding mode. All expect a regular plan (eltwise.c decides): 32 bits
 * hold everything then. */
#include "eltwise.h"
#include "portable/portable.h"

static inline int32_t shift_left(int32_t v, int32_t n)
{
    return (int32_t)((uint32_t)v << n);
}

/* fx: operands in a common format, then one rounding. */
static inline int32_t fx_add(int32_t a, int32_t b, const struct lb_mli_eltwise *p, int32_t top,
                             enum lb_mli_round round)
{
    const int32_t sum = shift_left(a, p->shift1) + shift_left(b, p->shift2);
    return lb_mli_clamp(lb_mli_lane_rnd(sum, p->shift, round), ~top, top);
}

static inline int32_t fx_sub(int32_t a, int32_t b, const struct lb_mli_eltwise *p, int32_t top,
                             enum lb_mli_round round)
{
    const int32_t difference = shift_left(a, p->shift1) - shift_left(b, p->shift2);
    return lb_mli_clamp(lb_mli_lane_rnd(difference, p->shift, round), ~top, top);
}

static inline int32_t fx_mul(int32_t a, int32_t b, const struct lb_mli_eltwise *p, int32_t top,
                             enum lb_mli_round round)
{
    return lb_mli_clamp(lb_mli_lane_rnd(a * b, p->shift, round), ~top, top);
}

static inline int32_t fx_min(int32_t a, int32_t b, const struct lb_mli_eltwise *p, int32_t top,
                             enum lb_mli_round round)
{
    return lb_mli_lane_rsh(lb_mli_min(a, b), p->shift, top, round);
}

static inline int32_t fx_max(int32_t a, int32_t b, const struct lb_mli_eltwise *p, int32_t top,
                             enum lb_mli_round round)
{
    return lb_mli_lane_rsh(lb_mli_max(a, b), p->shift, top, round);
}

/* sa8. Products of a difference of 9 bits and a multiplier of 15 stay below 2^23, so no half
 * saturates; the saturations between the roundings and the last one never show (elementwise.md 11).
 */
static inline int32_t sa_store(int32_t v, const struct lb_mli_eltwise *p)
{
    return lb_mli_clamp(v + p->zero_out, INT8_MIN, INT8_MAX);
}

static inline int32_t sa_operand(int32_t v, int32_t zero, int32_t mul, int32_t shift,
                                 enum lb_mli_round round)
{
    return lb_mli_lane_rnd((int16_t)(v - zero) * (int16_t)mul, shift, round);
}

static inline int32_t sa_add(int32_t a, int32_t b, const struct lb_mli_eltwise *p, int32_t top,
                             enum lb_mli_round round)
{
    (void)top;
    return sa_store(sa_operand(a, p->zero1, p->mul1, p->shift1, round) +
                        sa_operand(b, p->zero2, p->mul2, p->shift2, round),
                    p);
}

static inline int32_t sa_sub(int32_t a, int32_t b, const struct lb_mli_eltwise *p, int32_t top,
                             enum lb_mli_round round)
{
    (void)top;
    return sa_store(sa_operand(a, p->zero1, p->mul1, p->shift1, round) -
                        sa_operand(b, p->zero2, p->mul2, p->shift2, round),
                    p);
}

static inline int32_t sa_mul(int32_t a, int32_t b, const struct lb_mli_eltwise *p, int32_t top,
                             enum lb_mli_round round)
{
    (void)top;
    const int32_t product = (int16_t)(a - p->zero1) * (int16_t)(b - p->zero2);
    const int32_t cut = lb_mli_clamp(lb_mli_lane_rnd(product, p->pre, round), INT16_MIN, INT16_MAX);
    /* at most 2^15 * (2^15 - 1), so that the largest half, 2^30, does not saturate */
    return sa_store(lb_mli_lane_rnd((int16_t)cut * (int16_t)p->mul1, p->shift, round), p);
}

static inline int32_t sa_min(int32_t a, int32_t b, const struct lb_mli_eltwise *p, int32_t top,
                             enum lb_mli_round round)
{
    (void)top;
    return sa_store(sa_operand(lb_mli_min(a, b), p->zero1, p->mul1, p->shift, round), p);
}

static inline int32_t sa_max(int32_t a, int32_t b, const struct lb_mli_eltwise *p, int32_t top,
                             enum lb_mli_round round)
{
    (void)top;
    return sa_store(sa_operand(lb_mli_max(a, b), p->zero1, p->mul1, p->shift, round), p);
}

#define LOOP(name, body, type, top, round)                                                         \
    static void name(const void *va, const void *vb, size_t n, const struct lb_mli_eltwise *plan,  \
                     void *vout)                                                                   \
    {                                                                                              \
        const type *restrict a = va;                                                               \
        const type *restrict b = vb;                                                               \
        type *restrict out = vout;                                                                 \
        const struct lb_mli_eltwise p = *plan;                                                     \
        for (size_t i = 0; i < n; i++)                                                             \
            out[i] = (type)body(a[i], b[i], &p, top, round);                                       \
    }

#define LOOPS(op)                                                                                  \
    LOOP(fx8_##op##_up, fx_##op, int8_t, INT8_MAX, LB_MLI_UP)                                      \
    LOOP(fx8_##op##_convergent, fx_##op, int8_t, INT8_MAX, LB_MLI_CONVERGENT)                      \
    LOOP(fx16_##op##_up, fx_##op, int16_t, INT16_MAX, LB_MLI_UP)                                   \
    LOOP(fx16_##op##_convergent, fx_##op, int16_t, INT16_MAX, LB_MLI_CONVERGENT)                   \
    LOOP(sa8_##op##_up, sa_##op, int8_t, INT8_MAX, LB_MLI_UP)                                      \
    LOOP(sa8_##op##_convergent, sa_##op, int8_t, INT8_MAX, LB_MLI_CONVERGENT)

LOOPS(add)
LOOPS(sub)
LOOPS(mul)
LOOPS(min)
LOOPS(max)

#define ROW(op)                                                                                    \
    {                                                                                              \
        [LB_MLI_FX8] = {[LB_MLI_UP] = fx8_##op##_up, [LB_MLI_CONVERGENT] = fx8_##op##_convergent}, \
        [LB_MLI_FX16] =                                                                            \
            {[LB_MLI_UP] = fx16_##op##_up, [LB_MLI_CONVERGENT] = fx16_##op##_convergent},          \
        [LB_MLI_SA8] = {[LB_MLI_UP] = sa8_##op##_up, [LB_MLI_CONVERGENT] = sa8_##op##_convergent}, \
    }

void LB_MLI_FILL(eltwise)(struct lb_mli_loops *loops)
{
    static lb_mli_eltwise_fn *const table[LB_MLI_OPS][LB_MLI_KINDS][LB_MLI_ROUNDS] = {
        [LB_MLI_ADD] = ROW(add), [LB_MLI_SUB] = ROW(sub), [LB_MLI_MUL] = ROW(mul),
        [LB_MLI_MIN] = ROW(min), [LB_MLI_MAX] = ROW(max),
    };
    for (int op = 0; op < LB_MLI_OPS; op++) {
        for (int kind = 0; kind < LB_MLI_KINDS; kind++)
            for (int round = 0; round < LB_MLI_ROUNDS; round++)
                loops->eltwise[op][kind][round] = table[op][kind][round];
    }
}
