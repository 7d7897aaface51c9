/* What accumulators mean for the verdict of a case: see verdict.h. */
#include "harness/guard/verdict.h"
#include "harness/guard/port.h"
#include "harness/suite/profile_file.h"

#include <string.h>

bool lb_guard_is_specified(const lb_profile *profile, const lb_kernel *kernel,
                           const lb_watch *watch)
{
    if (profile->file)
        return true;
    return watch->persistent + watch->transient == 0 &&
           (watch->saturated == 0 || lb_guard_has_one_sum(kernel));
}

static void note_measured(const lb_watch *watch, lb_accumulator_use *use)
{
    *use =
        (lb_accumulator_use){.acc_bits = watch->acc_bits,
                             .peak_low = watch->folded_low,
                             .peak_high = watch->folded_high,
                             .peak_bits = lb_bits_for_range(watch->folded_low, watch->folded_high),
                             .separate_peak_low = watch->peak_low,
                             .separate_peak_high = watch->peak_high,
                             .macs = watch->macs,
                             .overflow = lb_guard_overflow(watch),
                             .saturated = watch->saturated};
}

static void note_proved(const lb_guard_use *use, lb_accumulator_use *to)
{
    to->format_bits = use->format_bits;
    to->bound_low = use->bound_low;
    to->bound_high = use->bound_high;
    to->bound_bits = use->bound_bits;
    to->separate_bound_low = use->separate_bound_low;
    to->separate_bound_high = use->separate_bound_high;
}

static void fail_narrow(const lb_guard_use *use, lb_result *result, lb_arena *arena)
{
    bool measured = use->peak_bits > use->acc_bits;
    result->verdict = LB_FAIL;
    result->reason = lb_arena_printf(arena, "the accumulator (%s) has %d bits, and %s %d",
                                     lb_operands_name(use->operands), use->acc_bits,
                                     measured ? "the sums of this case take"
                                              : "with these weights other inputs take",
                                     measured ? use->peak_bits : use->bound_bits);
}

/* Are outputs all that differs, or does the real model alone contradict? Nothing excuses a stray
 * write, a changed field or another status. */
static bool only_data_differ(const lb_result *result)
{
    if (result->difference_count == 0)
        return result->exact == LB_AGREEMENT_AGREES && result->real == LB_AGREEMENT_DIFFERS;
    for (unsigned i = 0; i < result->difference_count; i++)
        if (result->differences[i].what != LB_DIFFERS_DATA)
            return false;
    return result->difference_count < LB_MAX_DIFFERENCES;
}

/* Why a port does not owe the data that the exact model gives past the width, or NULL: what is
 * recorded it owes. */
static const char *excuse(const lb_trial_setup *setup, const lb_profile *profile,
                          const lb_kernel *kernel, const lb_watch *watch, const lb_result *result)
{
    if (result->recorded != LB_AGREEMENT_NONE || !only_data_differ(result))
        return NULL;
    if (!lb_guard_is_specified(profile, kernel, watch))
        return ", and what comes out then is not specified";
    if (!lb_guard_port_has_width(setup->port, profile, watch->operands))
        return ", and the port says that its accumulator has another width";
    return NULL;
}

/* The port fails a case in which the exact model overflows. */
static void add_overflow(const char *excused, const lb_watch *watch, lb_result *result,
                         lb_arena *arena)
{
    result->reason =
        lb_arena_printf(arena, "%s; an accumulator of the exact model left its %d bits here%s",
                        result->reason, watch->acc_bits, excused ? excused : "");
    if (!excused)
        return;
    result->verdict = LB_SKIP;
    result->recorded = result->exact = result->real = LB_AGREEMENT_NONE;
    result->outlier = "";
    result->difference_count = 0;
}

static void begin_case(void *self, const lb_case *c, lb_arena *arena)
{
    lb_guard_listener *l = self;
    l->prover = (lb_guard_prover){.test_case = c, .arena = arena};
}

static void prove_call(void *self, const lb_trial_call *call)
{
    lb_guard_listener *l = self;
    if (call->step == 1)
        l->bound = (lb_guard_bound){.known = false};
    if (l->mode != LB_GUARD_OFF && call->computed && call->watch->chains > 0 &&
        lb_guard_applies(call->before->kernel))
        lb_guard_prove(&l->prover, call->profile, call->before, call->step, &l->bound);
}

static void judge(void *self, const lb_trial_end *end, lb_result *result)
{
    lb_guard_listener *l = self;
    lb_guard_use use = {.exceeds = false};
    const lb_watch *watch = end->watch;
    const char *excused = NULL;
    if (!end->computed || watch->chains == 0)
        return;
    bool failed_past_width = result->verdict == LB_FAIL && lb_guard_left_width(watch);
    note_measured(watch, &result->accumulator);
    if (l->bound.known) {
        use = lb_guard_use_of(&l->prover, &l->bound, watch, end->profile);
        result->accumulator.macs = use.macs;
        note_proved(&use, &result->accumulator);
    }
    if (failed_past_width)
        excused = excuse(end->setup, end->profile, end->test_case->kernel, watch, result);
    if (l->mode == LB_GUARD_ERROR && use.exceeds && (result->verdict == LB_PASS || excused))
        fail_narrow(&use, result, end->arena);
    else if (failed_past_width)
        add_overflow(excused, watch, result, end->arena);
}

lb_analysis lb_guard_analysis(lb_guard_listener *listener)
{
    return (lb_analysis){
        .self = listener, .begin = begin_case, .call = prove_call, .result = judge};
}
