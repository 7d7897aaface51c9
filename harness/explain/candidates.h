/* Where a wrong value could come from: the faults of the bank that give it, held against every
 * element of the output. */
#ifndef LB_HARNESS_EXPLAIN_CANDIDATES_H
#define LB_HARNESS_EXPLAIN_CANDIDATES_H

#include "harness/explain/slice.h"
#include "harness/faults/faults.h"

/* Whose values are looked into. */
typedef enum lb_oracle { LB_ORACLE_PORT, LB_ORACLE_RECORDED } lb_oracle;

/* The value that a oracle has for an element; false: it has none. */
bool lb_oracle_value(const lb_replayed *replayed, lb_oracle oracle, lb_role role, size_t flat,
                     int64_t *value);

/* A fault that gives the value. */
typedef struct lb_candidate {
    lb_fault fault; /* its site lives in the arena of the replayed call */
    const lb_num_step
        *step; /* the first one of the slice that it sits in; NULL: it sits in no step of it */
    uint64_t explained, wrong;  /* of all wrong elements of the output, this one among them */
    uint64_t left_right, right; /* of all right ones, it leaves these right */
    bool named;                 /* by the diagnosis of more results */
} lb_candidate;

enum { LB_MAX_CANDIDATES = 5 };

typedef struct lb_candidates {
    int64_t exact, value;
    uint64_t differing,
        elements; /* elements of the output in which the oracle differs from the exact model */
    const char
        *profile; /* a profile whose exact result is the oracle's in all elements; NULL: none is */
    bool untouched;           /* the value is what stood there before the call */
    uint64_t elsewhere_count; /* of a value that is copied: elements of the source that have it */
    lb_num_place elsewhere;   /* the first of them */
    bool looked;              /* faults have been tried */
    bool late;                /* the effort was spent before all had been */
    double spent;             /* of it */
    unsigned found;           /* faults that give the value */
    unsigned candidate_count; /* the likeliest of them */
    lb_candidate candidates[LB_MAX_CANDIDATES];
} lb_candidates;

/* How a search for faults is made. */
typedef struct lb_candidate_search {
    double effort;     /* nominal seconds, counted (lb_fault_bench_cost); 0: no fault is tried */
    const char *named; /* by a diagnosis of more results, lb_fault_name: comes first where it gives
                          the value; NULL: nothing */
    bool only_first;   /* the likeliest fault that accounts for all elements, or none */
    const lb_fault *before; /* with only_first: that of another result of the case, which comes
                               first; NULL: nothing */
} lb_candidate_search;

/* Looks into the value that a oracle has for the element of the slice, whose exact value is
 * another. */
void lb_candidate_find(lb_candidates *candidates, lb_replayed *replayed, lb_oracle oracle,
                       lb_role role, size_t flat, const lb_slice *slice,
                       const lb_candidate_search *asked);

/* What the step is called where a fault sits: "requantize.rounding", "bias", "in.zero_point",
 * "i.x.taps.last" ...; of a fault that sits in no step, its name in the bank. */
const char *lb_candidate_name(const lb_candidate *candidate, lb_arena *arena);

/* The step from which the value could come, by the likeliest fault that accounts for every element;
 * "profile" where another profile gives all values, "source" where a copy comes from another
 * element, "store" where nothing was written; "": not known. */
const char *lb_candidates_step(const lb_candidates *candidates, lb_arena *arena);

/* The first element in which the oracle differs from the exact model; false: in none. */
bool lb_oracle_first_difference(const lb_replayed *replayed, lb_oracle oracle, lb_role role,
                                size_t *flat);

#endif
