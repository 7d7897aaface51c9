/* Running faults of steps: what their table and the engine share. */
#ifndef LB_HARNESS_FAULTS_STEP_RUN_H
#define LB_HARNESS_FAULTS_STEP_RUN_H

#include "harness/faults/faults.h"

/* Sites of a function's model in which a kind can sit, each with every argument. */
void lb_fault_step_places(const lb_fault_kind *kind, const lb_fault_scope *scope,
                          lb_fault_sink sink, void *user);
/* The places of any kind. */
void lb_fault_places_of(const lb_fault_kind *kind, const lb_fault_scope *scope, lb_fault_sink sink,
                        void *user);
/* The exact model, with every step that looks like the fault's site changed. */
bool lb_fault_step_run(lb_fault_run *run);
/* The exact model on a call that is read otherwise; with the fault's mistake beside it, if any. */
void lb_fault_model_run(lb_fault_run *run, lb_call *call);

/* An entry of a table (value_kinds.c); the site is a lookup. */
void lb_fault_table_entry(const lb_num_step *site, int32_t entry, lb_fault_sink sink, void *user);
/* Checks and statuses that were seen (status_kinds.c). */
void lb_fault_statuses(const lb_kernel *kernel, const lb_statuses_seen *seen, lb_fault_sink sink,
                       void *user);

/* Of which operations a run with the fault has to be told (lb_steps.heard). Where it sits in none
 * of those that sums are made of, they are added as where nobody listens. */
uint32_t lb_fault_heard(const lb_fault *fault);

/* Do two steps come from one place of a model's code? Given numbers: are they the same field? */
bool lb_fault_same_site(const lb_num_step *a, const lb_num_step *b, bool all_blocks);
/* Does the fault sit in this step? */
bool lb_fault_sits_in(const lb_fault *fault, const lb_num_step *step);
/* Does a site in front of number i, or behind it, belong to the fault as well? */
bool lb_fault_has_other(const lb_fault_scope *scope, size_t i, const lb_fault *fault,
                        bool in_front);

/* How many taps of its sum follow each step, by the step's number. */
typedef struct lb_fault_counts {
    uint32_t count;
    int32_t *left; /* -1: the step is no tap */
} lb_fault_counts;
static inline int64_t lb_fault_taps_left(const lb_fault_counts *counts, const lb_num_step *step)
{
    return counts && step->number > 0 && (uint32_t)step->number < counts->count
               ? counts->left[step->number]
               : -1;
}

/* Runs the exact model on the instance and counts; *told: steps and given numbers. NULL: `most`
 * steps or more, or no tap in them. */
const lb_fault_counts *lb_fault_count_taps(const lb_profile *profile, lb_instance *instance,
                                           uint64_t most, uint64_t *steps, uint64_t *told,
                                           lb_arena *arena);

/* The tensor of the call that the number belongs to, or NULL. */
const lb_tensor *lb_fault_tensor_of(const lb_instance *instance, lb_owner owner);
/* Is the number one of a list with an entry per channel: a parameter, or an element of the bias? */
bool lb_fault_is_channel_place(const lb_num_place *place);
/* Entries of that list, and one of them. */
int64_t lb_fault_channel_count(const lb_tensor *t, const lb_num_place *place);
int64_t lb_fault_channel_value(const lb_tensor *t, const lb_num_place *place, uint32_t entry);

#endif
