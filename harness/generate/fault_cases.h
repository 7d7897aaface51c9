/* lastbit vectors generate --faults and --pairs: cases that catch what survives suites. */
#ifndef LB_HARNESS_GENERATE_FAULT_CASES_H
#define LB_HARNESS_GENERATE_FAULT_CASES_H

#include "harness/suite/suite_level.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct lb_generate_faults {
    char *const *paths; /* suites whose survivors are hunted */
    size_t path_count;
    const char *first;  /* a suite whose cases are tried first, as they are; NULL: none */
    lb_level up_to;     /* cases of the suites that count */
    const bool *wanted; /* by function */
    const lb_profile *const *profiles;
    size_t profile_count;
    bool pairs;
    unsigned long seed, patience;
    unsigned long gain; /* faults that a case has to catch, or to tell apart, to be kept */
    unsigned catches;   /* faults that fewer cases catch are hunted: 1: those that survive */
    unsigned jobs;
    const char *level;  /* tag of the cases; NULL: none */
    const char *name;   /* of the suite that is made */
    const char *output; /* NULL or "-": standard output */
} lb_generate_faults;

/* Gives the exit status: 0 written, 2 a suite is wrong, 3 the file cannot be written, or a process
 * has failed. */
int lb_generate_faults_run(const lb_generate_faults *request);

#endif
