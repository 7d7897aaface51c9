/* Coverpoints of a call's tensors, a row each: extents beside, at and above the widths of vectors
 * and beyond counters of 8 bits, buffers of usual sizes and partial sums; ranks, scalars, groups,
 * windows without a tap, types, strides, results in place. Spec: the rows. */
#include "harness/coverage/class.h"
#include "reference/describe/element_copy.h"
#include "reference/describe/map_walk.h"
#include "reference/describe/rules.h"

/* ---- Numbers of a tensor ---- */

/* In place of a dimension. */
enum {
    FIRST = -1,
    LAST = -2,
    ELEMENTS = -3,
    RANK = -4,
    SCALAR = -5,
    TYPE = -6,
    ROW = -7,
    PRODUCTS = -8,
    GROUPS = -9,
    FILTERS = -10
};

static int64_t groups_of(const lb_observation *o)
{
    return lb_cover_role(o, LB_ROLE_IN)->shape[2] / lb_cover_role(o, LB_ROLE_WEIGHTS)->shape[2];
}

static int64_t amount(const lb_observation *o, const lb_tensor *t, int what)
{
    switch (what) {
    case FIRST:
        return t->rank > 1 ? t->shape[0] : 0;
    case LAST:
        return t->rank > 0 ? t->shape[t->rank - 1] : 1;
    case ELEMENTS:
        return (int64_t)lb_element_count(t);
    case RANK:
        return t->rank;
    case SCALAR:
        return t->rank == 0 ? 1 : lb_element_count(t) == 1 ? 2 : 0;
    case TYPE:
        return t->el_type;
    case ROW:
        return (int64_t)t->shape[1] * t->shape[2];
    case PRODUCTS:
        return (int64_t)t->shape[0] * t->shape[1] * t->shape[2];
    case GROUPS:
        return groups_of(o);
    case FILTERS:
        return t->shape[3] / groups_of(o);
    default:
        return t->shape[what];
    }
}

/* Of all tensors of a list. */
static LB_TELLS(tell_amount)
{
    const lb_tensor *t;
    for (unsigned i = 0; (t = lb_cover_tensor(o->before, group->id, i)) != NULL; i++)
        lb_cover_say(group, values, amount(o, t, group->detail), 0);
}

static LB_TELLS(tell_long)
{
    const lb_tensor *t = lb_cover_tensor(o->before, group->id, 0);
    lb_cover_say(group, values, t && amount(o, t, group->detail) >= group->aimed_extent, 0);
}

/* The other side of a conversion, given one side (`detail`: in's type). */
static LB_TELLS(tell_other_type)
{
    if (lb_cover_role(o, LB_ROLE_IN)->el_type == (uint32_t)group->detail)
        lb_cover_say(group, values, lb_cover_role(o, LB_ROLE_OUT)->el_type, 0);
}

/* ---- Windows ---- */

enum { WHOLE, CUT, NO_TAP, OUT_SMALLER };

/* The loop from `first` to below `end` that an index follows. */
static unsigned loop_of(const lb_bound_index *index, unsigned first, unsigned end)
{
    while (first + 1 < end && !(index->follows >> first & 1))
        first++;
    return first;
}

/* Of the windows along one direction: are there any with all taps, some, none? Is out smaller than
 * the input with its padding at this end allows? */
static LB_TELLS(tell_windows)
{
    const lb_config *config = &o->before->config;
    const int64_t after = group->detail == 0 ? config->padding_bottom : config->padding_right;
    lb_bound_map bound;
    if (!lb_map_bind(&bound, lb_map_of(o->kernel), o->before))
        return;
    const lb_bound_index *x = &bound.access[LB_MAP_X].index[group->detail];
    const unsigned out = loop_of(x, 0, bound.outer), tap = loop_of(x, bound.outer, bound.loops);
    uint32_t at[LB_MAP_LOOPS] = {0};
    int64_t last = 0;
    for (at[out] = 0; at[out] < bound.extent[out]; at[out]++) {
        uint32_t taps = 0;
        for (at[tap] = 0; at[tap] < bound.extent[tap]; at[tap]++)
            taps += lb_index_at(x, at, &last) ? 1 : 0;
        lb_cover_say(group, values, taps == bound.extent[tap] ? WHOLE : taps ? CUT : NO_TAP, 0);
    }
    at[tap] = bound.extent[tap] - 1;
    (void)lb_index_at(x, at, &last); /* of one output more */
    if (!bound.access[LB_MAP_X].is_spread && last < x->bound + after)
        lb_cover_say(group, values, OUT_SMALLER, 0);
}

/* ---- Layouts ---- */

/* Movement gives out its strides. Gaps of a slope are undefined (elementwise.md 4, 12): whoever has
 * them has reached nothing. */
static LB_TELLS(tell_gaps)
{
    const bool given = group->id != LB_ROLE_OUT || lb_pattern_of(o->kernel) != LB_PATTERN_MOVEMENT;
    const lb_tensor *t;
    for (unsigned i = 0; (t = lb_cover_tensor(given ? o->before : o->after, group->id, i)) != NULL;
         i++)
        if (t->rank > 0 && (lb_is_contiguous(t) || group->id != LB_ROLE_SLOPE))
            lb_cover_say(group, values, !lb_is_contiguous(t), 0);
}

static LB_TELLS(tell_inner)
{
    const lb_tensor *t = lb_cover_tensor(o->before, group->id, 0);
    if (t && t->rank > 0)
        lb_cover_say(group, values, !lb_has_inner_stride_1(t), 0);
}

static LB_TELLS(tell_place)
{
    const lb_tensor *in = lb_cover_tensor(o->before, group->id, 0);
    const lb_tensor *out = lb_cover_role(o, LB_ROLE_OUT);
    if (in && out && in->rank > 0 && out->rank > 0)
        lb_cover_say(group, values, in->data.mem.ptr == out->data.mem.ptr, 0);
}

/* ---- The table ---- */

typedef struct row {
    lb_family_set families;
    const char *class_name, *instance; /* instance NULL: the name of the role */
    int role;                          /* or EACH */
    int detail;
    const lb_cover_point *points;
    LB_TELLS((*tell));
    const char *spec;
    uint32_t from; /* such numbers are long, which is a point of its own (its class, "long", stands
                      behind all others); 0: none is */
} row;

enum { EACH = -1 }; /* of the roles, but for the epsilon */

#define UNITS    (LB_OF_PATTERN(DENSE) | LB_OF_PATTERN(DENSE_LISTS))
#define DENSE    (LB_IN_FAMILY(CONV2D) | LB_IN_FAMILY(TRANSPOSE_CONV2D))
#define MOVES    (LB_OF_PATTERN(ORDER) | LB_OF_PATTERN(MOVEMENT))
#define ON_INPUT (LB_LIKE_INPUT | LB_OF_PATTERN(CONVERSION) | LB_OF_PATTERN(PAIR))
#define ANY_TYPE (LB_OF_PATTERN(HELPER) | LB_OF_PATTERN(MOVEMENT))
#define LAID_OUT                                                                                   \
    (LB_MAPS | UNITS | LB_CELLS | LB_FLAT | LB_OF_PATTERN(PAIR) | LB_OF_PATTERN(MOVEMENT))
#define BYTE   257               /* more than 8 bits count, and than a block of 256 */
#define BLOCK  513               /* more than buffers of 512 */
#define LENGTH 1025              /* sums longer than partial sums of 32 bits hold */
#define LINE   4097              /* more than a buffer for a row */
#define LONG   NULL, tell_amount /* has no other points */

/* clang-format off */
static const lb_cover_point few[] = {LB_POINT("1", 1, 1), LB_POINT("2", 2, 2), LB_POINT("3+", LB_COVER_ABOVE(3)), {0}};
static const lb_cover_point extents[] = {LB_POINT("1", 1, 1), LB_POINT("2..7", 2, 7), LB_POINT("8", 8, 8), LB_POINT("9..15", 9, 15), LB_POINT("16", 16, 16), LB_POINT("17..31", 17, 31),
    LB_POINT("32", 32, 32), LB_POINT("33..63", 33, 63), LB_POINT("64", 64, 64), LB_POINT("65+", LB_COVER_ABOVE(65)), {0}};
static const lb_cover_point any_ranks[] = {LB_POINT("0", 0, 0), LB_POINT("1", 1, 1), LB_POINT("2", 2, 2), LB_POINT("3", 3, 3), LB_POINT("4", 4, 4), {0}};
static const lb_cover_point scalars[] = {LB_POINT("no", 0, 0), LB_POINT("rank0", 1, 1), LB_POINT("one_element", 2, 2), {0}};
static const lb_cover_point types[] = {LB_POINT("fx8", LB_FX8, LB_FX8), LB_POINT("fx16", LB_FX16, LB_FX16), LB_POINT("sa8", LB_SA8, LB_SA8), LB_POINT("sa32", LB_SA32, LB_SA32), LB_POINT("fp32", LB_FP32, LB_FP32), {0}};
static const lb_cover_point windows[] = {LB_POINT("whole", WHOLE, WHOLE), LB_POINT("cut", CUT, CUT), LB_POINT("no_tap", NO_TAP, NO_TAP), LB_POINT("out_smaller", OUT_SMALLER, OUT_SMALLER), {0}};
static const lb_cover_point strides[] = {LB_POINT("dense", 0, 0), LB_POINT("gaps", 1, 1), {0}};
static const lb_cover_point inner_strides[] = {LB_POINT("1", 0, 0), LB_POINT("more", 1, 1), {0}};
static const lb_cover_point places[] = {LB_POINT("apart", 0, 0), LB_POINT("in_place", 1, 1), {0}};

static const row rows[] = {
    {LB_MAPS,         "extent", "in_height",      LB_ROLE_IN,       0, few,     tell_amount, "conv.md 6, pooling_and_movement.md 2", BYTE},
    {LB_MAPS,         "extent", "in_width",       LB_ROLE_IN,       1, few,     tell_amount, "conv.md 6, pooling_and_movement.md 2", BYTE},
    {LB_MAPS,         "extent", "in_channels",    LB_ROLE_IN,       2, extents, tell_amount, "conv.md 6, pooling_and_movement.md 2", BLOCK},
    {LB_MAPS,         "extent", "out_height",     LB_ROLE_OUT,      0, few,     tell_amount, "conv.md 6, pooling_and_movement.md 2", BYTE},
    {LB_MAPS,         "extent", "out_width",      LB_ROLE_OUT,      1, extents, tell_amount, "conv.md 6, pooling_and_movement.md 2", BYTE},
    {LB_CONVOLUTIONS, "extent", "out_channels",   LB_ROLE_OUT,      2, extents, tell_amount, "conv.md 6", BLOCK},
    {LB_CONVOLUTIONS, "extent", "weights_height", LB_ROLE_WEIGHTS,  0, few,     tell_amount, "conv.md 6", 0},
    {LB_CONVOLUTIONS, "extent", "weights_width",  LB_ROLE_WEIGHTS,  1, few,     tell_amount, "conv.md 6", 0},
    {LB_IN_FAMILY(GROUP_CONV2D), "extent", "group_channels", LB_ROLE_WEIGHTS, 2, few, tell_amount, "conv.md 8", 0},
    {UNITS,           "extent", "inputs",         LB_ROLE_WEIGHTS,  0, extents, tell_amount, "conv.md 10, recurrent.md 5.1", LENGTH},
    {UNITS,           "extent", "outputs",        LB_ROLE_OUT,      0, extents, tell_amount, "conv.md 10, recurrent.md 5.1", BLOCK},
    {LB_CELLS,        "extent", "frames",         LB_ROLE_IN,       0, few,     tell_amount, "recurrent.md 6", BYTE},
    {LB_CELLS,        "extent", "inputs",         LB_ROLE_IN,       1, extents, tell_amount, "recurrent.md 6", BLOCK},
    {LB_CELLS,        "extent", "hidden",         LB_ROLE_PREV_OUT, 0, extents, tell_amount, "recurrent.md 6", BLOCK},
    {LB_FLAT,         "extent", "in_inner",       LB_ROLE_IN,    LAST, extents, tell_amount, "elementwise.md 2", 0},
    {LB_FLAT,         "extent", "in_elements",    LB_ROLE_IN, ELEMENTS, extents, tell_amount, "elementwise.md 2", 0},
    {LB_OF_PATTERN(PAIR), "extent", "out_first", LB_ROLE_OUT, FIRST, LONG, "elementwise.md 5", BYTE},
    {LB_OF_PATTERN(PAIR),     "extent", "out_inner",    LB_ROLE_OUT,  LAST, extents, tell_amount, "elementwise.md 5", LINE},
    {LB_OF_PATTERN(PAIR),     "extent", "out_elements", LB_ROLE_OUT, ELEMENTS, extents, tell_amount, "elementwise.md 5", 0},
    {LB_OF_PATTERN(MOVEMENT), "extent", "in_inner",     LB_ROLE_IN,   LAST, extents, tell_amount, "pooling_and_movement.md 4.2", 0},
    {LB_FLAT | LB_OF_PATTERN(DENSE) | LB_OF_PATTERN(MOVEMENT), "rank", NULL, LB_ROLE_IN, RANK, any_ranks + 1, tell_amount, "elementwise.md 2, conv.md 10, pooling_and_movement.md 3", 0},
    {LB_OF_PATTERN(HELPER),   "rank", NULL, LB_ROLE_IN,  RANK, any_ranks,     tell_amount, "numerics.md 8", 0},
    {LB_OF_PATTERN(PAIR),     "rank", NULL, LB_ROLE_OUT, RANK, any_ranks + 1, tell_amount, "elementwise.md 5", 0},
    {LB_OF_PATTERN(PAIR),     "scalar", NULL, LB_ROLE_IN1,   SCALAR, scalars, tell_amount, "elementwise.md 2", 0},
    {LB_OF_PATTERN(PAIR),     "scalar", NULL, LB_ROLE_IN2,   SCALAR, scalars, tell_amount, "elementwise.md 2", 0},
    {LB_SLOPED,               "scalar", NULL, LB_ROLE_SLOPE, SCALAR, scalars, tell_amount, "elementwise.md 2", 0},
    {LB_CONVOLUTIONS, "window", "height", LB_ROLE_IN, 0, windows, tell_windows, "conv.md 6, 9", 0},
    {LB_CONVOLUTIONS, "window", "width",  LB_ROLE_IN, 1, windows, tell_windows, "conv.md 6, 9", 0},
    {LB_IN_FAMILY(GROUP_CONV2D), "groups",            "", LB_ROLE_IN,      GROUPS,  few, tell_amount, "conv.md 8", 0},
    {LB_IN_FAMILY(GROUP_CONV2D), "filters_per_group", "", LB_ROLE_WEIGHTS, FILTERS, few, tell_amount, "conv.md 8", 0},
    {LB_OF_PATTERN(CONVERSION), "types", "from_fx8",  LB_ROLE_IN, LB_FX8,  types, tell_other_type, "numerics.md 7.1", 0},
    {LB_OF_PATTERN(CONVERSION), "types", "from_fx16", LB_ROLE_IN, LB_FX16, types, tell_other_type, "numerics.md 7.1", 0},
    {LB_OF_PATTERN(CONVERSION), "types", "from_sa8",  LB_ROLE_IN, LB_SA8,  types, tell_other_type, "numerics.md 7.1", 0},
    {LB_OF_PATTERN(CONVERSION), "types", "from_sa32", LB_ROLE_IN, LB_SA32, types, tell_other_type, "numerics.md 7.1", 0},
    {LB_OF_PATTERN(CONVERSION), "types", "from_fp32", LB_ROLE_IN, LB_FP32, types, tell_other_type, "numerics.md 7.1", 0},
    {ANY_TYPE, "type", NULL, LB_ROLE_IN,  TYPE, types, tell_amount, "numerics.md 1, 8", 0},
    {ANY_TYPE, "type", NULL, LB_ROLE_IN1, TYPE, types, tell_amount, "numerics.md 1, 8", 0},
    {ANY_TYPE, "type", NULL, LB_ROLE_IN2, TYPE, types, tell_amount, "numerics.md 1, 8", 0},
    {LAID_OUT, "stride", NULL, EACH, 0, strides, tell_gaps, "numerics.md 2", 0},
    {MOVES,                "inner_stride", NULL, LB_ROLE_IN,  0, inner_strides, tell_inner, "pooling_and_movement.md 3, 4", 0},
    {LB_OF_PATTERN(ORDER), "inner_stride", NULL, LB_ROLE_OUT, 0, inner_strides, tell_inner, "pooling_and_movement.md 3", 0},
    {ON_INPUT, "place", NULL, LB_ROLE_IN,       0, places, tell_place, "elementwise.md 10, numerics.md 7.4", 0},
    {ON_INPUT, "place", NULL, LB_ROLE_IN1,      0, places, tell_place, "elementwise.md 10", 0},
    {ON_INPUT, "place", NULL, LB_ROLE_IN2,      0, places, tell_place, "elementwise.md 10", 0},
    {LB_CELLS, "place", NULL, LB_ROLE_PREV_OUT, 0, places, tell_place, "recurrent.md 6, aliasing", 0},
    {DENSE, "extent", "products", LB_ROLE_WEIGHTS, PRODUCTS, LONG, "conv.md 4", LENGTH},
    {LB_IN_FAMILY(GROUP_CONV2D), "extent", "groups", LB_ROLE_IN, GROUPS, LONG, "conv.md 8", BYTE},
    {LB_POOLS, "extent", "out_row", LB_ROLE_OUT, ROW, LONG, "pooling_and_movement.md 2", LINE},
    {LB_FLAT | LB_OF_PATTERN(MOVEMENT), "extent", "in_first", LB_ROLE_IN, FIRST, LONG, "elementwise.md 2", BYTE},
    {LB_FLAT | LB_OF_PATTERN(MOVEMENT), "extent", "in_inner", LB_ROLE_IN, LAST, LONG, "elementwise.md 2", LINE},
};
/* clang-format on */

/* The number of a tensor that a row tells, where the call has it as it is. */
static lb_leaf leaf_of(const row *r, int role)
{
    const bool is_extent = r->tell == tell_amount && r->detail >= 0;
    const bool is_rank = r->tell == tell_amount && r->detail == RANK;
    return (lb_leaf){.kind = is_extent ? LB_LEAF_EXTENT
                             : is_rank ? LB_LEAF_RANK
                                       : LB_LEAF_NONE,
                     .by = is_extent ? LB_BY_FIELD : LB_BY_ITSELF,
                     .role = (int8_t)role,
                     .dim = (int8_t)(is_extent ? r->detail : 0)};
}

static void add(lb_cover_list *list, const row *r, int role, bool is_long)
{
    if (lb_cover_has(list->kernel, (lb_role)role) && (is_long || r->points))
        lb_cover_add(
            list,
            (lb_cover_group){.class_name = is_long ? "long" : r->class_name,
                             .instance = r->instance ? r->instance : lb_role_name((lb_role)role),
                             .spec = r->spec,
                             .points = is_long ? lb_cover_yes : r->points,
                             .tell = is_long ? tell_long : r->tell,
                             .aimed_extent = is_long ? r->from : 0,
                             .id = role,
                             .detail = r->detail,
                             .leaf = is_long ? (lb_leaf){.kind = LB_LEAF_NONE} : leaf_of(r, role)});
}

/* Fixed windows above it make long sums with few channels, and dear cases with many. */
enum { MOST_WINDOW = 3 };

void lb_cover_call(lb_cover_list *list)
{
    const row *end = rows + sizeof rows / sizeof *rows;
    for (int is_long = 0; is_long <= (list->kernel->kernel_size <= MOST_WINDOW); is_long++)
        for (const row *r = rows; r < end; r++) {
            if (!lb_cover_in(list->kernel, r->families) || (is_long && r->from == 0))
                continue;
            for (int role = 0; r->role == EACH && role < LB_ROLE_COUNT; role++)
                if (role != LB_ROLE_EPSILON)
                    add(list, r, role, is_long);
            if (r->role != EACH)
                add(list, r, r->role, is_long);
        }
}
