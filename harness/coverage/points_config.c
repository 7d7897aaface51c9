/* Coverpoints of configurations: the classes of every field of every configuration struct. A field
 * without a row has the classes 0, 1 and more, so that a new field has points at once. Spec:
 * conv.md 1, 11; elementwise.md; pooling_and_movement.md 2 to 5; recurrent.md 6. */
#include "harness/coverage/class.h"
#include "reference/describe/map.h"

#include <string.h>

/* A field's number in the call; `entry` counts in fields that are lists. */
typedef struct field_value {
    const lb_observation *o;
    const lb_config_field *field;
    unsigned entry;
    int64_t number;
} field_value;

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
static const classes relus = {LB_POINT("none", 0, 0), LB_POINT("gen", 1, 1), LB_POINT("relu1", 2, 2), LB_POINT("relu6", 3, 3), LB_POINT("other", 4, 4), {0}};
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

/* ---- Where fields end: each may put a class in place of its number ---- */

/* The loop of the sum that the input's index follows, and its step: kernel size along the padding's
 * direction, and gaps. */
static int64_t end_of_padding(field_value *v)
{
    const lb_call *call = v->o->before;
    const lb_map *map = lb_map_of(v->o->kernel);
    const lb_term *term = map->access[LB_MAP_X].index[v->field->dimension].term;
    while (term->loop < map->outer)
        term++;
    const int64_t kernel = lb_leaf_value(map, call, map->loop[term->loop].extent);
    const bool is_largest = v->number == (kernel - 1) * lb_leaf_value(map, call, term->times[0]);
    if (v->number > 0)
        v->number = v->number < kernel ? INSIDE + is_largest : BEYOND - is_largest;
    return 0;
}

static int64_t end_of_window(field_value *v)
{
    return input(v->o)->shape[v->field->dimension];
}

static int64_t end_of_axis(field_value *v)
{
    return (int64_t)input(v->o)->rank - 1;
}

/* Of one element alone the only one is not all of them. */
static int64_t end_of_topk(field_value *v)
{
    const lb_tensor *in = input(v->o);
    const int32_t axis = v->o->before->config.axis;
    return (int64_t)(lb_element_count(in) / (axis < 0 ? 1 : in->shape[axis]));
}

static int64_t end_of_relu(field_value *v)
{
    v->number = v->number < 0 || v->number > 3 ? 4 : v->number;
    return 0;
}

/* The list is looked at as a whole. */
static int64_t end_of_order(field_value *v)
{
    const unsigned rank = list_length(v->o);
    bool identity = true, reversed = rank > 1;
    for (unsigned d = 0; d < rank; d++) {
        const int64_t at = lb_config_get(&v->o->before->config, v->field, d);
        identity = identity && at == d;
        reversed = reversed && at == rank - 1 - d;
    }
    v->number = identity ? 1 : reversed ? 2 : 0;
    return 0;
}

static int64_t end_of_size(field_value *v)
{
    return input(v->o)->shape[v->entry];
}

static int64_t end_of_sub_rank(field_value *v)
{
    return input(v->o)->rank;
}

static int64_t end_of_first_size(field_value *v)
{
    return input(v->o)->shape[v->o->before->config.coord_num - 1];
}

/* Bytes that are needed. */
static int64_t end_of_scratch(field_value *v)
{
    const lb_tensor *state = lb_cover_role(v->o, LB_ROLE_PREV_OUT);
    return (int64_t)lb_cover_role(v->o, LB_ROLE_WEIGHTS_IN)->shape[0] * state->shape[0] *
           (int64_t)lb_element_bytes(state->el_type);
}

/* ---- The table ---- */

typedef struct field_row {
    const char *field;
    const lb_cover_point *points;
    const char *spec;
    int64_t (*end)(field_value *v); /* NULL: nowhere */
} field_row;

/* clang-format off */
static const field_row rows[] = {
    {"relu",               relus,        "conv.md 5", end_of_relu},
    {"type",               relus,        "elementwise.md 3", end_of_relu},
    {"stride_width",       one_two_more, .spec = "conv.md 6, pooling_and_movement.md 2.2"},
    {"stride_height",      one_two_more, .spec = "conv.md 6, pooling_and_movement.md 2.2"},
    {"padding_left",       paddings,     "conv.md 6, 11 D4", end_of_padding},
    {"padding_right",      paddings,     "conv.md 6, 11 D4", end_of_padding},
    {"padding_top",        paddings,     "conv.md 6, 11 D4", end_of_padding},
    {"padding_bottom",     paddings,     "conv.md 6, 11 D4", end_of_padding},
    {"dilation_width",     one_two_more, .spec = "conv.md 6"},
    {"dilation_height",    one_two_more, .spec = "conv.md 6"},
    {"kernel_width",       windows,      "pooling_and_movement.md 2.2", end_of_window},
    {"kernel_height",      windows,      "pooling_and_movement.md 2.2", end_of_window},
    {"axis",               axes,         "elementwise.md 4, 7, 8, 9", end_of_axis},
    {"topk",               topks,        "elementwise.md 9", end_of_topk},
    {"inputs_num",         one_to_four,  .spec = "recurrent.md 5.1"},
    {"direction",          directions,   .spec = "recurrent.md 6"},
    {"results",            results,      .spec = "recurrent.md 6"},
    {"act",                acts,         .spec = "recurrent.md 6"},
    {"scratch_bytes",      scratches,    "recurrent.md 7, 8", end_of_scratch},
    {"perm_dim",           orders,       "pooling_and_movement.md 3, 4.1", end_of_order},
    {"offset",             zero_or_some, .spec = "pooling_and_movement.md 4.1, numerics.md 8.3"},
    {"size",               sizes,        "pooling_and_movement.md 4.1, numerics.md 8.3", end_of_size},
    {"sub_tensor_rank",    sub_ranks,    "numerics.md 8.3", end_of_sub_rank},
    {"start_coord",        zero_or_some, .spec = "numerics.md 8.4"},
    {"coord_num",          one_to_four,  .spec = "numerics.md 8.4"},
    {"first_out_dim_size", first_sizes,  "numerics.md 8.4", end_of_first_size},
    {"sub_sample_step",    one_two_more, .spec = "pooling_and_movement.md 4.1"},
    {"dst_offset",         zero_or_some, .spec = "pooling_and_movement.md 4.1"},
    {"dst_mem_stride",     zero_or_some, .spec = "pooling_and_movement.md 4.1"},
    {"padding_pre",        zero_or_some, .spec = "pooling_and_movement.md 4.2"},
    {"padding_post",       zero_or_some, .spec = "pooling_and_movement.md 4.2"},
    {"start_dim",          start_dims,   "numerics.md 8.1", end_of_axis},
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
        return (field_row){.points = windows, .end = end_of_window};
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

static void tell_field(const lb_observation *o, const lb_cover_group *group,
                       lb_cover_values *values)
{
    const lb_config_field *field = &lb_config_fields(o->kernel->config_kind)[group->id];
    const field_row row = row_of(o->kernel, field);
    const unsigned count = field->count > 1 ? list_length(o) : 1;
    for (unsigned entry = 0; entry < count && !o->before->config_null; entry++) {
        field_value v = {o, field, entry, lb_config_get(&o->before->config, field, entry)};
        const int64_t end = row.end ? row.end(&v) : 0;
        lb_cover_say(group, values, v.number, end);
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
