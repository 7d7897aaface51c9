/* What is asked of "lastbit vectors generate" where cases are for something: for points that suites
 * miss (--cover), faults that survive them (--faults) or are confused (--pairs), classes of fields
 * that do not meet (--pairwise), and checks (--status). */
#ifndef LB_HARNESS_GENERATE_WISH_H
#define LB_HARNESS_GENERATE_WISH_H

#include "harness/suite/suite_level.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct lb_generate_wish {
    char *const *paths; /* suites whose gaps are to be filled */
    size_t path_count;
    bool *wanted;   /* by function */
    lb_level up_to; /* cases of the suites up to this level count */
    unsigned long seed;
    unsigned long patience; /* tries in a row without a find; of pairwise: for each function; 0: as
                               many as is usual */
    unsigned long gain;     /* only cases that bring so many faults, or pairs; 0: 1 */
    const char *level;      /* tag of the cases; NULL: none */
    const char *output;     /* NULL or "-": standard output */
    bool list; /* names pairs that no try reaches; checks that no case violates first */
    /* cover */
    bool of_suites; /* only functions that the suites call */
    double seconds; /* what is left of functions by then is told */
    bool progress;
    /* faults and pairs */
    char *first; /* a suite whose cases are tried first, as they are; NULL: none */
    const lb_profile *const *profiles;
    size_t profile_count;
    bool pairs;
    unsigned catches; /* faults that fewer cases catch are hunted: 1: those that survive */
    unsigned jobs;
    /* pairwise */
    bool only_count; /* tells what the suites reach and writes no case */
    double require;  /* with only_count: percent of the pairs that the suites must reach */
} lb_generate_wish;

/* Each gives the exit status: 0 written, 1 the suites reach less than is required, 2 a suite is
 * wrong, 3 the file cannot be written, a process ended before its time, or lastbit contradicts
 * itself. */
int lb_generate_cover(const lb_generate_wish *wish);
int lb_generate_faults(const lb_generate_wish *wish);
int lb_generate_pairwise(const lb_generate_wish *wish);
int lb_generate_status(const lb_generate_wish *wish);

#endif
