/* The families of functions, a row for each: what the other parts need to know of a family before
 * they look at its calls. A new family begins here. */
#ifndef LB_REFERENCE_FAMILIES_H
#define LB_REFERENCE_FAMILIES_H

#include "litert/rows.h"

/* Which elements of its inputs an output element is computed from. */
typedef enum lb_reach {
    LB_REACH_PLACE,  /* those of its own place */
    LB_REACH_WINDOW, /* those under a window of rows and columns */
    LB_REACH_DENSE,  /* all of the inputs, and its column of the weights */
    LB_REACH_OWN     /* as the family has it */
} lb_reach;

/* Whose quantization parameters the results depend on. */
typedef enum lb_formats {
    LB_FORMATS_NONE,   /* containers are compared or moved as they are */
    LB_FORMATS_INPUTS, /* the output has the format of the input, or a fixed one */
    LB_FORMATS_SCALES, /* likewise; zero points go out of differences of elements */
    LB_FORMATS_ZEROS,  /* likewise; scales go out of ratios of them */
    LB_FORMATS_ALL
} lb_formats;

/* Which fields of its output tensors a function writes. */
typedef enum lb_written {
    LB_WRITTEN_NONE,
    LB_WRITTEN_FORMAT,           /* quantization parameters */
    LB_WRITTEN_FORMAT_AND_LISTS, /* and lists of them along an axis */
    LB_WRITTEN_LAYOUT,           /* rank, shape, strides */
    LB_WRITTEN_OWN               /* differs from function to function */
} lb_written;

/* What a function sums up in an accumulator. */
typedef enum lb_sums {
    LB_SUMS_NONE,
    LB_SUMS_ONE,    /* products of one tensor, elements of a window or a group */
    LB_SUMS_OF_MANY /* products of several tensors, which a kernel may add in any order */
} lb_sums;

/* Tables that it looks into: bits 1 << lb_lut_kind. */
typedef enum lb_tables {
    LB_TABLES_NONE,
    LB_TABLES_SIGM = 1,
    LB_TABLES_TANH = 2,
    LB_TABLES_GATES = LB_TABLES_SIGM | LB_TABLES_TANH,
    LB_TABLES_SOFTMAX = 4,
    LB_TABLES_L2_NORMALIZE = 8
} lb_tables;

/* Operands and way of computing that families have in common: who makes or takes apart their calls
 * asks for this, so that a family that is like others is served with them. */
typedef enum lb_pattern {
    LB_PATTERN_CONVOLUTION,
    LB_PATTERN_DENSE,
    LB_PATTERN_DENSE_LISTS, /* of lists of inputs and weights */
    LB_PATTERN_CELL,
    LB_PATTERN_POOL,
    LB_PATTERN_SLICES, /* places of the largest in slices */
    LB_PATTERN_LIMITS,
    LB_PATTERN_SLOPES,
    LB_PATTERN_CURVE, /* one element looked up in a table */
    LB_PATTERN_GROUP, /* a tensor, or lines along an axis, as a whole */
    LB_PATTERN_PAIR,
    LB_PATTERN_ORDER,
    LB_PATTERN_TABLE, /* makes a table */
    LB_PATTERN_CONVERSION,
    LB_PATTERN_HELPER,
    LB_PATTERN_MOVEMENT,
    LB_PATTERN_CODES, /* of four bits */
    LB_PATTERN_LITERT,
    LB_PATTERN_COUNT
} lb_pattern;

/* code, name, section of the spec that says which calls it refuses, lb_reach, lb_formats,
 * lb_written, lb_sums, lb_tables, lb_pattern */
/* clang-format off */
#define LB_FAMILIES(X) \
    X(CONV2D, "conv2d", "conv.md 11", WINDOW, ALL, NONE, ONE, NONE, CONVOLUTION) \
    X(DEPTHWISE_CONV2D, "depthwise_conv2d", "conv.md 11", WINDOW, ALL, NONE, ONE, NONE, CONVOLUTION) \
    X(GROUP_CONV2D, "group_conv2d", "conv.md 11", WINDOW, ALL, NONE, ONE, NONE, CONVOLUTION) \
    X(TRANSPOSE_CONV2D, "transpose_conv2d", "conv.md 11", WINDOW, ALL, NONE, ONE, NONE, CONVOLUTION) \
    X(FULLY_CONNECTED, "fully_connected", "conv.md 11", DENSE, ALL, NONE, ONE, NONE, DENSE) \
    X(RNN_DENSE, "rnn_dense", "recurrent.md 5.5", DENSE, ALL, NONE, OF_MANY, NONE, DENSE_LISTS) \
    X(LSTM, "lstm", "recurrent.md 7", OWN, ALL, LAYOUT, OF_MANY, GATES, CELL) \
    X(GRU, "gru", "recurrent.md 7", OWN, ALL, LAYOUT, OF_MANY, GATES, CELL) \
    X(MAXPOOL, "maxpool", "pooling_and_movement.md 2.1", WINDOW, NONE, FORMAT, NONE, NONE, POOL) \
    X(AVEPOOL, "avepool", "pooling_and_movement.md 2.1", WINDOW, ALL, NONE, ONE, NONE, POOL) \
    X(ARGMAX, "argmax", "elementwise.md 2", OWN, NONE, FORMAT, NONE, NONE, SLICES) \
    X(RELU, "relu", "elementwise.md 2", PLACE, INPUTS, FORMAT, NONE, NONE, LIMITS) \
    X(LEAKY_RELU, "leaky_relu", "elementwise.md 2", PLACE, ALL, NONE, NONE, NONE, SLOPES) \
    X(PRELU, "prelu", "elementwise.md 2", PLACE, ALL, NONE, NONE, NONE, SLOPES) \
    X(SIGM, "sigm", "recurrent.md 4", PLACE, INPUTS, FORMAT, NONE, SIGM, CURVE) \
    X(TANH, "tanh", "recurrent.md 4", PLACE, INPUTS, FORMAT, NONE, TANH, CURVE) \
    X(SOFTMAX, "softmax", "elementwise.md 2", OWN, SCALES, FORMAT, ONE, SOFTMAX, GROUP) \
    X(L2_NORMALIZE, "l2_normalize", "elementwise.md 2", OWN, ZEROS, FORMAT, ONE, L2_NORMALIZE, GROUP) \
    X(ELTWISE, "eltwise", "elementwise.md 2", PLACE, ALL, NONE, NONE, NONE, PAIR) \
    X(PERMUTE, "permute", "pooling_and_movement.md 3", OWN, NONE, FORMAT_AND_LISTS, NONE, NONE, ORDER) \
    X(LUT, "lut", "recurrent.md 3", OWN, NONE, OWN, NONE, NONE, TABLE) \
    X(CONVERT, "convert", "numerics.md 7.5", PLACE, ALL, NONE, NONE, NONE, CONVERSION) \
    X(HELPER, "helper", "numerics.md 8", OWN, NONE, OWN, NONE, NONE, HELPER) \
    X(MOV, "mov", "pooling_and_movement.md 4.1", OWN, NONE, OWN, NONE, NONE, MOVEMENT) \
    X(FLOAT4, "float4", "numerics.md 2", OWN, NONE, NONE, NONE, NONE, CODES)
/* clang-format on */

#define LB_FAMILY_CODE(code, ...) LB_FAMILY_##code,
typedef enum lb_family { LB_FAMILIES(LB_FAMILY_CODE) LB_LITERT_FAMILIES(LB_FAMILY_CODE) } lb_family;
#define LB_FAMILY_ONE(code, ...) +1
/* LB_FAMILY_COUNT: those of MLI, which stand first. */
enum {
    LB_FAMILY_COUNT = LB_FAMILIES(LB_FAMILY_ONE),
    LB_FAMILY_COUNT_OF_ALL = LB_FAMILY_COUNT LB_LITERT_FAMILIES(LB_FAMILY_ONE)
};

typedef struct lb_family_row {
    const char *name;     /* "conv2d", ... */
    const char *refusals; /* "conv.md 11", ... */
    lb_reach reach;
    lb_formats formats;
    lb_written written;
    lb_sums sums;
    lb_tables tables;
    lb_pattern pattern;
} lb_family_row;

extern const lb_family_row lb_families[LB_FAMILY_COUNT_OF_ALL];

const char *lb_family_name(lb_family family);
int lb_family_find(const char *name); /* -1: there is none */

#endif
