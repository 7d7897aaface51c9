/* Binding index maps to calls: see map.h. */
#include "map.h"

/* Can the index leave its bounds, or fall between, at any position of the loops? */
static bool can_leave(const lb_bound_map *bound, const lb_bound_index *index, bool has_bound)
{
    int64_t low = index->base, high = index->base;
    for (unsigned i = 0; i < index->count; i++) {
        int64_t far = index->step[i] * ((int64_t)bound->extent[index->loop[i]] - 1);
        low += far < 0 ? far : 0;
        high += far > 0 ? far : 0;
    }
    return index->divisor != 1 || (has_bound && (low < index->low || high >= index->bound));
}

static void follow_loops(lb_bound_index *index, const int64_t *step)
{
    for (uint8_t l = 0; l < LB_MAP_LOOPS; l++)
        if (step[l] != 0) {
            index->loop[index->count] = l;
            index->step[index->count++] = step[l];
            index->follows = (uint8_t)(index->follows | 1u << l);
        }
}

static bool bind_index(const lb_bound_map *bound, lb_bound_index *to, const lb_index *index,
                       const lb_map *map, const lb_call *call)
{
    int64_t step[LB_MAP_LOOPS] = {0};
    to->base = 0;
    to->low = index->cut_before;
    to->divisor = lb_leaf_value(map, call, index->divisor);
    to->bound =
        index->reads_on ? INT64_MAX : lb_leaf_value(map, call, index->bound) - index->cut_behind;
    to->stride = lb_leaf_value(map, call, index->stride);
    to->follows = 0;
    to->count = 0;
    for (unsigned t = 0; t < LB_MAP_TERMS && index->term[t].sign != 0; t++) {
        const lb_term *term = &index->term[t];
        int64_t value = term->sign;
        for (unsigned f = 0; f < LB_MAP_FACTORS; f++)
            if (term->times[f].kind != LB_LEAF_NONE)
                value *= lb_leaf_value(map, call, term->times[f]);
        *(term->loop == LB_NO_LOOP ? &to->base : &step[term->loop]) += value;
    }
    follow_loops(to, step);
    to->not_below_0 = LB_MAP_LOOPS;
    for (uint8_t i = 0; index->begins_inside && i < to->count; i++)
        if (to->loop[i] >= bound->outer && to->not_below_0 == LB_MAP_LOOPS)
            to->not_below_0 = i;
    to->window = index->from_first_inside && to->count > 0
                     ? to->step[to->count - 1] * bound->extent[to->loop[to->count - 1]]
                     : 0;
    to->counts = index->counts;
    to->cuts = index->cuts;
    to->cut_by = index->cuts != 0 ? lb_leaf_value(map, call, index->cut_by) : 0;
    to->is_watched = can_leave(bound, to, index->bound.kind != LB_LEAF_NONE);
    return to->divisor > 0 && to->cut_by >= (index->cuts != 0);
}

static uint8_t front_of(const lb_access *access, const lb_call *call)
{
    const bool ends = access->rank > 0 && access->index[0].stride.by == LB_BY_END;
    return (uint8_t)(ends ? access->rank - call->tensor[access->role]->rank : 0);
}

static bool bind_accesses(lb_bound_map *bound, const lb_map *map, const lb_call *call)
{
    for (unsigned a = 0; a < LB_MAP_ACCESSES; a++) {
        const lb_access *access = &map->access[a];
        bound->access[a].rank = access->rank;
        bound->access[a].is_spread = false;
        bound->access[a].front = front_of(access, call);
        for (unsigned d = 0; d < access->rank; d++) {
            bound->access[a].is_spread |= access->index[d].divisor.kind != LB_LEAF_NONE;
            if (!bind_index(bound, &bound->access[a].index[d], &access->index[d], map, call))
                return false;
            bound->counts_others |= access->index[d].counts != 0;
        }
    }
    return true;
}

/* Adds what an index comes to in elements, times the sign, to another one. */
static void add_index(int64_t *base, int64_t *step, const lb_bound_index *index, int sign)
{
    *base += sign * index->base * index->stride;
    for (unsigned i = 0; i < index->count; i++)
        step[index->loop[i]] += sign * index->step[i] * index->stride;
}

/* Elements are found as `seen` says, and lie inside as before: what is between the two goes to the
 * innermost index, whose elements are one apart. False: nothing can take it. */
static bool move_addresses(lb_bound_access *access, const lb_bound_access *seen)
{
    lb_bound_index *last = &access->index[access->rank - 1];
    int64_t base = 0, step[LB_MAP_LOOPS] = {0};
    if (last->is_watched || last->stride != 1 || last->divisor != 1 || access->is_spread)
        return false;
    add_index(&base, step, last, 1);
    for (unsigned d = 0; d + 1 < access->rank; d++) {
        add_index(&base, step, &seen->index[d], 1);
        add_index(&base, step, &access->index[d], -1);
    }
    last->base = base;
    last->count = last->follows = 0;
    follow_loops(last, step);
    return true;
}

/* Of an edited map: the call as its indices see it. */
static bool bind_seen_otherwise(lb_bound_map *bound, const lb_map *map, const lb_call *call)
{
    lb_bound_map other = *bound;
    lb_call seen = *call;
    seen.config = *map->of_indices;
    return !map->of_addresses
               ? bind_accesses(bound, map, &seen)
               : bind_accesses(bound, map, call) && bind_accesses(&other, map, &seen) &&
                     move_addresses(&bound->access[LB_MAP_X], &other.access[LB_MAP_X]);
}

static uint32_t lost_of(uint32_t extent, uint8_t blocks)
{
    if (blocks == LB_BUT_LAST)
        return extent > 1;
    return blocks > 0 && extent > blocks ? extent % blocks : 0;
}

bool lb_map_bind(lb_bound_map *bound, const lb_map *map, const lb_call *call)
{
    bound->outer = map->outer;
    bound->loops = map->loops;
    bound->counts_others = false;
    for (unsigned l = 0; l < map->loops; l++) {
        int64_t extent = lb_leaf_value(map, call, map->loop[l].extent);
        if (extent < 0 || extent > UINT32_MAX)
            return false;
        bound->lost[l] = lost_of((uint32_t)extent, map->blocks[l]);
        bound->extent[l] = (uint32_t)extent - bound->lost[l];
        bound->counts_others |= bound->lost[l] > 0;
    }
    return map->of_indices ? bind_seen_otherwise(bound, map, call)
                           : bind_accesses(bound, map, call);
}
