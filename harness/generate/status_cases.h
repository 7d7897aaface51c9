/* lastbit vectors generate --status: for every check of a function, calls that violate it and no
 * earlier one. What the checks say of themselves (reference/describe/check.h) is asked: valid cases
 * are changed just beyond the limit of a check, and further; where an earlier check fails first,
 * what it asks for follows. */
#ifndef LB_HARNESS_GENERATE_STATUS_CASES_H
#define LB_HARNESS_GENERATE_STATUS_CASES_H

#include "harness/suite/case.h"

enum { LB_STATUS_CASES = 16 };

/* Cases that violate the rule of the function first, each with another leaf or status: the one
 * nearest to the limit first. All are defined, can be written and read back, and say in their note
 * what was changed. Gives their number; memory comes from the arena. */
unsigned lb_status_cases_of(const lb_kernel *kernel, const lb_rule *rule, uint64_t seed,
                            lb_arena *arena, lb_case *cases[LB_STATUS_CASES]);

#endif
