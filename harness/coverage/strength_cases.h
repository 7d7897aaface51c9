/* The cases of suites by function, the cheapest first: what faults are tried on. */
#ifndef LB_HARNESS_COVERAGE_STRENGTH_CASES_H
#define LB_HARNESS_COVERAGE_STRENGTH_CASES_H

#include "harness/suite/case.h"
#include "harness/suite/suite.h"
#include "harness/suite/suite_level.h"

typedef struct lb_strength_case {
    const char *path, *id;
    const char *text; /* on one line; lb_case_from_json gives the case back */
    uint64_t cost;    /* about as many steps as its exact model takes */
    bool readable;    /* written by hand: goes before an equally cheap one */
    size_t place;     /* among all cases of the suites */
} lb_strength_case;

typedef struct lb_strength_row {
    size_t count, capacity;
    lb_strength_case *items;
} lb_strength_row;

typedef struct lb_strength_suite {
    const char *path, *sha256;
} lb_strength_suite;

typedef struct lb_strength_cases {
    lb_strength_row of[256]; /* by lb_kernel_number */
    unsigned sets;           /* that the cases are of, as bits */
    size_t count;            /* of all */
    size_t left_out;         /* chains, and sequences of movement: faults cannot be tried on them */
    lb_strength_suite *suites;
    size_t suite_count, suite_capacity;
    lb_arena arena;
} lb_strength_cases;

/* Reads the suites under the paths up to a level. False: a path or a suite is wrong, said on
 * standard error. */
bool lb_strength_cases_read(lb_strength_cases *cases, char *const *paths, size_t path_count,
                            lb_level level);
/* One suite, which may be made; and, after the last, the cheapest cases of each function first. */
bool lb_strength_cases_add(lb_strength_cases *cases, const lb_suite *suite, lb_level level);
void lb_strength_cases_sort(lb_strength_cases *cases);
void lb_strength_cases_free(lb_strength_cases *cases);

/* About as many steps as the exact model takes. */
uint64_t lb_strength_cost(const lb_case *c);

#endif
