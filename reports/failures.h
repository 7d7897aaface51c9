/* The failing results that a document shows: the first of each function, functions with the most
 * failures first, within a number and a size that do not depend on how many failed. */
#ifndef LB_REPORTS_FAILURES_H
#define LB_REPORTS_FAILURES_H

#include "doc.h"
#include "facts.h"

enum { LB_MAX_SHOWN = 20 };

typedef struct lb_failure_group {
    const lb_function_facts *function;
    lb_doc text;                /* the results shown, one after the other */
    size_t shown;               /* how many */
    size_t ends[LB_MAX_SHOWN];  /* where each ends in text */
    size_t steps[LB_MAX_SHOWN]; /* where each diverges: number in function->steps; step_count: at a
                                   further one */
} lb_failure_group;

enum { LB_MAX_SECTIONS = 64, LB_SECTION_BYTES = 64 };

typedef struct lb_failures {
    lb_failure_group *groups; /* the worst function first */
    size_t count;
    /* Sections of the specification that the results shown name, each once. */
    char sections[LB_MAX_SECTIONS][LB_SECTION_BYTES];
    size_t section_count;
} lb_failures;

typedef struct lb_failure_rules {
    void (*write)(lb_doc *doc, const lb_result *result); /* writes one result */
    size_t per_function;                                 /* at most LB_MAX_SHOWN */
    size_t max_groups;                                   /* functions beyond this show none */
    size_t max_bytes; /* of all text; beyond it a function shows its first failure only, while twice
                         as many bytes last */
} lb_failure_rules;

/* Reads all results again. Starts as all zero; lb_failures_free either way. */
bool lb_failures_collect(lb_failures *failures, const lb_failure_rules *rules,
                         const lb_facts *facts, lb_results_reader *reader, char *error,
                         size_t error_bytes);
void lb_failures_free(lb_failures *failures);

#endif
