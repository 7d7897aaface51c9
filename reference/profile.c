/* The four built-in numerics profiles: rounding mode times accumulator post-processing. Spec:
 * numerics.md, head and 4.1. */
#include "profile.h"

#include <stddef.h>
#include <string.h>

/* clang-format off */
const lb_profile lb_profiles[LB_PROFILE_COUNT] = {
    {"up-full",            LB_ROUND_UP,         false, {32, 32, 64}, false, NULL},
    {"up-reduced",         LB_ROUND_UP,         true,  {32, 32, 64}, false, NULL},
    {"convergent-full",    LB_ROUND_CONVERGENT, false, {32, 32, 64}, false, NULL},
    {"convergent-reduced", LB_ROUND_CONVERGENT, true,  {32, 32, 64}, false, NULL},
};
/* clang-format on */

int lb_profile_find(const char *name)
{
    for (int i = 0; i < LB_PROFILE_COUNT; i++) {
        if (strcmp(lb_profiles[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

int lb_profile_numerics(const lb_profile *profile)
{
    return (profile->rounding == LB_ROUND_CONVERGENT ? 2 : 0) + (profile->reduced ? 1 : 0);
}
