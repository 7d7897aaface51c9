/* What a port has written where it should not: between the elements of an output, behind it, before
 * it, into an input. */
#ifndef LB_HARNESS_DIAGNOSE_OUTSIDE_H
#define LB_HARNESS_DIAGNOSE_OUTSIDE_H

#include "harness/diagnose/left.h"
#include "harness/faults/faults.h"

typedef struct lb_outside {
    uint64_t looked; /* results that were looked at */
    uint64_t bytes;  /* that are not as they should be, outside of all output elements */
    uint64_t wrong_statuses;
    uint64_t wrong_elements;          /* ... and elements of outputs that are wrong */
    uint64_t in_inputs;               /* of the bytes: in memory of inputs */
    uint64_t between, behind, before; /* in gaps of an output, after its end, before its start */
    uint64_t farthest; /* bytes from the end of the element before, of between and behind */
    bool one_value;    /* all of them have the same value: */
    unsigned char value;
} lb_outside;

/* Where most of it is. */
typedef enum lb_outside_place {
    LB_OUTSIDE_INPUT,
    LB_OUTSIDE_BEFORE,
    LB_OUTSIDE_BETWEEN,
    LB_OUTSIDE_BEHIND
} lb_outside_place;
lb_outside_place lb_outside_where(const lb_outside *outside);
/* Adds what a result shows. */
void lb_outside_look(lb_outside *outside, const lb_fault_bench *bench, const lb_left *left);
/* "writes up to 3 bytes behind ..."; NULL: nothing was written outside. */
const char *lb_outside_words(const lb_outside *outside, lb_arena *arena);

#endif
