/* Command line of "vectors strength" and "vectors select": see strength_options.h. */
#include "harness/command/strength_options.h"
#include "harness/base/command_line.h"

#include <fnmatch.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    OPTION_JSON = 256,
    OPTION_LEVEL,
    OPTION_REQUIRE,
    OPTION_STEPS,
    OPTION_TRIES,
    OPTION_BUDGET,
    OPTION_CATCHES
};
enum { DEFAULT_TRIES = 60, MAX_JOBS = 64 };
static const unsigned long MILLION = 1000000, DEFAULT_STEPS = 20;

static bool wrong_number(const lb_strength_request *r, const char *option, const char *text,
                         const char *due)
{
    lb_usage_error(r->command, "--%s %s: %s is due", option, text, due);
    return false;
}

static bool take_pattern(lb_strength_request *r, const char *pattern)
{
    bool any = false;
    r->any_pattern = true;
    for (size_t i = 0; i < lb_kernel_count; i++)
        if (fnmatch(pattern, lb_kernels[i].name, 0) == 0)
            any = r->wanted[i] = true;
    if (!any)
        lb_usage_error(r->command, "--function %s: no function matches", pattern);
    return any;
}

static bool take_require(lb_strength_request *r, const char *text)
{
    char *end = NULL;
    r->require = strtod(text, &end);
    return (end != text && !*end && r->require >= 0 && r->require <= 100) ||
           wrong_number(r, "require", text, "a percentage from 0 to 100");
}

static bool take_level(lb_strength_request *r, const char *text)
{
    return lb_level_find(text, &r->level) ||
           wrong_number(r, "level", text, "smoke, standard or deep");
}

static bool take_number(lb_strength_request *r, int option, const char *text)
{
    unsigned long value = 0;
    switch (option) {
    case OPTION_STEPS:
        if (!lb_parse_number(text, 1, 1000000, &value))
            return wrong_number(r, "steps", text, "a number from 1 to 1000000");
        r->limits.steps = value * MILLION;
        return true;
    case OPTION_TRIES:
        if (!lb_parse_number(text, 0, 1000000, &value))
            return wrong_number(r, "tries", text, "a number from 0 to 1000000");
        r->limits.tries = (unsigned)value;
        return true;
    case OPTION_CATCHES:
        if (!lb_parse_number(text, 1, 1000, &value))
            return wrong_number(r, "catches", text, "a number from 1 to 1000");
        r->limits.catches = (unsigned)value;
        return true;
    default:
        return lb_parse_number(text, 1, MAX_JOBS, &r->jobs) ||
               wrong_number(r, "jobs", text, "a number from 1 to 64");
    }
}

static bool parse_option(int option, lb_strength_request *r)
{
    switch (option) {
    case OPTION_JSON:
        return r->json = true;
    case 'l':
        return r->list = true;
    case 'f':
        return take_pattern(r, optarg);
    case 'n':
        return r->profile_names = optarg, true;
    case OPTION_LEVEL:
        return take_level(r, optarg);
    case OPTION_REQUIRE:
        return take_require(r, optarg);
    case OPTION_BUDGET:
        return r->budget = optarg, true;
    case OPTION_STEPS:
    case OPTION_TRIES:
    case OPTION_CATCHES:
    case 'j':
        return take_number(r, option, optarg);
    default:
        return lb_usage_hint(r->command), false;
    }
}

/* Options of one command alone stand first. */
static const struct option options[] = {{"list", no_argument, NULL, 'l'},
                                        {"require", required_argument, NULL, OPTION_REQUIRE},
                                        {"json", no_argument, NULL, OPTION_JSON},
                                        {"level", required_argument, NULL, OPTION_LEVEL},
                                        {"function", required_argument, NULL, 'f'},
                                        {"profile", required_argument, NULL, 'n'},
                                        {"steps", required_argument, NULL, OPTION_STEPS},
                                        {"tries", required_argument, NULL, OPTION_TRIES},
                                        {"jobs", required_argument, NULL, 'j'},
                                        {"help", no_argument, NULL, 'h'},
                                        {NULL, 0, NULL, 0}};
static const struct option select_options[] = {{"budget", required_argument, NULL, OPTION_BUDGET},
                                               {"catches", required_argument, NULL, OPTION_CATCHES},
                                               {"json", no_argument, NULL, OPTION_JSON},
                                               {"level", required_argument, NULL, OPTION_LEVEL},
                                               {"function", required_argument, NULL, 'f'},
                                               {"profile", required_argument, NULL, 'n'},
                                               {"steps", required_argument, NULL, OPTION_STEPS},
                                               {"tries", required_argument, NULL, OPTION_TRIES},
                                               {"jobs", required_argument, NULL, 'j'},
                                               {"help", no_argument, NULL, 'h'},
                                               {NULL, 0, NULL, 0}};

bool lb_strength_parse(int argc, char **argv, lb_strength_request *r)
{
    int option;
    r->level = LB_LEVEL_DEEP;
    r->limits = (lb_strength_limits){
        .catches = 1, .steps = DEFAULT_STEPS * MILLION, .tries = DEFAULT_TRIES};
    r->jobs = 1;
    r->profile_names = "all";
    optind = 0;
    while ((option = getopt_long(argc, argv, r->selects ? "f:n:j:h" : "lf:n:j:h",
                                 r->selects ? select_options : options, NULL)) != -1) {
        if (option == 'h') {
            r->help = true;
            fputs(r->help_text, stdout);
            return false;
        }
        if (!parse_option(option, r))
            return false;
    }
    if (optind >= argc)
        return lb_usage_error(r->command, "no PATH given"), false;
    for (size_t i = 0; i < lb_kernel_count && !r->any_pattern; i++)
        r->wanted[i] = true;
    return lb_profiles_choose(r->command, r->profile_names, &r->loaded, r->profiles,
                              &r->profile_count);
}

cJSON *lb_strength_rows(const lb_strength_request *r, const lb_strength_cases *cases)
{
    const lb_strength_jobs jobs = {.cases = cases,
                                   .wanted = r->wanted,
                                   .profiles = r->profiles,
                                   .profile_count = r->profile_count,
                                   .limits = r->limits,
                                   .jobs = (unsigned)r->jobs,
                                   .progress = isatty(STDERR_FILENO) != 0};
    return lb_strength_run(&jobs);
}
