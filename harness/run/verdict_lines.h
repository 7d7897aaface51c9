/* --json FILE: every verdict as an object on a line of its own, for programs. */
#ifndef LB_HARNESS_RUN_VERDICT_LINES_H
#define LB_HARNESS_RUN_VERDICT_LINES_H

#include <stdbool.h>
#include <stdio.h>

/* Opens the file, NULL: none. With "-" it has standard output for itself: whatever is told to
 * people goes to standard error from then on. False: told. */
bool lb_verdict_lines_open(const char *command, const char *path, FILE **lines);
/* False: something could not be written (told). */
bool lb_verdict_lines_close(const char *command, const char *path, FILE *lines);

#endif
