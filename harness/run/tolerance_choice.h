/* Which tolerance policy holds for which suite: what the option --tolerance says, or the file that
 * stands beside the suite. */
#ifndef LB_HARNESS_RUN_TOLERANCE_CHOICE_H
#define LB_HARNESS_RUN_TOLERANCE_CHOICE_H

#include "harness/run/run_plan.h"
#include "harness/suite/tolerance_policy.h"

typedef struct lb_policies {
    bool off;   /* --tolerance off: nothing is compared with the real model */
    bool asked; /* --tolerance says which */
    size_t suite_count;
    const lb_policy **of_suite; /* NULL: limits are derived, all of them */
    size_t loaded_count;
    struct lb_loaded_policy *loaded;
} lb_policies;

/* Loads what the option asks for: "off", "derived" (no file at all), a file, or NULL: for each
 * suite the file tolerance.yaml in its folder or, if there is none, in the folder above. False: all
 * problems have been told on standard error, with the name of the command. */
bool lb_policies_choose(const char *command, const char *option, const lb_plan *plan,
                        lb_policies *policies);
void lb_policies_free(lb_policies *policies);

/* The policy files, each once. */
size_t lb_policies_count(const lb_policies *policies);
const char *lb_policies_path(const lb_policies *policies, size_t index);

/* What results depend on, as a text for the head of a journal, in memory that the caller frees:
 * files with their digests. */
char *lb_policies_describe(const lb_policies *policies);

#endif
