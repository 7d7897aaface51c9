/* A call of the port, in the time that is left for all of them. */
#ifndef LB_HARNESS_CHARACTERIZE_ASK_H
#define LB_HARNESS_CHARACTERIZE_ASK_H

#include "harness/characterize/character.h"
#include "harness/diagnose/evidence.h"

typedef struct lb_ask {
    const lb_character *character;
    lb_evidence *evidence; /* room for calls */
    double *end;           /* of processor time: waiting for the port brings it nearer */
    double *waited;        /* for the port */
    lb_arena *arena;       /* of what it leaves */
} lb_ask;

/* Is there time for another call? */
bool lb_ask_in_time(const lb_ask *ask);

/* What the port leaves, or NULL with *trouble. A call is stopped when it takes more than an eighth
 * of the time that is left, so that one that hangs does not take all of it. */
const lb_left *lb_ask_port(const lb_ask *ask, const lb_case *c, unsigned misaligned,
                           const char **trouble);

#endif
