/* Options of the commands that measure suites, and what they choose: vectors coverage, strength,
 * select. */
#ifndef LB_HARNESS_COMMAND_MEASURE_OPTIONS_H
#define LB_HARNESS_COMMAND_MEASURE_OPTIONS_H

#include "harness/coverage/strength_jobs.h"
#include "harness/run/shared_options.h"

enum { LB_MEASURED = 0, LB_MEASURE_SHORT = 1, LB_MEASURE_WRONG = 2, LB_MEASURE_FAILED = 3 };

/* Which functions, profiles and cases are measured. */
typedef struct lb_measure_choice {
    lb_list functions;
    const char *profile_names;
    lb_level_choice level; /* deep, if it is not given */
    bool json;
    bool wanted[256]; /* by lb_kernel_number */
    lb_loaded_profiles loaded;
    const lb_profile *profiles[LB_MAX_PROFILES];
    size_t profile_count;
} lb_measure_choice;

extern const lb_option lb_function_option[];

/* The groups of a command whose options have an lb_measure_choice as `member`. */
#define LB_MEASURE_GROUPS(type, member)                                                            \
    {lb_function_option, offsetof(type, member.functions), NULL},                                  \
        {lb_profile_option, offsetof(type, member.profile_names), NULL},                           \
        {lb_level_option, offsetof(type, member.level), NULL},                                     \
    {                                                                                              \
        lb_json_option, offsetof(type, member.json), NULL                                          \
    }

/* Functions that the patterns ask for, by lb_kernel_number; no pattern: every one. False: told, as
 * one matches nothing. */
bool lb_functions_choose(const lb_list *patterns, const char *command, bool *wanted);
/* Fills `wanted` and the profiles by what the command line said. False: told. */
bool lb_measure_choose(lb_measure_choice *choice, const char *command);
/* "all": the built-in profiles of every set, each for its own functions. Gives their number. */
size_t lb_measure_all_profiles(const lb_profile *profiles[LB_MAX_PROFILES]);
/* Where no function is named: those of these sets alone (bits 1 << lb_set), which the cases call;
 * none: of the first. */
void lb_measure_keep_sets(lb_measure_choice *choice, unsigned sets);

/* What trying all faults may cost: strength and select. */
typedef struct lb_strength_choice {
    lb_measure_choice measure;
    unsigned million_steps, tries, catches, jobs;
    const struct lb_strength_kept *kept; /* NULL: nothing is kept */
} lb_strength_choice;

extern const lb_option lb_strength_options[];
lb_strength_choice lb_strength_choice_start(void);
/* The rows of lb_strength_run for what the command line says. */
cJSON *lb_strength_rows(const lb_strength_choice *choice, const lb_strength_cases *cases);

#endif
