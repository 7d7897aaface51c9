/* Options that several commands share: tables that each includes (see base/options.h), and what
 * their values mean to a plan. */
#ifndef LB_HARNESS_RUN_SHARED_OPTIONS_H
#define LB_HARNESS_RUN_SHARED_OPTIONS_H

#include "harness/base/options.h"
#include "harness/port/host.h"
#include "harness/port/port.h"
#include "harness/run/run_plan.h"

/* --port: const char *. --cpu: const char *. --json: bool. --jobs: no table, defaults differ. */
extern const lb_option lb_port_option[], lb_cpu_option[], lb_json_option[];

/* --misalign, --time-limit and --sandbox. */
typedef struct lb_call_choice {
    unsigned misalign; /* as in lb_memory_options */
    double seconds;
    lb_sandbox sandbox;
} lb_call_choice;
extern const lb_option lb_call_options[];
/* What the port declares, where the user does not ask otherwise. */
void lb_call_choice_fit(lb_call_choice *choice, const lb_port *port);

/* --profile: const char *, see lb_profiles_choose. */
extern const lb_option lb_profile_option[];
/* Words of --set: of each lb_set. */
extern const char *const lb_set_words[];
/* --case, --function, --tag, --exclude: on lb_case_choice. */
extern const lb_option lb_case_options[];
/* --level. */
typedef struct lb_level_choice {
    lb_level level;
    bool is_given;
} lb_level_choice;
extern const lb_option lb_level_option[];

/* Suites as operands: "PATH...". */
extern const char LB_SUITES_HELP[];
#define LB_SUITE_OPERANDS                                                                          \
    {                                                                                              \
        .name = "PATH", LB_SUITES_HELP, 1, 0, NULL, true, LB_OFFER_SUITES                          \
    }
/* Those that are installed, if there are none; see lb_suites_given. */
extern const char LB_SUITES_OR_INSTALLED_HELP[];
#define LB_SUITE_OPERANDS_OR_INSTALLED                                                             \
    {                                                                                              \
        .name = "PATH", LB_SUITES_OR_INSTALLED_HELP, 0, 0, NULL, true, LB_OFFER_SUITES             \
    }
/* Paths of installed suites, if no path is given. False: there are none either (told). */
bool lb_suites_given(const char *command, lb_arguments *paths);

/* Which cases of the suites, in which profiles. */
typedef struct lb_case_choice {
    const char *profile_names;
    lb_list cases, functions, tags, excluded;
    lb_level_choice level;
} lb_case_choice;

/* The first pattern that chooses cases, and its option ("--case"); NULL: there is none. */
const char *lb_case_choice_first(const lb_case_choice *choice, const char **option);

/* Fills profiles, chosen words and level of a plan, which points into the choice. False: told. */
bool lb_case_choice_plan(const lb_case_choice *choice, const char *command, lb_plan *plan);

#endif
