/* Faults of the bank held against what a port gave, function by function: which failing results
 * each explains, and which results speak against it. */
#ifndef LB_HARNESS_DIAGNOSE_SUSPECTS_H
#define LB_HARNESS_DIAGNOSE_SUSPECTS_H

#include "harness/diagnose/evidence.h"
#include "harness/diagnose/saying.h"
#include "harness/faults/key.h"

/* A fault in one function, and what the results said. */
typedef struct lb_suspect {
    lb_fault fault;
    lb_fault_key key;
    /* lb_suspect_count */
    uint32_t explained, some, narrow; /* failing results: EXPLAINS; PARTLY or SOME; SOME */
    uint32_t untouched, against_failing, against_passing;
    uint32_t unasked;      /* passing results that were not asked: the effort was spent */
    double bits;           /* evidence of what it explains */
    uint64_t elements;     /* wrong ones of results with which it goes in part */
    uint64_t varied;       /* of them: other than the one before */
    unsigned char *words;  /* lb_word of each failing result looked into */
    unsigned char *doubts; /* of each of them, in eighths of a bit */
    unsigned char *passed; /* of each passing one */
} lb_suspect;

/* A function with failing results. */
typedef struct lb_function {
    const lb_kernel *kernel;
    uint32_t *failing, *passing; /* places in the evidence; those looked into come first */
    size_t failing_count, passing_count;
    size_t failing_used, passing_used; /* so many are looked into */
    double *result_bits;               /* of each failing one: how telling it is */
    double *part_bits;                 /* ... for faults that go with it in part alone */
    bool *covered;                     /* of each failing one: a fault has been found for it */
    lb_fault_list list;
    lb_suspect *suspects; /* faults that explain at least one result */
    size_t suspect_count, suspect_capacity;
    size_t kind_count;   /* faults of the bank in the list; behind them, values may be added */
    size_t faults_tried; /* that the bank has for this function */
    uint64_t runs;       /* of faults on cases */
    bool finished;       /* the time was enough for all that was to be tried */
} lb_function;

enum { LB_MOST_FAILING = 40, LB_MOST_PASSING = 60 };

/* The results of the function in an order that tells most for least: small ones first, each case
 * once before any comes again in another profile. */
void lb_function_make(lb_function *f, lb_evidence *evidence, const lb_kernel *kernel);
void lb_function_free(lb_function *f);

/* Tries faults on failing results until each is explained or all of the bank has been tried on it.
 * `known` are faults that explained results of sibling functions: they are tried first. */
void lb_function_try(lb_function *f, lb_evidence *evidence, const lb_fault_key *known,
                     size_t known_count, double deadline, lb_arena *keep);

/* Faults that explained results of functions tried later: those that explain one here as well
 * become suspects, and are asked about all. */
void lb_function_ask(lb_function *f, lb_evidence *evidence, const lb_fault_key *known,
                     size_t known_count, double deadline, lb_arena *keep);

/* Where statuses alone are wrong, calls that are refused rightly say most of the checks: one of
 * each check is looked into as well. */
void lb_function_refused_first(lb_function *f, lb_evidence *evidence);

/* Statuses that the port gave in place of others, and that the function's checks give; empty where
 * no status is wrong. */
lb_statuses_seen lb_function_statuses(const lb_function *f, lb_evidence *evidence);

/* Entries of tables that all wrong elements looked at are made of; how many. */
enum { LB_MOST_ENTRIES = 4 };
size_t lb_function_table_entries(const lb_function *f, lb_evidence *evidence,
                                 int32_t entry[LB_MOST_ENTRIES]);

/* The fault of this key in the function, which may not have been tried yet; NULL: it has none. */
const lb_fault *lb_function_fault(lb_function *f, lb_evidence *evidence, const lb_fault_key *key,
                                  lb_arena *keep);

/* How telling a result is: the share of the faults acting on it that give the port's value. */
double lb_suspect_bits_of(uint64_t acting, uint64_t explaining);
/* Does it explain the result, or go with it in part? */
bool lb_suspect_goes_with(const lb_suspect *suspect, size_t result);
/* Counts what the results say of it as yet. */
void lb_suspect_count(const lb_function *f, lb_suspect *suspect);
/* ... What passing results say against it is nothing, or slight beside what it explains: then the
 * name is right, and something else limits it. */
bool lb_suspect_is_clean(const lb_function *f, lb_suspect *suspect);
/* Evidence of a failing result for the suspect, in bits. */
double lb_suspect_bits(const lb_function *f, const lb_suspect *suspect, size_t result);

#endif
