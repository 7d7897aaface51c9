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

/* Experiments on the group that `found` names. */
typedef struct lb_group_session lb_group_session;
/* All ends at `end`, which waiting for the port brings nearer. */
lb_group_session *lb_group_open(const lb_character *character, lb_found_before *before, double *end,
                                lb_character_group *found);

/* Experiments until one combination is left, or so many calls of the port are made. True: nothing
 * more can be told. Called again, it goes on; of a group that nothing explained it tries what its
 * siblings had. */
bool lb_group_explore(lb_group_session *session, unsigned calls, double deadline);

/* Holds a made-up case of the next function of the group against what was found, in one call (and
 * two where it fails). False: there is none. */
bool lb_group_confirm(lb_group_session *session, unsigned calls, double deadline);

/* Goes on with the calls and the time that are left, and with rivals that differ in several choices
 * at once. False: nothing was settled that it could go on with. */
bool lb_group_deepen(lb_group_session *session, unsigned calls, double deadline);

/* Makes one call again and again: does the port keep its mind? */
bool lb_group_ask_again(lb_group_session *session, unsigned calls, double deadline);

/* Does it give the same in calls of other sizes, and where buffers are not aligned? */
bool lb_group_try_sizes(lb_group_session *session, unsigned calls, double deadline);

/* Holds what was found against calls that no experiment has seen. One that departs is the next
 * experiment; where nothing explains it, the group is unknown. What calls were wanting for is as in
 * a sibling before that. */
bool lb_group_hold_out(lb_group_session *session, unsigned calls, double deadline);

/* Calls the first function with arguments that one check after the other must refuse, and notes
 * which of them the port made: told as they are, and judged no further. A port that gives numbers
 * alone is not asked. */
bool lb_group_ask_checks(lb_group_session *session, unsigned calls, double deadline);

/* Notes what nothing told apart, and ends the experiments. */
void lb_group_close(lb_group_session *session);

/* Functions of a group: the plain one first. Gives their number. */
enum { LB_MOST_GROUP_FUNCTIONS = 16 };
size_t lb_group_functions(const lb_port *port, int family, lb_types types,
                          const lb_kernel *functions[LB_MOST_GROUP_FUNCTIONS]);

#endif
