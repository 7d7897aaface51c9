/* Structural probes of kernels without weights: elements of an operand get one of two values, by
 * the bits of their number, so that every output tells in a few calls which element it was made
 * of, whatever is computed from it. */
#ifndef LB_HARNESS_DIAGNOSE_SOURCES_H
#define LB_HARNESS_DIAGNOSE_SOURCES_H

#include "harness/diagnose/asking.h"
#include "harness/diagnose/identity.h"

enum { LB_MOST_SOURCE_MAPS = 3 };

typedef struct lb_sources {
    lb_asking asking;
    /* found */
    const char *words;               /* an operand is read otherwise, and how; NULL: none is */
    int32_t shown[LB_SHOWN_NUMBERS]; /* the same in numbers */
    const char *example;             /* ... the first output of which that is so */
    const char *looked;              /* operands that were probed, in words; "": none could be */
} lb_sources;

/* Probes the port with the cases of these failing results of one function, each operand for
 * itself. */
void lb_sources_find(lb_sources *sources, const uint32_t *items, size_t count);

#endif
