/* The search for cases of sizes that chance does not draw: see search.h. Cases are
 * made up with one extent after the other of the size that a point needs; the smallest that shows
 * something is kept. */
#include "harness/coverage/defined.h"
#include "harness/coverage/observe.h"
#include "harness/coverage/vacuous.h"
#include "harness/generate/random.h"
#include "harness/generate/random_case.h"
#include "harness/generate/search_tries.h"
#include "harness/generate/shrink.h"
#include "harness/generate/sum_domain.h"
#include "harness/suite/case_write.h"

#include <string.h>

enum {
    TRIES = 72,
    MOST_EXTENT_MORE = 40, /* an extent goes beyond what is needed by less than this */
    MOST_ELEMENTS = 4000000,
    ENOUGH_BESIDES = 2000, /* elements */
};

typedef struct aimed {
    lb_cover_search *search;
    const lb_cover_function *function;
    const lb_cover_group *group;
    size_t spot; /* that is missed */
    bool is_met;
    lb_arena arena;
} aimed;

/* An extent of the size that is needed, at a place that the number of the try decides. */
static void choose_extent(lb_random_options *o, uint32_t least, unsigned number)
{
    lb_random random = lb_random_start(o->seed, number);
    o->extents[number % LB_RANDOM_EXTENTS] =
        least + (uint32_t)lb_random_in(&random, 0, MOST_EXTENT_MORE - 1);
}

static bool is_reached(void *user, const lb_case *c)
{
    aimed *a = user;
    lb_case read;
    lb_cover_finds f;
    lb_arena_reset(&a->arena);
    const char *text = lb_case_to_json(c, &a->arena);
    if (!lb_cover_try(a->search->map, text, &a->arena, &read, &f) || f.left_width)
        return false;
    for (int p = 0; p < LB_PROFILE_COUNT; p++)
        if (!lb_sum_domain_holds(&read, &lb_profiles[p], &a->arena))
            return false;
    return lb_cover_finds_point(&f, a->spot) &&
           !lb_vacuous_reason(&read, &lb_profiles[0], &a->arena);
}

static void look(void *user, const lb_observation *o)
{
    aimed *a = user;
    a->is_met = lb_cover_observe(o, a->group) != 0;
}

/* Has the case what is aimed at? Asked before all that is dear. */
static bool is_met(aimed *a, const lb_case *c)
{
    lb_arena arena = {0};
    a->is_met = false;
    if (lb_cover_is_defined(c))
        lb_cover_case(c, &lb_profiles[0], false, &arena, look, a);
    lb_arena_free(&arena);
    return a->is_met;
}

/* NULL: this try reaches nothing, or is larger than the best. */
static const lb_case *try_one(aimed *a, unsigned number, size_t most, size_t *elements,
                              lb_arena *arena)
{
    lb_random_options options = {.seed = a->search->seed + number, .small = true};
    lb_case *c = lb_arena_array(arena, 1, sizeof *c);
    *c = (lb_case){0};
    choose_extent(&options, a->group->aimed_extent, number);
    if (!lb_random_case(a->function->kernel, &options, a->spot, arena, c))
        return NULL;
    *elements = lb_case_element_count(c);
    if (*elements >= most)
        return NULL;
    c->id = lb_arena_strdup(arena, "candidate");
    if (!is_met(a, c) || !is_reached(a, c))
        return NULL;
    const lb_case *rich = lb_shrink_enrich(c, is_reached, a, arena);
    return strlen(lb_case_to_json(rich, arena)) <= a->search->max_text_bytes ? rich : NULL;
}

static bool find(aimed *a)
{
    const size_t enough = 4 * (size_t)a->group->aimed_extent + ENOUGH_BESIDES;
    lb_arena arena = {0}, best_arena = {0};
    char name[LB_COVERPOINT_BYTES];
    const lb_case *best = NULL;
    size_t least = MOST_ELEMENTS;
    for (unsigned number = 0; number < TRIES && least > enough && !lb_cover_is_time_up(a->search);
         number++) {
        size_t elements = 0;
        lb_arena_reset(&arena);
        const lb_case *c = try_one(a, number, least, &elements, &arena);
        if (!c)
            continue;
        const lb_arena kept = arena;
        arena = best_arena;
        best_arena = kept;
        least = elements;
        best = c;
    }
    lb_cover_name(a->group, 0, name);
    const bool found =
        best && lb_cover_keep(a->search, a->function, lb_case_to_json(best, &arena), name, false);
    lb_arena_free(&arena);
    lb_arena_free(&best_arena);
    lb_arena_free(&a->arena);
    return found;
}

size_t lb_cover_search_sizes(lb_cover_search *search, const lb_kernel *kernel)
{
    const lb_cover_function *function = lb_cover_map_function(search->map, kernel);
    size_t found = 0;
    for (size_t g = 0; g < function->group_count; g++) {
        const char *why;
        aimed a = {.search = search,
                   .function = function,
                   .group = &function->groups[g],
                   .spot = lb_cover_spot(search->map, 0, function->group_first[g])};
        if (a.group->aimed_extent > 0 &&
            lb_cover_map_state(search->map, function, a.spot, &why) == LB_COVER_MISSED)
            found += find(&a);
    }
    return found;
}
