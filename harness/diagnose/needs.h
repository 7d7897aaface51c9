/* What a failure needs: a failing case is made plainer, one property after the other, as long as
 * the port still fails. What cannot be made plain without its passing is what the fault needs. */
#ifndef LB_HARNESS_DIAGNOSE_NEEDS_H
#define LB_HARNESS_DIAGNOSE_NEEDS_H

#include "harness/diagnose/evidence.h"

enum { LB_MOST_NEEDS = 12 };

typedef struct lb_needs {
    unsigned most_calls; /* of the port; those made are taken off */
    /* found */
    unsigned calls, count;
    const char *words[LB_MOST_NEEDS]; /* "a zero point of in that is not 0" */
    unsigned spared;                  /* properties without which it fails as well */
} lb_needs;

/* False: the case cannot be tried again. Memory from the arena. */
bool lb_needs_find(lb_needs *needs, lb_evidence *evidence, const lb_tried *tried, lb_arena *arena);

#endif
