/* Options that every command has which tries cases on a port: run, sweep. */
#ifndef LB_HARNESS_RUN_RUN_OPTIONS_H
#define LB_HARNESS_RUN_RUN_OPTIONS_H

#include "harness/guard/verdict.h"
#include "harness/run/shared_options.h"
#include "harness/trial/trial.h"

enum { LB_MAX_JOBS = 256 };

typedef struct lb_shard_choice {
    unsigned index, count; /* 1 <= index <= count; count 0: not given */
    const char *given;     /* "I/N" within the command line; NULL: it has none */
} lb_shard_choice;

/* "I/N" into a lb_shard_choice: what an option of the kind LB_CALLBACK calls. */
bool lb_take_shard(const char *command, const char *text, void *into);

typedef enum lb_color_choice { LB_COLOR_AUTO, LB_COLOR_ALWAYS, LB_COLOR_NEVER } lb_color_choice;

typedef enum lb_annotate_choice {
    LB_ANNOTATE_AUTO, /* as the environment says */
    LB_ANNOTATE_OFF,
    LB_ANNOTATE_GITHUB,
    LB_ANNOTATE_GITLAB,
    LB_ANNOTATE_AZURE,
    LB_ANNOTATE_TEAMCITY
} lb_annotate_choice;

typedef struct lb_run_options {
    const char *command; /* for messages: "run" */
    const char *port_name, *report_folder;
    lb_case_choice choice; /* without profiles: those that the port has */
    lb_call_choice call;
    unsigned jobs;
    lb_shard_choice shard;
    unsigned repeats; /* how often every result is made; 0: once */
    bool resume, quiet;
    unsigned long max_fail; /* failing results after which no case is begun; 0: no limit */
    unsigned long show_limit;
    bool show_given;
    lb_color_choice color; /* of what is told on standard output */
    lb_annotate_choice annotate;
    const char *waiver_path; /* NULL: none */
    const char *cpu;         /* CPU levels, "all" or names with commas; NULL: the port as it is */
    lb_guard_mode guard;
    double diagnose_seconds;       /* for the causes of failures; 0: none are looked for */
    bool fail_on_skip;             /* a skipped result fails the run */
    unsigned long min_passed;      /* fewer passes fail the run */
    const char *require_functions; /* functions that must pass, with commas, or "all"; NULL: none */
    const char *strength_path;     /* --strength: of "vectors strength --json"; NULL: none */
    lb_feed_choice feed;
    const char *json_path;  /* --json: an object a verdict; "-": standard output */
    const char *lines_path; /* --lines: a tracefile of lcov; NULL: none */
    unsigned long seed;     /* of what stands in memory that no call may touch */
    lb_judge_mode judge;
    const char *tolerance;  /* "off", "derived", a policy file; NULL: the file beside each suite */
    lb_list meta;           /* --meta: KEY=VALUE, each key once */
    const char *exhaustive; /* for the report of a sweep: its domain in words; "" else */
    unsigned calls_again;   /* as lb_port's */
    const char *certify_seed, *certify_drawn; /* of a certification: see reports/results.h; "" */
} lb_run_options;

/* What is tried, how it is judged, and what is written: tables on lb_run_options. */
extern const lb_option lb_trial_options[], lb_judge_options[], lb_output_options[];

/* All of them, as groups of a command whose options begin with lb_run_options. */
#define LB_RUN_GROUPS                                                                              \
    {lb_port_option, offsetof(lb_run_options, port_name), NULL},                                   \
        {lb_profile_option, offsetof(lb_run_options, choice.profile_names), NULL},                 \
        {lb_cpu_option, offsetof(lb_run_options, cpu), NULL},                                      \
        {lb_case_options, offsetof(lb_run_options, choice), NULL}, {lb_trial_options, 0, NULL},    \
        {lb_call_options, offsetof(lb_run_options, call), NULL},                                   \
        {lb_judge_options, 0, "How it is judged"},                                                 \
    {                                                                                              \
        lb_output_options, 0, "What is told"                                                       \
    }

/* What a run of cases that nobody wrote ends with. */
#define LB_MADE_RUN_STATUSES                                                                       \
    {                                                                                              \
        "every verdict is pass, waived or skip, and at least one is pass",                         \
            "a fail or an error, or less than --fail-on-skip, --min-passed or "                    \
            "--require-functions ask for",                                                         \
            "the command line is wrong; nothing was run",                                          \
            "lastbit itself failed (disk full, out of memory)",                                    \
            "nothing was tested: no result passed, and none failed"                                \
    }

/* Defaults of a command: port builtin, all profiles, a worker per core. */
lb_run_options lb_run_options_start(const char *command);

/* Is standard output to have colours? By itself on terminals, unless NO_COLOR is set. */
bool lb_run_options_color(const lb_run_options *options);

/* The kind of document with annotations that the CI system is to be given; NULL: none. */
const char *lb_run_options_annotate(const lb_run_options *options);

/* "warn", "off", "error". */
const char *lb_guard_mode_name(lb_guard_mode mode);

/* "suite", "exact", "port". */
const char *lb_feed_name(lb_feed_choice feed);

/* "exact", "tolerance". */
const char *lb_judge_mode_name(lb_judge_mode mode);

/* What a run begins with: options that exclude each other, the shard that the environment names;
 * profiles, patterns and shard of the plan; the port, and the options that it asks for; without
 * --profile, only the profiles that it has; its levels. NULL: told, and *status is the exit status.
 */
lb_port *lb_run_options_open(lb_run_options *options, lb_plan *plan, int *status);

#endif
