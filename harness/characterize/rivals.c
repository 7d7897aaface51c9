/* Experiments between what was found and what else gives the same: see session.h. */
#include "harness/characterize/session.h"

#include "harness/base/clock.h"
#include "harness/characterize/probe.h"

#include <string.h>

static bool is_listed(const lb_group_session *s, const lb_alive *a, const lb_feature_set *features)
{
    if (memcmp(features, &s->found->features, sizeof *features) == 0)
        return true;
    for (size_t i = 0; i < a->count; i++)
        if (memcmp(features, &a->items[i].features, sizeof *features) == 0)
            return true;
    return false;
}

static void add_rival(lb_group_session *s, lb_alive *a, const lb_feature_set *features)
{
    if (!is_listed(s, a, features) && lb_group_gives_all(&s->group, features) &&
        a->count < LB_MOST_NEIGHBOURS)
        a->items[a->count++] = (lb_neighbour){.feature = LB_FEATURE_COUNT, .features = *features};
}

/* Of the grid of tables, where more than two choices go together. */
static void add_table_rival(void *user, const lb_feature_set *features)
{
    lb_group_session *s = user;
    add_rival(s, &s->rivals, features);
}

void lb_session_rivals(lb_group_session *s, lb_alive *a)
{
    s->barren = 0;
    static lb_neighbour list[LB_MOST_NEIGHBOURS];
    size_t count = lb_group_neighbours(&s->group, &s->found->features, list);
    a->count = 0;
    for (size_t i = 0; i < count; i++)
        if (lb_group_gives_all(&s->group, &list[i].features))
            a->items[a->count++] = list[i];
}

/* Rivals that differ in several choices, each of which alone is refuted: what is wrong in one may
 * be made up for by another. */
static void list_distant(lb_group_session *s, lb_alive *a, double deadline)
{
    static lb_neighbour near[LB_MOST_NEIGHBOURS], far[LB_MOST_NEIGHBOURS];
    size_t count = lb_group_neighbours(&s->group, &s->found->features, near), at = 0;
    for (size_t i = 0; i < count; i++) /* the choices that are alive by themselves tell nothing */
        if (!lb_group_gives_all(&s->group, &near[i].features))
            near[at++] = near[i];
    for (size_t i = 0; i < at && lb_worked_seconds() < deadline; i++) {
        size_t others = lb_group_neighbours(&s->group, &near[i].features, far);
        for (size_t j = 0; j < others; j++)
            add_rival(s, a, &far[j].features);
    }
    lb_group_table_rivals(&s->group, &s->found->features, deadline, add_table_rival, s);
}

/* The port gave what was found gives: of those alive, what the case did not tell from it. */
static void refute(lb_alive *a)
{
    size_t kept = 0;
    for (size_t i = 0; i < a->count; i++)
        if (!a->told[i])
            a->items[kept++] = a->items[i];
    a->count = kept;
}

/* Do they differ in what sums show? */
static bool is_about_sums(const lb_feature_set *a, const lb_feature_set *b)
{
    static const lb_feature sums[] = {LB_FEATURE_ACC_BITS, LB_FEATURE_OVERFLOW, LB_FEATURE_LANES,
                                      LB_FEATURE_BIAS, LB_FEATURE_ZERO_POINT};
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++)
        if (a->value[sums[i]] != b->value[sums[i]])
            return true;
    return false;
}

/* Those that long sums can tell apart stand first. */
static size_t sort_sums(const lb_group_session *s, lb_alive *a)
{
    size_t sums = 0;
    for (size_t i = 0; i < a->count; i++)
        if (is_about_sums(&a->items[i].features, &s->found->features)) {
            lb_neighbour item = a->items[i];
            a->items[i] = a->items[sums];
            a->items[sums++] = item;
        }
    return sums;
}

/* What is tried for a case, the next where the one before found none. */
typedef enum effort { EFFORT_USUAL, EFFORT_RESULTS, EFFORT_VAST, EFFORT_DEEP, EFFORTS } effort;

enum { KINDS = 6 };
static const struct {
    unsigned candidates;
    lb_probe_kind kinds[KINDS];
} efforts[EFFORTS] = {
    [EFFORT_USUAL] = {15,
                      {LB_PROBE_RESULT, LB_PROBE_SUM, LB_PROBE_RANDOM, LB_PROBE_RESULT,
                       LB_PROBE_RANDOM, LB_PROBE_LONG_SUM}},
    [EFFORT_RESULTS] = {48,
                        {LB_PROBE_RESULT, LB_PROBE_RESULT, LB_PROBE_RANDOM, LB_PROBE_RESULT,
                         LB_PROBE_RESULT, LB_PROBE_RANDOM}},
    [EFFORT_VAST] = {2, {LB_PROBE_VAST_SUM, LB_PROBE_VAST_SUM}},
    /* With the time that is left when all families are through. */
    [EFFORT_DEEP] = {72,
                     {LB_PROBE_RESULT, LB_PROBE_SUM, LB_PROBE_RANDOM, LB_PROBE_SUM, LB_PROBE_RESULT,
                      LB_PROBE_LONG_SUM}},
};

/* The case that tells most of them apart; NULL: none that was made does. */
static const lb_case *best_case(lb_group_session *s, lb_alive *a, unsigned round, effort level)
{
    enum { SEEDS = 48, BARREN = 12, DEEP_SEEDS = 100000 }; /* cases with sums take long */
    bool is_deep = level == EFFORT_DEEP;
    size_t most = 0, sums = sort_sums(s, a);
    lb_probe_kind best_kind = LB_PROBE_RESULT;
    uint64_t best_seed = 0;
    bool told[LB_MOST_NEIGHBOURS];
    memset(a->told, 0, sizeof a->told);
    for (unsigned i = 0; i < efforts[level].candidates; i++) {
        lb_probe_kind kind = efforts[level].kinds[i % KINDS];
        uint64_t seed = is_deep ? DEEP_SEEDS + s->deep_seed++ : 10 + (uint64_t)round * SEEDS + i;
        bool is_long = kind == LB_PROBE_LONG_SUM || kind == LB_PROBE_VAST_SUM;
        bool is_sum = kind == LB_PROBE_SUM || kind == LB_PROBE_LONG_SUM;
        if ((is_long && sums == 0) || (kind == LB_PROBE_LONG_SUM && i > KINDS && !is_deep) ||
            (is_sum && (is_deep ? sums == 0 : s->barren >= BARREN)))
            continue;
        lb_arena_reset(&s->work);
        const lb_case *c = lb_probe_make(lb_session_function(s, seed), kind, seed, &s->work);
        size_t count = c ? lb_group_told_apart(&s->group, c, &s->found->features, a->items,
                                               is_long ? sums : a->count, &s->work, told)
                         : 0;
        s->barren = !is_sum ? s->barren : count > 0 ? 0 : s->barren + 1;
        if (count > most) {
            memset(a->told, 0, sizeof a->told);
            memcpy(a->told, told, (is_long ? sums : a->count) * sizeof *told);
            most = count;
            best_kind = kind;
            best_seed = seed;
        }
        bool is_enough = is_deep || kind == LB_PROBE_VAST_SUM || /* it takes long */
                         (s->has_few ? most == a->count : 2 * most >= a->count);
        if (lb_worked_seconds() > s->deadline || (most > 0 && is_enough))
            break;
    }
    return most > 0 ? lb_probe_make(lb_session_function(s, best_seed), best_kind, best_seed,
                                    &s->group.arena)
                    : NULL;
}

static void list_rivals(lb_group_session *s, lb_alive *a)
{
    lb_session_rivals(s, a);
    if (s->is_deep) {
        double now = lb_worked_seconds(), share = (s->deadline - now) / 3;
        list_distant(s, a, now + (share < 1 ? share : 1)); /* they are thousands */
    }
}

/* Experiments between what was found and what else gives the same, until nothing else does, or
 * nothing tells them apart. */
bool lb_session_close_in(lb_group_session *s)
{
    lb_alive *a = &s->rivals;
    enum { MOST_LOST = 4 };
    unsigned lost = 0;
    effort level = EFFORT_USUAL, most = s->is_deep ? EFFORTS : EFFORT_DEEP;
    list_rivals(s, a);
    for (; a->count > 0; s->round++) {
        if (s->calls_left == 0 || lb_worked_seconds() > s->deadline)
            return true;
        const lb_case *c = best_case(s, a, s->round, level);
        if (!c && ++level == most)
            break;
        if (!c)
            continue;
        level = EFFORT_USUAL;
        if (!lb_session_observe(s, c)) {
            if (++lost == MOST_LOST || s->group.count == LB_MOST_OBSERVATIONS)
                break;
            continue;
        }
        if (lb_group_last_agrees(&s->group, &s->found->features)) {
            refute(a);
            continue;
        }
        if (!lb_session_search(s, &s->found->features))
            return false;
        list_rivals(s, a);
    }
    s->is_done = true;
    return true;
}
