/* Faults of checks that no call can show: from the statuses that checks can give. */
#ifndef LB_HARNESS_FAULTS_STATUS_PROOFS_H
#define LB_HARNESS_FAULTS_STATUS_PROOFS_H

#include "harness/faults/faults.h"

/* As lb_fault_proof, of a fault that has a rule. */
const char *lb_status_proof(const lb_fault *fault, const lb_kernel *kernel);

#endif
