/* The four built-in numerics profiles: rounding mode times accumulator post-processing. Spec:
 * numerics.md, head and 4.1. */
#include "profile.h"

#include <stddef.h>
#include <string.h>

/* clang-format off */
const lb_profile lb_profiles[LB_PROFILE_COUNT] = {
    {.name = "up-full",            .rounding = LB_ROUND_UP,         .reduced = false, .acc_bits = {32, 32, 64}},
    {.name = "up-reduced",         .rounding = LB_ROUND_UP,         .reduced = true,  .acc_bits = {32, 32, 64}},
    {.name = "convergent-full",    .rounding = LB_ROUND_CONVERGENT, .reduced = false, .acc_bits = {32, 32, 64}},
    {.name = "convergent-reduced", .rounding = LB_ROUND_CONVERGENT, .reduced = true,  .acc_bits = {32, 32, 64}},
};
/* clang-format on */

int lb_profile_find(const char *name)
{
    for (int i = 0; i < LB_PROFILE_COUNT; i++)
        if (strcmp(lb_profiles[i].name, name) == 0)
            return i;
    return -1;
}

int lb_profile_numerics(const lb_profile *profile)
{
    if (profile->set == LB_SET_LITERT)
        return profile->rounds_once;
    return (profile->rounding == LB_ROUND_CONVERGENT ? 2 : 0) + (profile->reduced ? 1 : 0);
}

int lb_profile_number(const lb_profile *profile)
{
    if (profile->set == LB_SET_LITERT)
        return LB_NUMERICS_COUNT + lb_profile_numerics(profile);
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

int lb_profile_asked(const lb_profile *profile)
{
    return profile->asked > 0 ? profile->asked - 1 : lb_profile_number(profile);
}

/* The rounding that a feature says, or that of results. */
static lb_rounding rounding_of(const lb_profile *profile, lb_feature feature)
{
    uint8_t value = profile->at.value[feature];
    return value != 0 ? (lb_rounding)(value - 1) : profile->rounding;
}

lb_rounding lb_scale_rounding(const lb_profile *profile)
{
    return rounding_of(profile, LB_FEATURE_SCALE_ROUNDING);
}

lb_rounding lb_inner_rounding(const lb_profile *profile)
{
    return rounding_of(profile, LB_FEATURE_INNER_ROUNDING);
}

lb_rounding lb_table_rounding(const lb_profile *profile)
{
    return rounding_of(profile, LB_FEATURE_TABLE_ROUNDING);
}

lb_rounding lb_first_rounding(const lb_profile *profile)
{
    uint8_t value = profile->at.value[LB_FEATURE_FIRST_ROUNDING];
    return value != 0 ? (lb_rounding)(value - 1) : LB_ROUND_UP;
}

const char *lb_rounding_name(lb_rounding rounding)
{
    return lb_feature_rows[LB_FEATURE_ROUNDING].choices[rounding].name;
}
