/* Walking a bound map: the indices and offsets of its accesses at positions of its loops, the terms
 * of a sum one by one, and as a list for fused loops. `at` holds a position of each loop; those of
 * the sum are set by the walk. */
#ifndef LB_REFERENCE_DESCRIBE_MAP_WALK_H
#define LB_REFERENCE_DESCRIBE_MAP_WALK_H

#include "core/products.h"
#include "map.h"

/* The index in one dimension; false: it lies outside, or between elements (then *index is the
 * quotient, rounded towards 0). */
bool lb_index_at(const lb_bound_index *index, const uint32_t *at, int64_t *value);
/* All indices of an access; false: some dimension lies outside. */
bool lb_access_at(const lb_bound_map *bound, lb_map_access access, const uint32_t *at,
                  int64_t index[LB_MAX_RANK]);
/* The offset in elements of an access that lies inside (of parameters: the entry). */
size_t lb_access_offset(const lb_bound_map *bound, lb_map_access access, const uint32_t *at);

/* The row-major number, in its tensor, of the element that an access reaches. */
size_t lb_access_flat(const lb_bound_map *bound, lb_map_access access, const uint32_t *at,
                      const lb_tensor *t);

/* The first position of the loops from `first` to below `end`; false: there is none. */
bool lb_map_first(const lb_bound_map *bound, unsigned first, unsigned end, uint32_t *at);
/* The next one, the last loop fastest; false: that was the last, and they stand at 0 again. */
bool lb_map_next(const lb_bound_map *bound, unsigned first, unsigned end, uint32_t *at);

/* ---- The sum of one output, listed for fused loops ---- */

enum { LB_MAP_MOST_TAPS = 256 };

/* The terms that lie inside, at one output. Where nothing that can lie outside follows the first
 * loop of the sum, it is a run of `count`, and the list is that of its first position; else count
 * is 1 and the list holds all. */
typedef struct lb_map_terms {
    unsigned tap_count;
    lb_tap_offsets list[LB_MAP_MOST_TAPS];
    lb_tap_offsets first; /* what is added to each of the list */
    size_t x_step, weight_step, count;
} lb_map_terms;

/* Can they be listed? No: there are more of them than a list holds, or an index that can lie
 * outside follows several loops of the sum. */
bool lb_map_can_list(const lb_bound_map *bound);
/* `at`: the output; loops of the sum stand at 0. Without an access LB_MAP_W its offsets are 0. */
void lb_map_list(const lb_bound_map *bound, const uint32_t *at, lb_map_terms *terms);
/* Moves the list to an output at which the same terms lie inside: `first` alone changes. */
void lb_map_move_list(const lb_bound_map *bound, const uint32_t *at, lb_map_terms *terms);

/* Elements one behind the other along a loop: how far apart, and how many. */
typedef struct lb_map_run {
    size_t x_step, weight_step, count;
} lb_map_run;

/* Is the last loop of the sum a run, as nothing that can lie outside follows it? False: no. */
bool lb_map_ends_in_run(const lb_bound_map *bound, lb_map_run *run);

/* Goes through the positions of the sum at one output, those of which LB_MAP_X lies inside. */
typedef struct lb_map_taps {
    const lb_bound_map *bound;
    bool asks_outside; /* the others too */
    bool is_begun;
    uint8_t loops; /* the last ones of the map's may be left out: they stand at 0 */
    uint32_t at[LB_MAP_LOOPS];
    int64_t x[LB_MAX_RANK]; /* the index of LB_MAP_X */
    unsigned outside;       /* a bit for each dimension of it that lies outside */
    uint64_t number;        /* of the tap, from 1 */
} lb_map_taps;

/* `at`: the output. */
lb_map_taps lb_map_taps_at(const lb_bound_map *bound, const uint32_t *at, bool asks_outside);
/* False: there are no more. */
bool lb_map_next_tap(lb_map_taps *taps);

/* Positions of the loops of the sum. */
uint64_t lb_map_sum_length(const lb_bound_map *bound);
/* How many terms of the sum lie inside at this output. */
uint64_t lb_map_inside(const lb_bound_map *bound, const uint32_t *at);
/* How many of them a divisor counts: those `inside`, but where an edited map says otherwise. */
uint64_t lb_map_counted(const lb_bound_map *bound, const uint32_t *at, uint64_t inside);

#endif
