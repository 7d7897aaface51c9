/* All families of a port, and the profile made of them: see character.h. */
#include "harness/characterize/character.h"
#include "harness/characterize/absolute.h"

#include "harness/base/clock.h"
#include "harness/characterize/group.h"

#include <stdio.h>
#include <string.h>

/* ---- Features and the profile's base ---- */

static bool is_untold(const lb_character_group *group, int feature, uint8_t value)
{
    for (size_t i = 0; i < group->untold_count; i++)
        if ((int)group->untold[i].feature == feature && group->untold[i].value == value)
            return true;
    return false;
}

/* Do they differ in this feature alone, and no experiment told which it is? Widths stay as they
 * are: one that a base needs for others says nothing of this one. */
static bool is_open(const lb_character_group *group, int feature, const lb_feature_set *a,
                    const lb_feature_set *b)
{
    lb_feature_set changed = *a;
    changed.value[feature] = b->value[feature];
    return feature != LB_FEATURE_ACC_BITS && memcmp(&changed, b, sizeof changed) == 0 &&
           is_untold(group, feature, b->value[feature]);
}

/* What of `absolute` a base does not say already. What no experiment told, the base tells: one
 * feature at most, for each was a rival by itself. */
static lb_feature_set beside(const lb_profile *base, const lb_feature_set *absolute,
                             const lb_character_group *group)
{
    int family = group->family;
    lb_types types = group->types;
    bool one_is_open = false;
    lb_feature_set own = *absolute, wanted = *absolute;
    lb_profile profile = *base;
    profile.has_features = true;
    for (int f = 0; f < LB_FEATURE_COUNT; f++) {
        lb_feature_set without = own;
        without.value[f] = 0;
        profile.features.of[family][types] = without;
        lb_feature_set same = lb_features_absolute(&profile, family, types);
        if (lb_features_conflict(&without))
            continue;
        if (memcmp(&same, &wanted, sizeof same) == 0) {
            own = without;
        } else if (!one_is_open && is_open(group, f, &wanted, &same)) {
            one_is_open = true;
            wanted = same;
            own = without;
        }
    }
    return own;
}

/* ---- A base ---- */

/* How many choices are left to be told with a base. */
static unsigned told_with(const lb_character *character, const lb_feature_set *absolute,
                          const lb_profile *base)
{
    unsigned count = 0;
    for (size_t i = 0; i < character->count; i++) {
        const lb_character_group *g = &character->groups[i];
        if (g->settled != LB_SETTLED)
            continue;
        lb_feature_set own = beside(base, &absolute[i], g);
        for (int f = 0; f < LB_FEATURE_COUNT; f++)
            count += own.value[f] != 0;
    }
    return count;
}

typedef struct search {
    const lb_character *character;
    const lb_feature_set *absolute;
    lb_profile best;
    unsigned told;
} search;

static void try_base(search *s, const lb_profile *base)
{
    unsigned told = told_with(s->character, s->absolute, base);
    if (told < s->told) {
        s->told = told;
        s->best = *base;
    }
}

/* The base with which least is left to be told: rounding, post-processing, widths, overflow. */
static lb_profile choose_base(const lb_character *character, const lb_feature_set *absolute)
{
    static const uint8_t widths[] = {16, 18, 20, 24, 28, 32, 34, 36, 40, 48, 64};
    static const int products[LB_OPERANDS_COUNT] = {16, 24, 32};
    search s = {character, absolute, *character->asked, UINT32_MAX};
    try_base(&s, character->asked);
    for (int i = 0; i < LB_PROFILE_COUNT; i++) {
        lb_profile base = lb_profiles[i];
        for (int avepool16 = 0; avepool16 < 2; avepool16++) {
            base.avepool16 = avepool16;
            try_base(&s, &base);
        }
    }
    for (int i = 0; i < LB_OPERANDS_COUNT; i++)
        for (size_t w = 0; w < sizeof widths; w++) {
            lb_profile base = s.best;
            base.acc_bits[i] = widths[w];
            if (widths[w] >= products[i])
                try_base(&s, &base);
        }
    lb_profile base = s.best;
    base.acc_saturates = !base.acc_saturates;
    try_base(&s, &base);
    return s.best;
}

static void make_profile(lb_character *character)
{
    lb_feature_set absolute[LB_MOST_GROUPS];
    lb_profile asked = *character->asked;
    asked.has_features = true;
    for (size_t i = 0; i < character->count; i++) {
        const lb_character_group *g = &character->groups[i];
        asked.features.of[g->family][g->types] = g->features;
        absolute[i] = lb_features_absolute(&asked, g->family, g->types);
    }
    lb_profile base = choose_base(character, absolute);
    base.file = NULL;
    base.asked = 0;
    if (lb_profile_number(&base) != lb_profile_asked(character->asked))
        base.asked = 1 + lb_profile_asked(character->asked);
    base.has_features = false;
    memset(&base.features, 0, sizeof base.features);
    for (size_t i = 0; i < character->count; i++) {
        lb_character_group *g = &character->groups[i];
        if (g->settled != LB_SETTLED)
            continue;
        g->features = beside(&base, &absolute[i], g);
        base.features.of[g->family][g->types] = g->features;
        base.has_features = base.has_features || lb_features_any(&g->features);
    }
    character->profile = base;
}

const char *lb_character_name(const lb_character *character)
{
    const lb_profile *p = &character->profile;
    bool any = false;
    for (size_t i = 0; i < character->count; i++)
        any = any || character->groups[i].settled == LB_SETTLED;
    if (!any || p->has_features || p->acc_saturates ||
        memcmp(p->acc_bits, lb_profiles[0].acc_bits, sizeof p->acc_bits) != 0)
        return NULL;
    return lb_numerics_name(lb_profile_number(p));
}

/* ---- All families ---- */

static bool has_features(int family, lb_types types)
{
    for (int f = 0; f < LB_FEATURE_COUNT; f++)
        if (lb_feature_applies((lb_feature)f, family, types))
            return true;
    return false;
}

static void list_groups(lb_character *character)
{
    const lb_kernel *functions[LB_MOST_GROUP_FUNCTIONS];
    /* Wide operands first: what they show of accumulators, narrow ones need too many products for.
     */
    static const lb_types order[] = {LB_TYPES_FX16_FX8, LB_TYPES_FX16, LB_TYPES_SA8, LB_TYPES_FX8,
                                     LB_TYPES_ANY};
    for (int family = 0; family < LB_FAMILY_COUNT; family++)
        for (int t = 0; t < LB_TYPES_COUNT; t++) {
            lb_types types = order[t];
            if (character->wanted[family] && has_features(family, types) &&
                lb_group_functions(character->port, family, types, functions) > 0)
                character->groups[character->count++] =
                    (lb_character_group){.family = family, .types = types};
        }
}

/* A port elsewhere has a processor of its own, so that waiting for it counts. */
static void experiment(lb_character *character, lb_found_before *before, size_t at, double *end)
{
    lb_character_group *group = &character->groups[at];
    unsigned left = character->most_calls - character->calls, made = group->calls;
    unsigned share = left / (unsigned)(character->count - at);
    double now = lb_worked_seconds(), waited = group->waited_seconds;
    double deadline = now + 3 * (*end - now) / (double)(character->count - at);
    group->settled = LB_SETTLED;
    lb_group_experiment(character, before, share > 40 ? 40 : share,
                        deadline < *end ? deadline : *end, group);
    character->calls += group->calls - made;
    *end -= group->waited_seconds - waited;
    character->cut_short = character->cut_short || lb_worked_seconds() > *end;
}

void lb_characterize(lb_character *character)
{
    lb_found_before before = {.count = 0};
    double start = lb_worked_seconds(), end = start + character->seconds, waited = 0;
    list_groups(character);
    for (size_t i = 0; i < character->count; i++)
        experiment(character, &before, i, &end);
    /* Siblings that came later may tell what those before could not. */
    for (size_t i = 0; i < character->count && character->calls < character->most_calls; i++)
        if (character->groups[i].settled == LB_UNKNOWN_NONE && before.count > 0)
            experiment(character, &before, i, &end);
    for (size_t i = 0; i < character->count; i++)
        waited += character->groups[i].waited_seconds;
    make_profile(character);
    character->spent_seconds = lb_worked_seconds() - start + waited;
}
