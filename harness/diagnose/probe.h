/* Structural probes of kernels that are linear in their operands: one weight is 1 and all others 0,
 * inputs are codes of their places, nothing is scaled. Every output then tells which input met that
 * weight there, whatever the numbers are. */
#ifndef LB_HARNESS_DIAGNOSE_PROBE_H
#define LB_HARNESS_DIAGNOSE_PROBE_H

#include "harness/diagnose/evidence.h"

enum { LB_PROBE_WEIGHTS = 128 }; /* at most so many are probed, each in calls of its own */

typedef enum lb_probed {
    LB_PROBED_NOTHING, /* the function or its cases cannot be probed */
    LB_PROBED_RIGHT,   /* every weight meets its input: the fault is in the numbers */
    LB_PROBED_FORMULA, /* they do not, and `words` says by what rule */
    LB_PROBED_WRONG    /* they do not; `words` gives an example */
} lb_probed;

/* Another place of the same tensor: its memory is taken for one with the dimensions in another
 * order, some of them backwards. */
typedef struct lb_formula {
    lb_role role;
    unsigned order[LB_MAX_RANK];
    unsigned backwards; /* bit per dimension */
} lb_formula;

/* Probes the port with the geometry of a case. Words come from the arena. */
lb_probed lb_probe(lb_evidence *evidence, const lb_case *c, const lb_profile *profile,
                   double deadline, lb_arena *arena, const char **words, lb_formula *formula);

/* Does the exact model, with the tensor as the formula reads it, give the outputs that the port
 * left? Memory from the arena. */
bool lb_formula_gives(const lb_formula *formula, const lb_case *c, const lb_profile *profile,
                      const lb_left *left, lb_arena *arena);

#endif
