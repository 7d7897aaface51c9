/* Structural probes of kernels that are linear in their operands: one weight is 1 and all others 0,
 * inputs are codes of their places, nothing is scaled. Every output then tells which input met that
 * weight there, whatever the numbers are. */
#ifndef LB_HARNESS_DIAGNOSE_PROBE_H
#define LB_HARNESS_DIAGNOSE_PROBE_H

#include "harness/diagnose/asking.h"
#include "harness/diagnose/identity.h"
#include "harness/diagnose/index_map.h"

/* Of tensors with more weights than this some are probed, each in calls of its own. */
enum { LB_PROBE_WEIGHTS = 128 };

typedef enum lb_probed {
    LB_PROBED_NOTHING, /* the function or its cases cannot be probed */
    LB_PROBED_NUMBERS, /* ... and some numbers of `role` are taken for others */
    LB_PROBED_RIGHT,   /* every weight meets its input: the fault is in the numbers */
    LB_PROBED_WRONG    /* they do not, as `words` says */
} lb_probed;

enum { LB_MOST_PROBED = 6 };

typedef struct lb_probing {
    lb_asking asking;
    /* found */
    const char *words;
    lb_role role;
    int32_t shown[LB_SHOWN_NUMBERS]; /* the same in numbers: lb_probe_shown */
    bool is_rule;                    /* the words say by what rule; else they are an example */
} lb_probing;

/* Calls of the port that the case would take; 0: it cannot be probed. */
unsigned lb_probe_calls(const lb_case *c);

/* Probes the port with the geometries of the cases of these results, as many as calls allow: the
 * first ones fail. */
lb_probed lb_probe(lb_probing *probing, const uint32_t *items, size_t failing, size_t count);

#endif
