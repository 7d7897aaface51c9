/* What was found is held against calls of other sizes, and against calls that no experiment has
 * seen: see group.h. */
#include "harness/characterize/session.h"

#include "harness/base/clock.h"
#include "harness/characterize/probe.h"

#include <stdio.h>
#include <string.h>

/* Small and large calls, in which other features would show. */
static bool sizes_hold(lb_group_session *s, unsigned calls)
{
    bool holds = true;
    for (unsigned i = 0; i < calls && s->calls_left > 0 && holds; i++) {
        const char *trouble;
        const lb_case *telling = lb_session_sized_case(s, i, &s->telling);
        const lb_left *left = telling ? lb_session_call(s, telling, &trouble) : NULL;
        if (left && !lb_group_case_agrees(&s->group, telling, left, s->misalign,
                                          &s->found->features, &s->telling))
            holds = !lb_group_observe(&s->group, telling, left, s->misalign);
    }
    return holds;
}

/* What failed may have failed because the port changes its mind. */
void lb_session_fail(lb_group_session *s)
{
    enum { TIMES = 2 };
    unsigned used = s->character->calls + s->found->calls - s->calls_before;
    s->is_done = true;
    s->calls_left = s->character->most_calls > used ? s->character->most_calls - used : 0;
    if (lb_session_keeps_its_mind(s, TIMES))
        lb_session_find_threshold(s);
}

bool lb_group_try_sizes(lb_group_session *s, unsigned calls, double deadline)
{
    enum { SIZES = 5 };
    if (s->found->settled != LB_SETTLED)
        return false;
    lb_session_start(s, calls, deadline);
    if (!sizes_hold(s, SIZES)) {
        s->found->settled = LB_UNKNOWN_NONE;
        snprintf(s->found->reason, sizeof s->found->reason,
                 "what holds for the calls before does not hold for calls of other sizes");
        lb_session_fail(s);
        return false;
    }
    if (!s->misalign)
        s->found->alignment = lb_session_alignment(s);
    return true;
}

/* What was left open for want of calls is as in a sibling, if all that was seen agrees. The bias is
 * another in recurrent families. */
static void follow_sibling(lb_group_session *s)
{
    lb_feature_set seeds[LB_FIT_SEEDS + 8];
    (void)lb_session_seeds(s, seeds);
    for (size_t i = 1; i <= s->before->count; i++) { /* the first is not a sibling's */
        seeds[i].value[LB_FEATURE_BIAS] = s->found->features.value[LB_FEATURE_BIAS];
        if (lb_features_possible(&seeds[i], s->found->family, s->found->types) &&
            lb_group_gives_all(&s->group, &seeds[i])) {
            s->found->features = seeds[i];
            return;
        }
    }
}

/* ---- Held out ---- */

/* Held-out case number `number`: of every function in turn, made-up ones and probes, none of which
 * an experiment has seen. */
static const lb_case *held_out_case(const lb_group_session *s, unsigned number, lb_arena *arena)
{
    enum { FIRST = 60000, KINDS_IN_TURN = 8 };
    static const lb_probe_kind kinds[KINDS_IN_TURN] = {
        LB_PROBE_RESULT, LB_PROBE_RANDOM, LB_PROBE_RESULT, LB_PROBE_SUM,
        LB_PROBE_RESULT, LB_PROBE_RANDOM, LB_PROBE_RESULT, LB_PROBE_RANDOM};
    /* Every function comes with every kind. */
    unsigned functions = (unsigned)s->function_count, turn = number / functions;
    const lb_kernel *function = s->functions[number % functions];
    lb_probe_kind kind = kinds[(turn + number % functions) % KINDS_IN_TURN];
    uint64_t seed = FIRST + number;
    const lb_case *c = lb_probe_make(function, kind, seed, arena);
    return c ? c : lb_probe_make(function, LB_PROBE_RANDOM, seed, arena);
}

/* Held-out call number `at` of so many: one that shows a choice beside those that were found, each
 * of them in its turn, if there is such a one among a few. */
static const lb_case *telling_case(lb_group_session *s, unsigned at, unsigned calls)
{
    enum { CANDIDATES = 8 };
    static lb_neighbour list[LB_MOST_NEIGHBOURS];
    size_t count = lb_group_neighbours(&s->group, &s->found->features, list);
    unsigned best = at * CANDIDATES;
    for (unsigned i = best, end = best + CANDIDATES; count > 0 && i < end; i++) {
        bool told = false;
        lb_arena_reset(&s->work);
        const lb_case *c = held_out_case(s, i, &s->work);
        if (c && lb_group_told_apart(&s->group, c, &s->found->features, &list[at * count / calls],
                                     1, &s->work, &told) > 0) {
            best = i;
            break;
        }
    }
    return held_out_case(s, best, &s->group.arena);
}

/* What one position of an average is multiplied by, where their number is a power of two. */
static int factor_bits(const lb_group_session *s)
{
    enum { OF_FX = 14 };
    const uint8_t *v = s->found->features.value;
    return v[LB_FEATURE_AVERAGE] == LB_AVERAGE_DIVISION ? 0
           : s->found->types == LB_TYPES_SA8            ? v[LB_FEATURE_MULTIPLIER_BITS] - 1
                                                        : OF_FX;
}

/* Where every addition saturates the first held-out calls show where the limits of sums lie; NULL:
 * the others do. A limit that is one step off shows in no other call but by chance. */
static const lb_case *limit_case(lb_group_session *s, unsigned at)
{
    enum { LIMIT_CASES = 2 };
    const uint8_t *v = s->found->features.value;
    if (at >= LIMIT_CASES || v[LB_FEATURE_OVERFLOW] != LB_SUM_SATURATE)
        return NULL;
    const lb_probe_limits limits = {.width = v[LB_FEATURE_ACC_BITS],
                                    .lanes = v[LB_FEATURE_LANES] ? v[LB_FEATURE_LANES] : 1,
                                    .factor_bits = factor_bits(s)};
    const lb_case *c = NULL;
    for (size_t i = 0; i < s->function_count && !c; i++)
        c = lb_probe_limit(s->functions[(at + i) % s->function_count], &limits, at,
                           &s->group.arena);
    return c;
}

/* A counter-example is the next experiment, in the place of the largest where there is no room. */
static bool learn_from(lb_group_session *s, const lb_case *c, const lb_left *left)
{
    if (s->group.count == LB_MOST_OBSERVATIONS)
        lb_group_forget_last(&s->group);
    (void)lb_group_observe(&s->group, c, left, s->misalign);
    s->is_done = false;
    return lb_session_search(s, &s->found->features);
}

bool lb_group_hold_out(lb_group_session *s, unsigned calls, double deadline)
{
    lb_character_group *g = s->found;
    bool explained = true;
    unsigned limits = 0; /* cases of limits that were made */
    if (g->settled != LB_SETTLED)
        return false;
    if (!s->is_done)
        follow_sibling(s);
    lb_session_start(s, calls, deadline);
    for (unsigned i = 0; i < calls; i++) {
        const char *trouble = NULL;
        const lb_case *limit = limit_case(s, limits),
                      *c = limit ? limit : telling_case(s, i, calls);
        const lb_left *left = c ? lb_session_call(s, c, &trouble) : NULL;
        limits += limit != NULL;
        /* A call that is skipped is nothing that the port did. */
        if (c && !left && trouble && s->port->failure) {
            g->settled = LB_UNKNOWN_FAILED;
            snprintf(g->reason, sizeof g->reason, "%s (%s)", trouble, c->id);
            return false;
        }
        if (!left)
            continue;
        g->held_out++;
        bool agrees =
            lb_group_case_agrees(&s->group, c, left, s->misalign, &g->features, &s->group.arena);
        g->limits_told = g->limits_told || (limit && agrees);
        if (agrees)
            continue;
        g->held_out_wrong++;
        if (explained && (explained = learn_from(s, c, left))) {
            lb_session_remember(s);
            g->held_out = g->held_out_wrong = 0; /* others judge the new features */
            g->limits_told = false;
            limits = 0;
        }
    }
    if (g->held_out == 0 && lb_worked_seconds() >= *s->end) {
        g->settled = LB_UNKNOWN_FAILED;
        snprintf(g->reason, sizeof g->reason,
                 "the time was up before a call that no experiment has seen");
    }
    if (explained)
        return true;
    snprintf(g->reason, sizeof g->reason,
             "not bit-exact in %u of %u held-out calls, and no combination of features gives them",
             g->held_out_wrong, g->held_out);
    lb_session_fail(s);
    return false;
}
