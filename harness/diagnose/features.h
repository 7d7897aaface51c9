/* Sizes, formats, configuration and places of elements as numbers, by which rules separate them. */
#ifndef LB_HARNESS_DIAGNOSE_FEATURES_H
#define LB_HARNESS_DIAGNOSE_FEATURES_H

#include "harness/call/call_memory.h"
#include "reference/describe/map.h"

enum { LB_MAX_FEATURES = 312 };

/* What can be said of a case, or of an element of its output, in numbers: the same place for the
 * same thing in all rows of a function. */
typedef struct lb_features {
    int64_t value[LB_MAX_FEATURES]; /* INT64_MIN: there is no such thing */
    uint64_t of_case;               /* the same for rows of cases that cannot be told apart */
    bool inside;                    /* of those that the rule is to hold for */
} lb_features;

void lb_features_of(const lb_case *c, const lb_profile *profile, lb_features *features);
/* Adds what can be said of one element of an output: its place, its right value, and the element of
 * `in` in the same place (INT64_MIN: there is none). */
void lb_features_of_element(const lb_layout *layout, size_t flat, int64_t right, int64_t given,
                            lb_features *features);
/* Adds what its window meets, of an element that stands behind what is said of it already:
 * positions of the sum that lie outside of `in`, and its place between elements that are spread. */
void lb_features_of_window(const lb_bound_map *map, lb_features *features);
/* Leaves of a row what is said of values of an element, or all but that: its place and its case. */
void lb_features_keep(lb_features *features, bool values);
/* A row of which nothing is said yet. */
lb_features lb_features_empty(uint64_t of_case, bool inside);
/* The index of an element in each dimension, 0 in those that the tensor does not have. */
void lb_element_index(size_t flat, const lb_case_tensor *t, uint32_t index[LB_MAX_RANK]);
/* Its index in each dimension, and from number LB_MAX_RANK on its distance to the end of each. */
void lb_features_put_place(int64_t *value, const uint32_t *index, const lb_case_tensor *t);
/* "in.shape[2]"; of any case of the function. */
const char *lb_feature_name(const lb_case *c, unsigned feature, lb_arena *arena);

/* The leaf of a case of the function that the feature is. False: it is none, or follows from
 * several. */
bool lb_feature_leaf(const lb_kernel *kernel, unsigned feature, lb_leaf *leaf);

/* ... or one of those that it follows from. */
bool lb_feature_asks(const lb_kernel *kernel, unsigned feature, lb_leaf leaf);

/* Of an element, or of the whole case? */
bool lb_feature_is_of_element(unsigned feature);
/* The right value of an element. */
bool lb_feature_is_value(unsigned feature);
/* Of an index of an element: the feature that is its distance to the end. Of others: itself. */
unsigned lb_feature_end(unsigned feature);
/* What code compares with each other: sizes and numbers of the configuration; the same number of
 * two formats. */
bool lb_feature_are_comparable(unsigned a, unsigned b);

#endif
