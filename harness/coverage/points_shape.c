/* Coverpoints of shapes: extents beside, at and above the widths of vectors, ranks, scalars,
 * groups, windows without a tap, pairs of types. Spec: conv.md 6 to 10; elementwise.md 2;
 * pooling_and_movement.md 2.2; recurrent.md 5 to 8; numerics.md 2, 7.1. */
#include "harness/coverage/class.h"
#include "reference/describe/element_copy.h"
#include "reference/describe/map_walk.h"

enum { LAST = -1, ELEMENTS = -2, RANK = -3 };

/* ---- Extents ---- */

/* An extent of a tensor of these families. */
typedef struct extent {
    lb_family_set families;
    const char *name;
    lb_role role;
    int dim;     /* or LAST, ELEMENTS */
    bool vector; /* vector loops walk along it: more classes */
    const char *spec;
} extent;

static const char *const few_points[] = {"1", "2", "3+", NULL};

/* clang-format off */
static const extent extents[] = {
    {LB_MAPS,                        "in_height",    LB_ROLE_IN,      0, false, "conv.md 6, pooling_and_movement.md 2"},
    {LB_MAPS,                        "in_width",     LB_ROLE_IN,      1, false, "conv.md 6, pooling_and_movement.md 2"},
    {LB_MAPS,                        "in_channels",  LB_ROLE_IN,      2, true,  "conv.md 6, pooling_and_movement.md 2"},
    {LB_MAPS,                        "out_height",   LB_ROLE_OUT,     0, false, "conv.md 6, pooling_and_movement.md 2"},
    {LB_MAPS,                        "out_width",    LB_ROLE_OUT,     1, true,  "conv.md 6, pooling_and_movement.md 2"},
    {LB_CONVOLUTIONS,                "out_channels", LB_ROLE_OUT,     2, true,  "conv.md 6"},
    {LB_CONVOLUTIONS,                "weights_height", LB_ROLE_WEIGHTS, 0, false, "conv.md 6"},
    {LB_CONVOLUTIONS,                "weights_width",  LB_ROLE_WEIGHTS, 1, false, "conv.md 6"},
    {LB_IN_FAMILY(GROUP_CONV2D),     "group_channels", LB_ROLE_WEIGHTS, 2, false, "conv.md 8"},
    {LB_OF_PATTERN(DENSE) | LB_OF_PATTERN(DENSE_LISTS),       "inputs", LB_ROLE_WEIGHTS, 0, true, "conv.md 10, recurrent.md 5.1"},
    {LB_OF_PATTERN(DENSE) | LB_OF_PATTERN(DENSE_LISTS),       "outputs", LB_ROLE_OUT, 0, true, "conv.md 10, recurrent.md 5.1"},
    {LB_CELLS,                       "frames",       LB_ROLE_IN,      0, false, "recurrent.md 6"},
    {LB_CELLS,                       "inputs",       LB_ROLE_IN,      1, true,  "recurrent.md 6"},
    {LB_CELLS,                       "hidden",       LB_ROLE_PREV_OUT, 0, true, "recurrent.md 6"},
    {LB_FLAT,                        "in_inner",     LB_ROLE_IN,   LAST, true,  "elementwise.md 2"},
    {LB_FLAT,                        "in_elements",  LB_ROLE_IN, ELEMENTS, true, "elementwise.md 2"},
    {LB_OF_PATTERN(PAIR),            "out_inner",    LB_ROLE_OUT,  LAST, true,  "elementwise.md 5"},
    {LB_OF_PATTERN(PAIR),            "out_elements", LB_ROLE_OUT, ELEMENTS, true, "elementwise.md 5"},
    {LB_OF_PATTERN(MOVEMENT),        "in_inner",     LB_ROLE_IN,   LAST, true,  "pooling_and_movement.md 4.2"},
};
/* clang-format on */

static uint64_t extent_of(const lb_tensor *t, int dim)
{
    if (dim == ELEMENTS)
        return lb_element_count(t);
    if (dim == LAST)
        return t->rank > 0 ? t->shape[t->rank - 1] : 1;
    return t->shape[dim];
}

static uint64_t observe_extent(const lb_observation *o, const lb_cover_group *group)
{
    const extent *e = &extents[group->id];
    uint64_t hit = 0;
    for (unsigned i = 0; i < LB_MAX_LIST; i++) {
        const lb_tensor *t = lb_cover_tensor(o->before, (int)e->role, i);
        if (!t)
            break;
        uint64_t n = extent_of(t, e->dim);
        hit |= e->vector ? lb_extent_class(n) : n > 0 ? (uint64_t)1 << (n > 2 ? 2 : n - 1) : 0;
    }
    return hit;
}

static void add_extents(lb_cover_list *list)
{
    for (int i = 0; i < (int)(sizeof extents / sizeof extents[0]); i++) {
        const extent *e = &extents[i];
        if (lb_cover_in(list->kernel, e->families) && lb_cover_has(list->kernel, e->role)) {
            lb_cover_add(list, (lb_cover_group){.class_name = "extent",
                                                .instance = e->name,
                                                .spec = e->spec,
                                                .points = e->vector ? lb_extent_points : few_points,
                                                .observe = observe_extent,
                                                .id = i});
        }
    }
}

/* ---- Ranks ---- */

static const char *const rank_points[] = {"1", "2", "3", "4", NULL};
static const char *const any_rank_points[] = {"0", "1", "2", "3", "4", NULL};

static uint64_t observe_rank(const lb_observation *o, const lb_cover_group *group)
{
    const lb_tensor *t = lb_cover_tensor(o->before, group->id, 0);
    if (!t || t->rank > LB_MAX_RANK || (int)t->rank < group->detail)
        return 0;
    return (uint64_t)1 << ((int)t->rank - group->detail);
}

/* id: role; detail: lowest rank. */
static void add_rank(lb_cover_list *list, lb_family_set families, lb_role role, int lowest,
                     const char *spec)
{
    if (lb_cover_in(list->kernel, families) && lb_cover_has(list->kernel, role)) {
        lb_cover_add(list, (lb_cover_group){.class_name = "rank",
                                            .instance = lb_role_name(role),
                                            .spec = spec,
                                            .points = lowest == 0 ? any_rank_points : rank_points,
                                            .observe = observe_rank,
                                            .id = (int)role,
                                            .detail = lowest});
    }
}

/* ---- Scalars ---- */

static const char *const scalar_points[] = {"no", "rank0", "one_element", NULL};

static uint64_t observe_scalar(const lb_observation *o, const lb_cover_group *group)
{
    const lb_tensor *t = lb_cover_tensor(o->before, group->id, 0);
    return t->rank == 0 ? 2 : lb_element_count(t) == 1 ? 4 : 1;
}

static void add_scalars(lb_cover_list *list)
{
    static const lb_role roles[] = {LB_ROLE_IN1, LB_ROLE_IN2, LB_ROLE_SLOPE};
    for (unsigned i = 0; i < sizeof roles / sizeof roles[0]; i++) {
        bool can = lb_cover_in(list->kernel, LB_OF_PATTERN(PAIR) | LB_SLOPED);
        if (can && lb_cover_has(list->kernel, roles[i])) {
            lb_cover_add(list, (lb_cover_group){.class_name = "scalar",
                                                .instance = lb_role_name(roles[i]),
                                                .spec = "elementwise.md 2",
                                                .points = scalar_points,
                                                .observe = observe_scalar,
                                                .id = (int)roles[i]});
        }
    }
}

/* ---- Convolutions ---- */

static const char *const groups_points[] = {"1", "2", "3+", NULL};

static uint64_t observe_groups(const lb_observation *o, const lb_cover_group *group)
{
    (void)group;
    uint32_t groups = lb_cover_tensor(o->before, LB_ROLE_IN, 0)->shape[2] /
                      lb_cover_tensor(o->before, LB_ROLE_WEIGHTS, 0)->shape[2];
    return groups > 2 ? 4 : (uint64_t)1 << (groups - 1);
}

static uint64_t observe_filters(const lb_observation *o, const lb_cover_group *group)
{
    const lb_tensor *weights = lb_cover_tensor(o->before, LB_ROLE_WEIGHTS, 0);
    (void)group;
    uint32_t filters = weights->shape[3] /
                       (lb_cover_tensor(o->before, LB_ROLE_IN, 0)->shape[2] / weights->shape[2]);
    return filters > 2 ? 4 : (uint64_t)1 << (filters - 1);
}

static const char *const window_points[] = {"whole", "cut", "no_tap", "out_smaller", NULL};

/* The loop from `first` to below `end` that an index follows. */
static unsigned loop_of(const lb_bound_index *index, unsigned first, unsigned end)
{
    while (first + 1 < end && !(index->follows >> first & 1))
        first++;
    return first;
}

/* Of the windows along one direction: are there any with all taps, some, none? Is out smaller than
 * the input with its padding at this end allows? */
static uint64_t windows_along(const lb_bound_map *bound, unsigned dim, int64_t padding_after)
{
    const lb_bound_index *x = &bound->access[LB_MAP_X].index[dim];
    const unsigned out = loop_of(x, 0, bound->outer), tap = loop_of(x, bound->outer, bound->loops);
    uint32_t at[LB_MAP_LOOPS] = {0};
    uint64_t hit = 0;
    int64_t last = 0;
    for (at[out] = 0; at[out] < bound->extent[out]; at[out]++) {
        uint32_t taps = 0;
        for (at[tap] = 0; at[tap] < bound->extent[tap]; at[tap]++)
            taps += lb_index_at(x, at, &last) ? 1 : 0;
        hit |= taps == bound->extent[tap] ? 1 : taps > 0 ? 2 : 4;
    }
    at[tap] = bound->extent[tap] - 1;
    (void)lb_index_at(x, at, &last); /* of one output more */
    return hit | LB_BIT(!bound->access[LB_MAP_X].is_spread && last < x->bound + padding_after, 3);
}

static uint64_t observe_windows(const lb_observation *o, const lb_cover_group *group)
{
    const lb_config *config = &o->before->config;
    const unsigned dim = (unsigned)group->detail;
    lb_bound_map bound;
    return lb_map_bind(&bound, lb_map_of(o->kernel), o->before)
               ? windows_along(&bound, dim,
                               dim == 0 ? config->padding_bottom : config->padding_right)
               : 0;
}

static void add_convolution(lb_cover_list *list)
{
    static const char *const names[] = {"height", "width"};
    for (int i = 0; i < 2 && lb_cover_in(list->kernel, LB_CONVOLUTIONS); i++) {
        lb_cover_add(list, (lb_cover_group){.class_name = "window",
                                            .instance = names[i],
                                            .spec = "conv.md 6, 9",
                                            .points = window_points,
                                            .observe = observe_windows,
                                            .detail = i});
    }
    if (lb_cover_in(list->kernel, LB_IN_FAMILY(GROUP_CONV2D))) {
        lb_cover_group group = {
            .class_name = "groups", .instance = "", .spec = "conv.md 8", .points = groups_points};
        group.observe = observe_groups;
        lb_cover_add(list, group);
        group.class_name = "filters_per_group";
        group.observe = observe_filters;
        lb_cover_add(list, group);
    }
}

/* ---- Element types, where a function takes any ---- */

static const lb_el_type types[] = {LB_FX8, LB_FX16, LB_SA8, LB_SA32, LB_FP32};
enum { TYPES = sizeof types / sizeof types[0] };
static const char *const type_points[] = {"fx8", "fx16", "sa8", "sa32", "fp32", NULL};

static unsigned number_of_type(const lb_tensor *t)
{
    unsigned i = 0;
    while (i < TYPES && (uint32_t)types[i] != t->el_type)
        i++;
    return i;
}

/* The other side of a conversion, given one side (`detail`: number of in's type). */
static uint64_t observe_pair(const lb_observation *o, const lb_cover_group *group)
{
    unsigned in = number_of_type(lb_cover_tensor(o->before, LB_ROLE_IN, 0));
    unsigned out = number_of_type(lb_cover_tensor(o->before, LB_ROLE_OUT, 0));
    return in == (unsigned)group->detail && out < TYPES ? (uint64_t)1 << out : 0;
}

static uint64_t observe_type(const lb_observation *o, const lb_cover_group *group)
{
    const lb_tensor *t = lb_cover_tensor(o->before, group->id, 0);
    unsigned type = t ? number_of_type(t) : TYPES;
    return type < TYPES ? (uint64_t)1 << type : 0;
}

static void add_types(lb_cover_list *list)
{
    static const char *const sources[] = {"from_fx8", "from_fx16", "from_sa8", "from_sa32",
                                          "from_fp32"};
    for (int i = 0; i < TYPES && lb_cover_in(list->kernel, LB_OF_PATTERN(CONVERSION)); i++) {
        lb_cover_add(list, (lb_cover_group){.class_name = "types",
                                            .instance = sources[i],
                                            .spec = "numerics.md 7.1",
                                            .points = type_points,
                                            .observe = observe_pair,
                                            .detail = i});
    }
    static const lb_role inputs[] = {LB_ROLE_IN, LB_ROLE_IN1, LB_ROLE_IN2};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        lb_role role = inputs[i];
        bool any = lb_cover_in(list->kernel, LB_OF_PATTERN(HELPER) | LB_OF_PATTERN(MOVEMENT));
        if (any && lb_cover_has(list->kernel, role)) {
            lb_cover_add(list, (lb_cover_group){.class_name = "type",
                                                .instance = lb_role_name(role),
                                                .spec = "numerics.md 1, 8",
                                                .points = type_points,
                                                .observe = observe_type,
                                                .id = (int)role});
        }
    }
}

void lb_cover_shape(lb_cover_list *list)
{
    const lb_family_set ranked = LB_FLAT | LB_OF_PATTERN(DENSE) | LB_OF_PATTERN(MOVEMENT);
    add_extents(list);
    add_rank(list, ranked, LB_ROLE_IN, 1,
             "elementwise.md 2, conv.md 10, pooling_and_movement.md 3");
    add_rank(list, LB_OF_PATTERN(HELPER), LB_ROLE_IN, 0, "numerics.md 8");
    add_rank(list, LB_OF_PATTERN(PAIR), LB_ROLE_OUT, 1, "elementwise.md 5");
    add_scalars(list);
    add_convolution(list);
    add_types(list);
}
