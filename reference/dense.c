/* The weighted sum of recurrent functions. Spec: recurrent.md 5; names follow the formulas there. */
#include "dense.h"

#include "scale.h"

#include <math.h>

/* What is fixed for one term of a call. */
typedef struct term_plan {
    const lb_dense_term *term;
    bool first; /* the bias belongs to the first term */
    size_t inputs;
    lb_quant x;
    lb_quant weights;
    int shift;                /* fx: os */
    lb_multiplier multiplier; /* sa: mul, sh */
} term_plan;

/* What is fixed for a call. */
typedef struct dense_plan {
    const lb_context *context;
    lb_operands operands;
    bool is_sa;
    int step_bits; /* W: width of every step after an accumulation */
    const lb_tensor *bias;
    lb_quant out;
    lb_dense_place place;
} dense_plan;

static lb_operands operands_of(const lb_dense_term *term)
{
    if (term->x->el_type != LB_FX16) {
        return LB_OPERANDS_8X8;
    }
    return term->weights->el_type == LB_FX16 ? LB_OPERANDS_16X16 : LB_OPERANDS_16X8;
}

static term_plan plan_term(const dense_plan *plan, const lb_dense_term *term, bool first)
{
    term_plan t = {
        .term = term,
        .first = first,
        .inputs = lb_element_count(term->x),
        .x = lb_quant_at(term->x, 0),
        .weights = lb_quant_at(term->weights, 0),
    };
    t.shift = t.x.frac + t.weights.frac - plan->out.frac;
    if (plan->is_sa) {
        /* reduced normalizes mul; for these functions that changes no result (recurrent.md 5.3) */
        lb_ratio ratio = lb_output_ratio(plan->context->profile->rounding, t.x, plan->out);
        t.multiplier = lb_output_multiplier(plan->context->profile, ratio, t.weights);
    }
    return t;
}

static int64_t aligned_bias(const dense_plan *plan, const term_plan *t, uint32_t m)
{
    int32_t bias = lb_load(plan->bias, m);
    if (plan->is_sa) {
        return lb_bias_sa(plan->context->profile, bias);
    }
    int bias_shift = t->x.frac + t->weights.frac - lb_quant_at(plan->bias, 0).frac;
    return lb_bias_fx(plan->context->profile->rounding, plan->operands, bias, bias_shift);
}

static void tell(const dense_plan *plan, const term_plan *t, const char *what, uint32_t m, int64_t value, double real)
{
    lb_trace_step step = {plan->place.part, t != NULL ? t->term->name : NULL, what, plan->place.frame};
    lb_trace_value(plan->context->trace, step, m, value, real);
}

/* The real number that 1 in an accumulator of such products stands for. */
static double product_unit(lb_quant x, lb_quant weights)
{
    return ldexp((double)x.scale * weights.scale, -(x.frac + weights.frac));
}

/* All products of a term and, in the first one, the bias, in the order of conv.md 12. */
static int64_t accumulate(const dense_plan *plan, const term_plan *t, uint32_t m)
{
    const lb_tensor *weights = t->term->weights;
    size_t row = (size_t)weights->mem_stride[0];
    double unit = product_unit(t->x, t->weights);
    lb_acc acc = lb_acc_start(plan->context->profile, plan->operands);
    for (size_t k = 0; k < t->inputs; k++) {
        lb_acc_mac(&acc, lb_load(t->term->x, k), lb_load(weights, k * row + m));
    }
    for (size_t k = 0; t->x.zero_point != 0 && k < t->inputs; k++) {
        lb_acc_mac(&acc, -t->x.zero_point, lb_load(weights, k * row + m));
    }
    int64_t sum = lb_acc_close(&acc, plan->context->watch);
    if (t->first) {
        int64_t bias = aligned_bias(plan, t, m);
        tell(plan, t, "bias", m, bias, (double)bias * unit);
        sum = lb_acc_add_saturating(&acc, sum, bias, plan->context->watch);
    }
    sum = lb_sat(sum, plan->step_bits);
    tell(plan, t, "acc", m, sum, (double)sum * unit);
    return sum;
}

/* The accumulator of one term in the format of out, without its zero point. */
static int64_t term_sum(const dense_plan *plan, const term_plan *t, uint32_t m)
{
    int64_t acc = accumulate(plan, t, m);
    if (!plan->is_sa) {
        return lb_recurrent_cast_fx(plan->context->profile->rounding, acc, t->shift, plan->step_bits);
    }
    tell(plan, t, "mul", m, t->multiplier.mul, ldexp((double)t->multiplier.mul, -t->multiplier.shift));
    tell(plan, t, "shift", m, t->multiplier.shift, t->multiplier.shift);
    return lb_recurrent_cast_sa(plan->context->profile->rounding, acc, t->multiplier);
}

static double real_of_sum(const dense_plan *plan, int64_t sum)
{
    return ldexp((double)sum * plan->out.scale, -plan->out.frac);
}

static int64_t output_of(const dense_plan *plan, const lb_dense_term *terms, unsigned term_count, uint32_t m)
{
    int64_t total = 0;
    for (unsigned j = 0; j < term_count; j++) {
        term_plan t = plan_term(plan, &terms[j], j == 0);
        int64_t sum = term_sum(plan, &t, m);
        tell(plan, &t, "sum", m, sum, real_of_sum(plan, sum));
        total = lb_add(total, sum, plan->step_bits); /* saturates: the order of the terms counts */
    }
    tell(plan, NULL, "pre", m, total, real_of_sum(plan, total));
    return plan->is_sa ? lb_sat(lb_add(lb_sat(total, 16), plan->out.zero_point, 16), 8) : lb_sat(total, 16);
}

void lb_dense(const lb_context *context, const lb_dense_term *terms, unsigned term_count, const lb_tensor *bias,
              lb_tensor *out, lb_dense_place place)
{
    dense_plan plan = {
        .context = context,
        .operands = operands_of(&terms[0]),
        .is_sa = lb_is_sa(out->el_type),
        .bias = bias,
        .out = lb_quant_at(out, 0),
        .place = place,
    };
    /* fx: the accumulator's own type, or the next one that holds it in profiles with other widths. */
    bool wide = plan.operands == LB_OPERANDS_16X16 || context->profile->acc_bits[plan.operands] > 32;
    plan.step_bits = wide && !plan.is_sa ? 64 : 32;
    uint32_t outputs = terms[0].weights->shape[1];
    for (uint32_t m = 0; m < outputs; m++) {
        lb_store(out, m, output_of(&plan, terms, term_count, m));
    }
}
