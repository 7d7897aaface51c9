/* Coverpoints of facts that meet in one call: each may be right alone while both together are not,
 * or while one of them is long. Spec: conv.md 4.3 (padding and zero points), 6; recurrent.md 6;
 * elementwise.md 2, 4, 7 to 10; pooling_and_movement.md 2 to 4. */
#include "harness/coverage/class.h"
#include "reference/core/arith.h"
#include "reference/describe/element_copy.h"
#include "reference/describe/rules.h"

#define BYTE   257  /* more than 8 bits count, and than a block of 256 */
#define BLOCK  513  /* more than buffers of 512 */
#define LENGTH 1025 /* longer than partial sums and blocks */
#define WINDOW 128  /* more than a signed byte counts */

/* ---- Facts, as conditions over leaves ---- */

/* clang-format off */
#define U8(member)  LB_FIELD(member, LB_FIELD_U8)
#define I32(member) LB_FIELD(member, LB_FIELD_I32)
#define FROM(n, ...)  LB_THAT(LB_AT_MOST, LB_N(n), {-1, {__VA_ARGS__}})
#define IS(n, ...)    LB_THAT(LB_EQUAL, {1, {__VA_ARGS__}}, LB_N(-(n)))
#define IS_0(...)     LB_THAT(LB_EQUAL, {1, {__VA_ARGS__}})
#define IS_NOT_0(...) LB_THAT(LB_UNLIKE, {1, {__VA_ARGS__}})
#define UNLIKE(member, other) LB_THAT(LB_UNLIKE, LB_X(1, U8(member)), LB_X(-1, U8(other)))
#define MANY(role)      LB_OF_TENSOR(MANY, LB_ROLE_##role)

#define PADDED  LB_THAT(LB_UNLIKE, LB_X(1, U8(padding_left)), LB_X(1, U8(padding_right)), LB_X(1, U8(padding_top)), LB_X(1, U8(padding_bottom)))
/* Steps and gaps are 1 or more. */
#define STRIDED LB_THAT(LB_AT_MOST, LB_N(3), LB_X(-1, U8(stride_width)), LB_X(-1, U8(stride_height)))
#define STRIDED_GAPS LB_THAT(LB_AT_MOST, LB_XY(-1, U8(stride_width), U8(dilation_width)), LB_X(1, U8(stride_width)), LB_X(1, U8(dilation_width)), \
                             LB_XY(-1, U8(stride_height), U8(dilation_height)), LB_X(1, U8(stride_height)), LB_X(1, U8(dilation_height)), LB_N(-1))
#define UNEVEN_PADDING UNLIKE(padding_left, padding_right), UNLIKE(padding_top, padding_bottom)
#define UNEVEN_STRIDES UNLIKE(stride_width, stride_height)
#define LIMITED        IS_NOT_0(I32(relu))
#define BACKWARD       IS(1, I32(direction))
#define FORWARD        IS_0(I32(direction))
#define LAST_RESULT    IS_0(I32(results))
#define ALL_RESULTS    IS(1, I32(results))
#define HAS_AXIS       FROM(0, I32(axis))
#define ON_LAST_AXIS   FROM(2, LB_OF_TENSOR(RANK, LB_ROLE_IN)), LB_THAT(LB_EQUAL, LB_X(1, I32(axis)), LB_N(1), LB_X(-1, LB_OF_TENSOR(RANK, LB_ROLE_IN)))
#define LARGEST_ALONE  IS(1, I32(topk))
#define ZERO_POINT     IS_NOT_0(LB_OF_TENSOR(ZERO_POINT, LB_ROLE_IN))
#define PER_AXIS       FROM(0, LB_OF_TENSOR(AXIS, LB_ROLE_WEIGHTS))
#define FRAMES         FROM(2, LB_EXTENT_OF(LB_ROLE_IN, 0))
#define FIRST_SCALAR   IS_0(MANY(IN1))
#define SECOND_SCALAR  IS_0(MANY(IN2))
#define EITHER_SCALAR  LB_THAT(LB_EQUAL, LB_XY(1, MANY(IN1), MANY(IN2)))
#define LONG_OUT       FROM(LENGTH, LB_OF_TENSOR(COUNT, LB_ROLE_OUT))
/* clang-format on */

/* ---- Those that are no conditions ---- */

static bool has_gaps(const lb_tensor *t)
{
    return t && t->rank > 0 && !lb_is_contiguous(t);
}

static bool in_gaps(const lb_observation *o)
{
    return has_gaps(lb_cover_role(o, LB_ROLE_IN));
}

static bool gaps(const lb_observation *o)
{
    bool any = false;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        any = any || has_gaps(lb_cover_tensor(o->before, role, 0));
    return any;
}

static bool has_lowest(const lb_tensor *t)
{
    size_t count = lb_element_count(t);
    int64_t low = lb_min_of(lb_container_bits(t->el_type));
    bool found = false;
    for (size_t i = 0; i < count && !found; i++)
        found = lb_load(t, lb_offset_of_flat(t, i)) == low;
    return found;
}

/* The product of the two lowest values is the largest there is, and the only one of its sign that
 * needs its last bit. */
static bool lowest(const lb_observation *o)
{
    lb_role second = lb_cover_has(o->kernel, LB_ROLE_WEIGHTS)      ? LB_ROLE_WEIGHTS
                     : lb_cover_has(o->kernel, LB_ROLE_WEIGHTS_IN) ? LB_ROLE_WEIGHTS_IN
                                                                   : LB_ROLE_IN2;
    lb_role first = second == LB_ROLE_IN2 ? LB_ROLE_IN1 : LB_ROLE_IN;
    return has_lowest(lb_cover_role(o, first)) && has_lowest(lb_cover_role(o, second));
}

static bool on(const lb_observation *o, lb_role role)
{
    const lb_tensor *in = lb_cover_role(o, role), *out = lb_cover_role(o, LB_ROLE_OUT);
    return in && out && in->rank > 0 && out->rank > 0 && in->data.mem.ptr == out->data.mem.ptr;
}

static bool in_place(const lb_observation *o)
{
    return on(o, LB_ROLE_IN) || on(o, LB_ROLE_IN1) || on(o, LB_ROLE_IN2);
}

static bool on_state(const lb_observation *o)
{
    return on(o, LB_ROLE_PREV_OUT);
}

/* Whole vectors, and a rest. */
static bool has_tail(uint32_t extent)
{
    return extent > 8 && extent % 8 != 0;
}

/* Of a tensor of at least one dimension. */
static uint32_t inner_of(const lb_tensor *t)
{
    return t->rank > 0 ? t->shape[t->rank - 1] : 1;
}

static bool tail(const lb_observation *o)
{
    return has_tail(inner_of(lb_cover_role(o, LB_ROLE_OUT)));
}

static bool tail_along_axis(const lb_observation *o)
{
    const lb_tensor *weights = lb_cover_role(o, LB_ROLE_WEIGHTS);
    return lb_is_per_axis(weights) && has_tail(weights->shape[weights->sa.dim]);
}

static bool other_format(const lb_observation *o)
{
    const lb_quant state = lb_quant_at(lb_cover_role(o, LB_ROLE_PREV_OUT), 0),
                   out = lb_quant_at(lb_cover_role(o, LB_ROLE_OUT), 0);
    return state.scale != out.scale || state.frac != out.frac || state.zero_point != out.zero_point;
}

static bool reordered(const lb_observation *o)
{
    bool moved = false;
    for (uint32_t d = 0; d < lb_cover_role(o, LB_ROLE_IN)->rank; d++)
        moved = moved || o->before->config.perm_dim[d] != d;
    return moved;
}

/* Lines of the input along and across an axis. */
static bool long_axis(const lb_observation *o)
{
    const lb_tensor *in = lb_cover_role(o, LB_ROLE_IN);
    return inner_of(in) >= BYTE && lb_element_count(in) > inner_of(in);
}

static bool many_lines(const lb_observation *o)
{
    const lb_tensor *in = lb_cover_role(o, LB_ROLE_IN);
    return inner_of(in) > 1 && lb_element_count(in) / inner_of(in) >= BYTE;
}

static bool long_slices(const lb_observation *o)
{
    const lb_tensor *in = lb_cover_role(o, LB_ROLE_IN);
    const int32_t axis = o->before->config.axis;
    return axis >= 0 && axis + 1 < (int32_t)in->rank && in->shape[axis] > 1 &&
           lb_element_count(in) / in->shape[axis] >= BLOCK;
}

/* A number of slopes that no vector's width is a multiple of. */
static bool few_slopes(const lb_observation *o)
{
    const lb_tensor *in = lb_cover_role(o, LB_ROLE_IN);
    const uint32_t inner = inner_of(in);
    return lb_is_contiguous(in) && inner % 2 == 1 && inner > 1 && inner < 16 &&
           lb_element_count(in) >= LENGTH;
}

/* ---- The table ---- */

typedef struct row {
    lb_family_set families;
    const char *class_name, *name;
    lb_rule that;
    bool (*also[2])(const lb_observation *o); /* NULL: no more */
    const char *spec;
    bool sa_only;
    uint32_t aimed_extent;
} row;

/* clang-format off */
#define THAT(...)    {.c = LB_BAD_TENSOR, .all = (const lb_condition[]){__VA_ARGS__, {.is = LB_NO_CONDITION}}}
#define NO_CONDITION THAT({.is = LB_NO_CONDITION})
/* clang-format on */
#define DIRECT                                                                                     \
    (LB_IN_FAMILY(CONV2D) | LB_IN_FAMILY(DEPTHWISE_CONV2D) |                                       \
     LB_IN_FAMILY(GROUP_CONV2D)) /* may have a dilation */
#define MULTIPLIES (LB_WEIGHTED | LB_OF_PATTERN(DENSE_LISTS) | LB_CELLS | LB_OF_PATTERN(PAIR))
#define ON_INPUT   (LB_LIKE_INPUT | LB_OF_PATTERN(PAIR) | LB_OF_PATTERN(CONVERSION))
#define LINES      (LB_WITH_AXIS | LB_SLOPED | LB_NORMALIZED | LB_OF_PATTERN(SLICES))
/* Where the same loop serves several families, one of them stands for what is long. */
#define SLICES     (LB_IN_FAMILY(SOFTMAX) | LB_OF_PATTERN(SLICES))
#define LONG_LINES (LB_WITH_AXIS | LB_SLOPED | SLICES)
#define LONG_ONES  (LB_OF_PATTERN(LIMITS) | LB_ACTIVATED | LB_NORMALIZED | LB_OF_PATTERN(PAIR))

/* clang-format off */
static const row rows[] = {
    {LB_CONVOLUTIONS | LB_IN_FAMILY(AVEPOOL), "cross", "padding_and_zero_point", THAT(PADDED, ZERO_POINT), {NULL}, .spec = "conv.md 4.3", .sa_only = true},
    {LB_CONVOLUTIONS | LB_POOLS, "cross", "padding_and_stride", THAT(PADDED, STRIDED), {NULL}, .spec = "conv.md 6, 9"},
    {LB_CONVOLUTIONS | LB_POOLS, "cross", "uneven_padding", THAT(UNEVEN_PADDING), {NULL}, .spec = "conv.md 6, 9"},
    {LB_CONVOLUTIONS | LB_POOLS, "cross", "uneven_strides", THAT(UNEVEN_STRIDES), {NULL}, .spec = "conv.md 6, 9"},
    {DIRECT, "cross", "stride_and_dilation", THAT(STRIDED_GAPS), {NULL}, .spec = "conv.md 6"},
    {LB_WEIGHTED, "cross", "relu_and_per_axis", THAT(LIMITED, PER_AXIS), {NULL}, .spec = "conv.md 4.2, 5", .sa_only = true},
    {LB_WEIGHTED, "cross", "per_axis_and_tail", NO_CONDITION, {tail_along_axis}, .spec = "conv.md 4.2", .sa_only = true},
    {LB_WEIGHTED | LB_POOLS | ON_INPUT, "cross", "gaps_and_tail", NO_CONDITION, {tail, gaps}, .spec = "numerics.md 2"},
    {MULTIPLIES, "cross", "lowest_operands", NO_CONDITION, {lowest}, .spec = "numerics.md 4.1"},
    {ON_INPUT, "cross", "in_place_and_gaps", NO_CONDITION, {in_place, gaps}, .spec = "elementwise.md 10, numerics.md 7.4"},
    {LB_OF_PATTERN(PAIR), "cross", "scalar_and_gaps", THAT(EITHER_SCALAR), {gaps}, .spec = "elementwise.md 2"},
    {LB_CELLS, "cross", "backward_and_last", THAT(BACKWARD, LAST_RESULT, FRAMES), {NULL}, .spec = "recurrent.md 6, output"},
    {LB_CELLS, "cross", "backward_and_all", THAT(BACKWARD, ALL_RESULTS, FRAMES), {NULL}, .spec = "recurrent.md 6, output"},
    {LB_CELLS, "cross", "forward_and_all", THAT(FORWARD, ALL_RESULTS, FRAMES), {NULL}, .spec = "recurrent.md 6, output"},
    {LB_CELLS, "cross", "frames_and_format", THAT(FRAMES), {other_format}, .spec = "recurrent.md 6, hidden state format"},
    {LB_CELLS, "cross", "in_place_and_all", THAT(ALL_RESULTS, FRAMES), {on_state}, .spec = "recurrent.md 6, aliasing"},
    {LB_OF_PATTERN(ORDER), "cross", "order_and_gaps", NO_CONDITION, {reordered, gaps}, .spec = "pooling_and_movement.md 3"},
    {LINES, "cross", "axis_and_gaps", THAT(HAS_AXIS), {in_gaps}, .spec = "elementwise.md 4, 7, 8, 9"},
    {LONG_LINES, "long", "many_along_axis", THAT(ON_LAST_AXIS), {long_axis}, .spec = "elementwise.md 4, 7, 8, 9", .aimed_extent = BYTE},
    {LONG_LINES | LB_IN_FAMILY(L2_NORMALIZE), "long", "many_across_axis", THAT(ON_LAST_AXIS), {many_lines}, .spec = "elementwise.md 4, 7, 8, 9", .aimed_extent = BYTE},
    {SLICES, "long", "slices", NO_CONDITION, {long_slices}, .spec = "elementwise.md 4, 7, 8, 9", .aimed_extent = BLOCK},
    {LB_OF_PATTERN(SLICES), "long", "largest_along_axis", THAT(ON_LAST_AXIS, LARGEST_ALONE), {long_axis}, .spec = "elementwise.md 9", .aimed_extent = BYTE},
    {LB_IN_FAMILY(MAXPOOL), "long", "wide_window", THAT(FROM(WINDOW, U8(kernel_width))), {NULL}, .spec = "pooling_and_movement.md 2.1", .aimed_extent = WINDOW},
    {LB_IN_FAMILY(MAXPOOL), "long", "high_window", THAT(FROM(WINDOW, U8(kernel_height))), {NULL}, .spec = "pooling_and_movement.md 2.1", .aimed_extent = WINDOW},
    {LB_WITH_AXIS | LB_SLOPED, "long", "few_slopes", THAT(ON_LAST_AXIS), {few_slopes}, .spec = "elementwise.md 4", .aimed_extent = LENGTH},
    {LB_OF_PATTERN(PAIR), "long", "first_is_scalar", THAT(FIRST_SCALAR, LONG_OUT), {NULL}, .spec = "elementwise.md 2", .aimed_extent = LENGTH},
    {LB_OF_PATTERN(PAIR), "long", "second_is_scalar", THAT(SECOND_SCALAR, LONG_OUT), {NULL}, .spec = "elementwise.md 2", .aimed_extent = LENGTH},
    {LONG_ONES, "long", "in_place", THAT(LONG_OUT), {in_place}, .spec = "elementwise.md 10", .aimed_extent = LENGTH},
};
/* clang-format on */

static LB_TELLS(tell_meeting)
{
    const row *r = &rows[group->id];
    bool all = lb_check_ask(NULL, o->before, &r->that) == LB_OK;
    for (unsigned i = 0; i < 2 && r->also[i] && all; i++)
        all = r->also[i](o);
    lb_cover_say(group, values, all, 0);
}

void lb_cover_meetings(lb_cover_list *list)
{
    for (int i = 0; i < (int)(sizeof rows / sizeof rows[0]); i++)
        if ((!rows[i].sa_only || lb_is_sa(list->kernel->in_type)) &&
            lb_cover_in(list->kernel, rows[i].families))
            lb_cover_add(list, (lb_cover_group){.class_name = rows[i].class_name,
                                                .instance = rows[i].name,
                                                .spec = rows[i].spec,
                                                .points = lb_cover_yes,
                                                .tell = tell_meeting,
                                                .aimed_extent = rows[i].aimed_extent,
                                                .id = i});
}
