/* Which taps of a convolution meet at which output positions, and the positions that matter for a
 * bound: at any other position a subset of the taps of one of these meets, so that its sums lie
 * within theirs. Spec: conv.md 6 to 9. */
#ifndef LB_HARNESS_GUARD_TAPS_H
#define LB_HARNESS_GUARD_TAPS_H

#include "harness/base/arena.h"
#include "reference/conv_taps.h"

/* One direction, height or width. */
typedef struct lb_guard_side {
    lb_conv_side side;
    uint32_t *positions; /* output positions that matter */
    size_t position_count;
    uint32_t most_taps; /* at one position */
} lb_guard_side;

lb_guard_side lb_guard_side_of(lb_conv_side side, lb_arena *arena);

#endif
