/* Running edits: see edit.h. */
#ifndef LB_HARNESS_FAULTS_EDIT_RUN_H
#define LB_HARNESS_FAULTS_EDIT_RUN_H

#include "harness/faults/faults.h"

/* The exact model, edited. False: the edit changes nothing in this call, or nobody knows what. */
bool lb_edit_run(lb_fault_run *run);

#endif
