/* Rows of strength that are kept in a file while they are measured, one a line: a measurement that
 * was broken off goes on, and shards are put together by writing their files one behind the other.
 */
#ifndef LB_HARNESS_COVERAGE_STRENGTH_KEEP_H
#define LB_HARNESS_COVERAGE_STRENGTH_KEEP_H

#include "harness/coverage/strength_jobs.h"

#include <cjson/cJSON.h>

typedef struct lb_strength_kept {
    int file;    /* rows are appended to it; -1: nothing is kept */
    cJSON *rows; /* that it held */
} lb_strength_kept;

/* Opens the file, or makes it, and reads its rows. `subject` says what is measured, on one line: a
 * file that speaks of something else is refused. False: told on standard error. */
bool lb_strength_keep_open(lb_strength_kept *kept, const char *path, const char *subject);
/* The row of a function in a profile, or NULL: it is not measured so far. */
const cJSON *lb_strength_kept_row(const lb_strength_kept *kept, const char *function,
                                  const char *profile);
/* Appends a row (JSON without line breaks). False: it cannot be written. */
bool lb_strength_keep(const lb_strength_kept *kept, const char *row);
void lb_strength_keep_close(lb_strength_kept *kept);

#endif
