/* Small domains (reference/describe/domain.h) as cases and suites: for a function, all sets of
 * parameters that are worth trying, and every input at each of them. */
#ifndef LB_HARNESS_GENERATE_SWEEP_DOMAIN_H
#define LB_HARNESS_GENERATE_SWEEP_DOMAIN_H

#include "harness/suite/suite.h"
#include "reference/describe/domain.h"

/* What is tried of one function. */
typedef struct lb_sweep_domain {
    const char *function;          /* the public symbol */
    const lb_domain_block *blocks; /* ended by one that is not laid */
} lb_sweep_domain;

/* Those of all functions that have one; gives their number. */
enum { LB_SWEEP_MOST = 64 };
size_t lb_sweep_domains(lb_sweep_domain domains[LB_SWEEP_MOST]);

/* Calls in the domain, and inputs in all of them: elements, or pairs of elements. */
uint64_t lb_sweep_call_count(const lb_sweep_domain *domain);
uint64_t lb_sweep_input_count(const lb_sweep_domain *domain);

/* The domain in words, with its numbers: what is tried, why that is all that matters, and the
 * section of the spec. */
char *lb_sweep_words(const lb_sweep_domain *domain, lb_arena *arena);

/* "65,536" */
char *lb_sweep_number(uint64_t value, lb_arena *arena);

/* Fills *c with call number `index` (0 .. call count - 1). What the case points at lives in the
 * arena, or as long as the program. */
void lb_sweep_case(const lb_sweep_domain *domain, uint64_t index, lb_arena *arena, lb_case *c);

/* The domain, which must outlive it, as a suite: named after the function, its path the command
 * that sweeps it ("sweep FUNCTION"). */
lb_suite *lb_sweep_suite(lb_sweep_domain *domain);

#endif
