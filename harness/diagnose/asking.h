/* Cases that are made to ask a port something, and what they leave in the output. */
#ifndef LB_HARNESS_DIAGNOSE_ASKING_H
#define LB_HARNESS_DIAGNOSE_ASKING_H

#include "harness/diagnose/evidence.h"
#include "harness/generate/random_build.h"

typedef struct lb_asking {
    lb_evidence *evidence;
    unsigned calls, most_calls; /* of the port: made; that may be */
    double deadline;            /* lb_work_seconds */
    lb_arena *arena;            /* of what is found */
} lb_asking;

/* A copy of the case, of a chain of its first call, with nothing expected of it, to be changed. */
lb_case *lb_asking_case(const lb_case *from, lb_arena *arena);
/* ... by the one leaf or other (case_change.h). */
lb_build lb_asking_build(const lb_case *from, lb_arena *arena);
/* The one tensor of the role, whose data and format can be set freely; NULL: it is none such. */
lb_case_tensor *lb_asking_tensor(const lb_case *c, lb_role role);

/* The elements of the output of a call of the case: as they should be, and as the port has them
 * (port NULL: it is not called). False: the case is not computed, or the port gives no output, or
 * may not be called any more. */
bool lb_ask(lb_asking *asking, const lb_case *c, const lb_profile *profile, int32_t *right,
            int32_t *port);

#endif
