/* Output positions that matter for a bound: see positions.h. */
#include "harness/guard/positions.h"

#include "reference/describe/map_walk.h"

#include <string.h>

/* Which positions of a loop of the sum lie inside at one output position: a bit for each. */
typedef struct tap_set {
    uint32_t position;
    uint64_t *inside;
} tap_set;

typedef struct side {
    const lb_bound_map *bound;
    unsigned loop;
    size_t words; /* of a set */
} side;

static const lb_bound_index *index_along(const lb_bound_map *bound, unsigned loop, unsigned d)
{
    const lb_bound_access *x = &bound->access[LB_MAP_X];
    const bool cuts = d < x->rank && x->index[d].is_watched && (x->index[d].follows >> loop & 1);
    return cuts ? &x->index[d] : NULL;
}

bool lb_guard_is_position(const lb_bound_map *bound, unsigned loop)
{
    for (unsigned a = LB_MAP_W; a <= LB_MAP_SCALE; a++)
        for (unsigned d = 0; d < bound->access[a].rank; d++)
            if (bound->access[a].index[d].follows >> loop & 1)
                return false;
    return true;
}

/* The bits of one index, from `first` on; gives the bit behind them. */
static size_t put_inside(const side *s, const lb_bound_index *index, uint32_t position,
                         uint64_t *inside, size_t first)
{
    uint32_t at[LB_MAP_LOOPS] = {0};
    at[s->loop] = position;
    for (unsigned l = s->bound->outer; l < s->bound->loops; l++) {
        if (!(index->follows >> l & 1))
            continue;
        for (at[l] = 0; at[l] < s->bound->extent[l]; at[l]++, first++) {
            int64_t value;
            if (lb_index_at(index, at, &value))
                inside[first / 64] |= (uint64_t)1 << first % 64;
        }
        at[l] = 0;
    }
    return first;
}

static size_t bits_of(const side *s)
{
    size_t bits = 0;
    for (unsigned d = 0; d < LB_MAX_RANK; d++) {
        const lb_bound_index *index = index_along(s->bound, s->loop, d);
        for (unsigned l = s->bound->outer; index && l < s->bound->loops; l++)
            bits += index->follows >> l & 1 ? s->bound->extent[l] : 0;
    }
    return bits;
}

static void take_set(const side *s, uint32_t position, tap_set *set)
{
    size_t bit = 0;
    set->position = position;
    memset(set->inside, 0, s->words * sizeof *set->inside);
    for (unsigned d = 0; d < LB_MAX_RANK; d++) {
        const lb_bound_index *index = index_along(s->bound, s->loop, d);
        bit = index ? put_inside(s, index, position, set->inside, bit) : bit;
    }
}

static bool is_subset(const side *s, const tap_set *a, const tap_set *b)
{
    for (size_t w = 0; w < s->words; w++)
        if (a->inside[w] & ~b->inside[w])
            return false;
    return true;
}

/* Adds the set unless one that is there holds it; those that it holds go. Gives the new number. */
static size_t add_set(const side *s, tap_set *sets, size_t count, tap_set *set)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (is_subset(s, set, &sets[i]))
            return count;
    for (size_t i = 0; i < count; i++)
        if (!is_subset(s, &sets[i], set)) {
            tap_set held = sets[kept];
            sets[kept++] = sets[i];
            sets[i] = held;
        }
    tap_set room = sets[kept];
    sets[kept++] = *set;
    *set = room;
    return kept;
}

lb_guard_positions lb_guard_positions_of(const lb_bound_map *bound, unsigned loop, lb_arena *arena)
{
    side s = {.bound = bound, .loop = loop};
    s.words = bits_of(&s) / 64 + 1;
    const size_t extent = bound->extent[loop];
    tap_set *sets = lb_arena_array(arena, extent + 1, sizeof *sets);
    size_t made = 0, count = 0;
    tap_set set = {.inside = lb_arena_array(arena, s.words, sizeof(uint64_t))};
    for (uint32_t position = 0; position < extent; position++) {
        /* Sets are memory for as many as there are at once. */
        if (count == made)
            sets[made++] = (tap_set){.inside = lb_arena_array(arena, s.words, sizeof(uint64_t))};
        take_set(&s, position, &set);
        count = add_set(&s, sets, count, &set);
    }
    lb_guard_positions positions = {.items = lb_arena_array(arena, count + 1, sizeof(uint32_t)),
                                    .count = count};
    for (size_t i = 0; i < count; i++)
        positions.items[i] = sets[i].position;
    return positions;
}
