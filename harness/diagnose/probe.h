/* Structural probes. Of kernels that are linear in their operands one weight is 1 and all others 0,
 * inputs are codes of their places, nothing is scaled: every output then tells which input met that
 * weight there, whatever the numbers are. Of others (sources.c) elements of an operand get one of
 * two values, by the bits of their number: so every output tells in a few calls which element it
 * was made of, whatever is computed from it. */
#ifndef LB_HARNESS_DIAGNOSE_PROBE_H
#define LB_HARNESS_DIAGNOSE_PROBE_H

#include "harness/diagnose/asking.h"
#include "harness/diagnose/index_map.h"

/* Of tensors with more weights than this some are probed, each in calls of its own. */
enum { LB_PROBE_WEIGHTS = 128 };

typedef enum lb_probed {
    LB_PROBED_NOTHING, /* the function or its cases cannot be probed */
    LB_PROBED_NUMBERS, /* some numbers of `role` are taken for others */
    LB_PROBED_RIGHT,   /* all that was probed is right: the fault is in the numbers */
    LB_PROBED_WRONG    /* other elements are met */
} lb_probed;

enum { LB_MOST_PROBED = 6 };

typedef struct lb_probing {
    lb_asking asking;
    /* found */
    const char *how;  /* "probes with numbered elements" */
    const char *what; /* ... what is right: "every weight meets its input" */
    lb_role role;
    lb_index_map_told told; /* NUMBERS: words alone */
} lb_probing;

/* Calls of the port that the case would take; 0: it cannot be probed. */
unsigned lb_probe_calls(const lb_case *c);

/* Probes the port with the geometries of the cases of these results, as many as calls allow: the
 * first ones fail. */
lb_probed lb_probe(lb_probing *probing, const uint32_t *items, size_t failing, size_t count);

/* Probes functions without weights with the cases of these failing results of one of them: each
 * operand for itself, then windows. */
lb_probed lb_probe_sources(lb_probing *probing, const uint32_t *items, size_t count);

#endif
