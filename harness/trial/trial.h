/* One case through models and port: makes the memory, runs the three, judges, and gives one result
 * per profile. */
#ifndef LB_HARNESS_TRIAL_TRIAL_H
#define LB_HARNESS_TRIAL_TRIAL_H

#include "harness/coverage/observe.h"
#include "harness/port/port.h"
#include "harness/suite/case.h"
#include "harness/trial/judge.h"
#include "reports/results.h"

/* What becomes of a case whose accumulators can leave, or have left, the width that the profile
 * gives (--guard). */
typedef enum lb_guard_mode {
    LB_GUARD_WARN, /* the numbers are in the result, and reports mark them */
    LB_GUARD_OFF,  /* only what was measured is in the result */
    LB_GUARD_ERROR /* the case fails */
} lb_guard_mode;

/* What all cases of a run have in common. */
typedef struct lb_trial_setup {
    lb_port *port;
    const char *port_option; /* for the reproducing line: "" or "--port P " */
    const char *suite, *file;
    const char *command; /* for the reproducing line: that of a suite that is made ("sweep
                            FUNCTION"); NULL: "run FILE" */
    lb_guard_mode guard;
    bool misalign; /* buffers as little aligned as their elements allow */
    lb_judge_mode judge;
    bool tolerance_off;            /* nothing is compared with the real model */
    const lb_policy *policy;       /* limits that people set for this suite; NULL: none */
    const char *tolerance_options; /* for the reproducing line: "" or "--judge tolerance --tolerance
                                      FILE " */
    lb_observe_fn
        observe; /* told of every call of the exact model, for coverage; NULL: nobody is */
    /* Should it listen to the steps behind every output of this function too? NULL: never. */
    bool (*wants_steps)(void *observer, const lb_kernel *kernel);
    void *observer;
    double *explain_seconds; /* left for finding the steps at which failing results depart; NULL:
                                not looked for */
    lb_arena *arena;         /* reset by the caller between cases */
} lb_trial_setup;

/* Called once per result; the result and its texts live until it returns. `profile_index` is the
 * index into the profiles given. */
typedef void (*lb_result_fn)(void *user, size_t profile_index, lb_result *result);

/* Called before the port is called for a profile, so that a crash can be told to whom it belongs.
 * May be NULL. */
typedef void (*lb_before_fn)(void *user, size_t profile_index);

/* Runs the case in each profile whose entry in `wanted` is true. */
void lb_trial_run(const lb_trial_setup *setup, const lb_case *test_case,
                  const lb_profile *const *profiles, const bool *wanted, size_t profile_count,
                  lb_before_fn before, lb_result_fn done, void *user);

/* The result of a case that could not be brought to an end: verdict LB_ERROR. */
lb_result lb_trial_error(const lb_trial_setup *setup, const lb_case *test_case,
                         const lb_profile *profile, const char *reason);

#endif
