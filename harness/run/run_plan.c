/* The numbered sequence of cases of a run: see run_plan.h. */
#include "harness/run/run_plan.h"
#include "harness/base/xalloc.h"

#include <fnmatch.h>
#include <stdlib.h>

bool lb_plan_open_suites(lb_plan *plan, char *const *arguments, size_t count)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_paths paths = {0};
    bool good = lb_paths_collect(arguments, count, &paths, &diagnostics);
    plan->suites = lb_resized(NULL, (paths.count + 1) * sizeof *plan->suites);
    plan->first_case = lb_resized(NULL, (paths.count + 1) * sizeof *plan->first_case);
    plan->first_case[0] = 0;
    for (size_t i = 0; good && i < paths.count; i++) {
        lb_suite *suite = lb_suite_open(paths.items[i], &diagnostics);
        if (!suite)
            continue; /* go on: all broken suites are told at once */
        plan->suites[plan->suite_count++] = suite;
        plan->first_case[plan->suite_count] =
            plan->first_case[plan->suite_count - 1] + lb_suite_case_count(suite);
    }
    lb_paths_free(&paths);
    return good && diagnostics.count == 0;
}

void lb_plan_close_suites(lb_plan *plan)
{
    for (size_t i = 0; i < plan->suite_count; i++)
        lb_suite_close(plan->suites[i]);
    free(plan->suites);
    free(plan->first_case);
}

bool lb_plan_add_levels(lb_plan *plan, const char *const *levels, size_t count)
{
    if (count == 0)
        return true;
    if (plan->profile_count * count > LB_MAX_COLUMNS)
        return false;
    for (size_t column = plan->profile_count * count; column-- > 0;) {
        plan->profiles[column] = plan->profiles[column / count];
        plan->levels[column] = levels[column % count];
    }
    plan->profile_count *= count;
    return true;
}

uint64_t lb_plan_case_count(const lb_plan *plan)
{
    return plan->first_case[plan->suite_count];
}

size_t lb_plan_suite_of(const lb_plan *plan, uint64_t case_number, size_t *index)
{
    size_t low = 0, high = plan->suite_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (plan->first_case[middle] <= case_number)
            low = middle;
        else
            high = middle;
    }
    *index = (size_t)(case_number - plan->first_case[low]);
    return low;
}

bool lb_plan_in_shard(const lb_plan *plan, uint64_t case_number)
{
    return case_number % plan->shard_count == plan->shard_index - 1;
}

bool lb_plan_wants(const lb_plan *plan, const char *id)
{
    for (size_t i = 0; i < plan->pattern_count; i++)
        if (fnmatch(plan->patterns[i], id, 0) == 0)
            return true;
    return plan->pattern_count == 0;
}

bool lb_plan_may_want(const lb_plan *plan, uint64_t case_number)
{
    size_t index = 0, suite = lb_plan_suite_of(plan, case_number, &index);
    return !plan->has_level || !lb_suite_case_is_above(plan->suites[suite], index, plan->level);
}

bool lb_plan_wants_case(const lb_plan *plan, const lb_case *c)
{
    return (!plan->has_level || lb_level_of(c) <= plan->level) && lb_plan_wants(plan, c->id);
}
