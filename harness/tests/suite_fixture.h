/* For tests of the loader: suites from texts, and the problems that opening them reports. */
#ifndef LB_TEST_SUITE_FIXTURE_H
#define LB_TEST_SUITE_FIXTURE_H

#include "harness/suite/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_REPORTS = 64 };

typedef struct reports {
    lb_diagnostic items[MAX_REPORTS];
    unsigned count;
} reports;

static inline void note_report(void *user, const lb_diagnostic *diagnostic)
{
    reports *r = user;
    if (r->count < MAX_REPORTS)
        r->items[r->count] = *diagnostic;
    r->count++;
}

/* Writes the bytes to a new file with this ending; the path stays valid until the next call with
 * the same buffer. */
static inline void write_file(char path[256], const char *ending, const char *bytes, size_t length)
{
    snprintf(path, 256, "%s/lastbit_test_XXXXXX%s", LASTBIT_BINARY_DIR, ending);
    int fd = mkstemps(path, (int)strlen(ending));
    if (fd < 0 || write(fd, bytes, length) != (ssize_t)length) {
        fprintf(stderr, "cannot write %s\n", path);
        abort();
    }
    close(fd);
}

/* Opens the bytes as a suite file. The file is gone afterwards, so JSON Lines cannot be read
 * further. */
static inline lb_suite *open_bytes(const char *ending, const char *bytes, size_t length,
                                   reports *found)
{
    char path[256];
    lb_diagnostics diagnostics = {.report = note_report, .user = found};
    found->count = 0;
    write_file(path, ending, bytes, length);
    lb_suite *suite = lb_suite_open(path, &diagnostics);
    unlink(path);
    if (diagnostics.count != found->count)
        abort();
    return suite;
}

/* Opens what must be well-formed; on a problem prints it and gives NULL. */
static inline lb_suite *open_file_or_print(const char *path)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    return lb_suite_open(path, &diagnostics);
}

#endif
