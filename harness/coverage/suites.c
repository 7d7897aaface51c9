/* Suites through the exact model: see suites.h. */
#include "harness/coverage/suites.h"
#include "harness/coverage/defined.h"
#include "harness/coverage/observe.h"
#include "harness/suite/suite.h"

static void keep_new(void *user, const lb_observation *o)
{
    lb_cover_map *map = user;
    size_t fresh[LB_MAX_COVER_GROUPS];
    size_t count;
    while ((count = lb_cover_map_look(map, o, fresh, LB_MAX_COVER_GROUPS)) > 0)
        lb_cover_map_keep(map, fresh, count);
}

static void cover_one(lb_cover_suites *suites, const char *path, const lb_case *c, lb_arena *arena)
{
    suites->cases++;
    suites->sets |= 1u << lb_cover_set_of(c)->kernels->set;
    for (size_t p = 0; p < suites->profile_count; p++) {
        if (c->kernel && !lb_kernel_is_in(c->kernel, suites->profiles[p]))
            continue;
        lb_arena_reset(arena);
        bool steps =
            c->kernel && lb_cover_may_listen(c) && lb_cover_map_wants_steps(suites->map, c->kernel);
        lb_cover_case(c, suites->profiles[p], steps, arena, keep_new, suites->map);
    }
    if (suites->each)
        suites->each(suites->user, path, c);
}

static bool read_suite(lb_cover_suites *suites, const char *path)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_arena arena = {0};
    lb_suite *suite = lb_suite_open(path, &diagnostics);
    lb_suite_reader *reader = suite ? lb_suite_reader_open(suite) : NULL;
    bool good = reader != NULL;
    for (size_t i = 0; good && i < lb_suite_case_count(suite); i++) {
        const lb_case *c = lb_suite_reader_case(reader, i, &diagnostics);
        good = c != NULL;
        if (good && lb_level_of(c) <= suites->level)
            cover_one(suites, path, c, &arena);
    }
    if (reader)
        lb_suite_reader_close(reader);
    lb_suite_close(suite);
    lb_arena_free(&arena);
    return good;
}

bool lb_cover_suites_read(lb_cover_suites *suites, char *const *paths, size_t path_count)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_paths list = {0};
    bool good = lb_paths_collect(paths, path_count, &list, &diagnostics);
    for (size_t i = 0; i < list.count && good; i++)
        good = read_suite(suites, list.items[i]);
    lb_paths_free(&list);
    return good;
}
