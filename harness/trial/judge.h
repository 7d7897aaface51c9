/* Judging: one case in one profile, from the instances that exact model and port have worked on, to
 * a result. */
#ifndef LB_HARNESS_TRIAL_JUDGE_H
#define LB_HARNESS_TRIAL_JUDGE_H

#include "harness/suite/tolerance_policy.h"
#include "harness/trial/sequence.h"
#include "reports/results.h"

/* Everything that a verdict is made from. */
typedef struct lb_trial {
    const lb_call_memory *memory;
    const lb_profile *profile;
    const lb_instance *exact;              /* after the exact model ran */
    const lb_instance *port;               /* after the port ran; NULL: it did not (skip) */
    const lb_fields (*given)[LB_MAX_LIST]; /* [role][list index]: fields before the call */
    const lb_config *given_config;         /* configuration before the call */
    const lb_step_outcome *exact_steps, *port_steps; /* of a sequence; else NULL */
    const lb_expect *expect;                         /* recorded expectation, or NULL */
    const lb_rule *rule;                             /* violated rule of the exact model, or NULL */
    bool limits_asked; /* the user chose the limits on the distance to the real model */
} lb_trial;

/* Compares recorded expectation (if there is one), exact model and port; fills verdict, agreements,
 * the oracle that stands alone, status names, rule, differences and reason. Texts come from the
 * arena. Other members of `result` are left alone. */
void lb_judge(const lb_trial *trial, lb_result *result, lb_arena *arena);

/* Whose agreement is asked for (--judge). */
typedef enum lb_judge_mode {
    LB_JUDGE_EXACT,    /* recorded expectation, exact model and real model */
    LB_JUDGE_TOLERANCE /* the real model, where it has an agreement: other bits within tolerance are
                          told, and pass */
} lb_judge_mode;

/* The fourth oracle, after lb_judge: measures every output of the port against the real model
 * (`real` as it filled it for this call), fills result->tolerances and the agreement `real`. A port
 * that agrees with the exact model and is out of tolerance all the same fails: then the limit or a
 * model is wrong. Not in a profile that was found by experiments, unless the limits are asked for:
 * it says what the port does, however far that is from the real numbers; the result passes, and
 * `real` says that it differs. Where port and exact model differ and nothing is recorded, it says
 * which of the two stands alone. A limit that the policy sets (NULL: there is none) and that is
 * larger than the signal makes the verdict an error. */
void lb_judge_tolerance(const lb_trial *trial, const lb_real_outputs *real, const lb_policy *policy,
                        lb_judge_mode mode, lb_result *result, lb_arena *arena);

#endif
