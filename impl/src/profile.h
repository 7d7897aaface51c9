/* The numeric profile of the process (numerics.md 4.3). A kernel reads it once, in its check or
 * plan, and hands it on as a value: a call never sees two profiles. */
#ifndef LB_MLI_PROFILE_H
#define LB_MLI_PROFILE_H

#include "fixed.h"

enum lb_mli_profile {
    LB_MLI_UP_FULL,
    LB_MLI_UP_REDUCED,
    LB_MLI_CONVERGENT_FULL,
    LB_MLI_CONVERGENT_REDUCED,
    LB_MLI_PROFILES /* count */
};

/* Beside a profile: average pooling of sa8 keeps 15 bits of its multiplier, not 7
 * (pooling_and_movement.md 2.6, build option). */
enum { LB_MLI_AVEPOOL16 = LB_MLI_PROFILES };

/* The current profile, LB_MLI_AVEPOOL16 added where it is on. Any thread, any time; one atomic load
 * once the process has started. */
LB_MLI_HIDDEN int lb_mli_numerics(void);

static inline enum lb_mli_profile lb_mli_profile_of(int numerics)
{
    return (enum lb_mli_profile)(numerics % LB_MLI_AVEPOOL16);
}

/* The current profile alone: all but average pooling. */
static inline enum lb_mli_profile lb_mli_profile(void)
{
    return lb_mli_profile_of(lb_mli_numerics());
}

static inline enum lb_mli_round lb_mli_profile_round(enum lb_mli_profile profile)
{
    return profile >= LB_MLI_CONVERGENT_FULL ? LB_MLI_CONVERGENT : LB_MLI_UP;
}

static inline bool lb_mli_profile_reduced(enum lb_mli_profile profile)
{
    return profile == LB_MLI_UP_REDUCED || profile == LB_MLI_CONVERGENT_REDUCED;
}

/* The rounding mode of the current profile: all that most kernels ask for. */
static inline enum lb_mli_round lb_mli_round_now(void)
{
    return lb_mli_profile_round(lb_mli_profile());
}

#endif
