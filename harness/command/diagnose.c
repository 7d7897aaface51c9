/* lastbit diagnose: what is wrong with a port, by name. The options, the suites, and what is told.
 */
#include "harness/base/clock.h"
#include "harness/base/command_line.h"
#include "harness/command/commands.h"
#include "harness/diagnose/diagnosis.h"
#include "harness/diagnose/text.h"
#include "harness/port/open.h"
#include "harness/run/run_plan.h"
#include "reports/results_parts.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char HELP[] =
    "Usage: lastbit diagnose [OPTION...] PORT PATH...\n"
    "       lastbit diagnose [OPTION...] --port PORT PATH...\n"
    "\n"
    "Tells what is wrong with a port, in as few faults as explain all that fails. It tries the "
    "cases of the suites,\n"
    "holds every known fault against the whole outputs of failing and passing cases, and where "
    "several faults would\n"
    "give the same, makes cases on which they differ and runs them on the port. What depends on "
    "calls before, on\n"
    "chance or on alignment is told as such. PATH is a suite or a folder; PORT as in \"lastbit "
    "run\".\n"
    "\n"
    "Options:\n"
    "  -p, --port P        the port: a shared library, exec:COMMAND, tcp:HOST:PORT, serial:..., or "
    "builtin\n"
    "  -n, --profile NAME  the numerics that the port is held to: up-full, up-reduced, "
    "convergent-full,\n"
    "                      convergent-reduced, files of platform profiles, several with commas, "
    "or all (default)\n"
    "  -c, --case GLOB     only cases whose id matches; may be given several times\n"
    "      --level LEVEL   the cases of smoke, of standard (default), or deep (all)\n"
    "      --misalign      buffers begin one element past a boundary of 64 bytes, not on it\n"
    "      --seconds S     that the search for faults may take, beside the time for the cases "
    "(default 10)\n"
    "      --time-limit S  seconds that one call may take (default 60)\n"
    "      --json          one JSON object\n"
    "  -h, --help          this text\n"
    "\n"
    "Exit status:\n"
    "  0  nothing fails\n"
    "  1  something fails: causes are told\n"
    "  2  the command line or a suite is wrong, or no case is there to be tried\n"
    "  3  lastbit itself failed (out of memory)\n"
    "\n"
    "Examples:\n"
    "  lastbit diagnose ./libmyport.so vectors\n"
    "  lastbit diagnose --port 'exec:qemu-aarch64 ./my_agent' --level smoke vectors\n"
    "  lastbit diagnose --json ./libmyport.so vectors/conv2d.yaml\n";

enum { MOST_PATTERNS = 256 };

typedef struct options {
    const char *port_name, *profile_names;
    const char *patterns[MOST_PATTERNS];
    size_t pattern_count;
    lb_level level;
    bool json, misalign;
    unsigned long seconds, time_limit_seconds;
} options;

enum { OPTION_JSON = 256, OPTION_LEVEL, OPTION_MISALIGN, OPTION_SECONDS, OPTION_TIME_LIMIT };

static bool parse_seconds(const char *name, const char *text, unsigned long *seconds)
{
    if (lb_parse_number(text, 1, 86400, seconds))
        return true;
    lb_usage_error("diagnose", "--%s %s: a number of seconds from 1 to 86400 is due", name, text);
    return false;
}

static bool parse_option(int option, options *o)
{
    switch (option) {
    case 'p':
        return o->port_name = optarg, true;
    case 'n':
        return o->profile_names = optarg, true;
    case 'c':
        if (o->pattern_count == MOST_PATTERNS)
            return lb_usage_error("diagnose", "--case: at most %d patterns", MOST_PATTERNS), false;
        return o->patterns[o->pattern_count++] = optarg, true;
    case OPTION_JSON:
        return o->json = true;
    case OPTION_MISALIGN:
        return o->misalign = true;
    case OPTION_LEVEL:
        if (lb_level_find(optarg, &o->level))
            return true;
        return lb_usage_error("diagnose", "--level %s: smoke, standard or deep is due", optarg),
               false;
    case OPTION_SECONDS:
        return parse_seconds("seconds", optarg, &o->seconds);
    case OPTION_TIME_LIMIT:
        return parse_seconds("time-limit", optarg, &o->time_limit_seconds);
    default:
        return lb_usage_hint("diagnose"), false;
    }
}

/* 0: go on; otherwise 1 + exit status. */
static int parse_options(int argc, char **argv, options *o)
{
    static const struct option long_options[] = {
        {"port", required_argument, NULL, 'p'},
        {"profile", required_argument, NULL, 'n'},
        {"case", required_argument, NULL, 'c'},
        {"json", no_argument, NULL, OPTION_JSON},
        {"level", required_argument, NULL, OPTION_LEVEL},
        {"misalign", no_argument, NULL, OPTION_MISALIGN},
        {"seconds", required_argument, NULL, OPTION_SECONDS},
        {"time-limit", required_argument, NULL, OPTION_TIME_LIMIT},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0}};
    int option;
    *o = (options){.profile_names = "all",
                   .level = LB_LEVEL_STANDARD,
                   .seconds = 10,
                   .time_limit_seconds = LB_TIME_LIMIT_SECONDS};
    while ((option = lb_next_option("diagnose", argc, argv, "p:n:c:h", long_options)) != -1) {
        if (option == 'h')
            return fputs(HELP, stdout), 1 + 0;
        if (!parse_option(option, o))
            return 1 + 2;
    }
    if (!o->port_name && optind < argc)
        o->port_name = argv[optind++];
    if (!o->port_name)
        return lb_usage_error("diagnose", "no port given: a shared library or a command is due"),
               1 + 2;
    if (optind >= argc)
        return lb_usage_error("diagnose", "no suite given: a file or a folder is due"), 1 + 2;
    return 0;
}

/* ---- Telling ---- */

typedef struct session {
    const options *o;
    lb_plan plan;
    lb_port *port;
    lb_evidence evidence;
    lb_diagnosis diagnosis;
} session;

static void put_json(const session *s, lb_doc *doc)
{
    const lb_diagnosis *d = &s->diagnosis;
    lb_doc_puts(doc, "{\"format\":\"lastbit/diagnosis-1\",\"port\":");
    lb_results_put_text(doc, s->port->name);
    lb_doc_printf(doc,
                  ",\"results\":%zu,\"failing\":%" PRIu64 ",\"experiments\":%" PRIu64
                  ",\"faults_tried\":%" PRIu64 ",\"complete\":%s,\"faults\":",
                  s->evidence.count, d->failing, d->experiments, d->faults_tried,
                  d->cut_short ? "false" : "true");
    lb_results_put_faults(doc, d->found, d->found_count);
    lb_doc_puts(doc, "}\n");
}

static void put_text(const session *s, lb_doc *doc)
{
    const lb_diagnosis *d = &s->diagnosis;
    lb_diagnosis_text(doc, d->found, d->found_count, d->failing);
    if (d->cut_short)
        lb_doc_puts(doc, "the time was up before all had been tried: --seconds gives more\n");
    lb_doc_printf(doc,
                  "%zu results, %" PRIu64 " failing: %zu cause%s; %" PRIu64
                  " faults tried, %" PRIu64 " experiments\n",
                  s->evidence.count, d->failing, d->found_count, d->found_count == 1 ? "" : "s",
                  d->faults_tried, d->experiments);
}

static int tell(const session *s)
{
    lb_doc doc = lb_doc_make();
    (s->o->json ? put_json : put_text)(s, &doc);
    bool written = lb_doc_flush(&doc, stdout) && fflush(stdout) == 0;
    lb_doc_free(&doc);
    return !written ? 3 : s->diagnosis.failing > 0 ? 1 : 0;
}

/* ---- The command ---- */

static bool open_suites(session *s, char *const *arguments, size_t count)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_paths paths = {0};
    bool good = lb_paths_collect(arguments, count, &paths, &diagnostics);
    s->plan.suites = good ? calloc(paths.count + 1, sizeof *s->plan.suites) : NULL;
    for (size_t i = 0; s->plan.suites && i < paths.count; i++) {
        lb_suite *suite = lb_suite_open(paths.items[i], &diagnostics);
        if (suite)
            s->plan.suites[s->plan.suite_count++] = suite;
    }
    lb_paths_free(&paths);
    return good && s->plan.suites && diagnostics.count == 0;
}

static bool wants(void *user, const lb_case *c)
{
    return lb_plan_wants_case(user, c);
}

static int diagnose(session *s)
{
    const lb_reproduce reproduce = {.port = s->o->port_name, .misalign = s->o->misalign};
    s->evidence = (lb_evidence){.suites = s->plan.suites,
                                .suite_count = s->plan.suite_count,
                                .profiles = s->plan.profiles,
                                .profile_count = s->plan.profile_count,
                                .port = s->port,
                                .misalign = s->o->misalign,
                                .wants = wants,
                                .wants_user = &s->plan};
    if (!lb_evidence_gather(&s->evidence))
        return 3;
    if (s->evidence.count == 0)
        return fprintf(stderr, "lastbit diagnose: no case is there to be tried\n"), 2;
    s->diagnosis = (lb_diagnosis){.evidence = &s->evidence,
                                  .port_name = s->o->port_name,
                                  .reproduce = &reproduce,
                                  .seconds = (double)s->o->seconds};
    lb_diagnose(&s->diagnosis);
    return tell(s);
}

int lb_command_diagnose(int argc, char **argv)
{
    options o;
    int early = parse_options(argc, argv, &o);
    if (early)
        return early - 1;
    session *s = calloc(1, sizeof *s);
    int status = 2;
    if (!s)
        return fprintf(stderr, "lastbit: out of memory\n"), 3;
    s->o = &o;
    s->plan.patterns = o.patterns;
    s->plan.pattern_count = o.pattern_count;
    s->plan.has_level = true;
    s->plan.level = o.level;
    if (lb_profiles_choose("diagnose", o.profile_names, &s->plan.loaded, s->plan.profiles,
                           &s->plan.profile_count) &&
        (s->port = lb_port_open(o.port_name, (double)o.time_limit_seconds)) != NULL &&
        open_suites(s, argv + optind, (size_t)(argc - optind)))
        status = diagnose(s);
    lb_diagnosis_free(&s->diagnosis);
    lb_evidence_free(&s->evidence);
    if (s->port)
        s->port->close(s->port);
    for (size_t i = 0; i < s->plan.suite_count; i++)
        lb_suite_close(s->plan.suites[i]);
    free(s->plan.suites);
    free(s);
    return status;
}
