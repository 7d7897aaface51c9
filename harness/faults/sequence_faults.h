/* Faults of the movement calls that share state: handles, channels, callbacks. They are held
 * against whole sequences of calls: each is the state model of pooling_and_movement.md 6 with one
 * rule of it kept otherwise. */
#ifndef LB_HARNESS_FAULTS_SEQUENCE_FAULTS_H
#define LB_HARNESS_FAULTS_SEQUENCE_FAULTS_H

#include "harness/trial/sequence.h"

typedef struct lb_sequence_fault {
    const char *name, *words, *look_for;
    int prior;   /* as of lb_fault_kind */
    size_t rule; /* which of lb_mov_rules is another number */
    int8_t n;
    bool data_at_start;
} lb_sequence_fault;

/* Ended by a row without a name; at most LB_MOST_SEQUENCE_FAULTS. */
extern const lb_sequence_fault lb_sequence_faults[];
enum { LB_MOST_SEQUENCE_FAULTS = 64 };

/* What a library with this fault would leave, step by step. */
lb_step_outcome *lb_sequence_play_fault(lb_instance *instance, const lb_sequence_fault *fault,
                                        lb_arena *arena);

#endif
