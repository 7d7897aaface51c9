/* What the two searches for faults share: a candidate, tried. See fault_search.h. Where `hunt` is
 * said without a type it is the same, as goals have it (search.h). */
#ifndef LB_HARNESS_GENERATE_FAULT_HUNT_H
#define LB_HARNESS_GENERATE_FAULT_HUNT_H

#include "harness/generate/fault_search.h"
#include "harness/suite/profile_choice.h"

/* A function that faults are hunted in. */
typedef struct lb_fault_hunt {
    lb_search search;
    lb_strength_limits limits;             /* of measuring what the suites catch */
    lb_strength strength[LB_MAX_PROFILES]; /* by profile: faults, and how often each is caught */
    uint64_t *results[LB_MAX_PROFILES];    /* pairs: of each fault, over all cases so far */
    lb_arena trying;                       /* memory of one try */
    size_t next[LB_MAX_PROFILES]; /* by profile: the fault to begin with, where the last candidate
                                     took all the steps that it may take */
} lb_fault_hunt;

/* How many faults need more catches (limits.catches) and are not excused by a proof. */
size_t lb_fault_survivors(const lb_fault_hunt *hunt);
/* Those that a case catches, in any of the profiles; not all of them are tried on a case that
 * takes many steps. */
void lb_fault_try_survivors(void *hunt, const lb_case *c, lb_finds *finds);
/* Does a case catch all that was found? No other fault is tried. */
bool lb_fault_still_caught(void *hunt, const lb_case *c, const lb_finds *finds);
/* One catch more of each. */
void lb_fault_keep_survivors(lb_fault_hunt *hunt, const lb_finds *finds);

/* Pairs. Begins with what the cheapest cases of the row tell. */
void lb_fault_pairs_begin(lb_fault_hunt *hunt, const lb_strength_row *row);
/* Pairs that give one result in every case so far, and two in this one: one pair for each class
 * that it splits. */
void lb_fault_try_pairs(void *hunt, const lb_case *c, lb_finds *finds);
void lb_fault_keep_pairs(lb_fault_hunt *hunt, const lb_case *c);
size_t lb_fault_confused(const lb_fault_hunt *hunt);

#endif
