/* Sequences of movement calls: played step by step on the state model and on the port, each on its
 * own memory, and compared after every step. */
#ifndef LB_HARNESS_TRIAL_SEQUENCE_H
#define LB_HARNESS_TRIAL_SEQUENCE_H

#include "harness/port/port.h"
#include "harness/trial/compare.h"

/* What a step left behind. */
typedef struct lb_step_outcome {
    lb_mov_step step;     /* results of the call; its callbacks' names belong to the case */
    lb_mov_handle handle; /* after the call */
    int32_t *out;         /* containers of `out` after the call, in the layout of the case */
} lb_step_outcome;

/* Plays the case's steps on the instance. `port` NULL: the state model plays. Gives one outcome per
 * step, from the arena. Ends early where the port has a `failure`. */
lb_step_outcome *lb_sequence_play(lb_instance *instance, lb_port *port, const lb_profile *profile,
                                  lb_arena *arena);

/* Does the API say what comes of every step, as the model played them? If not, of which step not.
 */
bool lb_sequence_is_defined(const lb_case *c, const lb_step_outcome *of_model, size_t *step);

/* The same by another player: `move` makes each call, on the state that the sequence begins with.
 */
typedef void (*lb_sequence_move_fn)(void *user, lb_mov_state *state, lb_mov_step *step);
lb_step_outcome *lb_sequence_play_as(lb_instance *instance, lb_sequence_move_fn move, void *user,
                                     lb_arena *arena);

/* Which of two outcomes' parts differ. */
typedef enum lb_step_part {
    LB_STEP_SAME,
    LB_STEP_STATUS,
    LB_STEP_DONE,
    LB_STEP_HANDLE,
    LB_STEP_CALLBACKS,
    LB_STEP_ELEMENTS,
    LB_STEP_PART_COUNT
} lb_step_part;
/* The first step in which two plays of a case differ, and in what; LB_STEP_SAME: in none. */
lb_step_part lb_sequence_differs(const lb_case *c, const lb_step_outcome *a,
                                 const lb_step_outcome *b, size_t *step);

/* Of a state model: notes a callback in the step that `user` points to a pointer to. */
void lb_sequence_note_callback(void *user, const char *callback, int32_t cookie);
/* Makes the call of a step on the state model. */
void lb_sequence_model_move(lb_mov_state *state, lb_mov_step *step);

/* The recorded steps against what was played; the model's outcomes against the port's. Differences
 * go to the findings. */
void lb_sequence_compare_recorded(lb_findings *findings, const lb_expect *expect,
                                  const lb_step_outcome *got);
void lb_sequence_compare_exact(lb_findings *findings, const lb_step_outcome *exact,
                               const lb_step_outcome *port);

#endif
