/* Faults held against the results of one function: what suspects.c has for function.c. */
#ifndef LB_HARNESS_DIAGNOSE_HOLDING_H
#define LB_HARNESS_DIAGNOSE_HOLDING_H

#include "harness/diagnose/suspects.h"

typedef struct lb_holding {
    lb_function *f;
    lb_evidence *e;
    lb_look look;
    lb_arena *keep;
    double deadline;   /* lb_work_seconds */
    bool known;        /* what siblings have suffices: what it explains needs no other name */
    bool likely_alone; /* suspects that have become hopeless are not asked further */
} lb_holding;

bool lb_holding_is_late(const lb_holding *t);
/* Tries the faults of the list that are chosen (NULL: all kinds of the bank) on a failing result;
 * `weighs`: notes how telling it is. Gives the number of faults that explain it. */
size_t lb_holding_try(lb_holding *t, size_t result, const bool *chosen, bool weighs);
/* The suspect of the fault, new or known. */
lb_suspect *lb_holding_suspect(lb_holding *t, const lb_fault *fault);
/* Asks about the failing result all suspects that have not been; one suspect about all results; the
 * most telling suspects; all about all, until it is late. */
void lb_holding_complete(lb_holding *t, size_t result);
void lb_holding_complete_one(lb_holding *t, lb_suspect *s);
void lb_holding_complete_best(lb_holding *t);
void lb_holding_complete_all(lb_holding *t);

/* Does a suspect explain the failing result? */
bool lb_result_is_explained(const lb_function *f, size_t result);
/* A smaller case shows what can be shown: of results too large for the suspects none is sought. */
bool lb_result_is_passed_over(const lb_function *f, size_t result);
/* Many failing results speak against it, and hardly one for it: it may still be right beside
 * another fault, but all others come first. */
bool lb_suspect_is_hopeless(const lb_function *f, lb_suspect *s);

/* The fault of a key, which may be two at once; NULL: the function has none. */
const lb_fault *lb_suspect_fault_of_key(const lb_function *f, const lb_fault_key *key,
                                        lb_arena *keep);

#endif
