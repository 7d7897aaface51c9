/* Levels of a suite: how much of it a run tries. A case says its own by a tag, "smoke" or "deep";
 * one without is of the level standard. A run at a level tries the cases of that level and of those
 * below. */
#ifndef LB_HARNESS_SUITE_SUITE_LEVEL_H
#define LB_HARNESS_SUITE_SUITE_LEVEL_H

#include "harness/suite/case.h"

typedef enum lb_level { LB_LEVEL_SMOKE, LB_LEVEL_STANDARD, LB_LEVEL_DEEP, LB_LEVEL_COUNT } lb_level;

extern const char *const lb_level_names[]; /* ended by NULL */
const char *lb_level_name(lb_level level);
/* False: no such level. */
bool lb_level_find(const char *name, lb_level *level);
lb_level lb_level_of(const lb_case *c);

#endif
