/* What "vectors strength" and "vectors select" have in common: their command line, and the run. */
#ifndef LB_HARNESS_COMMAND_STRENGTH_OPTIONS_H
#define LB_HARNESS_COMMAND_STRENGTH_OPTIONS_H

#include "harness/coverage/strength_jobs.h"
#include "harness/suite/profile_choice.h"

enum { LB_STRENGTH_OK = 0, LB_STRENGTH_SHORT = 1, LB_STRENGTH_WRONG = 2, LB_STRENGTH_FAILED = 3 };

typedef struct lb_strength_request {
    const char *command, *help_text; /* given by the command; so are: */
    bool selects;                    /* takes --budget and --catches, not --list and --require */
    bool json, list, help;
    lb_level level;
    double require; /* < 0: nothing */
    const char *budget;
    lb_strength_limits limits;
    unsigned long jobs;
    bool wanted[256]; /* functions */
    bool any_pattern;
    const char *profile_names;
    lb_loaded_profiles loaded;
    const lb_profile *profiles[LB_MAX_PROFILES];
    size_t profile_count;
} lb_strength_request;

/* False: help was asked for (r->help), or something is wrong, said on standard error. What is left
 * of the command line begins at optind. */
bool lb_strength_parse(int argc, char **argv, lb_strength_request *r);
/* The rows of lb_strength_run for what the command line says. */
cJSON *lb_strength_rows(const lb_strength_request *r, const lb_strength_cases *cases);

#endif
