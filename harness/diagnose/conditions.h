/* Under which condition a fault is there: a rule over cases and elements. */
#ifndef LB_HARNESS_DIAGNOSE_CONDITIONS_H
#define LB_HARNESS_DIAGNOSE_CONDITIONS_H

#include "harness/diagnose/diagnosis.h"
#include "harness/diagnose/experiment.h"

/* "in.shape[2] is 9 or more": the rule that tells cases in which the theory goes with a failure
 * from those in which it should show and the port is right. Rows are added to those of the
 * experiments; asked once of a theory. "": there is none. */
const char *lb_case_condition(lb_diagnosing *g, const lb_theory *theory, lb_experiments *x);

#endif
