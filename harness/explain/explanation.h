/* The explanation of one output element of one case: the call made again, the steps behind the
 * element, and where a wrong value could come from. */
#ifndef LB_HARNESS_EXPLAIN_EXPLANATION_H
#define LB_HARNESS_EXPLAIN_EXPLANATION_H

#include "harness/explain/candidates.h"
#include "harness/explain/index_text.h"

/* What a diagnosis of more results than this one says of it. */
typedef struct lb_diagnosed {
    const char *name;     /* of a fault of the bank: lb_fault_name; else its own */
    const char *hedge;    /* how sure it is (lb_certainty_hedge) */
    const char *sentence; /* for people */
    uint64_t results;     /* failing ones that are under it */
    uint64_t failing;     /* all that fail */
} lb_diagnosed;

typedef struct lb_explain_request {
    const lb_case *test_case;
    const char *file; /* of the case */
    lb_port *port;
    const lb_profile *const
        *profiles; /* the first in which something diverges is explained; else the first */
    size_t profile_count;
    int role; /* an output (lb_role); -1: the first one that diverges, else out */
    bool has_index;
    unsigned index_count; /* entries of index */
    uint32_t index[LB_MAX_RANK];
    unsigned misalign; /* as in lb_memory_options */
    double seconds;    /* that the port's call may take */
    /* Where the call fails: what is known of its cause. NULL: nothing is. It may itself give NULL.
     */
    const lb_diagnosed *(*diagnose)(void *user);
    void *diagnose_user;
    lb_arena *arena;
} lb_explain_request;

typedef struct lb_explanation {
    const lb_case *test_case;
    const char *file, *port_name;
    lb_replayed *replayed;
    unsigned diverging; /* profiles asked for in which something diverges; explained is the first of
                           them */
    const char *diverging_names; /* with commas */
    bool failed;                 /* the call gives a status that is not ok: a rule is violated */
    bool has_element;            /* else the function has no output elements */
    lb_role role;
    unsigned rank;
    uint32_t index[LB_MAX_RANK];
    size_t flat, count; /* the element, and how many the output has */
    lb_slice slice;     /* .written: there are steps */
    double *real;       /* of each step (operations.h) */
    bool diverges[2];   /* by oracle: in this element */
    lb_candidates candidates[2];
    const lb_diagnosed *diagnosed; /* NULL: not known */
} lb_explanation;

/* Makes the explanation. NULL: it is there, and to be freed. Else what is wrong with the request,
 * in words. */
const char *lb_explain_make(const lb_explain_request *request, lb_explanation *explanation);
void lb_explanation_free(lb_explanation *explanation);

/* Something differs from the exact model: an element, a status, a field, or the port gave no
 * result. */
bool lb_explanation_diverges(const lb_explanation *explanation);
/* What is read for the element: lb_index_lines of the call. */
size_t lb_explain_indices(const lb_explanation *e, lb_index_line lines[LB_MOST_INDEX_LINES]);
/* The name of the step from which the oracle's value could come, or "". */
const char *lb_explanation_step(const lb_explanation *explanation, lb_oracle oracle);

#endif
