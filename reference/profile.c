/* The four built-in numerics profiles: rounding mode times accumulator post-processing. Spec:
 * numerics.md, head and 4.1. */
#include "profile.h"

#include <stddef.h>
#include <string.h>

/* clang-format off */
const lb_profile lb_profiles[LB_PROFILE_COUNT] = {
    {"up-full",            LB_ROUND_UP,         false, {32, 32, 64}, false, NULL, false},
    {"up-reduced",         LB_ROUND_UP,         true,  {32, 32, 64}, false, NULL, false},
    {"convergent-full",    LB_ROUND_CONVERGENT, false, {32, 32, 64}, false, NULL, false},
    {"convergent-reduced", LB_ROUND_CONVERGENT, true,  {32, 32, 64}, false, NULL, false},
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

int lb_profile_number(const lb_profile *profile)
{
    return lb_profile_numerics(profile) + (profile->avepool16 ? LB_PROFILE_COUNT : 0);
}

const char *lb_numerics_name(int number)
{
    static const char *const with_avepool16[LB_PROFILE_COUNT] = {
        "up-full+avepool16", "up-reduced+avepool16", "convergent-full+avepool16",
        "convergent-reduced+avepool16"};
    return number < LB_PROFILE_COUNT ? lb_profiles[number].name
                                     : with_avepool16[number - LB_PROFILE_COUNT];
}
