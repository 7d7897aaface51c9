/* One case through models and port: makes the memory, runs the three, judges, and gives one result
 * per profile. */
#ifndef LB_HARNESS_TRIAL_TRIAL_H
#define LB_HARNESS_TRIAL_TRIAL_H

#include "harness/trial/analysis.h"
#include "harness/trial/judge.h"
#include "harness/trial/reproduce.h"
#include "reports/results.h"

/* What all cases of a run have in common. */
typedef struct lb_trial_setup {
    lb_port *port;
    const lb_reproduce *reproduce; /* what reproducing lines say; NULL: no options */
    const char *suite, *file;
    bool last_first;   /* the profiles, the last one first */
    bool is_made;      /* the suite is made, and `file` is its command */
    unsigned misalign; /* bytes past a boundary at which buffers begin, one element at least */
    uint64_t seed;     /* of what stands in memory that no call may touch */
    lb_fenced *fenced; /* for the memory of ports in this process; NULL: it has no fences */
    lb_judge_mode judge;
    bool tolerance_off;      /* nothing is compared with the real model */
    bool tolerance_asked;    /* the user chose the limits */
    const lb_policy *policy; /* limits that people set for this suite; NULL: none */
    /* Told when the port begins and ends to work: only that counts against a time limit. NULL:
     * nobody asks. Its user is that of lb_trial_run. */
    void (*port_works)(void *user, bool works);
    /* Called in place of whoever takes the result where nothing is asked in the profile
     * (lb_trial_is_asked), with the same user. NULL: there is a result all the same. */
    void (*unasked)(void *user, size_t profile_index);
    const lb_analysis *const *analyses; /* told of calls and results, in this order */
    size_t analysis_count;
    lb_arena *arena; /* reset by the caller between cases */
} lb_trial_setup;

/* Called once per result; the result and its texts live until it returns. `profile_index` is the
 * index into the profiles given. */
typedef void (*lb_result_fn)(void *user, size_t profile_index, lb_result *result);

/* Called before the port is called for a profile, so that a crash can be told to whom it belongs.
 * May be NULL. */
typedef void (*lb_before_fn)(void *user, size_t profile_index);

/* Is anything asked of a port in the profile? Not where a case tells what comes out in other
 * profiles alone and the call is undefined in this one: then nothing is promised there. */
bool lb_trial_is_asked(const lb_case *c, const lb_profile *profile, lb_arena *arena);

/* Runs the case in each profile whose entry in `wanted` is true. */
void lb_trial_run(const lb_trial_setup *setup, const lb_case *c, const lb_profile *const *profiles,
                  const bool *wanted, size_t profile_count, lb_before_fn before, lb_result_fn done,
                  void *user);

/* The result of a case that could not be brought to an end, `out_of_time`: because the port took
 * longer than it may. Verdict LB_ERROR. */
lb_result lb_trial_error(const lb_trial_setup *setup, const lb_case *c, const lb_profile *profile,
                         const char *reason, bool out_of_time);

#endif
