/* Walking a map element by element: the outer loops, and at each position of them those of the sum.
 * Offsets of the accesses are carried along from position to position; only indices that can lie
 * outside are looked at one by one. */
#ifndef LB_REFERENCE_DESCRIBE_MAP_CURSOR_H
#define LB_REFERENCE_DESCRIBE_MAP_CURSOR_H

#include "core/num.h"
#include "map_walk.h"

/* Loops of more than one position, from `first` to below `end`. */
typedef struct lb_moving_loops {
    uint8_t loop[LB_MAP_LOOPS];
    unsigned count;
} lb_moving_loops;

typedef struct lb_map_cursor {
    const lb_map *map;
    lb_tensor *tensor[LB_MAP_ACCESSES];
    lb_bound_map bound;
    lb_moving_loops outer, sum;
    unsigned accesses; /* up to the last that the map has */
    bool is_done;      /* nobody looks at outputs beyond those of the first position */
    uint32_t at[LB_MAP_LOOPS];
    size_t
        offset[LB_MAP_ACCESSES]; /* of the accesses at this position, as if nothing lay outside */
    size_t step[LB_MAP_ACCESSES][LB_MAP_LOOPS];
} lb_map_cursor;

/* Binds the function's map, or that of the context, and goes to the first position of all loops;
 * false: there is none. */
bool lb_cursor_first(lb_map_cursor *e, const lb_context *context, lb_call *call);
/* The next position of the outer loops, which leaves those of the sum alone; false: that was the
 * last. */
bool lb_cursor_next(lb_map_cursor *e);
/* The next position of the loops of the sum; false: that was the last, and they stand at the first
 * again. */
bool lb_cursor_next_in_sum(lb_map_cursor *e);
/* Does the element of an access lie inside its tensor? */
bool lb_cursor_is_inside(const lb_map_cursor *e, lb_map_access access);
/* The index of the element that an access reaches in its tensor. */
void lb_cursor_index(const lb_map_cursor *e, lb_map_access access, uint32_t index[LB_MAX_RANK]);
/* The listener, if it wants the output element at this position; else NULL. */
lb_steps *lb_cursor_steps(const lb_map_cursor *e, lb_steps *steps);
/* The listener, if it wants some output element that the loops of the sum reach from here: the
 * first four outer loops are those of the dimensions. */
lb_steps *lb_cursor_steps_of_sum(const lb_map_cursor *e, lb_steps *steps);

lb_num lb_cursor_told(const lb_map_cursor *e, lb_map_access access, lb_origin origin, int32_t value,
                      lb_steps *steps);

/* The element of an access at this position, which lies inside. */
static inline lb_num lb_cursor_load(const lb_map_cursor *e, lb_map_access access, lb_origin origin,
                                    lb_steps *steps)
{
    const int32_t value = lb_load(e->tensor[access], e->offset[access]);
    return !steps ? lb_num_const(value) : lb_cursor_told(e, access, origin, value, steps);
}

/* Stores the output element. */
static inline void lb_cursor_store(const lb_map_cursor *e, lb_steps *steps, lb_num value)
{
    lb_num_store(steps, e->tensor[LB_MAP_OUT], e->offset[LB_MAP_OUT], value);
}

#endif
