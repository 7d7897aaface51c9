/* Kinds of faults of which it is only known what is wrong, and not what they leave: a field, a
 * status, bytes of an input. */
#ifndef LB_HARNESS_DIAGNOSE_OPEN_H
#define LB_HARNESS_DIAGNOSE_OPEN_H

#include "harness/diagnose/left.h"
#include "harness/faults/faults.h"

/* Is everything right but what such a fault makes wrong, and that is not? The bench's `out` holds
 * the fault's example. */
bool lb_open_explains(const lb_fault_bench *bench, const lb_fault *fault, const lb_left *left);

#endif
