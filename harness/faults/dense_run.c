/* Sums of pairs with one thing done otherwise: see dense_run.h. */
#include "harness/faults/dense_run.h"
#include "harness/faults/views.h"
#include "reference/core/arith.h"
#include "reference/core/scale.h"

enum { MOST_PAIRS = 4 };

typedef struct sums {
    const lb_profile *profile;
    const lb_fault *fault;
    const lb_dense_term *terms;
    unsigned count;
    const lb_tensor *bias, *out;
    lb_operands operands;
    bool is_sa;
    int width;
    lb_multiplier multiplier[MOST_PAIRS];
    int shift[MOST_PAIRS]; /* fx */
} sums;

static bool changes(const sums *s, lb_pairs_change change)
{
    return s->fault->dim == (int8_t)change;
}

static lb_quant with_scale_of(lb_quant own, lb_quant first)
{
    return (lb_quant){first.scale, first.frac, own.zero_point};
}

static void prepare(sums *s, unsigned j)
{
    const lb_dense_term *first = &s->terms[0], *t = &s->terms[j];
    lb_quant x = lb_quant_at(t->x, 0), w = lb_quant_at(t->weights, 0), out = lb_quant_at(s->out, 0);
    if (changes(s, LB_PAIRS_SCALES_OF_FIRST) && (s->fault->other_dim & 1))
        x = with_scale_of(x, lb_quant_at(first->x, 0));
    if (changes(s, LB_PAIRS_SCALES_OF_FIRST) && (s->fault->other_dim & 2))
        w = with_scale_of(w, lb_quant_at(first->weights, 0));
    s->shift[j] = x.frac + w.frac - out.frac;
    if (s->is_sa)
        s->multiplier[j] = lb_output_multiplier(
            s->profile, lb_output_ratio(lb_scale_rounding(s->profile), x, out), w);
}

/* Number `other_dim` of the pairs, or the last; the first where there are fewer. */
static unsigned meant_pair(const sums *s)
{
    int other = s->fault->other_dim;
    return other == LB_PAIRS_ALL ? s->count - 1 : other < (int)s->count ? (unsigned)other : 0;
}

static int32_t zero_point_of(const sums *s, unsigned pair)
{
    if (changes(s, LB_PAIRS_ZERO_OF))
        pair = s->fault->other_dim == 0 ? 0 : s->count - 1;
    return lb_quant_at(s->terms[pair].x, 0).zero_point;
}

static int64_t products_of(const sums *s, unsigned pair, uint32_t unit)
{
    const lb_dense_term *t = &s->terms[pair];
    size_t count = lb_element_count(t->x), row = (size_t)t->weights->mem_stride[0];
    int32_t zero = zero_point_of(s, pair);
    int64_t sum = 0;
    for (size_t k = 0; k < count; k++)
        sum += (int64_t)(lb_load(t->x, k) - zero) * lb_load(t->weights, k * row + unit);
    return sum; /* of fewer than 2^32 products of 31 bits */
}

static int64_t aligned_bias(const sums *s, unsigned pair, uint32_t unit)
{
    int32_t bias = lb_load(s->bias, unit);
    unsigned x = 0, w = 0;
    if (s->is_sa)
        return lb_bias_sa(s->profile, bias);
    if (changes(s, LB_PAIRS_BIAS_ALIGNED) || changes(s, LB_PAIRS_BIAS_MOVED_ALIGNED))
        x = w = meant_pair(s);
    if (changes(s, LB_PAIRS_BIAS_AGAIN_ALIGNED))
        x = w = pair;
    if (changes(s, LB_PAIRS_BIAS_MIXED))
        *(s->fault->other_dim == 0 ? &w : &x) = s->count - 1;
    int products = lb_quant_at(s->terms[x].x, 0).frac + lb_quant_at(s->terms[w].weights, 0).frac;
    return lb_bias_fx(s->profile->rounding, s->operands, bias,
                      products - lb_quant_at(s->bias, 0).frac);
}

static bool has_bias(const sums *s, unsigned pair)
{
    int other = s->fault->other_dim;
    bool is_again = changes(s, LB_PAIRS_BIAS_AGAIN) || changes(s, LB_PAIRS_BIAS_AGAIN_ALIGNED);
    bool again = is_again && (other == LB_PAIRS_ALL || other == (int)pair);
    if (changes(s, LB_PAIRS_BIAS_MOVED) || changes(s, LB_PAIRS_BIAS_MOVED_ALIGNED))
        return pair == meant_pair(s);
    return !changes(s, LB_PAIRS_BIAS_LAST) && (pair == 0 || again);
}

static int64_t in_result_steps(const sums *s, unsigned pair, int64_t sum)
{
    return s->is_sa ? lb_recurrent_cast_sa(s->profile->rounding, sum, s->multiplier[pair])
                    : lb_recurrent_cast_fx(s->profile->rounding, sum, s->shift[pair], s->width);
}

static bool is_merged(const sums *s)
{
    bool equal = true;
    for (unsigned j = 1; j < s->count; j++)
        equal = equal && (s->is_sa ? s->multiplier[j].mul == s->multiplier[0].mul &&
                                         s->multiplier[j].shift == s->multiplier[0].shift
                                   : s->shift[j] == s->shift[0]);
    return changes(s, LB_PAIRS_ONE_ROUNDING) && (equal || s->fault->other_dim == 1);
}

static int64_t total_of(const sums *s, uint32_t unit)
{
    int64_t total = 0, merged = 0, before = 0;
    bool once = is_merged(s);
    for (unsigned j = 0; j < s->count; j++) {
        int64_t sum = (int64_t)((uint64_t)before + (uint64_t)products_of(s, j, unit));
        if (has_bias(s, j))
            sum = (int64_t)((uint64_t)sum + (uint64_t)aligned_bias(s, j, unit));
        sum = s->width == 32 ? lb_wrap(sum, 32) : sum;
        merged = (int64_t)((uint64_t)merged + (uint64_t)sum);
        before = changes(s, LB_PAIRS_NOT_CLEARED) ? sum : 0;
        if (!once)
            total = lb_add(total, in_result_steps(s, j, sum), s->width);
    }
    if (once)
        total = in_result_steps(s, 0, s->width == 32 ? lb_wrap(merged, 32) : merged);
    if (changes(s, LB_PAIRS_BIAS_LAST)) {
        int shift = lb_quant_at(s->bias, 0).frac - lb_quant_at(s->out, 0).frac;
        int64_t bias = lb_load(s->bias, unit);
        total = lb_add(total, lb_recurrent_cast_fx(s->profile->rounding, bias, shift, s->width),
                       s->width);
    }
    return total;
}

void lb_dense_otherwise(const lb_profile *profile, const lb_fault *fault,
                        const lb_dense_term *terms, unsigned count, const lb_tensor *bias,
                        lb_tensor *out)
{
    bool wide = terms[0].weights->el_type == LB_FX16;
    sums s = {.profile = profile,
              .fault = fault,
              .terms = terms,
              .count = count,
              .bias = bias,
              .out = out,
              .operands = wide ? LB_OPERANDS_16X16 : LB_OPERANDS_16X8,
              .is_sa = lb_is_sa(out->el_type),
              .width = wide ? 64 : 32};
    for (unsigned j = 0; j < count; j++)
        prepare(&s, j);
    for (uint32_t m = 0; m < out->shape[out->rank - 1]; m++) {
        int64_t v = total_of(&s, m);
        int32_t zero = lb_quant_at(out, 0).zero_point;
        v = s.is_sa ? lb_sat(lb_sat(lb_sat(v, 16) + zero, 16), 8) : lb_sat(v, 16);
        lb_store(out, m, (int32_t)v);
    }
}

bool lb_pairs_run(lb_fault_run *run)
{
    lb_fault_view view;
    lb_dense_term terms[MOST_PAIRS] = {{.name = LB_TERM_NONE}};
    if (!lb_view_begin(&view, run))
        return false;
    const lb_call *call = view.call;
    unsigned count = call->config.inputs_num;
    if (count == 0 || count > MOST_PAIRS || run->profile->has_features)
        return lb_view_drop(&view);
    for (unsigned j = 0; j < count; j++) {
        terms[j].x = &call->tensor[LB_ROLE_IN][j];
        terms[j].weights = &call->tensor[LB_ROLE_WEIGHTS][j];
    }
    lb_dense_otherwise(run->profile, run->fault, terms, count, call->tensor[LB_ROLE_BIAS],
                       call->tensor[LB_ROLE_OUT]);
    return lb_view_end(&view);
}
