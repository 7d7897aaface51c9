/* The numbered sequence of cases of a run: see run_plan.h. */
#include "harness/run/run_plan.h"
#include "harness/base/installed.h"
#include "harness/base/xalloc.h"

#include <fnmatch.h>
#include <stdlib.h>

/* Cases of JSON Lines that are kept between the check and the run. */
enum { KEPT_BYTES = 128 << 20 };

/* A suite that calls functions of the set; the sets differ, so there is one. */
static const char *suite_of(const lb_plan *plan, unsigned set)
{
    size_t i = 0;
    while (i + 1 < plan->suite_count && !(lb_suite_sets(plan->suites[i]) >> set & 1))
        i++;
    return lb_suite_path(plan->suites[i]);
}

static void keep_profiles(lb_plan *plan)
{
    size_t kept = 0;
    for (size_t i = 0; i < plan->profile_count; i++) {
        const lb_profile *p = plan->profiles[i];
        const int bit = p->set == LB_SET_MLI ? lb_profile_numerics(p) : lb_profile_number(p);
        if (plan->port_profiles >> bit & 1)
            plan->profiles[kept++] = p;
    }
    plan->profile_count = kept ? kept : plan->profile_count;
}

void lb_plan_keep_profiles(lb_plan *plan, unsigned profiles)
{
    plan->port_profiles = profiles;
    keep_profiles(plan);
}

bool lb_plan_take_set(lb_plan *plan, lb_set set, const char *asks)
{
    plan->set = set;
    if (set != LB_SET_MLI && plan->has_all_profiles) {
        plan->profile_count = lb_kernel_sets[set]->profile_count;
        for (size_t p = 0; p < plan->profile_count; p++)
            plan->profiles[p] = &lb_kernel_sets[set]->profiles[p];
        keep_profiles(plan);
    }
    for (size_t p = 0; p < plan->profile_count; p++)
        if (plan->profiles[p]->set != set) {
            fprintf(stderr, "lastbit: --profile %s is one of %s, and %s %s\n",
                    plan->profiles[p]->name, lb_kernel_sets[plan->profiles[p]->set]->name, asks,
                    lb_kernel_sets[set]->name);
            return false;
        }
    return true;
}

bool lb_plan_fit_profiles(lb_plan *plan)
{
    unsigned sets = 0, set = LB_SET_MLI;
    for (size_t i = 0; i < plan->suite_count; i++)
        sets |= lb_suite_sets(plan->suites[i]);
    while (set + 1 < LB_SET_COUNT && !(sets >> set & 1))
        set++;
    if (sets >> set > 1) {
        unsigned other = set + 1;
        while (!(sets >> other & 1))
            other++;
        fprintf(stderr,
                "lastbit: %s has functions of %s, and %s of %s: a run is of one kernel set\n",
                suite_of(plan, set), lb_kernel_sets[set]->name, suite_of(plan, other),
                lb_kernel_sets[other]->name);
        return false;
    }
    if (sets == 0)
        return true;
    char asks[1100];
    snprintf(asks, sizeof asks, "%.1000s has functions of", suite_of(plan, set));
    return lb_plan_take_set(plan, (lb_set)set, asks);
}

bool lb_plan_open_suites(lb_plan *plan, char *const *arguments, size_t count)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_paths paths = {0};
    size_t room = KEPT_BYTES;
    const lb_level most = plan->has_level ? plan->level : LB_LEVEL_DEEP;
    bool good = lb_paths_collect(arguments, count, &paths, &diagnostics);
    plan->suites = lb_resized(NULL, (paths.count + 1) * sizeof *plan->suites);
    plan->first_case = lb_resized(NULL, (paths.count + 1) * sizeof *plan->first_case);
    plan->first_case[0] = 0;
    for (size_t i = 0; good && i < paths.count; i++) {
        lb_suite *suite = lb_suite_open_kept(paths.items[i], &room, most, &diagnostics);
        if (!suite)
            continue; /* go on: all broken suites are told at once */
        plan->suites[plan->suite_count++] = suite;
        plan->first_case[plan->suite_count] =
            plan->first_case[plan->suite_count - 1] + lb_suite_case_count(suite);
    }
    lb_paths_free(&paths);
    return good && diagnostics.count == 0 && lb_plan_fit_profiles(plan);
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

bool lb_plan_is_meant(const lb_plan *plan, size_t suite)
{
    return lb_suite_command(plan->suites[suite]) != NULL ||
           lb_is_installed("vectors", "cases.schema.json", lb_suite_path(plan->suites[suite]));
}

bool lb_plan_is_all_meant(const lb_plan *plan)
{
    bool meant = true;
    for (size_t i = 0; i < plan->suite_count && meant; i++)
        meant = lb_plan_is_meant(plan, i);
    return meant;
}

bool lb_plan_in_shard(const lb_plan *plan, uint64_t case_number)
{
    return case_number % plan->shard_count == plan->shard_index - 1;
}

static bool matches(const lb_words *patterns, const char *text)
{
    for (size_t i = 0; i < patterns->count; i++)
        if (fnmatch(patterns->list[i], text, 0) == 0)
            return true;
    return false;
}

static bool a_tag_matches(const lb_words *patterns, const lb_case *c)
{
    for (size_t i = 0; i < c->tag_count; i++)
        if (matches(patterns, c->tags[i]))
            return true;
    return false;
}

/* An empty list of what is wanted wants all, one of what is left out leaves out nothing. */
static bool is_chosen(const lb_run_choice *chosen, const lb_case *c)
{
    return (chosen->cases.count == 0 || matches(&chosen->cases, c->id)) &&
           (chosen->functions.count == 0 || matches(&chosen->functions, c->function)) &&
           (chosen->tags.count == 0 || a_tag_matches(&chosen->tags, c)) &&
           !matches(&chosen->excluded, c->id) && !matches(&chosen->excluded, c->function) &&
           !a_tag_matches(&chosen->excluded, c);
}

bool lb_plan_may_want(const lb_plan *plan, uint64_t case_number)
{
    size_t index = 0, suite = lb_plan_suite_of(plan, case_number, &index);
    return !plan->has_level || !lb_suite_case_is_above(plan->suites[suite], index, plan->level);
}

bool lb_plan_wants_case(const lb_plan *plan, const lb_case *c)
{
    return (!plan->has_level || lb_level_of(c) <= plan->level) && is_chosen(&plan->chosen, c);
}

static bool chooses_by_words(const lb_plan *plan)
{
    for (size_t i = 0; i < LB_CHOICE_LISTS; i++)
        if (lb_chosen_words(&plan->chosen, i)->count > 0)
            return true;
    return false;
}

/* Cases of one suite that are wanted in this shard. Only where words choose are they read. */
static bool count_wanted(const lb_plan *plan, size_t s, bool by_words, uint64_t *count)
{
    lb_suite_reader *reader = by_words ? lb_suite_reader_open(plan->suites[s]) : NULL;
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    bool good = reader || !by_words;
    for (uint64_t n = plan->first_case[s]; good && n < plan->first_case[s + 1]; n++) {
        if (!lb_plan_in_shard(plan, n) || !lb_plan_may_want(plan, n))
            continue;
        const lb_case *c =
            reader ? lb_suite_reader_case(reader, (size_t)(n - plan->first_case[s]), &diagnostics)
                   : NULL;
        good = c || !by_words;
        *count += good && (!c || lb_plan_wants_case(plan, c));
    }
    lb_suite_reader_close(reader);
    return good;
}

bool lb_plan_expected(const lb_plan *plan, uint64_t *results)
{
    bool by_words = chooses_by_words(plan);
    uint64_t count = 0;
    for (size_t s = 0; s < plan->suite_count; s++) {
        bool is_made = lb_suite_command(plan->suites[s]) != NULL; /* its levels are not noted */
        if (!count_wanted(plan, s, by_words || (is_made && plan->has_level), &count))
            return false;
    }
    *results = count * plan->profile_count;
    return true;
}
