/* One group under experiment: what its steps share. Of group.c, session.c, rivals.c, sizes.c,
 * hold_out.c, checks.c. */
#ifndef LB_HARNESS_CHARACTERIZE_SESSION_H
#define LB_HARNESS_CHARACTERIZE_SESSION_H

#include "harness/characterize/ask.h"
#include "harness/characterize/group.h"

/* With fewer calls than this every one is chosen. */
enum { LB_FEW_CALLS = 12 };

/* Rivals: neighbours of what was found that no observation has refuted. */
typedef struct lb_alive {
    size_t count;
    lb_neighbour items[LB_MOST_NEIGHBOURS];
    bool told[LB_MOST_NEIGHBOURS]; /* from what was found, by the case that was chosen */
} lb_alive;

struct lb_group_session {
    const lb_character *character;
    lb_port *port;
    const lb_profile *asked;
    unsigned misalign;
    lb_group group;
    lb_evidence evidence;   /* room for calls */
    lb_arena work, telling; /* of candidates; of the last case of another size */
    const lb_kernel *functions[LB_MOST_GROUP_FUNCTIONS];
    size_t function_count, confirmed;
    unsigned calls_left, calls_before, round; /* before the step at hand */
    bool has_few, is_done;                    /* few calls; nothing more can be told */
    unsigned barren; /* cases with sums, one after the other, that told nothing */
    bool is_deep;    /* the time that is left may be spent, and rivals are those farther off too */
    uint64_t deep_seed;
    bool has_threshold;    /* a size from which it departs was found: it is the reason */
    double deadline, *end; /* of the step at hand; of all */
    unsigned hung;         /* calls that took too long */
    lb_found_before *before;
    lb_character_group *found;
    lb_alive rivals;
};

/* ---- session.c ---- */

/* A step begins: so many calls, until the deadline. */
void lb_session_start(lb_group_session *s, unsigned calls, double deadline);
/* What the port leaves; NULL: it was not called, or gave no result (`trouble`). */
const lb_left *lb_session_call(lb_group_session *s, const lb_case *c, const char **trouble);
const lb_left *lb_session_call_at(lb_group_session *s, const lb_case *c, unsigned misaligned,
                                  const char **trouble);
/* The function of which case number `seed` is made. */
const lb_kernel *lb_session_function(const lb_group_session *s, uint64_t seed);
/* One experiment. False: it could not be made. */
bool lb_session_observe(lb_group_session *s, const lb_case *c);
void lb_session_first_experiments(lb_group_session *s);
/* The numerics in which the port is asked, what was found before, the four built-in ones. Gives
 * their number. */
size_t lb_session_seeds(const lb_group_session *s, lb_feature_set seeds[LB_FIT_SEEDS + 8]);
/* Looks for features that give all observed; false: there are none. */
bool lb_session_search(lb_group_session *s, const lb_feature_set *from);
/* For siblings. */
void lb_session_remember(lb_group_session *s);
/* The smallest call so often more: does it give what it gave? */
bool lb_session_keeps_its_mind(lb_group_session *s, unsigned times);

/* ---- rivals.c ---- */

void lb_session_rivals(lb_group_session *s, lb_alive *a);
/* Experiments until nothing else gives the same, or nothing tells them apart. False: an experiment
 * was explained by nothing. */
bool lb_session_close_in(lb_group_session *s);

/* ---- sizes.c ---- */

/* Nothing explained all observations: does one combination explain those below a size? Then that is
 * the reason. */
void lb_session_find_threshold(lb_group_session *s);
/* A made-up case of any size in which other features than those that were found would show, one for
 * each number; its memory is the arena's. NULL: none can be made up. */
const lb_case *lb_session_sized_case(lb_group_session *s, uint64_t number, lb_arena *arena);
/* The bytes to which buffers have to be aligned, so that the port gives what was found; 0: as
 * little as their elements allow. */
unsigned lb_session_alignment(lb_group_session *s);

/* ---- hold_out.c ---- */

/* Nothing explains it: does it change its mind, does it depart from a size on? */
void lb_session_fail(lb_group_session *s);

#endif
