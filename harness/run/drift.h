/* Networks at the end of a run: every layer fed by the layers before it, three times: real model,
 * exact model, port. */
#ifndef LB_HARNESS_RUN_DRIFT_H
#define LB_HARNESS_RUN_DRIFT_H

#include "harness/port/port.h"
#include "harness/run/run_plan.h"
#include "reports/results.h"

#include <stdio.h>

typedef struct lb_drift {
    lb_arena arena;
    lb_layer_drift *list;
    size_t count, room;
} lb_drift;

/* Of the suites of the plan that have layers, in each profile, without CPU levels. */
void lb_drift_measure(lb_drift *drift, const lb_plan *plan, lb_port *port);
void lb_drift_free(lb_drift *drift);

/* A line for each network and profile: where port and exact model part, and the noise at the end.
 */
void lb_drift_print(const lb_run_info *info, FILE *out);

#endif
