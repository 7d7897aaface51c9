/* Faults that no call can show: proved, not tried. */
#ifndef LB_HARNESS_FAULTS_PROOFS_H
#define LB_HARNESS_FAULTS_PROOFS_H

#include "harness/faults/faults.h"

/* Why the fault gives the same as the exact model in every call of the function in this profile, a
 * sentence; NULL: nothing is proved. The list knows the function's steps; memory from the arena. */
const char *lb_fault_proof(const lb_fault_list *list, const lb_fault *fault,
                           const lb_kernel *kernel, const lb_profile *profile, lb_arena *arena);
/* The same of a fault that has a rule (status_proofs.c). */
const char *lb_status_proof(const lb_fault *fault, const lb_kernel *kernel);

#endif
