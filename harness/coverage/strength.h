/* How strong suites are: the faults of the bank tried on their cases, function by function. */
#ifndef LB_HARNESS_COVERAGE_STRENGTH_H
#define LB_HARNESS_COVERAGE_STRENGTH_H

#include "harness/coverage/strength_cases.h"
#include "harness/faults/faults.h"

typedef enum lb_strength_state {
    LB_STRENGTH_SILENT,     /* no case has what it changes */
    LB_STRENGTH_HIDDEN,     /* it acts, and changes no result */
    LB_STRENGTH_CAUGHT,     /* by as many cases as are asked for */
    LB_STRENGTH_SELDOM,     /* by fewer */
    LB_STRENGTH_EQUIVALENT, /* no call can show it: proved */
    LB_STRENGTH_STATE_COUNT
} lb_strength_state;

const char *lb_strength_state_name(lb_strength_state state);

typedef struct lb_strength_limits {
    unsigned catches; /* cases that are to catch a fault before it is left alone; at least 1 */
    uint64_t steps;   /* of the exact model, over all faults that are tried on one case; the rest
                         of the faults is not tried on it */
    unsigned tries;   /* a fault that so many cases in which it acts do not catch is given up; 0: no
                         such limit */
} lb_strength_limits;

/* A function in a profile. */
typedef struct lb_strength {
    const lb_kernel *kernel;
    const lb_profile *profile;
    lb_fault_list faults;
    unsigned *catches, *acts; /* by fault: cases */
    const char **proofs;      /* by fault: why no call can show it; NULL: nothing is proved */
    lb_arena arena;           /* of all this */
    size_t count[LB_STRENGTH_STATE_COUNT];
    size_t *gain; /* by case of the row: catches that it was the first to bring */
    uint64_t trials;
    bool *wanted, *acting; /* by fault, of the case at hand: is it tried; has it a step to change */
    size_t cut_cases;      /* on which not all faults were tried: the budget of steps */
} lb_strength;

/* Tries all faults of the function on the cases of a row, cheapest first. */
void lb_strength_measure(lb_strength *strength, const lb_strength_row *row, const lb_kernel *kernel,
                         const lb_profile *profile, const lb_strength_limits *limits);
lb_strength_state lb_strength_state_of(const lb_strength *strength, size_t fault,
                                       const lb_strength_limits *limits);
void lb_strength_free(lb_strength *strength);

#endif
