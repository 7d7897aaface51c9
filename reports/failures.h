/* The failing results that a document shows: of each function the simplest, functions with the
 * most failures first, within a number and a size that do not depend on how many failed. What fails
 * in several profiles is one failure with its profiles. */
#ifndef LB_REPORTS_FAILURES_H
#define LB_REPORTS_FAILURES_H

#include "doc.h"
#include "facts.h"

enum { LB_MAX_SHOWN = 20, LB_MAX_SECTIONS = 64, LB_SECTION_BYTES = 64 };

/* One failure, written. */
typedef struct lb_shown_failure {
    lb_doc text;
    uint64_t effort;  /* what the case asks of a reader: the smaller, the sooner it is shown */
    uint64_t results; /* of so many profiles */
    size_t step; /* where it diverges: number in function->steps; step_count: at a further one */
    char section[LB_SECTION_BYTES]; /* of the specification, "": none */
} lb_shown_failure;

typedef struct lb_failure_group {
    const lb_function_facts *function;
    size_t shown;
    lb_shown_failure list[LB_MAX_SHOWN]; /* the simplest first */
} lb_failure_group;

/* How one failure is written: up to its profiles, a profile, and what follows them. `same`: the
 * profile saw what the first one saw. */
typedef struct lb_failure_rules {
    void (*head)(lb_doc *doc, const lb_result *result);
    void (*profile)(lb_doc *doc, const lb_result *result, bool same);
    void (*body)(lb_doc *doc, const lb_result *result);
    size_t per_function; /* at most LB_MAX_SHOWN */
    size_t max_bytes;    /* of all text; beyond it a function shows one failure only, while twice as
                            many bytes last */
} lb_failure_rules;

typedef struct lb_failures {
    const lb_failure_rules *rules;
    lb_failure_group *groups; /* while results are added: by number of the function; afterwards the
                                 worst function first */
    size_t count;             /* functions with failures; while results are added: groups */
    size_t bytes;
    /* Sections of the specification that the failures shown name, each once. */
    char sections[LB_MAX_SECTIONS][LB_SECTION_BYTES];
    size_t section_count;
    /* The failure whose further profiles may still come; the rest of its text waits in body. */
    size_t open_group; /* LB_NO_NAME: none */
    char *open_key;
    lb_shown_failure open;
    lb_doc open_body;
} lb_failures;

/* Begins with all zero. Every result is added after the facts know it; lb_failures_end puts the
 * groups in order once all facts are there. False: out of memory. lb_failures_free either way. */
void lb_failures_begin(lb_failures *failures, const lb_failure_rules *rules);
bool lb_failures_add(lb_failures *failures, const lb_facts *facts, const lb_result *result);
bool lb_failures_end(lb_failures *failures, const lb_facts *facts);
void lb_failures_free(lb_failures *failures);

/* What two results have in common that are one failure: their case, and what was seen in it. */
void lb_failure_put_identity(lb_doc *doc, const lb_result *result);

#endif
