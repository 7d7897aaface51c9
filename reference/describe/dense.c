/* The weighted sum of recurrent functions. Spec: recurrent.md 5; names follow the formulas there.
 */
#include "dense.h"

#include "core/products.h"
#include "core/result.h"

#include <math.h>

/* What is fixed for one term of a call. */
typedef struct term_plan {
    const lb_dense_term *term;
    const lb_dense_pair *pair;
    unsigned number;
    size_t inputs;
    lb_num_quant x;
    lb_num_quant weights;
    lb_num product_frac;          /* fx */
    lb_num_multiplier multiplier; /* sa: mul, sh; fx: os, which is its shift alone */
    double unit;                  /* the real number that 1 in its accumulator stands for */
} term_plan;

/* What is fixed for a call, and who listens to the unit at hand. */
typedef struct dense_plan {
    const lb_context *context;
    const lb_dense_form *form;
    const lb_dense_term *given;
    unsigned count;
    lb_operands operands;
    bool is_sa;
    bool once;     /* sums are added up before they are brought into steps of the result */
    int step_bits; /* W: width of every step after an accumulation */
    const lb_tensor *bias;
    const lb_tensor *out;
    lb_quant out_quant;
    lb_dense_place place;
    term_plan terms[LB_DENSE_TERMS];
} dense_plan;

static lb_operands operands_of(const lb_dense_term *term)
{
    if (term->x->el_type != LB_FX16)
        return LB_OPERANDS_8X8;
    return term->weights->el_type == LB_FX16 ? LB_OPERANDS_16X16 : LB_OPERANDS_16X8;
}

/* Quantization of the weights. The fault of some gates is in it already (gates.h): a listener is
 * told of it. */
static lb_num_quant weights_quant(const lb_dense_term *term, lb_steps *s)
{
    lb_quant q = lb_quant_at(term->weights, 0);
    lb_owner owner = term->weights_origin.owner;
    if (!s || !lb_is_sa(term->weights->el_type))
        return lb_num_quant_at(s, term->weights, owner, 0);
    lb_num scale = lb_num_parameter(s, owner, LB_QUANT_SCALE, term->weights_entry,
                                    lb_wrap(q.scale - term->scale_excess, 16));
    lb_num frac = lb_num_parameter(s, owner, LB_QUANT_SCALE_FRAC_BITS, term->weights_entry,
                                   lb_wrap(q.frac - term->frac_excess, 8));
    if (term->scale_excess != 0 || term->frac_excess != 0) {
        lb_steps_enter(s, LB_PART_WEIGHTS_OF_THIS_GATE, "recurrent.md 8");
        scale = lb_num_add(s, scale, lb_num_const(term->scale_excess), 0,
                           LB_SITE_SCALE_AS_THIS_GATE_TAKES_IT);
        scale = lb_num_wrap(s, scale, 16, LB_SITE_KEPT_IN_ITS_TYPE);
        frac = lb_num_add(s, frac, lb_num_const(term->frac_excess), 0,
                          LB_SITE_SCALE_FRAC_BITS_AS_THIS_GATE_TAKES_IT);
        frac = lb_num_wrap(s, frac, 8, LB_SITE_KEPT_IN_ITS_TYPE);
    }
    return (lb_num_quant){scale, frac, lb_num_const(0)};
}

/* The real number that 1 in an accumulator of such products stands for. */
static double product_unit(lb_quant x, lb_quant weights)
{
    return ldexp((double)x.scale * weights.scale, -(x.frac + weights.frac));
}

/* The numbers of other terms in place of its own, where the form says so. */
static void take_from_others(const dense_plan *plan, term_plan *t)
{
    const lb_dense_pair *pair = t->pair;
    if (pair->x_scale != t->number) {
        lb_quant x = lb_quant_at(plan->given[pair->x_scale].x, 0);
        t->x.scale = lb_num_const(x.scale);
        t->x.frac = lb_num_const(x.frac);
    }
    if (pair->w_scale != t->number) {
        lb_quant w = lb_quant_at(plan->given[pair->w_scale].weights, 0);
        t->weights.scale = lb_num_const(w.scale);
        t->weights.frac = lb_num_const(w.frac);
    }
    if (pair->zero_point != t->number)
        t->x.zero_point = lb_num_const(lb_quant_at(plan->given[pair->zero_point].x, 0).zero_point);
}

/* s: who listens to a unit of it, or NULL. */
static term_plan plan_term(const dense_plan *plan, unsigned number, lb_steps *s)
{
    const lb_dense_term *term = &plan->given[number];
    term_plan t = {
        .term = term,
        .pair = &plan->form->pair[number],
        .number = number,
        .inputs = lb_element_count(term->x),
        .x = lb_num_quant_at(s, term->x, term->x_origin.owner, 0),
        .weights = weights_quant(term, s),
        .unit = product_unit(lb_quant_at(term->x, 0), lb_quant_at(term->weights, 0)),
    };
    take_from_others(plan, &t);
    lb_num_quant out = lb_num_quant_known(s, plan->out, plan->place.out, plan->place.known);
    if (plan->is_sa) {
        /* reduced normalizes mul; for these functions that changes no result (recurrent.md 5.3) */
        lb_num_ratio ratio = lb_num_output_ratio(s, plan->context->profile, t.x, out);
        t.multiplier = lb_num_output_multiplier(s, plan->context->profile, ratio, t.weights);
    } else {
        lb_steps_enter(s, LB_PART_SHIFT, "recurrent.md 5.2");
        t.product_frac =
            lb_num_add(s, t.x.frac, t.weights.frac, 0, LB_SITE_DENSE_FRAC_BITS_OF_THE_PRODUCTS);
        t.multiplier.shift =
            lb_num_sub(s, t.product_frac, out.frac, 0, LB_SITE_OS_SHIFT_OF_THE_SUM);
    }
    return t;
}

/* Of the products that the bias of this term is aligned to. */
static lb_num frac_of_bias_products(const dense_plan *plan, const term_plan *t)
{
    unsigned x = t->pair->bias_x, w = t->pair->bias_w;
    if (x == t->number && w == t->number)
        return t->product_frac;
    return lb_num_const(lb_quant_at(plan->given[x].x, 0).frac +
                        lb_quant_at(plan->given[w].weights, 0).frac);
}

static lb_num bias_shift(const dense_plan *plan, const term_plan *t, lb_steps *s)
{
    lb_steps_enter(s, LB_PART_BIAS, "recurrent.md 5.2");
    lb_num bias_frac = lb_num_quant_at(s, plan->bias, plan->place.bias.owner, 0).frac;
    lb_num shift = lb_num_sub(s, frac_of_bias_products(plan, t), bias_frac, 0,
                              LB_SITE_DENSE_BS_SHIFT_OF_THE_BIAS);
    lb_num_lies(s, shift, 0, INT64_MAX); /* by the rules of all that have a bias */
    return shift;
}

static lb_num aligned_bias(const dense_plan *plan, const term_plan *t, uint32_t m, lb_steps *s)
{
    lb_num bias = lb_num_at(s, plan->bias, plan->place.bias, &m);
    if (plan->is_sa)
        return lb_num_bias_sa(s, plan->context->profile, bias);
    return lb_num_bias_fx(s, plan->context->profile->rounding, plan->operands, bias,
                          bias_shift(plan, t, s));
}

/* For the trace; NULL: the function has one part. */
static const char *part_name(const dense_plan *plan)
{
    return plan->place.part ? lb_block_name(plan->place.part) : NULL;
}

static void tell(const dense_plan *plan, const term_plan *t, const char *what, uint32_t m,
                 int64_t value, double real)
{
    lb_trace_step step = {part_name(plan), t ? lb_term_name(t->term->name) : NULL, what,
                          plan->place.frame};
    lb_trace_value(plan->context->trace, step, m, value, real);
}

/* Is the zero point taken off each input before its product (features.md 10)? */
static bool is_taken_off_inputs(const dense_plan *plan)
{
    return plan->context->profile->at.value[LB_FEATURE_ZERO_POINT] == LB_ZERO_POINT_IN_PRODUCTS;
}

/* All weights of unit m, times the inputs or a constant in their place. */
static void add_products(lb_acc *acc, const dense_plan *plan, const term_plan *t, uint32_t m,
                         const lb_num *constant, lb_steps *s)
{
    const lb_tensor *weights = t->term->weights;
    bool takes_off = !constant && is_taken_off_inputs(plan);
    size_t row = (size_t)weights->mem_stride[0];
    if (!lb_steps_of_products(plan->context->profile, s)) {
        lb_products_add(acc, &(lb_products){.x = t->term->x,
                                            .weights = weights,
                                            .constant = constant,
                                            .taken_off = takes_off ? (int32_t)t->x.zero_point.v : 0,
                                            .taps = &(lb_tap_offsets){0, m},
                                            .tap_count = 1,
                                            .x_step = 1,
                                            .weight_step = row,
                                            .count = t->inputs});
        return;
    }
    for (size_t k = 0; k < t->inputs; k++) {
        size_t flat = k * weights->shape[1] + m;
        lb_steps_tap(s, k + 1);
        /* x is contiguous: its offsets count its elements */
        lb_num x = constant ? *constant : lb_num_at_offset(s, t->term->x, t->term->x_origin, k, k);
        if (takes_off)
            x = lb_num_sub(s, x, t->x.zero_point, 0, LB_SITE_DENSE_INPUT_WITHOUT_ITS_ZERO_POINT);
        lb_num_mac(s, acc, x,
                   lb_num_at_offset(s, weights, t->term->weights_origin, k * row + m, flat));
    }
}

/* The accumulator and its bias (features.md 9). */
static lb_num with_bias(const dense_plan *plan, const lb_acc *acc, lb_num sum, lb_num bias,
                        lb_steps *s)
{
    switch (plan->context->profile->at.value[LB_FEATURE_BIAS]) {
    case LB_BIAS_FIRST:
        return sum;
    case LB_BIAS_AFTER_WRAPPING:
        return lb_num_wrapping_add(s, sum, bias, acc->width,
                                   LB_SITE_DENSE_ACCUMULATOR_WITH_THE_BIAS);
    case LB_BIAS_AFTER_SATURATING:
        break;
    default:
        if (acc->saturates || acc->at_end)
            break;
        /* The watch is told where it would have been clipped. */
        (void)lb_acc_add_saturating(acc, sum.v, bias.v, plan->context->watch);
        return lb_num_wrapping_add(s, sum, bias, acc->width,
                                   LB_SITE_DENSE_ACCUMULATOR_WITH_THE_BIAS);
    }
    return lb_num_acc_add(s, acc, sum, bias, plan->context->watch,
                          LB_SITE_DENSE_ACCUMULATOR_WITH_THE_BIAS);
}

/* All products of a term and, in the first one, the bias, in the order of conv.md 12. before: the
 * sum of the term before. */
static lb_num accumulate(const dense_plan *plan, const term_plan *t, uint32_t m, lb_num before,
                         lb_steps *s)
{
    lb_acc acc =
        lb_acc_followed(lb_acc_start(plan->context->profile, plan->operands), plan->context->watch,
                        lb_steps_of_products(plan->context->profile, s));
    bool has_terms = t->x.zero_point.v != 0 && !is_taken_off_inputs(plan);
    if (t->pair->has_bias && plan->context->profile->at.value[LB_FEATURE_BIAS] == LB_BIAS_FIRST) {
        lb_num_mac(s, &acc, aligned_bias(plan, t, m, s), lb_num_const(1));
        acc.macs = 0; /* lanes count products */
    }
    lb_acc_expect_zero_point(&acc, has_terms ? (int32_t)t->x.zero_point.v : 0);
    lb_steps_enter(s, LB_PART_TAPS, "recurrent.md 5, conv.md 12");
    add_products(&acc, plan, t, m, NULL, s);
    lb_num_sums_lie(s, &acc); /* recurrent.md 5.4 */
    if (has_terms) {
        lb_acc_expect_terms(&acc);
        lb_steps_enter(s, LB_PART_ZERO_POINT_TERMS, "recurrent.md 5.3");
        lb_num minus_zero_point =
            lb_num_sub(s, lb_num_const(0), t->x.zero_point, 0, LB_SITE_DENSE_FACTOR_OF_WEIGHTS);
        add_products(&acc, plan, t, m, &minus_zero_point, s);
        lb_num_sums_lie(s, &acc);
    }
    lb_num sum = lb_num_acc_close(s, &acc, plan->context->watch);
    if (t->pair->continues)
        sum = lb_num_wrapping_add(s, sum, before, acc.width, LB_SITE_SUM_SO_FAR);
    if (t->pair->has_bias) {
        lb_num bias = aligned_bias(plan, t, m, s);
        tell(plan, t, "bias", m, bias.v, (double)bias.v * t->unit);
        sum = with_bias(plan, &acc, sum, bias, s);
    }
    if (plan->step_bits < acc.width) /* profiles with wider registers only */
        sum = lb_num_sat(s, sum, plan->step_bits, LB_SITE_DENSE_AS_WIDE_AS_THE_NEXT_STEP_TAKES_IT);
    tell(plan, t, "acc", m, sum.v, (double)sum.v * t->unit);
    return sum;
}

/* The accumulator of one term in the format of out, without its zero point. */
static lb_num in_result_steps(const dense_plan *plan, const term_plan *t, lb_num acc, uint32_t m,
                              lb_steps *s)
{
    const lb_profile *profile = plan->context->profile;
    lb_steps_enter(s, LB_PART_REQUANTIZE, "recurrent.md 5, numerics.md 5.4");
    if (!plan->is_sa)
        return lb_num_recurrent_cast_fx(s, profile, acc, t->multiplier.shift, plan->step_bits);
    int64_t mul = t->multiplier.mul.v;
    int shift = (int)t->multiplier.shift.v;
    tell(plan, t, "mul", m, mul, ldexp((double)mul, -shift));
    tell(plan, t, "shift", m, shift, shift);
    return lb_num_recurrent_cast_sa(s, profile, acc, t->multiplier);
}

static double real_of_sum(const dense_plan *plan, int64_t sum)
{
    return ldexp((double)sum * plan->out_quant.scale, -plan->out_quant.frac);
}

static lb_num in_container(const dense_plan *plan, lb_num total, lb_steps *s)
{
    const lb_profile *profile = plan->context->profile;
    if (!plan->is_sa)
        return lb_num_container(s, profile, total, 16);
    lb_num zero_point = lb_num_const(plan->out_quant.zero_point);
    if (s)
        zero_point =
            lb_num_quant_known(s, plan->out, plan->place.out, plan->place.known).zero_point;
    return lb_result_of(lb_result_in(plan->context->result, LB_RESULT_SUMS), profile, total,
                        zero_point, 8, s);
}

/* Term j as a listener is told of it: its numbers again, with their origins. */
static term_plan told_term(const dense_plan *plan, unsigned j, lb_steps *s)
{
    lb_steps_term(s, plan->given[j].name);
    return plan_term(plan, j, s);
}

/* All terms in units of the output, each rounded by itself. */
static lb_num sum_of_terms(const dense_plan *plan, uint32_t m, lb_steps *s)
{
    lb_num total = lb_num_const(0), acc = total;
    for (unsigned j = 0; j < plan->count; j++) {
        const term_plan *t = &plan->terms[j];
        term_plan told;
        if (s) {
            told = told_term(plan, j, s);
            t = &told;
        }
        acc = accumulate(plan, t, m, acc, s);
        lb_num sum = in_result_steps(plan, t, acc, m, s);
        tell(plan, t, "sum", m, sum.v, real_of_sum(plan, sum.v));
        total = lb_num_add(s, total, sum, plan->step_bits,
                           LB_SITE_SUM_SO_FAR); /* saturates: the order of the terms counts */
    }
    return total;
}

/* The same of a form that rounds once. */
static lb_num rounded_sum(const dense_plan *plan, uint32_t m)
{
    uint64_t merged = 0;
    lb_num acc = lb_num_const(0);
    for (unsigned j = 0; j < plan->count; j++) {
        acc = accumulate(plan, &plan->terms[j], m, acc, NULL);
        merged += (uint64_t)acc.v;
    }
    int64_t sum = lb_wrap((int64_t)merged, plan->step_bits);
    return in_result_steps(plan, &plan->terms[0], lb_num_const(sum), m, NULL);
}

/* Of a form that adds the bias behind all terms. */
static lb_num with_last_bias(const dense_plan *plan, lb_num total, uint32_t m)
{
    int shift = lb_quant_at(plan->bias, 0).frac - plan->out_quant.frac;
    lb_num bias = lb_num_const(lb_load(plan->bias, m));
    bias = lb_num_recurrent_cast_fx(NULL, plan->context->profile, bias, lb_num_const(shift),
                                    plan->step_bits);
    return lb_num_add(NULL, total, bias, plan->step_bits, LB_SITE_SUM_SO_FAR);
}

static lb_num output_of(const dense_plan *plan, uint32_t m, lb_steps *s)
{
    lb_num total = plan->once ? rounded_sum(plan, m) : sum_of_terms(plan, m, s);
    if (plan->form->bias_last)
        total = with_last_bias(plan, total, m);
    lb_steps_term(s, LB_TERM_NONE);
    tell(plan, NULL, "pre", m, total.v, real_of_sum(plan, total.v));
    lb_steps_enter(s, LB_PART_RESULT, "recurrent.md 5");
    return in_container(plan, total, s);
}

/* Do all terms need the same factor? */
static bool are_equal(const dense_plan *plan)
{
    const term_plan *first = &plan->terms[0];
    bool equal = true;
    for (unsigned j = 1; j < plan->count; j++) {
        const term_plan *t = &plan->terms[j];
        equal = equal && t->multiplier.mul.v == first->multiplier.mul.v &&
                t->multiplier.shift.v == first->multiplier.shift.v;
    }
    return equal;
}

static dense_plan plan_call(const lb_context *context, const lb_dense_form *form,
                            const lb_dense_term *terms, unsigned term_count, const lb_tensor *bias,
                            const lb_tensor *out, lb_dense_place place)
{
    dense_plan plan = {
        .context = context,
        .form = form,
        .given = terms,
        .count = term_count,
        .operands = operands_of(&terms[0]),
        .is_sa = lb_is_sa(out->el_type),
        .bias = bias,
        .out = out,
        .out_quant = lb_quant_at(out, 0),
        .place = place,
    };
    /* fx: the accumulator's own type, or the next one that holds it in profiles with other widths.
     */
    bool wide =
        plan.operands == LB_OPERANDS_16X16 || context->profile->acc_bits[plan.operands] > 32;
    plan.step_bits = wide && !plan.is_sa ? 64 : 32;
    for (unsigned j = 0; j < term_count; j++)
        plan.terms[j] = plan_term(&plan, j, NULL);
    plan.once = form->rounding == LB_DENSE_ONCE ||
                (form->rounding == LB_DENSE_ONCE_IF_EQUAL && are_equal(&plan));
    return plan;
}

void lb_dense(const lb_context *context, const lb_dense_form *form, const lb_dense_term *terms,
              unsigned term_count, const lb_tensor *bias, lb_tensor *out, lb_dense_place place)
{
    const dense_plan plan = plan_call(context, form, terms, term_count, bias, out, place);
    uint32_t outputs = terms[0].weights->shape[1];
    for (uint32_t m = 0; m < outputs; m++) {
        lb_steps *s = lb_steps_wants(place.unit, m) ? place.steps : NULL;
        lb_num_store(s, out, m, output_of(&plan, m, s));
    }
}

/* One term by itself. */
static dense_plan plan_term_alone(const lb_context *context, const lb_dense_term *term,
                                  const lb_tensor *bias, const lb_tensor *out)
{
    static const lb_dense_form form = LB_DENSE_FORM;
    return plan_call(context, &form, term, 1, bias, out, (lb_dense_place){0});
}

lb_dense_shifts lb_dense_shifts_of(const lb_profile *profile, const lb_dense_term *term,
                                   const lb_tensor *bias, const lb_tensor *out)
{
    const lb_context context = {.profile = profile};
    const dense_plan plan = plan_term_alone(&context, term, bias, out);
    const term_plan *t = &plan.terms[0];
    return (lb_dense_shifts){.sum = t->multiplier.shift.v,
                             .bias = plan.is_sa ? 0 : bias_shift(&plan, t, NULL).v};
}

int64_t lb_dense_bias(const lb_profile *profile, const lb_dense_term *term, const lb_tensor *bias,
                      const lb_tensor *out, uint32_t unit)
{
    const lb_context context = {.profile = profile};
    const dense_plan plan = plan_term_alone(&context, term, bias, out);
    return aligned_bias(&plan, &plan.terms[0], unit, NULL).v;
}
