/* What accumulators mean for the verdict of a case: what is proved of them goes into the result, a
 * range too wide fails the case where that was asked for, and what came out of an overflow is not
 * held against the port, unless it was recorded. */
#ifndef LB_HARNESS_GUARD_VERDICT_H
#define LB_HARNESS_GUARD_VERDICT_H

#include "harness/guard/bound.h"
#include "harness/trial/trial.h"

/* Is what the function gives specified, given what its accumulators did? Past the width of a
 * built-in profile it is not (conv.md 12, recurrent.md 5.4): only a bias that is cut off is, and in
 * recurrent functions that is not either. A platform profile says itself what happens past its
 * width. */
bool lb_guard_is_specified(const lb_profile *profile, const lb_kernel *kernel,
                           const lb_watch *watch);

/* Completes a judged result whose exact model has computed: members of `accumulator`, and where it
 * comes to that verdict and reason. bound->known may be false: nothing was proved. setup: the mode,
 * the port, and the arena that texts come from. */
void lb_guard_judge(const lb_trial_setup *setup, const lb_profile *profile,
                    const lb_guard_prover *prover, const lb_guard_bound *bound,
                    const lb_watch *watch, lb_result *result);

#endif
