/* In which numerics a case has a recorded result. */
#ifndef LB_HARNESS_COMMAND_RECORDED_H
#define LB_HARNESS_COMMAND_RECORDED_H

#include "harness/suite/suite.h"

/* All numerics that something may be recorded for, of all kernel sets. */
enum { LB_MOST_RECORDED = LB_NUMERICS_COUNT + 8 };
typedef struct lb_recorded_numerics {
    size_t count;
    lb_profile profiles[LB_MOST_RECORDED];
    const lb_profile *list[LB_MOST_RECORDED];
} lb_recorded_numerics;

void lb_recorded_numerics_make(lb_recorded_numerics *numerics);
/* Sets `wanted` where the case has a recorded result; false: nowhere. */
bool lb_recorded_in(const lb_recorded_numerics *numerics, const lb_case *c,
                    bool wanted[LB_MOST_RECORDED]);

/* Holds every recorded result of the suite against the exact model, and tells on standard error
 * where they differ: file and line, case, profiles, element, both values. How many results differ.
 */
uint64_t lb_recorded_check(const lb_suite *suite, const char *path);

#endif
