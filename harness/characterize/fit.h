/* Features held against what a port gave: which of their combinations give the same bits. */
#ifndef LB_HARNESS_CHARACTERIZE_FIT_H
#define LB_HARNESS_CHARACTERIZE_FIT_H

#include "harness/base/id_set.h"
#include "harness/diagnose/left.h"
#include "reference/describe/kernels.h"

enum { LB_MOST_OBSERVATIONS = 40, LB_FIT_SEEDS = 64 };

/* One call of the port and what came of it. */
typedef struct lb_observation {
    lb_call_memory *memory;
    lb_instance work; /* for models */
    const lb_left *left;
} lb_observation;

/* A family with its operand types. */
typedef struct lb_group {
    int family;
    lb_types types;
    lb_profile profile; /* the numerics in which the port is asked, and the features to be tried */
    size_t count;
    lb_observation observations[LB_MOST_OBSERVATIONS]; /* the smallest call first */
    size_t latest;                                     /* the one made last */
    uint64_t models_run;
    lb_id_set refuted;    /* combinations that do not give all observed */
    size_t refuted_count; /* of observations, when one was noted last */
    lb_arena arena;       /* of observations */
} lb_group;

void lb_group_make(lb_group *group, int family, lb_types types, const lb_profile *asked);
void lb_group_free(lb_group *group);

/* Notes what the port left in memory that is laid out so; false: there is no room for more. */
bool lb_group_observe(lb_group *group, const lb_case *c, const lb_left *left, unsigned misaligned);
/* Takes back the observation that stands last. */
void lb_group_forget_last(lb_group *group);
/* Do the features give what observation number i left? */
bool lb_group_agrees(lb_group *group, size_t i, const lb_feature_set *features);
/* The same of a call that is not noted. */
bool lb_group_case_agrees(lb_group *group, const lb_case *c, const lb_left *left,
                          unsigned misaligned, const lb_feature_set *features, lb_arena *arena);

/* How far the features are from everything observed: 0: every element agrees; else the mean share
 * of wrong elements, summed over observations. Gives up above `limit`. */
double lb_group_misfit(lb_group *group, const lb_feature_set *features, double limit);
/* Do the features give all that was observed? What was refuted once is not tried again. */
bool lb_group_gives_all(lb_group *group, const lb_feature_set *features);
/* Does the last observation agree? */
bool lb_group_last_agrees(lb_group *group, const lb_feature_set *features);
/* Sets out from `seeds`, and changes features until all observed agrees, or nothing gets nearer.
 * Gives the misfit of the best. */
double lb_group_search(lb_group *group, const lb_feature_set *seeds, size_t seed_count,
                       double deadline, lb_feature_set *best);

/* Neighbours: all combinations that differ from `from` in one choice (and in what that choice
 * needs). Gives their number; the list has room for LB_MOST_NEIGHBOURS. */
enum { LB_MOST_NEIGHBOURS = 256 };
typedef struct lb_neighbour {
    lb_feature feature;
    uint8_t value;
    lb_feature_set features;
} lb_neighbour;
size_t lb_group_neighbours(const lb_group *group, const lb_feature_set *from,
                           lb_neighbour list[LB_MOST_NEIGHBOURS]);
/* Tells of all combinations of the choices about tables, the others as in `from`. */
void lb_group_table_rivals(lb_group *group, const lb_feature_set *from, double deadline,
                           void (*tell)(void *user, const lb_feature_set *features), void *user);
/* Can the family have these features, all together? */
bool lb_features_possible(const lb_feature_set *features, int family, lb_types types);
/* How many of the list give other outputs of a case than `own`; `told` says which. */
size_t lb_group_told_apart(lb_group *group, const lb_case *c, const lb_feature_set *own,
                           const lb_neighbour *list, size_t count, lb_arena *arena, bool *told);

#endif
