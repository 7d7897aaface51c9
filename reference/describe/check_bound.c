/* Which ranges hold behind the checks of a function: see check.h. */
#include "check.h"

#include "map.h"
#include "rules.h"

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

static lb_leaf_range bound(const lb_kernel *kernel, lb_leaf leaf, int depth);

static lb_leaf_range fixed(int64_t v)
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

static linear solved_for(const lb_kernel *kernel, const lb_condition *condition, lb_leaf leaf,
                         int depth)
{
    linear sum = {.is_fixed = true};
    for (unsigned t = 0; t < LB_CHECK_TERMS && condition->term[t].n != 0; t++) {
        lb_leaf_range others = fixed(condition->term[t].n);
        bool has_it = false;
        for (unsigned f = 0; f < LB_CHECK_FACTORS; f++) {
            lb_leaf factor = condition->term[t].of[f];
            bool is_it = !has_it && lb_leaf_is(factor, leaf);
            if (!is_it && factor.kind != LB_LEAF_NONE)
                others = product(others, bound(kernel, factor, depth - 1));
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

/* chkq holds scales and zero points (numerics.md 2), whatever the entry. */
static void apply_quant(lb_leaf_range *range, const lb_rule *rule, lb_leaf leaf)
{
    bool is_input = (rule->check == lb_check_cell_out_quant && leaf.role == LB_ROLE_OUT) ||
                    (rule->check == lb_check_pair_in_quant && leaf.role == LB_ROLE_IN);
    bool is_weights = rule->check == lb_check_pair_weights_quant && leaf.role == LB_ROLE_WEIGHTS;
    bool is_plain = rule->check == lb_check_quant && rule->a == leaf.role;
    if (!is_input && !is_weights && !is_plain)
        return;
    if (leaf.kind == LB_LEAF_SCALE)
        narrow(range, 1, INT16_MAX);
    else if (leaf.kind == LB_LEAF_ZERO_POINT)
        narrow(range,
               is_plain   ? rule->b
               : is_input ? INT8_MIN
                          : 0,
               is_plain   ? rule->c
               : is_input ? INT8_MAX
                          : 0);
}

static lb_leaf_range bound(const lb_kernel *kernel, lb_leaf leaf, int depth)
{
    lb_leaf_range range = lb_leaf_type_range(leaf);
    if (leaf.kind == LB_LEAF_KERNEL_SIZE || leaf.kind == LB_LEAF_ASKED_TYPE)
        return fixed(lb_leaf_value(NULL, &(lb_call){.kernel = kernel}, leaf));
    if (depth == 0)
        return range;
    for (const lb_rule *rule = kernel->rules; rule && rule->check; rule++) {
        if (!rule->all)
            apply_quant(&range, rule, leaf);
        for (const lb_condition *c = rule->all; c && c->is != LB_NO_CONDITION; c++) {
            if (c->each.kind != LB_LEAF_NONE || c->is == LB_WHOLE || !is_in(c, leaf))
                continue;
            linear sum = solved_for(kernel, c, leaf, depth);
            if (sum.is_fixed)
                apply(&range, c, sum);
        }
    }
    return range;
}

lb_leaf_range lb_checks_bound(const lb_kernel *kernel, lb_leaf leaf)
{
    enum { THEIR_OWN_AND_THOSE_OF_OTHERS = 2 };
    return bound(kernel, leaf, THEIR_OWN_AND_THOSE_OF_OTHERS);
}

/* ---- Which conditions there are ---- */

static bool is_product(const lb_product *a, const lb_product *b, int sign)
{
    bool straight = lb_leaf_is(a->of[0], b->of[0]) && lb_leaf_is(a->of[1], b->of[1]);
    bool crossed = lb_leaf_is(a->of[0], b->of[1]) && lb_leaf_is(a->of[1], b->of[0]);
    return a->n == sign * b->n && (straight || crossed);
}

static bool has_product(const lb_condition *c, const lb_product *product, int sign)
{
    for (unsigned t = 0; t < LB_CHECK_TERMS && c->term[t].n != 0; t++)
        if (is_product(&c->term[t], product, sign))
            return true;
    return false;
}

static bool has_products(const lb_condition *c, const lb_condition *of, int sign)
{
    for (unsigned t = 0; t < LB_CHECK_TERMS && of->term[t].n != 0; t++)
        if (!has_product(c, &of->term[t], sign))
            return false;
    return true;
}

static bool is_condition(const lb_condition *a, const lb_condition *b)
{
    bool alike = a->is == b->is && (a->each.kind == LB_LEAF_NONE) == (b->each.kind == LB_LEAF_NONE);
    bool same = has_products(a, b, 1) && has_products(b, a, 1);
    bool reversed = has_products(a, b, -1) && has_products(b, a, -1);
    return alike && (same || (reversed && a->is == LB_EQUAL));
}

bool lb_checks_have(const lb_kernel *kernel, const lb_condition *condition)
{
    for (const lb_rule *rule = kernel->rules; rule && rule->check; rule++)
        for (const lb_condition *c = rule->all; c && c->is != LB_NO_CONDITION; c++)
            if (is_condition(c, condition))
                return true;
    return false;
}

static uint32_t roles_of(const lb_kernel *kernel, lb_leaf leaf)
{
    if (leaf.kind == LB_LEAF_DERIVED) {
        const lb_derived *derived = &lb_map_of(kernel)->derived[leaf.at];
        return roles_of(kernel, derived->of) | roles_of(kernel, derived->by);
    }
    return lb_leaf_is_of_tensor(leaf) ? (uint32_t)1 << leaf.role : 0;
}

uint32_t lb_check_roles(const lb_kernel *kernel, const lb_rule *rule)
{
    uint32_t roles = 0;
    for (const lb_condition *c = rule->all; c && c->is != LB_NO_CONDITION; c++) {
        roles |= roles_of(kernel, c->each);
        for (unsigned t = 0; t < LB_CHECK_TERMS && c->term[t].n != 0; t++)
            roles |= roles_of(kernel, c->term[t].of[0]) | roles_of(kernel, c->term[t].of[1]);
    }
    return roles;
}
