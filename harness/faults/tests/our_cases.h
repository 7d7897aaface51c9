/* Cases of our own suites, for tests of the bank. */
#ifndef LB_HARNESS_FAULTS_TESTS_OUR_CASES_H
#define LB_HARNESS_FAULTS_TESTS_OUR_CASES_H

#include "harness/suite/suite.h"

typedef void (*case_fn)(void *user, const lb_case *c);

/* Cases of the suites in a folder, at most so many of each, spread over it. */
static inline void for_each_case_in(char *path, size_t most, case_fn each, void *user)
{
    char *folder[] = {path};
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_paths paths = {0};
    assert_true(lb_paths_collect(folder, 1, &paths, &diagnostics));
    for (size_t p = 0; p < paths.count; p++) {
        lb_suite *suite = lb_suite_open(paths.items[p], &diagnostics);
        assert_non_null(suite);
        lb_suite_reader *reader = lb_suite_reader_open(suite);
        size_t count = lb_suite_case_count(suite), step = (count + most - 1) / most;
        for (size_t i = 0; i < count; i += step)
            each(user, lb_suite_reader_case(reader, i, &diagnostics));
        lb_suite_reader_close(reader);
        lb_suite_close(suite);
    }
    lb_paths_free(&paths);
}

/* The same of our suites for MLI. */
static inline void for_each_case(size_t most, case_fn each, void *user)
{
    for_each_case_in(LASTBIT_SOURCE_DIR "/vectors", most, each, user);
}

#endif
