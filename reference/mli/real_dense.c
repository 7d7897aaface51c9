/* The weighted sum of recurrent functions in real numbers. Spec: recurrent.md 5.2, 5.3. */
#include "real_dense.h"

#include "real_values.h"
#include "real_weighted.h"

#include <math.h>

typedef struct term_plan {
    const lb_context *context;
    const lb_real_term *term;
    lb_operands operands;
    bool is_sa;
    int step_bits; /* W */
    lb_quant x, weights, out;
} term_plan;

/* Products with a tensor: known exactly. */
static lb_span accumulate_tensor(const term_plan *p, uint32_t m)
{
    const lb_tensor *weights = p->term->weights;
    size_t inputs = lb_element_count(p->term->x);
    lb_real_sum sum = {0.0, 0.0};
    lb_real_macs(&sum, p->term->x, 0, 1, p->x.zero_point, weights, m,
                 (size_t)weights->mem_stride[0], inputs);
    return lb_real_accumulated(p->context->profile, p->operands, &sum);
}

/* Products with a vector that is only known to lie in ranges. Where any of it may leave the
 * accumulator, nothing is comparable. */
static lb_span accumulate_items(const term_plan *p, uint32_t m)
{
    const lb_tensor *weights = p->term->weights;
    lb_span acc = lb_span_of(0.0);
    double magnitude = 0.0;
    for (uint32_t k = 0; k < p->term->count; k++) {
        const lb_span *h = &p->term->items[k];
        double w = lb_load(weights, k * (size_t)weights->mem_stride[0] + m);
        acc = lb_span_plus(acc, lb_span_scaled(*h, w));
        magnitude +=
            (fmax(fabs(h->low), fabs(h->high)) + 2.0 * fabs((double)p->x.zero_point)) * fabs(w);
    }
    lb_real_sum low = {acc.low, magnitude};
    lb_real_sum high = {acc.high, magnitude};
    lb_span a = lb_real_accumulated(p->context->profile, p->operands, &low);
    lb_span b = lb_real_accumulated(p->context->profile, p->operands, &high);
    return lb_span_is_known(&a) && lb_span_is_known(&b) ? acc : lb_span_unknown(acc.value);
}

/* In the format of the products of this term. */
static lb_span with_bias(const term_plan *p, const lb_tensor *bias, uint32_t m, lb_span acc)
{
    int shift = p->x.frac + p->weights.frac - lb_quant_at(bias, 0).frac;
    return lb_real_with_bias(p->context->profile, p->operands, p->is_sa, lb_load(bias, m), shift,
                             acc);
}

/* An accumulator in steps of the output: rounded by itself, before the terms are added (a QUIRK).
 */
static lb_span requantized(const term_plan *p, lb_span acc)
{
    lb_rounding rounding = p->context->profile->rounding;
    acc = lb_span_saturated(acc, p->step_bits);
    if (!p->is_sa) {
        int shift = p->x.frac + p->weights.frac - p->out.frac;
        shift = p->step_bits == 64 && shift > 39 ? 39 : shift; /* QUIRK: acts as 39 */
        return lb_span_shifted_right(acc, shift, p->step_bits, rounding);
    }
    double factor = ldexp((double)p->x.scale * p->weights.scale / p->out.scale,
                          p->out.frac - p->x.frac - p->weights.frac);
    int shift = lb_real_ratio_of(rounding, p->x, p->out).base + p->weights.frac;
    acc = lb_span_scaled(lb_span_blurred(acc, lb_real_ratio_error(rounding)), factor);
    acc = shift > 0 ? lb_span_rounded(acc, rounding) : acc;
    return lb_span_saturated(acc, 32);
}

lb_span lb_real_dense(const lb_context *context, const lb_real_term *terms, unsigned term_count,
                      const lb_tensor *bias, uint32_t m, lb_quant out)
{
    lb_span total = lb_span_of(0.0);
    term_plan p = {.context = context, .is_sa = lb_is_sa(terms[0].weights->el_type), .out = out};
    p.operands = lb_real_operands(p.is_sa ? LB_SA8 : LB_FX16, terms[0].weights->el_type);
    p.step_bits = lb_real_step_bits(context->profile, p.operands, p.is_sa);
    for (unsigned j = 0; j < term_count; j++) {
        p.term = &terms[j];
        p.x = terms[j].x ? lb_quant_at(terms[j].x, 0) : terms[j].quant;
        p.weights = lb_quant_at(terms[j].weights, 0);
        lb_span acc = terms[j].x ? accumulate_tensor(&p, m) : accumulate_items(&p, m);
        acc = j == 0 ? with_bias(&p, bias, m, acc) : acc;
        total = lb_span_saturated(lb_span_plus(total, requantized(&p, acc)), p.step_bits);
    }
    return total;
}
