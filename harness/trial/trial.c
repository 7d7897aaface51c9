/* One case through models and port: see trial.h. */
#include "harness/trial/trial.h"
#include "harness/base/clock.h"
#include "harness/call/chain.h"
#include "harness/call/model.h"
#include "harness/suite/profile_file.h"
#include "harness/trial/blank.h"

#include <string.h>

/* Why the case cannot be tried, or NULL. */
static const char *skip_reason(const lb_trial_setup *setup, const lb_case *c)
{
    if (!c->kernel)
        return setup->port->move ? NULL : "not provided by the port";
    if (!c->kernel->exact)
        return lb_arena_printf(setup->arena, "%s has no models yet", c->kernel->name);
    if (!setup->port->provides(setup->port, c->kernel))
        return "not provided by the port";
    return NULL;
}

/* Does the real model say the same in both profiles? Reduced post-processing is seen by sa8 kernels
 * with weights only (numerics.md 4.3). */
static bool same_to_real_model(const lb_kernel *kernel, const lb_profile *a, const lb_profile *b)
{
    bool sees_reduced = lb_is_sa(kernel->in_type) && kernel->weights_type != 0;
    return !a->has_features && !b->has_features && a->rounding == b->rounding &&
           a->rounds_once == b->rounds_once && (a->reduced == b->reduced || !sees_reduced) &&
           lb_profile_same_widths(a, b);
}

/* Real values of the outputs in one profile; the arguments are those before the call. `known_in`:
 * the profile in which they are known already. */
static void run_real(lb_real_outputs *real, const lb_profile **known_in,
                     const lb_instance *before_call, const lb_profile *profile, lb_arena *arena)
{
    const lb_case *c = before_call->memory->test_case;
    if (*known_in && c->chain.steps == 0 && same_to_real_model(c->kernel, *known_in, profile))
        return;
    *known_in = profile;
    lb_model_real_values(profile, before_call, real, arena);
}

static double microseconds_since(uint64_t start_ns)
{
    return (double)(lb_now_ns() - start_ns) * 1e-3;
}

static void begin_port(lb_port *port, const lb_instance *instance)
{
    port->failure = NULL;
    port->unsupported = port->host_failed = false;
    if (port->begin)
        port->begin(port, instance);
}

/* The port did not bring the case to an end: what was seen instead is the verdict. */
static void note_failure(const lb_trial_setup *setup, const lb_case *c, const lb_profile *profile,
                         lb_result *result)
{
    result->verdict = LB_ERROR;
    result->kind = setup->port->out_of_time ? "time" : "crash";
    result->reason = lb_arena_strdup(setup->arena, setup->port->failure);
    lb_tell_lines(setup, c, profile, result);
}

static void port_works(const lb_trial_setup *setup, void *user, bool works)
{
    if (setup->port_works)
        setup->port_works(user, works);
}

static double call_port(const lb_trial_setup *setup, void *user, const lb_profile *profile,
                        lb_instance *instance)
{
    lb_port *port = setup->port;
    if (port->failure) /* it has not even begun */
        return 0;
    bool is_here = !port->begin; /* what runs elsewhere is given the guard zones to keep, and they
                                    are read here */
    lb_instance_guard(instance, is_here);
    port_works(setup, user, true);
    uint64_t start_ns = lb_now_ns();
    port->call(port, profile, &instance->call);
    double microseconds = microseconds_since(start_ns);
    port_works(setup, user, false);
    lb_instance_guard(instance, false);
    return microseconds;
}

typedef struct work {
    lb_call_memory memory;
    lb_instance exact, port;
    lb_instance host; /* block NULL until it is needed */
    lb_fields given[LB_ROLE_COUNT][LB_MAX_LIST];
    lb_real_outputs real; /* lists made when they are first needed */
    const lb_profile *real_known_in;
} work;

#define FOR_EACH_ANALYSIS(setup, a)                                                                \
    for (size_t a##_i = 0; a##_i < (setup)->analysis_count; a##_i++)                               \
        for (const lb_analysis *a = (setup)->analyses[a##_i]; a; a = NULL)

static void note_given_fields(work *w)
{
    const lb_case *c = w->memory.test_case;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (c->operand[role].present && c->operand[role].is_output)
            w->given[role][0] = lb_fields_of(&w->exact, &w->exact.tensors[role][0]);
}

/* The port has not been called yet, so its copy holds the arguments. */
static void tell_call(const lb_trial_setup *setup, const work *w, const lb_context *context,
                      lb_ran outcome, uint32_t step)
{
    lb_trial_call call = {.test_case = w->memory.test_case,
                          .profile = context->profile,
                          .before = &w->port.call,
                          .after = &w->exact.call,
                          .violated = outcome.violated,
                          .computed = outcome.computed,
                          .watch = context->watch,
                          .listened = context->steps,
                          .step = step,
                          .arena = setup->arena};
    FOR_EACH_ANALYSIS(setup, a)
    if (a->call)
        a->call(a->self, &call);
}

static lb_steps *listener_of(const lb_trial_setup *setup, const lb_case *c,
                             const lb_profile *profile)
{
    lb_steps *listener = NULL;
    FOR_EACH_ANALYSIS(setup, a)
    if (!listener && a->listen)
        listener = a->listen(a->self, c, profile);
    return listener;
}

static void tell_result(const lb_trial_setup *setup, const work *w, const lb_trial_end *known,
                        lb_result *result)
{
    lb_trial_end end = *known;
    end.setup = setup;
    end.test_case = w->memory.test_case;
    end.exact = &w->exact;
    end.port = &w->port;
    end.arena = setup->arena;
    FOR_EACH_ANALYSIS(setup, a)
    if (a->result)
        a->result(a->self, &end, result);
}

/* What is recorded holds for the accumulators of the host. Does it hold for a platform with others:
 * does the exact model give the same with both? */
static bool recording_applies(work *w, const lb_profile *profile)
{
    lb_profile of_host = lb_profiles[lb_profile_numerics(profile)];
    lb_context host = {.profile = &of_host};
    of_host.avepool16 = profile->avepool16;
    lb_run_exact(&host, &w->host.call);
    return w->host.call.status == w->exact.call.status &&
           w->host.call.return_value == w->exact.call.return_value &&
           memcmp(w->host.block, w->exact.block, w->memory.block_bytes) == 0;
}

/* Is there something recorded, for other accumulators than those of the profile? Then the host's
 * are run too. */
static bool needs_host(work *w, const lb_profile *profile, const lb_expect *expect, lb_arena *arena)
{
    if (!expect || !profile->file ||
        (!profile->has_features && lb_profile_same_widths(profile, &lb_profiles[0])))
        return false;
    if (w->host.block)
        lb_instance_reset(&w->host);
    else
        lb_instance_make(&w->host, &w->memory, arena);
    return true;
}

/* Is the real model asked about step `step` of `steps`? About the last one; and, where its word
 * alone counts, about all. */
static bool real_is_asked(const lb_trial_setup *setup, const lb_kernel *kernel, uint32_t step,
                          uint32_t steps)
{
    return kernel->real && !setup->tolerance_off &&
           (step == steps || setup->judge == LB_JUDGE_TOLERANCE);
}

/* Do port and exact model still hold the same bytes, and the port what is recorded (or is it within
 * tolerance, where that is enough)? Only then does a chain go on. */
static bool call_agrees(const lb_trial *trial, const lb_real_outputs *real,
                        const lb_trial_setup *setup)
{
    lb_result result = {.differences = {{0}}};
    if (!trial->expect && trial->exact->call.status == trial->port->call.status &&
        memcmp(trial->exact->block, trial->port->block, trial->memory->block_bytes) == 0 &&
        !lb_instances_differ_in_fields(trial->exact, trial->port))
        return true;
    lb_judge(trial, &result, setup->arena);
    if (setup->judge == LB_JUDGE_TOLERANCE && result.verdict == LB_FAIL &&
        trial->exact->call.kernel->real)
        lb_judge_tolerance(trial, real, setup->policy, setup->judge, &result, setup->arena);
    return result.verdict == LB_PASS;
}

static void run_sequence(const lb_trial_setup *setup, void *user, work *w,
                         const lb_profile *profile, lb_result *result)
{
    lb_trial trial = {.memory = &w->memory,
                      .profile = profile,
                      .limits_asked = setup->tolerance_asked,
                      .exact = &w->exact,
                      .port = &w->port,
                      .given = (const lb_fields(*)[LB_MAX_LIST])w->given,
                      .expect = lb_case_expect(w->memory.test_case, profile)};
    trial.exact_steps = lb_sequence_play(&w->exact, NULL, profile, setup->arena);
    FOR_EACH_ANALYSIS(setup, a)
    if (a->sequence)
        a->sequence(a->self, w->memory.test_case, profile, trial.exact_steps);
    size_t step;
    if (!lb_sequence_is_defined(w->memory.test_case, trial.exact_steps, &step)) {
        result->reason = lb_arena_printf(
            setup->arena, "undefined: %s at step %zu%s; the port was not called",
            lb_mov_call_name(trial.exact_steps[step].step.call), step,
            trial.exact_steps[step].step.endless
                ? ", on a handle that is not done, never returns (pooling_and_movement.md 6)"
                : ": the API promises nothing for such a movement (pooling_and_movement.md 4)");
        return;
    }
    begin_port(setup->port, &w->port);
    port_works(setup, user, true);
    uint64_t start_ns = lb_now_ns();
    trial.port_steps = lb_sequence_play(&w->port, setup->port, profile, setup->arena);
    result->microseconds = microseconds_since(start_ns);
    port_works(setup, user, false);
    if (setup->port->failure) {
        note_failure(setup, w->memory.test_case, profile, result);
        return;
    }
    lb_judge(&trial, result, setup->arena);
    tell_result(setup, w,
                &(lb_trial_end){.profile = profile,
                                .exact_steps = trial.exact_steps,
                                .port_steps = trial.port_steps},
                result);
    if (result->verdict != LB_PASS)
        lb_tell_lines(setup, w->memory.test_case, profile, result);
}

/* A port in a process of its own is called all the same: nothing that it gives is wrong, but that
 * it crashed is worth a word. Then the process goes, with whatever the call has left in it. */
static const char *call_undefined(const lb_trial_setup *setup, void *user,
                                  const lb_profile *profile, lb_instance *instance)
{
    lb_port *port = setup->port;
    if (!port->forget)
        return "was not called";
    call_port(setup, user, profile, instance);
    const char *seen =
        port->failure
            ? lb_arena_printf(setup->arena, "was called all the same, which is no failure: %s",
                              port->failure)
            : "was called and is not judged";
    port->forget(port);
    return seen;
}

static void note_undefined(const lb_trial_setup *setup, const lb_case *c, lb_ran outcome,
                           lb_result *result)
{
    const char *words = lb_unsaid_words(outcome.undefined);
    if (!outcome.violated && c->kernel->set != LB_SET_MLI) {
        result->rule = "numbers"; /* found while it was computed */
        result->reason =
            lb_arena_printf(setup->arena, "undefined: nothing is promised where %s", words);
        return;
    }
    result->rule =
        outcome.violated ? outcome.violated->name : "out.tensor"; /* of a movement, at its end */
    result->reason = lb_arena_printf(
        setup->arena, "undefined: the API promises nothing for a call that breaks %s of %s%s%s%s",
        result->rule, c->function, *words ? " (" : "", words, *words ? ")" : "");
}

/* The calls of a case in one profile, one after another. */
typedef struct playing {
    const lb_trial_setup *setup;
    void *user;
    work *w;
    const lb_profile *profile;
    lb_result *result;
    lb_context *context;
    lb_trial *trial;
    lb_expect *checkpoint; /* room for it */
    lb_ran outcome;        /* of the exact model in the call at hand */
    bool is_unasked;       /* nothing is asked in this profile */
    uint32_t step, steps;
} playing;

/* Does the case tell what comes out in other profiles alone? */
static bool is_left_out(const lb_case *c, const lb_profile *profile)
{
    return c->expect_count > 0 && !lb_case_expect(c, profile);
}

/* The exact and the real model of the call at hand. False: it cannot be tried, and the result says
 * why. */
static bool play_models(playing *p)
{
    const lb_trial_setup *setup = p->setup;
    work *w = p->w;
    const lb_case *c = w->memory.test_case;
    p->context->steps = listener_of(setup, c, p->profile);
    p->outcome = lb_model_call(p->context, &w->exact);
    if (p->outcome.undefined != LB_SAID) {
        const bool left_out = is_left_out(c, p->profile);
        p->is_unasked = left_out && setup->unasked && c->chain.steps == 0;
        if (p->is_unasked)
            return false;
        note_undefined(setup, c, p->outcome, p->result);
        p->result->reason = lb_arena_printf(setup->arena, "%s%s; the port %s", p->result->reason,
                                            left_out ? ", and nothing is recorded" : "",
                                            call_undefined(setup, p->user, p->profile, &w->port));
        return false;
    }
    tell_call(setup, w, p->context, p->outcome, p->step);
    if (p->outcome.computed && real_is_asked(setup, c->kernel, p->step, p->steps))
        run_real(&w->real, &w->real_known_in, &w->port, p->profile, setup->arena);
    if (setup->port->computes_only && !p->outcome.computed) {
        p->result->reason = "the case asks for a refusal, which the port does not tell";
        return false;
    }
    return true;
}

/* The port's call. False: it gave nothing to be judged, and the result says why. */
static bool play_port(playing *p)
{
    const lb_trial_setup *setup = p->setup;
    lb_result *result = p->result;
    work *w = p->w;
    if (setup->port->computes_only || setup->port->formats_given)
        lb_instance_give_formats(&w->exact, &w->port);
    result->microseconds += call_port(setup, p->user, p->profile, &w->port);
    if (setup->port->unsupported) {
        result->reason = "the port is not made for such arguments";
        return false;
    }
    if (!setup->port->failure)
        return true;
    note_failure(setup, w->memory.test_case, p->profile, result);
    if (p->steps > 1)
        result->reason = lb_arena_printf(setup->arena, "at step %u of %u: %s", p->step, p->steps,
                                         result->reason);
    return false;
}

/* All calls, or those up to the first that differs: the trial is then that call's. False: there is
 * nothing to be judged. */
static bool play(playing *p)
{
    work *w = p->w;
    lb_trial *trial = p->trial;
    const lb_case *c = w->memory.test_case;
    const lb_expect *expect = lb_case_expect(c, p->profile);
    bool on_host = needs_host(w, p->profile, expect, p->setup->arena);
    for (p->step = 1;; p->step++) {
        if (!play_models(p) || !play_port(p))
            return false;
        trial->rule = p->outcome.violated;
        if (on_host && !recording_applies(w, p->profile))
            expect = NULL;
        trial->expect = lb_chain_expect(c, expect, c->chain.steps ? p->step : 0, p->checkpoint);
        if (p->step == p->steps || !p->outcome.computed || !call_agrees(trial, &w->real, p->setup))
            return true;
        lb_chain_feed(&w->exact, p->step + 1);
        lb_chain_feed(&w->port, p->step + 1);
        if (on_host)
            lb_chain_feed(&w->host, p->step + 1);
    }
}

/* False: nothing is asked in the profile. */
static bool run_profile(const lb_trial_setup *setup, void *user, work *w, const lb_profile *profile,
                        lb_result *result)
{
    lb_watch watch = {0};
    lb_expect checkpoint;
    lb_context context = {.profile = profile, .watch = &watch};
    const lb_case *c = w->memory.test_case;
    lb_trial trial = {.memory = &w->memory,
                      .profile = profile,
                      .limits_asked = setup->tolerance_asked,
                      .exact = &w->exact,
                      .port = &w->port,
                      .given = (const lb_fields(*)[LB_MAX_LIST])w->given};
    playing p = {.setup = setup,
                 .user = user,
                 .w = w,
                 .profile = profile,
                 .result = result,
                 .context = &context,
                 .trial = &trial,
                 .checkpoint = &checkpoint,
                 .steps = lb_calls_of(c)};
    begin_port(setup->port, &w->port);
    if (!play(&p))
        return !p.is_unasked;
    lb_judge(&trial, result, setup->arena);
    if (p.steps > 1 && result->verdict != LB_PASS)
        result->reason = lb_arena_printf(setup->arena, "first difference at step %u of %u: %s",
                                         p.step, p.steps, result->reason);
    if (p.outcome.computed && real_is_asked(setup, c->kernel, p.step, p.steps))
        lb_judge_tolerance(&trial, &w->real, setup->policy, setup->judge, result, setup->arena);
    tell_result(
        setup, w,
        &(lb_trial_end){
            .profile = profile, .computed = p.outcome.computed, .watch = &watch, .step = p.step},
        result);
    if (result->verdict != LB_PASS && result->verdict != LB_SKIP)
        lb_tell_lines(setup, c, profile, result);
    return true;
}

bool lb_trial_is_asked(const lb_case *c, const lb_profile *profile, lb_arena *arena)
{
    if (!is_left_out(c, profile) || !c->kernel || !c->kernel->exact || c->chain.steps > 0)
        return true;
    return lb_model_call(&(lb_context){.profile = profile}, lb_instance_of(c, arena)).undefined ==
           LB_SAID;
}

void lb_trial_run(const lb_trial_setup *setup, const lb_case *c, const lb_profile *const *profiles,
                  const bool *wanted, size_t profile_count, lb_before_fn before, lb_result_fn done,
                  void *user)
{
    const char *skip = skip_reason(setup, c);
    work *w = NULL;
    if (!skip) {
        w = lb_arena_raw(setup->arena, sizeof *w); /* most of it is room for long lists */
        w->host.block = NULL;
        w->real = (lb_real_outputs){.value = {NULL}};
        w->real_known_in = NULL;
        const lb_memory_options layout = {.misaligned = setup->misalign, .seed = setup->seed};
        lb_call_memory_make_as(&w->memory, c, &layout, setup->arena);
        lb_instance_make(&w->exact, &w->memory, setup->arena);
        if (setup->fenced && !setup->port->begin)
            lb_instance_make_fenced(&w->port, &w->memory, setup->fenced, setup->arena);
        else
            lb_instance_make(&w->port, &w->memory, setup->arena);
        note_given_fields(w);
        FOR_EACH_ANALYSIS(setup, a)
        if (a->begin)
            a->begin(a->self, c, setup->arena);
    }
    bool fresh = true;
    for (size_t i = 0; i < profile_count; i++) {
        const size_t p = setup->last_first ? profile_count - 1 - i : i;
        if (!wanted[p])
            continue;
        lb_result result = lb_blank_result(setup, c, profiles[p]);
        if (before)
            before(user, p);
        const char *cannot_run =
            !skip && setup->port->cannot_run
                ? setup->port->cannot_run(setup->port, profiles[p], &w->memory, setup->arena)
                : skip;
        bool is_asked = true;
        if (cannot_run) {
            result.reason = cannot_run;
            is_asked = !setup->unasked || lb_trial_is_asked(c, profiles[p], setup->arena);
        } else {
            if (!fresh) {
                lb_instance_reset(&w->exact);
                lb_instance_reset(&w->port);
            }
            fresh = false;
            if (c->kernel)
                is_asked = run_profile(setup, user, w, profiles[p], &result);
            else
                run_sequence(setup, user, w, profiles[p], &result);
        }
        if (is_asked)
            done(user, p, &result);
        else
            setup->unasked(user, p);
    }
}
