/* What is told to people on a terminal: lines of prose are broken to its width, lines that are to
 * be pasted stay whole. Into a file or a pipe every line goes as it is. */
#ifndef LB_HARNESS_BASE_TERMINAL_H
#define LB_HARNESS_BASE_TERMINAL_H

#include <stddef.h>
#include <stdio.h>

/* Stands before a line that stays whole (a shell command); it is not printed. Texts of suites and
 * ports cannot hold it: their control characters are escaped. */
#define LB_WHOLE_LINE "\x1f"

/* A stream over `to`, which it flushes when it is closed and does not close. */
FILE *lb_terminal_over(FILE *to);

#endif
