/* Options of the commands that try cases on a port: see run_options.h. */
#include "harness/run/run_options.h"
#include "harness/base/command_line.h"
#include "harness/port/cpu_level.h"
#include "harness/run/demands.h"
#include "harness/run/shard_environment.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    OPTION_RESUME = 256,
    OPTION_TIME_LIMIT,
    OPTION_SHOW,
    OPTION_LIST,
    OPTION_GUARD,
    OPTION_MISALIGN,
    OPTION_DIAGNOSE,
    OPTION_SEED,
    OPTION_WAIVERS,
    OPTION_LEVEL,
    OPTION_LINES,
    OPTION_JUDGE,
    OPTION_TOLERANCE,
    OPTION_CPU,
    OPTION_FAIL_ON_SKIP,
    OPTION_MIN_PASSED,
    OPTION_REQUIRE_FUNCTIONS
};

lb_run_options lb_run_options_start(const char *command)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return (lb_run_options){.command = command,
                            .port_name = "builtin",
                            .jobs = cores < 1             ? 1
                                    : cores > LB_MAX_JOBS ? LB_MAX_JOBS
                                                          : (unsigned)cores,
                            .shard_index = 1,
                            .shard_count = 1,
                            .time_limit_seconds = LB_TIME_LIMIT_SECONDS,
                            .show_limit = 20,
                            .diagnose_seconds = strcmp(command, "run") == 0 ? 5 : 0,
                            .exhaustive = ""};
}

static bool parse_diagnose(const char *text, lb_run_options *o)
{
    unsigned long seconds = 0;
    if (strcmp(text, "off") != 0 && !lb_parse_number(text, 1, 86400, &seconds))
        return lb_usage_error(o->command,
                              "--diagnose %s: off, or a number of seconds from 1 to 86400, is due",
                              text),
               false;
    o->diagnose_seconds = (double)seconds;
    return true;
}

static bool parse_jobs(const char *text, lb_run_options *o)
{
    unsigned long value;
    if (!lb_parse_number(text, 0, LB_MAX_JOBS, &value))
        return lb_usage_error(o->command, "--jobs %s: a number from 0 to %d is due", text,
                              LB_MAX_JOBS),
               false;
    o->jobs = (unsigned)value;
    return true;
}

static bool parse_shard(const char *text, lb_run_options *o)
{
    char buffer[64];
    unsigned long index = 0, count = 0;
    snprintf(buffer, sizeof buffer, "%s", text);
    char *slash = strchr(buffer, '/');
    if (slash)
        *slash++ = '\0';
    if (!slash || !lb_parse_number(slash, 1, 1000000, &count) ||
        !lb_parse_number(buffer, 1, count, &index))
        return lb_usage_error(o->command, "--shard %s: I/N is due, with 1 <= I <= N, as in 2/8",
                              text),
               false;
    o->shard_index = (unsigned)index;
    o->shard_count = (unsigned)count;
    o->shard_given = true;
    return true;
}

/* Without --shard, what the CI system or the test runner says. */
static bool shard_by_environment(lb_run_options *o)
{
    lb_shard shard;
    if (o->shard_given)
        return true;
    if (!lb_shard_from_environment(o->command, &shard))
        return false;
    o->shard_index = shard.index;
    o->shard_count = shard.count;
    if (shard.source)
        fprintf(stderr, "lastbit %s: shard %u/%u, as %s say; --shard 1/1 tries all\n", o->command,
                shard.index, shard.count, shard.source);
    return true;
}

bool lb_parse_time_limit(const char *command, const char *text, double *seconds)
{
    char *end = NULL;
    errno = 0;
    *seconds = strtod(text, &end);
    if (errno != 0 || end == text || *end || !(*seconds > 0 && *seconds <= 86400))
        return lb_usage_error(command,
                              "--time-limit %s: seconds are due, above 0 and at most 86400", text),
               false;
    return true;
}

const char *lb_guard_mode_name(lb_guard_mode mode)
{
    static const char *const names[] = {"warn", "off", "error"};
    return names[mode];
}

static bool parse_guard(const char *text, lb_run_options *o)
{
    for (lb_guard_mode mode = LB_GUARD_WARN; mode <= LB_GUARD_ERROR; mode++)
        if (strcmp(text, lb_guard_mode_name(mode)) == 0)
            return o->guard = mode, true;
    return lb_usage_error(o->command, "--guard %s: error, warn or off is due", text), false;
}

static bool parse_level(const char *text, lb_run_options *o)
{
    o->has_level = lb_level_find(text, &o->level);
    if (!o->has_level)
        lb_usage_error(o->command, "--level %s: smoke, standard or deep is due", text);
    return o->has_level;
}

const char *lb_judge_mode_name(lb_judge_mode mode)
{
    return mode == LB_JUDGE_TOLERANCE ? "tolerance" : "exact";
}

static bool parse_judge(const char *text, lb_run_options *o)
{
    for (lb_judge_mode mode = LB_JUDGE_EXACT; mode <= LB_JUDGE_TOLERANCE; mode++)
        if (strcmp(text, lb_judge_mode_name(mode)) == 0)
            return o->judge = mode, true;
    return lb_usage_error(o->command, "--judge %s: exact or tolerance is due", text), false;
}

static bool add_pattern(const char *text, lb_run_options *o)
{
    if (o->pattern_count == LB_MAX_PATTERNS)
        return lb_usage_error(o->command, "--case: at most %d patterns", LB_MAX_PATTERNS), false;
    o->patterns[o->pattern_count++] = text;
    return true;
}

static bool parse_option(int option, lb_run_options *o)
{
    switch (option) {
    case 'p':
        return o->port_name = optarg, true;
    case 'n':
        return o->profile_names = optarg, true;
    case 'c':
        return add_pattern(optarg, o);
    case 'j':
        return parse_jobs(optarg, o);
    case 's':
        return parse_shard(optarg, o);
    case 'r':
        return o->report_folder = optarg, true;
    case 'q':
        return o->quiet = true;
    case OPTION_RESUME:
        return o->resume = true;
    case OPTION_TIME_LIMIT:
        return lb_parse_time_limit(o->command, optarg, &o->time_limit_seconds);
    case OPTION_SHOW:
        if (!lb_parse_number(optarg, 0, 1000000, &o->show_limit))
            return lb_usage_error(o->command, "--show %s: a number is due", optarg), false;
        return true;
    case OPTION_DIAGNOSE:
        return parse_diagnose(optarg, o);
    case OPTION_FAIL_ON_SKIP:
        return o->fail_on_skip = true;
    case OPTION_MIN_PASSED:
        if (!lb_parse_number(optarg, 0, ULONG_MAX, &o->min_passed))
            return lb_usage_error(o->command, "--min-passed %s: a number is due", optarg), false;
        return true;
    case OPTION_REQUIRE_FUNCTIONS:
        return o->require_functions = optarg, true;
    case OPTION_MISALIGN:
        return o->misalign = true;
    case OPTION_SEED:
        if (!lb_parse_number(optarg, 0, UINT32_MAX, &o->seed))
            return lb_usage_error(o->command, "--seed %s: a number from 0 to 4294967295 is due",
                                  optarg),
                   false;
        return true;
    case OPTION_GUARD:
        return parse_guard(optarg, o);
    case OPTION_CPU:
        return o->cpu = optarg, true;
    case OPTION_WAIVERS:
        return o->waiver_path = optarg, true;
    case OPTION_LINES:
        return o->lines_path = optarg, true;
    case OPTION_LEVEL:
        return parse_level(optarg, o);
    case OPTION_JUDGE:
        return parse_judge(optarg, o);
    case OPTION_TOLERANCE:
        return o->tolerance = optarg, true;
    case OPTION_LIST:
        return o->list = true;
    default:
        return lb_usage_hint(o->command), false;
    }
}

/* 0: go on; otherwise 1 + exit status. */
int lb_run_options_parse(lb_run_options *o, int argc, char **argv, const char *const *help)
{
    const struct option list = {"list", no_argument, NULL, OPTION_LIST};
    const struct option level = {"level", required_argument, NULL, OPTION_LEVEL};
    const struct option options[] = {
        {"port", required_argument, NULL, 'p'},
        {"profile", required_argument, NULL, 'n'},
        {"cpu", required_argument, NULL, OPTION_CPU},
        {"case", required_argument, NULL, 'c'},
        {"jobs", required_argument, NULL, 'j'},
        {"shard", required_argument, NULL, 's'},
        {"report", required_argument, NULL, 'r'},
        {"resume", no_argument, NULL, OPTION_RESUME},
        {"time-limit", required_argument, NULL, OPTION_TIME_LIMIT},
        {"show", required_argument, NULL, OPTION_SHOW},
        {"guard", required_argument, NULL, OPTION_GUARD},
        {"misalign", no_argument, NULL, OPTION_MISALIGN},
        {"diagnose", required_argument, NULL, OPTION_DIAGNOSE},
        {"seed", required_argument, NULL, OPTION_SEED},
        {"waivers", required_argument, NULL, OPTION_WAIVERS},
        {"judge", required_argument, NULL, OPTION_JUDGE},
        {"tolerance", required_argument, NULL, OPTION_TOLERANCE},
        {"fail-on-skip", no_argument, NULL, OPTION_FAIL_ON_SKIP},
        {"min-passed", required_argument, NULL, OPTION_MIN_PASSED},
        {"require-functions", required_argument, NULL, OPTION_REQUIRE_FUNCTIONS},
        {"quiet", no_argument, NULL, 'q'},
        {"help", no_argument, NULL, 'h'},
        o->may_list ? list : level,
        {"lines", required_argument, NULL, OPTION_LINES},
        {NULL, 0, NULL, 0}};
    int option;
    while ((option = lb_next_option(o->command, argc, argv, "p:n:c:j:s:r:qh", options)) != -1) {
        if (option == 'h') {
            for (; *help; help++)
                fputs(*help, stdout);
            return 1 + 0;
        }
        if (!parse_option(option, o))
            return 1 + 2;
    }
    o->arguments = argv + optind;
    o->argument_count = (size_t)(argc - optind);
    if (o->judge == LB_JUDGE_TOLERANCE && o->tolerance && strcmp(o->tolerance, "off") == 0)
        return lb_usage_error(o->command,
                              "--judge tolerance asks for what --tolerance off turns off"),
               1 + 2;
    if (o->resume && !o->report_folder)
        return lb_usage_error(o->command,
                              "--resume needs --report DIR: the journal to go on with is there"),
               1 + 2;
    return shard_by_environment(o) ? 0 : 1 + 2;
}

bool lb_run_options_plan(const lb_run_options *o, lb_plan *plan)
{
    plan->patterns = o->patterns;
    plan->pattern_count = o->pattern_count;
    plan->shard_index = o->shard_index;
    plan->shard_count = o->shard_count;
    plan->has_level = o->has_level;
    plan->level = o->level;
    return lb_demands_check(o) &&
           lb_profiles_choose(o->command, o->profile_names ? o->profile_names : "all",
                              &plan->loaded, plan->profiles, &plan->profile_count);
}

/* Without --profile, a port is tried in the numerics that it has, and not skipped in the others. */
static void keep_profiles(const lb_run_options *o, const lb_port *port, lb_plan *plan)
{
    size_t kept = 0;
    if (o->profile_names || port->profiles == 0)
        return;
    for (size_t i = 0; i < plan->profile_count; i++)
        if (port->profiles >> lb_profile_numerics(plan->profiles[i]) & 1)
            plan->profiles[kept++] = plan->profiles[i];
    plan->profile_count = kept;
}

bool lb_run_options_levels(const lb_run_options *o, const lb_port *port, lb_plan *plan)
{
    const char *levels[LB_MAX_LEVELS];
    size_t count = 0;
    keep_profiles(o, port, plan);
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
