/* The index maps of the functions that are described by one. Spec: conv.md 6 to 9, order of
 * additions 12; pooling_and_movement.md 2.2, 3, 4; elementwise.md 2 to 9; numerics.md 7, 8. */
#include "describe/map.h"

#include <stddef.h>

/* clang-format off */

/* Leaves. */
#define NUMBER(n)        {.kind = LB_LEAF_NUMBER, .at = (n)}
#define EXTENT(role_, d) {.kind = LB_LEAF_EXTENT, .role = LB_ROLE_##role_, .dim = (d)}
#define STRIDE(role_, d) {.kind = LB_LEAF_STRIDE, .role = LB_ROLE_##role_, .dim = (d)}
#define FIELD(member)    {.kind = LB_LEAF_CONFIG, .type = LB_FIELD_U8, .at = offsetof(lb_config, member)}
#define DERIVED(n)       {.kind = LB_LEAF_DERIVED, .at = (n)}

/* Terms: a loop, one times a leaf, and leaves alone. */
#define LOOP(loop_)         {.sign = 1, .loop = (loop_)}
#define LESS_LOOP(loop_)    {.sign = -1, .loop = (loop_)}
#define TIMES(loop_, leaf_) {.sign = 1, .loop = (loop_), .times = {leaf_}}
#define PLUS(leaf_)         {.sign = 1, .loop = LB_NO_LOOP, .times = {leaf_}}
#define MINUS(leaf_)        {.sign = -1, .loop = LB_NO_LOOP, .times = {leaf_}}

/* The index of a dimension: terms; where the right map can leave the tensor, its extent. */
#define INDEX(label_, role, d, ...) {.label = (label_), .term = {__VA_ARGS__}, .stride = STRIDE(role, d)}
#define WATCHED(label_, role, d, ...) \
    {.label = (label_), .term = {__VA_ARGS__}, .bound = EXTENT(role, d), .stride = STRIDE(role, d)}
#define SPREAD(label_, role, d, by, ...) \
    {.label = (label_), .term = {__VA_ARGS__}, .divisor = by, .bound = EXTENT(role, d), .stride = STRIDE(role, d)}

/* Accesses. */
#define ELEMENTS(role_, rank_, ...) {.role = LB_ROLE_##role_, .rank = (rank_), .index = {__VA_ARGS__}}
#define PARAMETERS(role_, ...) \
    {.role = LB_ROLE_##role_, .rank = 1, .of_parameters = true, .index = {{.label = "entry", .term = {__VA_ARGS__}}}}

/* ---- Convolutions: loops ---- */

/* A filter, its rows and columns; its sum, channel by channel over the kernel. */
enum { FILTER, ROW, COLUMN, CHANNEL, KERNEL_ROW, KERNEL_COLUMN };

#define MAP_LOOPS \
    [ROW] = {"row", EXTENT(OUT, 0)}, [COLUMN] = {"column", EXTENT(OUT, 1)}
#define KERNEL_LOOPS(row_, column_) \
    [row_] = {"kernel row", EXTENT(WEIGHTS, 0)}, [column_] = {"kernel column", EXTENT(WEIGHTS, 1)}

/* conv.md 6: out * stride - padding + kernel * dilation */
#define DIRECT_ROW(row_, kernel_row) \
    WATCHED("row", IN, 0, TIMES(row_, FIELD(stride_height)), MINUS(FIELD(padding_top)), TIMES(kernel_row, FIELD(dilation_height)))
#define DIRECT_COLUMN(column_, kernel_column) \
    WATCHED("column", IN, 1, TIMES(column_, FIELD(stride_width)), MINUS(FIELD(padding_left)), TIMES(kernel_column, FIELD(dilation_width)))

static const lb_map conv2d = {
    .section = "conv.md 6 to 9, 12", .outer = 3, .loops = 6,
    .loop = {[FILTER] = {"filter", EXTENT(OUT, 2)}, MAP_LOOPS,
             [CHANNEL] = {"channel", EXTENT(WEIGHTS, 2)}, KERNEL_LOOPS(KERNEL_ROW, KERNEL_COLUMN)},
    .access = {
        [LB_MAP_OUT] = ELEMENTS(OUT, 3, INDEX("row", OUT, 0, LOOP(ROW)), INDEX("column", OUT, 1, LOOP(COLUMN)),
                                INDEX("channel", OUT, 2, LOOP(FILTER))),
        [LB_MAP_X] = ELEMENTS(IN, 3, DIRECT_ROW(ROW, KERNEL_ROW), DIRECT_COLUMN(COLUMN, KERNEL_COLUMN),
                              INDEX("channel", IN, 2, LOOP(CHANNEL))),
        [LB_MAP_W] = ELEMENTS(WEIGHTS, 4, INDEX("row", WEIGHTS, 0, LOOP(KERNEL_ROW)),
                              INDEX("column", WEIGHTS, 1, LOOP(KERNEL_COLUMN)),
                              INDEX("channel", WEIGHTS, 2, LOOP(CHANNEL)), INDEX("filter", WEIGHTS, 3, LOOP(FILTER))),
        [LB_MAP_ADDEND] = ELEMENTS(BIAS, 1, INDEX("filter", BIAS, 0, LOOP(FILTER))),
        [LB_MAP_SCALE] = PARAMETERS(WEIGHTS, LOOP(FILTER)),
    },
};

/* conv.md 9: inputs in ascending order are kernel positions in descending order, so that the sum's
 * loops count the kernel from its end: kernel = size - 1 - n, and in = (out + padding - kernel) /
 * stride, where that is a whole number. */
static const lb_map transpose_conv2d = {
    .section = "conv.md 6 to 9, 12", .outer = 3, .loops = 6,
    .loop = {[FILTER] = {"filter", EXTENT(OUT, 2)}, MAP_LOOPS,
             [CHANNEL] = {"channel", EXTENT(WEIGHTS, 2)}, KERNEL_LOOPS(KERNEL_ROW, KERNEL_COLUMN)},
    .access = {
        [LB_MAP_OUT] = ELEMENTS(OUT, 3, INDEX("row", OUT, 0, LOOP(ROW)), INDEX("column", OUT, 1, LOOP(COLUMN)),
                                INDEX("channel", OUT, 2, LOOP(FILTER))),
        [LB_MAP_X] = ELEMENTS(IN, 3,
                              SPREAD("row", IN, 0, FIELD(stride_height), LOOP(ROW), PLUS(FIELD(padding_top)),
                                     MINUS(EXTENT(WEIGHTS, 0)), PLUS(NUMBER(1)), LOOP(KERNEL_ROW)),
                              SPREAD("column", IN, 1, FIELD(stride_width), LOOP(COLUMN), PLUS(FIELD(padding_left)),
                                     MINUS(EXTENT(WEIGHTS, 1)), PLUS(NUMBER(1)), LOOP(KERNEL_COLUMN)),
                              INDEX("channel", IN, 2, LOOP(CHANNEL))),
        [LB_MAP_W] = ELEMENTS(WEIGHTS, 4,
                              INDEX("row", WEIGHTS, 0, PLUS(EXTENT(WEIGHTS, 0)), MINUS(NUMBER(1)), LESS_LOOP(KERNEL_ROW)),
                              INDEX("column", WEIGHTS, 1, PLUS(EXTENT(WEIGHTS, 1)), MINUS(NUMBER(1)), LESS_LOOP(KERNEL_COLUMN)),
                              INDEX("channel", WEIGHTS, 2, LOOP(CHANNEL)), INDEX("filter", WEIGHTS, 3, LOOP(FILTER))),
        [LB_MAP_ADDEND] = ELEMENTS(BIAS, 1, INDEX("filter", BIAS, 0, LOOP(FILTER))),
        [LB_MAP_SCALE] = PARAMETERS(WEIGHTS, LOOP(FILTER)),
    },
};

/* A channel by itself: no loop over channels in its sum (conv.md 7). */
enum { DEPTH = FILTER, DEPTH_ROW = CHANNEL, DEPTH_COLUMN = KERNEL_ROW };

static const lb_map depthwise_conv2d = {
    .section = "conv.md 6 to 9, 12", .outer = 3, .loops = 5,
    .loop = {[DEPTH] = {"channel", EXTENT(OUT, 2)}, MAP_LOOPS, KERNEL_LOOPS(DEPTH_ROW, DEPTH_COLUMN)},
    .access = {
        [LB_MAP_OUT] = ELEMENTS(OUT, 3, INDEX("row", OUT, 0, LOOP(ROW)), INDEX("column", OUT, 1, LOOP(COLUMN)),
                                INDEX("channel", OUT, 2, LOOP(DEPTH))),
        [LB_MAP_X] = ELEMENTS(IN, 3, DIRECT_ROW(ROW, DEPTH_ROW), DIRECT_COLUMN(COLUMN, DEPTH_COLUMN),
                              INDEX("channel", IN, 2, LOOP(DEPTH))),
        [LB_MAP_W] = ELEMENTS(WEIGHTS, 4, INDEX("row", WEIGHTS, 0, LOOP(DEPTH_ROW)),
                              INDEX("column", WEIGHTS, 1, LOOP(DEPTH_COLUMN)), INDEX("channel", WEIGHTS, 2, PLUS(NUMBER(0))),
                              INDEX("filter", WEIGHTS, 3, LOOP(DEPTH))),
        [LB_MAP_ADDEND] = ELEMENTS(BIAS, 1, INDEX("filter", BIAS, 0, LOOP(DEPTH))),
        [LB_MAP_SCALE] = PARAMETERS(WEIGHTS, LOOP(DEPTH)),
    },
};

/* conv.md 8: groups of channels, each with its filters. */
enum { GROUP, FILTER_OF_GROUP, GROUP_ROW, GROUP_COLUMN, GROUP_CHANNEL, GROUP_KERNEL_ROW, GROUP_KERNEL_COLUMN };
enum { GROUPS, FILTERS_OF_GROUP };
#define GROUP_FILTER TIMES(GROUP, DERIVED(FILTERS_OF_GROUP)), LOOP(FILTER_OF_GROUP)

static const lb_map group_conv2d = {
    .section = "conv.md 6 to 9, 12", .outer = 4, .loops = 7,
    .loop = {[GROUP] = {"group", DERIVED(GROUPS)}, [FILTER_OF_GROUP] = {"filter of the group", DERIVED(FILTERS_OF_GROUP)},
             [GROUP_ROW] = {"row", EXTENT(OUT, 0)}, [GROUP_COLUMN] = {"column", EXTENT(OUT, 1)},
             [GROUP_CHANNEL] = {"channel of the group", EXTENT(WEIGHTS, 2)}, KERNEL_LOOPS(GROUP_KERNEL_ROW, GROUP_KERNEL_COLUMN)},
    .access = {
        [LB_MAP_OUT] = ELEMENTS(OUT, 3, INDEX("row", OUT, 0, LOOP(GROUP_ROW)), INDEX("column", OUT, 1, LOOP(GROUP_COLUMN)),
                                INDEX("channel", OUT, 2, GROUP_FILTER)),
        [LB_MAP_X] = ELEMENTS(IN, 3, DIRECT_ROW(GROUP_ROW, GROUP_KERNEL_ROW), DIRECT_COLUMN(GROUP_COLUMN, GROUP_KERNEL_COLUMN),
                              INDEX("channel", IN, 2, TIMES(GROUP, EXTENT(WEIGHTS, 2)), LOOP(GROUP_CHANNEL))),
        [LB_MAP_W] = ELEMENTS(WEIGHTS, 4, INDEX("row", WEIGHTS, 0, LOOP(GROUP_KERNEL_ROW)),
                              INDEX("column", WEIGHTS, 1, LOOP(GROUP_KERNEL_COLUMN)),
                              INDEX("channel", WEIGHTS, 2, LOOP(GROUP_CHANNEL)), INDEX("filter", WEIGHTS, 3, GROUP_FILTER)),
        [LB_MAP_ADDEND] = ELEMENTS(BIAS, 1, INDEX("filter", BIAS, 0, GROUP_FILTER)),
        [LB_MAP_SCALE] = PARAMETERS(WEIGHTS, GROUP_FILTER),
    },
    .derived = {[GROUPS] = {"groups", EXTENT(IN, 2), EXTENT(WEIGHTS, 2), LB_QUOTIENT},
                [FILTERS_OF_GROUP] = {"filters of a group", EXTENT(WEIGHTS, 3), DERIVED(GROUPS), LB_QUOTIENT}},
};

/* ---- Fully connected: conv.md 10 ---- */

enum { UNIT, INPUT };
#define DENSE(label_, ...) {.label = (label_), .term = {__VA_ARGS__}, .stride = NUMBER(1)}
#define NUMBERED(role_, ...) {.role = LB_ROLE_##role_, .rank = 1, .is_flat = true, .index = {DENSE("number", __VA_ARGS__)}}

static const lb_map fully_connected = {
    .section = "conv.md 10", .outer = 1, .loops = 2,
    .loop = {[UNIT] = {"unit", EXTENT(OUT, 0)}, [INPUT] = {"input", EXTENT(WEIGHTS, 0)}},
    .access = {
        [LB_MAP_OUT] = NUMBERED(OUT, LOOP(UNIT)),
        [LB_MAP_X] = NUMBERED(IN, LOOP(INPUT)),
        [LB_MAP_W] = ELEMENTS(WEIGHTS, 2, INDEX("input", WEIGHTS, 0, LOOP(INPUT)), DENSE("unit", LOOP(UNIT))),
        [LB_MAP_ADDEND] = ELEMENTS(BIAS, 1, INDEX("unit", BIAS, 0, LOOP(UNIT))),
        [LB_MAP_SCALE] = PARAMETERS(WEIGHTS, LOOP(UNIT)),
    },
};

/* ---- Pooling ---- */

enum { POOL_ROW, POOL_COLUMN, POOL_CHANNEL, WINDOW_ROW, WINDOW_COLUMN };

static const lb_map pool = {
    .section = "pooling_and_movement.md 2.2", .outer = 3, .loops = 5,
    .loop = {[POOL_ROW] = {"row", EXTENT(OUT, 0)}, [POOL_COLUMN] = {"column", EXTENT(OUT, 1)},
             [POOL_CHANNEL] = {"channel", EXTENT(OUT, 2)},
             [WINDOW_ROW] = {"window row", FIELD(kernel_height)}, [WINDOW_COLUMN] = {"window column", FIELD(kernel_width)}},
    .access = {
        [LB_MAP_OUT] = ELEMENTS(OUT, 3, INDEX("row", OUT, 0, LOOP(POOL_ROW)), INDEX("column", OUT, 1, LOOP(POOL_COLUMN)),
                                INDEX("channel", OUT, 2, LOOP(POOL_CHANNEL))),
        [LB_MAP_X] = ELEMENTS(IN, 3,
                              WATCHED("row", IN, 0, TIMES(POOL_ROW, FIELD(stride_height)), MINUS(FIELD(padding_top)), LOOP(WINDOW_ROW)),
                              WATCHED("column", IN, 1, TIMES(POOL_COLUMN, FIELD(stride_width)), MINUS(FIELD(padding_left)), LOOP(WINDOW_COLUMN)),
                              INDEX("channel", IN, 2, LOOP(POOL_CHANNEL))),
    },
};

/* ---- Element by element: elementwise.md 2 to 5, recurrent.md 4, numerics.md 7 ---- */

/* Tensors of any rank, by dimensions of which those beyond the rank have one index. */
#define EACH(X) X(0), X(1), X(2), X(3)
#define EACH_OF(X, role) X(role, 0), X(role, 1), X(role, 2), X(role, 3)

#define EXTENT_BY(role_, d, by_) {.kind = LB_LEAF_EXTENT, .by = (by_), .role = LB_ROLE_##role_, .dim = (d)}
#define STRIDE_BY(role_, d, by_) {.kind = LB_LEAF_STRIDE, .by = (by_), .role = LB_ROLE_##role_, .dim = (d)}
#define MANY(role_)              {.kind = LB_LEAF_MANY, .role = LB_ROLE_##role_}
#define PER_AXIS(role_, d)       {.kind = LB_LEAF_PER_AXIS, .role = LB_ROLE_##role_, .dim = (d)}

#define LOOP_OVER(role, d) [d] = {"dimension " #d, EXTENT(role, d)}
#define PLACE(role, d)     INDEX("dimension " #d, role, d, LOOP(d))
#define PLACES(role)       ELEMENTS(role, 4, EACH_OF(PLACE, role))

/* The one element of an operand serves all places. */
#define SERVED(role, d) INDEX("dimension " #d, role, d, TIMES(d, MANY(role)))

static const lb_map eltwise = {
    .section = "elementwise.md 2, 5", .outer = 4, .loops = 4,
    .loop = {EACH_OF(LOOP_OVER, OUT)},
    .access = {[LB_MAP_OUT] = PLACES(OUT),
               [LB_MAP_X] = ELEMENTS(IN1, 4, EACH_OF(SERVED, IN1)),
               [LB_MAP_W] = ELEMENTS(IN2, 4, EACH_OF(SERVED, IN2))},
};

static const lb_map by_place = {
    .section = "elementwise.md 2", .outer = 4, .loops = 4,
    .loop = {EACH_OF(LOOP_OVER, IN)},
    .access = {[LB_MAP_OUT] = PLACES(OUT), [LB_MAP_X] = PLACES(IN)},
};

/* The entry of lists along an axis: the index there. */
#define ENTRY_ALONG(role, d) TIMES(d, PER_AXIS(role, d))

static const lb_map convert = {
    .section = "numerics.md 7", .outer = 4, .loops = 4,
    .loop = {EACH_OF(LOOP_OVER, IN)},
    .access = {[LB_MAP_OUT] = PLACES(OUT), [LB_MAP_X] = PLACES(IN),
               [LB_MAP_SCALE] = PARAMETERS(IN, EACH_OF(ENTRY_ALONG, IN)),
               [LB_MAP_SCALE_OUT] = PARAMETERS(OUT, EACH_OF(ENTRY_ALONG, OUT))},
};

/* ---- Along an axis: elementwise.md 4, 7, 8, 9 ---- */

/* Each dimension belongs to the outer loops or to those of the sum, and has one index in the others. */
#define LOOP_IF(first, d, by_) [(first) + (d)] = {"dimension " #d, EXTENT_BY(IN, d, by_)}
#define LOOPS_IF(first, by)    LOOP_IF(first, 0, by), LOOP_IF(first, 1, by), LOOP_IF(first, 2, by), LOOP_IF(first, 3, by)
#define SPLIT(role, d)         INDEX("dimension " #d, role, d, LOOP(d), LOOP(4 + (d)))
#define SPLITS(role)           ELEMENTS(role, 4, EACH_OF(SPLIT, role))

/* One slope; they are read dense, whatever the strides say (a QUIRK). */
static const lb_map leaky_relu = {
    .section = "elementwise.md 4", .outer = 0, .loops = 4,
    .loop = {EACH_OF(LOOP_OVER, IN)},
    .access = {[LB_MAP_OUT] = PLACES(OUT), [LB_MAP_X] = PLACES(IN), [LB_MAP_W] = NUMBERED(SLOPE, PLUS(NUMBER(0)))},
};

static const lb_map prelu = {
    .section = "elementwise.md 4", .outer = 4, .loops = 8,
    .loop = {LOOPS_IF(0, LB_IF_AXIS), LOOPS_IF(4, LB_IF_OTHER)},
    .access = {[LB_MAP_OUT] = SPLITS(OUT), [LB_MAP_X] = SPLITS(IN), [LB_MAP_W] = NUMBERED(SLOPE, EACH(LOOP))},
};

/* A group is a line along the axis, or the whole tensor. */
static const lb_map by_group = {
    .section = "elementwise.md 7, 8", .outer = 4, .loops = 8,
    .loop = {LOOPS_IF(0, LB_IF_NOT_GROUP), LOOPS_IF(4, LB_IF_GROUP)},
    .access = {[LB_MAP_OUT] = SPLITS(OUT), [LB_MAP_X] = SPLITS(IN)},
};

/* Slices are what lies at one index of the axis; the first entry of each row of results. */
#define TOPK              {.kind = LB_LEAF_CONFIG, .type = LB_FIELD_I32, .at = offsetof(lb_config, topk)}
#define ROW_OF_RESULTS(d) {.sign = 1, .loop = (d), .times = {TOPK}}

static const lb_map argmax = {
    .section = "elementwise.md 9", .outer = 4, .loops = 8,
    .loop = {LOOPS_IF(0, LB_IF_AXIS), LOOPS_IF(4, LB_IF_OTHER)},
    .access = {[LB_MAP_OUT] = NUMBERED(OUT, EACH(ROW_OF_RESULTS)), [LB_MAP_X] = SPLITS(IN)},
};

/* ---- Movement: pooling_and_movement.md 3, 4 ---- */

#define LIST_ENTRY(member, d, by_, type_) \
    {.kind = LB_LEAF_CONFIG, .by = (by_), .dim = (d), .type = (type_), .at = offsetof(lb_config, member)}

/* The dimension of out that is this one of in: its stride. */
#define MOVED(role_, d) {.label = "dimension " #d, .term = {LOOP(d)}, .stride = STRIDE_BY(role_, d, LB_BY_PLACE)}

static const lb_map permute = {
    .section = "pooling_and_movement.md 3", .outer = 4, .loops = 4,
    .loop = {EACH_OF(LOOP_OVER, IN)},
    .access = {[LB_MAP_OUT] = ELEMENTS(OUT, 4, EACH_OF(MOVED, OUT)), [LB_MAP_X] = PLACES(IN)},
};

/* Loops over dst; what is asked of src, in the dimension that each runs along. */
enum { BEHIND_OFFSET, PADDED_BEFORE, PADDED, LENGTH, COUNT };
#define ASKED_EXTENT(role_)          {.kind = LB_LEAF_EXTENT, .role = LB_ROLE_##role_, .dim = LB_DIM_ASKED}
#define ASKED_DERIVED(n)             {.kind = LB_LEAF_DERIVED, .dim = LB_DIM_ASKED, .at = (n)}
#define ASKED(member, type)          LIST_ENTRY(member, LB_DIM_ASKED, LB_BY_ITSELF, type)
#define ORDERED(member, d, type)     LIST_ENTRY(member, d, LB_BY_ORDER, type)
#define MOV_LOOP(d)                  [d] = {"dimension " #d, {.kind = LB_LEAF_DERIVED, .by = LB_BY_ORDER, .dim = (d), .at = COUNT}}
#define MOV_SOURCE(d)                                                                                                          \
    {.label = "dimension " #d,                                                                                                 \
     .term = {TIMES(d, ORDERED(sub_sample_step, d, LB_FIELD_U32)), PLUS(ORDERED(offset, d, LB_FIELD_U32)),                     \
              MINUS(ORDERED(padding_pre, d, LB_FIELD_U8))},                                                                    \
     .bound = EXTENT_BY(IN, d, LB_BY_ORDER), .stride = STRIDE_BY(IN, d, LB_BY_ORDER)}
#define MOV_PLACE(d) INDEX("dimension " #d, OUT, d, LOOP(d), PLUS(LIST_ENTRY(dst_offset, d, LB_BY_ITSELF, LB_FIELD_U32)))

static const lb_map mov = {
    .section = "pooling_and_movement.md 4.2", .outer = 4, .loops = 4,
    .loop = {EACH(MOV_LOOP)},
    .access = {[LB_MAP_OUT] = ELEMENTS(OUT, 4, EACH(MOV_PLACE)), [LB_MAP_X] = ELEMENTS(IN, 4, EACH(MOV_SOURCE))},
    .derived = {[BEHIND_OFFSET] = {"extent behind the offset", ASKED_EXTENT(IN), ASKED(offset, LB_FIELD_U32), LB_DIFFERENCE},
                [PADDED_BEFORE] = {"and padding before it", ASKED_DERIVED(BEHIND_OFFSET), ASKED(padding_pre, LB_FIELD_U8), LB_SUM},
                [PADDED] = {"and padding behind it", ASKED_DERIVED(PADDED_BEFORE), ASKED(padding_post, LB_FIELD_U8), LB_SUM},
                [LENGTH] = {"length", ASKED(size, LB_FIELD_U32), ASKED_DERIVED(PADDED), LB_OR},
                [COUNT] = {"elements moved", ASKED_DERIVED(LENGTH), ASKED(sub_sample_step, LB_FIELD_U32), LB_QUOTIENT_UP}},
};

/* ---- Views: numerics.md 8.3, 8.4. No loops: the one element at which the view begins ---- */

#define OFFSET(d)          LIST_ENTRY(offset, d, LB_BY_ITSELF, LB_FIELD_U32)
#define VIEW_INDEX(d)      INDEX("dimension " #d, IN, d, PLUS(OFFSET(d)))
#define VIEW_ENTRY(d)      {.sign = 1, .loop = LB_NO_LOOP, .times = {OFFSET(d), PER_AXIS(IN, d)}}

static const lb_map create_subtensor = {
    .section = "numerics.md 8.3",
    .access = {[LB_MAP_X] = ELEMENTS(IN, 4, EACH(VIEW_INDEX)), [LB_MAP_SCALE] = PARAMETERS(IN, EACH(VIEW_ENTRY))},
};

#define COORDINATE(d)                                                                                                          \
    {.label = "dimension " #d, .term = {PLUS(LIST_ENTRY(start_coord, d, LB_BY_COUNT, LB_FIELD_U32))},                          \
     .stride = {.kind = LB_LEAF_INNER, .role = LB_ROLE_IN, .dim = (d)}}

static const lb_map point_to_subtensor = {
    .section = "numerics.md 8.4",
    .access = {[LB_MAP_X] = ELEMENTS(IN, 4, EACH(COORDINATE))},
};

/* clang-format on */

static const lb_map *const maps[LB_FAMILY_COUNT] = {
    [LB_FAMILY_CONV2D] = &conv2d,
    [LB_FAMILY_DEPTHWISE_CONV2D] = &depthwise_conv2d,
    [LB_FAMILY_GROUP_CONV2D] = &group_conv2d,
    [LB_FAMILY_TRANSPOSE_CONV2D] = &transpose_conv2d,
    [LB_FAMILY_FULLY_CONNECTED] = &fully_connected,
    [LB_FAMILY_MAXPOOL] = &pool,
    [LB_FAMILY_AVEPOOL] = &pool,
    [LB_FAMILY_ELTWISE] = &eltwise,
    [LB_FAMILY_RELU] = &by_place,
    [LB_FAMILY_SIGM] = &by_place,
    [LB_FAMILY_TANH] = &by_place,
    [LB_FAMILY_CONVERT] = &convert,
    [LB_FAMILY_LEAKY_RELU] = &leaky_relu,
    [LB_FAMILY_PRELU] = &prelu,
    [LB_FAMILY_SOFTMAX] = &by_group,
    [LB_FAMILY_L2_NORMALIZE] = &by_group,
    [LB_FAMILY_ARGMAX] = &argmax,
    [LB_FAMILY_PERMUTE] = &permute,
};

const lb_map *lb_map_of(const lb_kernel *kernel)
{
    if (kernel->map)
        return kernel->map;
    if (kernel->config_kind == LB_CONFIG_MOV && kernel->family == LB_FAMILY_MOV)
        return &mov;
    if (kernel->config_kind == LB_CONFIG_SUB_TENSOR)
        return &create_subtensor;
    return kernel->config_kind == LB_CONFIG_POINT_TO_SUBTENSOR ? &point_to_subtensor
                                                               : maps[kernel->family];
}
