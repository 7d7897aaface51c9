/* Whether a case can find anything: a case that passes proves little if its outputs are all alike,
 * all at the ends of their container, or the same whatever one of its operands holds; and if a
 * bias of real numbers did not fit its 32 bits. */
#ifndef LB_HARNESS_COVERAGE_VACUOUS_H
#define LB_HARNESS_COVERAGE_VACUOUS_H

#include "harness/trial/analysis.h"

/* The tag of a case that is meant to be so. */
#define LB_VACUOUS_ON_PURPOSE "vacuous_on_purpose"

/* Why the case proves little, in words, from the arena; NULL: nothing is against it. The exact
 * model runs in the profile, and again with each operand changed. Cases of statuses, chains,
 * sequences and of functions whose results are no data are never accused, nor are those that have
 * the tag. */
const char *lb_vacuous_reason(const lb_case *c, const lb_profile *profile, lb_arena *arena);

/* The same as an analysis of trials, for passing results: outputs are looked at in each profile,
 * whether they depend on operands is asked once in the first built-in profile. */
typedef struct lb_vacuous_listener {
    bool is_unasked;            /* of a suite of which nobody is told: no call is made */
    const char *clamped, *idle; /* of the case at hand; NULL: nothing is against it */
    bool looked;                /* idle is known */
} lb_vacuous_listener;

lb_analysis lb_vacuous_analysis(lb_vacuous_listener *listener);

#endif
