/* Sites: steps of a slice that come from one place of the code. What trying faults asks for again
 * and again, in little memory. */
#ifndef LB_HARNESS_EXPLAIN_SITES_H
#define LB_HARNESS_EXPLAIN_SITES_H

#include "reference/steps.h"

/* Of a step: where its operands come from, and its sites. */
typedef struct lb_site_entry {
    int32_t source[LB_STEP_OPERANDS]; /* step > 0, given number < 0, or 0 */
    uint32_t site;                    /* steps alike: operation, words, part, block and term */
    uint32_t shared; /* the same whatever the block and term: code that all gates, or all inputs,
                        share */
    uint8_t operation;
} lb_site_entry;

typedef struct lb_sites {
    lb_site_entry *steps; /* by index of the step */
    uint32_t *first;      /* of each site: index of its first step */
    uint32_t *shared_first;
    uint32_t count, shared_count;
} lb_sites;

/* Finds the sites of `count` steps. False: no memory. To be freed. */
bool lb_sites_make(lb_sites *sites, const lb_num_step *steps, size_t count);
void lb_sites_free(lb_sites *sites);

/* Texts of steps are literals of the models: what comes from one place of the code has one address.
 */
bool lb_same_site(const lb_num_step *a, const lb_num_step *b, bool shared);

#endif
