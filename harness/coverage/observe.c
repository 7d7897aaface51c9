/* What a case shows of the exact model: see observe.h. */
#include "harness/coverage/observe.h"
#include "harness/call/chain.h"
#include "harness/call/model.h"

/* The steps of a sequence that has been played on the state model. */
static void cover_steps(const lb_case *c, const lb_profile *profile,
                        const lb_step_outcome *outcomes, lb_observe_fn observe, void *user)
{
    for (size_t i = 0; i < c->step_count; i++) {
        const lb_kernel *kernel = lb_kernel_find(c->steps[i].call);
        if (!kernel || kernel->exact)
            continue; /* it has cases of its own */
        lb_call call = {.kernel = kernel,
                        .status = (lb_status)outcomes[i].step.status,
                        .return_value = outcomes[i].step.done ? 1 : 0};
        lb_observation o = {.kernel = kernel, .profile = profile, .before = &call, .after = &call};
        observe(user, &o);
    }
}

bool lb_cover_may_listen(const lb_case *c)
{
    return lb_case_element_count(c) <= LB_LISTENED_ELEMENTS && c->chain.steps == 0;
}

static void run_calls(const lb_case *c, const lb_profile *profile, bool steps, lb_instance *before,
                      lb_instance *after, lb_observe_fn observe, void *user)
{
    uint32_t calls = lb_calls_of(c);
    for (uint32_t step = 1; step <= calls; step++) {
        lb_watch watch = {0};
        lb_seen seen;
        lb_steps listener = lb_seen_listener(&seen, lb_kernel_step_places(after->call.kernel));
        lb_context context = {
            .profile = profile, .watch = &watch, .steps = steps ? &listener : NULL};
        lb_ran ran = lb_model_call(&context, after);
        lb_observation o = {.kernel = c->kernel,
                            .profile = profile,
                            .before = &before->call,
                            .after = &after->call,
                            .violated = ran.violated,
                            .watch = &watch,
                            .seen = steps ? &seen : NULL};
        if (ran.undefined != LB_SAID) /* shows nothing */
            break;
        observe(user, &o);
        if (step == calls || !ran.computed)
            break;
        /* The second copy follows by a call of its own: it must hold the arguments of the next one,
         * untouched. */
        lb_model_go_to(profile, before, step, step + 1);
        lb_chain_feed(after, step + 1);
    }
}

void lb_cover_case(const lb_case *c, const lb_profile *profile, bool steps, lb_arena *arena,
                   lb_observe_fn observe, void *user)
{
    if (c->kernel && !c->kernel->exact)
        return;
    lb_instance *before = lb_instance_of(c, arena), *after = lb_instance_of(c, arena);
    if (c->kernel)
        run_calls(c, profile, steps, before, after, observe, user);
    else
        cover_steps(c, profile, lb_sequence_play(after, NULL, profile, arena), observe, user);
}

/* ---- As an analysis of trials ---- */

static lb_steps *listen(void *self, const lb_case *c, const lb_profile *profile)
{
    lb_cover_listener *l = self;
    if (!l->wants_steps || !lb_cover_may_listen(c) || !l->wants_steps(l->user, c->kernel, profile))
        return NULL;
    l->steps = lb_seen_listener(&l->seen, lb_kernel_step_places(c->kernel));
    return &l->steps;
}

static void begin_case(void *self, const lb_case *c, lb_arena *arena)
{
    (void)c, (void)arena;
    ((lb_cover_listener *)self)->ends = (lb_cover_ends){.hit = {0}};
}

/* At the first step every profile has the same arguments. */
static void note_call(void *self, const lb_trial_call *call)
{
    lb_cover_listener *l = self;
    lb_observation o = {.kernel = call->before->kernel,
                        .profile = call->profile,
                        .before = call->before,
                        .after = call->after,
                        .violated = call->violated,
                        .watch = call->watch,
                        .seen = call->listened == &l->steps ? &l->seen : NULL,
                        .ends = call->step == 1 ? &l->ends : NULL};
    l->observe(l->user, &o);
}

static void note_sequence(void *self, const lb_case *c, const lb_profile *profile,
                          const lb_step_outcome *outcomes)
{
    lb_cover_listener *l = self;
    cover_steps(c, profile, outcomes, l->observe, l->user);
}

lb_analysis lb_cover_analysis(lb_cover_listener *listener)
{
    return (lb_analysis){.self = listener,
                         .begin = begin_case,
                         .listen = listen,
                         .call = note_call,
                         .sequence = note_sequence};
}
