/* Which values of a step make no difference to results, as limits that come later cut them off. */
#ifndef LB_HARNESS_FAULTS_ABSORBED_H
#define LB_HARNESS_FAULTS_ABSORBED_H

#include "harness/faults/ranges.h"

/* Fills `absorbed` of all flows of the list; after lb_fault_ranges_solve. */
void lb_fault_absorbed_solve(lb_fault_list *list, const lb_kernel *kernel);

#endif
