/* Element-wise add, sub, mul, min, max in real numbers. Spec: elementwise.md 5. */
#include "describe/rules.h"
#include "models.h"
#include "real_ops.h"
#include "real_values.h"

#include <math.h>

typedef struct eltwise {
    lb_op op;
    lb_rounding rounding;
    int bits;
    lb_quant in1, in2, out;
} eltwise;

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* fx: exact but for the last rounding. What is behaviour and not inaccuracy (QUIRKs): sums saturate
 * at 32 bits, and a shift acts as 2B - 1 at most (min, max: B - 1, with a rounding in B bits). */
static lb_span result_fx(const eltwise *e, double a, double b)
{
    int frac = e->in1.frac > e->in2.frac ? e->in1.frac : e->in2.frac;
    int cap = 2 * e->bits - 1;
    lb_span x = lb_span_saturated(lb_span_of(a * lb_power_of_two(frac - e->in1.frac)), 32);
    lb_span y = lb_span_saturated(lb_span_of(b * lb_power_of_two(frac - e->in2.frac)), 32);
    switch (e->op) {
    case LB_OP_ADD:
    case LB_OP_SUB:
        x = lb_span_saturated(e->op == LB_OP_ADD ? lb_span_plus(x, y) : lb_span_minus(x, y), 32);
        return lb_span_shifted_right(x, least(frac - e->out.frac, cap), 64, e->rounding);
    case LB_OP_MUL:
        return lb_span_shifted_right(lb_span_of(a * b),
                                     least(e->in1.frac + e->in2.frac - e->out.frac, cap), 64,
                                     e->rounding);
    default:
        x = lb_span_of(e->op == LB_OP_MIN ? fmin(a, b) : fmax(a, b));
        return lb_span_shifted_right(x, least(e->in1.frac - e->out.frac, e->bits - 1), e->bits,
                                     e->rounding);
    }
}

static lb_span result_sa8(const eltwise *e, double a, double b)
{
    lb_span u = lb_span_of(a - e->in1.zero_point);
    lb_span v = lb_span_of(b - e->in2.zero_point);
    lb_span w;
    switch (e->op) {
    case LB_OP_ADD:
    case LB_OP_SUB: /* QUIRK: each operand is rounded to a step of the output by itself */
        u = lb_real_addend_sa8(e->rounding, u, e->in1, e->out);
        v = lb_real_addend_sa8(e->rounding, v, e->in2, e->out);
        w = e->op == LB_OP_ADD ? lb_span_plus(u, v) : lb_span_minus(u, v);
        break;
    case LB_OP_MUL:
        w = lb_real_product_sa8(e->rounding, u, e->in1, v, e->in2, e->out);
        break;
    default:
        w = lb_real_addend_sa8(e->rounding, (e->op == LB_OP_MIN) == (a < b) ? u : v, e->in1,
                               e->out);
        break;
    }
    return lb_span_moved(w, e->out.zero_point);
}

/* Of the element at this flat index of out; a scalar serves every one (elementwise.md 2). */
static double element_of(const lb_tensor *operand, size_t flat)
{
    return lb_load_fine(operand, lb_is_scalar(operand) ? 0 : lb_offset_of_flat(operand, flat));
}

void lb_real_eltwise(const lb_context *context, const lb_call *call, lb_real_outputs *outputs)
{
    const lb_tensor *in1 = call->tensor[LB_ROLE_IN1];
    const lb_tensor *in2 = call->tensor[LB_ROLE_IN2];
    if (!lb_real_wants(outputs, LB_ROLE_OUT))
        return;
    eltwise e = {
        .op = call->kernel->op,
        .rounding = context->profile->rounding,
        .bits = lb_container_bits(call->kernel->in_type),
        .in1 = lb_quant_at(in1, 0),
        .in2 = lb_quant_at(in2, 0),
        .out = lb_quant_at(call->tensor[LB_ROLE_OUT], 0),
    };
    bool is_sa = lb_is_sa(call->kernel->in_type);
    size_t count = lb_element_count(call->tensor[LB_ROLE_OUT]);
    for (size_t flat = 0; flat < count; flat++) {
        double a = element_of(in1, flat), b = element_of(in2, flat);
        lb_real_put_as(outputs, LB_ROLE_OUT, flat, e.out,
                       is_sa ? result_sa8(&e, a, b) : result_fx(&e, a, b), e.bits);
    }
}
