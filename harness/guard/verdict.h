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

/* What becomes of a case whose accumulators can leave, or have left, the width that the profile
 * gives (--guard). */
typedef enum lb_guard_mode {
    LB_GUARD_WARN, /* the numbers are in the result, and reports mark them */
    LB_GUARD_OFF,  /* only what was measured is in the result */
    LB_GUARD_ERROR /* the case fails */
} lb_guard_mode;

/* Guard bits as an analysis of trials: completes results whose exact model has computed (members of
 * `accumulator`, and where it comes to that verdict and reason). */
typedef struct lb_guard_listener {
    lb_guard_mode mode;
    lb_guard_prover prover;
    lb_guard_bound bound; /* of the calls of the result in work */
} lb_guard_listener;

lb_analysis lb_guard_analysis(lb_guard_listener *listener);

#endif
