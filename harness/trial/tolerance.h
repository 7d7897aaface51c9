/* How far an output tensor is from the real model, and whether that is too far. */
#ifndef LB_HARNESS_TRIAL_TOLERANCE_H
#define LB_HARNESS_TRIAL_TOLERANCE_H

#include "harness/call/call_memory.h"
#include "harness/suite/tolerance_policy.h"
#include "harness/trial/derived_limit.h"
#include "harness/trial/metrics.h"

/* One output of the real model, in row-major order of the case's shape. */
typedef struct lb_real_output {
    const double *value; /* real numbers, unclamped; NAN: none */
    const lb_span *span; /* the same in containers */
} lb_real_output;

/* What is found of one output. */
typedef struct lb_tolerance_finding {
    lb_tolerance figures;   /* with the limit that is used up most */
    lb_agreement agreement; /* differs: a limit is exceeded; none: nothing, or not everything, could
                           be judged (limit_source then says why) */
    const char *refused; /* a limit of the policy is larger than the signal: in words, with file and
                            line; else NULL */
} lb_tolerance_finding;

/* Compares the elements of `role` with the real model, in the format that the exact model left in
 * the tensor, and holds them to limits: element-wise and on their mean the derived ones, in place
 * of which those of the policy stand where it sets them; and all others that the policy sets.
 * Metrics that are norms (rms_steps, noise_ratio, snr_db, quant_share_percent) judge only beside an
 * element-wise limit. limits: NULL: none set. Texts come from the arena. False where there is
 * nothing to compare (rank 0, fp32, invalid scale). */
bool lb_tolerance_measure(const lb_instance *exact, const lb_instance *port, lb_role role,
                          lb_real_output real, const lb_case_limits *limits, lb_arena *arena,
                          lb_tolerance_finding *finding);

#endif
