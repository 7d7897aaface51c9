/* Coverpoints that follow from what describes a function, whatever it is: how long the loops of its
 * index map are, where its indices lie, which dimensions repeat, which ranks its tensors have; and
 * the places of its steps (points_steps.c). */
#include "harness/coverage/class.h"
#include "reference/describe/map.h"

static const char *section_of(const lb_kernel *kernel)
{
    return lb_families[kernel->family].refusals;
}

/* ---- Loops ---- */

/* clang-format off */
static const lb_cover_point loop_points[] = {LB_POINT("1", 1, 1), LB_POINT("2..7", 2, 7), LB_POINT("8..15", 8, 15), LB_POINT("16..63", 16, 63), LB_POINT("64+", LB_COVER_ABOVE(64)), {0}};
/* clang-format on */

static LB_TELLS(tell_loop)
{
    const lb_map *map = lb_map_of(o->kernel);
    lb_cover_say(group, values, lb_leaf_value(map, o->before, map->loop[group->id].extent), 0);
}

/* ---- Indices that can lie outside ---- */

/* The least and the most that a part of the index can be: of the loops that outputs have, or of
 * those of their sums. */
typedef struct reach {
    int64_t low, high;
} reach;

static reach reach_of(const lb_bound_map *bound, const lb_bound_index *index, bool of_sum)
{
    reach r = {0, 0};
    for (unsigned i = 0; i < index->count; i++) {
        const int64_t most = index->step[i] * ((int64_t)bound->extent[index->loop[i]] - 1);
        if ((index->loop[i] >= bound->outer) != of_sum)
            continue;
        r.low += most < 0 ? most : 0;
        r.high += most > 0 ? most : 0;
    }
    return r;
}

enum { WHOLLY_INSIDE, BEFORE, BEHIND, ALL_BEFORE, ALL_BEHIND, BETWEEN };
static const lb_cover_point index_points[] = {LB_POINT("inside", WHOLLY_INSIDE, WHOLLY_INSIDE),
                                              LB_POINT("before", BEFORE, BEFORE),
                                              LB_POINT("behind", BEHIND, BEHIND),
                                              LB_POINT("all_before", ALL_BEFORE, ALL_BEFORE),
                                              LB_POINT("all_behind", ALL_BEHIND, ALL_BEHIND),
                                              LB_POINT("between", BETWEEN, BETWEEN),
                                              {0}};

static bool steps_between(const lb_bound_index *index)
{
    bool steps = index->divisor > 1 && index->base % index->divisor != 0;
    for (unsigned i = 0; i < index->count && index->divisor > 1; i++)
        steps = steps || index->step[i] % index->divisor != 0;
    return steps;
}

static uint64_t observe_index(const lb_observation *o, const lb_cover_group *group)
{
    lb_bound_map bound;
    if (!lb_map_bind(&bound, lb_map_of(o->kernel), o->before))
        return 0;
    for (unsigned l = 0; l < bound.loops; l++)
        if (bound.extent[l] == 0)
            return 0;
    const lb_bound_index *index = &bound.access[LB_MAP_X].index[group->id];
    const reach out = reach_of(&bound, index, false), sum = reach_of(&bound, index, true);
    const int64_t low = index->base + out.low, high = index->base + out.high;
    const int64_t bound_at = index->bound * (index->divisor > 1 ? index->divisor : 1);
    const bool before = low + sum.low < 0, behind = high + sum.high >= bound_at;
    return LB_BIT(!before && !behind, WHOLLY_INSIDE) | LB_BIT(before, BEFORE) |
           LB_BIT(behind, BEHIND) | LB_BIT(low + sum.high < 0, ALL_BEFORE) |
           LB_BIT(high + sum.low >= bound_at, ALL_BEHIND) | LB_BIT(steps_between(index), BETWEEN);
}

/* A sum of elements alone is divided by their number. */
const char *lb_cover_window_is_never_empty(const lb_kernel *kernel)
{
    const lb_map *map = lb_map_of(kernel);
    return lb_kernel_step_places(kernel) && map && map->access[LB_MAP_W].rank == 0 &&
                   lb_families[kernel->family].sums != LB_SUMS_NONE
               ? "of the average of no element nothing is said"
               : NULL;
}

static const char *index_unreachable(const lb_kernel *kernel, const lb_cover_group *group,
                                     unsigned point, int profile)
{
    const lb_map *map = lb_map_of(kernel);
    const bool spreads = map->access[LB_MAP_X].index[group->id].divisor.kind != LB_LEAF_NONE;
    (void)profile;
    if (point == BETWEEN && !spreads)
        return "the index is no quotient: nothing lies between elements";
    return point == ALL_BEFORE || point == ALL_BEHIND ? lb_cover_window_is_never_empty(kernel)
                                                      : NULL;
}

/* ---- Dimensions that repeat ---- */

static const lb_cover_point repeated_points[] = {
    LB_POINT("own", 1, 1), LB_POINT("repeated", 0, 0), {0}};

static LB_TELLS(tell_repeated)
{
    const lb_map *map = lb_map_of(o->kernel);
    const lb_index *index = &map->access[group->detail].index[group->id];
    if (lb_leaf_value(map, o->before, map->loop[index->term[0].loop].extent) > 1)
        lb_cover_say(group, values, lb_leaf_value(map, o->before, index->term[0].times[0]) != 0, 0);
}

/* ---- Ranks ---- */

static const lb_cover_point rank_points[] = {
    LB_POINT("1", 1, 1), LB_POINT("2", 2, 2), LB_POINT("3", 3, 3), LB_POINT("4", 4, 4), {0}};

static LB_TELLS(tell_rank)
{
    const lb_tensor *t = lb_cover_tensor(o->before, group->id, 0);
    lb_cover_say(group, values, t ? t->rank : 0, 0);
}

/* ---- All ---- */

static void add_of_map(lb_cover_list *list, const lb_map *map)
{
    lb_cover_group group = {.spec = map->section};
    for (int l = 0; l < map->loops; l++) {
        group.class_name = "extent";
        group.instance = map->loop[l].label;
        group.points = loop_points;
        group.tell = tell_loop;
        group.id = l;
        lb_cover_add(list, group);
    }
    for (int d = 0; d < map->access[LB_MAP_X].rank; d++) {
        group.class_name = "index";
        group.instance = map->access[LB_MAP_X].index[d].label;
        group.points = index_points;
        group.tell = NULL;
        group.observe = observe_index;
        group.unreachable = index_unreachable;
        group.id = d;
        if (map->access[LB_MAP_X].index[d].bound.kind != LB_LEAF_NONE)
            lb_cover_add(list, group);
    }
}

static void add_repeated(lb_cover_list *list, const lb_map *map)
{
    static const char *const names[] = {
        [LB_MAP_X] = "repeats.first", [LB_MAP_W] = "repeats.second"};
    for (int access = LB_MAP_X; access <= LB_MAP_W; access++)
        for (int d = 0; d < map->access[access].rank; d++)
            if (map->access[access].index[d].term[0].times[0].kind == LB_LEAF_REPEATED)
                lb_cover_add(list, (lb_cover_group){.class_name = names[access],
                                                    .instance = map->access[access].index[d].label,
                                                    .spec = map->section,
                                                    .points = repeated_points,
                                                    .tell = tell_repeated,
                                                    .id = d,
                                                    .detail = access});
}

void lb_cover_described(lb_cover_list *list)
{
    const lb_map *map = lb_map_of(list->kernel);
    if (map) {
        add_of_map(list, map);
        add_repeated(list, map);
    }
    for (const lb_role_spec *spec = list->kernel->roles; spec->use != LB_USE_NONE; spec++)
        lb_cover_add(list,
                     (lb_cover_group){.class_name = "rank",
                                      .instance = lb_role_name(spec->role),
                                      .spec = section_of(list->kernel),
                                      .points = rank_points,
                                      .tell = tell_rank,
                                      .id = (int)spec->role,
                                      .leaf = {.kind = LB_LEAF_RANK, .role = (int8_t)spec->role}});
    lb_cover_places(list);
}
