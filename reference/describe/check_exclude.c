/* What no call that passes has together: see check.h. The ranges of leaves are narrowed by one
 * condition after the other, until nothing changes or one of them is empty. */
#include "check_range.h"

#include "map.h"
#include "rules.h"

enum { MOST_LEAVES = 160, MOST_ROUNDS = 8 };

typedef struct search {
    const lb_kernel *kernel;
    lb_fact known[MOST_LEAVES];
    unsigned count;
    int64_t ranks[LB_ROLE_COUNT]; /* at least */
    bool is_changed;
} search;

/* A dimension that the tensor has is one leaf, however it is asked for. */
static lb_leaf plain(const search *s, lb_leaf leaf)
{
    const bool is_of_dimension = leaf.kind == LB_LEAF_EXTENT || leaf.kind == LB_LEAF_STRIDE;
    if (is_of_dimension && leaf.by == LB_BY_ITSELF && leaf.at == 0 && leaf.dim >= 0 &&
        leaf.dim < s->ranks[leaf.role])
        leaf.by = LB_BY_FIELD;
    return leaf;
}

static lb_leaf_range first_range(const search *s, lb_leaf leaf)
{
    if (leaf.kind == LB_LEAF_KERNEL_SIZE || leaf.kind == LB_LEAF_ASKED_TYPE)
        return lb_range_fixed(lb_leaf_value(NULL, &(lb_call){.kernel = s->kernel}, leaf));
    if (leaf.kind == LB_LEAF_DERIVED) /* may be below 0 */
        return (lb_leaf_range){INT32_MIN, UINT32_MAX};
    return lb_leaf_type_range(leaf);
}

static lb_fact *fact_of(search *s, lb_leaf leaf)
{
    leaf = plain(s, leaf);
    for (unsigned i = 0; i < s->count; i++)
        if (lb_leaf_is(s->known[i].leaf, leaf))
            return &s->known[i];
    if (s->count == MOST_LEAVES)
        return NULL;
    s->known[s->count] = (lb_fact){leaf, first_range(s, leaf), LB_ANY_PARITY};
    return &s->known[s->count++];
}

static lb_leaf_range range_of(const void *user, lb_leaf leaf)
{
    search *s = (search *)user;
    const lb_fact *fact = fact_of(s, leaf);
    return fact ? fact->range : first_range(s, leaf);
}

/* Ends of the wrong parity go. False: nothing is left. */
static bool note(search *s, lb_fact *fact, lb_leaf_range range, lb_parity parity)
{
    range.low = range.low > fact->range.low ? range.low : fact->range.low;
    range.high = range.high < fact->range.high ? range.high : fact->range.high;
    if (parity != LB_ANY_PARITY && fact->parity != LB_ANY_PARITY && parity != fact->parity)
        return false;
    parity = parity != LB_ANY_PARITY ? parity : fact->parity;
    if (parity != LB_ANY_PARITY) {
        range.low += (range.low % 2 != 0) != (parity == LB_ODD);
        range.high -= (range.high % 2 != 0) != (parity == LB_ODD);
    }
    s->is_changed = s->is_changed || range.low != fact->range.low ||
                    range.high != fact->range.high || parity != fact->parity;
    fact->range = range;
    fact->parity = parity;
    return range.low <= range.high;
}

/* ---- A condition ---- */

/* The condition at one dimension. False: not all of its leaves are known to be asked there. */
static bool at_dimension(lb_condition *c, int dim, int64_t dims, bool is_last_known)
{
    for (unsigned t = 0; t < LB_CHECK_TERMS && c->term[t].n != 0; t++)
        for (unsigned f = 0; f < LB_CHECK_FACTORS; f++) {
            if (c->term[t].of[f].by == LB_BY_NEXT && dim + 1 >= dims && !is_last_known)
                return false;
            c->term[t].of[f] = lb_check_leaf_at(c->term[t].of[f], dim, (int)dims);
        }
    return true;
}

/* A product without the factors that are known to be 1. */
static lb_product without_ones(search *s, lb_product t)
{
    for (unsigned f = LB_CHECK_FACTORS; f-- > 0;) {
        const lb_fact *fact = t.of[f].kind != LB_LEAF_NONE ? fact_of(s, t.of[f]) : NULL;
        if (fact && fact->range.low == 1 && fact->range.high == 1) {
            t.of[f] = t.of[LB_CHECK_FACTORS - 1];
            t.of[LB_CHECK_FACTORS - 1] = (lb_leaf){.kind = LB_LEAF_NONE};
        }
    }
    return t;
}

/* One is the other: both are odd, or even. */
static bool equate(search *s, const lb_condition *c)
{
    if (c->is != LB_EQUAL || c->term[2].n != 0 || c->term[0].n * c->term[1].n != -1)
        return true;
    const lb_product t[] = {without_ones(s, c->term[0]), without_ones(s, c->term[1])};
    if (t[0].of[1].kind != LB_LEAF_NONE || t[1].of[1].kind != LB_LEAF_NONE)
        return true;
    lb_fact *a = fact_of(s, t[0].of[0]), *b = fact_of(s, t[1].of[0]);
    return !a || !b || (note(s, a, b->range, b->parity) && note(s, b, a->range, a->parity));
}

static bool can_hold(search *s, const lb_condition *c)
{
    const lb_leaf_range sum =
        c->is == LB_WHOLE ? (lb_leaf_range){0, 0} : lb_range_of_sum(c, range_of, s);
    if (c->is == LB_AT_MOST ? sum.low > 0 : c->is == LB_EQUAL && (sum.low > 0 || sum.high < 0))
        return false;
    for (unsigned t = 0; t < LB_CHECK_TERMS && c->term[t].n != 0; t++)
        for (unsigned f = 0; f < LB_CHECK_FACTORS; f++) {
            lb_fact *fact =
                c->term[t].of[f].kind != LB_LEAF_NONE ? fact_of(s, c->term[t].of[f]) : NULL;
            lb_leaf_range range = fact ? fact->range : (lb_leaf_range){0, 0};
            if (!fact)
                continue;
            lb_range_narrow(&range, c, fact->leaf, range_of, s);
            if (range.low > range.high || !note(s, fact, range, LB_ANY_PARITY))
                return false;
        }
    return equate(s, c);
}

static bool condition_can_hold(search *s, const lb_condition *condition)
{
    lb_leaf_range dims =
        condition->each.kind == LB_LEAF_NONE ? lb_range_fixed(1) : range_of(s, condition->each);
    const bool is_known = dims.low == dims.high;
    for (int dim = 0; dim < dims.low && dim < LB_MAX_RANK; dim++) {
        lb_condition c = *condition;
        for (unsigned t = 0; t < LB_CHECK_TERMS; t++)
            for (unsigned f = 0; f < LB_CHECK_FACTORS; f++)
                if (c.term[t].of[f].kind != LB_LEAF_NONE)
                    c.term[t].of[f] = plain(s, c.term[t].of[f]);
        if (at_dimension(&c, dim, dims.low, is_known) && !can_hold(s, &c))
            return false;
    }
    return true;
}

/* ---- What leaves have to do with each other ---- */

/* Whether a tensor is more than one element follows from its extents, and some of them from that.
 */
static bool relate_many(search *s, lb_fact *many)
{
    lb_leaf leaf = {.kind = LB_LEAF_RANK, .role = many->leaf.role};
    const lb_leaf_range rank = range_of(s, leaf);
    bool all_are_1 = rank.low == rank.high, good = true;
    leaf.kind = LB_LEAF_EXTENT;
    leaf.by = LB_BY_FIELD;
    for (; leaf.dim < rank.low && leaf.dim < LB_MAX_RANK && good; leaf.dim++) {
        lb_fact *extent = fact_of(s, leaf);
        if (!extent)
            return true;
        if (extent->range.low > 1)
            good = note(s, many, lb_range_fixed(1), LB_ANY_PARITY);
        if (many->range.high == 0)
            good = good && note(s, extent, lb_range_fixed(1), LB_ANY_PARITY);
        all_are_1 = all_are_1 && extent->range.low == 1 && extent->range.high == 1;
    }
    return good && (!all_are_1 || note(s, many, lb_range_fixed(0), LB_ANY_PARITY));
}

static bool relate_all(search *s)
{
    for (unsigned i = 0; i < s->count; i++)
        if (s->known[i].leaf.kind == LB_LEAF_MANY && !relate_many(s, &s->known[i]))
            return false;
    return true;
}

/* ---- All of them ---- */

/* A condition of what is undefined says nothing of a tensor that a call may go without. */
static bool is_asked(const search *s, const lb_rule *rule)
{
    const uint32_t roles = lb_rule_is_undefined(rule) ? lb_check_roles(s->kernel, rule) : 0;
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        const lb_role_spec *spec = lb_kernel_role(s->kernel, (lb_role)role);
        if (roles >> role & 1 && (!spec || spec->optional) && s->ranks[role] == 0)
            return false;
    }
    return true;
}

static const lb_rule *narrow_all(search *s)
{
    for (unsigned round = 0; round < MOST_ROUNDS; round++) {
        s->is_changed = false;
        for (const lb_rule *rule = s->kernel->rules; rule && rule->check; rule++)
            for (const lb_condition *c = is_asked(s, rule) ? rule->all : NULL;
                 c && c->is != LB_NO_CONDITION; c++)
                if (!condition_can_hold(s, c) || !relate_all(s))
                    return rule;
        if (!s->is_changed)
            break;
    }
    return NULL;
}

static bool take_facts(search *s, const lb_fact *facts, unsigned count)
{
    s->count = 0;
    for (unsigned i = 0; i < count; i++) {
        lb_fact *fact = fact_of(s, facts[i].leaf);
        if (fact && !note(s, fact, facts[i].range, facts[i].parity))
            return false;
    }
    return true;
}

lb_exclusion lb_checks_exclude(const lb_kernel *kernel, const lb_fact *facts, unsigned count)
{
    search s = {.kernel = kernel};
    lb_exclusion e = {.is_excluded = !take_facts(&s, facts, count)};
    if (e.is_excluded)
        return e;
    e.by = narrow_all(&s); /* once for the ranks, by which leaves are known to be one */
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        const lb_leaf rank = {.kind = LB_LEAF_RANK, .role = (int8_t)role};
        s.ranks[role] = lb_kernel_role(kernel, (lb_role)role) ? range_of(&s, rank).low : 0;
    }
    if (!e.by && take_facts(&s, facts, count))
        e.by = narrow_all(&s);
    e.is_excluded = e.by != NULL;
    return e;
}
