/* The search for cases that catch faults of the bank which no case of suites catches, or too few,
 * or that tell two faults apart which every case confuses. */
#ifndef LB_HARNESS_GENERATE_FAULT_SEARCH_H
#define LB_HARNESS_GENERATE_FAULT_SEARCH_H

#include "harness/coverage/strength.h"
#include "harness/generate/search.h"

typedef struct lb_fault_search {
    const lb_strength_cases *cases; /* of the suites */
    const lb_strength_cases *first; /* tried before all others, as they are */
    lb_strength_limits limits;      /* of measuring what the suites catch */
    bool pairs; /* tell faults apart that are confused, in place of catching survivors */
    /* Corpus, profiles, seed, patience, gain, max_text_bytes and level. */
    lb_search search;
} lb_fault_search;

typedef struct lb_fault_search_result {
    size_t open; /* survivors and thin catches before the search (limits.catches); of pairs: faults
                    that share all results with another, less one of each group */
    size_t closed; /* of these, by what was found */
} lb_fault_search_result;

/* Writes the cases found, the shortest first, each on a line. */
lb_fault_search_result lb_fault_search_function(const lb_fault_search *search,
                                                const lb_kernel *kernel, FILE *out);

#endif
