/* Experiments: cases on which theories that explain the same failures differ, made and run on the
 * port until one theory is left, or the budget is spent. */
#ifndef LB_HARNESS_DIAGNOSE_EXPERIMENT_H
#define LB_HARNESS_DIAGNOSE_EXPERIMENT_H

#include "harness/diagnose/rows.h"
#include "harness/diagnose/theory.h"

enum { LB_MOST_RIVALS = 64, LB_MOST_EXPERIMENTS = 300 };

typedef struct lb_experiments {
    lb_evidence *evidence;
    lb_function *function;             /* in which they are made */
    lb_theory *rivals[LB_MOST_RIVALS]; /* the best first */
    size_t rival_count;
    double deadline;  /* lb_work_seconds */
    unsigned made;    /* calls of the port */
    unsigned foreign; /* of them: none of the rivals gave what the port gave */
    /* What was learned about the first rival: where it acts and the port has it, and where it acts
     * and the port is right. */
    lb_rows rows;
    const lb_theory *asked; /* whose condition is below; NULL: nobody's */
    const char *condition;
    bool bounded;     /* all results were held against it, and it tells all of them */
    bool shared;      /* failures that the first one does not explain are known: a case in which
                         the port fails otherwise is no refutation */
    bool conditional; /* the port has the first one under a condition alone: that it is right
                         elsewhere refutes nothing */
    unsigned most;    /* calls of the port that may be made */
} lb_experiments;

/* Refuted rivals go; at least one stays, however badly it fares. */
void lb_experiments_make(lb_experiments *x);

#endif
