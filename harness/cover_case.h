/* What a case shows of the exact model: its calls, as observations for whoever counts coverpoints. No port is called. */
#ifndef LB_HARNESS_COVER_CASE_H
#define LB_HARNESS_COVER_CASE_H

#include "image.h"
#include "reference/coverpoints.h"
#include "sequence.h"

typedef void (*lb_observe_fn)(void *user, const lb_observation *o);

/* Runs the exact model on the case in one profile and tells every call of it. Memory comes from the arena. */
void lb_cover_case(const lb_case *c, const lb_profile *profile, lb_arena *arena, lb_observe_fn observe, void *user);

/* The steps of a sequence that has been played on the state model. */
void lb_cover_steps(const lb_case *c, const lb_profile *profile, const lb_step_outcome *outcomes, lb_observe_fn observe,
                    void *user);

#endif
