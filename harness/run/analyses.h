/* The analyses that listen to the trials of a run. */
#ifndef LB_HARNESS_RUN_ANALYSES_H
#define LB_HARNESS_RUN_ANALYSES_H

#include "harness/coverage/observe.h"
#include "harness/coverage/vacuous.h"
#include "harness/explain/diverges.h"
#include "harness/guard/verdict.h"

enum { LB_RUN_ANALYSES = 4 };

typedef struct lb_run_analyses {
    lb_guard_listener guard;
    lb_diverges_listener diverges;
    lb_vacuous_listener vacuous;
    lb_cover_listener cover;
    lb_analysis items[LB_RUN_ANALYSES];
    const lb_analysis *list[LB_RUN_ANALYSES]; /* for lb_trial_setup */
    size_t count;
} lb_run_analyses;

/* All of them: guard bits in this mode, where failing results diverge (for at most so many seconds
 * in all; 0: not looked for), vacuous cases, and coverage where `observe` is set in cover. The
 * struct is not copied afterwards. */
void lb_run_analyses_start(lb_run_analyses *analyses, lb_guard_mode mode, double diverges_seconds,
                           lb_cover_listener cover);

#endif
