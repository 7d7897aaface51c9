/* What a case shows of the exact model: its calls, as observations for whoever counts coverpoints.
 * No port is called. */
#ifndef LB_HARNESS_COVERAGE_OBSERVE_H
#define LB_HARNESS_COVERAGE_OBSERVE_H

#include "harness/coverage/coverpoints.h"
#include "harness/coverage/seen.h"
#include "harness/trial/analysis.h"

typedef void (*lb_observe_fn)(void *user, const lb_observation *o);

/* Listening to every step makes a model some five times slower. Calls on more elements than this
 * are not listened to: small ones show the same. */
enum { LB_LISTENED_ELEMENTS = 2000 };
bool lb_cover_may_listen(const lb_case *c);

/* Runs the exact model on the case in one profile and tells every call of it. `steps`: listens to
 * the steps of the model too. Memory comes from the arena. */
void lb_cover_case(const lb_case *c, const lb_profile *profile, bool steps, lb_arena *arena,
                   lb_observe_fn observe, void *user);

/* Coverage as an analysis of trials. */
typedef struct lb_cover_listener {
    lb_observe_fn observe;
    /* Should it listen to the steps behind every output of this function too? NULL: never. */
    bool (*wants_steps)(void *user, const lb_kernel *kernel, const lb_profile *profile);
    void *user;
    lb_seen seen;
    lb_steps steps;
    lb_cover_ends ends; /* of the case at hand */
} lb_cover_listener;

lb_analysis lb_cover_analysis(lb_cover_listener *listener);

#endif
