/* Element-wise add, sub, mul, min, max, to the last bit. Spec: elementwise.md 5.
 * Every element is read before its place is written, so that out may lie on an input. */
#include "eltwise_op.h"
#include "models.h"
#include "rules.h"
#include "scale.h"

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int greatest(int a, int b)
{
    return a > b ? a : b;
}

/* M * 2^-shift, an approximation of a ratio of scales (sa8). */
typedef struct factor {
    int64_t m;
    int shift;
} factor;

/* What is fixed for a call. */
typedef struct plan {
    lb_op op;
    lb_rounding rounding;
    bool is_sa;
    int bits;
    lb_quant in1;
    lb_quant in2;
    lb_quant out;
    factor factor1; /* sa8: of in1 (add, sub), of the product (mul), of both (min, max) */
    factor factor2; /* sa8: of in2 (add, sub) */
    int pre_shift;  /* sa8 mul */
} plan;

/* ratio(p, t, hi): p / s_o * 2^-t with a shift in -31..hi. */
static factor ratio(const plan *p, int64_t numerator, int t, int highest_shift)
{
    int norm = lb_norm(numerator, 32);
    int e;
    int64_t m = lb_norm_cast(p->rounding, lb_tdiv(lb_shl(numerator, norm, 32), p->out.scale), 16, &e);
    int shift = t + norm - e;
    int excess = greatest(shift - highest_shift, 0) + least(shift + 31, 0);
    return (factor){lb_rsh(p->rounding, m, excess, 16), shift - excess};
}

static plan plan_call(const lb_context *context, const lb_call *call)
{
    plan p = {
        .op = lb_eltwise_op(call->kernel),
        .rounding = context->profile->rounding,
        .is_sa = lb_is_sa(call->kernel->in_type),
        .bits = lb_container_bits(call->kernel->in_type),
        .in1 = lb_quant_at(call->tensor[LB_ROLE_IN1], 0),
        .in2 = lb_quant_at(call->tensor[LB_ROLE_IN2], 0),
        .out = lb_quant_at(call->tensor[LB_ROLE_OUT], 0),
    };
    if (!p.is_sa) {
        return p;
    }
    if (p.op == LB_OP_MUL) {
        p.factor1 = ratio(&p, (int64_t)p.in1.scale * p.in2.scale, p.in1.frac + p.in2.frac - p.out.frac, 31);
        p.pre_shift = least(greatest(p.factor1.shift - 21, 0), 3);
        return p;
    }
    p.factor1 = ratio(&p, p.in1.scale, p.in1.frac - p.out.frac, 23);
    p.factor2 = ratio(&p, p.in2.scale, p.in2.frac - p.out.frac, 23);
    return p;
}

/* The smaller or the larger one. */
static int64_t pick(lb_op op, int64_t a, int64_t b)
{
    return (op == LB_OP_MIN) == (a < b) ? a : b;
}

static int64_t fx_sum(const plan *p, int64_t a, int64_t b)
{
    int frac = greatest(p->in1.frac, p->in2.frac);
    int64_t x = lb_shl(a, frac - p->in1.frac, 32);
    int64_t y = lb_shl(b, frac - p->in2.frac, 32);
    int64_t c = p->op == LB_OP_ADD ? lb_add(x, y, 32) : lb_sub(x, y, 32);
    return lb_rsh(p->rounding, c, least(frac - p->out.frac, 2 * p->bits - 1), 64);
}

static int64_t fx_output(const plan *p, int64_t a, int64_t b)
{
    int64_t y;
    switch (p->op) {
    case LB_OP_ADD:
    case LB_OP_SUB:
        y = fx_sum(p, a, b);
        break;
    case LB_OP_MUL:
        y = lb_rsh(p->rounding, a * b, least(p->in1.frac + p->in2.frac - p->out.frac, 2 * p->bits - 1), 64);
        break;
    default:
        y = lb_rsh(p->rounding, pick(p->op, a, b), least(p->in1.frac - p->out.frac, p->bits - 1), p->bits);
        break;
    }
    return lb_sat(y, p->bits);
}

/* v * factor, in 32 bits. */
static int64_t scaled(const plan *p, int64_t v, factor f, int shift)
{
    return lb_rsh(p->rounding, v * f.m, shift, 32);
}

static int64_t sa_output(const plan *p, int64_t a, int64_t b)
{
    int64_t u = a - p->in1.zero_point;
    int64_t v = b - p->in2.zero_point;
    factor f = p->factor1;
    factor g = p->factor2;
    int64_t w;
    switch (p->op) {
    case LB_OP_ADD:
        w = lb_add(scaled(p, u, f, f.shift), scaled(p, v, g, g.shift), 32);
        break;
    case LB_OP_SUB:
        w = lb_sub(scaled(p, u, f, f.shift), scaled(p, v, g, g.shift), 32);
        break;
    case LB_OP_MUL:
        w = scaled(p, lb_sat(lb_rsh(p->rounding, u * v, p->pre_shift, 32), 16), f, f.shift - p->pre_shift);
        break;
    default:
        w = lb_rsh(p->rounding, pick(p->op, u * f.m, v * f.m), f.shift, 32);
        break;
    }
    return lb_sat(lb_add(lb_sat(w, 16), p->out.zero_point, 16), 8);
}

void lb_exact_eltwise(const lb_context *context, lb_call *call)
{
    const lb_tensor *in1 = call->tensor[LB_ROLE_IN1];
    const lb_tensor *in2 = call->tensor[LB_ROLE_IN2];
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    bool scalar1 = lb_is_scalar(in1);
    bool scalar2 = lb_is_scalar(in2);
    plan p = plan_call(context, call);
    size_t count = lb_element_count(out);
    for (size_t flat = 0; flat < count; flat++) {
        int64_t a = lb_load(in1, lb_eltwise_offset(in1, scalar1, flat));
        int64_t b = lb_load(in2, lb_eltwise_offset(in2, scalar2, flat));
        lb_store(out, lb_offset_of_flat(out, flat), p.is_sa ? sa_output(&p, a, b) : fx_output(&p, a, b));
    }
}
