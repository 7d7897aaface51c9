/* What a result says of its case without anything having been run, and the lines that make the case
 * again. */
#ifndef LB_HARNESS_TRIAL_BLANK_H
#define LB_HARNESS_TRIAL_BLANK_H

#include "harness/trial/trial.h"

/* Everything filled that is known without running; verdict LB_SKIP. */
lb_result lb_blank_result(const lb_trial_setup *setup, const lb_case *c, const lb_profile *profile);
/* Fills the lines that try and that explain the case again; of a result that did not pass. */
void lb_tell_lines(const lb_trial_setup *setup, const lb_case *c, const lb_profile *profile,
                   lb_result *result);
/* The first element that differs; NULL: none does. */
const lb_difference *lb_first_data(const lb_result *result);

#endif
