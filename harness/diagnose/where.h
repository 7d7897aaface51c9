/* Where in the computation an unknown fault shows: by which numbers of a step wrong elements differ
 * from right ones. "Exactly the elements are wrong where the maximum of the window is -1 or less."
 */
#ifndef LB_HARNESS_DIAGNOSE_WHERE_H
#define LB_HARNESS_DIAGNOSE_WHERE_H

#include "harness/diagnose/evidence.h"

enum { LB_MOST_WHERE = 3 };

typedef struct lb_where {
    const char *words[LB_MOST_WHERE]; /* of all elements looked at, those that are wrong */
    unsigned count;
    const char *sum;      /* the first tells large results of this sum from small ones; or NULL */
    const char *section;  /* of the first step */
    const char *look_for; /* in code, for its operation */
} lb_where;

/* Results of one function: failing ones with what the port left, and passing ones. Texts come from
 * the arena. */
void lb_where_find(lb_where *where, lb_evidence *evidence, const uint32_t *failing,
                   size_t failing_count, const uint32_t *passing, size_t passing_count,
                   double deadline, lb_arena *arena);

#endif
