/* From three voices (recorded, exact, port) to one verdict: see judge.h. */
#include "judge.h"
#include "compare.h"
#include "tolerance.h"

#include <string.h>

/* How many differences a comparison finds; they go to `differences` from `filled` on. */
static unsigned recorded_against(const lb_trial *trial, const lb_expect *expect, const lb_instance *instance,
                                 lb_result *result, lb_arena *arena)
{
    lb_difference unused[LB_MAX_DIFFERENCES];
    lb_findings findings = {.arena = arena,
                            .image = trial->image,
                            .oracle = "recorded",
                            .count = result ? result->difference_count : 0,
                            .differences = result ? result->differences : unused,
                            .pictured = result};
    unsigned before = findings.count;
    if (trial->exact_steps)
        lb_sequence_compare_recorded(&findings, expect,
                                     instance == trial->port ? trial->port_steps : trial->exact_steps);
    else
        lb_compare_recorded(&findings, expect, instance, trial->given);
    if (result)
        result->difference_count = findings.count < LB_MAX_DIFFERENCES ? findings.count : LB_MAX_DIFFERENCES;
    return findings.count - before;
}

static unsigned exact_against_port(const lb_trial *trial, lb_result *result, lb_arena *arena)
{
    lb_findings findings = {.arena = arena,
                            .image = trial->image,
                            .oracle = "exact",
                            .count = result->difference_count,
                            .differences = result->differences,
                            .pictured = result};
    unsigned before = findings.count;
    if (trial->exact_steps)
        lb_sequence_compare_exact(&findings, trial->exact_steps, trial->port_steps);
    lb_compare_exact(&findings, trial->exact, trial->port);
    result->difference_count = findings.count < LB_MAX_DIFFERENCES ? findings.count : LB_MAX_DIFFERENCES;
    return findings.count - before;
}

static unsigned untouched(const lb_trial *trial, lb_result *result, lb_arena *arena)
{
    lb_findings findings = {.arena = arena,
                            .image = trial->image,
                            .oracle = "rules",
                            .count = result->difference_count,
                            .differences = result->differences};
    unsigned before = findings.count;
    lb_compare_untouched(&findings, trial->port);
    result->difference_count = findings.count < LB_MAX_DIFFERENCES ? findings.count : LB_MAX_DIFFERENCES;
    return findings.count - before;
}

/* Of three voices, the one that the two others contradict together. */
static const char *lone_voice(bool port_recorded, bool port_exact, bool recorded_exact)
{
    if (recorded_exact && !port_recorded && !port_exact)
        return "port";
    if (port_exact && !port_recorded && !recorded_exact)
        return "recorded";
    if (port_recorded && !port_exact && !recorded_exact)
        return "exact";
    return "";
}

static void set_status_names(const lb_trial *trial, const lb_expect *expect, lb_result *result)
{
    const lb_kernel *kernel = trial->image->test_case->kernel;
    if (!kernel || !kernel->returns_status)
        return;
    lb_status expected = expect && expect->has_status ? expect->status : trial->exact->call.status;
    result->status_expected = lb_status_name((int)expected);
    result->status_got = lb_status_name((int)trial->port->call.status);
}

static const char *failure_reason(const lb_result *result, bool have_recorded, bool guard_hit)
{
    if (guard_hit)
        return "the port wrote outside its buffers";
    if (!have_recorded)
        return "port and exact model differ";
    if (strcmp(result->alone, "port") == 0)
        return "the port differs from the recorded result and from the exact model, which agree";
    if (strcmp(result->alone, "recorded") == 0)
        return "the recorded result differs from the port and from the exact model, which agree";
    if (strcmp(result->alone, "exact") == 0)
        return "the exact model differs from the port and from the recorded result, which agree";
    return "recorded result, exact model and port all differ";
}

void lb_judge(const lb_trial *trial, lb_result *result, lb_arena *arena)
{
    const lb_expect *expect = trial->expect;
    bool port_recorded = true, recorded_exact = true;
    result->difference_count = 0;
    result->rule = trial->rule ? trial->rule->name : "";
    set_status_names(trial, expect, result);
    if (expect) {
        port_recorded = recorded_against(trial, expect, trial->port, result, arena) == 0;
        recorded_exact = recorded_against(trial, expect, trial->exact, NULL, arena) == 0;
        result->recorded = port_recorded ? LB_OPINION_AGREES : LB_OPINION_DIFFERS;
    }
    bool port_exact = exact_against_port(trial, result, arena) == 0;
    bool guard_hit = untouched(trial, result, arena) > 0;
    result->exact = port_exact ? LB_OPINION_AGREES : LB_OPINION_DIFFERS;
    if (port_recorded && port_exact && recorded_exact && !guard_hit) {
        result->verdict = LB_PASS;
        return;
    }
    result->verdict = LB_FAIL;
    result->alone = expect ? lone_voice(port_recorded, port_exact, recorded_exact) : "";
    result->reason = failure_reason(result, expect != NULL, guard_hit);
}

/* ---- The fourth voice ---- */

/* What the real model says of all outputs of an instance: differs outweighs none, none outweighs agrees. Gives the number measured. */
static unsigned measure_outputs(const lb_trial *trial, const lb_instance *instance, const lb_real_outputs *real,
                                lb_tolerance tolerances[LB_MAX_TOLERANCES], lb_opinion *opinion, lb_arena *arena)
{
    unsigned count = 0;
    bool differs = false, none = false;
    for (int role = 0; role < LB_ROLE_COUNT && count < LB_MAX_TOLERANCES; role++) {
        lb_real_output output = {real->value[role], real->span[role]};
        lb_opinion one;
        if (!output.value ||
            !lb_tolerance_measure(trial->exact, instance, (lb_role)role, output, arena, &tolerances[count], &one))
            continue;
        differs = differs || one == LB_OPINION_DIFFERS;
        none = none || one == LB_OPINION_NONE;
        count++;
    }
    *opinion = differs ? LB_OPINION_DIFFERS : none || count == 0 ? LB_OPINION_NONE : LB_OPINION_AGREES;
    return count;
}

/* The tensor that used most of its limit, in words: "out: 163 % of 0.5 steps (max_steps, derived)". */
static const char *use_text(const lb_result *result, lb_arena *arena)
{
    const lb_tolerance *most = &result->tolerances[0];
    for (unsigned i = 1; i < result->tolerance_count; i++)
        if (result->tolerances[i].used_percent > most->used_percent)
            most = &result->tolerances[i];
    return lb_arena_printf(arena, "%s: %.0f %% of %s %.4g (%s)", most->role, most->used_percent, most->limit_metric,
                           most->limit, most->limit_source);
}

/* Port and exact model differ, nothing is recorded: the one that the real model contradicts stands alone. */
static void find_lone_voice(const lb_trial *trial, const lb_real_outputs *real, lb_result *result, lb_arena *arena)
{
    lb_tolerance unused[LB_MAX_TOLERANCES];
    lb_opinion of_exact;
    measure_outputs(trial, trial->exact, real, unused, &of_exact, arena);
    if (result->real == LB_OPINION_DIFFERS && of_exact == LB_OPINION_AGREES)
        result->alone = "port";
    if (result->real == LB_OPINION_AGREES && of_exact == LB_OPINION_DIFFERS)
        result->alone = "exact";
}

void lb_judge_tolerance(const lb_trial *trial, const lb_real_outputs *real, lb_result *result, lb_arena *arena)
{
    result->tolerance_count = measure_outputs(trial, trial->port, real, result->tolerances, &result->real, arena);
    if (result->verdict == LB_PASS && result->real == LB_OPINION_DIFFERS) {
        result->verdict = LB_FAIL;
        result->alone = "real";
        result->reason = lb_arena_printf(arena, "port and exact model agree, out of tolerance of the real model: %s",
                                         use_text(result, arena));
        return;
    }
    if (result->verdict != LB_FAIL || result->tolerance_count == 0)
        return;
    if (!trial->expect && result->exact == LB_OPINION_DIFFERS)
        find_lone_voice(trial, real, result, arena);
    if (result->real == LB_OPINION_DIFFERS)
        result->reason = lb_arena_printf(arena, "%s; out of tolerance of the real model: %s", result->reason,
                                         use_text(result, arena));
    else if (result->real == LB_OPINION_AGREES)
        result->reason = lb_arena_printf(arena, "%s; within tolerance of the real model: %s", result->reason,
                                         use_text(result, arena));
}
