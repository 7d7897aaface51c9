/* Small changes to a case: see case_change.h. Most change one leaf (reference/describe/leaf.h), the
 * others data. */
#include "harness/generate/case_change.h"

/* ---- One leaf ---- */

static bool any_entry(lb_build *b, lb_leaf *leaf)
{
    const lb_config_field *fields = lb_config_fields(b->c->kernel->config_kind);
    int count = 0;
    while (fields[count].name)
        count++;
    if (count == 0)
        return false;
    const lb_config_field *field = &fields[lb_build_pick(b, 0, count - 1)];
    *leaf = lb_leaf_of_field(field, (unsigned)lb_build_pick(b, 0, (int)field->count - 1));
    return true;
}

/* Any tensor of the case, and its role. NULL: there is none. */
static lb_case_tensor *any_tensor(lb_build *b, lb_role *role)
{
    lb_role roles[LB_ROLE_COUNT];
    int count = 0;
    for (int r = 0; r < LB_ROLE_COUNT; r++)
        if (b->c->operand[r].present)
            roles[count++] = (lb_role)r;
    if (count == 0)
        return NULL;
    *role = roles[lb_build_pick(b, 0, count - 1)];
    lb_case_operand *operand = &b->c->operand[*role];
    return &operand->tensors[lb_build_pick(b, 0, (int)operand->count - 1)];
}

static bool any_of_tensor(lb_build *b, lb_leaf *leaf)
{
    lb_role role = LB_ROLE_OUT;
    const lb_case_tensor *t = any_tensor(b, &role);
    if (!t)
        return false;
    leaf->role = (int8_t)role;
    leaf->at = (int16_t)(t - b->c->operand[role].tensors);
    bool by_dim = leaf->kind == LB_LEAF_EXTENT || leaf->kind == LB_LEAF_STRIDE;
    int64_t count = by_dim                                ? t->rank
                    : leaf->kind == LB_LEAF_LIST_CAPACITY ? 3
                    : leaf->kind == LB_LEAF_SCALE || leaf->kind == LB_LEAF_ZERO_POINT ||
                            leaf->kind == LB_LEAF_SCALE_FRAC_BITS
                        ? (int64_t)(t->scale ? t->quant_count : 0)
                        : 1;
    leaf->by = by_dim ? LB_BY_FIELD : LB_BY_ITSELF;
    leaf->dim = (int8_t)(count > 0 ? lb_build_pick(b, 0, (count < 100 ? count : 100) - 1) : 0);
    return count > 0;
}

/* Of the kinds of leaves, those more often that more depends on. */
static bool any_leaf(lb_build *b, lb_leaf *leaf)
{
    /* clang-format off */
    static const uint8_t kinds[] = {
        LB_LEAF_CONFIG, LB_LEAF_CONFIG, LB_LEAF_CONFIG, LB_LEAF_CONFIG, LB_LEAF_CONFIG, LB_LEAF_CONFIG,
        LB_LEAF_FRAC_BITS, LB_LEAF_FRAC_BITS, LB_LEAF_SCALE_FRAC_BITS, LB_LEAF_SCALE_FRAC_BITS,
        LB_LEAF_SCALE, LB_LEAF_SCALE, LB_LEAF_ZERO_POINT, LB_LEAF_ZERO_POINT,
        LB_LEAF_EXTENT, LB_LEAF_EXTENT, LB_LEAF_EXTENT, LB_LEAF_STRIDE, LB_LEAF_STRIDE,
        LB_LEAF_RANK, LB_LEAF_RANK, LB_LEAF_TYPE, LB_LEAF_TYPE, LB_LEAF_AXIS, LB_LEAF_CAPACITY,
        LB_LEAF_LIST_CAPACITY, LB_LEAF_DATA_GIVEN, LB_LEAF_GIVEN, LB_LEAF_CONFIG_GIVEN};
    /* clang-format on */
    *leaf = (lb_leaf){.kind = LB_RANDOM_OF(&b->random, kinds)};
    if (leaf->kind == LB_LEAF_CONFIG_GIVEN)
        return true;
    return leaf->kind == LB_LEAF_CONFIG ? any_entry(b, leaf) : any_of_tensor(b, leaf);
}

/* A telling value, or one near by. */
static bool any_change(lb_build *b, lb_change *change)
{
    enum { NEAR = 12, FAR = 40 };
    int64_t values[LB_MOST_TELLING];
    if (!any_leaf(b, &change->leaf))
        return false;
    int64_t now = lb_case_value(b->c, change->leaf, b->arena);
    unsigned count = lb_leaf_telling(change->leaf, now, values);
    change->value = values[lb_build_pick(b, 0, (int64_t)count - 1)];
    if (change->leaf.kind != LB_LEAF_TYPE && lb_build_once_in(b, 3))
        change->value = now + lb_build_pick(b, -NEAR, lb_build_once_in(b, 4) ? FAR : NEAR);
    lb_leaf_range range = lb_leaf_type_range(change->leaf);
    return change->value >= range.low && change->value <= range.high;
}

static void change_leaf(lb_build *b)
{
    lb_change change;
    if (any_change(b, &change))
        lb_case_change(b, &change);
}

/* The same, and what the checks ask for then, as far as they are conditions. */
static void change_and_fit(lb_build *b)
{
    lb_change change = {.value = 0};
    const lb_rule *ends_at;
    if (any_change(b, &change))
        lb_case_fit(b, &change, 1, NULL, &ends_at);
}

/* ---- Data ---- */

/* Telling numbers in all places, some, or beside what stands in one. */
static void change_data(lb_build *b)
{
    enum { ALL, SOME, ONE, ANEW, WAYS };
    lb_role role;
    lb_case_tensor *t = any_tensor(b, &role);
    if (!t || !t->has_data || t->type == LB_FP32 || lb_container_bits((uint32_t)t->type) == 0 ||
        t->data.count == 0)
        return;
    const lb_range all = lb_build_range((uint32_t)t->type);
    const int bits = lb_build_bits((uint64_t)all.high);
    const int64_t values[] = {all.low,
                              all.high,
                              0,
                              1,
                              -1,
                              all.high / 2,
                              -all.high / 2,
                              (int64_t)1 << lb_build_pick(b, 0, bits - 1)};
    const int64_t value = LB_RANDOM_OF(&b->random, values), way = lb_build_pick(b, 0, WAYS - 1);
    const size_t one = (size_t)lb_random_in(&b->random, 0, (int64_t)t->data.count - 1);
    const int64_t beside = lb_wide_value(&t->data, one) + lb_build_pick(b, -3, 3);
    if (way == ANEW)
        lb_build_some_data(b, t, t->data.count);
    else if (way == ONE)
        lb_case_put_number(t, one,
                           beside > all.high  ? all.high
                           : beside < all.low ? all.low
                                              : beside);
    for (size_t i = 0; i < t->data.count && way <= SOME; i++)
        if (way == ALL || lb_build_once_in(b, 3))
            lb_case_put_number(t, i, value);
}

/* ---- Any ---- */

void lb_case_mutate(lb_build *b)
{
    enum { LEAF = 50, FIT = 12, DATA = 15 };
    const int64_t at = lb_random_in(&b->random, 0, LEAF + FIT + DATA - 1);
    (at < LEAF ? change_leaf : at < LEAF + FIT ? change_and_fit : change_data)(b);
}
