/* The index maps of LiteRT: see maps.h. Tensors are dense; activations are NHWC, filters OHWI
 * (litert.1.2). */
#include "maps.h"

#include "fields.h"

#include <stddef.h>

/* clang-format off */

/* Leaves. */
#define NUMBER(n)           {.kind = LB_LEAF_NUMBER, .at = (n)}
#define EXTENT(role_, d)    {.kind = LB_LEAF_EXTENT, .role = LB_ROLE_##role_, .dim = (d)}
#define STRIDE(role_, d)    {.kind = LB_LEAF_STRIDE, .role = LB_ROLE_##role_, .dim = (d)}
#define COUNT(role_)        {.kind = LB_LEAF_COUNT, .role = LB_ROLE_##role_}
#define DERIVED(n)          {.kind = LB_LEAF_DERIVED, .at = (n)}
#define FIELD(name)         {.kind = LB_LEAF_CONFIG, .type = LB_FIELD_I32, .at = offsetof(lb_config, litert.name)}
/* Of tensors of several ranks, in the dimensions of four: the last is the last. */
#define END(kind_, role_, d) {.kind = LB_LEAF_##kind_, .by = LB_BY_END, .role = LB_ROLE_##role_, .dim = (d)}

/* Terms: a loop, one times leaves, and leaves alone. */
#define LOOP(loop_)         {.sign = 1, .loop = (loop_)}
#define LESS_LOOP(loop_)    {.sign = -1, .loop = (loop_)}
#define TIMES(loop_, ...)   {.sign = 1, .loop = (loop_), .times = {__VA_ARGS__}}
#define PLUS(leaf_)         {.sign = 1, .loop = LB_NO_LOOP, .times = {leaf_}}
#define MINUS(leaf_)        {.sign = -1, .loop = LB_NO_LOOP, .times = {leaf_}}

/* The index of a dimension; where the right map can leave the tensor, its extent. */
#define INDEX(label_, role, d, ...)      {.label = (label_), .term = {__VA_ARGS__}, .stride = STRIDE(role, d)}
#define WATCHED(label_, role, d, ...)    {.label = (label_), .term = {__VA_ARGS__}, .bound = EXTENT(role, d), .stride = STRIDE(role, d)}
#define SPREAD(label_, role, d, by, ...) {.label = (label_), .term = {__VA_ARGS__}, .divisor = by, .bound = EXTENT(role, d), .stride = STRIDE(role, d)}

/* Accesses. */
#define ELEMENTS(role_, rank_, ...) {.role = LB_ROLE_##role_, .rank = (rank_), .index = {__VA_ARGS__}}
#define NUMBERED(role_, ...)        {.role = LB_ROLE_##role_, .rank = 1, .is_flat = true, \
                                     .index = {{.label = "number", .term = {__VA_ARGS__}, .stride = NUMBER(1)}}}

/* An entry of a list, which need not be there. */
#define LIST(role_, label_, ...)    {.role = LB_ROLE_##role_, .rank = 1, \
                                     .index = {{.label = (label_), .term = {__VA_ARGS__}, .stride = NUMBER(1)}}}

/* ---- 4 to 6: convolutions ---- */

enum { BATCH, ROW, COLUMN };
#define IMAGE_LOOPS [BATCH] = {"image", EXTENT(OUT, 0)}, [ROW] = {"row", EXTENT(OUT, 1)}, [COLUMN] = {"column", EXTENT(OUT, 2)}
#define KERNEL_LOOPS(row_, column_) \
    [row_] = {"kernel row", EXTENT(WEIGHTS, 1)}, [column_] = {"kernel column", EXTENT(WEIGHTS, 2)}
#define OUTPUTS(...) \
    ELEMENTS(OUT, 4, INDEX("image", OUT, 0, LOOP(BATCH)), INDEX("row", OUT, 1, LOOP(ROW)), INDEX("column", OUT, 2, LOOP(COLUMN)), \
             INDEX("channel", OUT, 3, __VA_ARGS__))
#define DIRECT(row_, column_) \
    INDEX("image", IN, 0, LOOP(BATCH)), \
    WATCHED("row", IN, 1, TIMES(ROW, FIELD(stride_height)), MINUS(FIELD(padding_top)), TIMES(row_, FIELD(dilation_height))), \
    WATCHED("column", IN, 2, TIMES(COLUMN, FIELD(stride_width)), MINUS(FIELD(padding_left)), TIMES(column_, FIELD(dilation_width)))

/* Groups: output channels of one see the input channels of one (litert.4). */
enum { GROUP = 3, FILTER, KERNEL_ROW, KERNEL_COLUMN, CHANNEL };
enum { GROUPS, FILTERS };
#define GROUP_FILTER TIMES(GROUP, DERIVED(FILTERS)), LOOP(FILTER)

const lb_map lb_lite_map_conv_2d = {
    .section = "litert.4", .outer = 5, .loops = 8,
    .loop = {IMAGE_LOOPS, [GROUP] = {"group", DERIVED(GROUPS)}, [FILTER] = {"filter of the group", DERIVED(FILTERS)},
             KERNEL_LOOPS(KERNEL_ROW, KERNEL_COLUMN), [CHANNEL] = {"channel of the group", EXTENT(WEIGHTS, 3)}},
    .access = {
        [LB_MAP_OUT] = OUTPUTS(GROUP_FILTER),
        [LB_MAP_X] = ELEMENTS(IN, 4, DIRECT(KERNEL_ROW, KERNEL_COLUMN),
                              INDEX("channel", IN, 3, TIMES(GROUP, EXTENT(WEIGHTS, 3)), LOOP(CHANNEL))),
        [LB_MAP_W] = ELEMENTS(WEIGHTS, 4, INDEX("filter", WEIGHTS, 0, GROUP_FILTER), INDEX("row", WEIGHTS, 1, LOOP(KERNEL_ROW)),
                              INDEX("column", WEIGHTS, 2, LOOP(KERNEL_COLUMN)), INDEX("channel", WEIGHTS, 3, LOOP(CHANNEL))),
        [LB_MAP_ADDEND] = LIST(BIAS, "filter", GROUP_FILTER),
        [LB_MAP_SCALE] = LIST(MULTIPLIER, "filter", GROUP_FILTER),
        [LB_MAP_SCALE_OUT] = LIST(SHIFT, "filter", GROUP_FILTER),
    },
    .derived = {[GROUPS] = {"groups", EXTENT(IN, 3), EXTENT(WEIGHTS, 3), LB_QUOTIENT},
                [FILTERS] = {"filters of a group", EXTENT(WEIGHTS, 0), DERIVED(GROUPS), LB_QUOTIENT}},
};

/* An input channel, and the outputs that are made of it (litert.5). */
enum { DEPTH = 3, MULTIPLE, DEPTH_ROW, DEPTH_COLUMN };
#define DEPTH_FILTER TIMES(DEPTH, FIELD(depth_multiplier)), LOOP(MULTIPLE)

const lb_map lb_lite_map_depthwise_conv_2d = {
    .section = "litert.5", .outer = 5, .loops = 7,
    .loop = {IMAGE_LOOPS, [DEPTH] = {"channel", EXTENT(IN, 3)}, [MULTIPLE] = {"filter of the channel", FIELD(depth_multiplier)},
             KERNEL_LOOPS(DEPTH_ROW, DEPTH_COLUMN)},
    .access = {
        [LB_MAP_OUT] = OUTPUTS(DEPTH_FILTER),
        [LB_MAP_X] = ELEMENTS(IN, 4, DIRECT(DEPTH_ROW, DEPTH_COLUMN), INDEX("channel", IN, 3, LOOP(DEPTH))),
        [LB_MAP_W] = ELEMENTS(WEIGHTS, 4, INDEX("filter", WEIGHTS, 0, PLUS(NUMBER(0))), INDEX("row", WEIGHTS, 1, LOOP(DEPTH_ROW)),
                              INDEX("column", WEIGHTS, 2, LOOP(DEPTH_COLUMN)), INDEX("channel", WEIGHTS, 3, DEPTH_FILTER)),
        [LB_MAP_ADDEND] = LIST(BIAS, "filter", DEPTH_FILTER),
        [LB_MAP_SCALE] = LIST(MULTIPLIER, "filter", DEPTH_FILTER),
        [LB_MAP_SCALE_OUT] = LIST(SHIFT, "filter", DEPTH_FILTER),
    },
};

/* in = (out + padding - kernel) / stride, where that is a whole number; kernel positions from the last, so that inputs ascend
 * (litert.6). */
enum { UNIT = 3, SPREAD_ROW, SPREAD_COLUMN, SPREAD_CHANNEL };

const lb_map lb_lite_map_transpose_conv = {
    .section = "litert.6", .outer = 4, .loops = 7,
    .loop = {IMAGE_LOOPS, [UNIT] = {"filter", EXTENT(WEIGHTS, 0)}, KERNEL_LOOPS(SPREAD_ROW, SPREAD_COLUMN),
             [SPREAD_CHANNEL] = {"channel", EXTENT(WEIGHTS, 3)}},
    .access = {
        [LB_MAP_OUT] = OUTPUTS(LOOP(UNIT)),
        [LB_MAP_X] = ELEMENTS(IN, 4, INDEX("image", IN, 0, LOOP(BATCH)),
                              SPREAD("row", IN, 1, FIELD(stride_height), LOOP(ROW), PLUS(FIELD(padding_top)), MINUS(EXTENT(WEIGHTS, 1)),
                                     PLUS(NUMBER(1)), LOOP(SPREAD_ROW)),
                              SPREAD("column", IN, 2, FIELD(stride_width), LOOP(COLUMN), PLUS(FIELD(padding_left)), MINUS(EXTENT(WEIGHTS, 2)),
                                     PLUS(NUMBER(1)), LOOP(SPREAD_COLUMN)),
                              INDEX("channel", IN, 3, LOOP(SPREAD_CHANNEL))),
        [LB_MAP_W] = ELEMENTS(WEIGHTS, 4, INDEX("filter", WEIGHTS, 0, LOOP(UNIT)),
                              INDEX("row", WEIGHTS, 1, PLUS(EXTENT(WEIGHTS, 1)), MINUS(NUMBER(1)), LESS_LOOP(SPREAD_ROW)),
                              INDEX("column", WEIGHTS, 2, PLUS(EXTENT(WEIGHTS, 2)), MINUS(NUMBER(1)), LESS_LOOP(SPREAD_COLUMN)),
                              INDEX("channel", WEIGHTS, 3, LOOP(SPREAD_CHANNEL))),
        [LB_MAP_ADDEND] = LIST(BIAS, "filter", LOOP(UNIT)),
        [LB_MAP_SCALE] = LIST(MULTIPLIER, "filter", LOOP(UNIT)),
        [LB_MAP_SCALE_OUT] = LIST(SHIFT, "filter", LOOP(UNIT)),
    },
};

/* ---- 7: fully connected. Rows of the input, of whatever rank ---- */

enum { DENSE_ROW, DENSE_UNIT, DENSE_INPUT };
enum { DENSE_ROWS };

const lb_map lb_lite_map_fully_connected = {
    .section = "litert.7", .outer = 2, .loops = 3,
    .loop = {[DENSE_ROW] = {"row", DERIVED(DENSE_ROWS)}, [DENSE_UNIT] = {"unit", EXTENT(WEIGHTS, 0)},
             [DENSE_INPUT] = {"input", EXTENT(WEIGHTS, 1)}},
    .access = {
        [LB_MAP_OUT] = NUMBERED(OUT, TIMES(DENSE_ROW, EXTENT(WEIGHTS, 0)), LOOP(DENSE_UNIT)),
        [LB_MAP_X] = NUMBERED(IN, TIMES(DENSE_ROW, EXTENT(WEIGHTS, 1)), LOOP(DENSE_INPUT)),
        [LB_MAP_W] = ELEMENTS(WEIGHTS, 2, INDEX("unit", WEIGHTS, 0, LOOP(DENSE_UNIT)), INDEX("input", WEIGHTS, 1, LOOP(DENSE_INPUT))),
        [LB_MAP_ADDEND] = LIST(BIAS, "unit", LOOP(DENSE_UNIT)),
        [LB_MAP_SCALE] = LIST(MULTIPLIER, "unit", LOOP(DENSE_UNIT)),
        [LB_MAP_SCALE_OUT] = LIST(SHIFT, "unit", LOOP(DENSE_UNIT)),
    },
    .derived = {[DENSE_ROWS] = {"rows", COUNT(OUT), EXTENT(WEIGHTS, 0), LB_QUOTIENT}},
};

/* ---- 8: pooling ---- */

enum { POOL_CHANNEL = 3, WINDOW_ROW, WINDOW_COLUMN };

const lb_map lb_lite_map_pool = {
    .section = "litert.8", .outer = 4, .loops = 6,
    .loop = {IMAGE_LOOPS, [POOL_CHANNEL] = {"channel", EXTENT(OUT, 3)},
             [WINDOW_ROW] = {"window row", FIELD(filter_height)}, [WINDOW_COLUMN] = {"window column", FIELD(filter_width)}},
    .access = {
        [LB_MAP_OUT] = OUTPUTS(LOOP(POOL_CHANNEL)),
        [LB_MAP_X] = ELEMENTS(IN, 4, INDEX("image", IN, 0, LOOP(BATCH)),
                              WATCHED("row", IN, 1, TIMES(ROW, FIELD(stride_height)), MINUS(FIELD(padding_top)), LOOP(WINDOW_ROW)),
                              WATCHED("column", IN, 2, TIMES(COLUMN, FIELD(stride_width)), MINUS(FIELD(padding_left)), LOOP(WINDOW_COLUMN)),
                              INDEX("channel", IN, 3, LOOP(POOL_CHANNEL))),
    },
};

/* ---- 9, 10, 13 to 18: element by element ---- */

#define EACH(X)          X(0), X(1), X(2), X(3)
#define EACH_OF(X, role) X(role, 0), X(role, 1), X(role, 2), X(role, 3)

/* Shapes are aligned at the last dimension; where one of two dimensions is 1, its element repeats. */
#define LOOP_AT_END(d)         [d] = {"dimension " #d " of four", END(EXTENT, OUT, d)}
#define PLACE_AT_END(role, d)  {.label = "dimension " #d " of four", .term = {LOOP(d)}, .stride = END(STRIDE, role, d)}
#define REPEATED_AT_END(role, d) \
    {.label = "dimension " #d " of four", .term = {TIMES(d, END(REPEATED, role, d))}, .stride = END(STRIDE, role, d)}

const lb_map lb_lite_map_broadcast = {
    .section = "litert.9", .outer = 4, .loops = 4,
    .loop = {EACH(LOOP_AT_END)},
    .access = {[LB_MAP_OUT] = ELEMENTS(OUT, 4, EACH_OF(PLACE_AT_END, OUT)),
               [LB_MAP_X] = ELEMENTS(IN1, 4, EACH_OF(REPEATED_AT_END, IN1)),
               [LB_MAP_W] = ELEMENTS(IN2, 4, EACH_OF(REPEATED_AT_END, IN2))},
};

const lb_map lb_lite_map_by_place = {
    .section = "litert.13 to litert.18", .outer = 1, .loops = 1,
    .loop = {[0] = {"element", COUNT(OUT)}},
    .access = {[LB_MAP_OUT] = NUMBERED(OUT, LOOP(0)), [LB_MAP_X] = NUMBERED(IN, LOOP(0))},
};

/* ---- 11, 12, 20: rows, along the last dimension ---- */

enum { LINE, IN_LINE };
enum { LINES };
#define LAST(role) END(EXTENT, role, 3)

const lb_map lb_lite_map_rows = {
    .section = "litert.11, litert.12, litert.20", .outer = 1, .loops = 2,
    .loop = {[LINE] = {"row", DERIVED(LINES)}, [IN_LINE] = {"element of the row", LAST(IN)}},
    .access = {[LB_MAP_OUT] = NUMBERED(OUT, TIMES(LINE, LAST(IN)), LOOP(IN_LINE)),
               [LB_MAP_X] = NUMBERED(IN, TIMES(LINE, LAST(IN)), LOOP(IN_LINE))},
    .derived = {[LINES] = {"rows", COUNT(IN), LAST(IN), LB_QUOTIENT}},
};

/* ---- 19: over the listed dimensions ---- */

#define IN_BY(d, by_)  {.kind = LB_LEAF_EXTENT, .by = (by_), .role = LB_ROLE_IN, .dim = (d)}
#define KEPT(d)        IN_BY(d, LB_IF_UNLISTED)
#define KEPT_LOOP(d)   [d] = {"dimension " #d ", kept", KEPT(d)}
#define SUM_LOOP(d)    [4 + (d)] = {"dimension " #d ", reduced", IN_BY(d, LB_IF_LISTED)}
#define SPLIT(role, d) INDEX("dimension " #d, role, d, LOOP(d), LOOP(4 + (d)))
enum { LAST_TWO };

const lb_map lb_lite_map_reduce = {
    .section = "litert.19", .outer = 4, .loops = 8,
    .loop = {EACH(KEPT_LOOP), EACH(SUM_LOOP)},
    .access = {[LB_MAP_OUT] = NUMBERED(OUT, TIMES(0, KEPT(1), DERIVED(LAST_TWO)), TIMES(1, DERIVED(LAST_TWO)), TIMES(2, KEPT(3)), LOOP(3)),
               [LB_MAP_X] = ELEMENTS(IN, 4, EACH_OF(SPLIT, IN))},
    .derived = {[LAST_TWO] = {"elements of the last two dimensions", KEPT(2), KEPT(3), LB_PRODUCT}},
};

/* clang-format on */
