/* Values beyond which a result no longer changes: limits that come later make them all the same.
 * From the ends of the way of data back to its beginning; every rule gives bounds that hold for
 * all calls. */
#include "harness/base/checked.h"
#include "harness/faults/places.h"
#include "harness/faults/ranges.h"
#include "reference/core/arith.h"

/* Nothing is absorbed. */
static const lb_range nothing = {INT64_MIN, INT64_MAX, 0};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* An end of a range is known as such. */
static bool is_end(int64_t v)
{
    return v != INT64_MIN && v != INT64_MAX;
}

/* v beyond `to` on its side of zero, times 2^n; nothing where it does not fit. */
static int64_t scaled_up(int64_t to, int64_t n, int64_t otherwise)
{
    if (!is_end(to) || n > 62)
        return otherwise;
    int64_t v = lb_shl(to, n > 0 ? (int)n : 0, 64);
    return is_end(v) ? v : otherwise;
}

/* ---- Through one step ---- */

/* A saturated value beyond its ends is at them. */
static lb_range through_sat(lb_range after, int width)
{
    return (lb_range){most(after.low, lb_min_of(width)), least(after.high, lb_max_of(width)), 0};
}

/* The lower of two: one above whatever the other can be is not taken. */
static lb_range through_min(lb_range after, lb_range other)
{
    return (lb_range){after.low, least(after.high, other.high), 0};
}

static lb_range through_max(lb_range after, lb_range other)
{
    return (lb_range){most(after.low, other.low), after.high, 0};
}

static lb_range through_add(lb_range after, lb_range other)
{
    lb_range r = nothing;
    if (is_end(after.high) && is_end(other.low))
        r.high = lb_sub(after.high, other.low, 64);
    if (is_end(after.low) && is_end(other.high))
        r.low = lb_sub(after.low, other.high, 64);
    return r;
}

static lb_range through_sub(lb_range after, lb_range other, bool is_first)
{
    lb_range r = nothing;
    if (is_first && is_end(after.high) && is_end(other.high))
        r.high = lb_add(after.high, other.high, 64);
    if (is_first && is_end(after.low) && is_end(other.low))
        r.low = lb_add(after.low, other.low, 64);
    if (!is_first && is_end(after.low) && is_end(other.high))
        r.high = lb_sub(other.high, after.low, 64);
    if (!is_first && is_end(after.high) && is_end(other.low))
        r.low = lb_sub(other.low, after.high, 64);
    return r;
}

/* Far enough from zero that it still is beyond the bound when it has become smaller. */
static lb_range through_shift(lb_range after, lb_range count)
{
    lb_range r = nothing;
    if (after.high > 0)
        r.high = scaled_up(after.high, count.high, INT64_MAX);
    if (after.low < 0)
        r.low = scaled_up(after.low, count.high, INT64_MIN);
    return r;
}

static lb_range through_quotient(lb_range after, lb_range divisor)
{
    lb_range r = nothing;
    int64_t v;
    if (divisor.low < 1 || !is_end(divisor.high))
        return r;
    if (after.high > 0 && is_end(after.high) && lb_mul_fits(after.high, divisor.high, &v))
        r.high = v;
    if (after.low < 0 && is_end(after.low) && lb_mul_fits(after.low, divisor.high, &v))
        r.low = v;
    return r;
}

/* Of a product with whole numbers: 0 times it is 0, whatever it is, and one or more times a number
 * far enough from zero is no nearer. */
static lb_range through_product(lb_range after)
{
    if (!is_end(after.high) || !is_end(after.low) || after.high <= 0 || after.low >= 0)
        return nothing;
    const int64_t far = most(after.high, -after.low);
    return (lb_range){-far, far, 0};
}

/* What of operand i of a step is absorbed, by the step and by all that comes later. */
static lb_range through(const lb_num_step *site, const struct lb_fault_flow *flow, unsigned i)
{
    lb_range after = flow->absorbed, other = flow->operand[i == 0 ? 1 : 0];
    bool limited = site->width > 0 && site->width < 64;
    if (!flow->known || flow->mixed)
        return nothing;
    switch (site->operation) {
    case LB_STEP_COPY:
    case LB_STEP_SKIP:
        return after;
    case LB_STEP_SAT:
        return limited ? through_sat(after, site->width) : after;
    case LB_STEP_MIN:
        return through_min(after, other);
    case LB_STEP_MAX:
        return through_max(after, other);
    case LB_STEP_ADD:
        return through_add(limited ? through_sat(after, site->width) : after, other);
    case LB_STEP_SUB:
        return through_sub(limited ? through_sat(after, site->width) : after, other, i == 0);
    case LB_STEP_ASR:
    case LB_STEP_RSH:
        return i == 0 ? through_shift(after, flow->operand[1]) : nothing;
    case LB_STEP_MUL:
        return limited ? nothing : through_product(after);
    case LB_STEP_TDIV:
        return i == 0 ? through_quotient(after, flow->operand[1]) : nothing;
    default:
        return nothing;
    }
}

/* Where halves go up, bits below the half have no say; of a shift that cuts, none that goes. */
static int unseen_by(const lb_num_step *site, const struct lb_fault_flow *flow, unsigned i)
{
    const int64_t least_count = flow->operand[1].low;
    const int width = site->width > 0 ? site->width : 64;
    if (!flow->known || flow->mixed || i != 0 || least_count < 1 || least_count >= width ||
        !lb_range_within(&flow->operand[0], width))
        return 0;
    const int64_t most_count = least(flow->operand[1].high, width - 1);
    int64_t sum;
    const bool has_room =
        lb_add_fits(flow->operand[0].high, (int64_t)1 << (most_count - 1), &sum) &&
        sum <= lb_max_of(width);
    if (site->operation == LB_STEP_RSH && site->rounding == LB_ROUND_UP)
        return has_room ? (int)least_count - 1 : 0;
    return site->operation == LB_STEP_ASR ? (int)least_count : 0;
}

/* ---- The whole ---- */

/* What all that take the result of site number `from` have in common. A cell stores vectors on its
 * way, some of which are outputs, and reads them again in other parts: of what is taken elsewhere
 * (`in_part`), nothing is said. */
static lb_range absorbed_of(const lb_fault_list *list, size_t from, bool in_part)
{
    lb_range r = {INT64_MAX, INT64_MIN, 0};
    bool taken = false;
    for (size_t k = 0; k < list->site_count; k++)
        for (unsigned i = 0; i < list->sites[k].operand_count; i++)
            for (size_t n = 0; n < list->flows[k].source_count[i]; n++)
                if (list->flows[k].sources[i][n] == from) {
                    lb_range one = through(&list->sites[k], &list->flows[k], i);
                    if (in_part && list->sites[k].part != list->sites[from].part)
                        return nothing;
                    r = (lb_range){least(r.low, one.low), most(r.high, one.high), 0};
                    taken = true;
                }
    return taken && !list->flows[from].leaves ? r : nothing;
}

/* What the model says of all its results is so besides. */
static lb_range with_settled(const struct lb_fault_flow *flow, lb_range r)
{
    if (flow->settlings == 0 || flow->settlings < flow->heard)
        return r;
    return (lb_range){most(r.low, flow->settled.low), least(r.high, flow->settled.high), 0};
}

/* Of the least of all that take it. */
static int unseen_of(const lb_fault_list *list, size_t from)
{
    int unseen = 64;
    for (size_t k = 0; k < list->site_count; k++)
        for (unsigned i = 0; i < list->sites[k].operand_count; i++)
            for (size_t n = 0; n < list->flows[k].source_count[i]; n++)
                if (list->flows[k].sources[i][n] == from)
                    unseen = (int)least(unseen, unseen_by(&list->sites[k], &list->flows[k], i));
    return unseen == 64 || list->flows[from].leaves ? 0 : unseen;
}

void lb_fault_absorbed_solve(lb_fault_list *list, const lb_kernel *kernel)
{
    enum { MOST_ROUNDS = 40 };
    bool changed = true, in_part = lb_is_recurrent(kernel);
    for (size_t k = 0; k < list->site_count; k++)
        list->flows[k].absorbed = nothing;
    for (size_t k = 0; k < list->site_count; k++)
        list->flows[k].unseen = unseen_of(list, k);
    /* Every round gives bounds that hold: it may end at any. */
    for (int round = 0; changed && round < MOST_ROUNDS; round++) {
        changed = false;
        for (size_t k = list->site_count; k-- > 0;) {
            const lb_range r = with_settled(&list->flows[k], absorbed_of(list, k, in_part));
            lb_range *own = &list->flows[k].absorbed;
            changed = changed || r.low != own->low || r.high != own->high;
            *own = r;
        }
    }
}
