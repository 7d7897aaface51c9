/* Pairs and triples of field classes that cases have reached, by function. */
#ifndef LB_HARNESS_COVERAGE_TUPLES_H
#define LB_HARNESS_COVERAGE_TUPLES_H

#include "harness/coverage/fields.h"

typedef struct lb_tuples {
    size_t count, room;
    uint64_t *keys; /* 0: free */
} lb_tuples;

/* The tuples of a case that the set does not have; with `keep` they are put into it. */
size_t lb_tuples_look(lb_tuples *set, const lb_kernel *kernel, const lb_field_item *items,
                      size_t count, bool keep);
void lb_tuples_put(lb_tuples *set, uint64_t key);
bool lb_tuples_has(const lb_tuples *set, uint64_t key);
/* The classes of a tuple; gives how many: 2 or 3. */
unsigned lb_tuple_ids(uint64_t key, uint16_t ids[3]);
void lb_tuples_free(lb_tuples *set);

/* Does the case count: in every profile, do the checks pass it, is its result defined, and do its
 * sums stay in their accumulators? */
bool lb_tuples_case_counts(const lb_case *c);

#endif
