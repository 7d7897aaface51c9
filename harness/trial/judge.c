/* From three oracles (recorded, exact, port) to one verdict: see judge.h. */
#include "harness/trial/judge.h"
#include "harness/trial/compare.h"
#include "harness/trial/tolerance.h"

#include "reports/doc.h"

#include <math.h>
#include <string.h>

/* The result, if there is one, has what was found; gives how many. */
static unsigned found(const lb_findings *findings, unsigned before, lb_result *result)
{
    if (result)
        result->difference_count =
            findings->count < LB_MAX_DIFFERENCES ? findings->count : LB_MAX_DIFFERENCES;
    return findings->count - before;
}

/* How many differences a comparison finds; they go to `differences` from `filled` on. */
static unsigned recorded_against(const lb_trial *trial, const lb_expect *expect,
                                 const lb_instance *instance, lb_result *result, lb_arena *arena)
{
    lb_difference unused[LB_MAX_DIFFERENCES];
    lb_findings findings = {.arena = arena,
                            .memory = trial->memory,
                            .oracle = "recorded",
                            .count = result ? result->difference_count : 0,
                            .differences = result ? result->differences : unused,
                            .pictured = result};
    unsigned before = findings.count;
    if (trial->exact_steps)
        lb_sequence_compare_recorded(
            &findings, expect, instance == trial->port ? trial->port_steps : trial->exact_steps);
    else
        lb_compare_recorded(&findings, expect, instance, trial->given);
    return found(&findings, before, result);
}

static unsigned exact_against_port(const lb_trial *trial, lb_result *result, lb_arena *arena)
{
    lb_findings findings = {.arena = arena,
                            .memory = trial->memory,
                            .oracle = "exact",
                            .count = result->difference_count,
                            .differences = result->differences,
                            .pictured = result};
    unsigned before = findings.count;
    if (trial->exact_steps)
        lb_sequence_compare_exact(&findings, trial->exact_steps, trial->port_steps);
    lb_compare_exact(&findings, trial->exact, trial->port);
    return found(&findings, before, result);
}

static unsigned untouched(const lb_trial *trial, lb_result *result, lb_arena *arena)
{
    lb_findings findings = {.arena = arena,
                            .memory = trial->memory,
                            .oracle = "rules",
                            .count = result->difference_count,
                            .differences = result->differences};
    unsigned before = findings.count;
    lb_compare_untouched(&findings, trial->port);
    return found(&findings, before, result);
}

/* Of three oracles, the one that the two others contradict together. */
static const char *lone_oracle(bool port_recorded, bool port_exact, bool recorded_exact,
                               bool guard_hit)
{
    if (recorded_exact && !port_exact) /* what is recorded may not speak of all that differs */
        return "port";
    if (port_exact && !port_recorded && !recorded_exact && !guard_hit)
        return "recorded";
    if (port_recorded && !port_exact && !recorded_exact)
        return "exact";
    return "";
}

static void set_status_names(const lb_trial *trial, const lb_expect *expect, lb_result *result)
{
    const lb_kernel *kernel = trial->memory->test_case->kernel;
    if (!kernel || !kernel->returns_status)
        return;
    lb_status expected = expect && expect->has_status ? expect->status : trial->exact->call.status;
    result->status_expected = lb_status_name((int)expected);
    result->status_got = lb_status_name((int)trial->port->call.status);
}

static bool wrote_only_config(const lb_result *result)
{
    bool only = result->difference_count > 0;
    for (unsigned i = 0; i < result->difference_count; i++)
        only = only && (strcmp(result->differences[i].oracle, "rules") != 0 ||
                        result->differences[i].what == LB_DIFFERS_CONFIG);
    return only;
}

static const char *failure_reason(const lb_result *result, bool have_recorded, bool guard_hit)
{
    if (guard_hit)
        return wrote_only_config(result) ? "the port wrote into its configuration, which is const"
                                         : "the port wrote outside its buffers";
    if (!have_recorded)
        return "port and exact model differ";
    if (strcmp(result->outlier, "port") == 0 && result->recorded == LB_AGREEMENT_AGREES)
        return "the port differs from the exact model, with which the recorded result agrees";
    if (strcmp(result->outlier, "port") == 0)
        return "the port differs from the recorded result and from the exact model, which agree";
    if (strcmp(result->outlier, "recorded") == 0)
        return "the recording is wrong: it differs from the port and from the exact model, which "
               "agree (\"lastbit vectors check\" and \"lastbit explain\" show both values)";
    if (strcmp(result->outlier, "exact") == 0)
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
        result->recorded = port_recorded ? LB_AGREEMENT_AGREES : LB_AGREEMENT_DIFFERS;
    }
    bool port_exact = exact_against_port(trial, result, arena) == 0;
    bool guard_hit = untouched(trial, result, arena) > 0;
    result->exact = port_exact ? LB_AGREEMENT_AGREES : LB_AGREEMENT_DIFFERS;
    if (port_recorded && port_exact && recorded_exact && !guard_hit) {
        result->verdict = LB_PASS;
        return;
    }
    result->verdict = LB_FAIL;
    result->outlier =
        expect ? lone_oracle(port_recorded, port_exact, recorded_exact, guard_hit) : "";
    result->reason = failure_reason(result, expect != NULL, guard_hit);
}

/* ---- The fourth oracle ---- */

typedef struct real_oracle {
    unsigned count;
    lb_tolerance tolerances[LB_MAX_TOLERANCES];
    lb_agreement agreement; /* differs outweighs none, none outweighs agrees */
    const char *refused;
} real_oracle;

/* What the real model says of all outputs of an instance. */
static real_oracle listen(const lb_trial *trial, const lb_instance *instance,
                          const lb_real_outputs *real, const lb_case_limits *limits,
                          lb_arena *arena)
{
    real_oracle oracle = {.agreement = LB_AGREEMENT_NONE};
    bool differs = false, none = false;
    for (int role = 0; role < LB_ROLE_COUNT && oracle.count < LB_MAX_TOLERANCES; role++) {
        lb_real_output output = {real->value[role], real->span[role]};
        lb_tolerance_finding finding;
        if (!output.value || !lb_tolerance_measure(trial->exact, instance, (lb_role)role, output,
                                                   limits, arena, &finding))
            continue;
        differs = differs || finding.agreement == LB_AGREEMENT_DIFFERS;
        none = none || finding.agreement == LB_AGREEMENT_NONE;
        oracle.refused = oracle.refused ? oracle.refused : finding.refused;
        oracle.tolerances[oracle.count++] = finding.figures;
    }
    if (oracle.count > 0 && (differs || !none))
        oracle.agreement = differs ? LB_AGREEMENT_DIFFERS : LB_AGREEMENT_AGREES;
    return oracle;
}

/* The tensor that used most of its limit, in words: "out: 163.2 % of max_steps 0.5 (derived)". */
static const char *use_text(const lb_result *result, lb_arena *arena)
{
    const lb_tolerance *most = &result->tolerances[0];
    for (unsigned i = 1; i < result->tolerance_count; i++)
        if (result->tolerances[i].used_percent > most->used_percent)
            most = &result->tolerances[i];
    double used = lb_used_rounded(most->used_percent);
    return lb_arena_printf(arena, "%s: %.*f %% of %s %.4g (%s)", most->role, used != floor(used),
                           used, most->limit_metric, most->limit, most->limit_source);
}

/* Port and exact model differ, nothing is recorded: the one that the real model contradicts stands
 * alone. */
static void find_lone_oracle(const lb_trial *trial, const lb_real_outputs *real,
                             const lb_case_limits *limits, lb_result *result, lb_arena *arena)
{
    lb_agreement of_exact = listen(trial, trial->exact, real, limits, arena).agreement;
    if (result->real == LB_AGREEMENT_DIFFERS && of_exact == LB_AGREEMENT_AGREES)
        result->outlier = "port";
    if (result->real == LB_AGREEMENT_AGREES && of_exact == LB_AGREEMENT_DIFFERS)
        result->outlier = "exact";
}

static bool is_measured(const lb_result *result, const lb_difference *d)
{
    bool measured = false;
    for (unsigned t = 0; t < result->tolerance_count; t++)
        measured = measured || strcmp(d->role, result->tolerances[t].role) == 0;
    return measured && d->what == LB_DIFFERS_DATA;
}

/* In a chain an input that was fed holds what an earlier call gave, port and model each their own.
 */
static bool is_fed(const lb_chain *chain, const lb_difference *d)
{
    bool fed = false;
    for (unsigned i = 0; chain->steps > 0 && i < chain->feed_count; i++) {
        const char *to = lb_role_name(chain->feeds[i].to);
        fed = fed || (strncmp(d->role, to, strlen(to)) == 0 && strchr("[", d->role[strlen(to)]));
    }
    return fed && d->what == LB_DIFFERS_INPUT;
}

/* Does nothing differ but elements of outputs that were measured? Differences are counted to an
 * end: a full list may hide others. */
static bool only_measured_data_differ(const lb_trial *trial, const lb_result *result)
{
    bool all = result->difference_count < LB_MAX_DIFFERENCES;
    for (unsigned i = 0; i < result->difference_count && all; i++)
        all = is_measured(result, &result->differences[i]) ||
              is_fed(&trial->memory->test_case->chain, &result->differences[i]);
    return all;
}

static void judge_failed(const lb_trial *trial, const lb_real_outputs *real,
                         const lb_case_limits *limits, lb_judge_mode mode, lb_result *result,
                         lb_arena *arena)
{
    bool agrees = result->real == LB_AGREEMENT_AGREES;
    if (agrees && mode == LB_JUDGE_TOLERANCE && only_measured_data_differ(trial, result)) {
        result->verdict = LB_PASS;
        result->outlier = "";
        result->reason = "";
        return;
    }
    bool same_inputs = mode == LB_JUDGE_EXACT || trial->memory->test_case->chain.steps == 0;
    if (!trial->expect && same_inputs && result->exact == LB_AGREEMENT_DIFFERS)
        find_lone_oracle(trial, real, limits, result, arena);
    if (result->real != LB_AGREEMENT_NONE)
        result->reason =
            lb_arena_printf(arena, "%s; %s tolerance of the real model: %s", result->reason,
                            agrees ? "within" : "out of", use_text(result, arena));
}

void lb_judge_tolerance(const lb_trial *trial, const lb_real_outputs *real, const lb_policy *policy,
                        lb_judge_mode mode, lb_result *result, lb_arena *arena)
{
    lb_case_limits set;
    const lb_case_limits *limits = NULL;
    if (policy) {
        set = lb_policy_limits(policy, trial->memory->test_case);
        limits = &set;
    }
    real_oracle oracle = listen(trial, trial->port, real, limits, arena);
    result->tolerance_count = oracle.count;
    memcpy(result->tolerances, oracle.tolerances, sizeof oracle.tolerances);
    result->real = oracle.agreement;
    if (oracle.refused && (result->verdict == LB_PASS || mode == LB_JUDGE_TOLERANCE)) {
        result->verdict = LB_ERROR;
        result->reason = oracle.refused;
    } else if (result->verdict == LB_PASS && result->real == LB_AGREEMENT_DIFFERS &&
               (trial->profile->calls == 0 || trial->limits_asked)) {
        result->verdict = LB_FAIL;
        result->outlier = "real";
        result->reason = lb_arena_printf(
            arena, "port and exact model agree, out of tolerance of the real model: %s",
            use_text(result, arena));
    } else if (result->verdict == LB_FAIL && result->tolerance_count > 0) {
        judge_failed(trial, real, limits, mode, result, arena);
    }
}
