/* The search for cases that reach what suites miss: see search.h. Every candidate is written
 * and read back before it is tried, so that only what the case format allows is found. */
#include "harness/base/clock.h"
#include "harness/coverage/defined.h"
#include "harness/coverage/observe.h"
#include "harness/coverage/vacuous.h"
#include "harness/generate/candidate.h"
#include "harness/generate/search_tries.h"
#include "harness/generate/shrink.h"
#include "harness/suite/case_write.h"
#include "harness/suite/suite.h"

#include <stdlib.h>
#include <string.h>

enum { SHRINK_TRIES = 90, NOTED_POINTS = 2 };

/* ---- Trying a case ---- */

bool lb_cover_finds_point(const lb_cover_finds *f, size_t point)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->points[i] == point)
            return true;
    return false;
}

static void look(void *user, const lb_observation *o)
{
    lb_cover_finds *f = user;
    size_t fresh[LB_COVER_FRESH];
    size_t count = lb_cover_map_look(f->map, o, fresh, LB_COVER_FRESH);
    f->left_width =
        f->left_width || (o->watch && (o->watch->persistent > 0 || o->watch->transient > 0));
    for (size_t i = 0; i < count; i++)
        if (f->count < LB_COVER_FRESH && !lb_cover_finds_point(f, fresh[i]))
            f->points[f->count++] = fresh[i];
}

bool lb_cover_try(const lb_cover_map *map, const char *text, lb_arena *arena, lb_case *c,
                  lb_cover_finds *f)
{
    *c = (lb_case){0};
    *f = (lb_cover_finds){.map = map};
    if (!lb_case_from_json(text, strlen(text), arena, c) || !lb_cover_is_defined(c))
        return false;
    bool steps = c->kernel && lb_cover_may_listen(c) && lb_cover_map_wants_steps(map, c->kernel);
    const lb_kernel_set *set = lb_cover_set_of(c);
    for (unsigned p = 0; p < set->profile_count; p++)
        lb_cover_case(c, &set->profiles[p], steps, arena, look, f);
    return true;
}

/* ---- Making it small ---- */

typedef struct target {
    const lb_cover_map *map;
    const lb_cover_finds *wanted;
    bool vacuous; /* it may find nothing */
    lb_arena arena;
} target;

static bool still_reaches(void *user, const lb_case *c)
{
    target *t = user;
    lb_cover_finds now;
    lb_case read;
    lb_arena_reset(&t->arena);
    if (!lb_cover_try(t->map, lb_case_to_json(c, &t->arena), &t->arena, &read, &now) ||
        now.count < t->wanted->count)
        return false;
    for (size_t i = 0; i < t->wanted->count; i++)
        if (!lb_cover_finds_point(&now, t->wanted->points[i]))
            return false;
    return t->vacuous || !lb_vacuous_reason(&read, &lb_cover_set_of(&read)->profiles[0], &t->arena);
}

/* ---- Telling it ---- */

/* What a port that goes wrong on this case gets wrong: the points, with their rules. */
static char *note_of(const lb_cover_map *map, const lb_cover_function *function,
                     const lb_cover_finds *f, lb_arena *arena)
{
    char *note = lb_arena_strdup(arena, "Hunts faults in");
    size_t named = 0, others = 0;
    for (size_t i = 0; i < f->count; i++) {
        const size_t point = lb_cover_spot_point(map, f->points[i]);
        char name[LB_COVERPOINT_BYTES];
        unsigned place;
        bool is_told = false;
        for (size_t j = 0; j < i && !is_told; j++) /* in another profile */
            is_told = lb_cover_spot_point(map, f->points[j]) == point;
        if (is_told)
            continue;
        const lb_cover_group *group = lb_cover_map_group(function, point, &place);
        lb_cover_name(group, place, name);
        others += named == NOTED_POINTS;
        if (named < NOTED_POINTS)
            note =
                lb_arena_printf(arena, "%s%s %s (%s)", note, named++ ? "," : "", name, group->spec);
    }
    if (others > 0)
        note = lb_arena_printf(arena, "%s, and %zu more points", note, others);
    return note;
}

static const char *finish(const lb_cover_search *search, lb_case *c, const lb_cover_finds *f,
                          const char *named, bool vacuous, lb_arena *arena)
{
    const lb_cover_function *function = lb_cover_map_function(search->map, c->kernel);
    c->id = lb_arena_printf(arena, "%.70s.%.75s", lb_kernel_short_name(c->kernel), named);
    c->note = note_of(search->map, function, f, arena);
    return lb_found_text(c, "coverage", search->level, vacuous, arena);
}

/* Points that are called unreachable do not make a find: what reaches one breaks the rule that its
 * reason names. */
static void drop_unreachable(const lb_cover_search *search, const lb_cover_function *function,
                             lb_cover_finds *f)
{
    size_t kept = 0;
    for (size_t i = 0; i < f->count; i++) {
        const char *why;
        if (lb_cover_map_state(search->map, function, f->points[i], &why) == LB_COVER_MISSED)
            f->points[kept++] = f->points[i];
    }
    f->count = kept;
}

bool lb_cover_keep(const lb_cover_search *search, const lb_cover_function *function,
                   const char *text, const char *named, bool vacuous)
{
    lb_arena arena = {0};
    lb_case c;
    lb_cover_finds f;
    bool good = lb_cover_try(search->map, text, &arena, &c, &f);
    drop_unreachable(search, function, &f);
    good = good && f.count > 0;
    if (good) {
        search->found(search->user, finish(search, &c, &f, named, vacuous, &arena));
        lb_cover_map_keep(search->map, f.points, f.count);
    }
    lb_arena_free(&arena);
    return good;
}

static void keep_find(lb_cover_search *search, const lb_case *c, const lb_cover_finds *f,
                      bool vacuous, lb_arena *arena)
{
    target t = {.map = search->map, .wanted = f, .vacuous = vacuous};
    lb_case small = *lb_shrink_shapes(c, still_reaches, &t, SHRINK_TRIES, arena);
    small = *lb_shrink_enrich(&small, still_reaches, &t, arena);
    lb_arena_free(&t.arena);
    char first[LB_COVERPOINT_BYTES];
    lb_cover_map_name(lb_cover_map_function(search->map, c->kernel),
                      lb_cover_spot_point(search->map, f->points[0]), first);
    const char *text = finish(search, &small, f, first, vacuous, arena);
    search->found(search->user, text);
    lb_cover_map_keep(search->map, f->points, f->count);
    lb_cover_corpus_add(search->corpus, &small);
}

/* ---- The search ---- */

static bool any_missed(const lb_cover_search *search, const lb_cover_function *function)
{
    return lb_cover_map_figures(search->map, function).missed > 0;
}

/* Sums that leave the accumulator are for the points about that alone: elsewhere they only blur
 * what a case shows. */
static bool wants_width(const lb_cover_map *map, const lb_cover_function *function,
                        const lb_cover_finds *f)
{
    for (size_t i = 0; i < f->count; i++) {
        char name[LB_COVERPOINT_BYTES];
        lb_cover_map_name(function, lb_cover_spot_point(map, f->points[i]), name);
        if (strncmp(name, "value.accumulator.", 18) == 0 && strncmp(name + 18, "bits", 4) != 0)
            return true;
    }
    return false;
}

/* may_be_vacuous: there are points that only cases reach which prove little, such as limits that
 * leave one value. */
static bool try_one(lb_cover_search *search, const lb_cover_function *function, uint64_t index,
                    bool may_be_vacuous, lb_arena *arena)
{
    lb_case c = {0}, read;
    lb_cover_finds f;
    const lb_candidates from = {.corpus = search->corpus, .seed = search->seed};
    if (!lb_candidate_make(&from, function->kernel, index, arena, &c))
        return false;
    c.id = lb_arena_strdup(arena, "candidate");
    const char *text = lb_case_to_json(&c, arena);
    if (strlen(text) > search->max_text_bytes || !lb_cover_try(search->map, text, arena, &read, &f))
        return false;
    drop_unreachable(search, function, &f);
    if (f.left_width && !wants_width(search->map, function, &f))
        return false;
    bool vacuous =
        f.count > 0 && lb_vacuous_reason(&read, &lb_cover_set_of(&read)->profiles[0], arena);
    if (f.count == 0 || (vacuous && !may_be_vacuous))
        return false;
    keep_find(search, &c, &f, vacuous, arena);
    return true;
}

bool lb_cover_is_time_up(const lb_cover_search *search)
{
    return search->until != 0 && lb_now_seconds() >= search->until;
}

size_t lb_cover_search_function(lb_cover_search *search, const lb_kernel *kernel)
{
    const lb_cover_function *function = lb_cover_map_function(search->map, kernel);
    lb_arena arena = {0};
    size_t found = 0;
    unsigned long idle = 0;
    uint64_t index = (uint64_t)(kernel - lb_kernels) << 32;
    while (kernel->exact && lb_pattern_of(kernel) != LB_PATTERN_TABLE && idle < search->patience &&
           any_missed(search, function) && !lb_cover_is_time_up(search)) {
        lb_arena_reset(&arena);
        bool find = try_one(search, function, index++, idle > search->patience / 2, &arena);
        found += find;
        idle = find ? 0 : idle + 1;
    }
    lb_arena_free(&arena);
    return found;
}
