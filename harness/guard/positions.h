/* Output positions that matter for the bound of a sum: at any other position a subset of the taps
 * of one of these meets, so that its sums lie within theirs. From the function's index map. */
#ifndef LB_HARNESS_GUARD_POSITIONS_H
#define LB_HARNESS_GUARD_POSITIONS_H

#include "harness/base/arena.h"
#include "reference/describe/map.h"

typedef struct lb_guard_positions {
    uint32_t *items;
    size_t count;
} lb_guard_positions;

/* Of an outer loop along which outputs share their weights. */
lb_guard_positions lb_guard_positions_of(const lb_bound_map *bound, unsigned loop, lb_arena *arena);

/* Do the outputs along this outer loop share their weights? If not, another position of it is
 * another channel. */
bool lb_guard_is_position(const lb_bound_map *bound, unsigned loop);

#endif
