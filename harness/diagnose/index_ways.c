/* Index maps in which one loop is counted in another way: from its end, in blocks, by another loop.
 * Which loops there are, and what an input's place is made of, the function's index map says. */
#include "harness/diagnose/index_map.h"

#include <inttypes.h>
#include <string.h>

typedef enum way {
    BACKWARDS,
    FIRST,
    LAST,
    NEXT,
    BEFORE,
    PAIRED,
    BY_OTHER, /* position of loop k */
    BY_OUT,   /* index k of out */
    /* By each k: */
    DIVIDED,
    REST,
    WHOLE_BLOCKS,
    WAYS
} way;

typedef struct counting {
    way way;
    int64_t k;
} counting;

enum { MOST_K = 64 };

/* p of n; of BY_OTHER and BY_OUT: p is the other's. */
static int64_t counted(counting c, int64_t p, int64_t n)
{
    switch (c.way) {
    case BACKWARDS:
        return n - 1 - p;
    case FIRST:
        return 0;
    case LAST:
        return n - 1;
    case NEXT:
        return (p + 1) % n;
    case BEFORE:
        return (p + n - 1) % n;
    case PAIRED:
        return (p ^ 1) < n ? p ^ 1 : p;
    case BY_OTHER:
    case BY_OUT:
        return p % n;
    case DIVIDED:
        return p / c.k;
    case REST:
        return p % c.k;
    case WHOLE_BLOCKS:
        return p - p % c.k;
    case WAYS:
        break;
    }
    return p;
}

/* Of what `name` counts. */
static const char *counted_text(counting c, const char *name, lb_arena *arena)
{
    switch (c.way) {
    case BACKWARDS:
        return lb_arena_printf(arena, "the last - %s", name);
    case FIRST:
        return "0";
    case LAST:
        return "the last";
    case NEXT:
        return lb_arena_printf(arena, "%s + 1, 0 after the last", name);
    case BEFORE:
        return lb_arena_printf(arena, "%s - 1, the last before 0", name);
    case PAIRED:
        return lb_arena_printf(arena, "%s xor 1", name);
    case BY_OTHER:
    case BY_OUT:
        return lb_arena_printf(arena, "%s mod extent", name);
    case DIVIDED:
        return lb_arena_printf(arena, "%s / %" PRId64, name, c.k);
    case REST:
        return lb_arena_printf(arena, "%s mod %" PRId64, name, c.k);
    case WHOLE_BLOCKS:
        return lb_arena_printf(arena, "%s - %s mod %" PRId64, name, name, c.k);
    case WAYS:
        break;
    }
    return name;
}

/* The next way; k below `others`, `dimensions`, or from 2 to below `n`, which counts the positions.
 * False: that was the last. */
static bool next_counting(counting *c, int64_t others, int64_t dimensions, int64_t n)
{
    const int64_t end = c->way == BY_OTHER  ? others
                        : c->way == BY_OUT  ? dimensions
                        : c->way >= DIVIDED ? (n < MOST_K ? n : MOST_K)
                                            : 0;
    if (++c->k < end)
        return true;
    c->way++;
    c->k = c->way >= DIVIDED ? 2 : 0;
    return c->way < WAYS;
}

/* ---- Entries of lists ---- */

static bool gives_entries(const lb_index_map *m, counting c)
{
    for (size_t i = 0; i < m->weight_count * m->outputs; i++)
        if (m->right[i] < 0 ? m->port[i] >= 0
                            : m->port[i] != counted(c, m->right[i], (int64_t)m->inputs))
            return false;
    return true;
}

static const char *entry_words(const lb_index_map *maps, size_t count, lb_arena *arena)
{
    counting c = {.way = BACKWARDS};
    do {
        size_t i = 0;
        while (i < count && gives_entries(&maps[i], c))
            i++;
        if (i == count)
            return lb_arena_printf(arena, "takes %s[%s] where %s[c] is expected", maps->list,
                                   counted_text(c, "c", arena), maps->list);
    } while (next_counting(&c, 0, 0, (int64_t)maps->inputs));
    return NULL;
}

/* ---- Loops ---- */

/* What a tap meets when the loop is counted so; -1: nothing. */
static int32_t met_by(const lb_index_map *m, counting c, unsigned loop, const uint32_t *at)
{
    const lb_bound_map *bound = m->bound;
    int64_t index[LB_MAX_RANK], from = at[loop];
    uint32_t other[LB_MAP_LOOPS];
    memcpy(other, at, sizeof other);
    if (c.way == BY_OTHER)
        from = at[c.k];
    else if (c.way == BY_OUT)
        (void)lb_index_at(&bound->access[LB_MAP_OUT].index[c.k], at, &from);
    other[loop] = (uint32_t)counted(c, from, bound->extent[loop]);
    return lb_access_at(bound, LB_MAP_X, other, index)
               ? (int32_t)lb_access_flat(bound, LB_MAP_X, other, m->call->tensor[LB_ROLE_IN])
               : -1;
}

/* All taps of an output; *met: how many of them meet something. */
static bool gives_output(const lb_index_map *m, counting c, unsigned loop, const uint32_t *at,
                         size_t *met)
{
    const size_t out = lb_access_flat(m->bound, LB_MAP_OUT, at, m->call->tensor[LB_ROLE_OUT]);
    lb_map_taps taps = lb_map_taps_at(m->bound, at, true);
    while (lb_map_next_tap(&taps)) {
        const size_t weight = lb_index_map_number(
            m, lb_access_flat(m->bound, LB_MAP_W, taps.at, m->call->tensor[LB_ROLE_WEIGHTS]));
        const int32_t input = weight < m->weight_count ? met_by(m, c, loop, taps.at) : -1;
        *met += input >= 0;
        if (weight < m->weight_count && m->port[weight * m->outputs + out] != input)
            return false;
    }
    return true;
}

static bool gives_loop(const lb_index_map *m, counting c, unsigned loop)
{
    uint32_t at[LB_MAP_LOOPS] = {0};
    size_t met = 0, on_port = 0;
    for (bool more = lb_map_first(m->bound, 0, m->bound->outer, at); more;
         more = lb_map_next(m->bound, 0, m->bound->outer, at))
        if (!gives_output(m, c, loop, at, &met))
            return false;
    for (size_t i = 0; i < m->weight_count * m->outputs; i++)
        on_port += m->port[i] >= 0;
    return met == on_port;
}

static const char *loop_text(const lb_map *map, counting c, unsigned loop, const char *of,
                             lb_arena *arena)
{
    const char *name = map->loop[loop].label;
    const char *from = c.way == BY_OTHER ? map->loop[c.k].label
                       : c.way == BY_OUT ? lb_arena_printf(arena, "%s of out",
                                                           map->access[LB_MAP_OUT].index[c.k].label)
                                         : name;
    return lb_arena_printf(arena, "takes %s for %s where it finds the input's %s",
                           counted_text(c, from, arena), name, of);
}

static const char *words_of_loop(const lb_index_map *maps, size_t count, unsigned loop,
                                 const char *of, lb_arena *arena)
{
    const lb_bound_map *bound = maps->bound;
    counting c = {.way = BACKWARDS};
    int64_t most = 0;
    for (size_t i = 0; i < count; i++)
        most = maps[i].bound->extent[loop] > most ? maps[i].bound->extent[loop] : most;
    do {
        size_t i = 0;
        while (i < count && gives_loop(&maps[i], c, loop))
            i++;
        if (i == count)
            return loop_text(maps->map, c, loop, of, arena);
    } while (next_counting(&c, bound->loops, bound->access[LB_MAP_OUT].rank, most));
    return NULL;
}

const char *lb_index_map_ways(const lb_index_map *maps, size_t count, lb_arena *arena)
{
    const char *words = NULL;
    if (maps->list)
        return entry_words(maps, count, arena);
    const lb_bound_access *x = maps->bound ? &maps->bound->access[LB_MAP_X] : NULL;
    for (unsigned d = x ? x->rank : 0; d-- > 0 && !words;)
        for (unsigned l = 0; l < maps->bound->loops && !words; l++)
            if ((x->index[d].follows >> l & 1) && maps->bound->extent[l] > 1)
                words = words_of_loop(maps, count, l, maps->map->access[LB_MAP_X].index[d].label,
                                      arena);
    return words;
}
