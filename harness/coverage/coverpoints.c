/* The table of coverpoints as a whole: gathering the groups of a function, names, and what a group
 * may look at. See coverpoints.h. */
#include "harness/base/xalloc.h"
#include "harness/coverage/class.h"

#include <stdio.h>
#include <string.h>

size_t lb_cover_groups(const lb_kernel *kernel, lb_cover_group groups[LB_MAX_COVER_GROUPS])
{
    lb_cover_list list = {.kernel = kernel, .groups = groups};
    lb_cover_status(&list);
    if (kernel->exact && lb_kernel_step_places(kernel)) {
        lb_cover_config(&list);
        lb_cover_described(&list);
    } else if (kernel->exact) {
        lb_cover_config(&list);
        lb_cover_shape(&list);
        lb_cover_layout(&list);
        lb_cover_quant(&list);
        lb_cover_shift(&list);
        lb_cover_each(&list);
        lb_cover_value(&list);
        lb_cover_computed(&list);
        lb_cover_cross(&list);
        lb_cover_long(&list);
    }
    return list.count;
}

void lb_cover_add(lb_cover_list *list, lb_cover_group group)
{
    if (list->count < LB_MAX_COVER_GROUPS)
        list->groups[list->count++] = group;
}

unsigned lb_cover_points(const lb_cover_group *group)
{
    unsigned count = 0;
    while (group->points[count] && (group->limit == 0 || count < group->limit))
        count++;
    return count;
}

void lb_cover_name(const lb_cover_group *group, unsigned point, char name[LB_COVERPOINT_BYTES])
{
    const char *dot = group->instance[0] != '\0' ? "." : "";
    if (group->place && group->place->site != LB_SITE_NONE) {
        const char *term = lb_term_name((lb_step_term)group->place->term);
        snprintf(name, LB_COVERPOINT_BYTES, "%s.%s%s%s.%s.%s", group->class_name,
                 lb_part_words((lb_part)group->place->part), *term ? "." : "", term,
                 lb_site_label((lb_site)group->place->site), group->points[point]);
        return;
    }
    const char *last = group->points[point][0] != '\0' ? "." : "";
    snprintf(name, LB_COVERPOINT_BYTES, "%s%s%s%s%s", group->class_name, dot, group->instance, last,
             group->points[point]);
}

uint64_t lb_cover_observe(const lb_observation *o, const lb_cover_group *group)
{
    bool computed = !o->violated && (!o->kernel->returns_status || o->after->status == LB_OK);
    return computed || group->of_refused ? group->observe(o, group) : 0;
}

bool lb_cover_in(const lb_kernel *kernel, lb_family_set families)
{
    const lb_family_set own = (lb_family_set)1 << kernel->family |
                              (lb_family_set)1 << (LB_FAMILY_COUNT_OF_ALL + lb_pattern_of(kernel));
    const bool has_axis =
        kernel->config_kind == LB_CONFIG_AXIS || kernel->config_kind == LB_CONFIG_ARGMAX;
    return (families & own) != 0 && (has_axis || !(families & LB_WITH_AXIS));
}

const lb_tensor *lb_cover_tensor(const lb_call *call, int role, unsigned i)
{
    return call->tensor[role] && i < call->list_count[role] ? &call->tensor[role][i] : NULL;
}

bool lb_cover_has(const lb_kernel *kernel, lb_role role)
{
    return lb_kernel_role(kernel, role) != NULL;
}

const char *const lb_extent_points[] = {"1",  "2..7",   "8",  "9..15", "16", "17..31",
                                        "32", "33..63", "64", "65+",   NULL};

uint64_t lb_extent_class(uint64_t extent)
{
    static const uint64_t last[] = {1, 7, 8, 15, 16, 31, 32, 63, 64};
    unsigned i = 0;
    while (i < sizeof last / sizeof last[0] && extent > last[i])
        i++;
    return (uint64_t)1 << i;
}

/* ---- Reasons ---- */

/* One alternative, which ends at `end`. */
static bool matches_one(const char *pattern, const char *end, const char *text)
{
    const char *star = NULL;
    const char *resume = NULL;
    while (*text != '\0') {
        if (pattern < end && *pattern == '*') {
            star = pattern++;
            resume = text;
        } else if (pattern < end && *pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++resume;
        } else {
            return false;
        }
    }
    while (pattern < end && *pattern == '*')
        pattern++;
    return pattern == end;
}

bool lb_cover_matches(const char *pattern, const char *text)
{
    for (;;) {
        const char *end = pattern + strcspn(pattern, "|");
        if (matches_one(pattern, end, text))
            return true;
        if (*end == '\0')
            return false;
        pattern = end + 1;
    }
}

/* The reasons that are about a function. Points are asked for function after function, and far more
 * often than there are functions: those of the last one are kept. */
typedef struct reasons {
    const lb_kernel *kernel;
    const lb_cover_profile_exception **of_profiles;
    const lb_cover_exception **of_all;
    size_t profile_count, all_count;
} reasons;

static bool is_about(const lb_cover_exception *e, const lb_kernel *kernel, const char *function)
{
    if (e->functions[0] != ':')
        return lb_cover_matches(e->functions, function);
    for (const lb_rule *rule = kernel->rules; rule && rule->check; rule++)
        if (strcmp(rule->name, e->functions + 1) == 0)
            return true;
    return false;
}

static const reasons *reasons_for(const lb_kernel *kernel)
{
    static reasons last;
    if (last.kernel == kernel)
        return &last;
    if (!last.of_all) {
        last.of_profiles =
            lb_resized(NULL, (lb_cover_profile_exception_count + 1) * sizeof *last.of_profiles);
        last.of_all = lb_resized(NULL, (lb_cover_exception_count + 1) * sizeof *last.of_all);
    }
    const char *function = lb_kernel_short_name(kernel);
    last.profile_count = last.all_count = 0;
    for (size_t i = 0; i < lb_cover_profile_exception_count; i++)
        if (lb_cover_matches(lb_cover_profile_exceptions[i].of.functions, function))
            last.of_profiles[last.profile_count++] = &lb_cover_profile_exceptions[i];
    for (size_t i = 0; i < lb_cover_exception_count; i++)
        if (is_about(&lb_cover_exceptions[i], kernel, function))
            last.of_all[last.all_count++] = &lb_cover_exceptions[i];
    last.kernel = kernel;
    return &last;
}

const char *lb_cover_unreachable(const lb_kernel *kernel, const lb_cover_group *group,
                                 unsigned point, int profile)
{
    if (lb_kernel_step_places(kernel)) /* what describes it says all */
        return group->unreachable ? group->unreachable(kernel, group, point, profile) : NULL;
    const reasons *why = reasons_for(kernel);
    char name[LB_COVERPOINT_BYTES];
    if (why->profile_count + why->all_count == 0)
        return NULL;
    lb_cover_name(group, point, name);
    for (size_t i = 0; i < why->profile_count; i++)
        if (why->of_profiles[i]->profiles >> profile & 1 &&
            lb_cover_matches(why->of_profiles[i]->of.points, name))
            return why->of_profiles[i]->of.why;
    for (size_t i = 0; i < why->all_count; i++)
        if (lb_cover_matches(why->of_all[i]->points, name))
            return why->of_all[i]->why;
    return NULL;
}
