/* Steps whose operands can have so few values that each is tried. */
#ifndef LB_HARNESS_FAULTS_STEP_DOMAINS_H
#define LB_HARNESS_FAULTS_STEP_DOMAINS_H

#include "harness/faults/ranges.h"

/* Is the fault's step the same for all values that its operands can have here, or differs only
 * where later limits make the same of both? False also where these are too many to try, or the edit
 * asks for more than the step. */
bool lb_step_never_changed(const lb_fault *fault, const lb_num_step *site,
                           const struct lb_fault_flow *flow);

#endif
