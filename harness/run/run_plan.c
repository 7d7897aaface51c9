/* The numbered sequence of cases of a run: see run_plan.h. */
#include "harness/run/run_plan.h"

#include <fnmatch.h>

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

bool lb_plan_wants_case(const lb_plan *plan, const lb_case *c)
{
    return (!plan->has_level || lb_level_of(c) <= plan->level) && lb_plan_wants(plan, c->id);
}
