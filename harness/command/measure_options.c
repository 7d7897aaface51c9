/* Options of the commands that measure suites: see measure_options.h. */
#include "harness/command/measure_options.h"
#include "harness/base/command_line.h"

#include <fnmatch.h>
#include <string.h>
#include <unistd.h>

const lb_option lb_function_option[] = {
    {"function", 'f', LB_LIST, "GLOB",
     .help = "only functions whose name matches; may be given several times"},
    {.name = NULL}};

const lb_option lb_strength_options[] = {
    {"steps", 0, LB_NUMBER, "MILLIONS", LB_INTO(lb_strength_choice, million_steps), .low = 1,
     .high = 1000000,
     .help = "steps of the exact model that one case may take over all faults (default 20); the "
             "faults left over are not tried on it"},
    {"tries", 0, LB_NUMBER, "N", LB_INTO(lb_strength_choice, tries), .high = 1000000,
     .help = "give a fault up that N cases in which it acts do not catch (default 60; 0: never)"},
    {"jobs", 'j', LB_NUMBER, "N", LB_INTO(lb_strength_choice, jobs), .low = 1, .high = 64,
     .help = "processes side by side (default 1)"},
    {.name = NULL}};

lb_strength_choice lb_strength_choice_start(void)
{
    return (lb_strength_choice){.measure.level.level = LB_LEVEL_DEEP,
                                .million_steps = 20,
                                .tries = 60,
                                .catches = 1,
                                .jobs = 1};
}

bool lb_functions_choose(const lb_list *patterns, const char *command, bool *wanted)
{
    for (size_t i = 0; i < lb_kernel_total(); i++)
        wanted[i] = patterns->count == 0;
    for (size_t p = 0; p < patterns->count; p++) {
        const char *pattern = patterns->items[p];
        bool any = false;
        for (size_t i = 0; i < lb_kernel_total(); i++)
            if (fnmatch(pattern, lb_kernel_at(i)->name, 0) == 0)
                any = wanted[i] = true;
        if (!any)
            return lb_usage_error(command, "--function %s: no function matches", pattern), false;
    }
    return true;
}

size_t lb_measure_all_profiles(const lb_profile *profiles[LB_MAX_PROFILES])
{
    size_t count = 0;
    for (unsigned s = 0; s < LB_SET_COUNT; s++)
        for (unsigned p = 0; p < lb_kernel_sets[s]->profile_count; p++)
            profiles[count++] = &lb_kernel_sets[s]->profiles[p];
    return count;
}

bool lb_measure_choose(lb_measure_choice *choice, const char *command)
{
    const char *names = choice->profile_names ? choice->profile_names : "all";
    if (!lb_functions_choose(&choice->functions, command, choice->wanted) ||
        !lb_profiles_choose(command, names, &choice->loaded, choice->profiles,
                            &choice->profile_count))
        return false;
    if (strcmp(names, "all") == 0)
        choice->profile_count = lb_measure_all_profiles(choice->profiles);
    return true;
}

void lb_measure_keep_sets(lb_measure_choice *choice, unsigned sets)
{
    for (size_t i = 0; i < lb_kernel_total() && choice->functions.count == 0; i++)
        choice->wanted[i] =
            choice->wanted[i] && (sets == 0 ? 1u << LB_SET_MLI : sets) >> lb_kernel_at(i)->set & 1;
}

cJSON *lb_strength_rows(const lb_strength_choice *c, const lb_strength_cases *cases)
{
    lb_measure_choice measure = c->measure;
    lb_measure_keep_sets(&measure, cases->sets);
    const lb_strength_jobs jobs = {
        .cases = cases,
        .wanted = measure.wanted,
        .profiles = c->measure.profiles,
        .profile_count = c->measure.profile_count,
        .limits = {.catches = c->catches, .steps = c->million_steps * 1000000ul, .tries = c->tries},
        .jobs = c->jobs,
        .kept = c->kept,
        .progress = isatty(STDERR_FILENO) != 0};
    return lb_strength_run(&jobs);
}
