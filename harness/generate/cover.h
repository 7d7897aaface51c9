/* lastbit vectors generate --cover: cases that reach what suites miss. */
#ifndef LB_HARNESS_GENERATE_COVER_H
#define LB_HARNESS_GENERATE_COVER_H

#include "harness/suite/suite_level.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct lb_generate_cover {
    char *const *paths; /* suites whose gaps are to be filled */
    size_t path_count;
    bool *wanted;   /* by function */
    bool of_suites; /* only those that the suites call */
    double seconds; /* what is left of functions by then is told */
    bool progress;
    unsigned long seed, patience;
    const char *level;  /* tag of the cases; NULL: none */
    lb_level up_to;     /* cases of the suites up to this level count */
    const char *output; /* NULL or "-": standard output */
} lb_generate_cover;

/* Gives the exit status: 0 written, 2 a suite is wrong, 3 the file cannot be written. */
int lb_generate_cover_run(const lb_generate_cover *request);

#endif
