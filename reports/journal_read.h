/* A journal in place of a results file: what a run wrote down before it was stopped, or before it
 * had ended. */
#ifndef LB_REPORTS_JOURNAL_READ_H
#define LB_REPORTS_JOURNAL_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Does the file begin as a journal does? Leaves it at its start. */
bool lb_is_journal(FILE *file);
/* The journal as a results file, in a temporary file at its start: results by growing order, a line
 * that was cut short left out. What only a finished run knows (command, platform, time, coverage)
 * is not in it. NULL: a message ("FILE:LINE: ...") in error. */
FILE *lb_journal_convert(FILE *journal, const char *path, char *error, size_t error_bytes);

#endif
