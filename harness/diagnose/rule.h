/* The shortest rule over sizes, formats, configuration and places of elements that separates some
 * cases or elements from others: "only where weights.shape[3] is 256 or more". */
#ifndef LB_HARNESS_DIAGNOSE_RULE_H
#define LB_HARNESS_DIAGNOSE_RULE_H

#include "harness/diagnose/features.h"

/* Features that the words of a rule name. */
typedef struct lb_rule_told {
    unsigned feature[4];
    unsigned count;
} lb_rule_told;

/* Names of features. */
typedef struct lb_rule_names {
    const char *(*name)(const void *user, unsigned feature, lb_arena *arena);
    const void *user;
    /* Of an index the feature that is its distance to the end, of others themselves; NULL: there is
     * no index. */
    unsigned (*end_of)(unsigned feature);
    lb_rule_told *told; /* NULL: nobody asks */
} lb_rule_names;

/* On which side of a limit a case with that number lies, found out by an experiment. */
typedef enum lb_side { LB_SIDE_UNKNOWN, LB_SIDE_INSIDE, LB_SIDE_OUTSIDE } lb_side;
typedef struct lb_border {
    lb_side (*ask)(void *user, unsigned feature, int64_t value);
    void *user;
} lb_border;

/* A rule that holds for all rows inside and for none outside: "in.shape[2] is 64 or more"; two
 * such that must both hold ("..., and ..."); or two of which one must ("..., or ..."). NULL: no
 * short one, or too few rows to say so. */
const char *lb_rule_find_named(const lb_features *rows, size_t count, const lb_rule_names *names,
                               lb_arena *arena);
/* The same for features of cases; c is any of them. */
const char *lb_rule_find(const lb_features *rows, size_t count, const lb_case *c, lb_arena *arena);
/* The same, with limits tried at their border (NULL: they are not); those that cannot be have what
 * was met on both sides. told: NULL, or which features they are. */
const char *lb_rule_find_asked(const lb_features *rows, size_t count, const lb_case *c,
                               const lb_border *border, lb_rule_told *told, lb_arena *arena);

#endif
