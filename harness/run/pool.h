/* Worker processes that try the cases of a plan and append results to a journal. A worker that dies
 * or hangs takes one verdict with it: error. */
#ifndef LB_HARNESS_RUN_POOL_H
#define LB_HARNESS_RUN_POOL_H

#include "harness/coverage/map.h"
#include "harness/port/port.h"
#include "harness/run/analyses.h"
#include "harness/run/journal.h"
#include "harness/run/run_plan.h"
#include "harness/run/tolerance_choice.h"
#include "harness/trial/trial.h"

#include "reports/waivers.h"

/* In place of 1 + the verdict: nothing is asked in this profile (lb_trial_is_asked). */
enum { LB_NOT_ASKED = 255 };

typedef struct lb_pool_options {
    const lb_plan *plan;
    lb_port *port;
    lb_reproduce reproduce; /* what reproducing lines say; the CPU level is each result's own */
    const lb_journal *journal;
    lb_guard_mode guard;
    unsigned misalign;   /* as in lb_memory_options */
    lb_feed_choice feed; /* where inputs of layers come from */
    uint64_t seed;       /* of what stands in memory that no call may touch */
    lb_cover_map *cover; /* what calls reach is kept there; NULL: nowhere */
    lb_waivers *waivers; /* NULL: none */
    uint64_t *vacuous;   /* passing results that prove little are added here; may be NULL */
    uint64_t *marked;    /* results whose accumulator is too narrow are added here; may be NULL */
    unsigned jobs;       /* worker processes; 0: everything in this process, for a debugger */
    double time_limit_seconds; /* for one call: a case, a call of a chain, all of a sequence */
    lb_judge_mode judge;
    const lb_policies *policies; /* one entry per suite of the plan; NULL: limits are derived */
    bool show_progress;
    const uint64_t *sequence; /* numbers of all cases, in the order in which they are tried; NULL:
                                 as the plan has them */
    uint64_t max_fail; /* so many failing results, and no further case is begun; 0: no limit */
    bool *stopped;     /* becomes true where that left out cases; may be NULL */
    bool alone;        /* every result in a process that has called nothing before */
    /* Of results that are made again: their first verdicts. The real model has had its word on what
     * passed: the same bits pass again, and others fail by the exact model. NULL: it is asked. */
    const unsigned char *first_verdicts;
} lb_pool_options;

typedef enum lb_pool_end { LB_POOL_DONE, LB_POOL_INTERRUPTED, LB_POOL_FAILED } lb_pool_end;

/* `verdicts` (plan cases * profiles entries, from lb_zeroed_shared) holds 0 for what is to be
 * tried and 1 + verdict for what is known; it is filled as results come. Cases outside shard or
 * patterns stay 0. Messages go to standard error. */
lb_pool_end lb_pool_run(const lb_pool_options *options, unsigned char *verdicts);

/* The signal that ended the last run with LB_POOL_INTERRUPTED. */
int lb_pool_signal(void);

#endif
