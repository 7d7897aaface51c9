/* Cases for pairs of field classes that suites lack (coverage/fields.h): made-up cases, as few as
 * reach what all tries together reach. */
#ifndef LB_HARNESS_GENERATE_PAIRWISE_H
#define LB_HARNESS_GENERATE_PAIRWISE_H

#include "harness/suite/suite_level.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct lb_generate_pairwise {
    char *const *paths;
    size_t path_count;
    bool *wanted;   /* by function */
    lb_level up_to; /* cases of the suites up to this level count */
    unsigned long seed;
    unsigned long attempts; /* made-up cases for each function */
    unsigned long gain;     /* only cases that reach so many new pairs; 0: 1 */
    const char *level;      /* tag of the cases; NULL: none */
    const char *output;     /* NULL or "-": standard output */
    bool only_count;        /* tells what the suites reach and writes no case */
    double require;         /* with only_count: percent of the pairs that the suites must reach */
    bool list;              /* pairs that no attempt reaches, too: one a line */
} lb_generate_pairwise;

/* Gives the exit status: 0 done, 1 the suites reach less than what is required, 2 a suite is wrong,
 * 3 the file cannot be written, or lastbit contradicts itself. */
int lb_generate_pairwise_run(const lb_generate_pairwise *request);

#endif
