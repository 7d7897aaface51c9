/* lastbit certify: cases that nobody has seen, made of a seed, carried out like suites. */
#include "harness/generate/certify.h"
#include "harness/command/commands.h"
#include "harness/port/provided.h"
#include "harness/run/execute.h"
#include "harness/run/journal.h"
#include "harness/run/report_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

typedef struct options {
    lb_run_options run; /* first: the tables of runs speak of it */
    lb_level_choice level;
    unsigned cases; /* of each function; 0: as many as the level has */
    lb_set set;
    bool has_set;
    bool extensions;
} options;

enum {
    TRIES = 2,        /* of every result, in orders of their own */
    CALLS_AGAIN = 11, /* beyond the first, of every call */
    /* Results of a function: with CALLS_AGAIN more than 1,000 calls in a process, so that a mistake
     * in one of 1,000 shows. */
    RESULTS_STANDARD = 160
};

static unsigned cases_of(const options *o, size_t profile_count)
{
    static const unsigned shares[] = {[LB_LEVEL_SMOKE] = 4, [LB_LEVEL_STANDARD] = 1};
    const unsigned all = RESULTS_STANDARD / (profile_count > 0 ? (unsigned)profile_count : 1);
    const unsigned least = 40;
    unsigned cases = all > least ? all : least;
    if (o->cases > 0)
        return o->cases;
    return o->level.level == LB_LEVEL_DEEP ? cases * 100 : cases / shares[o->level.level] / 2 * 2;
}

/* The set that is asked for, or that of the profiles. */
static lb_set set_of(const options *o)
{
    char first[40];
    const char *names = o->run.choice.profile_names ? o->run.choice.profile_names : "";
    snprintf(first, sizeof first, "%.*s", (int)strcspn(names, ","), names);
    const lb_profile *profile = lb_profile_named(first);
    return o->has_set || !profile ? o->set : profile->set;
}

/* What nobody can know before. False: told. */
static bool draw_seed(options *o, char drawn[32])
{
    uint32_t seed = 0;
    time_t now = time(NULL);
    struct tm utc;
    while (seed == 0)
        if (getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed) {
            fprintf(stderr, "lastbit: no seed can be drawn: %s\n", strerror(errno));
            return false;
        }
    gmtime_r(&now, &utc);
    strftime(drawn, 32, "%Y-%m-%dT%H:%M:%SZ", &utc);
    o->run.seed = seed;
    return true;
}

/* The journal that is gone on with knows its seed, and when it was drawn. Another that is asked for
 * is refused when the journal is opened. */
static void take_kept_seed(options *o, char drawn[32])
{
    char seed[24], kept_drawn[32];
    lb_journal_seed(o->run.report_folder, seed, kept_drawn);
    const unsigned long kept = strtoul(seed, NULL, 10);
    if (o->run.seed != 0 && o->run.seed != kept)
        return;
    o->run.seed = kept;
    memcpy(drawn, kept_drawn, sizeof kept_drawn);
}

/* A port without any function of the set is of another one. False: told. */
static bool is_of_set(const lb_plan *plan, const lb_port *port)
{
    for (int set = 0; set < LB_SET_COUNT; set++)
        if (lb_port_provided(port, plan->set).functions == 0 &&
            lb_port_provided(port, (lb_set)set).functions > 0) {
            fprintf(stderr,
                    "lastbit: port %s has functions of %s, and none of %s: expected --set %s\n",
                    port->name, lb_kernel_sets[set]->title, lb_kernel_sets[plan->set]->title,
                    lb_set_words[set]);
            return false;
        }
    return true;
}

static int try_cases(options *o, lb_plan *plan, lb_port *port, int argc, char **argv)
{
    lb_certify_maker maker;
    lb_certify_wish wish = {.seed = o->run.seed,
                            .set = plan->set,
                            .cases = cases_of(o, plan->profile_count),
                            .extensions = plan->set == LB_SET_MLI &&
                                          (o->extensions || lb_port_has_extensions(port))};
    lb_suite *suite =
        lb_certify_suite(&wish, o->run.quiet ? LB_PROGRESS_OFF : LB_PROGRESS_BAR, &maker);
    uint64_t first_case[2] = {0, lb_suite_case_count(suite)};
    char seed[24];
    snprintf(seed, sizeof seed, "%lu", o->run.seed);
    plan->suites = &suite;
    plan->suite_count = 1;
    plan->first_case = first_case;
    o->run.certify_seed = seed;
    if (!o->run.quiet)
        printf("Seed %s: %zu cases of %zu functions, each in %zu profile%s, tried %d times; each "
               "call made %d time%s.\n",
               seed, lb_suite_case_count(suite), maker.kernel_count, plan->profile_count,
               plan->profile_count == 1 ? "" : "s", TRIES,
               port->repeats_calls ? CALLS_AGAIN + 1 : 1, port->repeats_calls ? "s" : "");
    fflush(stdout);
    int status = lb_execute(&o->run, plan, port, argc, argv);
    lb_certify_close(suite, &maker);
    return status;
}

static int certify_command(int argc, char **argv)
{
    options o = {.run = lb_run_options_start("certify"), .level = {.level = LB_LEVEL_STANDARD}};
    lb_arguments none;
    lb_plan plan = {0};
    char drawn[32] = "";
    int status;
    o.run.jobs = 1; /* all calls of a function in one process */
    o.run.repeats = TRIES;
    o.run.calls_again = CALLS_AGAIN;
    bool parsed = lb_options_parse(&lb_certify_command, argc, argv, &o, &none, &status);
    if (parsed || status != 0)
        lb_report_folder_begin(o.run.resume ? NULL : o.run.report_folder);
    if (!parsed)
        return status;
    if (o.run.resume && o.run.report_folder)
        take_kept_seed(&o, drawn);
    if (o.run.seed == 0 && !draw_seed(&o, drawn))
        return 3;
    o.run.certify_drawn = drawn;
    plan.set = set_of(&o);
    plan.has_set = true;
    lb_port *port = lb_run_options_open(&o.run, &plan, &status);
    if (port) {
        status = is_of_set(&plan, port) ? try_cases(&o, &plan, port, argc, argv) : 2;
        port->close(port);
    }
    return status;
}

static const lb_option table[] = {
    {"level", 0, LB_CHOICE, "LEVEL", LB_INTO(options, level.level),
     LB_GIVEN(options, level.is_given), .choices = lb_level_names,
     .help =
         "how many cases: smoke (a quarter of standard), standard (default), deep (100 times as "
         "many as standard: for a night)"},
    {"cases", 0, LB_NUMBER, "N", LB_INTO(options, cases), .low = 1, .high = LB_CERTIFY_MOST_CASES,
     .help = "so many of each function instead"},
    {"set", 0, LB_CHOICE, "SET", LB_INTO(options, set), LB_GIVEN(options, has_set),
     .choices = lb_set_words,
     .help = "the kernel set whose functions are tried: mli (default), litert; without it, that of "
             "--profile"},
    {"extensions", 0, LB_FLAG, NULL, LB_INTO(options, extensions),
     .help = "cases of lastbit's own functions too, also where the port has none of them"},
    {.name = NULL}};

const lb_command lb_certify_command = {
    .name = "certify",
    .summary = "try a port on cases that nobody can have prepared for",
    .about =
        "Draws a seed (or takes that of --seed), makes cases of all functions of a kernel set from "
        "it, and tries them on a port; none comes from a file. Functions take turns in an order "
        "that the seed "
        "tells. Every second case is the one before it with another operand or number. Everything "
        "is tried twice, in two orders, and must come out alike; each call of a port that runs "
        "elsewhere is made twelve times, with its buffers at other places, other bytes around them "
        "and other contents of empty outputs, and must leave the same each time. What is told, and "
        "how it is judged, is as in \"lastbit run\". Results tell the seed, and \"lastbit report "
        "verify\" makes the same cases again.",
    .groups = {{table, 0, "What is tried"}, LB_RUN_GROUPS},
    .statuses = LB_MADE_RUN_STATUSES,
    .after = "--seed 0, the default, draws one, or with --resume takes that of the journal. One "
             "worker is "
             "the default, for whoever is wrong in one of 1,000 calls. The last line on standard "
             "output (with --json -: on standard error) is \"N passed, N failed, N skipped\".",
    .examples = "lastbit certify --port dsp/build/libdsp.so --report build/certified\n"
                "lastbit certify --set litert --port mine/build/libmine.so\n"
                "lastbit certify --port dsp/build/libdsp.so --level deep --seed 7\n"
                "lastbit report package -o C.tar.gz --sign ~/.ssh/id_ed25519 "
                "build/certified",
    .run = certify_command};
