/* Experiments on one family: see group.h. */
#include "harness/characterize/group.h"
#include "harness/characterize/absolute.h"

#include "harness/base/clock.h"
#include "harness/base/xalloc.h"
#include "harness/characterize/probe.h"
#include "harness/characterize/sizes.h"
#include "harness/diagnose/evidence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* With fewer calls than this every one is chosen. */
enum { FIRST_CALLS = 3, FEW_CALLS = 12 };

/* Rivals: neighbours of what was found that no observation has refuted. */
typedef struct alive {
    size_t count;
    lb_neighbour items[LB_MOST_NEIGHBOURS];
    bool told[LB_MOST_NEIGHBOURS]; /* from what was found, by the case that was chosen */
} alive;

typedef struct lb_group_session {
    const lb_character *character;
    lb_port *port;
    const lb_profile *asked;
    bool misalign;
    lb_group group;
    lb_evidence evidence;   /* room for calls */
    lb_arena work, telling; /* of candidates; of the last case of another size */
    const lb_kernel *functions[LB_MOST_GROUP_FUNCTIONS];
    size_t function_count, confirmed;
    unsigned calls_left, calls_before, round; /* before the step at hand */
    bool has_few, is_done;                    /* few calls; nothing more can be told */
    unsigned barren; /* cases with sums, one after the other, that told nothing */
    bool is_deep;    /* the time that is left may be spent, and rivals are those farther off too */
    uint64_t deep_seed;
    bool has_threshold; /* a size from which it departs was found: it is the reason */
    double deadline;
    lb_found_before *before;
    lb_character_group *found;
    alive rivals;
} session;

size_t lb_group_functions(const lb_port *port, int family, lb_types types,
                          const lb_kernel *functions[LB_MOST_GROUP_FUNCTIONS])
{
    size_t count = 0;
    for (size_t i = 0; i < lb_kernel_count; i++) {
        const lb_kernel *k = &lb_kernels[i];
        if ((int)k->family != family || lb_types_of(k) != types || !k->exact ||
            !port->provides(port, k) || count == LB_MOST_GROUP_FUNCTIONS)
            continue;
        bool plain = k->specialization[0] == '\0' && count > 0;
        functions[count++] = k;
        if (plain && functions[0]->specialization[0] != '\0') {
            functions[count - 1] = functions[0];
            functions[0] = k;
        }
    }
    return count;
}

/* ---- Calls ---- */

/* What the port leaves; NULL: it was not called, or gave no result (`trouble`). */
static const lb_left *call_port_at(session *s, const lb_case *c, unsigned misaligned,
                                   const char **trouble)
{
    bool passed = false;
    *trouble = NULL;
    if (s->calls_left == 0)
        return NULL;
    double now = lb_now_seconds(), worked = lb_worked_seconds();
    const lb_left *left = lb_evidence_call(&s->evidence, s->port, c, s->asked, misaligned,
                                           &s->group.arena, &passed, trouble);
    double waited = lb_now_seconds() - now - (lb_worked_seconds() - worked);
    s->deadline -= waited; /* for a port elsewhere */
    s->found->waited_seconds += waited;
    s->calls_left--;
    s->found->calls++;
    /* Where the asked numerics leave their accumulator a result is judged by nobody, but the port's
     * is what is looked for. */
    if (left && !s->port->failure)
        *trouble = NULL;
    return *trouble ? NULL : left;
}

static const lb_left *call_port(session *s, const lb_case *c, const char **trouble)
{
    return call_port_at(s, c, s->misalign, trouble);
}

static void note_trouble(session *s, const lb_case *c, const char *trouble)
{
    if (trouble)
        snprintf(s->found->reason, sizeof s->found->reason, "%s (%s)", trouble, c->id);
}

/* The function of which case number `seed` is made: functions without weights share a family where
 * each has steps of its own (add, mul). */
static const lb_kernel *function_of(const session *s, uint64_t seed)
{
    bool several = s->function_count > 1 && s->functions[1]->operation[0] != '\0';
    return s->functions[several ? seed % s->function_count : 0];
}

/* One experiment. False: it could not be made. */
static bool observe(session *s, const lb_case *c)
{
    const char *trouble;
    const lb_left *left = call_port(s, c, &trouble);
    note_trouble(s, c, trouble);
    return left && lb_group_observe(&s->group, c, left, s->misalign);
}

static void first_experiments(session *s)
{
    static const lb_probe_kind kinds[] = {LB_PROBE_RESULT, LB_PROBE_RANDOM, LB_PROBE_SUM};
    for (unsigned i = 0; i < (s->has_few ? 1 : FIRST_CALLS); i++) {
        const lb_kernel *function = function_of(s, i);
        const lb_case *c = lb_probe_make(function, kinds[i], 1, &s->group.arena);
        if (!c)
            c = lb_probe_make(function, LB_PROBE_RANDOM, 100 + i, &s->group.arena);
        if (c)
            (void)observe(s, c);
    }
}

/* ---- Search ---- */

/* The four numerics as features, and what was found before. */
static size_t list_seeds(const session *s, lb_feature_set seeds[LB_FIT_SEEDS + 8])
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
static void simplify(session *s)
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
            lb_group_misfit(&s->group, &simpler, 0) == 0)
            s->found->features = simpler;
    }
}

static bool search(session *s, const lb_feature_set *from)
{
    lb_feature_set seeds[LB_FIT_SEEDS + 8];
    size_t count = list_seeds(s, seeds);
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

/* ---- Closing in ---- */

static bool is_listed(const session *s, const alive *a, const lb_feature_set *features)
{
    if (memcmp(features, &s->found->features, sizeof *features) == 0)
        return true;
    for (size_t i = 0; i < a->count; i++)
        if (memcmp(features, &a->items[i].features, sizeof *features) == 0)
            return true;
    return false;
}

static void add_rival(alive *a, const lb_feature_set *features)
{
    if (a->count < LB_MOST_NEIGHBOURS)
        a->items[a->count++] = (lb_neighbour){.feature = LB_FEATURE_COUNT, .features = *features};
}

/* Of the grid of tables, where more than two choices go together. */
static void add_table_rival(void *user, const lb_feature_set *features)
{
    session *s = user;
    if (!is_listed(s, &s->rivals, features))
        add_rival(&s->rivals, features);
}

static void list_alive(session *s, alive *a)
{
    s->barren = 0;
    static lb_neighbour list[LB_MOST_NEIGHBOURS];
    size_t count = lb_group_neighbours(&s->group, &s->found->features, list);
    a->count = 0;
    for (size_t i = 0; i < count; i++)
        if (lb_group_misfit(&s->group, &list[i].features, 0) == 0)
            a->items[a->count++] = list[i];
}

/* Rivals that differ in several choices, each of which alone is refuted: what is wrong in one may
 * be made up for by another. */
static void list_distant(session *s, alive *a, double deadline)
{
    static lb_neighbour near[LB_MOST_NEIGHBOURS], far[LB_MOST_NEIGHBOURS];
    size_t count = lb_group_neighbours(&s->group, &s->found->features, near), at = 0;
    for (size_t i = 0; i < count; i++) /* the choices that are alive by themselves tell nothing */
        if (lb_group_misfit(&s->group, &near[i].features, 0) > 0)
            near[at++] = near[i];
    for (size_t i = 0; i < at && lb_worked_seconds() < deadline; i++) {
        size_t others = lb_group_neighbours(&s->group, &near[i].features, far);
        for (size_t j = 0; j < others; j++)
            if (!is_listed(s, a, &far[j].features) &&
                lb_group_misfit(&s->group, &far[j].features, 0) == 0)
                add_rival(a, &far[j].features);
    }
    lb_group_table_rivals(&s->group, &s->found->features, deadline, add_table_rival, s);
}

/* The port gave what was found gives: of those alive, what the case did not tell from it. */
static void refute(alive *a)
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
static size_t sort_sums(const session *s, alive *a)
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
static const lb_case *best_case(session *s, alive *a, unsigned round, effort level)
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
        const lb_case *c = lb_probe_make(function_of(s, seed), kind, seed, &s->work);
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
    return most > 0
               ? lb_probe_make(function_of(s, best_seed), best_kind, best_seed, &s->group.arena)
               : NULL;
}

static void list_rivals(session *s, alive *a)
{
    list_alive(s, a);
    if (s->is_deep) {
        double now = lb_worked_seconds(), share = (s->deadline - now) / 3;
        list_distant(s, a, now + (share < 1 ? share : 1)); /* they are thousands */
    }
}

/* Experiments between what was found and what else gives the same, until nothing else does, or
 * nothing tells them apart. */
static bool close_in(session *s)
{
    alive *a = &s->rivals;
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
        if (!observe(s, c)) {
            if (++lost == MOST_LOST || s->group.count == LB_MOST_OBSERVATIONS)
                break;
            continue;
        }
        if (lb_group_last_agrees(&s->group, &s->found->features)) {
            refute(a);
            continue;
        }
        if (!search(s, &s->found->features))
            return false;
        list_rivals(s, a);
    }
    s->is_done = true;
    return true;
}

/* ---- Does it keep its mind? ---- */

static bool same_left(const lb_left *a, const lb_left *b)
{
    return a->status == b->status && a->block_bytes == b->block_bytes &&
           memcmp(a->block, b->block, a->block_bytes) == 0;
}

/* The smallest call so often more, one after the other, so that what every second call does is
 * seen: does it give what it gave? */
static bool keeps_its_mind(session *s, unsigned times)
{
    if (s->group.count == 0)
        return true;
    lb_observation *first = &s->group.observations[0];
    const lb_case *c = first->memory->test_case;
    for (unsigned i = 0; i < times; i++) {
        const char *trouble;
        const lb_left *again = call_port(s, c, &trouble);
        if (!again || same_left(again, first->left))
            continue;
        s->found->settled = LB_UNKNOWN_CHANGES;
        snprintf(s->found->reason, sizeof s->found->reason,
                 "it gives other results for the same call a second time (%s)", c->id);
        return false;
    }
    return true;
}

/* ---- The whole ---- */

static void start_step(session *s, unsigned calls, double deadline)
{
    s->calls_left = calls;
    s->calls_before = s->found->calls;
    s->deadline = deadline;
}

static void remember(session *s)
{
    lb_found_before *b = s->before;
    for (size_t i = 0; i < b->count; i++)
        if (memcmp(&b->items[i], &s->found->features, sizeof s->found->features) == 0)
            return;
    if (b->count < LB_FIT_SEEDS - 8)
        b->items[b->count++] = s->found->features;
}

lb_group_session *lb_group_open(const lb_character *character, lb_found_before *before,
                                lb_character_group *found)
{
    session *s = lb_resized(NULL, sizeof *s);
    *s = (session){.character = character,
                   .port = character->port,
                   .asked = character->asked,
                   .misalign = character->misalign,
                   .before = before,
                   .found = found};
    s->function_count =
        lb_group_functions(character->port, found->family, found->types, s->functions);
    found->function_count = (unsigned)s->function_count;
    found->settled = LB_UNKNOWN_FAILED;
    snprintf(found->reason, sizeof found->reason, "no call was left for it");
    lb_group_make(&s->group, found->family, found->types, character->asked);
    return s;
}

static const lb_left *call_for_sizes(void *user, const lb_case *c, unsigned misaligned)
{
    session *s = user;
    const char *trouble;
    return call_port_at(s, c, misaligned ? misaligned : s->misalign, &trouble);
}

static lb_sizes sizes_of(session *s)
{
    return (lb_sizes){.group = &s->group,
                      .function = s->functions[0],
                      .deadline = s->deadline,
                      .call = call_for_sizes,
                      .user = s};
}

/* Does one combination hold up to a size? */
static void find_threshold(session *s)
{
    enum { CALLS = 24 };
    lb_feature_set seeds[LB_FIT_SEEDS + 8];
    lb_sizes sizes = sizes_of(s);
    char words[sizeof s->found->reason];
    sizes.seeds = seeds;
    sizes.seed_count = list_seeds(s, seeds);
    s->calls_left = s->calls_left < CALLS ? s->calls_left : CALLS;
    if (s->has_threshold || s->found->settled != LB_UNKNOWN_NONE ||
        !lb_sizes_threshold(&sizes, words, sizeof words))
        return;
    s->has_threshold = true;
    memcpy(s->found->reason, words, sizeof words);
}

/* Small and large calls, in which other features would show. */
static bool sizes_hold(session *s, unsigned calls)
{
    const lb_sizes sizes = sizes_of(s);
    bool holds = true;
    for (unsigned i = 0; i < calls && s->calls_left > 0 && holds; i++) {
        const char *trouble;
        const lb_case *telling = lb_sizes_telling(&sizes, &s->found->features, i, &s->telling);
        const lb_left *left = telling ? call_port(s, telling, &trouble) : NULL;
        if (left && !lb_group_case_agrees(&s->group, telling, left, s->misalign,
                                          &s->found->features, &s->telling))
            holds = !lb_group_observe(&s->group, telling, left, s->misalign);
    }
    return holds;
}

/* What failed may have failed because the port changes its mind. */
static void fail(session *s)
{
    enum { TIMES = 2 };
    unsigned used = s->character->calls + s->found->calls - s->calls_before;
    s->is_done = true;
    s->calls_left = s->character->most_calls > used ? s->character->most_calls - used : 0;
    if (keeps_its_mind(s, TIMES))
        find_threshold(s);
}

void lb_group_try_sizes(lb_group_session *s, unsigned calls, double deadline)
{
    enum { SIZES = 5 };
    if (s->found->settled != LB_SETTLED)
        return;
    start_step(s, calls, deadline);
    if (!sizes_hold(s, SIZES)) {
        s->found->settled = LB_UNKNOWN_NONE;
        snprintf(s->found->reason, sizeof s->found->reason,
                 "what holds for the calls before does not hold for calls of other sizes");
        fail(s);
        return;
    }
    if (s->misalign)
        return;
    const lb_sizes sizes = sizes_of(s);
    s->found->alignment = lb_sizes_alignment(&sizes, &s->found->features);
}

/* What several choices together leave open. */
static void note_together(session *s)
{
    lb_character_group *g = s->found;
    g->untold_count = 0;
    for (size_t i = 0; i < s->rivals.count; i++)
        for (int f = 0; f < LB_FEATURE_COUNT; f++) {
            uint8_t value = s->rivals.items[i].features.value[f];
            bool is_known =
                s->rivals.items[i].feature != LB_FEATURE_COUNT || value == g->features.value[f];
            for (size_t k = 0; k < g->untold_count; k++)
                is_known =
                    is_known || ((int)g->untold[k].feature == f && g->untold[k].value == value);
            if (!is_known && g->untold_count < LB_MOST_UNTOLD / 2)
                g->untold[g->untold_count++] = (lb_untold){(lb_feature)f, value, true};
        }
}

bool lb_group_explore(lb_group_session *s, unsigned calls, double deadline)
{
    start_step(s, calls, deadline);
    bool is_new = s->group.count == 0, failed = s->found->settled == LB_UNKNOWN_NONE;
    if (is_new) {
        s->has_few = calls < FEW_CALLS;
        first_experiments(s);
    }
    if (s->group.count == 0) {
        s->is_done = calls > 0;
    } else if ((is_new || failed) && !search(s, NULL)) {
        if (!failed)
            fail(s);
    } else {
        s->found->settled = LB_SETTLED;
        s->is_done = false;
        if (!close_in(s))
            fail(s);
        else
            remember(s);
    }
    return s->is_done;
}

bool lb_group_deepen(lb_group_session *s, unsigned calls, double deadline)
{
    if (s->found->settled != LB_SETTLED || s->group.count == 0)
        return false;
    bool was_done = s->is_done;
    start_step(s, calls, deadline);
    s->is_deep = true;
    if (!close_in(s)) {
        fail(s);
        return true;
    }
    s->is_done = s->is_done || was_done;
    note_together(s);
    remember(s);
    return true;
}

bool lb_group_confirm(lb_group_session *s, double deadline)
{
    if (s->found->settled != LB_SETTLED || s->confirmed == s->function_count)
        return false;
    size_t f = s->confirmed++;
    start_step(s, 1, deadline);
    const lb_case *c = lb_probe_make(s->functions[f], LB_PROBE_RANDOM, 5000 + f, &s->group.arena);
    if (!c || !observe(s, c))
        return true;
    s->found->called_count++;
    if (lb_group_misfit(&s->group, &s->found->features, 0) > 0) {
        if (!search(s, &s->found->features)) {
            if (f > 0)
                snprintf(s->found->reason, sizeof s->found->reason,
                         "%s departs from %s, and no combination of features gives both",
                         s->functions[f]->name, s->functions[0]->name);
            fail(s);
            return true;
        }
        s->is_done = false;
        remember(s);
    }
    return true;
}

void lb_group_ask_again(lb_group_session *s, unsigned times)
{
    s->calls_left = times;
    if (s->found->settled == LB_SETTLED)
        (void)keeps_its_mind(s, times);
}

/* What was left open for want of calls is as in a sibling, if all that was seen agrees. The bias is
 * another in recurrent families. */
static void follow_sibling(session *s)
{
    lb_feature_set seeds[LB_FIT_SEEDS + 8];
    (void)list_seeds(s, seeds);
    for (size_t i = 1; i <= s->before->count; i++) { /* the first is not a sibling's */
        seeds[i].value[LB_FEATURE_BIAS] = s->found->features.value[LB_FEATURE_BIAS];
        if (lb_features_possible(&seeds[i], s->found->family, s->found->types) &&
            lb_group_misfit(&s->group, &seeds[i], 0) == 0) {
            s->found->features = seeds[i];
            return;
        }
    }
}

/* ---- Held out ---- */

/* Held-out case number `number`: of every function in turn, made-up ones and probes, none of which
 * an experiment has seen. */
static const lb_case *held_out_case(const session *s, unsigned number, lb_arena *arena)
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
static const lb_case *telling_case(session *s, unsigned at, unsigned calls)
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

/* A counter-example is the next experiment, in the place of the largest where there is no room. */
static bool learn_from(session *s, const lb_case *c, const lb_left *left)
{
    if (s->group.count == LB_MOST_OBSERVATIONS)
        s->group.count--;
    (void)lb_group_observe(&s->group, c, left, s->misalign);
    s->is_done = false;
    return search(s, &s->found->features);
}

void lb_group_hold_out(lb_group_session *s, unsigned calls, double deadline)
{
    lb_character_group *g = s->found;
    bool explained = true;
    if (g->settled != LB_SETTLED)
        return;
    if (!s->is_done)
        follow_sibling(s);
    start_step(s, calls, deadline);
    for (unsigned i = 0; i < calls; i++) {
        const char *trouble;
        const lb_case *c = telling_case(s, i, calls);
        const lb_left *left = c ? call_port(s, c, &trouble) : NULL;
        if (!left)
            continue;
        g->held_out++;
        if (lb_group_case_agrees(&s->group, c, left, s->misalign, &g->features, &s->group.arena))
            continue;
        g->held_out_wrong++;
        if (explained && (explained = learn_from(s, c, left))) {
            remember(s);
            g->held_out = g->held_out_wrong = 0; /* others judge the new features */
        }
    }
    if (explained)
        return;
    snprintf(g->reason, sizeof g->reason,
             "not bit-exact in %u of %u held-out calls, and no combination of features gives them",
             g->held_out_wrong, g->held_out);
    fail(s);
}

void lb_group_close(lb_group_session *s)
{
    lb_character_group *g = s->found;
    if (g->settled == LB_SETTLED)
        list_alive(s, &s->rivals);
    for (size_t i = 0;
         g->settled == LB_SETTLED && i < s->rivals.count && g->untold_count < LB_MOST_UNTOLD; i++)
        g->untold[g->untold_count++] =
            (lb_untold){s->rivals.items[i].feature, s->rivals.items[i].value, false};
    g->cut_short = !s->is_done;
    g->agreed = (unsigned)s->group.count;
    lb_group_free(&s->group);
    lb_arena_free(&s->work);
    lb_arena_free(&s->telling);
    lb_evidence_free(&s->evidence);
    free(s);
}
