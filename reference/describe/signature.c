/* Sorts, siblings and labels of leaves: see signature.h. */
#include "signature.h"

#include "map.h"

#include <stdio.h>

/* ---- Fields ---- */

static const lb_config_field *field_at(lb_config_kind kind, int offset)
{
    for (const lb_config_field *f = lb_config_fields(kind); f->name; f++)
        if (f->offset == offset)
            return f;
    return NULL;
}

const lb_config_field *lb_leaf_field(const lb_kernel *kernel, lb_leaf leaf)
{
    if (leaf.kind != LB_LEAF_CONFIG)
        return NULL;
    const lb_config_field *given = field_at(kernel->config_kind, leaf.at);
    return given ? given : field_at(lb_filled_config(kernel), leaf.at);
}

static const lb_derived *derived_of(const lb_kernel *kernel, lb_leaf leaf)
{
    const lb_map *map = leaf.kind == LB_LEAF_DERIVED ? lb_map_of(kernel) : NULL;
    return map ? &map->derived[leaf.at] : NULL;
}

/* ---- Sorts ---- */

/* Leaves of tensors and of the function, by kind: sort; whether there is one for each dimension or
 * entry; what it is called, of a tensor by the key that cases have for it. */
static const struct {
    uint8_t sort;
    bool by_dimension;
    const char *key;
} about[] = {
    [LB_LEAF_NONE] = {LB_SORT_NUMBER, false, "1"},
    [LB_LEAF_NUMBER] = {LB_SORT_NUMBER, false, NULL},
    [LB_LEAF_EXTENT] = {LB_SORT_EXTENT, true, "shape"},
    [LB_LEAF_STRIDE] = {LB_SORT_STRIDE, true, "mem_stride"},
    [LB_LEAF_INNER] = {LB_SORT_STRIDE, true, "dense stride"},
    [LB_LEAF_MANY] = {LB_SORT_FLAG, false, "is more than one element"},
    [LB_LEAF_PER_AXIS] = {LB_SORT_FLAG, true, "has parameters along dimension"},
    [LB_LEAF_REPEATED] = {LB_SORT_FLAG, true, "has more than one index along dimension"},
    [LB_LEAF_CONFIG] = {LB_SORT_NUMBER, false, "another configuration's field"},
    [LB_LEAF_DERIVED] = {LB_SORT_DERIVED, true, "another map's number"},
    [LB_LEAF_RANK] = {LB_SORT_DIMENSIONS, false, "rank"},
    [LB_LEAF_COUNT] = {LB_SORT_EXTENT, false, "elements"},
    [LB_LEAF_TYPE] = {LB_SORT_TYPE, false, "type"},
    [LB_LEAF_FRAC_BITS] = {LB_SORT_FRAC_BITS, false, "frac_bits"},
    [LB_LEAF_AXIS] = {LB_SORT_AXIS, false, "axis"},
    [LB_LEAF_GIVEN] = {LB_SORT_FLAG, false, "is given"},
    [LB_LEAF_CONFIG_GIVEN] = {LB_SORT_FLAG, false, "configuration is given"},
    [LB_LEAF_KERNEL_SIZE] = {LB_SORT_SIZE, false, "kernel size of the function"},
    [LB_LEAF_ASKED_TYPE] = {LB_SORT_TYPE, false, "type of the variant"},
    [LB_LEAF_DATA_GIVEN] = {LB_SORT_FLAG, false, "data are given"},
    [LB_LEAF_CAPACITY] = {LB_SORT_BYTES, false, "capacity"},
    [LB_LEAF_SCALE] = {LB_SORT_SCALE, true, "scale"},
    [LB_LEAF_ZERO_POINT] = {LB_SORT_ZERO_POINT, true, "zero_point"},
    [LB_LEAF_SCALE_FRAC_BITS] = {LB_SORT_FRAC_BITS, true, "scale_frac_bits"},
    [LB_LEAF_LIST_CAPACITY] = {LB_SORT_BYTES, true, "quant_capacity"},
    [LB_LEAF_LIES_ON] = {LB_SORT_FLAG, false, "lies on another"},
};

lb_sort lb_leaf_sort(const lb_kernel *kernel, lb_leaf leaf)
{
    const lb_config_field *field = lb_leaf_field(kernel, leaf);
    return (lb_sort)(field ? field->sort : about[leaf.kind].sort);
}

int64_t lb_leaf_neutral(const lb_kernel *kernel, lb_leaf leaf)
{
    return lb_sorts[lb_leaf_sort(kernel, leaf)].neutral;
}

/* ---- Others ---- */

typedef struct leaves {
    const lb_kernel *kernel;
    lb_leaf self, *items;
    uint32_t sorts; /* that are looked for */
    unsigned count;
} leaves;

static void add(leaves *l, lb_leaf leaf)
{
    bool known = lb_leaf_is(leaf, l->self) || l->count == LB_MOST_SIBLINGS;
    for (unsigned i = 0; i < l->count && !known; i++)
        known = lb_leaf_is(leaf, l->items[i]);
    if (!known && (l->sorts >> lb_leaf_sort(l->kernel, leaf) & 1))
        l->items[l->count++] = leaf;
}

/* The leaf at another dimension. Where it depends on the axis there is no other. */
static void add_dimensions(leaves *l, lb_leaf leaf, unsigned dimensions)
{
    for (unsigned d = 0; d < dimensions && leaf.by <= LB_BY_COUNT; d++) {
        leaf.dim = (int8_t)d;
        add(l, leaf);
    }
}

static bool has_order(const lb_kernel *kernel)
{
    const lb_config_field *f = lb_config_fields(kernel->config_kind);
    while (f->name && f->sort != LB_SORT_ORDER)
        f++;
    return f->name != NULL;
}

/* Asked by itself, or through the order of dimensions and its inverse. */
static void add_orders(leaves *l)
{
    lb_leaf leaf = l->self;
    for (int by = LB_BY_ITSELF; by <= LB_BY_PLACE && leaf.by <= LB_BY_PLACE; by++) {
        leaf.by = (uint8_t)by;
        if (has_order(l->kernel))
            add(l, leaf);
    }
}

/* Fields of the configuration that are as `self` is, numbers or lists. */
static void add_fields(leaves *l)
{
    const lb_config_field *own = lb_leaf_field(l->kernel, l->self);
    for (const lb_config_field *f = lb_config_fields(l->kernel->config_kind); f->name; f++) {
        lb_leaf leaf = lb_leaf_of_field(f, 0);
        if (f->count > 1 && (!own || own->count > 1)) {
            leaf.by = l->self.by;
            leaf.dim = l->self.dim;
        }
        if (f->count == 1 || !own || own->count > 1)
            add(l, leaf);
    }
}

static unsigned rank_of(const lb_kernel *kernel, int role)
{
    const lb_map *map = lb_map_of(kernel);
    for (int i = 0; map && i < LB_MAP_ACCESSES; i++) {
        const lb_access *access = &map->access[i];
        if (access->rank > 0 && access->role == role && !access->is_flat && !access->of_parameters)
            return access->rank;
    }
    return LB_MAX_RANK;
}

static void add_roles(leaves *l)
{
    lb_leaf leaf = l->self;
    for (const lb_role_spec *role = l->kernel->roles; role->use != LB_USE_NONE; role++) {
        leaf.role = (int8_t)role->role;
        if (!about[leaf.kind].by_dimension || leaf.dim < (int)rank_of(l->kernel, leaf.role))
            add(l, leaf);
    }
}

unsigned lb_leaf_siblings(const lb_kernel *kernel, lb_leaf leaf, lb_leaf siblings[LB_MOST_SIBLINGS])
{
    leaves l = {.kernel = kernel,
                .self = leaf,
                .items = siblings,
                .sorts = lb_sorts[lb_leaf_sort(kernel, leaf)].taken_for};
    const lb_config_field *field = lb_leaf_field(kernel, leaf);
    const lb_derived *derived = derived_of(kernel, leaf);
    if (derived) {
        const lb_leaf from[] = {derived->of, derived->by};
        l.sorts = UINT32_MAX;
        for (int i = 0; i < 2; i++) {
            lb_leaf other = from[i];
            other.dim = other.dim == LB_DIM_ASKED ? leaf.dim : other.dim;
            other.by = leaf.by != LB_BY_ITSELF ? leaf.by : other.by;
            add(&l, other);
        }
    } else if (field) {
        add_dimensions(&l, leaf, field->count > 1 ? field->count : 0);
        add_fields(&l);
    } else if (lb_leaf_is_of_tensor(leaf)) {
        add_dimensions(&l, leaf, about[leaf.kind].by_dimension ? rank_of(kernel, leaf.role) : 0);
        add_roles(&l);
    }
    if (derived || (field && field->count > 1) || about[leaf.kind].by_dimension)
        add_orders(&l);
    return l.count;
}

unsigned lb_leaf_factors(const lb_kernel *kernel, lb_leaf leaf, lb_leaf factors[LB_MOST_SIBLINGS])
{
    leaves l = {.kernel = kernel,
                .self = leaf,
                .items = factors,
                .sorts = lb_sorts[lb_leaf_sort(kernel, leaf)].times};
    if (l.sorts != 0)
        add_fields(&l);
    return l.count;
}

/* ---- Labels ---- */

static void with_dimension(lb_leaf leaf, const char *key, char text[LB_LEAF_LABEL_BYTES])
{
    static const char *const forms[] = {[LB_BY_ORDER] = "%.40s[perm_dim[%d]]",
                                        [LB_BY_PLACE] = "%.40s[where perm_dim is %d]",
                                        [LB_BY_INNERMOST] = "%.40s[last]",
                                        [LB_BY_EACH] = "%.40s[each]",
                                        [LB_BY_NEXT] = "%.40s[next]"};
    const char *form = leaf.by < sizeof forms / sizeof forms[0] ? forms[leaf.by] : NULL;
    snprintf(text, LB_LEAF_LABEL_BYTES, form ? form : "%.40s[%d]", key, leaf.dim);
}

/* Of a tensor: with its role in front. */
static void label_of_kind(lb_leaf leaf, char text[LB_LEAF_LABEL_BYTES])
{
    char key[LB_LEAF_LABEL_BYTES], place[12] = "";
    const bool has_role =
        lb_leaf_is_of_tensor(leaf) || leaf.kind == LB_LEAF_GIVEN || leaf.kind == LB_LEAF_ASKED_TYPE;
    if (has_role && leaf.at > 0)
        snprintf(place, sizeof place, "[%d]", leaf.at);
    snprintf(key, sizeof key, "%s%s%s%s", has_role ? lb_role_name((lb_role)leaf.role) : "", place,
             has_role ? "." : "", about[leaf.kind].key);
    if (about[leaf.kind].by_dimension)
        with_dimension(leaf, key, text);
    else
        snprintf(text, LB_LEAF_LABEL_BYTES, "%s", key);
}

const char *lb_leaf_label(const lb_kernel *kernel, lb_leaf leaf, char text[LB_LEAF_LABEL_BYTES])
{
    const lb_config_field *field = lb_leaf_field(kernel, leaf);
    const lb_derived *derived = derived_of(kernel, leaf);
    if (leaf.kind == LB_LEAF_NUMBER)
        snprintf(text, LB_LEAF_LABEL_BYTES, "%d", leaf.at);
    else if (field && field->count > 1)
        with_dimension(leaf, field->name, text);
    else if (field || derived)
        snprintf(text, LB_LEAF_LABEL_BYTES, "%s", field ? field->name : derived->label);
    else
        label_of_kind(leaf, text);
    return text;
}
