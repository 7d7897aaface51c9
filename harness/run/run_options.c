/* Options of the commands that try cases on a port: see run_options.h. */
#include "harness/run/run_options.h"
#include "harness/base/command_line.h"
#include "harness/port/cpu_level.h"
#include "harness/port/open.h"
#include "harness/run/demands.h"
#include "harness/run/shard_environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In the order of the enumerations. */
static const char *const guard_modes[] = {"warn", "off", "error", NULL};
static const char *const judge_modes[] = {"exact", "tolerance", NULL};
static const char *const feed_words[] = {"suite", "exact", "port", NULL};
static const char *const color_modes[] = {"auto", "always", "never", NULL};
static const char *const annotate_words[] = {"auto",  "off",      "github", "gitlab",
                                             "azure", "teamcity", NULL};
static const char *const tolerance_words[] = {"derived", "off", NULL};

lb_run_options lb_run_options_start(const char *command)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return (lb_run_options){.command = command,
                            .port_name = "builtin",
                            .jobs = cores < 1             ? 1
                                    : cores > LB_MAX_JOBS ? LB_MAX_JOBS
                                                          : (unsigned)cores,
                            .call = {.seconds = LB_TIME_LIMIT_SECONDS},
                            .show_limit = 20,
                            .diagnose_seconds = strcmp(command, "run") == 0 ? 10 : 0,
                            .exhaustive = "",
                            .certify_seed = "",
                            .certify_drawn = ""};
}

const char *lb_guard_mode_name(lb_guard_mode mode)
{
    return guard_modes[mode];
}

const char *lb_judge_mode_name(lb_judge_mode mode)
{
    return judge_modes[mode];
}

const char *lb_feed_name(lb_feed_choice feed)
{
    return feed_words[feed];
}

bool lb_run_options_color(const lb_run_options *o)
{
    const char *off = getenv("NO_COLOR");
    return o->color == LB_COLOR_ALWAYS ||
           (o->color == LB_COLOR_AUTO && isatty(STDOUT_FILENO) && !(off && *off));
}

const char *lb_run_options_annotate(const lb_run_options *o)
{
    static const struct {
        const char *variable, *value;
        lb_annotate_choice means;
    } systems[] = {{"GITHUB_ACTIONS", "true", LB_ANNOTATE_GITHUB},
                   {"TF_BUILD", "True", LB_ANNOTATE_AZURE},
                   {"TEAMCITY_VERSION", NULL, LB_ANNOTATE_TEAMCITY},
                   {"GITLAB_CI", "true", LB_ANNOTATE_GITLAB}};
    lb_annotate_choice choice = o->annotate;
    for (size_t i = 0; choice == LB_ANNOTATE_AUTO && i < sizeof systems / sizeof systems[0]; i++) {
        const char *told = getenv(systems[i].variable);
        if (told && (!systems[i].value || strcmp(told, systems[i].value) == 0))
            choice = systems[i].means;
    }
    return choice > LB_ANNOTATE_OFF ? annotate_words[choice] : NULL;
}

/* ---- The tables ---- */

static bool take_diagnose(const char *command, const char *text, void *into)
{
    unsigned long seconds = 0;
    if (strcmp(text, "off") != 0 && !lb_parse_number(text, 1, 86400, &seconds))
        return lb_usage_error(command,
                              "--diagnose %s: expected off, or a number of seconds from 1 to 86400",
                              text),
               false;
    *(double *)into = (double)seconds;
    return true;
}

bool lb_take_shard(const char *command, const char *text, void *into)
{
    lb_shard_choice *shard = into;
    char buffer[64];
    unsigned long index = 0, count = 0;
    snprintf(buffer, sizeof buffer, "%s", text);
    char *slash = strchr(buffer, '/');
    if (slash)
        *slash++ = '\0';
    if (!slash || !lb_parse_number(slash, 1, 1000000, &count) ||
        !lb_parse_number(buffer, 1, count, &index))
        return lb_usage_error(command, "--shard %s: expected I/N with 1 <= I <= N, as in 2/8",
                              text),
               false;
    *shard = (lb_shard_choice){(unsigned)index, (unsigned)count, text};
    return true;
}

const lb_option lb_trial_options[] = {
    {"shard", 's', LB_CALLBACK, "I/N", LB_INTO(lb_run_options, shard), .take = lb_take_shard,
     .help =
         "only the I-th of N equal parts of the cases; without it, the part that the variables "
         "of Bazel, GoogleTest, GitLab, CircleCI, Buildkite or Semaphore name, if they are set"},
    {"jobs", 'j', LB_NUMBER, "N", LB_INTO(lb_run_options, jobs), .high = LB_MAX_JOBS,
     .help = "worker processes (default: one per core); 0: none, everything in this process"},
    {"max-fail", 0, LB_NUMBER, "N", LB_INTO(lb_run_options, max_fail), .low = 1, .high = UINT32_MAX,
     .help = "after N failing results no further case is begun: the run ends as a part of the "
             "suites; --resume without it goes on"},
    {"repeat", 0, LB_NUMBER, "N", LB_INTO(lb_run_options, repeats), .low = 1, .high = 1000,
     .help = "try everything N times, the cases in another order each time (--seed): a result that "
             "is not the same each time fails (default 1)"},
    {"feed", 0, LB_CHOICE, "SOURCE", LB_INTO(lb_run_options, feed), .choices = feed_words,
     .help = "inputs of a network's layers: suite (default): as they stand there; exact: what the "
             "exact model gives in the layers before, in each profile; port: what the port gives "
             "there"},
    {"seed", 0, LB_NUMBER, "N", LB_INTO(lb_run_options, seed), .high = UINT32_MAX,
     .help = "other contents of the memory that no call may touch, other orders of --repeat "
             "(default 0)"},
    {.name = NULL}};

const lb_option lb_judge_options[] = {
    {"guard", 0, LB_CHOICE, "MODE", LB_INTO(lb_run_options, guard), .choices = guard_modes,
     .help = "what becomes of a case whose accumulator is too narrow for it, or for other inputs "
             "with its weights: warn marks it (default), error fails it, off looks for nothing"},
    {"tolerance", 0, LB_TEXT, "T", LB_INTO(lb_run_options, tolerance), .choices = tolerance_words,
     .reads = true,
     .help =
         "limits on the distance from the real model: a policy file; derived: only those that "
         "follow from each function's definition; off. Default: tolerance.yaml in the folder of "
         "the suite or the one above, and derived limits where it sets none"},
    {"judge", 0, LB_CHOICE, "MODE", LB_INTO(lb_run_options, judge), .choices = judge_modes,
     .help = "exact (default): every bit counts. tolerance: other bits in the outputs pass where "
             "they are within tolerance of the real model; they are reported"},
    {"waivers", 0, LB_TEXT, "FILE", LB_INTO(lb_run_options, waiver_path), .reads = true,
     .help = "failures that somebody has signed for, until a date, are shown as waived; a waiver "
             "that has expired, or that nothing needs, is an error"},
    {"fail-on-skip", 0, LB_FLAG, NULL, LB_INTO(lb_run_options, fail_on_skip),
     .help = "a skipped result fails the run (exit status 1)"},
    {"min-passed", 0, LB_NUMBER, "N", LB_INTO(lb_run_options, min_passed),
     .help = "so do fewer than N results that pass"},
    {"require-functions", 0, LB_TEXT, "LIST", LB_INTO(lb_run_options, require_functions),
     .offers = LB_OFFER_FUNCTIONS,
     .help = "so does each of these functions (names with commas, or all of the API) that the port "
             "does not provide, or that has no result that passed"},
    {.name = NULL}};

const lb_option lb_output_options[] = {
    {"report", 'r', LB_TEXT, "DIR", LB_INTO(lb_run_options, report_folder),
     .help = "write results.json, report.html, junit.xml, summary.md and the journal there; those "
             "of a run before are taken away, its results kept as results.previous.json"},
    {"json", 0, LB_TEXT, "FILE", LB_INTO(lb_run_options, json_path),
     .help = "write every verdict as a JSON object on a line of its own, as in results.json; -: to "
             "standard output, and what people read to standard error"},
    {"resume", 0, LB_FLAG, NULL, LB_INTO(lb_run_options, resume),
     .help = "go on with the journal in DIR where an earlier run was stopped"},
    {"meta", 0, LB_LIST, "KEY=VALUE", LB_INTO(lb_run_options, meta),
     .help = "what results and documents say of the product: product, revision, signer, ...; "
             "several times"},
    {"lines", 0, LB_TEXT, "FILE", LB_INTO(lb_run_options, lines_path), .reads = true,
     .help = "lines and branches of the rooms for the report, from a tracefile of lcov "
             "(ci/coverage)"},
    {"strength", 0, LB_TEXT, "FILE", LB_INTO(lb_run_options, strength_path), .reads = true,
     .help = "how strong the suites are, for the report: what lastbit vectors strength --json has "
             "printed of them"},
    {"diagnose", 0, LB_CALLBACK, "S", LB_INTO(lb_run_options, diagnose_seconds),
     .take = take_diagnose,
     .help = "effort for finding the causes of failures, in seconds of a quiet machine "
             "(default of run: 10, of sweep: off); "
             "off: none are looked for"},
    {"show", 0, LB_NUMBER, "N", LB_INTO(lb_run_options, show_limit), .high = 1000000,
     LB_GIVEN(lb_run_options, show_given),
     .help = "failing cases to show in full, the simplest first (default 20; 5 where causes are "
             "found)"},
    {"annotate", 0, LB_CHOICE, "CI", LB_INTO(lb_run_options, annotate), .choices = annotate_words,
     .help = "tell the CI system of failures, at the lines of their cases: github, azure and "
             "teamcity on standard output, gitlab in DIR/gl-code-quality-report.json; auto "
             "(default): as the environment says; off"},
    {"color", 0, LB_CHOICE, "WHEN", LB_INTO(lb_run_options, color), .choices = color_modes,
     .help = "auto (default): on a terminal, unless NO_COLOR is set; always; never"},
    {"quiet", 'q', LB_FLAG, NULL, LB_INTO(lb_run_options, quiet),
     .help = "no progress bar, and nothing but the last line"},
    {.name = NULL}};

/* ---- What the values mean ---- */

/* Without --shard, what the CI system or the test runner says. */
static bool shard_by_environment(lb_run_options *o)
{
    lb_shard shard;
    if (o->shard.count > 0)
        return true;
    if (!lb_shard_from_environment(o->command, &shard))
        return false;
    o->shard = (lb_shard_choice){.index = shard.index, .count = shard.count};
    if (shard.source)
        fprintf(stderr, "lastbit %s: shard %u/%u, as %s say; --shard 1/1 tries all\n", o->command,
                shard.index, shard.count, shard.source);
    return true;
}

static bool check_meta(const lb_run_options *o)
{
    for (size_t i = 0; i < o->meta.count; i++) {
        const char *text = o->meta.items[i], *equals = strchr(text, '=');
        if (!equals || equals == text || !equals[1])
            return lb_usage_error(o->command, "--meta %s: expected KEY=VALUE, as in product=XY-2.1",
                                  text),
                   false;
        for (size_t j = 0; j < i; j++)
            if (strncmp(o->meta.items[j], text, (size_t)(equals - text) + 1) == 0)
                return lb_usage_error(o->command, "--meta %s: the key is given twice", text), false;
    }
    return true;
}

static bool check(lb_run_options *o)
{
    if (o->judge == LB_JUDGE_TOLERANCE && o->tolerance && strcmp(o->tolerance, "off") == 0)
        return lb_usage_error(o->command,
                              "--judge tolerance asks for what --tolerance off turns off"),
               false;
    if (o->resume && !o->report_folder)
        return lb_usage_error(o->command,
                              "--resume needs --report DIR: the journal to go on with is there"),
               false;
    return check_meta(o) && shard_by_environment(o);
}

static bool choose(const lb_run_options *o, lb_plan *plan)
{
    plan->shard_index = o->shard.index;
    plan->shard_count = o->shard.count;
    return lb_demands_check(o) && lb_case_choice_plan(&o->choice, o->command, plan) &&
           (!plan->has_set || lb_plan_take_set(plan, plan->set, "the cases are of"));
}

static bool add_levels(const lb_run_options *o, const lb_port *port, lb_plan *plan)
{
    const char *levels[LB_MAX_LEVELS];
    size_t count = 0;
    if (!o->choice.profile_names)
        lb_plan_keep_profiles(plan, port->profiles);
    if (!o->cpu)
        return true;
    if (!lb_levels_choose(o->command, port, o->cpu, levels, &count))
        return false;
    if (count == 0)
        return lb_usage_error(o->command, "--cpu %s: port %s does not tell CPU levels", o->cpu,
                              port->name),
               false;
    if (!lb_plan_add_levels(plan, levels, count))
        return lb_usage_error(
                   o->command,
                   "--cpu %s: %zu profiles at %zu levels are more than %d results of a case",
                   o->cpu, plan->profile_count, count, LB_MAX_COLUMNS),
               false;
    return true;
}

lb_port *lb_run_options_open(lb_run_options *o, lb_plan *plan, int *status)
{
    *status = 2;
    if (!check(o) || !choose(o, plan))
        return NULL;
    lb_port *port = lb_port_open_in(o->port_name, o->call.seconds, o->call.sandbox);
    if (!port) {
        *status = lb_port_open_status;
    } else if (!add_levels(o, port, plan)) {
        port->close(port);
        port = NULL;
    } else {
        lb_call_choice_fit(&o->call, port);
    }
    return port;
}
