/* What one result of a port says of one fault. */
#ifndef LB_HARNESS_DIAGNOSE_SAYING_H
#define LB_HARNESS_DIAGNOSE_SAYING_H

#include "harness/diagnose/evidence.h"

/* What a result says of a fault. */
typedef enum lb_word {
    LB_WORD_NONE,      /* not asked */
    LB_WORD_TOO_LARGE, /* the call has too many steps for the fault to be tried on it */
    LB_WORD_UNTOUCHED, /* the fault changes nothing here */
    LB_WORD_UNDEFINED, /* nobody knows what a kernel with the fault gives here */
    LB_WORD_EXPLAINS,  /* the port gave exactly what the fault gives */
    LB_WORD_PARTLY,    /* some of the wrong elements, and no right one is spoiled */
    LB_WORD_SOME,      /* all wrong elements, but it would change right ones too */
    LB_WORD_AGAINST    /* the port gave something else */
} lb_word;

static inline bool lb_word_goes_with(lb_word word)
{
    return word == LB_WORD_EXPLAINS || word == LB_WORD_PARTLY || word == LB_WORD_SOME;
}

/* What one result says. */
typedef struct lb_saying {
    lb_word word;
    uint64_t digest;   /* of what the fault leaves: the same for faults that give the same; 0: it
                          changes nothing */
    double doubt;      /* of PARTLY and SOME: bits by which the evidence is less */
    uint64_t elements; /* ... and wrong elements that are as the fault gives them */
    uint64_t varied;   /* ... other than the one before */
} lb_saying;

/* What the port's result says of the fault, the bench being made of its case. left NULL: it was
 * right. */
lb_saying lb_suspect_say(lb_evidence *evidence, lb_fault_bench *bench, const lb_fault *fault,
                         const lb_left *left);

#endif
