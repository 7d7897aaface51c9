/* Which ranges hold behind the checks of a function: see check.h. */
#include "check_range.h"

#include "map.h"
#include "rules.h"

/* ---- What a condition says of a leaf ---- */

static lb_leaf_range bound(const lb_kernel *kernel, lb_leaf leaf, int depth);

/* The other leaves of a condition: as far as so many steps from the first one. */
typedef struct others {
    const lb_kernel *kernel;
    int depth;
} others;

static lb_leaf_range range_of_other(const void *user, lb_leaf leaf)
{
    const others *o = user;
    return bound(o->kernel, leaf, o->depth);
}

static void narrow(lb_leaf_range *range, int64_t low, int64_t high)
{
    range->low = low > range->low ? low : range->low;
    range->high = high < range->high ? high : range->high;
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
        return lb_range_fixed(lb_leaf_value(NULL, &(lb_call){.kernel = kernel}, leaf));
    if (depth == 0)
        return range;
    for (const lb_rule *rule = kernel->rules; rule && rule->check; rule++) {
        if (!rule->all)
            apply_quant(&range, rule, leaf);
        for (const lb_condition *c = rule->all; c && c->is != LB_NO_CONDITION; c++) {
            const others rest = {kernel, depth - 1};
            if (c->each.kind == LB_LEAF_NONE)
                lb_range_narrow(&range, c, leaf, range_of_other, &rest);
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
