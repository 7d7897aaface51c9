/* Where in code to look for what goes wrong in an operation of a model: one table for all sites. */
#ifndef LB_HARNESS_DIAGNOSE_HINTS_H
#define LB_HARNESS_DIAGNOSE_HINTS_H

#include "reference/core/steps.h"

/* For people. "": LB_STEP_COUNT, which is no operation. */
const char *lb_hint_of(lb_operation operation);

#endif
