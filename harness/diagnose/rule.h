/* The shortest rule over sizes, formats, configuration and places of elements that separates some
 * cases or elements from others: "only where weights.shape[3] is 256 or more". */
#ifndef LB_HARNESS_DIAGNOSE_RULE_H
#define LB_HARNESS_DIAGNOSE_RULE_H

#include "harness/call/call_memory.h"

enum { LB_MAX_FEATURES = 300 };

/* What can be said of a case, or of an element of its output, in numbers: the same place for the
 * same thing in all rows of a function. */
typedef struct lb_features {
    int64_t value[LB_MAX_FEATURES]; /* INT64_MIN: there is no such thing */
    uint64_t of_case;               /* the same for rows of cases that cannot be told apart */
    bool inside;                    /* of those that the rule is to hold for */
} lb_features;

void lb_features_of(const lb_case *c, const lb_profile *profile, lb_features *features);
/* Adds what can be said of one element of an output: its place, and its right value. */
void lb_features_of_element(const lb_layout *layout, size_t flat, int64_t right,
                            lb_features *features);
/* "in.shape[2]"; of any case of the function. */
const char *lb_feature_name(const lb_case *c, unsigned feature, lb_arena *arena);

/* Names of features. */
typedef struct lb_rule_names {
    const char *(*name)(const void *user, unsigned feature, lb_arena *arena);
    const void *user;
} lb_rule_names;

/* A rule that holds for all rows inside and for none outside: "in.shape[2] is 64 or more", or two
 * such that must both hold. NULL: no short one, or too few rows to say so. */
const char *lb_rule_find_named(const lb_features *rows, size_t count, const lb_rule_names *names,
                               lb_arena *arena);
/* The same for features of cases; c is any of them. */
const char *lb_rule_find(const lb_features *rows, size_t count, const lb_case *c, lb_arena *arena);

#endif
