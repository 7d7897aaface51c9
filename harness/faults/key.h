/* What a fault is wherever it sits: the same for the same mistake in another function, and for no
 * other. In numbers: words are for people. */
#ifndef LB_HARNESS_FAULTS_KEY_H
#define LB_HARNESS_FAULTS_KEY_H

#include "harness/faults/faults.h"

enum { LB_KEY_NUMBERS = 28 };

typedef struct lb_fault_key {
    struct {
        const lb_fault_kind *kind; /* NULL: it is one fault alone */
        const lb_profile *profile; /* platform: whose numerics */
        int32_t number[LB_KEY_NUMBERS];
    } of[2]; /* a fault, and the one beside it */
} lb_fault_key;

lb_fault_key lb_fault_key_of(const lb_fault *fault);
bool lb_fault_key_equal(const lb_fault_key *a, const lb_fault_key *b);
/* The same mistake in two steps that do the same operation? */
bool lb_fault_keys_share_operation(const lb_fault_key *a, const lb_fault_key *b);
/* An order of keys, as of strcmp: that of the bank, then of places. */
int lb_fault_key_compare(const lb_fault_key *a, const lb_fault_key *b);

#endif
