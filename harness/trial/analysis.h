/* Analyses listen to trials: they register with a setup, and the trial knows none of them. */
#ifndef LB_HARNESS_TRIAL_ANALYSIS_H
#define LB_HARNESS_TRIAL_ANALYSIS_H

#include "harness/trial/sequence.h"

struct lb_trial_setup;

/* A call that the exact model has made and the port has not: its copy still holds the arguments. */
typedef struct lb_trial_call {
    const lb_case *test_case;
    const lb_profile *profile;
    const lb_call *before, *after; /* the arguments; what the exact model made of them */
    const lb_rule *violated;       /* NULL: none */
    bool computed;                 /* the exact model gave outputs */
    const lb_watch *watch;         /* its accumulators so far, over all steps */
    const lb_steps *listened;      /* what `listen` gave for this call; NULL: nobody listened */
    uint32_t step;                 /* of a chain, from 1 */
    lb_arena *arena;
} lb_trial_call;

/* A result that has been judged, with what led to it. */
typedef struct lb_trial_end {
    const struct lb_trial_setup *setup;
    const lb_case *test_case;
    const lb_profile *profile;
    const lb_instance *exact, *port; /* as model and port left them */
    bool computed;                   /* the last call of the exact model gave outputs */
    const lb_watch *watch;           /* NULL: a sequence of movement calls */
    uint32_t step;
    /* Of a sequence of movement calls: what each step left; else NULL. */
    const lb_step_outcome *exact_steps, *port_steps;
    lb_arena *arena;
} lb_trial_end;

/* Functions that are NULL are not called. */
typedef struct lb_analysis {
    void *self;
    /* A case begins; what is kept of it lives in the arena until its last result is given. */
    void (*begin)(void *self, const lb_case *test_case, lb_arena *arena);
    /* Before a call of the exact model: who is to be told of every step of it, or NULL. */
    lb_steps *(*listen)(void *self, const lb_case *test_case, const lb_profile *profile);
    /* After it, before the port's. */
    void (*call)(void *self, const lb_trial_call *call);
    /* The steps of a sequence of movement calls, played on the state model. */
    void (*sequence)(void *self, const lb_case *test_case, const lb_profile *profile,
                     const lb_step_outcome *outcomes);
    /* After judging; may complete the result and change its verdict. In the order of registering.
     */
    void (*result)(void *self, const lb_trial_end *end, lb_result *result);
} lb_analysis;

#endif
