/* Suites through the exact model: see suites.h. */
#include "harness/coverage/suites.h"
#include "harness/coverage/defined.h"
#include "harness/coverage/observe.h"

static void keep_new(void *user, const lb_observation *o)
{
    lb_cover_map *map = user;
    size_t fresh[LB_MAX_COVER_GROUPS];
    size_t count;
    while ((count = lb_cover_map_look(map, o, fresh, LB_MAX_COVER_GROUPS)) > 0)
        lb_cover_map_keep(map, fresh, count);
}

static void cover_one(void *user, const char *path, const lb_case *c)
{
    lb_cover_suites *suites = user;
    suites->cases++;
    suites->sets |= 1u << lb_cover_set_of(c)->kernels->set;
    for (size_t p = 0; p < suites->profile_count; p++) {
        if (c->kernel && !lb_kernel_is_in(c->kernel, suites->profiles[p]))
            continue;
        lb_arena_reset(&suites->arena);
        bool steps = c->kernel && lb_cover_may_listen(c) &&
                     lb_cover_map_wants_steps(suites->map, c->kernel, suites->profiles[p]);
        lb_cover_case(c, suites->profiles[p], steps, &suites->arena, keep_new, suites->map);
    }
    if (suites->each)
        suites->each(suites->user, path, c);
}

static bool cover_suite(void *user, const lb_suite *suite)
{
    return lb_cover_each_case(suite, ((lb_cover_suites *)user)->level, cover_one, user);
}

bool lb_cover_suites_read(lb_cover_suites *suites, char *const *paths, size_t path_count)
{
    const bool good = lb_cover_each_suite(paths, path_count, cover_suite, suites);
    lb_arena_free(&suites->arena);
    return good;
}

void lb_cover_keep_sets(bool *wanted, unsigned sets)
{
    const unsigned called = sets ? sets : 1u << LB_SET_MLI;
    unsigned asked = 0;
    for (size_t i = 0; i < lb_kernel_total(); i++)
        asked |= wanted[i] ? 1u << lb_kernel_at(i)->set : 0;
    for (size_t i = 0; i < lb_kernel_total() && (asked & (asked - 1)) != 0; i++)
        wanted[i] = wanted[i] && called >> lb_kernel_at(i)->set & 1;
}

bool lb_cover_each_case(const lb_suite *suite, lb_level level,
                        void (*each)(void *user, const char *path, const lb_case *c), void *user)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_suite_reader *reader = lb_suite_reader_open(suite);
    bool good = reader != NULL;
    for (size_t i = 0; good && i < lb_suite_case_count(suite); i++) {
        const lb_case *c = lb_suite_reader_case(reader, i, &diagnostics);
        good = c != NULL;
        if (good && lb_level_of(c) <= level)
            each(user, lb_suite_path(suite), c);
    }
    lb_suite_reader_close(reader);
    return good;
}

bool lb_cover_each_suite(char *const *paths, size_t path_count,
                         bool (*each)(void *user, const lb_suite *suite), void *user)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_paths list = {0};
    bool good = lb_paths_collect(paths, path_count, &list, &diagnostics);
    for (size_t i = 0; i < list.count && good; i++) {
        lb_suite *suite = lb_suite_open(list.items[i], &diagnostics);
        good = suite && each(user, suite);
        lb_suite_close(suite);
    }
    lb_paths_free(&list);
    return good;
}
