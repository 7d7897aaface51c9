/* The result of a step of the models from its operands. */
#ifndef LB_HARNESS_FAULTS_EVALUATE_H
#define LB_HARNESS_FAULTS_EVALUATE_H

#include "reference/core/steps.h"

/* False: the operation is none that is computed here. Total: for any operands. */
bool lb_fault_evaluate(const lb_num_step *step, int64_t *result);

#endif
