/* What a run consists of: suites, their cases in one numbered sequence, and the profiles that each
 * is tried in. */
#ifndef LB_HARNESS_RUN_RUN_PLAN_H
#define LB_HARNESS_RUN_RUN_PLAN_H

#include "harness/suite/profile_choice.h"
#include "harness/suite/suite.h"
#include "harness/suite/suite_level.h"

#include "reports/results.h"

enum { LB_MAX_COLUMNS = 64 };

/* Inputs of layers ("feed" of a case): as they stand in the suite, or made now from the outputs of
 * the layers before, by the exact model in each profile, or by the port. */
typedef enum lb_feed_choice { LB_FEED_SUITE, LB_FEED_EXACT, LB_FEED_PORT } lb_feed_choice;

typedef struct lb_plan {
    size_t suite_count;
    lb_suite **suites;
    uint64_t *first_case; /* number of each suite's first case; [suite_count] is the total */
    size_t profile_count; /* columns of results: profiles, times CPU levels */
    const lb_profile *profiles[LB_MAX_COLUMNS];
    lb_set set;             /* of kernels, whose functions the suites call */
    bool has_set;           /* `set` was chosen before there are suites */
    bool has_all_profiles;  /* nobody has chosen: those of the kernel set of the suites */
    unsigned port_profiles; /* those that a port has, where nobody has chosen; 0: all */
    const char *levels[LB_MAX_COLUMNS]; /* of each column: what the port is set to; NULL: it stays
                                           as it is */
    lb_loaded_profiles
        loaded; /* what profiles point to, where they come from files: a plan is not copied */
    lb_run_choice chosen;              /* --case, --function, --tag, --exclude */
    unsigned shard_index, shard_count; /* 1 .. shard_count */
    bool has_level;                    /* cases above `level` are left out */
    lb_level level;
} lb_plan;

/* Opens all suites under the paths; each that is broken is told. False: one is, or the profiles
 * that were chosen are not of their kernel set, or they are of several. */
bool lb_plan_open_suites(lb_plan *plan, char *const *paths, size_t path_count);
void lb_plan_close_suites(lb_plan *plan);

/* Numerics of one set mean nothing to functions of another, and reports have columns of one set:
 * the plan takes the set of its suites, and its profiles where nobody has chosen. False: they are
 * of several, or the profiles of another; told. */
bool lb_plan_fit_profiles(lb_plan *plan);
/* The same for the set that `asks`: "x.json has functions of". */
bool lb_plan_take_set(lb_plan *plan, lb_set set, const char *asks);

/* Nobody has chosen: a port is tried in the numerics that it has (lb_port's `profiles`), and not
 * skipped in the others; in all, if it has none of the set's. */
void lb_plan_keep_profiles(lb_plan *plan, unsigned profiles);

/* Every profile at each of these levels: the columns of a profile follow each other. False: too
 * many, nothing done. */
bool lb_plan_add_levels(lb_plan *plan, const char *const *levels, size_t count);
/* Cases in all suites; case numbers are 0 .. this - 1. A result's order is case number *
 * profile_count + profile index. */
uint64_t lb_plan_case_count(const lb_plan *plan);
/* The suite that holds the case of this number; its index inside the suite goes to *index. */
size_t lb_plan_suite_of(const lb_plan *plan, uint64_t case_number, size_t *index);
/* Is there nothing to warn of in the cases of this suite? lastbit's own mean what they do: sums
 * that overflow, recordings whose outputs are all alike; those of a sweep are every input. */
bool lb_plan_is_meant(const lb_plan *plan, size_t suite);
/* Is that so of all suites? */
bool lb_plan_is_all_meant(const lb_plan *plan);
/* Is the case of this number in this shard? Cases are dealt out in turn. */
bool lb_plan_in_shard(const lb_plan *plan, uint64_t case_number);
/* Before the case is read: can it be one that is wanted? */
bool lb_plan_may_want(const lb_plan *plan, uint64_t case_number);
/* Results that the run, or its shard, has when it comes to its end. False: a suite cannot be read
 * again. */
bool lb_plan_expected(const lb_plan *plan, uint64_t *results);
/* Of a case: does it match what is chosen, its level too? */
bool lb_plan_wants_case(const lb_plan *plan, const lb_case *c);

#endif
