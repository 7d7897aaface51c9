/* Rows for a rule: where a fault acts and the port has it, and where it acts and the port is right,
 * element by element. What separates them is the condition under which the port has the fault. */
#ifndef LB_HARNESS_DIAGNOSE_ROWS_H
#define LB_HARNESS_DIAGNOSE_ROWS_H

#include "harness/diagnose/left.h"
#include "harness/diagnose/rule.h"
#include "harness/faults/faults.h"

enum { LB_MOST_ROWS = 1600 };

typedef struct lb_rows {
    lb_features *items; /* LB_MOST_ROWS of them */
    size_t count;
    /* Of all elements met: wrong; of them: as they were before the call; of results whose wrong
     * elements are the right ones in another order. */
    uint64_t wrong, stale, moved;
} lb_rows;

/* Adds rows of the bench's case, on which the fault was tried last; left NULL: the port was right.
 * Where no element of an output is concerned, the case is one row, inside where left is there.
 * `all`: without a fault, all elements, inside those that are wrong. */
void lb_rows_take(lb_rows *rows, const lb_fault_bench *bench, const lb_left *left, bool all);

/* Are there rows of so many cases that can be told apart, both inside and outside? */
bool lb_rows_have_cases(const lb_rows *rows, size_t least);

#endif
