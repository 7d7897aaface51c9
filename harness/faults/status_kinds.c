/* Faults in statuses: checks that are missing, stand elsewhere or say something else. The status is
 * all that such a run tells: what a kernel computes on arguments that it should refuse, nobody
 * knows. */
#include "harness/faults/step_run.h"
#include "reference/describe/check.h"

static void rule_places(const lb_fault_kind *kind, const lb_fault_scope *scope, lb_fault_sink sink,
                        void *user)
{
    for (const lb_rule *rule = scope->kernel->rules; rule && rule->check; rule++)
        if (!lb_rule_is_undefined(rule))
            sink(user, &(lb_fault){.kind = kind, .rule = rule});
}

static void one_place(const lb_fault_kind *kind, const lb_fault_scope *scope, lb_fault_sink sink,
                      void *user)
{
    if (lb_kernel_refuses(scope->kernel))
        sink(user, &(lb_fault){.kind = kind});
}

/* Of the functions whose computation itself can fail. */
static void failing_place(const lb_fault_kind *kind, const lb_fault_scope *scope,
                          lb_fault_sink sink, void *user)
{
    if (scope->kernel->config_kind == LB_CONFIG_MOV)
        one_place(kind, scope, sink, user);
}

/* The status of the first violated rule, without one of them; what they ask of a call may only be
 * looked at while those before have passed. Where that leaves the call undefined, nobody can tell
 * the fault. */
static lb_status status_without(const lb_fault_run *run, const lb_rule *left_out)
{
    lb_context context = {.profile = run->profile};
    lb_status status = LB_OK;
    for (const lb_rule *rule = run->out->call.kernel->rules; rule->check && status == LB_OK; rule++)
        if (rule != left_out) {
            status = rule->check(&context, &run->out->call, rule);
            if (lb_violation_unsaid(rule, status) != LB_SAID && status != LB_OK)
                return run->right->call.status;
        }
    return status;
}

static bool check_missing(lb_fault_run *run)
{
    if (run->violated != run->fault->rule)
        return false;
    run->out->call.status = status_without(run, run->violated);
    return run->out->call.status != run->right->call.status;
}

/* The rule is looked at after all others. */
static bool check_last(lb_fault_run *run)
{
    if (run->violated != run->fault->rule)
        return false;
    lb_status other = status_without(run, run->violated);
    run->out->call.status = other == LB_OK ? run->right->call.status : other;
    return run->out->call.status != run->right->call.status;
}

/* Conditions on the configuration and on what the function is made for: other rules do not rely on
 * them. */
static bool is_of_config(const lb_kernel *kernel, const lb_rule *rule)
{
    return rule->all && lb_check_roles(kernel, rule) == 0;
}

/* The rule is looked at before the one that is broken, and is broken too: it wins. What stands
 * between the two and is of tensors has to pass, as rules may rely on those before them. */
static bool check_first(lb_fault_run *run)
{
    lb_context context = {.profile = run->profile};
    const lb_rule *rule = run->violated;
    lb_status status = LB_OK;
    if (!rule)
        return false;
    for (rule++; rule->check && status == LB_OK && rule <= run->fault->rule; rule++)
        if (rule == run->fault->rule || !is_of_config(run->out->call.kernel, rule))
            status = rule->check(&context, &run->out->call, rule);
    if (status == LB_OK || rule - 1 != run->fault->rule ||
        lb_violation_unsaid(run->fault->rule, status) != LB_SAID)
        return false;
    run->out->call.status = status;
    return status != run->right->call.status;
}

static bool other_status(lb_fault_run *run)
{
    if (run->violated != run->fault->rule)
        return false;
    run->out->call.status =
        run->right->call.status == LB_BAD_TENSOR ? LB_SHAPE_MISMATCH : LB_BAD_TENSOR;
    return true;
}

static bool no_checks(lb_fault_run *run)
{
    run->out->call.status = LB_OK;
    return run->violated != NULL;
}

static bool always_refuses(lb_fault_run *run)
{
    run->out->call.status = LB_BAD_TENSOR;
    return !run->violated && run->right->call.status == LB_OK;
}

/* A number that is none of the statuses. */
static bool garbled(lb_fault_run *run)
{
    run->out->call.status = LB_STATUS_COUNT;
    return run->right->call.kernel->returns_status;
}

/* A status that comes out of the computation, and of no check. */
static bool other_result(lb_fault_run *run)
{
    bool fails = !run->violated && run->right->call.status != LB_OK;
    run->out->call.status =
        run->right->call.status == LB_BAD_TENSOR ? LB_SHAPE_MISMATCH : LB_BAD_TENSOR;
    return fails && run->right->call.kernel->returns_status;
}

/* ---- Checks and the status that a port was seen to give ---- */

/* Where this check is the first to fail, this status: also where the calls behind it would be
 * undefined, and nobody could tell what comes. */
static bool answers(lb_fault_run *run)
{
    if (run->violated != run->fault->rule)
        return false;
    run->out->call.status = (lb_status)run->fault->argument;
    return run->out->call.status != run->right->call.status;
}

/* The status of the next check that is broken too. What stands between has to pass, as rules may
 * rely on those before them. */
static lb_status next_status(const lb_fault_run *run)
{
    const lb_context context = {.profile = run->profile};
    lb_status status = LB_OK;
    for (const lb_rule *rule = run->violated + 1; rule->check && status == LB_OK; rule++)
        status = rule->check(&context, &run->out->call, rule);
    return status;
}

/* A check that fails where it should pass: what comes behind it is not looked at. Where another one
 * gives the status rightly, the order is wrong. */
static bool is_strict(lb_fault_run *run)
{
    bool is_valid = !run->violated && run->right->call.status == LB_OK;
    if (!is_valid && (!run->violated || run->violated <= run->fault->rule ||
                      next_status(run) == (lb_status)run->fault->argument))
        return false;
    run->out->call.status = (lb_status)run->fault->argument;
    return run->out->call.status != run->right->call.status;
}

static const char *tell_status(const lb_fault *fault, lb_arena *arena)
{
    return lb_arena_printf(arena, "%s: %s", fault->rule->name, lb_status_name(fault->argument));
}

/* clang-format off */
const lb_fault_kind lb_fault_status_kinds[] = {
    {.name = "check.missing", .group = LB_FAULTS_STATUS, .words = "does not check", .look_for = "the checks at the beginning of the function", .sections = "numerics.md 9", .prior = 8, .places = rule_places, .run = check_missing},
    {.name = "check.late", .group = LB_FAULTS_STATUS, .words = "makes a check after others that come later", .look_for = "the order of the checks", .sections = "numerics.md 9", .prior = 6, .places = rule_places, .run = check_last, .position = LB_POSITION_LATER},
    {.name = "check.early", .group = LB_FAULTS_STATUS, .words = "makes a check before others that come earlier", .look_for = "the order of the checks", .sections = "numerics.md 9", .prior = 6, .places = rule_places, .run = check_first, .position = LB_POSITION_EARLIER},
    {.name = "check.other_status", .group = LB_FAULTS_STATUS, .words = "gives another status", .look_for = "the status that the check returns", .sections = "numerics.md 9", .prior = 6, .places = rule_places, .run = other_status, .open = LB_OPEN_STATUS},
    {.name = "check.none", .group = LB_FAULTS_STATUS, .words = "checks nothing", .look_for = "a build without checks", .sections = "numerics.md 9", .prior = 5, .places = one_place, .run = no_checks},
    {.name = "check.refuses", .group = LB_FAULTS_STATUS, .words = "refuses what is valid", .look_for = "limits of what the kernel takes", .sections = "numerics.md 9", .prior = 4, .places = one_place, .run = always_refuses, .open = LB_OPEN_STATUS},
    {.name = "check.other_result", .group = LB_FAULTS_STATUS, .words = "gives another status where the call fails on its way", .look_for = "checks in the middle of the function: the room of the destination", .sections = "pooling_and_movement.md 4.1, 7", .prior = 5, .places = failing_place, .run = other_result, .open = LB_OPEN_STATUS},
    {.name = "status.garbled", .group = LB_FAULTS_STATUS, .words = "returns a number that is no status", .look_for = "memory that is overwritten; a return that is missing; the type of the result", .sections = "numerics.md 9", .prior = 3, .places = one_place, .run = garbled, .open = LB_OPEN_GARBLED},
    {.name = NULL},
};

static const lb_fault_kind seen_kinds[] = {
    {.name = "check.answers", .group = LB_FAULTS_STATUS, .words = "gives this status where a check should fail", .look_for = "the condition of the check, and the status that it returns", .sections = "numerics.md 9", .prior = 6, .run = answers, .describe = tell_status, .is_rough = true},
    {.name = "check.strict", .group = LB_FAULTS_STATUS, .words = "has a check that fails where it should pass", .look_for = "the condition of the check: < and <=, what it compares", .sections = "numerics.md 9", .prior = 5, .run = is_strict, .describe = tell_status, .is_rough = true},
};
/* clang-format on */

void lb_fault_statuses(const lb_kernel *kernel, const lb_statuses_seen *seen, lb_fault_sink sink,
                       void *user)
{
    for (size_t i = 0; i < LB_MOST_RULES && kernel->rules && kernel->rules[i].check; i++)
        for (int32_t status = 0; status < LB_STATUS_COUNT; status++) {
            uint32_t bit = 1u << status;
            lb_fault fault = {
                .kind = &seen_kinds[0], .rule = &kernel->rules[i], .argument = status};
            if (lb_rule_is_undefined(fault.rule) || !(seen->given & bit))
                continue;
            sink(user, &fault);
            fault.kind = &seen_kinds[1];
            if (status != LB_OK && (seen->of_rule[i] & bit))
                sink(user, &fault);
        }
}
