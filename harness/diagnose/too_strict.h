/* Which check refuses what it should take: of all that give the status, the one whose own numbers
 * decide, as the port says when each of them is made another one. */
#ifndef LB_HARNESS_DIAGNOSE_TOO_STRICT_H
#define LB_HARNESS_DIAGNOSE_TOO_STRICT_H

#include "harness/diagnose/diagnosis.h"

/* By which numbers the refused calls differ from those that are taken ("stride_height is more than
 * weights.shape[0]"); NULL: not known. */
typedef struct lb_strict_when {
    const char *condition;
    bool is_of_all; /* it tells all of them, and which check it is was asked */
} lb_strict_when;

/* A theory is that some check is too strict; the one that says it of the right check, or the same
 * where neither its numbers nor their limits tell. */
lb_theory *lb_strictest_theory(lb_diagnosing *g, lb_theory *theory, lb_strict_when *when);

#endif
