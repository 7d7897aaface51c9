/* Ranges through conditions: see check_range.h. */
#include "check_range.h"

/* Of products of two ranges of 33 bits. */
static const int64_t MOST = INT64_MAX / 32;

static int64_t cut(int64_t v)
{
    return v > MOST ? MOST : v < -MOST ? -MOST : v;
}

static int64_t multiply(int64_t a, int64_t b)
{
    if (a == 0 || b == 0)
        return 0;
    int64_t most = MOST / (a < 0 ? -a : a);
    return b <= most && b >= -most ? a * b : (a < 0) == (b < 0) ? MOST : -MOST;
}

static lb_leaf_range product(lb_leaf_range a, lb_leaf_range b)
{
    const int64_t ends[] = {multiply(a.low, b.low), multiply(a.low, b.high),
                            multiply(a.high, b.low), multiply(a.high, b.high)};
    lb_leaf_range range = {ends[0], ends[0]};
    for (int i = 1; i < 4; i++) {
        range.low = ends[i] < range.low ? ends[i] : range.low;
        range.high = ends[i] > range.high ? ends[i] : range.high;
    }
    return range;
}

static int64_t floor_of(int64_t v, int64_t by)
{
    int64_t quotient = v / by;
    return v % by != 0 && (v < 0) != (by < 0) ? quotient - 1 : quotient;
}

/* ---- What a condition says of a leaf ---- */

/* factor * leaf + rest. */
typedef struct linear {
    int64_t factor;
    lb_leaf_range rest;
    bool is_fixed; /* the factor is one number, and not 0 */
} linear;

lb_leaf_range lb_range_fixed(int64_t v)
{
    return (lb_leaf_range){v, v};
}

static bool is_in(const lb_condition *condition, lb_leaf leaf)
{
    for (unsigned t = 0; t < LB_CHECK_TERMS && condition->term[t].n != 0; t++)
        if (lb_leaf_is(condition->term[t].of[0], leaf) ||
            lb_leaf_is(condition->term[t].of[1], leaf))
            return true;
    return false;
}

static linear solved_for(const lb_condition *condition, lb_leaf leaf, lb_range_fn range_of,
                         const void *user)
{
    linear sum = {.is_fixed = true};
    for (unsigned t = 0; t < LB_CHECK_TERMS && condition->term[t].n != 0; t++) {
        lb_leaf_range others = lb_range_fixed(condition->term[t].n);
        bool has_it = false;
        for (unsigned f = 0; f < LB_CHECK_FACTORS; f++) {
            lb_leaf factor = condition->term[t].of[f];
            bool is_it = !has_it && lb_leaf_is(factor, leaf);
            if (!is_it && factor.kind != LB_LEAF_NONE)
                others = product(others, range_of(user, factor));
            has_it = has_it || is_it;
        }
        if (has_it) {
            sum.is_fixed = sum.is_fixed && others.low == others.high;
            sum.factor = cut(sum.factor + others.low);
        } else {
            sum.rest =
                (lb_leaf_range){cut(sum.rest.low + others.low), cut(sum.rest.high + others.high)};
        }
    }
    sum.is_fixed = sum.is_fixed && sum.factor != 0;
    return sum;
}

static void narrow(lb_leaf_range *range, int64_t low, int64_t high)
{
    range->low = low > range->low ? low : range->low;
    range->high = high < range->high ? high : range->high;
}

static void apply(lb_leaf_range *range, const lb_condition *condition, linear sum)
{
    int64_t factor = sum.factor;
    bool is_equal = condition->is == LB_EQUAL;
    if (condition->is == LB_UNLIKE) {
        if (sum.rest.low != sum.rest.high || sum.rest.low % factor != 0)
            return;
        int64_t root = -sum.rest.low / factor;
        narrow(range, range->low + (root == range->low), range->high - (root == range->high));
    } else if (factor > 0) {
        narrow(range, is_equal ? -floor_of(sum.rest.high, factor) : range->low,
               floor_of(-sum.rest.low, factor));
    } else {
        narrow(range, -floor_of(-sum.rest.low, -factor),
               is_equal ? floor_of(sum.rest.high, -factor) : range->high);
    }
}

void lb_range_narrow(lb_leaf_range *range, const lb_condition *condition, lb_leaf leaf,
                     lb_range_fn range_of, const void *user)
{
    if (condition->is == LB_WHOLE || !is_in(condition, leaf))
        return;
    const linear sum = solved_for(condition, leaf, range_of, user);
    if (sum.is_fixed)
        apply(range, condition, sum);
}

/* A product whose leaves are not known to be one number, and what it is taken times. */
typedef struct term {
    int64_t times;
    lb_leaf of[LB_CHECK_FACTORS];
} term;

static term term_of(const lb_product *p, lb_range_fn range_of, const void *user)
{
    term t = {.times = p->n};
    unsigned left = 0;
    for (unsigned f = 0; f < LB_CHECK_FACTORS; f++) {
        if (p->of[f].kind == LB_LEAF_NONE)
            continue;
        const lb_leaf_range range = range_of(user, p->of[f]);
        if (range.low == range.high)
            t.times = multiply(t.times, range.low);
        else
            t.of[left++] = p->of[f];
    }
    return t;
}

static bool is_like(const term *a, const term *b)
{
    return lb_leaf_is(a->of[0], b->of[0]) && lb_leaf_is(a->of[1], b->of[1]);
}

/* Terms of the same leaves are one: a gap times a kernel of 1, less the gap, is nothing. */
lb_leaf_range lb_range_of_sum(const lb_condition *condition, lb_range_fn range_of, const void *user)
{
    term terms[LB_CHECK_TERMS];
    unsigned count = 0;
    for (unsigned t = 0; t < LB_CHECK_TERMS && condition->term[t].n != 0; t++) {
        const term next = term_of(&condition->term[t], range_of, user);
        unsigned like = 0;
        while (like < count && !is_like(&terms[like], &next))
            like++;
        if (like == count)
            terms[count++] = next;
        else
            terms[like].times = cut(terms[like].times + next.times);
    }
    lb_leaf_range sum = {0, 0};
    for (unsigned t = 0; t < count; t++) {
        lb_leaf_range range = lb_range_fixed(terms[t].times);
        for (unsigned f = 0; f < LB_CHECK_FACTORS; f++)
            if (terms[t].of[f].kind != LB_LEAF_NONE)
                range = product(range, range_of(user, terms[t].of[f]));
        sum = (lb_leaf_range){cut(sum.low + range.low), cut(sum.high + range.high)};
    }
    return sum;
}
