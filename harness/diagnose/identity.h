/* What a finding is, in numbers: the same mistake seen in two places is one cause to people. Words
 * are made for them alone, and decide nothing. */
#ifndef LB_HARNESS_DIAGNOSE_IDENTITY_H
#define LB_HARNESS_DIAGNOSE_IDENTITY_H

#include "harness/faults/key.h"

typedef enum lb_found_what {
    LB_FOUND_ALONE, /* what is known says too little to be one cause with anything else */
    LB_FOUND_FAULT, /* the key */
    LB_FOUND_READ_OUTSIDE,
    LB_FOUND_WRITTEN_OUTSIDE, /* the side of a buffer */
    LB_FOUND_PROBED,          /* which products are wrong, by probes: the numbers */
    LB_FOUND_SHOWN /* what the port showed: the numbers; the first says of which sort they are */
} lb_found_what;

enum { LB_SHOWN_NUMBERS = 20 };

typedef struct lb_identity {
    lb_found_what what;
    lb_fault_key fault;
    int32_t number[1 + LB_SHOWN_NUMBERS];
    const char *field; /* of the API, by its name there; NULL: it is about none */
} lb_identity;

/* Are they one cause? So are faults of one kind in steps that do the same operation: what one piece
 * of a port does may be several steps of the models. */
bool lb_identity_is_one_cause(const lb_identity *a, const lb_identity *b);
/* ... and the same to the last number? */
bool lb_identity_equal(const lb_identity *a, const lb_identity *b);

#endif
