/* The table of coverpoints as a whole: gathering the groups of a function, names, and what a group
 * may look at. See coverpoints.h. */
#include "harness/base/xalloc.h"
#include "harness/coverage/class.h"
#include "reference/describe/check.h"

#include <stdio.h>
#include <string.h>

size_t lb_cover_groups(const lb_kernel *kernel, lb_cover_group groups[LB_MAX_COVER_GROUPS])
{
    lb_cover_list list = {.kernel = kernel, .groups = groups};
    lb_cover_status(&list);
    if (kernel->exact)
        lb_cover_config(&list);
    if (kernel->exact && lb_kernel_step_places(kernel)) {
        lb_cover_described(&list);
    } else if (kernel->exact) {
        lb_cover_call(&list);
        lb_cover_quant(&list);
        lb_cover_numbers(&list);
        lb_cover_value(&list);
        lb_cover_computed(&list);
        lb_cover_meetings(&list);
    }
    return list.count;
}

void lb_cover_add(lb_cover_list *list, lb_cover_group group)
{
    if (group.leaf.kind != LB_LEAF_NONE)
        group.left = lb_checks_bound(list->kernel, group.leaf);
    if (list->count < LB_MAX_COVER_GROUPS)
        list->groups[list->count++] = group;
}

unsigned lb_cover_points(const lb_cover_group *group)
{
    unsigned count = 0;
    while (group->points && group->points[count].name)
        count++;
    return group->points ? count : group->limit;
}

/* Appends as much of the text as there is room for; gives the length. Names are made for all points
 * of a run, and printf takes several times as long. */
static size_t add_text(char name[LB_COVERPOINT_BYTES], size_t used, const char *text)
{
    while (*text != '\0' && used < LB_COVERPOINT_BYTES - 1)
        name[used++] = *text++;
    name[used] = '\0';
    return used;
}

void lb_cover_name(const lb_cover_group *group, unsigned point, char name[LB_COVERPOINT_BYTES])
{
    const lb_step_place *place = group->place;
    const bool placed = place && place->site != LB_SITE_NONE;
    char number[16];
    const char *parts[] = {placed ? lb_part_words((lb_part)place->part) : group->instance,
                           placed ? lb_term_name((lb_step_term)place->term) : "",
                           placed ? lb_site_label((lb_site)place->site) : "",
                           group->points ? group->points[point].name : number};
    if (!group->points)
        snprintf(number, sizeof number, "%d", group->first + (int)point);
    size_t used = add_text(name, 0, group->class_name);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i][0] != '\0')
            used = add_text(name, add_text(name, used, "."), parts[i]);
}

/* ---- What a group sees of a call ---- */

static void keep_number(const lb_cover_group *group, lb_cover_values *values, int64_t number)
{
    const int64_t point = number - group->first;
    values->hit |= point >= 0 && point < (int64_t)group->limit ? (uint64_t)1 << point : 0;
    for (size_t i = 0; i < values->count; i++)
        if (values->items[i] == number)
            return;
    if (values->count < LB_MAX_GROUP_POINTS)
        values->items[values->count++] = number;
}

void lb_cover_say(const lb_cover_group *group, lb_cover_values *values, int64_t number, int64_t end)
{
    if (!group->points)
        keep_number(group, values, number);
    for (unsigned i = 0; group->points && group->points[i].name; i++) {
        const lb_cover_point *p = &group->points[i];
        const bool is_in = number >= p->low && number <= p->high;
        if (is_in && (!p->is_held || (number - end >= p->from && number - end <= p->to)))
            values->hit |= (uint64_t)1 << i;
    }
}

static uint64_t told(const lb_observation *o, const lb_cover_group *group, uint64_t asked)
{
    lb_cover_values values;
    values.hit = values.count = 0;
    values.asked = asked;
    group->tell(o, group, &values);
    return values.hit;
}

uint64_t lb_cover_observe(const lb_observation *o, const lb_cover_group *group, uint64_t asked)
{
    bool computed = !o->violated && (!o->kernel->returns_status || o->after->status == LB_OK);
    if (!computed && !group->of_refused)
        return 0;
    return asked & (group->observe ? group->observe(o, group) : told(o, group, asked));
}

const lb_cover_point lb_cover_yes[] = {LB_POINT("", 1, 1), {0}};

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
    const lb_cover_exception **items;
    size_t count;
} reasons;

static const reasons *reasons_for(const lb_kernel *kernel)
{
    static reasons last;
    const char *function = lb_kernel_short_name(kernel);
    if (last.kernel == kernel)
        return &last;
    if (!last.items)
        last.items = lb_resized(NULL, lb_cover_exception_count * sizeof *last.items);
    last.count = 0;
    for (size_t i = 0; i < lb_cover_exception_count; i++)
        if (lb_cover_matches(lb_cover_exceptions[i].functions, function))
            last.items[last.count++] = &lb_cover_exceptions[i];
    last.kernel = kernel;
    return &last;
}

/* Is there a call that passes the checks and has such a number? */
static bool checks_leave(const lb_cover_group *group, unsigned point)
{
    if (group->leaf.kind == LB_LEAF_NONE || !group->points)
        return true;
    return group->points[point].low <= group->left.high &&
           group->points[point].high >= group->left.low;
}

/* The first reason of the table that holds for the point, by profile. */
static void reasons_of_table(const reasons *rows, const char *name,
                             const char *why[LB_PROFILE_COUNT])
{
    for (size_t i = rows->count; i-- > 0;)
        if (lb_cover_matches(rows->items[i]->points, name))
            for (int p = 0; p < LB_PROFILE_COUNT; p++)
                if ((rows->items[i]->profiles >> p & 1) != 0)
                    why[p] = rows->items[i]->why;
}

void lb_cover_unreachable(const lb_kernel *kernel, const lb_cover_group *group, unsigned point,
                          const char *why[LB_PROFILE_COUNT])
{
    const bool leaves = checks_leave(group, point);
    const bool described = lb_kernel_step_places(kernel) != NULL; /* what describes it says all */
    for (int p = 0; p < LB_PROFILE_COUNT; p++)
        why[p] = !leaves ? "the checks of the function leave no such number"
                 : described && group->unreachable ? group->unreachable(kernel, group, point, p)
                                                   : NULL;
    if (!leaves || described)
        return;
    const reasons *rows = reasons_for(kernel);
    char name[LB_COVERPOINT_BYTES];
    if (rows->count == 0)
        return;
    lb_cover_name(group, point, name);
    reasons_of_table(rows, name, why);
}
