/* Calls of the port for one group, and the search for what gives all of them: see session.h. */
#include "harness/characterize/session.h"
#include "harness/characterize/absolute.h"

#include "harness/base/clock.h"
#include "harness/characterize/probe.h"

#include <stdio.h>
#include <string.h>

/* ---- Calls ---- */

/* What the port leaves; NULL: it was not called, or gave no result (`trouble`). */
const lb_left *lb_session_call_at(lb_group_session *s, const lb_case *c, unsigned misaligned,
                                  const char **trouble)
{
    enum { MOST_HUNG = 2 };
    const lb_ask ask = {s->character, &s->evidence, s->end, &s->found->waited_seconds,
                        &s->group.arena};
    *trouble = NULL;
    if (s->calls_left == 0 || s->hung == MOST_HUNG || !lb_ask_in_time(&ask))
        return NULL;
    double waited = s->found->waited_seconds;
    const lb_left *left = lb_ask_port(&ask, c, misaligned, trouble);
    s->deadline -= s->found->waited_seconds - waited; /* for a port elsewhere */
    s->hung += s->port->failure && s->port->out_of_time;
    s->calls_left--;
    s->found->calls++;
    return left;
}

const lb_left *lb_session_call(lb_group_session *s, const lb_case *c, const char **trouble)
{
    return lb_session_call_at(s, c, s->misalign, trouble);
}

static void note_trouble(lb_group_session *s, const lb_case *c, const char *trouble)
{
    if (trouble)
        snprintf(s->found->reason, sizeof s->found->reason, "%s (%s)%s", trouble, c->id,
                 s->port->failure && s->port->out_of_time ? "; --seconds gives it longer" : "");
}

/* The function of which case number `seed` is made: functions without weights share a family where
 * each has steps of its own (add, mul). */
const lb_kernel *lb_session_function(const lb_group_session *s, uint64_t seed)
{
    bool several = s->function_count > 1 && s->functions[1]->op != LB_OP_NONE;
    return s->functions[several ? seed % s->function_count : 0];
}

/* One experiment. False: it could not be made. */
bool lb_session_observe(lb_group_session *s, const lb_case *c)
{
    const char *trouble;
    const lb_left *left = lb_session_call(s, c, &trouble);
    note_trouble(s, c, trouble);
    return left && lb_group_observe(&s->group, c, left, s->misalign);
}

void lb_session_first_experiments(lb_group_session *s)
{
    enum { FIRST_CALLS = 3 };
    static const lb_probe_kind kinds[] = {LB_PROBE_RESULT, LB_PROBE_RANDOM, LB_PROBE_SUM};
    for (unsigned i = 0; i < (s->has_few ? 1 : FIRST_CALLS); i++) {
        const lb_kernel *function = lb_session_function(s, i);
        const lb_case *c = lb_probe_make(function, kinds[i], 1, &s->group.arena);
        if (!c)
            c = lb_probe_make(function, LB_PROBE_RANDOM, 100 + i, &s->group.arena);
        if (c)
            (void)lb_session_observe(s, c);
    }
}

/* ---- Search ---- */

/* The four numerics as features, and what was found before. */
size_t lb_session_seeds(const lb_group_session *s, lb_feature_set seeds[LB_FIT_SEEDS + 8])
{
    size_t count = 0;
    seeds[count++] = lb_features_absolute(s->asked, s->found->family, s->found->types);
    for (size_t i = s->before->count; i-- > 0;)
        seeds[count++] = s->before->items[i];
    for (int i = 0; i < LB_PROFILE_COUNT; i++)
        seeds[count++] = lb_features_absolute(&lb_profiles[i], s->found->family, s->found->types);
    for (size_t i = 0; i < count; i++)
        for (int f = 0; f < LB_FEATURE_COUNT; f++)
            if (!lb_feature_applies((lb_feature)f, s->found->family, s->found->types))
                seeds[i].value[f] = 0;
    for (size_t i = 0; i < count; i++)
        seeds[i] = lb_features_absolute_of(s->asked, &seeds[i], s->found->family, s->found->types);
    return count;
}

/* What nothing speaks for is as in the numerics in which the port is asked. */
static void simplify(lb_group_session *s)
{
    lb_feature_set plain = lb_features_absolute(s->asked, s->found->family, s->found->types);
    for (int f = LB_FEATURE_COUNT; f-- > 0;) {
        lb_feature_set simpler = s->found->features;
        if (simpler.value[f] == plain.value[f])
            continue;
        /* Unless the opposite shows, every step rounds as results do. */
        bool follows = f == LB_FEATURE_INNER_ROUNDING || f == LB_FEATURE_TABLE_ROUNDING;
        simpler.value[f] =
            follows && plain.value[f] ? simpler.value[LB_FEATURE_ROUNDING] : plain.value[f];
        if (lb_features_possible(&simpler, s->found->family, s->found->types) &&
            lb_group_gives_all(&s->group, &simpler))
            s->found->features = simpler;
    }
}

bool lb_session_search(lb_group_session *s, const lb_feature_set *from)
{
    lb_feature_set seeds[LB_FIT_SEEDS + 8];
    size_t count = lb_session_seeds(s, seeds);
    if (from)
        seeds[count++] = *from;
    double misfit = lb_group_search(&s->group, seeds, count, s->deadline, &s->found->features);
    if (misfit == 0) {
        simplify(s);
        return true;
    }
    s->found->settled = LB_UNKNOWN_NONE;
    if (s->has_threshold) /* told already */
        return false;
    snprintf(
        s->found->reason, sizeof s->found->reason,
        "no combination of features gives what it gave in %zu calls; the nearest leaves %.1f %% "
        "of the results wrong",
        s->group.count, 100 * misfit / (double)s->group.count);
    return false;
}
/* ---- Does it keep its mind? ---- */

static bool same_left(const lb_left *a, const lb_left *b)
{
    return a->status == b->status && a->block_bytes == b->block_bytes &&
           memcmp(a->block, b->block, a->block_bytes) == 0;
}

/* The smallest call so often more, one after the other, so that what every second call does is
 * seen: does it give what it gave? */
bool lb_session_keeps_its_mind(lb_group_session *s, unsigned times)
{
    if (s->group.count == 0)
        return true;
    lb_observation *first = &s->group.observations[0];
    const lb_case *c = first->memory->test_case;
    for (unsigned i = 0; i < times; i++) {
        const char *trouble;
        const lb_left *again = lb_session_call(s, c, &trouble);
        if (!again || same_left(again, first->left))
            continue;
        s->found->settled = LB_UNKNOWN_CHANGES;
        snprintf(s->found->reason, sizeof s->found->reason,
                 "it gives other results for the same call a second time (%s)", c->id);
        return false;
    }
    return true;
}
void lb_session_start(lb_group_session *s, unsigned calls, double deadline)
{
    s->calls_left = calls;
    s->calls_before = s->found->calls;
    s->deadline = deadline;
}

void lb_session_remember(lb_group_session *s)
{
    lb_found_before *b = s->before;
    for (size_t i = 0; i < b->count; i++)
        if (memcmp(&b->items[i], &s->found->features, sizeof s->found->features) == 0)
            return;
    if (b->count < LB_FIT_SEEDS - 8)
        b->items[b->count++] = s->found->features;
}
