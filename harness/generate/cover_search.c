/* lastbit vectors generate --cover: cases that reach what suites miss. See wish.h and
 * cover_search.h. */
#include "harness/generate/cover_search.h"
#include "harness/base/clock.h"
#include "harness/coverage/defined.h"
#include "harness/coverage/observe.h"
#include "harness/coverage/suites.h"
#include "harness/generate/random_build.h"
#include "harness/generate/wish.h"
#include "harness/suite/suite.h"

#include <stdio.h>
#include <string.h>

enum { MAX_TEXT_BYTES = 40000, PATIENCE = 3000 };

/* ---- What is missed ---- */

static bool is_missed_at(const lb_cover_search *s, size_t spot)
{
    const char *why;
    return lb_cover_map_state(s->map, s->function, spot, &why) == LB_COVER_MISSED;
}

bool lb_cover_is_missed(const lb_cover_search *s, size_t group, unsigned place, int profile)
{
    const size_t point = s->function->group_first[group] + place;
    if (profile >= 0)
        return is_missed_at(s, lb_cover_spot(s->map, profile, point));
    bool any = false;
    for (unsigned p = 0; p < s->search.profile_count && !any; p++)
        any = is_missed_at(s, lb_cover_spot(s->map, (int)p, point));
    return any;
}

static bool is_open(void *user)
{
    const lb_cover_search *s = user;
    return s->group ? is_missed_at(s, s->spot)
                    : lb_cover_map_figures(s->map, s->function).missed > 0;
}

/* Points that are called unreachable do not make a find: what reaches one breaks the rule that its
 * reason names. */
static void note_fresh(void *user, const lb_observation *o)
{
    lb_cover_search *s = user;
    size_t fresh[LB_MAX_FINDS];
    const size_t count = lb_cover_map_look(s->map, o, fresh, LB_MAX_FINDS);
    for (size_t i = 0; i < count; i++) {
        const lb_find find = {.what = fresh[i]};
        if (is_missed_at(s, fresh[i]) && !lb_finds_hold(s->finds, &find))
            lb_finds_add(s->finds, find);
    }
}

static void look(void *user, const lb_case *c, lb_finds *finds)
{
    lb_cover_search *s = user;
    const bool may_listen = c->kernel && lb_cover_may_listen(c);
    lb_arena arena = {0};
    finds->count = 0;
    s->finds = finds;
    for (size_t p = 0; p < s->search.profile_count; p++)
        lb_cover_case(c, s->search.profiles[p],
                      may_listen &&
                          lb_cover_map_wants_steps(s->map, c->kernel, s->search.profiles[p]),
                      &arena, note_fresh, s);
    lb_arena_free(&arena);
}

static size_t point_of(const lb_cover_search *s, const lb_find *find)
{
    return lb_cover_spot_point(s->map, find->what);
}

static bool is_about_width(void *user, const lb_finds *finds)
{
    static const char about[] = "value.accumulator.", bits[] = "bits";
    const lb_cover_search *s = user;
    for (size_t i = 0; i < finds->count; i++) {
        char name[LB_COVERPOINT_BYTES];
        lb_cover_map_name(s->function, point_of(s, &finds->items[i]), name);
        if (strncmp(name, about, strlen(about)) == 0 &&
            strncmp(name + strlen(about), bits, strlen(bits)) != 0)
            return true;
    }
    return false;
}

static size_t worth(void *user, const lb_finds *finds)
{
    (void)user;
    return finds->count;
}

static void keep(void *user, const lb_case *c, const lb_finds *finds)
{
    const lb_cover_search *s = user;
    (void)c;
    for (size_t i = 0; i < finds->count; i++)
        lb_cover_map_keep(s->map, &finds->items[i].what, 1);
}

/* ---- Telling it ---- */

/* What a port that goes wrong on this case gets wrong: the points, with their rules. */
static char *note_of(const lb_cover_search *s, const lb_finds *finds, lb_arena *arena)
{
    enum { NOTED_POINTS = 2 };
    char *note = lb_arena_strdup(arena, "Hunts faults in");
    size_t named = 0, others = 0;
    for (size_t i = 0; i < finds->count; i++) {
        const size_t point = point_of(s, &finds->items[i]);
        char name[LB_COVERPOINT_BYTES];
        unsigned place;
        bool is_told = false;
        for (size_t j = 0; j < i && !is_told; j++) /* in another profile */
            is_told = point_of(s, &finds->items[j]) == point;
        if (is_told)
            continue;
        const lb_cover_group *group = lb_cover_map_group(s->function, point, &place);
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

/* Named by the first point, and by its profile where the first has it already. */
static void tell(void *user, lb_case *c, const lb_finds *finds, size_t number, lb_arena *arena)
{
    const lb_cover_search *s = user;
    const size_t profile = finds->items[0].what / s->map->point_count;
    char name[LB_COVERPOINT_BYTES];
    (void)number;
    lb_cover_map_name(s->function, point_of(s, &finds->items[0]), name);
    c->id = lb_arena_printf(arena, "%.70s.%.75s%s%s", lb_kernel_short_name(c->kernel), name,
                            profile ? "." : "", profile ? s->search.profiles[profile]->name : "");
    c->note = note_of(s, finds, arena);
}

static const lb_goal points = {.tag = "coverage",
                               .is_open = is_open,
                               .look = look,
                               .is_about_width = is_about_width,
                               .worth = worth,
                               .tell = tell,
                               .keep = keep};

/* ---- Sizes ---- */

static void note_met(void *user, const lb_observation *o)
{
    lb_cover_search *s = user;
    s->finds->count += lb_cover_observe(o, s->group, UINT64_MAX) != 0;
}

/* A case with one extent of the size that the point needs, at a place that the number of the try
 * decides. Whether it has what is aimed at is asked before all that is dear. */
static bool make_size(void *user, uint64_t index, lb_arena *arena, lb_case *c)
{
    enum { MOST_EXTENT_MORE = 40, MOST_ELEMENTS = 4000000 };
    lb_cover_search *s = user;
    lb_random random = lb_random_start(s->search.seed, s->aimed);
    lb_random_options options = {.seed = s->search.seed + s->aimed, .small = true};
    options.extents[s->aimed++ % LB_RANDOM_EXTENTS] =
        s->group->aimed_extent + (uint32_t)lb_random_in(&random, 0, MOST_EXTENT_MORE - 1);
    if (!lb_random_case(s->function->kernel, &options, index, arena, c) ||
        lb_case_element_count(c) >= MOST_ELEMENTS)
        return false;
    lb_case_make_uniform(c);
    s->finds = &s->search.finds;
    s->finds->count = 0;
    if (lb_cover_is_defined(c))
        lb_cover_case(c, s->profile, false, arena, note_met, s);
    return s->finds->count > 0;
}

/* ---- The search ---- */

static void aim_at(lb_cover_search *s, size_t group, unsigned place, int profile)
{
    lb_search *search = &s->search;
    const unsigned long patience = search->patience;
    s->group = &s->function->groups[group];
    s->place = place;
    s->spot = lb_cover_spot(s->map, profile, s->function->group_first[group] + place);
    s->profile = search->profiles[profile];
    s->aimed = 0;
    search->keeps_whole = s->group->aimed_extent == 0;
    search->make = search->keeps_whole ? lb_cover_make_number : make_size;
    search->patience = LB_AIM_PATIENCE;
    lb_search_run(search);
    search->patience = patience;
    search->make = NULL;
    search->keeps_whole = false;
    s->group = NULL;
}

/* Points that chance seldom meets: each stands for a number, or for a large extent. */
static void aim_at_points(lb_cover_search *s)
{
    for (size_t g = 0; g < s->function->group_count; g++) {
        const lb_cover_group *group = &s->function->groups[g];
        const unsigned points_of = lb_cover_is_of_numbers(group) ? lb_cover_points(group)
                                   : group->aimed_extent > 0     ? 1
                                                                 : 0;
        for (unsigned place = 0; place < points_of; place++)
            for (unsigned p = 0; p < s->search.profile_count; p++)
                if (lb_cover_is_missed(s, g, place, (int)p))
                    aim_at(s, g, place, (int)p);
    }
}

/* Until nothing is missed, or patience is at its end; writes the cases found, and gives their
 * number.
 */
static size_t search_function(lb_cover_search *s, const lb_kernel *kernel, FILE *out)
{
    const lb_kernel_set *set = lb_kernel_set_of(kernel);
    const lb_profile *profiles[LB_PROFILE_COUNT];
    for (unsigned p = 0; p < set->profile_count; p++)
        profiles[p] = &set->profiles[p];
    s->function = lb_cover_map_function(s->map, kernel);
    s->search.goal = &points;
    s->search.user = s;
    s->search.kernel = kernel;
    s->search.profiles = profiles;
    s->search.profile_count = set->profile_count;
    s->search.max_find_bytes = s->search.max_text_bytes;
    aim_at_points(s);
    if (kernel->exact && lb_pattern_of(kernel) != LB_PATTERN_TABLE)
        lb_search_run(&s->search);
    return lb_search_end(&s->search, out);
}

/* ---- All functions ---- */

static void note_case(void *user, const char *path, const lb_case *c)
{
    (void)path;
    lb_cover_corpus_add(user, c);
}

static size_t missed_of(const lb_cover_map *map, const bool *wanted)
{
    size_t missed = 0;
    for (size_t i = 0; i < lb_kernel_total(); i++)
        if (wanted[i])
            missed += lb_cover_map_figures(map, &map->functions[i]).missed;
    return missed;
}

/* Searches every function; gives how many were not searched to their end as the time was up. */
static size_t search_functions(const lb_generate_wish *r, lb_cover_search *search, FILE *out,
                               size_t *found)
{
    size_t total = 0, at = 0, left = 0;
    for (size_t i = 0; i < lb_kernel_total(); i++)
        total += r->wanted[i];
    search->search.until = lb_now_seconds() + r->seconds;
    for (size_t i = 0; i < lb_kernel_total() && !ferror(out); i++) {
        if (!r->wanted[i])
            continue;
        at++;
        if (r->progress && !lb_search_is_time_up(&search->search))
            fprintf(stderr, "%zu of %zu functions: %s\n", at, total, lb_kernel_at(i)->name);
        *found += search_function(search, lb_kernel_at(i), out);
        left += lb_search_is_time_up(&search->search);
    }
    return left;
}

typedef struct covering {
    const lb_generate_wish *request;
    lb_cover_search *search;
} covering;

static void search_all(void *user, FILE *out)
{
    const covering *c = user;
    const lb_generate_wish *r = c->request;
    lb_cover_search *search = c->search;
    size_t found = 0, before = missed_of(search->map, r->wanted);
    size_t left = search_functions(r, search, out, &found);
    if (left > 0)
        fprintf(stderr,
                "%zu functions were not searched to their end: %g seconds were up (--seconds; "
                "--function NAME "
                "takes one at a time)\n",
                left, r->seconds);
    fprintf(stderr, "%zu cases reach %zu of %zu missed points\n", found,
            before - missed_of(search->map, r->wanted), before);
}

int lb_generate_cover(const lb_generate_wish *r)
{
    const lb_profile *profiles[LB_SET_COUNT * LB_PROFILE_COUNT];
    size_t profile_count = 0;
    for (int s = 0; s < LB_SET_COUNT; s++)
        for (unsigned p = 0; p < lb_kernel_sets[s]->profile_count; p++)
            profiles[profile_count++] = &lb_kernel_sets[s]->profiles[p];
    lb_cover_map *map = lb_cover_map_new(lb_cover_profiles(profiles, profile_count));
    lb_cover_corpus *corpus = lb_cover_corpus_new();
    lb_arena arena = {0};
    lb_cover_suites suites = {.map = map,
                              .level = r->up_to,
                              .profiles = profiles,
                              .profile_count = profile_count,
                              .each = note_case,
                              .user = corpus};
    int status = lb_cover_suites_read(&suites, r->paths, r->path_count) ? 0 : 2;
    lb_cover_search search = {.map = map,
                              .search = {.seed = r->seed,
                                         .patience = r->patience ? r->patience : PATIENCE,
                                         .max_text_bytes = MAX_TEXT_BYTES,
                                         .level = r->level,
                                         .corpus = corpus}};
    if (status == 0 && r->of_suites)
        lb_cover_keep_called(map, r->wanted);
    if (status == 0)
        status = lb_generate_write(r->output, lb_arena_printf(&arena, "coverage.seed%lu", r->seed),
                                   search_all, &(covering){r, &search});
    lb_arena_free(&arena);
    lb_cover_corpus_free(corpus);
    lb_cover_map_free(map);
    return status;
}
