/* What can be said of cases and elements: see features.h. */
#include "harness/diagnose/features.h"

#include <string.h>

/* Of each role: rank, shape, gaps of each dimension, then numbers of its format. */
enum {
    OF_RANK = 0,
    OF_SHAPE = 1,
    OF_GAP = 5,
    OF_ZERO_POINT = 9,
    OF_FRAC_BITS,
    OF_SCALE,
    OF_PER_AXIS,
    OF_COUNT,
    OF_ROLE /* how many */
};

/* What follows from several numbers of a call: what its code would compare. */
enum {
    ANY_PADDING,
    LARGEST_STRIDE,
    STRIDE_BEYOND,
    LARGEST_DILATION,
    TAPS,
    PIXELS,
    GROUPS,
    GROUP_FILTERS,
    MORE_FILTERS,
    SPECIALIZED,
    AXIS_LENGTH,
    SCALES,
    IN_PLACE,
    DERIVED_COUNT
};

static const char *const derived_names[DERIVED_COUNT] = {
    [ANY_PADDING] = "the sum of all paddings",
    [LARGEST_STRIDE] = "the larger stride",
    [STRIDE_BEYOND] = "the most by which a stride exceeds the kernel",
    [LARGEST_DILATION] = "the larger dilation",
    [TAPS] = "the number of positions of the kernel",
    [PIXELS] = "the number of rows times columns of out",
    [GROUPS] = "the number of groups",
    [GROUP_FILTERS] = "the number of filters of a group",
    [MORE_FILTERS] = "the number of filters of a group less its channels",
    [SPECIALIZED] = "the kernel size in the function's name",
    [AXIS_LENGTH] = "the size of in along the axis",
    [SCALES] = "the number of different scales of operands",
    [IN_PLACE] = "the number of outputs in the memory of an input",
};

/* Of an element of an output. */
enum {
    AT_INDEX = 0,
    AT_END = 4,
    AT_FLAT = 8,
    AT_FLAT_END,
    AT_INNER, /* of the innermost dimension, whatever the rank */
    AT_INNER_END,
    AT_INNER_SIZE,
    AT_PIXEL,
    AT_PIXEL_END,
    AT_GROUP,
    AT_GROUP_END,
    AT_IN_GROUP,
    AT_IN_GROUP_END,
    AT_BEFORE, /* of two dimensions */
    AT_BEHIND = AT_BEFORE + 2,
    AT_PHASE = AT_BEHIND + 2,
    AT_VALUE = AT_PHASE + 2,
    AT_GIVEN,
    ELEMENT_COUNT
};

enum {
    OF_CONFIG = OF_ROLE * LB_ROLES_OF_MLI,
    OF_ELEMENT = LB_MAX_FEATURES - 2 - ELEMENT_COUNT,
    OF_DERIVED = OF_ELEMENT - DERIVED_COUNT,
    OF_REDUCED = LB_MAX_FEATURES - 2,
    OF_ROUNDING
};

static void tensor_features(const lb_case_tensor *t, int64_t *value)
{
    lb_layout layout = lb_layout_of(t);
    int64_t dense = 1;
    value[OF_RANK] = t->rank;
    for (unsigned d = t->rank < LB_MAX_RANK ? t->rank : LB_MAX_RANK; d-- > 0;) {
        value[OF_SHAPE + d] = t->shape[d];
        value[OF_GAP + d] = t->has_mem_stride && t->mem_stride[d] != dense;
        dense = t->has_mem_stride ? (int64_t)t->mem_stride[d] * t->shape[d] : dense * t->shape[d];
    }
    value[OF_COUNT] = (int64_t)lb_layout_count(&layout);
    value[OF_FRAC_BITS] = t->frac_bits;
    value[OF_PER_AXIS] = lb_is_sa((uint32_t)t->type) && t->axis >= 0;
    value[OF_SCALE] = 1;
    if (t->zero_point && t->quant_count > 0) {
        value[OF_ZERO_POINT] = t->zero_point[0];
        value[OF_FRAC_BITS] = t->scale_frac_bits ? t->scale_frac_bits[0] : 0;
        value[OF_SCALE] = t->scale ? t->scale[0] : 0;
    }
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static bool has_windows(const lb_kernel *kernel)
{
    return kernel &&
           (kernel->config_kind == LB_CONFIG_CONV2D || kernel->config_kind == LB_CONFIG_POOL);
}

/* Shapes of `in` and the weights, by the features of their roles. */
static void derive_channels(const lb_config *g, const int64_t *value, int64_t *d)
{
    const int64_t *in = value + LB_ROLE_IN * OF_ROLE, *w = value + LB_ROLE_WEIGHTS * OF_ROLE;
    const int64_t *out = value + LB_ROLE_OUT * OF_ROLE;
    if (out[OF_RANK] == 3)
        d[PIXELS] = out[OF_SHAPE] * out[OF_SHAPE + 1];
    if (w[OF_RANK] != 4 || in[OF_RANK] != 3 || w[OF_SHAPE + 2] <= 0)
        return;
    d[STRIDE_BEYOND] = larger(g->stride_height - w[OF_SHAPE], g->stride_width - w[OF_SHAPE + 1]);
    d[TAPS] = w[OF_SHAPE] * w[OF_SHAPE + 1];
    d[GROUPS] = in[OF_SHAPE + 2] / w[OF_SHAPE + 2];
    if (d[GROUPS] <= 0)
        return;
    d[GROUP_FILTERS] = w[OF_SHAPE + 3] / d[GROUPS];
    d[MORE_FILTERS] = d[GROUP_FILTERS] - w[OF_SHAPE + 2];
}

/* Axis -1 is all of the tensor. */
static void derive_axis(const lb_case *c, int64_t *value)
{
    const int64_t *in = value + LB_ROLE_IN * OF_ROLE;
    int32_t axis = c->config.axis;
    if (c->kernel && c->kernel->config_kind == LB_CONFIG_AXIS && axis < LB_MAX_RANK &&
        axis < in[OF_RANK])
        value[OF_DERIVED + AXIS_LENGTH] = axis < 0 ? in[OF_COUNT] : in[OF_SHAPE + axis];
}

/* Code that is faster where formats are alike asks for one. */
static void derive_scales(int64_t *value)
{
    int64_t different = 0;
    for (int role = 0; role < LB_ROLES_OF_MLI; role++) {
        const int64_t *t = value + role * OF_ROLE;
        bool known = t[OF_SCALE] == INT64_MIN;
        for (int other = 0; other < role && !known; other++) {
            const int64_t *o = value + other * OF_ROLE;
            known = o[OF_SCALE] == t[OF_SCALE] && o[OF_FRAC_BITS] == t[OF_FRAC_BITS];
        }
        different += !known;
    }
    value[OF_DERIVED + SCALES] = different > 0 ? different : INT64_MIN;
}

static void derive(const lb_case *c, int64_t *value)
{
    const lb_config *g = &c->config;
    int64_t *d = value + OF_DERIVED;
    derive_axis(c, value);
    derive_scales(value);
    d[IN_PLACE] = 0;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        d[IN_PLACE] += c->operand[role].present && c->operand[role].is_output &&
                       c->operand[role].tensors[0].has_data_in;
    if (!has_windows(c->kernel))
        return;
    d[ANY_PADDING] = g->padding_left + g->padding_right + g->padding_top + g->padding_bottom;
    d[LARGEST_STRIDE] = larger(g->stride_width, g->stride_height);
    d[SPECIALIZED] = c->kernel->kernel_size;
    if (c->kernel->config_kind == LB_CONFIG_POOL) {
        d[TAPS] = g->kernel_width * g->kernel_height;
        d[STRIDE_BEYOND] =
            larger(g->stride_height - g->kernel_height, g->stride_width - g->kernel_width);
    } else
        d[LARGEST_DILATION] = larger(g->dilation_width, g->dilation_height);
    derive_channels(g, value, d);
}

void lb_features_of(const lb_case *c, const lb_profile *profile, lb_features *features)
{
    for (unsigned i = 0; i < LB_MAX_FEATURES; i++)
        features->value[i] = INT64_MIN;
    for (int role = 0; role < LB_ROLES_OF_MLI; role++)
        if (c->operand[role].present && c->operand[role].count > 0 && !c->null_role[role])
            tensor_features(&c->operand[role].tensors[0], features->value + role * OF_ROLE);
    unsigned at = OF_CONFIG;
    const lb_config_field *field = c->kernel ? lb_config_fields(c->kernel->config_kind) : NULL;
    for (; field && field->name; field++)
        for (unsigned i = 0; i < field->count && at < OF_DERIVED; i++)
            features->value[at++] = lb_config_get(&c->config, field, i);
    derive(c, features->value);
    features->of_case = 0xcbf29ce484222325u;
    for (unsigned i = 0; i < OF_ELEMENT; i++)
        features->of_case = (features->of_case ^ (uint64_t)features->value[i]) * 0x100000001b3u;
    features->value[OF_REDUCED] = profile->reduced;
    features->value[OF_ROUNDING] = (int64_t)profile->rounding;
}

void lb_features_of_element(const lb_layout *layout, size_t flat, int64_t right, int64_t given,
                            lb_features *features)
{
    int64_t *e = features->value + OF_ELEMENT;
    size_t rest = flat, count = lb_layout_count(layout);
    for (unsigned d = layout->rank; d-- > 0;) {
        e[AT_INDEX + d] = (int64_t)(rest % layout->shape[d]);
        e[AT_END + d] = (int64_t)layout->shape[d] - 1 - e[AT_INDEX + d];
        rest /= layout->shape[d];
    }
    if (layout->rank > 0) {
        e[AT_INNER] = e[AT_INDEX + layout->rank - 1];
        e[AT_INNER_END] = e[AT_END + layout->rank - 1];
        e[AT_INNER_SIZE] = layout->shape[layout->rank - 1];
        e[AT_PIXEL] = (int64_t)flat / e[AT_INNER_SIZE];
        e[AT_PIXEL_END] = (int64_t)count / e[AT_INNER_SIZE] - 1 - e[AT_PIXEL];
    }
    e[AT_FLAT] = (int64_t)flat;
    e[AT_FLAT_END] = (int64_t)(count - 1 - flat);
    int64_t filters = features->value[OF_DERIVED + GROUP_FILTERS];
    if (filters > 0 && layout->rank == 3) {
        e[AT_GROUP] = e[AT_INDEX + 2] / filters;
        e[AT_GROUP_END] = e[AT_END + 2] / filters;
        e[AT_IN_GROUP] = e[AT_INDEX + 2] % filters;
        e[AT_IN_GROUP_END] = e[AT_END + 2] % filters;
    }
    e[AT_VALUE] = right;
    e[AT_GIVEN] = given;
}

/* Where a window stands in one dimension: its first position in `in`, times the divisor, and the
 * term that leads on from there. False: it is not known. */
static bool find_window(const lb_bound_map *map, unsigned d, int64_t place, int64_t *start,
                        unsigned *inner)
{
    const lb_bound_index *out = &map->access[LB_MAP_OUT].index[d];
    const lb_bound_index *x = &map->access[LB_MAP_X].index[d];
    if (out->count != 1 || out->step[0] != 1 || out->base != 0 || x->count != 2 || !x->is_watched)
        return false;
    *inner = x->loop[0] == out->loop[0];
    *start = x->base + x->step[!*inner] * place;
    return x->loop[!*inner] == out->loop[0] && x->loop[*inner] >= map->outer;
}

void lb_features_of_window(const lb_bound_map *map, lb_features *features)
{
    int64_t *e = features->value + OF_ELEMENT;
    for (unsigned d = 0; d < 2 && d < map->access[LB_MAP_OUT].rank; d++) {
        const lb_bound_index *x = &map->access[LB_MAP_X].index[d];
        unsigned inner = 0;
        int64_t start;
        if (!find_window(map, d, e[AT_INDEX + d], &start, &inner))
            continue;
        e[AT_BEFORE + d] = e[AT_BEHIND + d] = 0;
        for (uint32_t k = 0; k < map->extent[x->loop[inner]]; k++) {
            const int64_t at = start + x->step[inner] * k;
            e[AT_BEFORE + d] += at % x->divisor == 0 && at < 0;
            e[AT_BEHIND + d] += at % x->divisor == 0 && at / x->divisor >= x->bound;
        }
        if (x->divisor > 1)
            e[AT_PHASE + d] = (start % x->divisor + x->divisor) % x->divisor;
    }
}

void lb_features_keep(lb_features *features, bool values)
{
    for (unsigned f = 0; f < LB_MAX_FEATURES; f++)
        if ((f == OF_ELEMENT + AT_VALUE || f == OF_ELEMENT + AT_GIVEN) != values)
            features->value[f] = INT64_MIN;
}

lb_features lb_features_empty(uint64_t of_case, bool inside)
{
    lb_features row = {.of_case = of_case, .inside = inside};
    for (unsigned f = 0; f < LB_MAX_FEATURES; f++)
        row.value[f] = INT64_MIN;
    return row;
}

void lb_element_index(size_t flat, const lb_case_tensor *t, uint32_t index[LB_MAX_RANK])
{
    memset(index, 0, LB_MAX_RANK * sizeof *index);
    for (unsigned d = t->rank < LB_MAX_RANK ? t->rank : LB_MAX_RANK; d-- > 0;) {
        index[d] = (uint32_t)(flat % t->shape[d]);
        flat /= t->shape[d];
    }
}

void lb_features_put_place(int64_t *value, const uint32_t *index, const lb_case_tensor *t)
{
    for (unsigned d = 0; d < t->rank && d < LB_MAX_RANK; d++) {
        value[d] = index[d];
        value[LB_MAX_RANK + d] = (int64_t)t->shape[d] - 1 - index[d];
    }
}

/* ---- Names ---- */

static const char *config_name(const lb_case *c, unsigned wanted, lb_arena *arena)
{
    const lb_config_field *field = lb_config_entry(c->kernel->config_kind, &wanted);
    return !field             ? ""
           : field->count > 1 ? lb_arena_printf(arena, "%s[%u]", field->name, wanted)
                              : field->name;
}

static const char *element_name(unsigned what, lb_arena *arena)
{
    static const char *const names[ELEMENT_COUNT] = {
        [AT_FLAT] = "the number of the element",
        [AT_FLAT_END] = "the number of elements behind it",
        [AT_INNER] = "the index in the innermost dimension",
        [AT_INNER_END] = "the distance to the end of the innermost dimension",
        [AT_INNER_SIZE] = "the size of the innermost dimension",
        [AT_PIXEL] = "the number of the pixel",
        [AT_PIXEL_END] = "the number of pixels behind it",
        [AT_GROUP] = "the number of the group",
        [AT_GROUP_END] = "the number of groups behind it",
        [AT_IN_GROUP] = "the index in the group",
        [AT_IN_GROUP_END] = "the distance to the end of the group",
        [AT_BEFORE] = "the number of rows of its window before in",
        [AT_BEFORE + 1] = "the number of columns of its window before in",
        [AT_BEHIND] = "the number of rows of its window behind in",
        [AT_BEHIND + 1] = "the number of columns of its window behind in",
        [AT_PHASE] = "the row of the element between rows of in",
        [AT_PHASE + 1] = "the column of the element between columns of in",
        [AT_VALUE] = "the right value",
        [AT_GIVEN] = "the element of in"};
    return names[what] ? names[what]
           : what >= AT_END
               ? lb_arena_printf(arena, "the distance to the end of dimension %u", what - AT_END)
               : lb_arena_printf(arena, "the index in dimension %u", what - AT_INDEX);
}

const char *lb_feature_name(const lb_case *c, unsigned feature, lb_arena *arena)
{
    if (feature == OF_REDUCED)
        return "reduced";
    if (feature == OF_ROUNDING)
        return "rounding";
    if (feature >= OF_ELEMENT)
        return element_name(feature - OF_ELEMENT, arena);
    if (feature >= OF_DERIVED)
        return derived_names[feature - OF_DERIVED];
    if (feature >= OF_CONFIG)
        return config_name(c, feature - OF_CONFIG, arena);
    static const char *const of_role[OF_ROLE][2] = {
        [OF_RANK] = {"the rank of ", ""},
        [OF_ZERO_POINT] = {"", ".zero_point"},
        [OF_FRAC_BITS] = {"the number of fractional bits of ", ""},
        [OF_SCALE] = {"", ".scale"},
        [OF_PER_AXIS] = {"quantization per axis of ", ""},
        [OF_COUNT] = {"the number of elements of ", ""}};
    const char *role = lb_role_name((lb_role)(feature / OF_ROLE));
    const unsigned what = feature % OF_ROLE;
    return of_role[what][0]
               ? lb_arena_printf(arena, "%s%s%s", of_role[what][0], role, of_role[what][1])
           : what >= OF_GAP
               ? lb_arena_printf(arena, "a gap in %s.mem_stride[%u]", role, what - OF_GAP)
               : lb_arena_printf(arena, "%s.shape[%u]", role, what - OF_SHAPE);
}

/* ---- Sorts of features ---- */

static bool config_leaf(const lb_kernel *kernel, unsigned wanted, lb_leaf *leaf)
{
    const lb_config_field *field = lb_config_entry(kernel->config_kind, &wanted);
    if (field)
        *leaf = lb_leaf_of_field(field, wanted);
    return field != NULL;
}

bool lb_feature_leaf(const lb_kernel *kernel, unsigned feature, lb_leaf *leaf)
{
    const unsigned what = feature % OF_ROLE;
    if (feature >= OF_CONFIG)
        return feature < OF_DERIVED && config_leaf(kernel, feature - OF_CONFIG, leaf);
    if (what < OF_SHAPE || what >= OF_GAP)
        return false;
    *leaf = (lb_leaf){.kind = LB_LEAF_EXTENT,
                      .by = LB_BY_FIELD,
                      .role = (int8_t)(feature / OF_ROLE),
                      .dim = (int8_t)(what - OF_SHAPE)};
    return true;
}

/* The sort of the fields that a derived feature follows from. */
static bool derives_from(unsigned derived, lb_sort sort)
{
    switch (derived) {
    case ANY_PADDING:
        return sort == LB_SORT_PADDING;
    case LARGEST_STRIDE:
    case STRIDE_BEYOND:
        return sort == LB_SORT_STEP;
    case LARGEST_DILATION:
        return sort == LB_SORT_GAP;
    default:
        return false;
    }
}

bool lb_feature_asks(const lb_kernel *kernel, unsigned feature, lb_leaf leaf)
{
    lb_leaf own;
    const bool is_derived = feature >= OF_DERIVED && feature < OF_ELEMENT;
    if (is_derived && leaf.kind == LB_LEAF_CONFIG)
        for (const lb_config_field *f = lb_config_fields(kernel->config_kind); f->name; f++)
            if (f->offset == (size_t)leaf.at && derives_from(feature - OF_DERIVED, f->sort))
                return true;
    if (feature < OF_CONFIG && feature % OF_ROLE == OF_RANK)
        return leaf.kind == LB_LEAF_RANK && leaf.role == (int8_t)(feature / OF_ROLE);
    return lb_feature_leaf(kernel, feature, &own) && own.kind == leaf.kind &&
           own.role == leaf.role && own.dim == leaf.dim && own.at == leaf.at;
}

bool lb_feature_is_of_element(unsigned feature)
{
    return feature >= OF_ELEMENT && feature < OF_ELEMENT + ELEMENT_COUNT;
}

bool lb_feature_is_value(unsigned feature)
{
    return feature == OF_ELEMENT + AT_VALUE;
}

unsigned lb_feature_end(unsigned feature)
{
    const unsigned what = feature - OF_ELEMENT;
    if (feature < OF_ELEMENT)
        return feature;
    const bool has_end =
        what == AT_FLAT || what == AT_INNER || what == AT_PIXEL || what == AT_IN_GROUP;
    return what < AT_END ? feature + AT_END - AT_INDEX : has_end ? feature + 1 : feature;
}

static bool is_size(unsigned feature)
{
    const unsigned what = feature % OF_ROLE;
    if (feature >= OF_CONFIG)
        return feature < OF_DERIVED;
    return (what >= OF_SHAPE && what < OF_GAP) || what == OF_COUNT || what == OF_RANK;
}

bool lb_feature_are_comparable(unsigned a, unsigned b)
{
    const bool is_format = a % OF_ROLE >= OF_ZERO_POINT && a % OF_ROLE <= OF_SCALE;
    return (is_size(a) && is_size(b)) ||
           (a < OF_CONFIG && b < OF_CONFIG && is_format && a % OF_ROLE == b % OF_ROLE);
}
