/* Where a failing result diverges: the name of the first step that its difference can come from,
 * for reports. */
#ifndef LB_HARNESS_EXPLAIN_DIVERGES_H
#define LB_HARNESS_EXPLAIN_DIVERGES_H

#include "harness/faults/faults.h"
#include "harness/trial/analysis.h"

/* Where failing results diverge, as an analysis of trials. */
typedef struct lb_diverges_listener {
    double seconds_left;
    const lb_fault *before; /* of another result of the case at hand; NULL: none yet */
    bool none;              /* no fault accounts for another result of it */
    lb_arena *arena;        /* of the case */
} lb_diverges_listener;

lb_analysis lb_diverges_analysis(lb_diverges_listener *listener);

#endif
