/* All families of a port, and the profile made of them: see character.h. */
#include "harness/characterize/character.h"
#include "harness/characterize/absolute.h"

#include "harness/base/clock.h"
#include "harness/characterize/by_profile.h"
#include "harness/characterize/group.h"

#include <stdio.h>
#include <string.h>

/* ---- Features and the profile's base ---- */

static bool is_untold(const lb_character_group *group, int feature, uint8_t value)
{
    for (size_t i = 0; i < group->untold_count; i++)
        if ((int)group->untold[i].feature == feature && group->untold[i].value == value &&
            !group->untold[i].together)
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
    return feature != LB_FEATURE_ACC_BITS && !group->cut_short &&
           memcmp(&changed, b, sizeof changed) == 0 && is_untold(group, feature, b->value[feature]);
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

/* Where the base told between two choices, it is the other one that is not known. */
static void tell_other(const lb_profile *base, const lb_feature_set *found, lb_character_group *g)
{
    lb_feature_set told = lb_features_absolute_of(base, &g->features, g->family, g->types);
    for (size_t i = 0; i < g->untold_count; i++) {
        lb_untold *u = &g->untold[i];
        if (u->value == told.value[u->feature])
            u->value = found->value[u->feature];
    }
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
        tell_other(&base, &absolute[i], g);
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

/* How the calls are shared: some are kept for a look at every function, and to ask again. */
typedef struct plan {
    lb_character *character;
    lb_group_session *sessions[LB_MOST_GROUPS];
    double end;          /* of processor time; waiting for the port counts, it may be elsewhere */
    double kept_seconds; /* for held-out calls */
    unsigned kept;
} plan;

static unsigned at_most(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* The search ends before the time does, for calls that were not seen have the last word. */
static double search_end(const plan *p)
{
    return p->end - p->kept_seconds;
}

/* Calls that are left for experiments; none where the time is up. */
static unsigned left_of(const plan *p)
{
    if (lb_worked_seconds() >= search_end(p))
        return 0;
    unsigned used = p->character->calls + p->kept;
    return p->character->most_calls > used ? p->character->most_calls - used : 0;
}

/* A step on each group: its share of the calls that are left, so many at most; its share of the
 * time that is left so many times over, so many seconds at most. */
typedef struct step {
    bool (*take)(lb_group_session *session, unsigned calls, double deadline);
    unsigned most_calls;
    double times, most_seconds;
    bool needs_no_calls;
} step;

enum { ANY_TIME = 1000000 };
enum { EXPLORE, CONFIRM, DEEPEN, ASK_AGAIN, TRY_SIZES, HOLD_OUT, ASK_CHECKS };
static const step steps[] = {
    [EXPLORE] = {lb_group_explore, 40, 3, ANY_TIME, false},
    [CONFIRM] = {lb_group_confirm, 1, ANY_TIME, ANY_TIME, false},
    [DEEPEN] = {lb_group_deepen, 30, 0.8, 3, false},
    [ASK_AGAIN] = {lb_group_ask_again, 2, ANY_TIME, ANY_TIME, false},
    [TRY_SIZES] = {lb_group_try_sizes, 40, ANY_TIME, ANY_TIME, false},
    /* A search for what explains a call that departs leaves time for the calls of others. */
    [HOLD_OUT] = {lb_group_hold_out, 48, 1, ANY_TIME, true},
    [ASK_CHECKS] = {lb_group_ask_checks, 40, ANY_TIME, ANY_TIME, false},
};

static double least(double a, double b)
{
    return a < b ? a : b;
}

static bool take(plan *p, int number, size_t at, size_t groups_left)
{
    const step *kind = &steps[number];
    const unsigned calls = p->character->groups[at].calls, left = left_of(p);
    const double now = lb_worked_seconds(), end = search_end(p),
                 share = kind->times * (end - now) / (double)groups_left;
    if (left == 0 && !kind->needs_no_calls)
        return false;
    const bool taken =
        kind->take(p->sessions[at], at_most(left / (unsigned)groups_left, kind->most_calls),
                   least(now + least(share, kind->most_seconds), end));
    p->character->calls += p->character->groups[at].calls - calls;
    return taken;
}

static void take_all(plan *p, int number)
{
    for (size_t i = 0; i < p->character->count; i++)
        (void)take(p, number, i, p->character->count - i);
}

/* All groups in their order, then those again that had too few calls. */
static void explore_all(plan *p)
{
    enum { PASSES = 3 };
    bool done[LB_MOST_GROUPS] = {false};
    for (int pass = 0; pass < PASSES; pass++) {
        size_t open = 0;
        for (size_t i = 0; i < p->character->count; i++)
            open += !done[i];
        for (size_t i = 0; i < p->character->count; i++)
            if (!done[i])
                done[i] = take(p, EXPLORE, i, open--);
    }
    /* Siblings that came later may tell what those before could not. */
    for (size_t i = 0; i < p->character->count; i++)
        if (p->character->groups[i].settled == LB_UNKNOWN_NONE)
            (void)take(p, EXPLORE, i, 1);
}

/* A look at every function, the first of each group first. */
static void confirm_all(plan *p)
{
    for (bool any = true; any;) {
        any = false;
        for (size_t i = 0; i < p->character->count; i++)
            any = take(p, CONFIRM, i, 1) || any;
    }
}

void lb_characterize(lb_character *character)
{
    lb_found_before before = {.count = 0};
    double start = lb_worked_seconds(), waited = 0;
    static plan p;
    p = (plan){.character = character,
               .end = start + character->seconds,
               .kept_seconds = 0.1 * character->seconds};
    unsigned functions = 0, asked_again;
    if (lb_character_is_by_profile(character)) {
        lb_characterize_by_profile(character);
        return;
    }
    list_groups(character);
    for (size_t i = 0; i < character->count; i++) {
        p.sessions[i] = lb_group_open(character, &before, &p.end, &character->groups[i]);
        functions += character->groups[i].function_count;
    }
    asked_again = at_most(6 * (unsigned)character->count, character->most_calls / 4);
    p.kept = asked_again + at_most(functions, character->most_calls / 4);
    explore_all(&p);
    p.kept = asked_again;
    confirm_all(&p);
    explore_all(&p);
    take_all(&p, DEEPEN);
    p.kept = at_most(4 * (unsigned)character->count, character->most_calls / 8);
    take_all(&p, ASK_AGAIN);
    take_all(&p, TRY_SIZES);
    character->cut_short = lb_worked_seconds() > search_end(&p);
    p.kept = 0;
    p.kept_seconds = 0;
    p.kept = left_of(&p) / 2; /* for checks of statuses */
    take_all(&p, HOLD_OUT);
    p.kept = 0;
    take_all(&p, ASK_CHECKS);
    for (size_t i = 0; i < character->count; i++) {
        lb_group_close(p.sessions[i]);
        waited += character->groups[i].waited_seconds;
    }
    character->cut_short = character->cut_short || lb_worked_seconds() > p.end;
    make_profile(character);
    character->spent_seconds = lb_worked_seconds() - start + waited;
}
