/* Whether the spec says what comes out of a case. What it leaves undefined proves nothing about a
 * port, so the search stays out of it. */
#ifndef LB_HARNESS_COVERAGE_DEFINED_H
#define LB_HARNESS_COVERAGE_DEFINED_H

#include "harness/suite/case.h"

/* False: the case lies outside of the defined domain. Accumulators that leave their width are told
 * by the watch, not here. */
bool lb_cover_is_defined(const lb_case *c);

#endif
