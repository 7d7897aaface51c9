/* What accumulators mean for the verdict of a case: see guard_verdict.h. */
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
    *use = (lb_accumulator_use){.acc_bits = watch->acc_bits,
                                .peak_low = watch->peak_low,
                                .peak_high = watch->peak_high,
                                .peak_bits = lb_bits_for_range(watch->peak_low, watch->peak_high),
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

/* Are outputs all that differs? Nothing excuses a stray write, a changed field or another status.
 */
static bool only_data_differ(const lb_result *result)
{
    for (unsigned i = 0; i < result->difference_count; i++)
        if (strcmp(result->differences[i].what, "data") != 0)
            return false;
    return result->difference_count > 0 && result->difference_count < LB_MAX_DIFFERENCES;
}

/* Why a port does not owe the data that the exact model gives past the width, or NULL: what is
 * recorded it owes. */
static const char *excuse(const lb_trial_setup *setup, const lb_profile *profile,
                          const lb_kernel *kernel, const lb_watch *watch, const lb_result *result)
{
    if (result->recorded != LB_OPINION_NONE || !only_data_differ(result))
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
    result->recorded = result->exact = LB_OPINION_NONE;
    result->alone = "";
    result->difference_count = 0;
}

void lb_guard_judge(const lb_trial_setup *setup, const lb_profile *profile,
                    const lb_guard_prover *prover, const lb_guard_bound *bound,
                    const lb_watch *watch, lb_result *result)
{
    lb_guard_use use = {.exceeds = false};
    const char *excused = NULL;
    bool failed_past_width = result->verdict == LB_FAIL && lb_guard_left_width(watch);
    if (watch->chains == 0)
        return;
    note_measured(watch, &result->accumulator);
    if (bound->known) {
        use = lb_guard_use_of(&prover->first, bound, watch, profile);
        result->accumulator.macs = use.macs;
        note_proved(&use, &result->accumulator);
    }
    if (failed_past_width)
        excused = excuse(setup, profile, prover->test_case->kernel, watch, result);
    if (setup->guard == LB_GUARD_ERROR && use.exceeds && (result->verdict == LB_PASS || excused))
        fail_narrow(&use, result, setup->arena);
    else if (failed_past_width)
        add_overflow(excused, watch, result, setup->arena);
}
