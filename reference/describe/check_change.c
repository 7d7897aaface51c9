/* Changes that decide checks: see check.h. */
#include "check.h"

#include "map.h"

#include <string.h>

typedef struct collection {
    const lb_call *call;
    const lb_map *map;
    lb_change *changes;
    unsigned count;
} collection;

/* A change that is named twice is tried twice at most: the latest few are looked at. */
static bool is_among_latest(const collection *to, lb_leaf leaf, int64_t value)
{
    enum { LATEST = 64 };
    for (unsigned i = to->count; i > 0 && i + LATEST > to->count; i--)
        if (to->changes[i - 1].value == value && lb_leaf_is(to->changes[i - 1].leaf, leaf))
            return true;
    return false;
}

static void add(collection *to, lb_leaf leaf, int64_t value)
{
    lb_leaf_range range = lb_leaf_type_range(leaf);
    bool can_be = value >= range.low && value <= range.high && to->count < LB_MOST_CHANGES;
    if (can_be && !is_among_latest(to, leaf, value))
        to->changes[to->count++] = (lb_change){leaf, value};
}

#define ADD(to, leaf, ...)                                                                         \
    for (size_t i_ = 0; i_ < sizeof(const int64_t[]){__VA_ARGS__} / sizeof(int64_t); i_++)         \
    add(to, leaf, (const int64_t[]){__VA_ARGS__}[i_])

#define TELL(...)                                                                                  \
    (memcpy(values, (const int64_t[]){__VA_ARGS__}, sizeof(const int64_t[]){__VA_ARGS__}),         \
     sizeof(const int64_t[]){__VA_ARGS__} / sizeof(int64_t))

unsigned lb_leaf_telling(lb_leaf leaf, int64_t now, int64_t values[LB_MOST_TELLING])
{
    switch ((lb_leaf_kind)leaf.kind) {
    case LB_LEAF_EXTENT:
        return TELL(now - 1, now + 1, 1, now * 2, now + 8);
    case LB_LEAF_STRIDE:
        return TELL(now + 1, now - 1, now * 2, 0, -1);
    case LB_LEAF_RANK:
        return TELL(now - 1, now + 1, 0, 1, 2, 3, 4, 5);
    case LB_LEAF_TYPE:
        return TELL(LB_SA8, LB_FX8, LB_FX16, LB_SA32, LB_FP32, LB_FX4, LB_FP16);
    case LB_LEAF_CONFIG:
        return TELL(now - 1, now + 1, 0, 1, 2, 3, -1, -2, now * 2, UINT8_MAX, INT32_MAX);
    case LB_LEAF_FRAC_BITS:
        return TELL(now + 1, now - 1, INT8_MAX, INT8_MIN, 0);
    case LB_LEAF_AXIS:
        return TELL(-1, 0, 1, 2, 3);
    case LB_LEAF_GIVEN:
    case LB_LEAF_CONFIG_GIVEN:
    case LB_LEAF_DATA_GIVEN:
        return TELL(!now);
    case LB_LEAF_CAPACITY:
    case LB_LEAF_LIST_CAPACITY:
        return TELL(now - 1, now + 1, 0, (int64_t)INT32_MAX + 1);
    case LB_LEAF_SCALE:
        return TELL(now + 1, now - 1, 0, -1, now / 2, now * 2, INT16_MAX);
    case LB_LEAF_ZERO_POINT:
        return TELL(now + 1, now - 1, 0, INT8_MAX + 1, INT8_MIN - 1, INT16_MAX, INT16_MIN);
    case LB_LEAF_SCALE_FRAC_BITS:
        return TELL(now + 1, now - 1, now + 8, now - 8);
    case LB_LEAF_LIES_ON:
        return TELL(1);
    default:
        return 0;
    }
}

static void add_telling(collection *to, lb_leaf leaf, int64_t now)
{
    int64_t values[LB_MOST_TELLING];
    unsigned count = lb_leaf_telling(leaf, now, values);
    for (unsigned i = 0; i < count; i++)
        add(to, leaf, values[i]);
}

/* ---- Of conditions ---- */

/* Are the tensors there that it asks? */
static bool is_there(const collection *of, lb_leaf leaf)
{
    if (leaf.kind == LB_LEAF_DERIVED)
        return is_there(of, of->map->derived[leaf.at].of) &&
               is_there(of, of->map->derived[leaf.at].by);
    return !lb_leaf_is_of_tensor(leaf) || of->call->tensor[leaf.role];
}

static int64_t value_of(const collection *of, lb_leaf leaf)
{
    return is_there(of, leaf) ? lb_leaf_value(of->map, of->call, leaf) : 0;
}

/* factor * leaf + rest, as it is in the call, with numbers of made-up cases: others are cut. A leaf
 * squared is not solved for. */
static bool solve(const collection *of, const lb_condition *condition, lb_leaf leaf, int dim,
                  int dims, int64_t *factor, int64_t *rest)
{
    static const int64_t MOST = 1 << 20;
    *factor = *rest = 0;
    for (unsigned t = 0; t < LB_CHECK_TERMS && condition->term[t].n != 0; t++) {
        int64_t others = condition->term[t].n;
        unsigned times = 0;
        for (unsigned f = 0; f < LB_CHECK_FACTORS; f++) {
            lb_leaf own = lb_check_leaf_at(condition->term[t].of[f], dim, dims);
            bool is_it = lb_leaf_is(own, leaf);
            int64_t value = is_it ? 1 : value_of(of, own);
            times += is_it;
            others *= value < MOST && value > -MOST ? value : MOST;
        }
        if (times > 1)
            return false;
        *(times ? factor : rest) += others;
    }
    return *factor != 0 && condition->is != LB_WHOLE;
}

static void add_borders(collection *to, lb_leaf leaf, int64_t factor, int64_t rest)
{
    int64_t root = -rest / factor;
    ADD(to, leaf, root, root + 1, root - 1, root + 2, root - 2);
}

/* A count, and whether there are many, changes with the extents behind it. */
static void add_extents(collection *to, lb_leaf count)
{
    for (uint32_t d = 0; d < to->call->tensor[count.role][count.at].rank && d < LB_MAX_RANK; d++) {
        lb_leaf extent = count;
        extent.kind = LB_LEAF_EXTENT;
        extent.by = LB_BY_FIELD;
        extent.dim = (int8_t)d;
        add_telling(to, extent, value_of(to, extent));
    }
}

static void add_leaf(collection *to, const lb_condition *condition, lb_leaf leaf, int dim, int dims)
{
    int64_t factor, rest;
    if (leaf.kind == LB_LEAF_NONE || leaf.kind == LB_LEAF_NUMBER ||
        leaf.kind == LB_LEAF_KERNEL_SIZE || leaf.kind == LB_LEAF_ASKED_TYPE ||
        (lb_leaf_is_of_tensor(leaf) && !to->call->tensor[leaf.role]))
        return;
    if (leaf.kind == LB_LEAF_DERIVED) {
        add_leaf(to, condition, to->map->derived[leaf.at].of, dim, dims);
        add_leaf(to, condition, to->map->derived[leaf.at].by, dim, dims);
    } else if (leaf.kind == LB_LEAF_COUNT || leaf.kind == LB_LEAF_MANY) {
        add_extents(to, leaf);
    } else {
        if (solve(to, condition, leaf, dim, dims, &factor, &rest))
            add_borders(to, leaf, factor, rest);
        add_telling(to, leaf, value_of(to, leaf));
    }
}

static void add_condition(collection *to, const lb_condition *condition)
{
    int64_t count = condition->each.kind == LB_LEAF_NONE ? 1 : value_of(to, condition->each);
    int dims = count < LB_MAX_RANK ? (int)count : LB_MAX_RANK;
    for (int dim = 0; dim < dims; dim++)
        for (unsigned t = 0; t < LB_CHECK_TERMS && condition->term[t].n != 0; t++)
            for (unsigned f = 0; f < LB_CHECK_FACTORS; f++)
                add_leaf(to, condition, lb_check_leaf_at(condition->term[t].of[f], dim, dims), dim,
                         dims);
}

/* ---- Of checks in C ---- */

static void add_dimensions(collection *to, lb_leaf leaf, uint32_t count)
{
    for (uint32_t d = 0; d < count && d < LB_MAX_RANK; d++) {
        leaf.dim = (int8_t)d;
        add_telling(to, leaf, value_of(to, leaf));
    }
}

static void add_tensor(collection *to, int role, unsigned place)
{
    static const uint8_t numbers[] = {LB_LEAF_DATA_GIVEN, LB_LEAF_CAPACITY, LB_LEAF_RANK,
                                      LB_LEAF_TYPE,       LB_LEAF_AXIS,     LB_LEAF_FRAC_BITS};
    static const uint8_t of_entries[] = {LB_LEAF_SCALE, LB_LEAF_ZERO_POINT,
                                         LB_LEAF_SCALE_FRAC_BITS};
    const lb_tensor *t = &to->call->tensor[role][place];
    lb_leaf leaf = {.role = (int8_t)role, .at = (int16_t)place};
    for (size_t i = 0; i < sizeof numbers; i++) {
        leaf.kind = numbers[i];
        add_telling(to, leaf, value_of(to, leaf));
    }
    leaf.by = LB_BY_FIELD;
    leaf.kind = LB_LEAF_EXTENT;
    add_dimensions(to, leaf, t->rank);
    leaf.kind = LB_LEAF_STRIDE;
    add_dimensions(to, leaf, t->rank);
    leaf.by = LB_BY_ITSELF;
    if (!lb_is_sa(t->el_type))
        return;
    for (size_t i = 0; i < sizeof of_entries; i++) {
        leaf.kind = of_entries[i];
        add_dimensions(to, leaf, 1);
    }
    leaf.kind = LB_LEAF_LIST_CAPACITY;
    add_dimensions(to, leaf, 3);
}

static void add_roles(collection *to)
{
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        lb_leaf leaf = {.kind = LB_LEAF_GIVEN, .role = (int8_t)role};
        if (!to->call->tensor[role])
            continue;
        add_telling(to, leaf, 1);
        for (unsigned i = 0; i < to->call->list_count[role]; i++)
            add_tensor(to, role, i);
        leaf.kind = LB_LEAF_LIES_ON;
        for (int other = 0; role == LB_ROLE_OUT && other < LB_ROLE_COUNT; other++) {
            leaf.dim = (int8_t)other;
            if (other != role && to->call->tensor[other])
                add_telling(to, leaf, 0);
        }
    }
}

static void add_fields(collection *to)
{
    lb_leaf leaf = {.kind = LB_LEAF_CONFIG_GIVEN};
    add_telling(to, leaf, 1);
    for (const lb_config_field *f = lb_config_fields(to->call->kernel->config_kind); f->name; f++)
        for (unsigned i = 0; i < f->count; i++) {
            leaf = lb_leaf_of_field(f, i);
            add_telling(to, leaf, value_of(to, leaf));
        }
}

unsigned lb_check_changes(const lb_call *call, const lb_rule *rule,
                          lb_change changes[LB_MOST_CHANGES])
{
    collection to = {.call = call, .map = lb_map_of(call->kernel), .changes = changes};
    for (const lb_condition *c = rule->all; c && c->is != LB_NO_CONDITION; c++)
        add_condition(&to, c);
    if (!rule->all) {
        add_roles(&to);
        add_fields(&to);
    }
    return to.count;
}
