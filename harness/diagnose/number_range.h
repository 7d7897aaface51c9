/* The range of numbers that tells wrong elements from right ones: "32768 or more", "-1". */
#ifndef LB_HARNESS_DIAGNOSE_NUMBER_RANGE_H
#define LB_HARNESS_DIAGNOSE_NUMBER_RANGE_H

#include "harness/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number that an element has, and whether the element is wrong. */
typedef struct lb_number_of {
    int64_t number;
    bool wrong;
} lb_number_of;

/* In which range all numbers of wrong elements lie, and none of right ones, in words; NULL: there
 * is none, or too few numbers speak for it. The order of the numbers is changed. */
const char *lb_number_range(lb_number_of *numbers, size_t count, lb_arena *arena);

/* Behind a limit that a rule names: the nearest numbers that were met on its two sides, where they
 * are not neighbours: " (seen at 65, not at 33; none between was tried)"; else "". */
const char *lb_number_sides(int64_t inside, int64_t outside, lb_arena *arena);

/* Of the numbers from `low` to `high`, the one that a person would have chosen as a limit. */
int64_t lb_number_roundest(int64_t low, int64_t high);

#endif
