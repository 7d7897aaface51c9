/* Faults that no call can show, by what is known of a function: its steps (faults/proofs.h), and
 * the points that no call reaches (unreachable.c). */
#ifndef LB_HARNESS_COVERAGE_EQUIVALENT_H
#define LB_HARNESS_COVERAGE_EQUIVALENT_H

#include "harness/faults/proofs.h"

/* As lb_fault_proof. */
const char *lb_equivalent(const lb_fault_list *list, const lb_fault *fault, const lb_kernel *kernel,
                          const lb_profile *profile, lb_arena *arena);

#endif
