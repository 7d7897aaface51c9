/* From three voices (recorded, exact, port) to one verdict: see judge.h. */
#include "judge.h"
#include "compare.h"

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
                            .differences = result ? result->differences : unused};
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
                            .differences = result->differences};
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
