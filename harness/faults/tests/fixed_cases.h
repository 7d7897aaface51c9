/* The few cases that lists and digests of faults are held by: named in fixed_cases.txt, a suite and
 * the ids of its cases in each line, so that new cases change nothing. */
#ifndef LB_HARNESS_FAULTS_TESTS_FIXED_CASES_H
#define LB_HARNESS_FAULTS_TESTS_FIXED_CASES_H

#include "harness/faults/tests/our_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIXED_CASES LASTBIT_SOURCE_DIR "/harness/faults/tests/fixed_cases.txt"

/* Is the id one of those in the line? Each stands between blanks. */
static inline bool is_in_line(const char *line, const char *id)
{
    size_t length = strlen(id);
    for (const char *at = strstr(line, id); at; at = strstr(at + 1, id))
        if (at > line && at[-1] == ' ' && (at[length] == ' ' || at[length] == '\n'))
            return true;
    return false;
}

static inline size_t ids_in_line(const char *line)
{
    size_t count = 0;
    for (const char *at = line; (at = strchr(at, ' ')) != NULL; at++)
        count++;
    return count;
}

static inline size_t each_of_line(const char *line, case_fn each, void *user)
{
    char path[512];
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    size_t met = 0;
    snprintf(path, sizeof path, "%s/vectors/%.*s", LASTBIT_SOURCE_DIR, (int)strcspn(line, " \n"),
             line);
    lb_suite *suite = lb_suite_open(path, &diagnostics);
    assert_non_null(suite);
    lb_suite_reader *reader = lb_suite_reader_open(suite);
    for (size_t i = 0; i < lb_suite_case_count(suite); i++) {
        const lb_case *c = lb_suite_reader_case(reader, i, &diagnostics);
        if (is_in_line(line, c->id)) {
            each(user, c);
            met++;
        }
    }
    lb_suite_reader_close(reader);
    lb_suite_close(suite);
    return met;
}

/* The cases of each suite in its own order. */
static inline void for_each_fixed_case(case_fn each, void *user)
{
    FILE *file = fopen(FIXED_CASES, "r");
    char *line = NULL;
    size_t room = 0;
    assert_non_null(file);
    while (getline(&line, &room, file) > 0) {
        size_t met = each_of_line(line, each, user);
        if (met != ids_in_line(line))
            print_error("%zu of the cases are there: %s", met, line);
        assert_int_equal(met, ids_in_line(line));
    }
    free(line);
    fclose(file);
}

/* Does the file hold these lines? The first that differ are printed. */
static inline bool lines_are_those_of(const char *path, const char *got)
{
    enum { MOST_PRINTED = 6 };
    FILE *expected = fopen(path, "r");
    char *line = NULL;
    size_t room = 0, wrong = 0;
    assert_non_null(expected);
    while (getline(&line, &room, expected) > 0) {
        size_t length = strcspn(got, "\n");
        line[strcspn(line, "\n")] = 0;
        if ((strlen(line) != length || strncmp(line, got, length) != 0) && wrong++ < MOST_PRINTED)
            print_error("here      %.*s\nexpected  %s\n", (int)length, got, line);
        got += length + (got[length] == '\n');
    }
    if (wrong > 0 || *got)
        print_error("%zu lines differ%s\n", wrong, *got ? ", and there are more" : "");
    free(line);
    fclose(expected);
    return wrong == 0 && !*got;
}

#endif
