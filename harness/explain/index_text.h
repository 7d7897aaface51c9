/* Indices in words: what the index map of a function says of an element that it reads, as a formula
 * of labels, and with the numbers of an output element. */
#ifndef LB_HARNESS_EXPLAIN_INDEX_TEXT_H
#define LB_HARNESS_EXPLAIN_INDEX_TEXT_H

#include "harness/base/arena.h"
#include "reference/describe/map_walk.h"

/* The index of an access in one dimension of its tensor. */
typedef struct lb_index_line {
    lb_map_access access;
    unsigned dim;
    const char *name;    /* "in.row"; of parameters "weights.scale[]" */
    const char *formula; /* "row * stride_height - padding_top + kernel row * dilation_height" */
    const char *numbers; /* "3 * 2 - 1 + (0 to 2) * 1"; of loops of the sum all positions */
    int64_t low, high;   /* of what that is */
    int64_t extent;      /* of the dimension */
    bool is_plain;       /* the formula is a label alone */
    bool can_leave;      /* it can lie outside, or between elements */
} lb_index_line;

enum { LB_MOST_INDEX_LINES = LB_MAP_ACCESSES * LB_MAX_RANK };

/* The lines of the element that the map reads for element `flat` of its output: of all dimensions
 * that the tensors have. 0: the call has no map, or does not store that element. Text comes from
 * the arena. */
size_t lb_index_lines(const lb_call *call, lb_role out, size_t flat, lb_arena *arena,
                      lb_index_line lines[LB_MOST_INDEX_LINES]);

/* The formula alone. */
const char *lb_index_formula(const lb_call *call, const lb_index *index, lb_arena *arena);

#endif
