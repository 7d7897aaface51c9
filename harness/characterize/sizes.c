/* What changes with the size of a call, or with where its buffers begin: a port whose results are
 * those of one combination of features up to a size, or where buffers are aligned: see session.h.
 */
#include "harness/characterize/session.h"

#include "harness/base/clock.h"
#include "harness/characterize/probe.h"
#include "harness/generate/random_case.h"

#include <stdio.h>

/* ---- Sizes of a case ---- */

enum { MEASURES = 4, MOST_SAMPLES = 80, LARGEST = 3000, FEW = 16 };
static const char *const measure_words[MEASURES] = {"elements in a row of the output",
                                                    "elements of the output", "products in a sum",
                                                    "elements of the first input"};

static uint64_t count_of(const lb_case *c, lb_role role)
{
    if (!c->operand[role].present)
        return 0;
    lb_layout layout = lb_layout_of(&c->operand[role].tensors[0]);
    return lb_layout_count(&layout);
}

static uint64_t row_of(const lb_case *c, lb_role role)
{
    const lb_case_tensor *t = &c->operand[role].tensors[0];
    return c->operand[role].present && t->rank > 0 ? t->shape[t->rank - 1] : 0;
}

typedef struct sample {
    uint64_t size[MEASURES];
    bool agrees;
} sample;

static sample sample_of(const lb_case *c, bool agrees)
{
    uint64_t row = row_of(c, LB_ROLE_WEIGHTS), first = count_of(c, LB_ROLE_IN);
    return (sample){{row_of(c, LB_ROLE_OUT), count_of(c, LB_ROLE_OUT),
                     row ? count_of(c, LB_ROLE_WEIGHTS) / row : 0,
                     first ? first : count_of(c, LB_ROLE_IN1)},
                    agrees};
}

/* ---- Where they part ---- */

typedef struct parting {
    int measure;
    uint64_t below, from; /* the largest size that agrees below the smallest that departs */
    unsigned departing, agreeing, against;
} parting;

/* What a measure says: departs from a size on. Large calls may agree by chance. */
static parting part(const sample *samples, size_t count, int measure)
{
    parting p = {.measure = measure, .from = UINT64_MAX};
    for (size_t i = 0; i < count; i++) {
        p.departing += !samples[i].agrees;
        if (!samples[i].agrees && samples[i].size[measure] < p.from)
            p.from = samples[i].size[measure];
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t size = samples[i].size[measure];
        bool is_below = samples[i].agrees && size < p.from;
        p.agreeing += is_below;
        p.against += samples[i].agrees && size >= p.from;
        if (is_below && size > p.below)
            p.below = size;
    }
    return p;
}

/* The measure with which fewest large calls agree. */
static parting best_parting(const sample *samples, size_t count)
{
    parting best = part(samples, count, 0);
    for (int m = 1; m < MEASURES; m++) {
        parting p = part(samples, count, m);
        if (p.against < best.against || (p.against == best.against && p.agreeing > best.agreeing))
            best = p;
    }
    return best;
}

/* How many single choices beside these features a case shows: what is hardly shown by it may be
 * done otherwise unseen. About `most` of the choices are tried, from all over the list. */
static size_t told_by(lb_group_session *s, const lb_case *c, const lb_feature_set *features,
                      size_t most, lb_arena *arena)
{
    static lb_neighbour list[LB_MOST_NEIGHBOURS];
    bool told[LB_MOST_NEIGHBOURS];
    size_t count = lb_group_neighbours(&s->group, features, list), kept = 0;
    for (size_t i = 0, step = (count + most - 1) / most; i < count; i += step)
        list[kept++] = list[i];
    count = kept;
    return lb_group_told_apart(&s->group, c, features, list, count, arena, told);
}

/* A made-up case: small ones, ones with an extent beside a vector width, and ones with a long one
 * in turn. */
static const lb_case *sized_case(const lb_group_session *s, uint64_t seed, lb_arena *arena)
{
    const lb_random_options options = {
        .seed = 2122, .small = true, .wide = (unsigned)(seed % 5), .long_extent = seed % 3 == 0};
    lb_case *c = lb_arena_alloc(arena, sizeof *c);
    if (!lb_random_case(s->functions[0], &options, seed, arena, c))
        return NULL;
    sample of = sample_of(c, true);
    return of.size[1] <= LARGEST && of.size[3] <= LARGEST ? c : NULL;
}

/* The most telling case of a size between those that agree and those that depart, or where there is
 * none of any size; its memory is the arena's. */
static const lb_case *next_case(lb_group_session *s, const parting *p,
                                const lb_feature_set *features, uint64_t *seed, lb_arena *arena)
{
    enum { CANDIDATES = 60, ENOUGH = 8 };
    uint64_t best = *seed;
    size_t most = 0, between = 0;
    for (int i = 0; i < CANDIDATES && between < ENOUGH; i++) {
        uint64_t at = (*seed)++;
        lb_arena_reset(arena);
        const lb_case *c = sized_case(s, at, arena);
        uint64_t size = c ? sample_of(c, true).size[p->measure] : 0;
        bool is_between = size > p->below && size < p->from;
        if (!c || (between > 0 && !is_between))
            continue;
        size_t told = told_by(s, c, features, LB_MOST_NEIGHBOURS, arena);
        if (told > most || (is_between && between == 0 && told > 0)) {
            most = told;
            best = at;
        }
        between += is_between && told > 0;
    }
    lb_arena_reset(arena);
    return sized_case(s, best, arena);
}

/* Calls of other sizes, and what is to be said of them. */
static bool find_parting(lb_group_session *s, const lb_feature_set *features, parting *found)
{
    enum { CALLS = 24, LEAST = 2 };
    static sample samples[MOST_SAMPLES];
    lb_group *group = &s->group;
    const char *trouble;
    size_t count = 0;
    uint64_t seed = 20000;
    for (size_t i = 0; i < group->count; i++)
        samples[count++] = sample_of(group->observations[i].memory->test_case,
                                     lb_group_agrees(group, i, features));
    *found = best_parting(samples, count);
    for (int i = 0; i < CALLS && (found->departing < LEAST || found->from > found->below + 1) &&
                    lb_worked_seconds() < s->deadline;
         i++) {
        lb_arena arena = {0};
        const lb_case *c = next_case(s, found, features, &seed, &arena);
        const lb_left *left = c ? lb_session_call(s, c, &trouble) : NULL;
        if (left)
            samples[count++] =
                sample_of(c, lb_group_case_agrees(group, c, left, s->misalign, features, &arena));
        lb_arena_free(&arena);
        if (!left)
            break;
        *found = best_parting(samples, count);
    }
    return found->departing >= LEAST && found->agreeing >= LEAST && found->below > 0 &&
           3 * found->against <= found->departing;
}

const lb_case *lb_session_sized_case(lb_group_session *s, uint64_t number, lb_arena *arena)
{
    enum { FIRST = 40000, CANDIDATES = 6 };
    uint64_t best = FIRST + number * CANDIDATES;
    size_t most = 0;
    for (uint64_t seed = best, end = best + CANDIDATES; seed < end; seed++) {
        lb_arena_reset(arena);
        const lb_case *c = sized_case(s, seed, arena);
        size_t told = c ? told_by(s, c, &s->found->features, LB_MOST_NEIGHBOURS, arena) : 0;
        if (told > most) {
            most = told;
            best = seed;
        }
    }
    lb_arena_reset(arena);
    return sized_case(s, best, arena);
}

void lb_session_find_threshold(lb_group_session *s)
{
    enum { LEAST = 2, TRIES = 4, CALLS = 24 };
    lb_group *group = &s->group;
    const size_t all = group->count;
    lb_feature_set features, seeds[LB_FIT_SEEDS + 8];
    const size_t seed_count = lb_session_seeds(s, seeds);
    parting p;
    double now = lb_worked_seconds(), share = (s->deadline - now) / TRIES, misfit = 1;
    s->calls_left = s->calls_left < CALLS ? s->calls_left : CALLS;
    if (s->has_threshold || s->found->settled != LB_UNKNOWN_NONE)
        return;
    /* The smallest calls stand first; how many of them stand below the size nobody knows. */
    const size_t step = (all + TRIES - 1) / TRIES;
    for (size_t n = all - 1; n >= LEAST && n < all && misfit > 0; n -= step) {
        group->count = n;
        misfit =
            lb_group_search(group, seeds, seed_count, lb_worked_seconds() + share / 2, &features);
    }
    group->count = all;
    if (misfit > 0 || !find_parting(s, &features, &p))
        return;
    s->has_threshold = true;
    snprintf(s->found->reason, sizeof s->found->reason,
             "its results change with size: up to %llu %s one combination of features gives them, "
             "from %llu on it does not (%u calls below, %u above)",
             (unsigned long long)p.below, measure_words[p.measure], (unsigned long long)p.from,
             p.agreeing, p.departing);
}

/* ---- Alignment ---- */

enum { TELLING = 2 };

/* The seeds of the probes that tell most. */
static void choose_probes(lb_group_session *s, uint64_t seeds[TELLING])
{
    enum { FIRST = 30000, CANDIDATES = 4 };
    lb_arena arena = {0};
    for (int k = 0; k < TELLING; k++) {
        size_t most = 0;
        seeds[k] = FIRST;
        for (uint64_t i = 0; i < CANDIDATES; i++) {
            uint64_t seed = FIRST + (uint64_t)k * CANDIDATES + i;
            lb_arena_reset(&arena);
            const lb_case *c = lb_probe_make(s->functions[0], LB_PROBE_RESULT, seed, &arena);
            size_t told = c ? told_by(s, c, &s->found->features, FEW, &arena) : 0;
            if (told > most) {
                most = told;
                seeds[k] = seed;
            }
        }
    }
    lb_arena_free(&arena);
}

static bool agrees_at(lb_group_session *s, unsigned misaligned, const uint64_t seeds[TELLING])
{
    bool agrees = true;
    for (int i = 0; i < TELLING && agrees; i++) {
        lb_arena arena = {0};
        const char *trouble;
        const lb_case *c = lb_probe_make(s->functions[0], LB_PROBE_RESULT, seeds[i], &arena);
        const lb_left *left = c ? lb_session_call_at(s, c, misaligned, &trouble) : NULL;
        if (left)
            agrees =
                lb_group_case_agrees(&s->group, c, left, misaligned, &s->found->features, &arena);
        lb_arena_free(&arena);
    }
    return agrees;
}

unsigned lb_session_alignment(lb_group_session *s)
{
    enum { MOST = 32, BOUNDARY = 64 };
    unsigned bytes = MOST;
    uint64_t seeds[TELLING];
    choose_probes(s, seeds);
    if (agrees_at(s, 1, seeds))
        return 0;
    while (bytes > 1 && agrees_at(s, bytes, seeds))
        bytes /= 2;
    return bytes == MOST ? BOUNDARY : 2 * bytes;
}
