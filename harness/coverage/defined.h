/* Whether the spec says what comes out of a case. What it leaves undefined proves nothing about a
 * port, so the search stays out of it. */
#ifndef LB_HARNESS_COVERAGE_DEFINED_H
#define LB_HARNESS_COVERAGE_DEFINED_H

#include "harness/suite/case.h"
#include "reference/describe/kernels.h"

/* The kernel set that the case is of: sequences of calls are MLI's. */
static inline const lb_kernel_set *lb_cover_set_of(const lb_case *c)
{
    return c->kernel ? lb_kernel_set_of(c->kernel) : &lb_set_mli;
}

/* False: the case lies outside of the defined domain. Accumulators that leave their width are told
 * by the watch, not here. */
bool lb_cover_is_defined(const lb_case *c);

#endif
