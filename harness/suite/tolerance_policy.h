/* A tolerance policy: limits that people set, per function, variant and tag, on any metric. Format:
 * vectors/FORMAT.md, "Tolerance". */
#ifndef LB_HARNESS_SUITE_TOLERANCE_POLICY_H
#define LB_HARNESS_SUITE_TOLERANCE_POLICY_H

#include "harness/base/arena.h"
#include "harness/base/sha256.h"
#include "harness/json/diagnostics.h"
#include "harness/suite/case.h"

/* What can be limited; the words are members of lb_tolerance (reports/results.h). */
typedef enum lb_metric {
    LB_METRIC_MAX_STEPS,
    LB_METRIC_MAX_REAL,
    LB_METRIC_MEAN_STEPS,
    LB_METRIC_RMS_STEPS,
    LB_METRIC_NOISE_RATIO,
    LB_METRIC_SNR_DB,              /* at least */
    LB_METRIC_QUANT_SHARE_PERCENT, /* at least */
    LB_METRIC_COUNT
} lb_metric;

const char *lb_metric_name(lb_metric metric);

/* A limit, and the line that it stands on; line 0: there is none. */
typedef struct lb_set_limit {
    double limit;
    unsigned line;
} lb_set_limit;

/* One entry of the file. Patterns are globs; NULL: all. */
typedef struct lb_policy_entry {
    const char *function, *variant, *tag;
    lb_set_limit limits[LB_METRIC_COUNT];
} lb_policy_entry;

typedef struct lb_policy {
    const char *file;
    char sha256[LB_SHA256_TEXT]; /* of the file */
    lb_policy_entry *entries;
    size_t entry_count;
    lb_arena arena; /* of all texts */
} lb_policy;

/* Reads a policy; every problem goes to the diagnostics, with line and column; then false. The
 * policy is to be freed either way. */
bool lb_policy_load(const char *path, lb_policy *policy, lb_diagnostics *diagnostics);
void lb_policy_free(lb_policy *policy);

/* The limits of a case: for each metric that of the last entry in the file which matches the case
 * and sets the metric. */
typedef struct lb_case_limits {
    const char *file;
    lb_set_limit of[LB_METRIC_COUNT];
} lb_case_limits;

lb_case_limits lb_policy_limits(const lb_policy *policy, const lb_case *c);

#endif
