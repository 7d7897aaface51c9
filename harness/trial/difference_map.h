/* Where an output differs, as a picture of at most 64 by 64 cells: an edge, a channel, a corner
 * show at a glance. */
#ifndef LB_HARNESS_TRIAL_DIFFERENCE_MAP_H
#define LB_HARNESS_TRIAL_DIFFERENCE_MAP_H

#include "harness/base/arena.h"
#include "harness/call/call_memory.h"

#include "reports/results.h"

/* Two values that should be the same: of element number `flat` in the tensor's shape. */
typedef void (*lb_map_values)(const void *user, size_t flat, int32_t *expected, int32_t *got);

/* Draws the map of an output of this layout into the result, unless it has one. Rows are the first
 * half of the dimensions (of [H,W,C]: H), columns the others, the last one running fastest; where
 * there are more than 64 a cell stands for several elements and shows the largest difference. Of
 * fp32 it is the distance of the bit patterns. `c` is the case whose operands are told of the first
 * cells that differ; NULL: they are not. */
void lb_difference_map_draw(lb_result *result, const char *role, const lb_layout *layout,
                            lb_map_values values, const void *user, const lb_case *c,
                            lb_arena *arena);

#endif
