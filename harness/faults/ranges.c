/* Ranges of steps: see ranges.h. Every rule gives at least the values that can be, so that what is
 * proved by a range holds for all calls. */
#include "harness/faults/ranges.h"
#include "harness/base/checked.h"
#include "harness/base/xalloc.h"
#include "reference/core/arith.h"
#include "reference/core/lut.h"

#include <stdlib.h>
#include <string.h>

/* After so many rounds, what still grows is given its whole width. */
enum { ROUNDS_BEFORE_WIDENING = 12, MOST_ROUNDS = 60 };

static const lb_range everything = {INT64_MIN, INT64_MAX, 0};

static int zeros_of(int64_t v)
{
    int zeros = 0;
    for (uint64_t bits = (uint64_t)v; v != 0 && !(bits & 1); bits >>= 1)
        zeros++;
    return v == 0 ? 64 : zeros;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* A range that holds both. */
lb_range lb_range_joined(lb_range a, lb_range b)
{
    return (lb_range){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high,
                      least(a.zeros, b.zeros)};
}

lb_range lb_range_cut(lb_range r, const lb_range *to)
{
    if (!to || to->high < r.low || to->low > r.high)
        return r;
    r.low = r.low < to->low ? to->low : r.low;
    r.high = r.high > to->high ? to->high : r.high;
    r.zeros = r.low == r.high ? zeros_of(r.low) : r.zeros;
    return r;
}

static bool same(const lb_range *a, const lb_range *b)
{
    return a->low == b->low && a->high == b->high && a->zeros == b->zeros;
}

bool lb_range_within(const lb_range *range, int width)
{
    return width <= 0 || width >= 64 ||
           (range->low >= lb_min_of(width) && range->high <= lb_max_of(width));
}

/* ---- What was heard ---- */

static void add_source(struct lb_fault_flow *flow, unsigned i, uint16_t site)
{
    for (size_t k = 0; k < flow->source_count[i]; k++)
        if (flow->sources[i][k] == site)
            return;
    flow->sources[i] = lb_room_for_one(flow->sources[i], flow->source_count[i],
                                       &flow->source_room[i], sizeof *flow->sources[i]);
    flow->sources[i][flow->source_count[i]++] = site;
}

static void add_constant(struct lb_fault_flow *flow, unsigned i, int64_t v)
{
    lb_range one = {v, v, zeros_of(v)};
    flow->constant[i] = flow->has_constant[i] ? lb_range_joined(flow->constant[i], one) : one;
    flow->has_constant[i] = true;
}

/* Of more than two fields together nothing is known. */
static void add_field(struct lb_fault_flow *flow, unsigned i, int32_t step)
{
    int32_t *first = &flow->field[i], *second = &flow->second_field[i];
    if (*first == 0 || *first == step)
        *first = step;
    else if (*second == 0 || *second == step)
        *second = step;
    else
        *first = LB_NUM_VARIES;
}

static bool is_square(const lb_num_step *step)
{
    unsigned last = step->operand_count;
    return (step->operation == LB_STEP_MUL || step->operation == LB_STEP_MAC) && last >= 2 &&
           step->operand[last - 1].step != 0 &&
           step->operand[last - 1].step == step->operand[last - 2].step;
}

void lb_fault_flow_hear(struct lb_fault_flow *flow, const lb_num_step *step, const int *sources)
{
    flow->two_factors = flow->two_factors || !is_square(step);
    if (flow->first_tap == 0 || step->tap < flow->first_tap)
        flow->first_tap = step->tap;
    for (unsigned i = 0; i < step->operand_count; i++) {
        int64_t from = step->operand[i].step;
        if (from == 0)
            add_constant(flow, i, step->operand[i].v);
        else if (from < LB_NUM_NO_STEP)
            add_field(flow, i, (int32_t)from);
        else if (sources[i] >= 0)
            add_source(flow, i, (uint16_t)sources[i]);
        else
            flow->mixed = true; /* nobody knows where it comes from */
    }
}

void lb_fault_flow_ask(struct lb_fault_flow *flow, unsigned operand, lb_range range)
{
    flow->asked[operand] =
        flow->asked_count[operand] > 0 ? lb_range_joined(flow->asked[operand], range) : range;
    flow->asked_count[operand]++;
}

/* Of all that is said of it. */
static void join(lb_range *all, uint64_t *count, lb_range range)
{
    *all = (*count)++ > 0 ? lb_range_joined(*all, range) : range;
}

void lb_fault_flow_say(struct lb_fault_flow *flow, lb_range range, lb_claim claim)
{
    const bool is_chain = claim == LB_LIES_WITHIN_ON_THE_WAY;
    if (claim == LB_SAME_BEYOND) {
        join(&flow->settled, &flow->settlings, range);
        return;
    }
    if (claim == LB_IS_MULTIPLE) {
        join(&flow->multiple, &flow->multiples,
             (lb_range){range.low, range.high, zeros_of(range.high)});
        return;
    }
    flow->is_chain = is_chain && (flow->demands == 0 || flow->is_chain);
    flow->of_positive = flow->of_positive || claim == LB_LIES_OF_POSITIVE;
    join(&flow->demand, &flow->demands, range);
}

void lb_fault_flow_free(struct lb_fault_flow *flow)
{
    for (unsigned i = 0; i < LB_STEP_OPERANDS; i++)
        free(flow->sources[i]);
}

/* ---- Operations ---- */

static int64_t clipped_add(int64_t a, int64_t b)
{
    return lb_add(a, b, 64);
}

static lb_range sum_of(lb_range a, lb_range b)
{
    return (lb_range){clipped_add(a.low, b.low), clipped_add(a.high, b.high),
                      least(a.zeros, b.zeros)};
}

static lb_range difference_of(lb_range a, lb_range b)
{
    return (lb_range){lb_sub(a.low, b.high, 64), lb_sub(a.high, b.low, 64),
                      least(a.zeros, b.zeros)};
}

static void take_corner(lb_range *r, int64_t v)
{
    r->low = v < r->low ? v : r->low;
    r->high = v > r->high ? v : r->high;
}

static lb_range product_of(lb_range a, lb_range b)
{
    const int64_t as[] = {a.low, a.high}, bs[] = {b.low, b.high};
    lb_range r = {INT64_MAX, INT64_MIN, least(a.zeros + b.zeros, 64)};
    for (int i = 0; i < 4; i++) {
        int64_t v;
        if (!lb_mul_fits(as[i / 2], bs[i % 2], &v))
            return everything;
        take_corner(&r, v);
    }
    return r;
}

static lb_range factors_of(const struct lb_fault_flow *flow, lb_range a, lb_range b)
{
    lb_range r = product_of(a, b);
    if (!flow->two_factors && r.low < 0)
        r.low = 0;
    return r;
}

/* Shifts grow or shrink with each of their operands, so that the corners hold the extremes. */
static lb_range shift_of(const lb_num_step *site, lb_range v, lb_range n, int width)
{
    const int64_t vs[] = {v.low, v.high}, ns[] = {n.low, n.high};
    lb_range r = {INT64_MAX, INT64_MIN, 0};
    for (int i = 0; i < 4; i++) {
        int count = (int)lb_sat(ns[i % 2], 16);
        take_corner(&r, site->operation == LB_STEP_SHL ? lb_shl(vs[i / 2], count, width)
                        : site->operation == LB_STEP_ASR
                            ? lb_asr(vs[i / 2], count, width)
                            : lb_rsh(site->rounding, vs[i / 2], count, width));
    }
    /* Saturation puts ones where zeros were. */
    int64_t left = site->operation == LB_STEP_SHL ? n.low : lb_neg(n.high, 64);
    bool clips = r.low <= lb_min_of(width) || r.high >= lb_max_of(width);
    int64_t zeros = clips ? 0 : clipped_add(v.zeros, left);
    r.zeros = zeros < 0 ? 0 : zeros > 64 ? 64 : (int)zeros;
    return r;
}

static lb_range quotient_of(lb_range a, lb_range b)
{
    if (b.low <= 0)
        return everything;
    const int64_t as[] = {a.low, a.high}, bs[] = {b.low, b.high};
    lb_range r = {INT64_MAX, INT64_MIN, 0};
    for (int i = 0; i < 4; i++)
        take_corner(&r, as[i / 2] / bs[i % 2]);
    take_corner(&r, a.low <= 0 && a.high >= 0 ? 0 : r.low);
    r.zeros = b.high == 1 ? a.zeros : 0;
    return r;
}

static lb_range entries_of(unsigned table)
{
    lb_range r = {INT64_MAX, INT64_MIN, 0};
    for (int32_t i = 0; i < lb_luts[table].length; i++)
        take_corner(&r, lb_luts[table].table[i]);
    return r;
}

static lb_range held(lb_range r, int width, bool wraps)
{
    if (lb_range_within(&r, width))
        return r;
    return wraps ? lb_range_of_width(width)
                 : (lb_range){lb_sat(r.low, width), lb_sat(r.high, width), 0};
}

/* The more bits a number has, the fewer are redundant. */
static lb_range redundant_of(lb_range v, int width)
{
    int low = lb_norm(v.low, width), high = lb_norm(v.high, width);
    bool meets_zero = v.low <= 0 && v.high >= -1;
    return (lb_range){least(low, high), meets_zero ? width - 1 : low > high ? low : high, 0};
}

/* Before the result is held to its width. */
static lb_range unlimited_of(const lb_num_step *site, const struct lb_fault_flow *flow,
                             const lb_kernel *kernel)
{
    const lb_range *in = flow->operand;
    lb_range a = in[0], b = in[1];
    int width = site->width > 0 ? site->width : 64;
    switch (site->operation) {
    case LB_STEP_GIVEN:
        return lb_given_range(site, kernel);
    case LB_STEP_COPY:
    case LB_STEP_SKIP:
    case LB_STEP_SAT:
    case LB_STEP_WRAP:
        return a;
    case LB_STEP_MAC:
        return sum_of(a, factors_of(flow, b, in[2]));
    case LB_STEP_ADD:
        return sum_of(a, b);
    case LB_STEP_SUB:
        return difference_of(a, b);
    case LB_STEP_MUL:
        return factors_of(flow, a, b);
    case LB_STEP_TDIV:
        return quotient_of(a, b);
    case LB_STEP_NORM:
        return redundant_of(a, width);
    case LB_STEP_SHL:
        return shift_of(site, a, b, 64);
    case LB_STEP_ASR:
    case LB_STEP_RSH:
        return shift_of(site, a, b, width);
    case LB_STEP_MIN:
        return (lb_range){a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high,
                          least(a.zeros, b.zeros)};
    case LB_STEP_MAX:
        return (lb_range){a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high,
                          least(a.zeros, b.zeros)};
    case LB_STEP_MOD:
        if (b.high <= a.zeros)
            return (lb_range){0, 0, 64};
        return b.high >= 0 && b.high < 62 ? (lb_range){0, ((int64_t)1 << b.high) - 1, 0}
                                          : everything;
    case LB_STEP_LOOKUP:
        return entries_of(site->table);
    case LB_STEP_FTRUNC:
        return lb_range_of_width(32);
    case LB_STEP_PLACE:
    case LB_STEP_FDIV:
    case LB_STEP_FMUL:
    case LB_STEP_FADD:
    case LB_STEP_FSCALE:
    case LB_STEP_FLOAT:
    case LB_STEP_COUNT:
        break;
    }
    return everything;
}

static bool is_held(lb_operation operation)
{
    return operation == LB_STEP_MAC || operation == LB_STEP_ADD || operation == LB_STEP_SUB ||
           operation == LB_STEP_SHL || operation == LB_STEP_SAT || operation == LB_STEP_WRAP;
}

bool lb_step_saturates(const lb_num_step *site)
{
    const bool wraps =
        site->operation == LB_STEP_WRAP || (site->operation == LB_STEP_MAC && !site->saturates);
    return is_held(site->operation) && site->width > 0 && !wraps;
}

static lb_range result_of(const lb_num_step *site, lb_range unlimited)
{
    return is_held(site->operation) && site->width > 0
               ? held(unlimited, site->width, !lb_step_saturates(site))
               : unlimited;
}

/* ---- What a defined call has ---- */

static const lb_range *field_demand(const lb_fault_list *list, int32_t field)
{
    for (size_t i = 0; i < list->demand_count; i++)
        if (list->demands[i].field == field)
            return &list->demands[i].range;
    return NULL;
}

/* Each of its results is asked for; sums on the way to one of a chain, too. */
static const lb_range *result_demand(const struct lb_fault_flow *flow, const lb_num_step *site)
{
    const bool is_sum = site->operation == LB_STEP_MAC;
    return (is_sum && flow->is_chain) || (!is_sum && flow->demands >= flow->heard) ? &flow->demand
                                                                                   : NULL;
}

/* A positive number, shifted to the left until it fills its width. */
static lb_range filled(const lb_num_step *site, lb_range v)
{
    int zeros = least(lb_norm(v.high, site->width) + v.zeros, site->width - 2);
    return (lb_range){(int64_t)1 << (site->width - 2),
                      lb_max_of(site->width) - (((int64_t)1 << zeros) - 1), zeros};
}

/* What is held to a width may lie beyond it before; sums of a chain may not, and what saturates and
 * never is at an end did not. */
static void demand(struct lb_fault_flow *flow, const lb_num_step *site, lb_range *result)
{
    const lb_range *asked = result_demand(flow, site), *first = &flow->operand[0];
    const bool fills = flow->of_positive && site->operation == LB_STEP_SHL;
    const bool is_right = site->operation == LB_STEP_SHL && flow->operand[1].low < 0;
    const bool is_inside = asked && lb_step_saturates(site) && !is_right &&
                           asked->low > lb_min_of(site->width) &&
                           asked->high < lb_max_of(site->width);
    const bool is_exact = site->width <= 0 || site->width >= 64 || is_inside || fills ||
                          site->operation == LB_STEP_MAC;
    if (flow->multiples > 0 && flow->multiples >= flow->heard)
        result->zeros = flow->multiple.zeros;
    if (flow->demands == 0 || flow->mixed || !asked ||
        (flow->of_positive && (first->low < 1 || !lb_range_within(first, 32))))
        return;
    const lb_range r = fills ? filled(site, *first) : *asked;
    if (is_exact)
        flow->unlimited = lb_range_cut(flow->unlimited, &r);
    *result = lb_range_cut(*result, &r);
    if (fills)
        result->zeros = flow->unlimited.zeros = r.zeros;
}

/* ---- The whole ---- */

/* What is asked of one number beside all others. */
typedef struct branch {
    const lb_fault_number *only;
    const lb_range *within;
} branch;

static lb_range range_of_field(const lb_fault_list *list, int32_t field, const lb_kernel *kernel,
                               const branch *in)
{
    const lb_range v = lb_range_cut(lb_field_range(field, kernel), field_demand(list, field));
    return in->only && in->only->field == field ? lb_range_cut(v, in->within) : v;
}

/* False: a source is not known so far. */
static bool take_operands(lb_fault_list *list, struct lb_fault_flow *flow, const lb_num_step *site,
                          const lb_kernel *kernel, const branch *in)
{
    for (unsigned i = 0; i < site->operand_count; i++) {
        bool have = flow->has_constant[i];
        lb_range r = flow->constant[i];
        const int32_t fields[] = {flow->field[i], flow->second_field[i]};
        for (size_t k = 0; k < sizeof fields / sizeof *fields && fields[k] != 0; k++) {
            lb_range v = range_of_field(list, fields[k], kernel, in);
            r = have ? lb_range_joined(r, v) : v;
            have = true;
        }
        for (size_t k = 0; k < flow->source_count[i]; k++) {
            const struct lb_fault_flow *from = &list->flows[flow->sources[i][k]];
            lb_range v = from->result;
            if (from->known) {
                lb_given_range_in_part(&list->sites[flow->sources[i][k]], site->part, &v);
                r = have ? lb_range_joined(r, v) : v;
                have = true;
            }
        }
        if (!have)
            return false;
        flow->operand[i] =
            flow->asked_count[i] >= flow->heard ? lb_range_cut(r, &flow->asked[i]) : r;
    }
    return true;
}

static bool solve_one(lb_fault_list *list, size_t i, const lb_kernel *kernel, bool widens,
                      const branch *in)
{
    struct lb_fault_flow *flow = &list->flows[i];
    const lb_num_step *site = &list->sites[i];
    if (!take_operands(list, flow, site, kernel, in))
        return false;
    flow->unlimited = flow->mixed ? everything : unlimited_of(site, flow, kernel);
    if (!flow->mixed && site->operation == LB_STEP_MAC)
        (void)lb_flow_sum_of_taps(list, i, kernel,
                                  factors_of(flow, flow->operand[1], flow->operand[2]),
                                  &flow->unlimited);
    lb_range result = flow->mixed ? everything : result_of(site, flow->unlimited);
    demand(flow, site, &result);
    if (flow->known && same(&result, &flow->result))
        return false;
    if (flow->known && widens)
        result = site->width > 0 && is_held(site->operation) && !flow->mixed
                     ? lb_range_of_width(site->width)
                     : everything;
    demand(flow, site, &result);
    if (in->only && in->only->field == 0 && in->only->site == i)
        result = lb_range_cut(result, in->within);
    bool changed = !flow->known || !same(&result, &flow->result);
    flow->known = true;
    flow->result = result;
    return changed;
}

void lb_fault_ranges_solve(lb_fault_list *list, const lb_kernel *kernel,
                           const lb_fault_number *only, const lb_range *within)
{
    const branch in = {only, within};
    bool changed = true;
    for (size_t i = 0; i < list->site_count; i++)
        list->flows[i].known = false;
    for (int round = 0; changed && round < MOST_ROUNDS; round++) {
        changed = false;
        for (size_t i = 0; i < list->site_count; i++)
            changed = solve_one(list, i, kernel, round > ROUNDS_BEFORE_WIDENING, &in) || changed;
    }
    for (size_t i = 0; changed && i < list->site_count; i++)
        list->flows[i].known = false; /* no end in sight: nothing is said */
}

/* ---- Numbers of either sign ---- */

/* The one place that an operand comes from; -1: several, or a constant. */
static int sole_source(const lb_fault_list *list, size_t site, unsigned operand)
{
    const struct lb_fault_flow *flow = &list->flows[site];
    bool one = operand < list->sites[site].operand_count && !flow->has_constant[operand] &&
               flow->field[operand] == 0 && flow->source_count[operand] == 1 && !flow->mixed;
    return one ? flow->sources[operand][0] : -1;
}

/* The number that the step takes the larger of it and 0 of; false: it is another step. */
static bool is_held_to_zero(const lb_fault_list *list, size_t site, lb_fault_number *number)
{
    const struct lb_fault_flow *flow = &list->flows[site];
    const lb_range *v = &flow->operand[0];
    const int source = sole_source(list, site, 0);
    const bool is_field = flow->field[0] < LB_NUM_VARIES && flow->second_field[0] == 0 &&
                          flow->source_count[0] == 0 && !flow->has_constant[0];
    if (list->sites[site].operation != LB_STEP_MAX || !flow->known || flow->mixed ||
        !lb_flow_is_constant(flow, 1) || flow->constant[1].low != 0 ||
        flow->constant[1].high != 0 || v->low > 0 || v->high <= 0)
        return false;
    *number = (lb_fault_number){is_field ? flow->field[0] : 0, source < 0 ? 0 : (size_t)source};
    /* One number for each output: a step that was done once before. */
    return is_field || (source >= 0 && list->sites[source].tap == 0 &&
                        (list->sites[source].operation == LB_STEP_GIVEN ||
                         list->sites[source].operation == LB_STEP_SUB));
}

bool lb_fault_next_signed(const lb_fault_list *list, size_t *at, lb_fault_number *number)
{
    while (*at < list->site_count)
        if (is_held_to_zero(list, (*at)++, number))
            return true;
    return false;
}
