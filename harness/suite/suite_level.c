/* Levels of a suite: see suite_level.h. */
#include "harness/suite/suite_level.h"

#include <string.h>

const char *const lb_level_names[] = {"smoke", "standard", "deep", NULL};

const char *lb_level_name(lb_level level)
{
    return lb_level_names[level];
}

bool lb_level_find(const char *name, lb_level *level)
{
    for (lb_level i = LB_LEVEL_SMOKE; i < LB_LEVEL_COUNT; i++)
        if (strcmp(name, lb_level_names[i]) == 0)
            return *level = i, true;
    return false;
}

lb_level lb_level_of(const lb_case *c)
{
    if (lb_case_has_tag(c, lb_level_names[LB_LEVEL_SMOKE]))
        return LB_LEVEL_SMOKE;
    return lb_case_has_tag(c, lb_level_names[LB_LEVEL_DEEP]) ? LB_LEVEL_DEEP : LB_LEVEL_STANDARD;
}
