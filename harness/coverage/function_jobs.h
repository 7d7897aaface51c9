/* Work on one function after the other, in processes side by side: each takes the next function
 * that nobody has, and writes lines into a file of its own. */
#ifndef LB_HARNESS_COVERAGE_FUNCTION_JOBS_H
#define LB_HARNESS_COVERAGE_FUNCTION_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct lb_function_jobs {
    const bool *wanted; /* by function */
    unsigned jobs;
    /* Writes lines about the function, each ended by \n. False: that cannot be done. */
    bool (*each)(void *user, size_t kernel, FILE *out);
    void *user;
    /* Gets the lines, without their ends: of one function in the order in which they were written,
     * of several in any order. */
    void (*line)(void *user, size_t kernel, char *line);
} lb_function_jobs;

/* False: a process cannot be started or has failed, said on standard error; no line is told. */
bool lb_function_jobs_run(const lb_function_jobs *jobs);

#endif
