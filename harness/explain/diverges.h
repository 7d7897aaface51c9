/* Where a failing result diverges: the name of the first step that its difference can come from,
 * for reports. */
#ifndef LB_HARNESS_EXPLAIN_DIVERGES_H
#define LB_HARNESS_EXPLAIN_DIVERGES_H

#include "harness/trial/analysis.h"

/* `port` is the instance that the port has worked on, after call number `call_number` of a chain
 * (else 1). Looks into the first element that differs from the exact model, of the port or else of
 * the recorded result. "": nothing to say. *seconds_left, nominal and counted, is what may still be
 * spent on this, and is used up: many failures must not hold up a run. *section: of the
 * specification, that the difference is about; "": unknown. The text comes from the arena. */
const char *lb_diverges_at(const lb_case *test_case, const lb_profile *profile,
                           const lb_instance *port, uint32_t call_number, double *seconds_left,
                           const char **section, lb_arena *arena);

/* The same as an analysis of trials, for failing results. */
typedef struct lb_diverges_listener {
    double seconds_left;
} lb_diverges_listener;

lb_analysis lb_diverges_analysis(lb_diverges_listener *listener);

#endif
