/* Whether stored results are all that there must be: one for every case that the run chose, in
 * every profile, and no others. */
#ifndef LB_HARNESS_PACKAGE_COMPLETE_H
#define LB_HARNESS_PACKAGE_COMPLETE_H

#include "harness/suite/suite.h"

#include "reports/results.h"

typedef struct lb_completeness {
    lb_suite *const *suites; /* as the head of the results names them, in its order; NULL entries:
                                not at hand, and their cases are counted, not chosen */
    /* told of every result that is missing or too many: one line of text */
    void (*contradiction)(void *user, const char *text);
    void *user;
} lb_completeness;

/* Reads all results, from the first. False: they cannot be read; the cause in error. */
bool lb_completeness_check(const lb_completeness *job, lb_results_reader *reader, char *error,
                           size_t error_bytes);

#endif
