/* What a diagnosis has cost, in nominal seconds: counted from the model's steps that were replayed
 * and the calls that were made, and never measured, so that a busy machine names the same faults as
 * a quiet one. A nominal second is about one of a quiet processor. Wall time is a limit for safety
 * alone (lb_evidence.ends); where it is reached, that is said. */
#ifndef LB_HARNESS_DIAGNOSE_WORK_H
#define LB_HARNESS_DIAGNOSE_WORK_H

#include "harness/diagnose/evidence.h"
#include "harness/faults/faults.h"

/* So far; beyond every limit once the safety limit is reached. */
double lb_work_seconds(lb_evidence *evidence);

/* Seconds of the clock after which a diagnosis of this effort stops all the same. */
double lb_work_limit(double effort);

/* A run of the exact model on the bench's case; `listened`: with a listener to its steps. */
void lb_work_run(lb_evidence *evidence, lb_fault_bench *bench, bool listened);
/* A fault held against a result. */
void lb_work_fault(lb_evidence *evidence, lb_fault_bench *bench, const lb_fault *fault);
/* Calls of the port; the same in fresh processes. */
void lb_work_calls(lb_evidence *evidence, uint64_t calls);
void lb_work_processes(lb_evidence *evidence, uint64_t processes);

#endif
