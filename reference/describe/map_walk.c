/* Walking bound index maps: see map_walk.h. */
#include "map_walk.h"

#include <string.h>

/* Before the division. */
static int64_t sum_at(const lb_bound_index *index, const uint32_t *at)
{
    int64_t sum = index->base;
    for (unsigned i = 0; i < index->count; i++) {
        sum = i == index->not_below_0 && sum < 0 ? 0 : sum;
        sum += index->step[i] * at[index->loop[i]];
    }
    return sum;
}

/* Of a sum: the index, and whether it lies inside. */
static bool divide(const lb_bound_index *index, int64_t sum, int64_t *value)
{
    const bool is_short = (uint64_t)(sum | index->divisor) <= UINT32_MAX; /* a faster division */
    *value = index->divisor == 1 ? sum
             : is_short          ? (int64_t)((uint32_t)sum / (uint32_t)index->divisor)
                                 : sum / index->divisor;
    return !index->is_watched || (sum >= 0 && *value * index->divisor == sum &&
                                  *value >= index->low && *value < index->bound);
}

/* Where the window begins: its loop of the sum is the last one that an index follows. */
static int64_t begin_of(const lb_bound_index *index, const uint32_t *at, int64_t sum)
{
    const unsigned last = index->count - 1u;
    return sum - index->step[last] * at[index->loop[last]];
}

/* Of a window that is cut to the tensor and taken from its first position inside on. */
static bool cut_at(const lb_bound_index *index, const uint32_t *at, int64_t sum, int64_t *value)
{
    const int64_t begin = begin_of(index, at, sum), step = index->step[index->count - 1u];
    *value = sum + (begin < 0 ? (step - 1 - begin) / step * step : 0);
    return *value < begin + index->window && *value < index->bound;
}

/* Is the position left out at an end that cuts the window? */
static bool is_cut(const lb_bound_index *index, const uint32_t *at, int64_t sum)
{
    const int64_t position = at[index->loop[index->count - 1u]], begin = begin_of(index, at, sum);
    const int64_t over = index->bound - begin, by = index->cut_by;
    if (index->cuts & LB_END_BEFORE)
        return begin < 0 && position < (by - 1 - begin) / by;
    return position >= (index->cuts & LB_END_ROUNDED_DOWN ? over : over + by - 1) / by;
}

bool lb_index_at(const lb_bound_index *index, const uint32_t *at, int64_t *value)
{
    const int64_t sum = sum_at(index, at);
    if (index->window != 0)
        return cut_at(index, at, sum, value);
    return divide(index, sum, value) &&
           (index->cuts == 0 || !index->is_watched || !is_cut(index, at, sum));
}

bool lb_access_at(const lb_bound_map *bound, lb_map_access access, const uint32_t *at,
                  int64_t index[LB_MAX_RANK])
{
    const lb_bound_access *a = &bound->access[access];
    bool is_inside = true;
    for (unsigned d = 0; d < a->rank; d++)
        is_inside = lb_index_at(&a->index[d], at, &index[d]) && is_inside;
    return is_inside;
}

size_t lb_access_offset(const lb_bound_map *bound, lb_map_access access, const uint32_t *at)
{
    const lb_bound_access *a = &bound->access[access];
    int64_t offset = 0;
    for (unsigned d = 0; d < a->rank; d++) {
        int64_t value;
        (void)lb_index_at(&a->index[d], at, &value);
        offset += value * a->index[d].stride;
    }
    return (size_t)offset;
}

size_t lb_access_flat(const lb_bound_map *bound, lb_map_access access, const uint32_t *at,
                      const lb_tensor *t)
{
    int64_t index[LB_MAX_RANK], flat = 0;
    const unsigned front = bound->access[access].front;
    (void)lb_access_at(bound, access, at, index);
    for (unsigned d = 0; d < t->rank && front + d < bound->access[access].rank; d++)
        flat = flat * t->shape[d] + index[front + d];
    return (size_t)flat;
}

bool lb_map_first(const lb_bound_map *bound, unsigned first, unsigned end, uint32_t *at)
{
    for (unsigned l = first; l < end; l++) {
        at[l] = 0;
        if (bound->extent[l] == 0)
            return false;
    }
    return true;
}

/* The outermost loop that moved; -1: that was the last position, and they stand at 0 again. */
static int move_on(const lb_bound_map *bound, unsigned first, unsigned end, uint32_t *at)
{
    while (end-- > first) {
        if (++at[end] < bound->extent[end])
            return (int)end;
        at[end] = 0;
    }
    return -1;
}

bool lb_map_next(const lb_bound_map *bound, unsigned first, unsigned end, uint32_t *at)
{
    return move_on(bound, first, end, at) >= 0;
}

/* ---- The sum of one output ---- */

uint64_t lb_map_sum_length(const lb_bound_map *bound)
{
    uint64_t length = 1;
    for (unsigned l = bound->outer; l < bound->loops; l++)
        length *= bound->extent[l];
    return length;
}

static unsigned sum_loops(const lb_bound_map *bound)
{
    return (1u << bound->loops) - (1u << bound->outer);
}

static bool is_one_bit(unsigned bits)
{
    return (bits & (bits - 1)) == 0;
}

/* Every watched index follows one loop of the sum at most. */
static bool is_by_loops(const lb_bound_map *bound)
{
    const unsigned sum = sum_loops(bound);
    for (unsigned a = LB_MAP_X; a <= LB_MAP_W; a++)
        for (unsigned d = 0; d < bound->access[a].rank; d++) {
            const lb_bound_index *index = &bound->access[a].index[d];
            if (index->is_watched && !is_one_bit(index->follows & sum))
                return false;
        }
    return true;
}

static bool is_watched_along(const lb_bound_map *bound, unsigned loop)
{
    for (unsigned a = LB_MAP_X; a <= LB_MAP_W; a++)
        for (unsigned d = 0; d < bound->access[a].rank; d++) {
            const lb_bound_index *index = &bound->access[a].index[d];
            if (index->is_watched && (index->follows >> loop & 1))
                return true;
        }
    return false;
}

static int64_t step_along(const lb_bound_index *index, unsigned loop)
{
    for (unsigned i = 0; i < index->count; i++)
        if (index->loop[i] == loop)
            return index->step[i];
    return 0;
}

/* What an access adds to its offset at the positions of a loop of the sum: indices that are watched
 * whole, others by their step. */
typedef struct loop_part {
    int64_t step;
    unsigned count;
    const lb_bound_index *watched[LB_MAX_RANK];
} loop_part;

static loop_part part_of(const lb_bound_access *access, unsigned loop)
{
    loop_part part = {.step = 0};
    for (unsigned d = 0; d < access->rank; d++) {
        const lb_bound_index *index = &access->index[d];
        if (!(index->follows >> loop & 1))
            continue;
        if (index->is_watched)
            part.watched[part.count++] = index;
        else
            part.step += step_along(index, loop) * index->stride;
    }
    return part;
}

/* False: an index lies outside. */
static bool part_at(const loop_part *part, unsigned loop, const uint32_t *at, size_t *offset)
{
    int64_t sum = part->step * at[loop];
    for (unsigned i = 0; i < part->count; i++) {
        int64_t value;
        if (!lb_index_at(part->watched[i], at, &value))
            return false;
        sum += value * part->watched[i]->stride;
    }
    *offset = (size_t)sum;
    return true;
}

/* What is left: where the loops of the sum stand at 0, without the watched indices that follow one
 * of them. False: an index lies outside at every position of them. */
static bool first_at(const lb_bound_map *bound, const lb_bound_access *access, const uint32_t *at,
                     size_t *first)
{
    int64_t offset = 0;
    for (unsigned d = 0; d < access->rank; d++) {
        const lb_bound_index *index = &access->index[d];
        int64_t value;
        if (index->is_watched && (index->follows & sum_loops(bound)))
            continue;
        if (!lb_index_at(index, at, &value))
            return false;
        offset += value * index->stride;
    }
    *first = (size_t)offset;
    return true;
}

/* The parts of a loop's positions that lie inside; gives how many. parts: NULL, if only that. */
static unsigned list_parts(const lb_bound_map *bound, unsigned loop, const uint32_t *outer,
                           lb_tap_offsets *parts)
{
    uint32_t at[LB_MAP_LOOPS];
    lb_tap_offsets part;
    unsigned count = 0;
    const loop_part x = part_of(&bound->access[LB_MAP_X], loop),
                    weight = part_of(&bound->access[LB_MAP_W], loop);
    memcpy(at, outer, sizeof at);
    for (at[loop] = 0; at[loop] < bound->extent[loop]; at[loop]++) {
        if (!part_at(&x, loop, at, &part.x) || !part_at(&weight, loop, at, &part.weight))
            continue;
        if (parts)
            parts[count] = part;
        count++;
    }
    return count;
}

/* Each entry of the list with each of the parts. */
static void multiply_list(lb_map_terms *terms, const lb_tap_offsets *parts, unsigned count)
{
    for (unsigned i = terms->tap_count; i-- > 0;) {
        const lb_tap_offsets entry = terms->list[i];
        for (unsigned n = count; n-- > 0;)
            terms->list[i * count + n] =
                (lb_tap_offsets){entry.x + parts[n].x, entry.weight + parts[n].weight};
    }
    terms->tap_count *= count;
}

static lb_map_run run_along(const lb_bound_map *bound, unsigned loop)
{
    size_t step[2] = {0, 0};
    for (unsigned a = LB_MAP_X; a <= LB_MAP_W; a++)
        for (unsigned d = 0; d < bound->access[a].rank; d++) {
            const lb_bound_index *index = &bound->access[a].index[d];
            step[a - LB_MAP_X] += (size_t)(step_along(index, loop) * index->stride);
        }
    return (lb_map_run){step[0], step[1], bound->extent[loop]};
}

bool lb_map_ends_in_run(const lb_bound_map *bound, lb_map_run *run)
{
    if (bound->loops == bound->outer || is_watched_along(bound, bound->loops - 1))
        return false;
    *run = run_along(bound, bound->loops - 1);
    return true;
}

bool lb_map_can_list(const lb_bound_map *bound)
{
    uint64_t most = 1;
    unsigned loop = bound->outer;
    if (loop < bound->loops && !is_watched_along(bound, loop))
        loop++;
    for (; loop < bound->loops && most <= LB_MAP_MOST_TAPS; loop++)
        most *= bound->extent[loop];
    return most <= LB_MAP_MOST_TAPS && is_by_loops(bound);
}

void lb_map_list(const lb_bound_map *bound, const uint32_t *at, lb_map_terms *terms)
{
    unsigned loop = bound->outer;
    terms->count = 1;
    terms->x_step = terms->weight_step = 0;
    terms->list[0] = (lb_tap_offsets){0, 0};
    terms->tap_count = first_at(bound, &bound->access[LB_MAP_X], at, &terms->first.x) &&
                               first_at(bound, &bound->access[LB_MAP_W], at, &terms->first.weight)
                           ? 1
                           : 0;
    if (loop < bound->loops && !is_watched_along(bound, loop)) {
        const lb_map_run run = run_along(bound, loop++);
        terms->x_step = run.x_step;
        terms->weight_step = run.weight_step;
        terms->count = run.count;
    }
    for (; loop < bound->loops && terms->tap_count > 0; loop++) {
        lb_tap_offsets parts[LB_MAP_MOST_TAPS];
        multiply_list(terms, parts, list_parts(bound, loop, at, parts));
    }
}

void lb_map_move_list(const lb_bound_map *bound, const uint32_t *at, lb_map_terms *terms)
{
    (void)first_at(bound, &bound->access[LB_MAP_X], at, &terms->first.x);
    (void)first_at(bound, &bound->access[LB_MAP_W], at, &terms->first.weight);
}

/* Takes an index, and notes whether it lies outside. */
static void take_index(lb_map_taps *taps, unsigned d)
{
    const bool is_inside =
        lb_index_at(&taps->bound->access[LB_MAP_X].index[d], taps->at, &taps->x[d]);
    taps->outside = (taps->outside & ~(1u << d)) | (is_inside ? 0 : 1u << d);
}

lb_map_taps lb_map_taps_at(const lb_bound_map *bound, const uint32_t *at, bool asks_outside)
{
    lb_map_taps taps = {.bound = bound, .asks_outside = asks_outside, .loops = bound->loops};
    memcpy(taps.at, at, sizeof taps.at);
    for (unsigned d = 0; d < bound->access[LB_MAP_X].rank; d++)
        if (bound->access[LB_MAP_X].index[d].follows == 0)
            take_index(&taps, d);
    return taps;
}

/* Where an index is that lies outside, no loop within those that it follows brings it inside: the
 * end of the loops that are left to be gone on with. */
static unsigned end_outside(const lb_map_taps *taps)
{
    const lb_bound_map *bound = taps->bound;
    unsigned end = taps->loops;
    for (unsigned d = 0; d < bound->access[LB_MAP_X].rank; d++) {
        unsigned last = taps->loops;
        if (!(taps->outside >> d & 1))
            continue;
        while (last > bound->outer && !(bound->access[LB_MAP_X].index[d].follows >> (last - 1) & 1))
            last--;
        end = last < end ? last : end;
    }
    return end;
}

/* Of the indices those that follow the loops from `moved` on. */
static void take_indices(lb_map_taps *taps, int moved)
{
    for (unsigned d = 0; d < taps->bound->access[LB_MAP_X].rank; d++)
        if (taps->bound->access[LB_MAP_X].index[d].follows >> moved != 0)
            take_index(taps, d);
}

/* The outermost loop whose position is new; -1: there is no position. */
static int begin_taps(lb_map_taps *taps)
{
    const lb_bound_map *bound = taps->bound;
    taps->is_begun = true;
    for (unsigned l = taps->loops; l < bound->loops; l++)
        taps->at[l] = 0;
    return lb_map_first(bound, bound->outer, taps->loops, taps->at) ? 0 : -1;
}

bool lb_map_next_tap(lb_map_taps *taps)
{
    const lb_bound_map *bound = taps->bound;
    int moved =
        taps->is_begun ? move_on(bound, bound->outer, taps->loops, taps->at) : begin_taps(taps);
    for (; moved >= 0; moved = move_on(bound, bound->outer, end_outside(taps), taps->at)) {
        take_indices(taps, moved);
        if (taps->outside == 0 || taps->asks_outside) {
            taps->number++;
            return true;
        }
    }
    return false;
}

static uint64_t count_each_inside(const lb_bound_map *bound, const uint32_t *outer)
{
    lb_map_taps taps = lb_map_taps_at(bound, outer, false);
    int64_t index[LB_MAX_RANK];
    uint64_t inside = 0;
    while (lb_map_next_tap(&taps))
        inside += lb_access_at(bound, LB_MAP_W, taps.at, index) ? 1 : 0;
    return inside;
}

/* Does a divisor count the position of a loop of the sum? */
static bool is_counted(const lb_bound_map *bound, unsigned loop, const uint32_t *at)
{
    const lb_bound_access *x = &bound->access[LB_MAP_X];
    for (unsigned d = 0; d < x->rank; d++) {
        const lb_bound_index *index = &x->index[d];
        int64_t value;
        if (!(index->follows >> loop & 1) || lb_index_at(index, at, &value))
            continue;
        if (!(index->counts & (value < index->low ? LB_END_BEFORE : LB_END_BEHIND)))
            return false;
    }
    return true;
}

uint64_t lb_map_counted(const lb_bound_map *bound, const uint32_t *outer, uint64_t inside)
{
    uint64_t count = 1;
    uint32_t at[LB_MAP_LOOPS];
    if (!bound->counts_others)
        return inside;
    memcpy(at, outer, sizeof at);
    for (unsigned l = bound->outer; l < bound->loops; l++) {
        const uint64_t before = count;
        for (at[l] = 0, count = 0; at[l] < bound->extent[l] + bound->lost[l]; at[l]++)
            count += is_counted(bound, l, at) ? before : 0;
        at[l] = 0;
    }
    return count;
}

uint64_t lb_map_inside(const lb_bound_map *bound, const uint32_t *outer)
{
    size_t first;
    if (!is_by_loops(bound))
        return count_each_inside(bound, outer);
    uint64_t inside = first_at(bound, &bound->access[LB_MAP_X], outer, &first) &&
                              first_at(bound, &bound->access[LB_MAP_W], outer, &first)
                          ? 1
                          : 0;
    for (unsigned l = bound->outer; l < bound->loops; l++)
        inside *= is_watched_along(bound, l) ? list_parts(bound, l, outer, NULL) : bound->extent[l];
    return inside;
}
