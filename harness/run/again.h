/* Results tried again: the whole run more than once in other orders, and what failed alone, in a
 * fresh process. What passes once and fails once is about state between calls, or chance. */
#ifndef LB_HARNESS_RUN_AGAIN_H
#define LB_HARNESS_RUN_AGAIN_H

#include "harness/run/pool.h"

typedef struct lb_again {
    lb_pool_options pool; /* as the run was made; the journal is added to */
    unsigned repeats;     /* how often every result is made in all; 0 or 1: once */
    uint64_t seed;        /* of the orders of the cases */
} lb_again;

typedef struct lb_again_counts {
    uint64_t unsteady; /* results that were not the same each time */
    uint64_t alone;    /* failing results that pass alone */
    /* Of the call of each result, the median of all times that it was made; NULL: it was made once,
     * and has the time of that. Freed by the caller. */
    double *microseconds;
} lb_again_counts;

/* Adds a line to the journal for every result of which there is something to tell (its member
 * `again`); a result that passed at first and failed later fails. */
lb_pool_end lb_again_run(const lb_again *wish, unsigned char *verdicts, lb_again_counts *counts);

/* On standard output, if there is anything to tell. */
void lb_again_tell(const lb_again_counts *counts);

#endif
