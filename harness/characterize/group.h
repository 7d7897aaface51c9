/* Experiments on one family with its operand types. */
#ifndef LB_HARNESS_CHARACTERIZE_GROUP_H
#define LB_HARNESS_CHARACTERIZE_GROUP_H

#include "harness/characterize/character.h"
#include "harness/characterize/fit.h"

/* What groups found before: siblings share code, so what one does is tried first on the next. */
typedef struct lb_found_before {
    size_t count;
    lb_feature_set items[LB_FIT_SEEDS];
} lb_found_before;

/* Fills `found`, whose family and types are given. At most `calls` of the port, until `deadline`.
 */
void lb_group_experiment(const lb_character *character, lb_found_before *before, unsigned calls,
                         double deadline, lb_character_group *found);

/* Functions of a group: the plain one first. Gives their number. */
enum { LB_MOST_GROUP_FUNCTIONS = 16 };
size_t lb_group_functions(const lb_port *port, int family, lb_types types,
                          const lb_kernel *functions[LB_MOST_GROUP_FUNCTIONS]);

#endif
