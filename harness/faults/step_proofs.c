/* Changed steps that are right ones: see step_proofs.h. */
#include "harness/faults/step_proofs.h"
#include "harness/base/checked.h"
#include "harness/faults/step_rows.h"

static int width_of(const lb_num_step *site)
{
    return site->width > 0 ? site->width : 64;
}

/* How many places to the right, of asr, rsh and (to the left) shl. */
static lb_range right_counts(const lb_num_step *site, const struct lb_fault_flow *flow)
{
    lb_range n = flow->operand[1];
    return site->operation == LB_STEP_SHL ? (lb_range){lb_neg(n.high, 64), lb_neg(n.low, 64), 0}
                                          : n;
}

static bool is_zero(const lb_range *r)
{
    return r->low == 0 && r->high == 0;
}

/* What later limits cut off anyway: all that lies beyond these two. */
static bool is_absorbed(const struct lb_fault_flow *flow, int64_t low, int64_t high)
{
    return low <= flow->absorbed.low && high >= flow->absorbed.high;
}

static bool is_absorbed_beyond(const struct lb_fault_flow *flow, int64_t width)
{
    return width > 0 && width < 64 &&
           is_absorbed(flow, lb_min_of((int)width), lb_max_of((int)width));
}

/* A rule that is one condition. */
#define NEVER(name, condition)                                                                     \
    LB_NEVER(name)                                                                                 \
    {                                                                                              \
        (void)fault, (void)site, (void)flow;                                                       \
        return condition;                                                                          \
    }

/* ---- Rounding ---- */

LB_NEVER(lb_never_a_fraction)
{
    (void)fault;
    lb_range n = right_counts(site, flow);
    return n.high <= 0 || flow->operand[0].zeros >= n.high;
}

/* Of a fault that adds a whole step of the result: it shows where nothing is cut off, too. */
NEVER(lb_never_to_the_right, right_counts(site, flow).high <= 0)

/* Of shifts; a quotient may have any fraction. */
NEVER(lb_never_cut, site->operation == LB_STEP_ASR && lb_never_a_fraction(fault, site, flow))

NEVER(lb_never_a_negative_fraction,
      lb_never_a_fraction(fault, site, flow) || flow->operand[0].low >= 0)

NEVER(lb_never_half_to_zero, lb_never_a_fraction(fault, site, flow) ||
                                 (site->rounding == LB_ROUND_UP && flow->operand[0].high <= 0 &&
                                  lb_range_within(&flow->operand[0], width_of(site))))

/* Away from zero is down for numbers that are not positive, and up for those that are not negative.
 */
NEVER(lb_never_half_down, lb_never_a_fraction(fault, site, flow) ||
                              (site->rounding == LB_ROUND_AWAY && flow->operand[0].high <= 0))

NEVER(lb_never_half_other, lb_never_a_fraction(fault, site, flow) ||
                               (site->rounding == LB_ROUND_AWAY && flow->operand[0].low >= 0))

/* Of two places to the right, or more. */
NEVER(lb_never_a_quarter,
      lb_never_a_fraction(fault, site, flow) || right_counts(site, flow).high < 2)

/* There is room for the half. */
LB_NEVER(lb_never_half_wraps)
{
    int width = width_of(site);
    lb_range n = right_counts(site, flow);
    int64_t most = n.high < width ? n.high : width - 1, sum;
    if (lb_never_a_fraction(fault, site, flow) || site->rounding != LB_ROUND_UP)
        return true;
    int64_t half = most > 0 ? (int64_t)1 << (most - 1) : 0;
    return flow->operand[0].low >= lb_min_of(width) &&
           lb_add_fits(flow->operand[0].high, half, &sum) && sum <= lb_max_of(width);
}

/* A number of so many bits, shifted to the right by as many or more, is 0: it is less than a half,
 * or the half below zero, which goes up, or to the even neighbour; away from zero it does not. */
static bool vanishes(const lb_num_step *site, const struct lb_fault_flow *flow, int64_t bits)
{
    const lb_range *v = &flow->operand[0];
    return site->operation == LB_STEP_RSH && bits > 0 && bits < 64 &&
           lb_range_within(v, (int)bits) &&
           (site->rounding != LB_ROUND_AWAY || v->low > lb_min_of((int)bits));
}

/* A half of a number that is not negative goes up in either mode, where there is room for it. */
NEVER(lb_never_half_away, lb_never_a_fraction(fault, site, flow) ||
                              site->rounding == LB_ROUND_AWAY ||
                              (site->rounding == LB_ROUND_UP && flow->operand[0].low >= 0 &&
                               lb_never_half_wraps(fault, site, flow)))

NEVER(lb_never_a_negative_quotient, flow->operand[0].low >= 0 && flow->operand[1].low > 0)

LB_NEVER(lb_never_beyond_argument)
{
    (void)site;
    lb_range n = right_counts(site, flow);
    return n.high <= fault->argument || flow->operand[0].zeros >= n.high;
}

/* Of two roundings, the first by the argument: it leaves nothing, as the whole shift does. */
NEVER(lb_never_rounded_first,
      lb_never_beyond_argument(fault, site, flow) || vanishes(site, flow, fault->argument))

/* Where halves go up, bits below the half have no say, but for where the half saturates. A number
 * of the step's width is 0 by counts that take everything, with its low bits and without. Of a
 * number that has not one bit more than the argument, 0 or -1 is left, which is 0 in the end,
 * unless halves go away from zero. */
LB_NEVER(lb_never_low_bits)
{
    bool goes_up = site->rounding == LB_ROUND_UP ||
                   (site->rounding == LB_ROUND_AWAY && flow->operand[0].low >= 0);
    bool plain = goes_up && lb_range_within(&flow->operand[0], width_of(site)) &&
                 lb_never_half_wraps(fault, site, flow);
    return plain || lb_never_beyond_argument(fault, site, flow) ||
           (site->rounding != LB_ROUND_AWAY && vanishes(site, flow, fault->argument + 1));
}

/* ---- Shifts ---- */

/* A shift to the left by nothing still holds the number to its width. */
LB_NEVER(lb_never_shifted)
{
    (void)fault;
    lb_range n = right_counts(site, flow);
    bool fits =
        site->operation != LB_STEP_SHL || lb_range_within(&flow->operand[0], width_of(site));
    return (is_zero(&n) && fits) || is_zero(&flow->operand[0]);
}

NEVER(lb_never_negative_count, right_counts(site, flow).low >= 0 || is_zero(&flow->operand[0]))

/* To the right, as many places as the argument leave what more places leave: nothing, or the sign.
 */
static bool is_used_up(const lb_fault *fault, const lb_num_step *site,
                       const struct lb_fault_flow *flow)
{
    bool to_nearest = vanishes(site, flow, fault->argument) ||
                      (vanishes(site, flow, 63) && fault->argument >= width_of(site));
    return site->operation == LB_STEP_RSH
               ? to_nearest
               : fault->argument < 63 &&
                     lb_range_within(&flow->operand[0], (int)fault->argument + 1);
}

/* To the left, even so few places take the number to where nothing changes any more. */
static bool is_far_enough(const lb_fault *fault, const struct lb_fault_flow *flow)
{
    return flow->operand[0].low > 0 && fault->argument < 63 &&
           lb_shl(flow->operand[0].low, (int)fault->argument, 64) >= flow->absorbed.high;
}

/* To the left, a width less one takes all numbers but 0 to its ends. */
LB_NEVER(lb_never_capped)
{
    lb_range n = right_counts(site, flow);
    bool right = n.high <= fault->argument || is_used_up(fault, site, flow);
    bool left = n.low >= -fault->argument || fault->argument >= width_of(site) - 1 ||
                is_far_enough(fault, flow);
    return (right && left) || is_zero(&flow->operand[0]);
}

NEVER(lb_never_masked,
      right_counts(site, flow).high <= fault->argument || is_zero(&flow->operand[0]))

/* ---- Widths ---- */

NEVER(lb_never_saturates, lb_range_within(&flow->unlimited, width_of(site)) &&
                              flow->unlimited.low > INT64_MIN && flow->unlimited.high < INT64_MAX)

NEVER(lb_never_lowest, flow->result.low > lb_min_of(width_of(site)) ||
                           flow->absorbed.low > lb_min_of(width_of(site)))

LB_NEVER(lb_never_narrow)
{
    int64_t smaller = fault->argument < width_of(site) ? fault->argument : width_of(site);
    /* A shift by more places than the width has, either way, is another matter. */
    lb_range n = right_counts(site, flow);
    bool is_own = lb_step_saturates(site) &&
                  (site->operation != LB_STEP_SHL || (n.high <= 0 && n.low > -width_of(site)));
    return (is_own && fault->argument == site->width) || is_absorbed_beyond(flow, smaller) ||
           (lb_never_saturates(fault, site, flow) &&
            lb_range_within(&flow->unlimited, fault->argument));
}

/* The first operand is the result. */
LB_NEVER(lb_never_limited)
{
    const lb_range *a = &flow->operand[0], *b = &flow->operand[1];
    switch (site->operation) {
    case LB_STEP_MIN:
        return a->high <= b->low || b->low >= flow->absorbed.high;
    case LB_STEP_MAX:
        return a->low >= b->high || b->high <= flow->absorbed.low;
    case LB_STEP_SAT:
        return lb_never_saturates(fault, site, flow) || is_absorbed_beyond(flow, width_of(site));
    default:
        return lb_never_saturates(fault, site, flow);
    }
}

/* What is beyond the limit shows, whatever other limits follow. */
LB_NEVER(lb_never_beyond_limit)
{
    const lb_range *a = &flow->operand[0], *b = &flow->operand[1];
    (void)fault;
    return site->operation == LB_STEP_MIN ? a->high <= b->low : a->low >= b->high;
}

/* A limit that is off by the argument is not met. */
LB_NEVER(lb_never_off_limit)
{
    const lb_range *a = &flow->operand[0], *b = &flow->operand[1];
    int64_t lowest = lb_add(b->low, fault->argument < 0 ? fault->argument : 0, 64),
            highest = lb_add(b->high, fault->argument > 0 ? fault->argument : 0, 64);
    return site->operation == LB_STEP_MIN ? a->high <= lowest || lowest >= flow->absorbed.high
                                          : a->low >= highest || highest <= flow->absorbed.low;
}

NEVER(lb_never_below_zero, flow->result.low >= 0)

LB_NEVER(lb_never_other_limit_than_zero)
{
    (void)fault, (void)site;
    const lb_range *a = &flow->operand[0], *b = &flow->operand[1];
    return is_zero(b) || (a->low >= 0 && a->low >= b->high);
}

/* Numbers of one sign stand in the same order without it. */
NEVER(lb_never_of_two_signs, (flow->operand[0].low >= 0 && flow->operand[1].low >= 0) ||
                                 (flow->operand[0].high < 0 && flow->operand[1].high < 0))

NEVER(lb_never_two_with_a_negative, flow->operand[0].low >= 0 && flow->operand[1].low >= 0)

NEVER(lb_never_negative, flow->result.low >= 0)

NEVER(lb_never_wide_result, lb_range_within(&flow->result, fault->argument))

NEVER(lb_never_wide_saturated,
      lb_never_wide_result(fault, site, flow) || is_absorbed_beyond(flow, fault->argument))

/* The sum is held to the argument's width and nothing else. */
NEVER(lb_never_wide_sum, lb_range_within(&flow->unlimited, fault->argument) &&
                             lb_range_within(&flow->unlimited, width_of(site)))

/* So many products together stay within the width. */
static bool products_fit(const struct lb_fault_flow *flow, int64_t count, int width)
{
    int64_t corner;
    const lb_range *x = &flow->operand[1], *w = &flow->operand[2];
    const int64_t xs[] = {x->low, x->high}, ws[] = {w->low, w->high};
    for (int i = 0; i < 4; i++)
        if (!lb_mul_fits(xs[i / 2], ws[i % 2], &corner) || !lb_mul_fits(corner, count, &corner) ||
            lb_sat(corner, width) != corner)
            return false;
    return true;
}

NEVER(lb_never_wide_product, products_fit(flow, 1, fault->argument))

static bool is_of_words(lb_range r)
{
    return r.low < -512 || r.high > 512;
}

NEVER(lb_never_wide_pair,
      products_fit(flow, 2,
                   is_of_words(flow->operand[1]) && is_of_words(flow->operand[2]) ? 32 : 16))

NEVER(lb_never_has_low_bits, flow->result.zeros >= fault->argument ||
                                 flow->unseen >= fault->argument || is_zero(&flow->result))

NEVER(lb_never_wide_unsigned, flow->result.high < (int64_t)1 << fault->argument)

/* ---- Sums ---- */

NEVER(lb_never_second_number, is_zero(&flow->operand[1]))

/* Later limits make one and the same of the right result and of all between these two. */
static bool is_settled(const struct lb_fault_flow *flow, int64_t low, int64_t high)
{
    low = flow->result.low < low ? flow->result.low : low;
    high = flow->result.high > high ? flow->result.high : high;
    return high <= flow->absorbed.low || low >= flow->absorbed.high;
}

static lb_range held_to(lb_range r, int width)
{
    return (lb_range){lb_sat(r.low, width), lb_sat(r.high, width), 0};
}

/* A sum or difference of operands that are held to the step's width, as it is. */
static bool is_settled_sum(const lb_num_step *site, const struct lb_fault_flow *flow, lb_range a,
                           lb_range b, bool adds)
{
    int width = width_of(site);
    a = held_to(a, width);
    b = held_to(b, width);
    return is_settled(flow, adds ? lb_add(a.low, b.low, width) : lb_sub(a.low, b.high, width),
                      adds ? lb_add(a.high, b.high, width) : lb_sub(a.high, b.low, width));
}

NEVER(lb_never_off_by_one, is_settled(flow, lb_add(flow->result.low, fault->argument, 64),
                                      lb_add(flow->result.high, fault->argument, 64)))

NEVER(lb_never_missed_term, lb_never_second_number(fault, site, flow) ||
                                is_settled(flow, flow->operand[0].low, flow->operand[0].high))

NEVER(lb_never_second_term, lb_never_second_number(fault, site, flow) ||
                                is_settled_sum(site, flow, flow->result, flow->operand[1],
                                               site->operation == LB_STEP_ADD))

NEVER(lb_never_other_sign, lb_never_second_number(fault, site, flow) ||
                               is_settled_sum(site, flow, flow->operand[0], flow->operand[1],
                                              site->operation != LB_STEP_ADD))

/* Of numbers that have the width already: others are held to it first. */
LB_NEVER(lb_never_negative_first)
{
    (void)fault;
    int width = width_of(site);
    return flow->operand[0].low >= 0 && lb_range_within(&flow->operand[0], width) &&
           (site->operation != LB_STEP_ADD || lb_range_within(&flow->operand[1], width));
}

NEVER(lb_never_first_taps, flow->first_tap > (uint64_t)fault->argument)

NEVER(lb_never_adds,
      site->operand_count == 3 && (is_zero(&flow->operand[1]) || is_zero(&flow->operand[2])))

/* ---- Steps whose operands can have so few values that each is tried ---- */

static const uint64_t MOST_VALUES = 1 << 16;

/* The edit looks at nothing but the operands. */
static bool is_of_operands_alone(const lb_fault *fault)
{
    const lb_number_edit *does = &fault->kind->does;
    return fault->kind->alter == lb_step_edited && !fault->kind->takes_other &&
           !fault->kind->counts_taps && does->number > LB_BITS_OF_OUT && does->when <= LB_LIMITED &&
           does->at != LB_AT_DISTANCE;
}

static bool is_small_step(lb_operation operation)
{
    return operation == LB_STEP_RSH || operation == LB_STEP_ASR || operation == LB_STEP_SHL ||
           operation == LB_STEP_SAT || operation == LB_STEP_ADD || operation == LB_STEP_SUB ||
           operation == LB_STEP_MIN || operation == LB_STEP_MAX;
}

/* How many values; 0: too many. */
static uint64_t values_of(const lb_range *r)
{
    const uint64_t more = (uint64_t)r->high - (uint64_t)r->low;
    return more < MOST_VALUES ? more + 1 : 0;
}

static bool is_same_later(const struct lb_fault_flow *flow, int64_t a, int64_t b)
{
    return a == b || (a >= flow->absorbed.high && b >= flow->absorbed.high) ||
           (a <= flow->absorbed.low && b <= flow->absorbed.low);
}

bool lb_step_never_changed(const lb_fault *fault, const lb_num_step *site,
                           const struct lb_fault_flow *flow)
{
    const lb_fault_run run = {.fault = fault, .left = -1};
    const bool has_two = site->operand_count > 1;
    const uint64_t firsts = values_of(&flow->operand[0]),
                   seconds = has_two ? values_of(&flow->operand[1]) : 1;
    lb_num_step step = *site;
    if (!is_of_operands_alone(fault) || !is_small_step(site->operation) || site->tap != 0 ||
        site->operand_count > 2 || firsts * seconds == 0 || firsts * seconds > MOST_VALUES)
        return false;
    for (uint64_t i = 0; i < firsts * seconds; i++) {
        step.operand[0].v = (int64_t)((uint64_t)flow->operand[0].low + i / seconds);
        step.operand[1].v = has_two ? (int64_t)((uint64_t)flow->operand[1].low + i % seconds) : 0;
        step.result = lb_step_evaluate(&step);
        if (!is_same_later(flow, step.result, lb_step_edited(&run, &step)))
            return false;
    }
    return true;
}
