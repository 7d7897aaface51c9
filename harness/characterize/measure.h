/* How often and how far two profiles differ in a family, on random cases. */
#ifndef LB_HARNESS_CHARACTERIZE_MEASURE_H
#define LB_HARNESS_CHARACTERIZE_MEASURE_H

#include "harness/characterize/character.h"

typedef struct lb_measured {
    uint64_t elements, different;
    double sum;   /* of differences, what was found less the other, in steps */
    int64_t most; /* the largest difference, without its sign */
} lb_measured;

lb_measured lb_measure(const lb_character *character, const lb_character_group *group,
                       const lb_profile *other);

#endif
