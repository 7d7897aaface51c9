/* Witnesses: cases whose inputs drive an accumulator to an end of its proved range. Definition:
 * README.md, "Guard bits". */
#ifndef LB_HARNESS_GUARD_WITNESS_H
#define LB_HARNESS_GUARD_WITNESS_H

#include "harness/guard/bound.h"

typedef struct lb_guard_witness {
    lb_case
        *test_case; /* the case with other inputs and without expectations; NULL: there is none */
    const char *reason; /* why not */
    int64_t sum; /* what its worst accumulator reaches, bias included where that is further out */
    int64_t products; /* the same without the bias: the sum of products that the exact model must
                         end with */
} lb_guard_witness;

/* Makes the witness of the upper (high) or the lower end. The bound was proved by this prover. `id`
 * is the new case's; all memory comes from the arena. Of a chain of calls the witness is the first
 * call. */
lb_guard_witness lb_guard_witness_of(const lb_guard_prover *prover, const lb_guard_bound *bound,
                                     bool high, const char *id, lb_arena *arena);

/* Did the exact model, run on the witness with this watch, get there? */
bool lb_guard_witness_reached(const lb_guard_witness *witness, bool high, const lb_watch *watch);

#endif
