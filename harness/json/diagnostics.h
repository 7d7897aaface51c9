/* Messages about a suite: where (file, line, column, case, key), what is wrong, what would be
 * right. */
#ifndef LB_HARNESS_JSON_DIAGNOSTICS_H
#define LB_HARNESS_JSON_DIAGNOSTICS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct lb_diagnostic {
    char file[512];
    unsigned line;   /* from 1; 0: not known */
    unsigned column; /* from 1, in bytes; 0: not known */
    char case_id[160];
    char key[160];     /* dotted path inside the case: "inputs.weights.shape[1]" */
    char problem[400]; /* "3 numbers where the shape [2,2] asks for 4" */
    char remedy[400];  /* what would be right; may be empty */
} lb_diagnostic;

/* Called once per problem found; a loader goes on after a problem where it can (at most 20 a file).
 */
typedef struct lb_diagnostics {
    void (*report)(void *user, const lb_diagnostic *diagnostic);
    void *user;
    unsigned count; /* problems so far */
} lb_diagnostics;

/* Fills text with "FILE:LINE:COLUMN: case ID: KEY: PROBLEM; REMEDY" (parts that are empty are left
 * out); control bytes are escaped. */
void lb_diagnostic_format(const lb_diagnostic *diagnostic, char *text, size_t text_bytes);
/* A reporter that prints that line to standard error. */
void lb_diagnostic_print(void *user, const lb_diagnostic *diagnostic);

#endif
