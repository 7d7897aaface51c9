/* What is wrong with a port, in as few faults as explain all its failures. */
#ifndef LB_HARNESS_DIAGNOSE_DIAGNOSIS_H
#define LB_HARNESS_DIAGNOSE_DIAGNOSIS_H

#include "harness/diagnose/evidence.h"
#include "harness/diagnose/identity.h"
#include "harness/diagnose/repeat.h"
#include "harness/diagnose/theory.h"
#include "reports/results.h"

/* Findings at most: known differences of a library (known.c), and others. */
enum { LB_MOST_KNOWN = 16, LB_MOST_OTHERS = 12, LB_MOST_FOUND = LB_MOST_KNOWN + LB_MOST_OTHERS };

/* Why a failing result has no cause. */
typedef enum lb_rest {
    LB_REST_RECORDING, /* port and exact model agree */
    LB_REST_MODEL,     /* port and recording agree */
    LB_REST_CRASH,     /* this and the next four: of this kind, and no finding takes it */
    LB_REST_TIME,
    LB_REST_CONTRACT,
    LB_REST_STATUS,
    LB_REST_NUMBERS,
    LB_REST_RIGHT_AGAIN, /* it failed in the run; here it is right, or out of tolerance alone */
    LB_REST_SKIPPED,
    LB_REST_LOST, /* an error of the run, in a function whose cases are passed over here */
    LB_REST_UNTRIED,
    LB_REST_COUNT
} lb_rest;

/* What a finding is, for us. */
typedef struct lb_meaning {
    lb_identity identity;
    lb_fault fault; /* kind NULL: none of the bank, or one that is only near */
    bool in_vain;   /* probes show inputs that are taken where none is due */
} lb_meaning;

typedef struct lb_diagnosis {
    /* asked for */
    lb_evidence *evidence; /* gathered */
    const char *port_name;
    const lb_reproduce *reproduce;
    double effort; /* nominal seconds (work.h); LB_MOST_EXPERIMENTS bounds calls of the port */
    /* found: memory from the arena */
    lb_arena arena;
    size_t found_count;
    size_t known_count; /* of them known differences: the first, until they are sorted */
    lb_found_fault found[LB_MOST_FOUND];
    lb_meaning meaning[LB_MOST_FOUND]; /* of each */
    lb_function *functions;            /* with failing results: what faults point to */
    size_t function_count;
    uint8_t *cause;   /* of each item of the evidence: 1 + place in found; 0: none */
    uint64_t failing; /* what the findings have, and the rest */
    uint64_t rest[LB_REST_COUNT];
    size_t rest_count;
    lb_without_cause rest_list[LB_REST_COUNT]; /* the same in words, the most first */
    uint64_t faults_tried, runs, experiments;
    double spent_seconds;
    bool cut_short;   /* the effort was spent before all had been tried: more tries more */
    bool passed_over; /* cases of functions that crash or hang again and again were left out */
    bool out_of_time; /* the limit for safety was reached: a quicker machine may tell more */
} lb_diagnosis;

void lb_diagnose(lb_diagnosis *diagnosis);
void lb_diagnosis_free(lb_diagnosis *diagnosis);

/* The parts of it. */
typedef struct lb_diagnosing {
    lb_diagnosis *d;
    lb_evidence *e;
    lb_repeats repeats;
    lb_theories theories;
    double deadline; /* lb_work_seconds */
    bool late;       /* the effort ended the look into a function, or experiments */
} lb_diagnosing;

/* Is there room for another finding that is no known difference? */
bool lb_diagnosis_has_room(const lb_diagnosing *g);
/* A new finding, which is alone until it has an identity; NULL: there is no room for more. */
lb_found_fault *lb_diagnosis_add(lb_diagnosing *g);
/* The identity of the newest finding. */
lb_identity *lb_diagnosis_identity(lb_diagnosing *g);
/* Groups a failing result under the newest finding. False: it has a cause already. */
bool lb_diagnosis_claim(lb_diagnosing *g, uint32_t item);
/* Something known beside; NULL: nothing. */
void lb_diagnosis_fact(lb_diagnosing *g, lb_found_fault *found, const char *fact);
/* After claims: the line that reproduces, and whose function it is. */
void lb_diagnosis_place(lb_diagnosing *g);

/* Of theories that are not told as they stand, and go with much of what fails in the family, the
 * one that goes with most: where probes show nothing better. NULL: there is none. */
const lb_theory *lb_diagnosis_near(const lb_diagnosing *g, int family);

/* The newest finding is called by the fault of a theory, as it is where that explains most. */
void lb_diagnosis_name(lb_diagnosing *g, const lb_theory *theory);

/* The shortest rule for the cases of the function that the newest finding is about, against those
 * that pass; NULL: there is none. */
const char *lb_diagnosis_rule(lb_diagnosing *g, const lb_kernel *kernel);

/* "in.frac_bits + weights.frac_bits", for the field that is wrong in failing result number `first`:
 * what all those of the newest finding have in which it is wrong. NULL: none is known, or they are
 * too few. */
const char *lb_field_formula(lb_diagnosing *g, size_t first);

/* What a library is known to do otherwise (reference/describe/known.h): before all else, which then
 * looks at what is left. */
void lb_diagnose_known(lb_diagnosing *g);
/* Crashes and hangs; results that depend on what was before, on chance, on alignment. */
void lb_diagnose_troubles(lb_diagnosing *g);
/* Tables that create_lut makes wrong. What it leaves is seen entry by entry and field by field, so
 * nothing has to be tried; and whatever looks up in the table fails with it and shows nothing of
 * its own, so it stands under the table. */
void lb_diagnose_tables(lb_diagnosing *g);
/* Blocks of checks that stand elsewhere in the order. */
void lb_diagnose_order(lb_diagnosing *g);
/* Faults of the bank. */
void lb_diagnose_theories(lb_diagnosing *g);
/* Sequences of movement calls on shared state. */
void lb_diagnose_sequences(lb_diagnosing *g);
/* What is left: facts alone. */
void lb_diagnose_unknown(lb_diagnosing *g);
/* Counts failing results that no finding takes, by reason, and all that fail. */
void lb_diagnosis_count_rest(lb_diagnosis *diagnosis);

#endif
