/* Which checks of statuses a port makes: told as they are, and judged no further. */
#ifndef LB_HARNESS_CHARACTERIZE_CHECKS_H
#define LB_HARNESS_CHARACTERIZE_CHECKS_H

#include "harness/characterize/character.h"

/* Calls the port's first function of the group with arguments that one check after the other must
 * refuse, at most so often; notes in the group which of them it made. A port that gives numbers
 * alone is not asked. Waiting for the port brings `end` nearer. */
void lb_checks_ask(const lb_character *character, lb_character_group *group, unsigned calls,
                   double *end);

#endif
