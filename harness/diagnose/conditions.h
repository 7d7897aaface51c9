/* Under which condition a fault is there: a rule over cases, or over the steps of elements. */
#ifndef LB_HARNESS_DIAGNOSE_CONDITIONS_H
#define LB_HARNESS_DIAGNOSE_CONDITIONS_H

#include "harness/diagnose/diagnosis.h"
#include "harness/diagnose/experiment.h"

/* "in.shape[2] is 9 or more": the rule that tells cases in which the theory goes with a failure
 * from those in which it should show and the port is right. Rows are added to those of the
 * experiments; asked once of a theory. "": there is none. */
const char *lb_case_condition(lb_diagnosing *g, const lb_theory *theory, lb_experiments *x);
/* What the steps of wrong elements have in common that those of right ones have not, of elements
 * that the fault changes: its condition, where no number of the call is. Asked once of a theory. */
const char *lb_step_condition(lb_diagnosing *g, lb_theory *theory, const lb_function *f);

#endif
