/* Where in the computation an unknown fault shows: what the steps of wrong elements have in common
 * that those of right ones have not. "Exactly the elements are wrong whose maximum of the window is
 * negative." */
#ifndef LB_HARNESS_DIAGNOSE_WHERE_H
#define LB_HARNESS_DIAGNOSE_WHERE_H

#include "harness/diagnose/evidence.h"

enum { LB_MOST_WHERE = 3 };

typedef struct lb_where {
    const char *words[LB_MOST_WHERE]; /* the likeliest first */
    unsigned count;
    bool exact;            /* of all elements looked at, those that are wrong and no others */
    const char *section;   /* of the first step */
    const char *look_for;  /* in code, for its operation; "": it is the result */
    unsigned wrong, right; /* elements looked at */
} lb_where;

/* Results of one function: failing ones with what the port left, and passing ones. With a fault,
 * only elements that it changes count: under which condition is it there? Texts come from the
 * arena. */
void lb_where_find(lb_where *where, lb_evidence *evidence, const lb_fault *fault,
                   const uint32_t *failing, size_t failing_count, const uint32_t *passing,
                   size_t passing_count, double deadline, lb_arena *arena);

#endif
