/* Stored results held against the exact model: what a results file says of it must come out again
 * from the suites. */
#ifndef LB_HARNESS_PACKAGE_RECHECK_H
#define LB_HARNESS_PACKAGE_RECHECK_H

#include "harness/suite/profile_file.h"
#include "harness/suite/suite.h"
#include "harness/suite/tolerance_policy.h"

#include "reports/results.h"

typedef struct lb_recheck {
    size_t suite_count;
    lb_suite *const
        *suites; /* as the head of the results names them, in its order; NULL: not at hand */
    size_t profile_count;
    const lb_profile *const *profiles; /* by their index in the head */
    size_t policy_count;
    const lb_policy *policies; /* of the run, each `file` as it was named then */
    /* told of every contradiction: one line of text */
    void (*contradiction)(void *user, const char *text);
    void *user;
    /* results */
    uint64_t held;     /* results that were held against the model */
    uint64_t not_held; /* skipped, not brought to an end, sequences of movement calls, suites that
                          are not at hand */
    uint64_t wrong;    /* contradictions */
} lb_recheck;

/* Reads all results and runs the exact model on every case. False: the results cannot be read; the
 * cause in error. */
bool lb_recheck_results(lb_recheck *recheck, lb_results_reader *reader, char *error,
                        size_t error_bytes);

#endif
