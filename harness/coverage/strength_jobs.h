/* Strength of many functions at once: work for processes side by side. */
#ifndef LB_HARNESS_COVERAGE_STRENGTH_JOBS_H
#define LB_HARNESS_COVERAGE_STRENGTH_JOBS_H

#include "harness/coverage/strength.h"

#include <cjson/cJSON.h>

struct lb_strength_kept;

typedef struct lb_strength_jobs {
    const lb_strength_cases *cases;
    const bool *wanted; /* by function */
    const lb_profile *const *profiles;
    size_t profile_count;
    lb_strength_limits limits;
    unsigned jobs;
    bool progress;                       /* said on standard error */
    const struct lb_strength_kept *kept; /* rows that are known, and where others go; may be NULL */
} lb_strength_jobs;

/* One object for each function and profile, in the order of the table of functions and of the
 * profiles: "function", "family", "profile", "cases", "faults", "caught", "seldom", "hidden",
 * "silent", "equivalent", "trials", "contradicted" (sentences of proved faults that a case catches
 * all the same), "cut_cases", "survivors" (a list: "name", "sentence", "section", "group",
 * "state"), "proved" (the same of equivalent faults, with "proof"; "faults" is without them),
 * "useful" (cases that brought a first catch: "place", "gain"). NULL: a process has failed, said on
 * standard error. The caller deletes it. */
cJSON *lb_strength_run(const lb_strength_jobs *jobs);

#endif
