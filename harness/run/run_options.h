/* Options that every command has which tries cases on a port: run, sweep. */
#ifndef LB_HARNESS_RUN_RUN_OPTIONS_H
#define LB_HARNESS_RUN_RUN_OPTIONS_H

#include "harness/guard/verdict.h"
#include "harness/run/run_plan.h"
#include "harness/trial/trial.h"

enum { LB_MAX_PATTERNS = 256, LB_MAX_JOBS = 256 };

typedef struct lb_run_options {
    const char *command; /* for messages: "run" */
    const char *port_name, *report_folder;
    const char *profile_names; /* NULL: those that the port has */
    const char *patterns[LB_MAX_PATTERNS];
    size_t pattern_count;
    unsigned jobs, shard_index, shard_count;
    bool resume, quiet, shard_given;
    double time_limit_seconds;
    unsigned long show_limit;
    const char *waiver_path; /* NULL: none */
    const char *cpu;         /* CPU levels, "all" or names with commas; NULL: the port as it is */
    lb_guard_mode guard;
    bool misalign;
    double diagnose_seconds;       /* for the causes of failures; 0: none are looked for */
    bool fail_on_skip;             /* a skipped result fails the run */
    unsigned long min_passed;      /* fewer passes fail the run */
    const char *require_functions; /* functions that must pass, with commas, or "all"; NULL: none */
    const char *lines_path;        /* --lines: a tracefile of lcov; NULL: none */
    bool has_level;                /* --level, of commands without --list */
    unsigned long seed;            /* of what stands in memory that no call may touch */
    lb_level level;
    lb_judge_mode judge;
    const char *tolerance;  /* "off", "derived", a policy file; NULL: the file beside each suite */
    bool may_list, list;    /* --list: a command sets may_list if it has it */
    const char *exhaustive; /* for the report of a sweep: its domain in words; "" else */
    char *const *arguments; /* behind the options */
    size_t argument_count;
} lb_run_options;

/* Defaults of a command: port builtin, all profiles, a worker per core. */
lb_run_options lb_run_options_start(const char *command);

/* Reads the command line. 0: go on; otherwise 1 + exit status (help was printed, or a message). */
int lb_run_options_parse(lb_run_options *options, int argc, char **argv, const char *const *help);

/* --time-limit of any command. False: message on standard error. */
bool lb_parse_time_limit(const char *command, const char *text, double *seconds);

/* "warn", "off", "error". */
const char *lb_guard_mode_name(lb_guard_mode mode);

/* "exact", "tolerance". */
const char *lb_judge_mode_name(lb_judge_mode mode);

/* Fills profiles, patterns and shard of a plan. False: message on standard error. */
bool lb_run_options_plan(const lb_run_options *options, lb_plan *plan);

/* Then, the port being open: without --profile, only the profiles that it has; and its levels.
 * False: message on standard error. */
bool lb_run_options_levels(const lb_run_options *options, const lb_port *port, lb_plan *plan);

#endif
