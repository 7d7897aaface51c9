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

typedef enum fact {
    NOTHING, /* of the row: the facts before it are all */
    /* of the configuration */
    PADDED,
    STRIDED,
    STRIDED_GAPS,
    UNEVEN_PADDING,
    UNEVEN_STRIDES,
    LIMITED,
    BACKWARD,
    FORWARD,
    LAST_RESULT,
    ALL_RESULTS,
    ON_LAST_AXIS,
    HAS_AXIS,
    LARGEST_ALONE,
    WIDE,
    HIGH,
    /* of tensors */
    ZERO_POINT,
    PER_AXIS,
    PER_AXIS_TAIL,
    GAPS,
    IN_GAPS,
    TAIL,
    LOWEST,
    IN_PLACE,
    ON_STATE,
    FIRST_SCALAR,
    SECOND_SCALAR,
    EITHER_SCALAR,
    FRAMES,
    OTHER_FORMAT,
    REORDERED,
    LONG_AXIS,
    MANY_LINES,
    LONG_SLICES,
    FEW_SLOPES,
    LONG_OUT
} fact;

/* ---- Of the configuration ---- */

static bool configured(const lb_observation *o, fact f)
{
    const lb_config *c = &o->before->config;
    const lb_tensor *in = lb_cover_role(o, LB_ROLE_IN);
    switch (f) {
    case PADDED:
        return c->padding_left || c->padding_top || c->padding_right || c->padding_bottom;
    case STRIDED:
        return c->stride_width > 1 || c->stride_height > 1;
    case STRIDED_GAPS:
        return (c->stride_width > 1 && c->dilation_width > 1) ||
               (c->stride_height > 1 && c->dilation_height > 1);
    case UNEVEN_PADDING:
        return c->padding_left != c->padding_right && c->padding_top != c->padding_bottom;
    case UNEVEN_STRIDES:
        return c->stride_width != c->stride_height;
    case LIMITED:
        return c->relu != 0;
    case BACKWARD:
    case FORWARD:
        return c->direction == (f == BACKWARD);
    case LAST_RESULT:
    case ALL_RESULTS:
        return c->results == (f == ALL_RESULTS);
    case ON_LAST_AXIS:
        return in->rank > 1 && c->axis == (int32_t)in->rank - 1;
    case HAS_AXIS:
        return c->axis >= 0;
    case LARGEST_ALONE:
        return c->topk == 1;
    default:
        return (f == WIDE ? c->kernel_width : c->kernel_height) >= WINDOW;
    }
}

/* ---- Of tensors ---- */

static bool has_gaps(const lb_tensor *t)
{
    return t && t->rank > 0 && !lb_is_contiguous(t);
}

static bool any_gaps(const lb_observation *o)
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
static bool lowest_operands(const lb_observation *o)
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

static bool is_scalar(const lb_observation *o, lb_role role)
{
    return lb_is_scalar(lb_cover_role(o, role));
}

/* Whole vectors, and a rest. */
static bool has_tail(uint32_t extent)
{
    return extent > 8 && extent % 8 != 0;
}

static bool has_other_format(const lb_observation *o)
{
    const lb_quant state = lb_quant_at(lb_cover_role(o, LB_ROLE_PREV_OUT), 0),
                   out = lb_quant_at(lb_cover_role(o, LB_ROLE_OUT), 0);
    return state.scale != out.scale || state.frac != out.frac || state.zero_point != out.zero_point;
}

static bool is_reordered(const lb_observation *o)
{
    bool moved = false;
    for (uint32_t d = 0; d < lb_cover_role(o, LB_ROLE_IN)->rank; d++)
        moved = moved || o->before->config.perm_dim[d] != d;
    return moved;
}

/* Of a tensor of at least one dimension. */
static uint32_t inner_of(const lb_tensor *t)
{
    return t->rank > 0 ? t->shape[t->rank - 1] : 1;
}

/* Lines of the input along and across an axis. */
static bool has_lines(const lb_observation *o, fact f)
{
    const lb_tensor *in = lb_cover_role(o, LB_ROLE_IN);
    const int32_t axis = o->before->config.axis;
    const size_t count = lb_element_count(in), inner = inner_of(in);
    switch (f) {
    case LONG_AXIS:
        return inner >= BYTE && count > inner;
    case MANY_LINES:
        return inner > 1 && count / inner >= BYTE;
    case LONG_SLICES:
        return axis >= 0 && axis + 1 < (int32_t)in->rank && in->shape[axis] > 1 &&
               count / in->shape[axis] >= BLOCK;
    default: /* a number of slopes that no vector's width is a multiple of */
        return lb_is_contiguous(in) && inner % 2 == 1 && inner > 1 && inner < 16 && count >= LENGTH;
    }
}

static bool holds(const lb_observation *o, fact f)
{
    const lb_tensor *weights = lb_cover_role(o, LB_ROLE_WEIGHTS);
    switch (f) {
    case ZERO_POINT:
        return lb_quant_at(lb_cover_role(o, LB_ROLE_IN), 0).zero_point != 0;
    case PER_AXIS:
        return lb_is_per_axis(weights);
    case PER_AXIS_TAIL:
        return lb_is_per_axis(weights) && has_tail(weights->shape[weights->sa.dim]);
    case GAPS:
        return any_gaps(o);
    case IN_GAPS:
        return has_gaps(lb_cover_role(o, LB_ROLE_IN));
    case TAIL:
        return has_tail(inner_of(lb_cover_role(o, LB_ROLE_OUT)));
    case LOWEST:
        return lowest_operands(o);
    case IN_PLACE:
        return on(o, LB_ROLE_IN) || on(o, LB_ROLE_IN1) || on(o, LB_ROLE_IN2);
    case ON_STATE:
        return on(o, LB_ROLE_PREV_OUT);
    case FIRST_SCALAR:
        return is_scalar(o, LB_ROLE_IN1);
    case SECOND_SCALAR:
        return is_scalar(o, LB_ROLE_IN2);
    case EITHER_SCALAR:
        return is_scalar(o, LB_ROLE_IN1) || is_scalar(o, LB_ROLE_IN2);
    case FRAMES:
        return lb_cover_role(o, LB_ROLE_IN)->shape[0] > 1;
    case OTHER_FORMAT:
        return has_other_format(o);
    case REORDERED:
        return is_reordered(o);
    case LONG_OUT:
        return lb_element_count(lb_cover_role(o, LB_ROLE_OUT)) >= LENGTH;
    default:
        return f < ZERO_POINT ? configured(o, f) : has_lines(o, f);
    }
}

/* ---- The table ---- */

enum { MOST_FACTS = 3 };

typedef struct row {
    lb_family_set families;
    const char *class_name, *name;
    uint8_t facts[MOST_FACTS];
    const char *spec;
    bool sa_only;
    uint32_t aimed_extent;
} row;

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
    {LB_CONVOLUTIONS | LB_IN_FAMILY(AVEPOOL), "cross", "padding_and_zero_point", {PADDED, ZERO_POINT}, .spec = "conv.md 4.3", .sa_only = true},
    {LB_CONVOLUTIONS | LB_POOLS, "cross", "padding_and_stride",  {PADDED, STRIDED},         .spec = "conv.md 6, 9"},
    {LB_CONVOLUTIONS | LB_POOLS, "cross", "uneven_padding",      {UNEVEN_PADDING},          .spec = "conv.md 6, 9"},
    {LB_CONVOLUTIONS | LB_POOLS, "cross", "uneven_strides",      {UNEVEN_STRIDES},          .spec = "conv.md 6, 9"},
    {DIRECT,                     "cross", "stride_and_dilation", {STRIDED_GAPS},            .spec = "conv.md 6"},
    {LB_WEIGHTED,                "cross", "relu_and_per_axis",   {LIMITED, PER_AXIS},       .spec = "conv.md 4.2, 5", .sa_only = true},
    {LB_WEIGHTED,                "cross", "per_axis_and_tail",   {PER_AXIS_TAIL},           .spec = "conv.md 4.2", .sa_only = true},
    {LB_WEIGHTED | LB_POOLS | ON_INPUT, "cross", "gaps_and_tail", {TAIL, GAPS},             .spec = "numerics.md 2"},
    {MULTIPLIES,                 "cross", "lowest_operands",     {LOWEST},                  .spec = "numerics.md 4.1"},
    {ON_INPUT,                   "cross", "in_place_and_gaps",   {IN_PLACE, GAPS},          .spec = "elementwise.md 10, numerics.md 7.4"},
    {LB_OF_PATTERN(PAIR),        "cross", "scalar_and_gaps",     {EITHER_SCALAR, GAPS},     .spec = "elementwise.md 2"},
    {LB_CELLS,                   "cross", "backward_and_last",   {BACKWARD, LAST_RESULT, FRAMES}, .spec = "recurrent.md 6, output"},
    {LB_CELLS,                   "cross", "backward_and_all",    {BACKWARD, ALL_RESULTS, FRAMES}, .spec = "recurrent.md 6, output"},
    {LB_CELLS,                   "cross", "forward_and_all",     {FORWARD, ALL_RESULTS, FRAMES},  .spec = "recurrent.md 6, output"},
    {LB_CELLS,                   "cross", "frames_and_format",   {OTHER_FORMAT, FRAMES},    .spec = "recurrent.md 6, hidden state format"},
    {LB_CELLS,                   "cross", "in_place_and_all",    {ON_STATE, ALL_RESULTS, FRAMES}, .spec = "recurrent.md 6, aliasing"},
    {LB_OF_PATTERN(ORDER),       "cross", "order_and_gaps",      {REORDERED, GAPS},         .spec = "pooling_and_movement.md 3"},
    {LINES,                      "cross", "axis_and_gaps",       {HAS_AXIS, IN_GAPS},       .spec = "elementwise.md 4, 7, 8, 9"},
    {LONG_LINES,                 "long",  "many_along_axis",     {ON_LAST_AXIS, LONG_AXIS}, .spec = "elementwise.md 4, 7, 8, 9", .aimed_extent = BYTE},
    {LONG_LINES | LB_IN_FAMILY(L2_NORMALIZE), "long", "many_across_axis", {ON_LAST_AXIS, MANY_LINES}, .spec = "elementwise.md 4, 7, 8, 9", .aimed_extent = BYTE},
    {SLICES,                     "long",  "slices",              {LONG_SLICES},             .spec = "elementwise.md 4, 7, 8, 9", .aimed_extent = BLOCK},
    {LB_OF_PATTERN(SLICES),      "long",  "largest_along_axis",  {ON_LAST_AXIS, LONG_AXIS, LARGEST_ALONE}, .spec = "elementwise.md 9", .aimed_extent = BYTE},
    {LB_IN_FAMILY(MAXPOOL),      "long",  "wide_window",         {WIDE},                    .spec = "pooling_and_movement.md 2.1", .aimed_extent = WINDOW},
    {LB_IN_FAMILY(MAXPOOL),      "long",  "high_window",         {HIGH},                    .spec = "pooling_and_movement.md 2.1", .aimed_extent = WINDOW},
    {LB_WITH_AXIS | LB_SLOPED,   "long",  "few_slopes",          {ON_LAST_AXIS, FEW_SLOPES}, .spec = "elementwise.md 4", .aimed_extent = LENGTH},
    {LB_OF_PATTERN(PAIR),        "long",  "first_is_scalar",     {FIRST_SCALAR, LONG_OUT},  .spec = "elementwise.md 2", .aimed_extent = LENGTH},
    {LB_OF_PATTERN(PAIR),        "long",  "second_is_scalar",    {SECOND_SCALAR, LONG_OUT}, .spec = "elementwise.md 2", .aimed_extent = LENGTH},
    {LONG_ONES,                  "long",  "in_place",            {LONG_OUT, IN_PLACE},      .spec = "elementwise.md 10", .aimed_extent = LENGTH},
};
/* clang-format on */

static void tell_meeting(const lb_observation *o, const lb_cover_group *group,
                         lb_cover_values *values)
{
    const uint8_t *facts = rows[group->id].facts;
    bool all = true;
    for (unsigned i = 0; i < MOST_FACTS && facts[i] != NOTHING && all; i++)
        all = holds(o, (fact)facts[i]);
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
