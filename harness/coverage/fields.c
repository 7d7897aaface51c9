/* Classes of all fields of a call: see fields.h. Which fields a function has follows from the table
 * of functions: its configuration, whose sorts and dimensions say which classes, and its roles. */
#include "harness/coverage/fields.h"
#include "harness/call/call_memory.h"
#include "harness/coverage/class.h"
#include "harness/coverage/defined.h"

#include <stdio.h>

/* An id is the number of the field times CLASSES, and the class. Fields: entries of the
 * configuration, and then as many for each role. */
enum { CLASSES = 32, CONFIG_FIELDS = 48, ROLE_FIELDS = 16 };

typedef struct list {
    lb_field_item *items;
    size_t count;
} list;

static void add(list *l, unsigned field, unsigned class, int dimension)
{
    if (l->count < LB_MAX_FIELD_ITEMS)
        l->items[l->count++] =
            (lb_field_item){(uint16_t)(field * CLASSES + class), (int8_t)dimension};
}

/* ---- Configuration ---- */

static const char *const number_names[] = {"negative", "0", "1", "2", "3", "more", "largest"};

/* The largest number that is a class by itself. */
static int64_t last_of(const lb_config_field *field)
{
    return field->sort == LB_SORT_CHOICE ? 4 : field->count > 1 ? 2 : 3;
}

static unsigned number_class(int64_t v, const lb_config_field *field)
{
    const int64_t last = last_of(field);
    if (v < 0)
        return 0;
    if (field->type == LB_FIELD_U8 && v == UINT8_MAX)
        return 6;
    return v > last ? 5 : (unsigned)v + 1;
}

/* The order of dimensions is one field: 0 .. 23. What is no order has none. */
static int order_class(const uint8_t order[4])
{
    int class = 0;
    bool used[4] = {false};
    for (int i = 0; i < 4; i++) {
        int before = 0;
        if (order[i] > 3 || used[order[i]])
            return -1;
        for (int j = 0; j < order[i]; j++)
            before += !used[j];
        used[order[i]] = true;
        class = class * (4 - i) + before;
    }
    return class;
}

static bool is_order(const lb_config_field *field)
{
    return field->sort == LB_SORT_ORDER;
}

static unsigned rank_of(const lb_case_tensor *t)
{
    return t->has_rank ? t->rank_override : t->rank;
}

static unsigned rank_of_input(const lb_case *c)
{
    const unsigned rank =
        c->operand[LB_ROLE_IN].present ? rank_of(c->operand[LB_ROLE_IN].tensors) : LB_MAX_RANK;
    return rank < LB_MAX_RANK ? rank : LB_MAX_RANK;
}

static void add_config(list *l, const lb_case *c)
{
    const lb_config_field *fields = lb_config_fields(c->kernel->config_kind);
    unsigned number = 0;
    for (const lb_config_field *f = fields; f->name; number += f->count, f++) {
        if (c->null_config || f->sort == LB_SORT_BYTES)
            continue;
        if (is_order(f)) {
            uint8_t order[4] = {0, 1, 2, 3};
            for (unsigned i = 0; i < 4 && i < rank_of_input(c); i++)
                order[i] = (uint8_t)lb_config_get(&c->config, f, i);
            const int class = order_class(order);
            const unsigned rank = rank_of_input(c);
            if (class >= 0 && rank > 0) /* a field for each rank: two dimensions have two orders */
                add(l, number + rank - 1, (unsigned)class, -1);
            continue;
        }
        for (unsigned i = 0; i < f->count && (f->count == 1 || i < rank_of_input(c)); i++)
            add(l, number + i, number_class(lb_config_get(&c->config, f, i), f),
                f->count > 1 ? (int)i : f->dimension);
    }
}

/* ---- Tensors ---- */

enum { RANK, TYPE, AXIS, PLACE, ZERO_POINT, EXTENT, STRIDE = EXTENT + 4 };

static const char *const extent_names[] = {"1", "2", "odd", "even", "beyond_a_block"};

static unsigned extent_class(uint32_t extent)
{
    if (extent > 16)
        return 4;
    return extent == 1 ? 0 : extent == 2 ? 1 : extent % 2 ? 2 : 3;
}

static const char *const stride_names[] = {"dense", "gaps", "none"};

static void add_layout(list *l, const lb_case_tensor *t, unsigned first)
{
    int64_t dense = 1;
    for (unsigned d = t->rank; d-- > 0;) {
        const int64_t stride = t->has_mem_stride ? t->mem_stride[d] : dense;
        /* A gap inside makes those outside no denser: each is held to the one within it. */
        const int64_t packed = d + 1 < t->rank && t->has_mem_stride && t->mem_stride[d + 1] > 0
                                   ? (int64_t)t->mem_stride[d + 1] * t->shape[d + 1]
                                   : dense;
        add(l, first + STRIDE + d, stride <= 0 ? 2 : stride != packed, (int)d);
        dense *= lb_dimension_is_bad(t->shape[d]) ? 1 : t->shape[d];
    }
    for (unsigned d = 0; d < t->rank; d++)
        if (t->shape[d] > 0)
            add(l, first + EXTENT + d, extent_class(t->shape[d]), (int)d);
}

static void add_tensor(list *l, const lb_case *c, lb_role role)
{
    const unsigned first = CONFIG_FIELDS + (unsigned)role * ROLE_FIELDS;
    const lb_case_tensor *t = c->operand[role].tensors;
    if (c->null_role[role] || !c->operand[role].present) {
        add(l, first + PLACE, 2, -1);
        return;
    }
    if (rank_of(t) <= LB_MAX_RANK)
        add(l, first + RANK, rank_of(t), -1);
    if (lb_variant_type(c->kernel, role) == 0)
        add(l, first + TYPE, (unsigned)t->type % CLASSES, -1);
    if (lb_is_sa((uint32_t)t->type) && t->axis >= -1 && t->axis < 4)
        add(l, first + AXIS, (unsigned)(t->axis + 1), -1);
    add(l, first + PLACE, t->has_data_in, -1);
    if (t->zero_point && t->quant_count > 0)
        add(l, first + ZERO_POINT, t->zero_point[0] < 0 ? 0 : t->zero_point[0] > 0 ? 2 : 1, -1);
    if (!t->has_rank)
        add_layout(l, t, first);
}

static void sort(list *l)
{
    for (size_t i = 1; i < l->count; i++)
        for (size_t j = i; j > 0 && l->items[j].id < l->items[j - 1].id; j--) {
            const lb_field_item kept = l->items[j];
            l->items[j] = l->items[j - 1];
            l->items[j - 1] = kept;
        }
}

size_t lb_field_items(const lb_case *c, lb_field_item items[LB_MAX_FIELD_ITEMS])
{
    list l = {.items = items};
    if (!c->kernel || !c->kernel->exact || c->chain.steps)
        return 0;
    add_config(&l, c);
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (lb_kernel_role(c->kernel, (lb_role)role))
            add_tensor(&l, c, (lb_role)role);
    sort(&l);
    return l.count;
}

unsigned lb_field_of(uint16_t id)
{
    return id / CLASSES;
}

/* ---- Facts ---- */

typedef struct fact_list {
    lb_fact *facts;
    unsigned count;
} fact_list;

static void add_fact(fact_list *to, lb_leaf leaf, int64_t low, int64_t high, lb_parity parity)
{
    to->facts[to->count++] = (lb_fact){leaf, {low, high}, parity};
}

static void add_rank(fact_list *to, const lb_kernel *kernel, unsigned role, int64_t low,
                     int64_t high)
{
    const lb_leaf leaf = {.kind = LB_LEAF_RANK, .role = (int8_t)role};
    if (lb_kernel_role(kernel, (lb_role)role))
        add_fact(to, leaf, low, high, LB_ANY_PARITY);
}

static void config_facts(fact_list *to, const lb_kernel *kernel, unsigned field, unsigned class)
{
    const lb_config_field *f = lb_config_entry(kernel->config_kind, &field);
    if (!f)
        return;
    if (is_order(f)) {
        add_rank(to, kernel, LB_ROLE_IN, field + 1, field + 1);
        return;
    }
    const lb_leaf leaf = lb_leaf_of_field(f, field);
    const int64_t most = f->type == LB_FIELD_U8 ? UINT8_MAX - 1 : INT32_MAX;
    const int64_t exact = class == 6 ? UINT8_MAX : (int64_t) class - 1;
    if (class == 0)
        add_fact(to, leaf, INT32_MIN, -1, LB_ANY_PARITY);
    else
        add_fact(to, leaf, class == 5 ? last_of(f) + 1 : exact, class == 5 ? most : exact,
                 LB_ANY_PARITY);
    if (f->count > 1)
        add_rank(to, kernel, LB_ROLE_IN, field + 1, LB_MAX_RANK);
}

static void extent_facts(fact_list *to, lb_leaf leaf, unsigned class)
{
    static const lb_fact classes[] = {{.range = {1, 1}},
                                      {.range = {2, 2}},
                                      {.range = {3, 15}, .parity = LB_ODD},
                                      {.range = {4, 16}, .parity = LB_EVEN},
                                      {.range = {17, UINT32_MAX}}};
    leaf.kind = LB_LEAF_EXTENT;
    add_fact(to, leaf, classes[class].range.low, classes[class].range.high, classes[class].parity);
}

static void tensor_facts(fact_list *to, const lb_kernel *kernel, unsigned role, unsigned field,
                         unsigned class)
{
    lb_leaf leaf = {.role = (int8_t)role};
    if (field >= EXTENT) {
        leaf.by = LB_BY_FIELD;
        leaf.dim = (int8_t)((field - EXTENT) % LB_MAX_RANK);
        add_rank(to, kernel, role, leaf.dim + 1, LB_MAX_RANK);
    }
    if (field >= STRIDE) {
        leaf.kind = LB_LEAF_STRIDE;
        add_fact(to, leaf, class == 2 ? INT32_MIN : 1, class == 2 ? 0 : INT32_MAX, LB_ANY_PARITY);
    } else if (field >= EXTENT) {
        extent_facts(to, leaf, class);
    } else if (field == RANK) {
        add_rank(to, kernel, role, class, class);
    } else if (field == PLACE && class == 2) {
        leaf.kind = LB_LEAF_GIVEN;
        add_fact(to, leaf, 0, 0, LB_ANY_PARITY);
    } else if (field == AXIS) {
        leaf.kind = LB_LEAF_AXIS;
        add_fact(to, leaf, (int64_t) class - 1, (int64_t) class - 1, LB_ANY_PARITY);
    } else if (field == ZERO_POINT) {
        leaf.kind = LB_LEAF_ZERO_POINT;
        add_fact(to, leaf,
                 class == 0   ? INT16_MIN
                 : class == 1 ? 0
                              : 1,
                 class == 0   ? -1
                 : class == 1 ? 0
                              : INT16_MAX,
                 LB_ANY_PARITY);
    }
}

unsigned lb_field_facts(const lb_kernel *kernel, uint16_t id, lb_fact facts[LB_MOST_FIELD_FACTS])
{
    fact_list to = {.facts = facts};
    const unsigned field = id / CLASSES, class = id % CLASSES;
    if (field < CONFIG_FIELDS)
        config_facts(&to, kernel, field, class);
    else
        tensor_facts(&to, kernel, (field - CONFIG_FIELDS) / ROLE_FIELDS,
                     (field - CONFIG_FIELDS) % ROLE_FIELDS, class);
    return to.count;
}

/* ---- Names ---- */

static void name_config(const lb_kernel *kernel, unsigned field, unsigned class, char *name)
{
    const lb_config_field *f = lb_config_fields(kernel->config_kind);
    for (; f->name && field >= f->count; f++)
        field -= f->count;
    if (!f->name)
        snprintf(name, LB_FIELD_ITEM_BYTES, "?");
    else if (is_order(f))
        snprintf(name, LB_FIELD_ITEM_BYTES, "%s of rank %u=number %u", f->name, field + 1, class);
    else if (f->count > 1)
        snprintf(name, LB_FIELD_ITEM_BYTES, "%s[%u]=%s", f->name, field, number_names[class]);
    else
        snprintf(name, LB_FIELD_ITEM_BYTES, "%s=%s", f->name, number_names[class]);
}

static void name_tensor(const char *role, unsigned field, unsigned class, char *name)
{
    static const char *const places[] = {"own", "of another", "null"};
    static const char *const signs[] = {"negative", "0", "positive"};
    if (field >= STRIDE)
        snprintf(name, LB_FIELD_ITEM_BYTES, "%s.stride[%u]=%s", role, field - STRIDE,
                 stride_names[class]);
    else if (field >= EXTENT)
        snprintf(name, LB_FIELD_ITEM_BYTES, "%s.extent[%u]=%s", role, field - EXTENT,
                 extent_names[class]);
    else if (field == PLACE)
        snprintf(name, LB_FIELD_ITEM_BYTES, "%s.memory=%s", role, places[class]);
    else if (field == ZERO_POINT)
        snprintf(name, LB_FIELD_ITEM_BYTES, "%s.zero_point=%s", role, signs[class]);
    else if (field == AXIS)
        snprintf(name, LB_FIELD_ITEM_BYTES, "%s.axis=%d", role, (int)class - 1);
    else
        snprintf(name, LB_FIELD_ITEM_BYTES, "%s.%s=%u", role, field == RANK ? "rank" : "type",
                 class);
}

void lb_field_item_name(const lb_kernel *kernel, uint16_t id, char name[LB_FIELD_ITEM_BYTES])
{
    const unsigned field = id / CLASSES, class = id % CLASSES;
    if (field < CONFIG_FIELDS)
        name_config(kernel, field, class, name);
    else
        name_tensor(lb_role_name((lb_role)((field - CONFIG_FIELDS) / ROLE_FIELDS)),
                    (field - CONFIG_FIELDS) % ROLE_FIELDS, class, name);
}

/* ---- Triples ---- */

bool lb_field_triples(const lb_kernel *kernel)
{
    return lb_cover_in(kernel, LB_OF_PATTERN(MOVEMENT) | LB_OF_PATTERN(ORDER) | LB_POOLS |
                                   LB_IN_FAMILY(SOFTMAX)) ||
           kernel->config_kind == LB_CONFIG_SUB_TENSOR ||
           kernel->config_kind == LB_CONFIG_POINT_TO_SUBTENSOR;
}
