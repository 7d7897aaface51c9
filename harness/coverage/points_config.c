/* Coverpoints of configurations: the classes of every field of every configuration struct. A field
 * without a row has the classes 0, 1 and more, so that a new field has points at once. Spec:
 * conv.md 1, 11; elementwise.md; pooling_and_movement.md 2 to 5; recurrent.md 6. */
#include "harness/coverage/class.h"
#include "reference/describe/map.h"

#include <string.h>

static const lb_tensor *input(const lb_observation *o)
{
    return lb_cover_role(o, LB_ROLE_IN);
}

/* Entries of a list that count: those of the input's dimensions. */
static unsigned list_length(const lb_observation *o)
{
    const lb_tensor *in = input(o);
    return in && in->rank < LB_MAX_RANK ? in->rank : LB_MAX_RANK;
}

/* ---- Classes ---- */

#define HALF ((int64_t)1 << 30)
typedef lb_cover_point classes[];

/* clang-format off */
static const classes zero_one_more = {LB_POINT("0", 0, 0), LB_POINT("1", 1, 1), LB_POINT("more", LB_COVER_ABOVE(2)), {0}};
static const classes one_two_more = {LB_POINT("1", 1, 1), LB_POINT("2", 2, 2), LB_POINT("3+", LB_COVER_ABOVE(3)), {0}};
static const classes one_to_four = {LB_POINT("1", 1, 1), LB_POINT("2", 2, 2), LB_POINT("3", 3, 3), LB_POINT("4+", LB_COVER_ABOVE(4)), {0}};
static const classes zero_or_some = {LB_POINT("zero", 0, 0), LB_POINT("some", LB_COVER_ABOVE(1)), {0}};
static const classes by_sign = {LB_POINT("zero", 0, 0), LB_POINT("positive", LB_COVER_ABOVE(1)), LB_POINT("negative", LB_COVER_BELOW(-1)), {0}};
/* A factor of 31 bits: what conversions of scales give, and less. */
static const classes factors = {LB_POINT("zero", 0, 0), LB_POINT("small", 1, HALF - 1), LB_POINT("half", HALF, HALF), LB_POINT("normal", HALF + 1, INT32_MAX - 1), LB_POINT("highest", INT32_MAX, INT32_MAX), {0}};
/* A width: that of a word, and of two. */
static const classes halves = {LB_POINT("32", 32, 32), LB_POINT("64", 64, 64), {0}};
static const classes relus = {LB_POINT("none", 0, 0), LB_POINT("gen", 1, 1), LB_POINT("relu1", 2, 2), LB_POINT("relu6", 3, 3), LB_POINT("other", LB_COVER_ABOVE(4)), {0}};
static const classes directions = {LB_POINT("forward", 0, 0), LB_POINT("backward", 1, 1), {0}};
static const classes results = {LB_POINT("last", 0, 0), LB_POINT("all", 1, 1), {0}};
static const classes acts = {LB_POINT("none", 0, 0), LB_POINT("tanh", 1, 1), LB_POINT("sigm", 2, 2), {0}};
static const classes orders = {LB_POINT("identity", 1, 1), LB_POINT("reversed", 2, 2), LB_POINT("other", 0, 0), {0}};
/* By where the field ends. */
static const classes windows = {LB_POINT("1", 1, 1), LB_POINT("2", 2, 2), LB_POINT("3", 3, 3), LB_POINT("4+", LB_COVER_ABOVE(4)), {"beyond_input", LB_COVER_ANY, true, LB_COVER_ABOVE(1)}, {0}};
static const classes axes = {LB_POINT("whole", -1, -1), LB_POINT("below_minus_1", LB_COVER_BELOW(-2)), {"first", 0, 0, true, LB_COVER_BELOW(-1)},
    {"middle", LB_COVER_ABOVE(1), true, LB_COVER_BELOW(-1)}, {"last", LB_COVER_ABOVE(1), true, 0, 0}, {"only", 0, 0, true, 0, 0}, {0}};
static const classes start_dims = {LB_POINT("first", 0, 0), {"middle", LB_COVER_ABOVE(1), true, LB_COVER_BELOW(-1)}, {"last", LB_COVER_ABOVE(1), true, 0, 0},
    {"beyond", LB_COVER_ANY, true, LB_COVER_ABOVE(1)}, {0}};
static const classes topks = {LB_POINT("1", 1, 1), LB_POINT("2+", LB_COVER_ABOVE(2)), {"all", LB_COVER_ABOVE(2), true, 0, 0}, {0}};
static const classes sizes = {LB_POINT("zero", 0, 0), {"part", LB_COVER_ABOVE(1), true, LB_COVER_BELOW(-1)}, {"whole", LB_COVER_ANY, true, 0, 0}, {0}};
static const classes first_sizes = {LB_POINT("1", 1, 1), {"part", LB_COVER_ABOVE(2), true, LB_COVER_BELOW(-1)}, {"whole", LB_COVER_ANY, true, 0, 0}, {0}};
static const classes sub_ranks = {{"full", LB_COVER_ANY, true, 0, 0}, {"reduced", LB_COVER_ANY, true, LB_COVER_BELOW(-1)}, {0}};
static const classes scratches = {{"exact", LB_COVER_ANY, true, 0, 0}, {"more", LB_COVER_ANY, true, LB_COVER_ABOVE(1)}, {0}};
/* Within the kernel; the most that its gaps allow, with or without it; no more within it. */
enum { INSIDE = 1, LARGEST_INSIDE, LARGEST_BEYOND, BEYOND };
enum { BEYOND_KERNEL = 3 }; /* the point */
static const classes paddings = {LB_POINT("0", 0, 0), LB_POINT("inside", INSIDE, LARGEST_INSIDE), LB_POINT("largest", LARGEST_INSIDE, LARGEST_BEYOND), LB_POINT("beyond_kernel", LARGEST_BEYOND, BEYOND), {0}};
/* clang-format on */

/* ---- Where fields end ---- */

typedef enum end {
    NOWHERE,
    ON_MAP,      /* the extent in its direction */
    ON_ENTRY,    /* that of each entry's dimension */
    BY_RANK,     /* the rank */
    LAST_AXIS,   /* the last dimension */
    ON_ELEMENTS, /* the elements along the axis */
    ON_FIRST,    /* the first extent that is left */
    ON_SCRATCH,  /* the bytes that are needed */
    BY_KERNEL,   /* of a padding: a class in place of its number */
    BY_ORDER     /* of a list, which is looked at as a whole: likewise */
} end;

/* The loop of the sum that the input's index follows, and its step: kernel size along the padding's
 * direction, and gaps. */
static int64_t class_of_padding(const lb_observation *o, int dimension, int64_t number)
{
    const lb_map *map = lb_map_of(o->kernel);
    const lb_term *term = map->access[LB_MAP_X].index[dimension].term;
    while (term->loop < map->outer)
        term++;
    const int64_t kernel = lb_leaf_value(map, o->before, map->loop[term->loop].extent);
    const bool is_largest = number == (kernel - 1) * lb_leaf_value(map, o->before, term->times[0]);
    return number == 0 ? 0 : number < kernel ? INSIDE + is_largest : BEYOND - is_largest;
}

static int64_t class_of_order(const lb_observation *o, const lb_config_field *field)
{
    const unsigned rank = list_length(o);
    bool identity = true, reversed = rank > 1;
    for (unsigned d = 0; d < rank; d++) {
        const int64_t at = lb_config_get(&o->before->config, field, d);
        identity = identity && at == d;
        reversed = reversed && at == rank - 1 - d;
    }
    return identity ? 1 : reversed ? 2 : 0;
}

static int64_t end_of(const lb_observation *o, end what, unsigned dimension)
{
    const lb_tensor *in = input(o), *state = lb_cover_role(o, LB_ROLE_PREV_OUT);
    const lb_config *config = &o->before->config;
    switch (what) {
    case ON_MAP:
    case ON_ENTRY:
        return in->shape[dimension];
    case BY_RANK:
    case LAST_AXIS:
        return (int64_t)in->rank - (what == LAST_AXIS);
    case ON_ELEMENTS: /* of one element alone the only one is not all of them */
        return (int64_t)(lb_element_count(in) / (config->axis < 0 ? 1 : in->shape[config->axis]));
    case ON_FIRST:
        return in->shape[config->coord_num - 1];
    case ON_SCRATCH:
        return (int64_t)lb_cover_role(o, LB_ROLE_WEIGHTS_IN)->shape[0] * state->shape[0] *
               (int64_t)lb_element_bytes(state->el_type);
    default:
        return 0;
    }
}

/* ---- The table ---- */

typedef struct field_row {
    const char *field;
    const lb_cover_point *points;
    const char *spec;
    end end;
} field_row;

/* clang-format off */
static const field_row rows[] = {
    {"relu",               relus,        .spec = "conv.md 5"},
    {"type",               relus,        .spec = "elementwise.md 3"},
    {"stride_width",       one_two_more, .spec = "conv.md 6, pooling_and_movement.md 2.2"},
    {"stride_height",      one_two_more, .spec = "conv.md 6, pooling_and_movement.md 2.2"},
    {"padding_left",       paddings,     "conv.md 6, 11 D4", BY_KERNEL},
    {"padding_right",      paddings,     "conv.md 6, 11 D4", BY_KERNEL},
    {"padding_top",        paddings,     "conv.md 6, 11 D4", BY_KERNEL},
    {"padding_bottom",     paddings,     "conv.md 6, 11 D4", BY_KERNEL},
    {"dilation_width",     one_two_more, .spec = "conv.md 6"},
    {"dilation_height",    one_two_more, .spec = "conv.md 6"},
    {"kernel_width",       windows,      "pooling_and_movement.md 2.2", ON_MAP},
    {"kernel_height",      windows,      "pooling_and_movement.md 2.2", ON_MAP},
    {"axis",               axes,         "elementwise.md 4, 7, 8, 9", LAST_AXIS},
    {"topk",               topks,        "elementwise.md 9", ON_ELEMENTS},
    {"inputs_num",         one_to_four,  .spec = "recurrent.md 5.1"},
    {"direction",          directions,   .spec = "recurrent.md 6"},
    {"results",            results,      .spec = "recurrent.md 6"},
    {"act",                acts,         .spec = "recurrent.md 6"},
    {"scratch_bytes",      scratches,    "recurrent.md 7, 8", ON_SCRATCH},
    {"perm_dim",           orders,       "pooling_and_movement.md 3, 4.1", BY_ORDER},
    {"offset",             zero_or_some, .spec = "pooling_and_movement.md 4.1, numerics.md 8.3"},
    {"size",               sizes,        "pooling_and_movement.md 4.1, numerics.md 8.3", ON_ENTRY},
    {"sub_tensor_rank",    sub_ranks,    "numerics.md 8.3", BY_RANK},
    {"start_coord",        zero_or_some, .spec = "numerics.md 8.4"},
    {"coord_num",          one_to_four,  .spec = "numerics.md 8.4"},
    {"first_out_dim_size", first_sizes,  "numerics.md 8.4", ON_FIRST},
    {"sub_sample_step",    one_two_more, .spec = "pooling_and_movement.md 4.1"},
    {"dst_offset",         zero_or_some, .spec = "pooling_and_movement.md 4.1"},
    {"dst_mem_stride",     zero_or_some, .spec = "pooling_and_movement.md 4.1"},
    {"padding_pre",        zero_or_some, .spec = "pooling_and_movement.md 4.2"},
    {"padding_post",       zero_or_some, .spec = "pooling_and_movement.md 4.2"},
    {"start_dim",          start_dims,   "numerics.md 8.1", LAST_AXIS},
    {"offsets",            by_sign,      .spec = "pooling_and_movement.md 5"},
    {"sizes",              by_sign,      .spec = "pooling_and_movement.md 5"},
    {"dst_offsets",        by_sign,      .spec = "pooling_and_movement.md 5"},
    {"subsample_step",     one_two_more, .spec = "pooling_and_movement.md 5"},
};
/* clang-format on */

/* By what the number is, where no row says more. */
static field_row row_of_sort(const lb_config_field *field)
{
    static const field_row of[LB_SORT_COUNT] = {
        [LB_SORT_ZERO_POINT] = {.points = by_sign}, [LB_SORT_SHIFT] = {.points = by_sign},
        [LB_SORT_LIMIT] = {.points = by_sign},      [LB_SORT_MULTIPLIER] = {.points = factors},
        [LB_SORT_FLAG] = {.points = zero_or_some},  [LB_SORT_CHOICE] = {.points = halves},
    };
    if (field->sort == LB_SORT_SIZE && field->dimension >= 0)
        return (field_row){.points = windows, .end = ON_MAP};
    if (field->sort == LB_SORT_SIZE)
        return (field_row){.points = one_to_four};
    return of[field->sort].points ? of[field->sort] : (field_row){.points = zero_one_more};
}

static field_row row_of(const lb_kernel *kernel, const lb_config_field *field)
{
    field_row row = row_of_sort(field);
    row.spec = "api.md 4";
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].field, field->name) == 0)
            row = rows[i];
    if (lb_kernel_step_places(kernel))
        row.spec = lb_families[kernel->family].refusals;
    return row;
}

static LB_TELLS(tell_field)
{
    const lb_config_field *field = &lb_config_fields(o->kernel->config_kind)[group->id];
    const field_row row = row_of(o->kernel, field);
    const unsigned count = field->count > 1 ? list_length(o) : 1;
    for (unsigned entry = 0; entry < count && !o->before->config_null; entry++) {
        const int64_t number = lb_config_get(&o->before->config, field, entry);
        const bool is_entry = row.end == ON_ENTRY;
        lb_cover_say(group, values,
                     row.end == BY_KERNEL  ? class_of_padding(o, field->dimension, number)
                     : row.end == BY_ORDER ? class_of_order(o, field)
                                           : number,
                     end_of(o, row.end, is_entry ? entry : (unsigned)field->dimension));
    }
}

/* By the values that a defined call can have there. */
static bool can_be(const lb_step_place *place, const lb_cover_point *points, unsigned point,
                   int profile)
{
    static const lb_value_bit of_sign[] = {LB_CAN_BE_ZERO, LB_CAN_BE_POSITIVE, LB_CAN_BE_NEGATIVE};
    static const lb_value_bit of_factor[] = {LB_CAN_BE_ZERO, LB_CAN_BE_POSITIVE, LB_CAN_BE_HALF,
                                             LB_CAN_BE_HALF, LB_CAN_BE_HIGHEST};
    return (points != by_sign || place->can[profile] >> of_sign[point] & 1) &&
           (points != factors || place->can[profile] >> of_factor[point] & 1);
}

static const char *field_unreachable(const lb_kernel *kernel, const lb_cover_group *group,
                                     unsigned point, int profile)
{
    const lb_step_place *p = lb_kernel_step_places(kernel);
    for (; p && p->site != LB_SITE_COUNT; p++)
        if (p->field == group->id + 1 && !can_be(p, group->points, point, profile))
            return "no defined call has such a number there: so say the ranges of its steps";
    return group->points == paddings && point == BEYOND_KERNEL
               ? lb_cover_window_is_never_empty(kernel)
               : NULL;
}

/* Are the points of the field's own number, not of a class in its place? */
static bool tells_number(const lb_config_field *field, const lb_cover_point *points)
{
    return field->count <= 1 && points != paddings && points != relus && points != orders;
}

void lb_cover_config(lb_cover_list *list)
{
    const lb_config_field *fields = lb_config_fields(list->kernel->config_kind);
    for (int i = 0; fields[i].name; i++) {
        const field_row row = row_of(list->kernel, &fields[i]);
        const bool is_number = tells_number(&fields[i], row.points);
        lb_cover_add(list, (lb_cover_group){.class_name = fields[i].name,
                                            .instance = "",
                                            .spec = row.spec,
                                            .points = row.points,
                                            .tell = tell_field,
                                            .id = i,
                                            .leaf = is_number ? lb_leaf_of_field(&fields[i], 0)
                                                              : (lb_leaf){.kind = LB_LEAF_NONE},
                                            .unreachable = field_unreachable});
    }
}
