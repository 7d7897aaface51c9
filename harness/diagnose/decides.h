/* Which numbers of a call decide that a port refuses it: each alone is made another one, so that
 * the specification still takes the call, and the port is asked. */
#ifndef LB_HARNESS_DIAGNOSE_DECIDES_H
#define LB_HARNESS_DIAGNOSE_DECIDES_H

#include "harness/diagnose/diagnosis.h"

enum { LB_MOST_DECIDING = 48 };

/* A check, and how it goes with what the port says. */
typedef struct lb_deciding {
    const lb_rule *rule;
    unsigned decide; /* numbers of it by which the port takes the call */
    unsigned all;    /* numbers by which it is violated, in calls in which some decide */
} lb_deciding;

/* Counts for each check what is seen of a failing result that is refused and should be taken. */
void lb_decides(lb_diagnosing *g, const lb_tried *refused, lb_deciding *checks, unsigned count);

#endif
