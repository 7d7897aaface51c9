/* Which taps of a convolution meet at which output positions: see taps.h. */
#include "harness/guard/taps.h"

/* Taps at one position. They are neighbours in the kernel, or, transposed, stride positions apart:
 * the ends and the number say all. */
typedef struct tap_set {
    uint32_t position;
    uint32_t first, last; /* as lb_conv_tap counts */
    uint32_t count;
} tap_set;

static tap_set taps_at(const lb_conv_side *side, uint32_t position)
{
    tap_set set = {.position = position};
    for (uint32_t n = 0; n < side->kernel; n++) {
        lb_tap tap;
        if (!lb_conv_tap(side, position, n, &tap))
            continue;
        if (set.count++ == 0)
            set.first = n;
        set.last = n;
    }
    return set;
}

static bool is_subset(const tap_set *a, const tap_set *b, const lb_conv_side *side)
{
    uint32_t step = side->transposed ? (uint32_t)side->stride : 1;
    if (a->count == 0)
        return true;
    return b->count > 0 && a->first >= b->first && a->last <= b->last &&
           (a->first - b->first) % step == 0;
}

/* Adds the set unless one that is there holds it; those that it holds go. Gives the new number of
 * sets. */
static size_t add_set(tap_set *sets, size_t count, tap_set set, const lb_conv_side *side)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (is_subset(&set, &sets[i], side))
            return count;
    for (size_t i = 0; i < count; i++)
        if (!is_subset(&sets[i], &set, side))
            sets[kept++] = sets[i];
    sets[kept++] = set;
    return kept;
}

lb_guard_side lb_guard_side_of(lb_conv_side side, lb_arena *arena)
{
    lb_guard_side result = {.side = side};
    tap_set *sets = lb_arena_array(arena, (size_t)side.out, sizeof *sets);
    for (uint32_t position = 0; position < side.out; position++)
        result.position_count =
            add_set(sets, result.position_count, taps_at(&side, position), &side);
    result.positions = lb_arena_array(arena, result.position_count, sizeof *result.positions);
    for (size_t i = 0; i < result.position_count; i++) {
        result.positions[i] = sets[i].position;
        result.most_taps = sets[i].count > result.most_taps ? sets[i].count : result.most_taps;
    }
    return result;
}
