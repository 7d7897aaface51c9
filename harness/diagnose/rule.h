/* The shortest rule over sizes, formats and configuration that separates some cases from others:
 * "only where weights.shape[3] is 256 or more". */
#ifndef LB_HARNESS_DIAGNOSE_RULE_H
#define LB_HARNESS_DIAGNOSE_RULE_H

#include "harness/suite/case.h"

enum { LB_MAX_FEATURES = 240 };

/* What can be said of a case in numbers: the same place for the same thing in all cases of a
 * function. */
typedef struct lb_features {
    int64_t value[LB_MAX_FEATURES]; /* INT64_MIN: there is no such thing */
    bool inside;                    /* of the cases that the rule is to hold for */
} lb_features;

/* False: `features` has no room for more. */
void lb_features_of(const lb_case *c, const lb_profile *profile, lb_features *features);
/* "in.shape[2]"; of any case of the function. */
const char *lb_feature_name(const lb_case *c, unsigned feature, lb_arena *arena);

/* A rule that holds for all rows inside and for none outside: "in.shape[2] is 64 or more". NULL:
 * no short one, or too few rows to say so. */
const char *lb_rule_find(const lb_features *rows, size_t count, const lb_case *c, lb_arena *arena);

#endif
