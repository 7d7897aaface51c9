/* Coverpoints of configurations: the classes of every field of every configuration struct. A field
 * without a row has the classes 0, 1 and more, so that a new field has points at once. Spec:
 * conv.md 1, 11; elementwise.md; pooling_and_movement.md 2 to 5; recurrent.md 6. */
#include "harness/coverage/class.h"
#include "reference/describe/check.h"
#include "reference/describe/map.h"

#include <string.h>

/* A field's number in the call; `entry` counts in fields that are lists. */
typedef struct field_value {
    const lb_observation *o;
    const lb_config_field *field;
    unsigned entry;
    int64_t number;
} field_value;

typedef uint64_t (*classify_fn)(const field_value *v);

static const lb_tensor *input(const lb_observation *o)
{
    return lb_cover_tensor(o->before, LB_ROLE_IN, 0);
}

/* Entries of a list that count: those of the input's dimensions. */
static unsigned list_length(const lb_observation *o)
{
    const lb_tensor *in = input(o);
    return in && in->rank < LB_MAX_RANK ? in->rank : LB_MAX_RANK;
}

/* ---- Classes of plain numbers ---- */

static const char *const zero_one_more[] = {"0", "1", "more", NULL};
static uint64_t by_zero_one_more(const field_value *v)
{
    return v->number < 0 ? 0 : v->number < 2 ? (uint64_t)1 << v->number : 4;
}

static const char *const one_two_more[] = {"1", "2", "3+", NULL};
static uint64_t by_one_two_more(const field_value *v)
{
    return v->number < 1 ? 0 : v->number < 3 ? (uint64_t)1 << (v->number - 1) : 4;
}

static const char *const one_to_four[] = {"1", "2", "3", "4+", NULL};
static uint64_t by_one_to_four(const field_value *v)
{
    return v->number < 1 ? 0 : v->number < 4 ? (uint64_t)1 << (v->number - 1) : 8;
}

static const char *const zero_or_some[] = {"zero", "some", NULL};
static uint64_t by_zero_or_some(const field_value *v)
{
    return v->number == 0 ? 1 : 2;
}

static const char *const by_sign_points[] = {"zero", "positive", "negative", NULL};
static uint64_t by_sign(const field_value *v)
{
    return v->number == 0 ? 1 : v->number > 0 ? 2 : 4;
}

/* A factor of 31 bits: what conversions of scales give, and less. */
static const char *const factor_points[] = {"zero", "small", "half", "normal", "highest", NULL};
static uint64_t by_factor(const field_value *v)
{
    const int64_t half = (int64_t)1 << 30;
    return LB_BIT(v->number == 0, 0) | LB_BIT(v->number > 0 && v->number < half, 1) |
           LB_BIT(v->number == half, 2) | LB_BIT(v->number > half && v->number < INT32_MAX, 3) |
           LB_BIT(v->number == INT32_MAX, 4);
}

/* A width: that of a word, and of two. */
static const char *const halves_points[] = {"32", "64", NULL};
static uint64_t by_half(const field_value *v)
{
    return LB_BIT(v->number == 32, 0) | LB_BIT(v->number == 64, 1);
}

/* Words of an enumeration; the last point is any other number. */
static uint64_t by_word(const field_value *v)
{
    for (int64_t i = 0; v->field->enum_names && v->field->enum_names[i]; i++)
        if (i == v->number)
            return (uint64_t)1 << i;
    return 0;
}
static const char *const relu_words[] = {"none", "gen", "relu1", "relu6", "other", NULL};
static uint64_t by_relu(const field_value *v)
{
    return v->number >= 0 && v->number < 4 ? (uint64_t)1 << v->number : 16;
}
static const char *const direction_words[] = {"forward", "backward", NULL};
static const char *const results_words[] = {"last", "all", NULL};
static const char *const act_words[] = {"none", "tanh", "sigm", NULL};

/* ---- Geometry ---- */

/* Kernel size along the padding's direction, and the same with its gaps: the loop of the sum that
 * the input's index follows, and its step. */
static void kernel_along(const field_value *v, int64_t *kernel, int64_t *effective)
{
    const lb_call *call = v->o->before;
    const lb_map *map = lb_map_of(v->o->kernel);
    const lb_term *term = map->access[LB_MAP_X].index[v->field->dimension].term;
    while (term->loop < map->outer)
        term++;
    *kernel = lb_leaf_value(map, call, map->loop[term->loop].extent);
    *effective = (*kernel - 1) * lb_leaf_value(map, call, term->times[0]) + 1;
}

static const char *const padding_points[] = {"0", "inside", "largest", "beyond_kernel", NULL};
enum { BEYOND_KERNEL = 3 };
static uint64_t by_padding(const field_value *v)
{
    int64_t kernel;
    int64_t effective;
    kernel_along(v, &kernel, &effective);
    return LB_BIT(v->number == 0, 0) | LB_BIT(v->number > 0 && v->number < kernel, 1) |
           LB_BIT(v->number > 0 && v->number == effective - 1, 2) | LB_BIT(v->number >= kernel, 3);
}

static const char *const window_points[] = {"1", "2", "3", "4+", "beyond_input", NULL};
static uint64_t by_window(const field_value *v)
{
    return by_one_to_four(v) |
           LB_BIT(v->number > (int64_t)input(v->o)->shape[v->field->dimension], 4);
}

/* ---- Dimensions ---- */

static const char *const axis_points[] = {"whole", "below_minus_1", "first", "middle",
                                          "last",  "only",          NULL};
static uint64_t by_axis(const field_value *v)
{
    int64_t rank = input(v->o)->rank;
    return LB_BIT(v->number == -1, 0) | LB_BIT(v->number < -1, 1) |
           LB_BIT(v->number == 0 && rank > 1, 2) |
           LB_BIT(v->number > 0 && v->number < rank - 1, 3) |
           LB_BIT(v->number == rank - 1 && rank > 1, 4) | LB_BIT(v->number == 0 && rank == 1, 5);
}

static const char *const topk_points[] = {"1", "2+", "all", NULL};
static uint64_t by_topk(const field_value *v)
{
    const lb_tensor *in = input(v->o);
    int32_t axis = v->o->before->config.axis;
    size_t slice = lb_element_count(in) / (axis < 0 ? 1 : in->shape[axis]);
    return LB_BIT(v->number == 1, 0) | LB_BIT(v->number > 1, 1) |
           LB_BIT(v->number > 1 && (uint64_t)v->number == slice, 2);
}

static const char *const order_points[] = {"identity", "reversed", "other", NULL};
static uint64_t by_order(const field_value *v)
{
    unsigned rank = list_length(v->o);
    bool identity = true;
    bool reversed = rank > 1;
    if (v->entry != 0)
        return 0; /* the list is looked at as a whole */
    for (unsigned d = 0; d < rank; d++) {
        int64_t at = lb_config_get(&v->o->before->config, v->field, d);
        identity = identity && at == d;
        reversed = reversed && at == rank - 1 - d;
    }
    return identity ? 1 : reversed ? 2 : 4;
}

static const char *const size_points[] = {"zero", "part", "whole", NULL};
static uint64_t by_size(const field_value *v)
{
    uint32_t extent = input(v->o)->shape[v->entry];
    return LB_BIT(v->number == 0, 0) | LB_BIT(v->number > 0 && v->number < extent, 1) |
           LB_BIT(v->number == extent, 2);
}

static const char *const sub_rank_points[] = {"full", "reduced", NULL};
static uint64_t by_sub_rank(const field_value *v)
{
    return v->number == input(v->o)->rank ? 1 : 2;
}

static const char *const first_size_points[] = {"1", "part", "whole", NULL};
static uint64_t by_first_size(const field_value *v)
{
    uint32_t extent = input(v->o)->shape[v->o->before->config.coord_num - 1];
    return LB_BIT(v->number == 1, 0) | LB_BIT(v->number > 1 && v->number < extent, 1) |
           LB_BIT(v->number == extent, 2);
}

static const char *const start_dim_points[] = {"first", "middle", "last", "beyond", NULL};
static uint64_t by_start_dim(const field_value *v)
{
    int64_t rank = input(v->o)->rank;
    return LB_BIT(v->number == 0, 0) | LB_BIT(v->number > 0 && v->number < rank - 1, 1) |
           LB_BIT(v->number > 0 && v->number == rank - 1, 2) | LB_BIT(v->number >= rank, 3);
}

static const char *const scratch_points[] = {"exact", "more", NULL};
static uint64_t by_scratch(const field_value *v)
{
    const lb_tensor *state = lb_cover_tensor(v->o->before, LB_ROLE_PREV_OUT, 0);
    const lb_tensor *weights = lb_cover_tensor(v->o->before, LB_ROLE_WEIGHTS_IN, 0);
    uint64_t needed =
        (uint64_t)weights->shape[0] * state->shape[0] * lb_element_bytes(state->el_type);
    return (uint64_t)v->number == needed ? 1 : 2;
}

/* ---- The table ---- */

typedef struct field_row {
    const char *field;
    const char *const *points;
    classify_fn classify;
    const char *spec;
} field_row;

/* clang-format off */
static const field_row rows[] = {
    {"relu",              relu_words,       by_relu,         "conv.md 5"},
    {"type",              relu_words,       by_relu,         "elementwise.md 3"},
    {"stride_width",      one_two_more,     by_one_two_more, "conv.md 6, pooling_and_movement.md 2.2"},
    {"stride_height",     one_two_more,     by_one_two_more, "conv.md 6, pooling_and_movement.md 2.2"},
    {"padding_left",      padding_points,   by_padding,      "conv.md 6, 11 D4"},
    {"padding_right",     padding_points,   by_padding,      "conv.md 6, 11 D4"},
    {"padding_top",       padding_points,   by_padding,      "conv.md 6, 11 D4"},
    {"padding_bottom",    padding_points,   by_padding,      "conv.md 6, 11 D4"},
    {"dilation_width",    one_two_more,     by_one_two_more, "conv.md 6"},
    {"dilation_height",   one_two_more,     by_one_two_more, "conv.md 6"},
    {"kernel_width",      window_points,    by_window,       "pooling_and_movement.md 2.2"},
    {"kernel_height",     window_points,    by_window,       "pooling_and_movement.md 2.2"},
    {"axis",              axis_points,      by_axis,         "elementwise.md 4, 7, 8, 9"},
    {"topk",              topk_points,      by_topk,         "elementwise.md 9"},
    {"inputs_num",        one_to_four,      by_one_to_four,  "recurrent.md 5.1"},
    {"direction",         direction_words,  by_word,         "recurrent.md 6"},
    {"results",           results_words,    by_word,         "recurrent.md 6"},
    {"act",               act_words,        by_word,         "recurrent.md 6"},
    {"scratch_bytes",     scratch_points,   by_scratch,      "recurrent.md 7, 8"},
    {"perm_dim",          order_points,     by_order,        "pooling_and_movement.md 3, 4.1"},
    {"offset",            zero_or_some,     by_zero_or_some, "pooling_and_movement.md 4.1, numerics.md 8.3"},
    {"size",              size_points,      by_size,         "pooling_and_movement.md 4.1, numerics.md 8.3"},
    {"sub_tensor_rank",   sub_rank_points,  by_sub_rank,     "numerics.md 8.3"},
    {"start_coord",       zero_or_some,     by_zero_or_some, "numerics.md 8.4"},
    {"coord_num",         one_to_four,      by_one_to_four,  "numerics.md 8.4"},
    {"first_out_dim_size", first_size_points, by_first_size, "numerics.md 8.4"},
    {"sub_sample_step",   one_two_more,     by_one_two_more, "pooling_and_movement.md 4.1"},
    {"dst_offset",        zero_or_some,     by_zero_or_some, "pooling_and_movement.md 4.1"},
    {"dst_mem_stride",    zero_or_some,     by_zero_or_some, "pooling_and_movement.md 4.1"},
    {"padding_pre",       zero_or_some,     by_zero_or_some, "pooling_and_movement.md 4.2"},
    {"padding_post",      zero_or_some,     by_zero_or_some, "pooling_and_movement.md 4.2"},
    {"start_dim",         start_dim_points, by_start_dim,    "numerics.md 8.1"},
    {"offsets",           by_sign_points,   by_sign,         "pooling_and_movement.md 5"},
    {"sizes",             by_sign_points,   by_sign,         "pooling_and_movement.md 5"},
    {"dst_offsets",       by_sign_points,   by_sign,         "pooling_and_movement.md 5"},
    {"subsample_step",    one_two_more,     by_one_two_more, "pooling_and_movement.md 5"},
};
/* clang-format on */

/* By what the number is, where no row says more. */
static field_row row_of_sort(const lb_config_field *field)
{
    switch ((lb_sort)field->sort) {
    case LB_SORT_ZERO_POINT:
    case LB_SORT_SHIFT:
    case LB_SORT_LIMIT:
        return (field_row){field->name, by_sign_points, by_sign, "api.md 4"};
    case LB_SORT_MULTIPLIER:
        return (field_row){field->name, factor_points, by_factor, "api.md 4"};
    case LB_SORT_SIZE:
        return field->dimension >= 0
                   ? (field_row){field->name, window_points, by_window, "api.md 4"}
                   : (field_row){field->name, one_to_four, by_one_to_four, "api.md 4"};
    case LB_SORT_FLAG:
        return (field_row){field->name, zero_or_some, by_zero_or_some, "api.md 4"};
    case LB_SORT_CHOICE:
        return (field_row){field->name, halves_points, by_half, "api.md 4"};
    default:
        return (field_row){field->name, zero_one_more, by_zero_one_more, "api.md 4"};
    }
}

static field_row row_of(const lb_kernel *kernel, const lb_config_field *field)
{
    field_row row = row_of_sort(field);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].field, field->name) == 0)
            row = rows[i];
    if (lb_kernel_step_places(kernel))
        row.spec = lb_families[kernel->family].refusals;
    return row;
}

static uint64_t observe_field(const lb_observation *o, const lb_cover_group *group)
{
    const lb_config_field *field = &lb_config_fields(o->kernel->config_kind)[group->id];
    classify_fn classify = row_of(o->kernel, field).classify;
    unsigned count = field->count > 1 ? list_length(o) : 1;
    uint64_t hit = 0;
    for (unsigned entry = 0; entry < count && !o->before->config_null; entry++) {
        field_value v = {o, field, entry, lb_config_get(&o->before->config, field, entry)};
        hit |= classify(&v);
    }
    return hit;
}

/* By the values that a defined call can have there. */
static bool can_be(const lb_step_place *place, const char *const *points, unsigned point,
                   int profile)
{
    static const lb_value_bit of_sign[] = {LB_CAN_BE_ZERO, LB_CAN_BE_POSITIVE, LB_CAN_BE_NEGATIVE};
    static const lb_value_bit of_factor[] = {LB_CAN_BE_ZERO, LB_CAN_BE_POSITIVE, LB_CAN_BE_HALF,
                                             LB_CAN_BE_HALF, LB_CAN_BE_HIGHEST};
    return (points != by_sign_points || place->can[profile] >> of_sign[point] & 1) &&
           (points != factor_points || place->can[profile] >> of_factor[point] & 1);
}

static const char *field_unreachable(const lb_kernel *kernel, const lb_cover_group *group,
                                     unsigned point, int profile)
{
    const lb_step_place *p = lb_kernel_step_places(kernel);
    const lb_config_field *field = &lb_config_fields(kernel->config_kind)[group->id];
    for (; p && p->site != LB_SITE_COUNT; p++)
        if (p->field == group->id + 1 && !can_be(p, group->points, point, profile))
            return "no defined call has such a number there: so say the ranges of its steps";
    const lb_leaf_range range = lb_checks_bound(kernel, lb_leaf_of_field(field, 0));
    if (group->points == zero_one_more && (int64_t)point < range.low)
        return "the checks of the function leave no such number";
    return group->points == padding_points && point == BEYOND_KERNEL
               ? lb_cover_window_is_never_empty(kernel)
               : NULL;
}

void lb_cover_config(lb_cover_list *list)
{
    const lb_config_field *fields = lb_config_fields(list->kernel->config_kind);
    for (int i = 0; fields[i].name; i++) {
        field_row row = row_of(list->kernel, &fields[i]);
        lb_cover_add(list, (lb_cover_group){.class_name = fields[i].name,
                                            .instance = "",
                                            .spec = row.spec,
                                            .points = row.points,
                                            .observe = observe_field,
                                            .id = i,
                                            .unreachable = field_unreachable});
    }
}
