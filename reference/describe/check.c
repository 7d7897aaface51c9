/* Asking checks that are data: see check.h. */
#include "check.h"

#include "map.h"
#include "rules.h"

/* Beyond what sums of real calls come to; eight of them fit 64 bits. */
static const int64_t MOST_PRODUCT = INT64_MAX / 16;

typedef struct asking {
    const lb_call *call;
    const lb_map *map;
    const lb_rule *rule;
    lb_status missing; /* what is due where a leaf has no value; LB_OK: all have */
    bool says_nothing; /* the condition at hand is of a tensor that this call does without */
} asking;

static int64_t multiply(int64_t a, int64_t b)
{
    static const int64_t SMALL = (int64_t)1 << 29;
    if (a > -SMALL && a < SMALL && b > -SMALL && b < SMALL)
        return a * b;
    if (a == 0 || b == 0)
        return 0;
    int64_t most = MOST_PRODUCT / (a < 0 ? -a : a);
    if (b > most || b < -most)
        return (a < 0) == (b < 0) ? MOST_PRODUCT : -MOST_PRODUCT;
    return a * b;
}

/* ---- A leaf ---- */

lb_leaf lb_check_leaf_at(lb_leaf leaf, int dim, int dims)
{
    static const lb_leaf one = {.kind = LB_LEAF_NONE};
    if (leaf.by == LB_BY_NEXT && dim + 1 == dims)
        return one;
    if (leaf.by == LB_BY_NEXT || leaf.by == LB_BY_EACH) {
        leaf.dim = (int8_t)(leaf.by == LB_BY_EACH ? dim : dim + 1);
        leaf.by = leaf.kind == LB_LEAF_CONFIG ? LB_BY_ITSELF : LB_BY_FIELD;
    }
    return leaf;
}

/* May the rule, one of what is undefined, find no tensor of this role, which the call does not
 * have: the function does not have the role, or may go without it? */
static bool is_left_out(const lb_call *call, const lb_rule *rule, int role)
{
    if (!lb_rule_is_undefined(rule))
        return false;
    const lb_role_spec *spec = lb_kernel_role(call->kernel, (lb_role)role);
    return !spec || spec->optional;
}

static bool has_value(asking *a, lb_leaf leaf)
{
    if (leaf.kind == LB_LEAF_DERIVED)
        return has_value(a, a->map->derived[leaf.at].of) &&
               has_value(a, a->map->derived[leaf.at].by);
    if (!lb_leaf_is_of_tensor(leaf))
        return true;
    const lb_tensor *tensors = a->call->tensor[leaf.role];
    lb_status missing = LB_OK;
    if (!tensors && is_left_out(a->call, a->rule, leaf.role))
        return a->says_nothing = true, false;
    if (!tensors)
        missing = LB_BAD_TENSOR;
    else if (leaf.kind == LB_LEAF_AXIS && lb_is_sa(tensors[leaf.at].el_type) &&
             !lb_has_own_parameters(&tensors[leaf.at]))
        missing = lb_unsaid_status(LB_UNSAID_PARAMETERS);
    if (a->missing == LB_OK)
        a->missing = missing;
    return missing == LB_OK;
}

static int64_t value_of(asking *a, lb_leaf leaf)
{
    return has_value(a, leaf) ? lb_leaf_value(a->map, a->call, leaf) : 0;
}

/* ---- A condition ---- */

static int64_t product_of(asking *a, const lb_product *product, int dim, int dims)
{
    int64_t value = product->n;
    for (unsigned f = 0; f < LB_CHECK_FACTORS && product->of[f].kind != LB_LEAF_NONE; f++)
        value = multiply(value, value_of(a, lb_check_leaf_at(product->of[f], dim, dims)));
    return value;
}

static int64_t sum_at(asking *a, const lb_condition *condition, int dim, int dims)
{
    int64_t sum = 0;
    for (unsigned t = 0; t < LB_CHECK_TERMS && condition->term[t].n != 0; t++)
        sum += product_of(a, &condition->term[t], dim, dims);
    return sum;
}

static bool holds_at(asking *a, const lb_condition *condition, int dim, int dims)
{
    if (condition->is == LB_WHOLE) {
        int64_t of = product_of(a, &condition->term[0], dim, dims);
        int64_t by = product_of(a, &condition->term[1], dim, dims);
        return by != 0 && of % by == 0;
    }
    int64_t sum = sum_at(a, condition, dim, dims);
    return condition->is == LB_AT_MOST ? sum <= 0 : condition->is == LB_EQUAL ? sum == 0 : sum != 0;
}

static int dimensions_of(asking *a, const lb_condition *condition)
{
    int64_t dims = condition->each.kind == LB_LEAF_NONE ? 1 : value_of(a, condition->each);
    return dims < LB_MAX_RANK ? (int)dims : LB_MAX_RANK;
}

static bool holds(asking *a, const lb_condition *condition)
{
    int dims = dimensions_of(a, condition);
    bool all = true;
    for (int dim = 0; dim < dims && all; dim++)
        all = holds_at(a, condition, dim, dims);
    all = all || a->says_nothing;
    a->says_nothing = false;
    return all;
}

int64_t lb_check_room(const lb_call *call, const lb_rule *rule, const lb_condition *limit)
{
    asking a = {.call = call, .map = lb_map_of(call->kernel), .rule = rule};
    const int dims = limit->is == LB_AT_MOST ? dimensions_of(&a, limit) : 0;
    int64_t least = INT64_MAX;
    for (int dim = 0; dim < dims; dim++) {
        const int64_t room = -sum_at(&a, limit, dim, dims);
        least = room < least ? room : least;
    }
    return a.missing == LB_OK && !a.says_nothing ? least : INT64_MAX;
}

lb_status lb_check_ask(const lb_context *context, const lb_call *call, const lb_rule *rule)
{
    (void)context;
    asking a = {.call = call, .map = lb_map_of(call->kernel), .rule = rule};
    bool all = true;
    for (const lb_condition *c = rule->all; c->is != LB_NO_CONDITION; c++)
        all = holds(&a, c) && all;
    if (a.missing != LB_OK)
        return a.missing;
    if (all)
        return LB_OK;
    return lb_rule_is_undefined(rule) ? lb_unsaid_status(LB_UNSAID_RULE) : (lb_status)rule->c;
}
