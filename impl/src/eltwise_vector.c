/* Plan and run of element-wise operations on vectors (elementwise.md 5). */
#include "eltwise.h"

#include <string.h>

enum { CHUNK = 512 }; /* elements copied at a time where the result lies on an operand */

static int bits_of(enum lb_mli_kind kind)
{
    return kind == LB_MLI_FX16 ? 16 : 8;
}

static void plan_fx(struct lb_mli_quant q1, struct lb_mli_quant q2, struct lb_mli_quant out,
                    struct lb_mli_eltwise *plan)
{
    const int32_t bits = bits_of(plan->kind);
    const int32_t common = lb_mli_max(q1.shift, q2.shift);
    int32_t accumulated;
    switch (plan->op) {
    case LB_MLI_ADD:
    case LB_MLI_SUB:
        plan->shift1 = common - q1.shift;
        plan->shift2 = common - q2.shift;
        accumulated = common;
        break;
    case LB_MLI_MUL:
        accumulated = q1.shift + q2.shift;
        break;
    default:
        accumulated = q1.shift;
        break;
    }
    const bool compares = plan->op == LB_MLI_MIN || plan->op == LB_MLI_MAX;
    plan->shift = lb_mli_min(accumulated - out.shift, compares ? bits - 1 : 2 * bits - 1);
    /* Operands shifted by up to 14 bits stay below 2^29: their sum cannot saturate. */
    plan->regular = plan->shift >= 0 && plan->shift1 <= 14 && plan->shift2 <= 14;
}

static struct lb_mli_factor sa_factor(int32_t scale, int32_t shift, struct lb_mli_quant out,
                                      int32_t shift_max, enum lb_mli_round round)
{
    struct lb_mli_factor f = lb_mli_ratio(scale, out.scale, round);
    f.shift += shift - out.shift;
    return lb_mli_fit_shift(f, -31, shift_max, round);
}

static void plan_sa(struct lb_mli_quant q1, struct lb_mli_quant q2, struct lb_mli_quant out,
                    struct lb_mli_eltwise *plan)
{
    struct lb_mli_factor f;
    plan->zero1 = q1.zero;
    plan->zero2 = q2.zero;
    plan->zero_out = out.zero;
    switch (plan->op) {
    case LB_MLI_ADD:
    case LB_MLI_SUB:
        f = sa_factor(q1.scale, q1.shift, out, 23, plan->round);
        plan->mul1 = f.mul;
        plan->shift1 = f.shift;
        f = sa_factor(q2.scale, q2.shift, out, 23, plan->round);
        plan->mul2 = f.mul;
        plan->shift2 = f.shift;
        break;
    case LB_MLI_MUL:
        f = sa_factor(q1.scale * q2.scale, q1.shift + q2.shift, out, 31, plan->round);
        plan->mul1 = f.mul;
        plan->pre = lb_mli_clamp(f.shift - 21, 0, 3);
        plan->shift = f.shift - plan->pre;
        break;
    default:
        f = sa_factor(q1.scale, q1.shift, out, 23, plan->round);
        plan->mul1 = f.mul;
        plan->shift = f.shift;
        break;
    }
    plan->regular = plan->shift1 >= 0 && plan->shift2 >= 0 && plan->shift >= 0;
}

void lb_mli_eltwise_plan(enum lb_mli_op op, enum lb_mli_kind kind, struct lb_mli_quant q1,
                         struct lb_mli_quant q2, struct lb_mli_quant out, enum lb_mli_round round,
                         struct lb_mli_eltwise *plan)
{
    const bool compares = op == LB_MLI_MIN || op == LB_MLI_MAX;
    *plan =
        (struct lb_mli_eltwise){.op = op, .kind = kind, .round = round, .loops = lb_mli_loops()};
    /* The factor of equal scales is exactly 1, and zero points cancel: the container itself is the
     * result. */
    if (compares && kind == LB_MLI_SA8 && q1.scale == out.scale && q1.shift == out.shift &&
        q1.zero == out.zero) {
        plan->kind = LB_MLI_FX8;
        plan->regular = true;
        return;
    }
    if (kind == LB_MLI_SA8)
        plan_sa(q1, q2, out, plan);
    else
        plan_fx(q1, q2, out, plan);
}

/*
 * One element by the total primitives, saturation by saturation as specified: for plans that are
 * not regular.
 */
static int32_t one_fx(const struct lb_mli_eltwise *p, int32_t a, int32_t b)
{
    const int bits = bits_of(p->kind);
    int64_t wide;
    switch (p->op) {
    case LB_MLI_ADD:
        wide = lb_mli_sat32((int64_t)lb_mli_shl32(a, p->shift1) + lb_mli_shl32(b, p->shift2));
        break;
    case LB_MLI_SUB:
        wide = lb_mli_sat32((int64_t)lb_mli_shl32(a, p->shift1) - lb_mli_shl32(b, p->shift2));
        break;
    case LB_MLI_MUL:
        wide = (int64_t)a * b;
        break;
    case LB_MLI_MIN:
        return lb_mli_rsh_in(lb_mli_min(a, b), p->shift, bits, p->round);
    default:
        return lb_mli_rsh_in(lb_mli_max(a, b), p->shift, bits, p->round);
    }
    wide = lb_mli_rsh64(wide, p->shift, p->round);
    return bits == 8 ? lb_mli_sat8(wide) : lb_mli_sat16(wide);
}

static int32_t one_sa(const struct lb_mli_eltwise *p, int32_t a, int32_t b)
{
    const int32_t u = a - p->zero1;
    const int32_t v = b - p->zero2;
    int64_t wide;
    switch (p->op) {
    case LB_MLI_ADD:
        wide = (int64_t)lb_mli_rsh32(u * p->mul1, p->shift1, p->round) +
               lb_mli_rsh32(v * p->mul2, p->shift2, p->round);
        break;
    case LB_MLI_SUB:
        wide = (int64_t)lb_mli_rsh32(u * p->mul1, p->shift1, p->round) -
               lb_mli_rsh32(v * p->mul2, p->shift2, p->round);
        break;
    case LB_MLI_MUL:
        wide = lb_mli_rsh32(lb_mli_sat16(lb_mli_rsh32(u * v, p->pre, p->round)) * p->mul1, p->shift,
                            p->round);
        break;
    case LB_MLI_MIN: /* in1 and in2 are equally quantized, and mul1 is not negative */
        wide = lb_mli_rsh32((lb_mli_min(a, b) - p->zero1) * p->mul1, p->shift, p->round);
        break;
    default:
        wide = lb_mli_rsh32((lb_mli_max(a, b) - p->zero1) * p->mul1, p->shift, p->round);
        break;
    }
    return lb_mli_sat8((int64_t)lb_mli_sat16(wide) + p->zero_out);
}

static void run_irregular(const struct lb_mli_eltwise *plan, const void *a, const void *b, size_t n,
                          void *out)
{
    for (size_t i = 0; i < n; i++) {
        if (plan->kind == LB_MLI_FX16)
            ((int16_t *)out)[i] =
                (int16_t)one_fx(plan, ((const int16_t *)a)[i], ((const int16_t *)b)[i]);
        else if (plan->kind == LB_MLI_FX8)
            ((int8_t *)out)[i] =
                (int8_t)one_fx(plan, ((const int8_t *)a)[i], ((const int8_t *)b)[i]);
        else
            ((int8_t *)out)[i] =
                (int8_t)one_sa(plan, ((const int8_t *)a)[i], ((const int8_t *)b)[i]);
    }
}

void lb_mli_eltwise_run(const struct lb_mli_eltwise *plan, const void *a, const void *b, size_t n,
                        void *out)
{
    if (!plan->regular) {
        run_irregular(plan, a, b, n, out);
        return;
    }
    lb_mli_eltwise_fn *const loop = plan->loops->eltwise[plan->op][plan->kind][plan->round];
    if (a != out && b != out) {
        loop(a, b, n, plan, out);
        return;
    }
    /* Loops take results that lie apart from the operands: a copy of what is about to be
     * overwritten costs little. */
    const size_t size = (size_t)bits_of(plan->kind) / 8;
    int16_t copy_a[CHUNK], copy_b[CHUNK];
    for (size_t at = 0; at < n; at += CHUNK) {
        const size_t part = lb_mli_min_size(n - at, CHUNK);
        const char *pa = (const char *)a + at * size;
        const char *pb = (const char *)b + at * size;
        loop(a == out ? memcpy(copy_a, pa, part * size) : pa,
             b == out ? memcpy(copy_b, pb, part * size) : pb, part, plan, (char *)out + at * size);
    }
}
