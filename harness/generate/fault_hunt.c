/* A candidate tried on faults: see fault_hunt.h. */
#include "harness/generate/fault_hunt.h"
#include "harness/base/xalloc.h"
#include "harness/suite/suite.h"

#include <stdlib.h>
#include <string.h>

/* The case in the profile, and which of the wanted faults of steps have something to change. */
static bool begin(lb_fault_hunt *h, size_t profile, const lb_case *c, lb_fault_bench *bench)
{
    lb_strength *s = &h->strength[profile];
    lb_arena_reset(&h->trying);
    if (!lb_fault_bench_make(bench, c, s->profile, &h->trying))
        return false;
    lb_fault_screen(bench, &s->faults, s->wanted, s->acting);
    return true;
}

static bool acts(const lb_strength *s, lb_fault_bench *bench, size_t fault)
{
    const lb_fault *f = &s->faults.items[fault];
    return (f->kind->group != LB_FAULTS_STEP || s->acting[fault]) && lb_fault_try(bench, f);
}

/* ---- Survivors ---- */

/* More catches of it are asked for, and no proof excuses it. */
static bool is_open(const lb_fault_hunt *h, size_t p, size_t f)
{
    const lb_strength *s = &h->strength[p];
    return s->catches[f] < h->limits.catches && !s->proofs[f];
}

size_t lb_fault_survivors(const lb_fault_hunt *h)
{
    size_t open = 0;
    for (size_t p = 0; p < h->search.profile_count; p++)
        for (size_t f = 0; f < h->strength[p].faults.count; f++)
            open += is_open(h, p, f);
    return open;
}

/* The survivors of a profile, from where the last candidate ended. Steps are what takes time: a
 * candidate has so many of them, over all faults. */
static void try_in_profile(lb_fault_hunt *h, size_t p, lb_fault_bench *bench, lb_finds *finds)
{
    enum { CANDIDATE_STEPS = 3000000 };
    lb_strength *s = &h->strength[p];
    size_t count = s->faults.count, first = h->next[p] < count ? h->next[p] : 0;
    uint64_t steps = 0;
    for (size_t i = 0; i < count && steps < CANDIDATE_STEPS; i++) {
        size_t f = (first + i) % count;
        h->next[p] = f + 1;
        if (!s->wanted[f] || !acts(s, bench, f))
            continue;
        steps += bench->steps;
        finds->news = finds->news || s->acts[f] == 0;
        s->acts[f]++;
        if (lb_fault_is_caught(bench))
            lb_finds_add(finds, (lb_find){p, f, f});
    }
}

void lb_fault_try_survivors(void *hunt, const lb_case *c, lb_finds *finds)
{
    lb_fault_hunt *h = hunt;
    finds->count = 0;
    finds->news = false;
    for (size_t p = 0; p < h->search.profile_count; p++) {
        lb_strength *s = &h->strength[p];
        lb_fault_bench bench;
        for (size_t f = 0; f < s->faults.count; f++)
            s->wanted[f] = is_open(h, p, f);
        if (!begin(h, p, c, &bench))
            return;
        try_in_profile(h, p, &bench, finds);
    }
}

bool lb_fault_still_caught(void *hunt, const lb_case *c, const lb_finds *finds)
{
    lb_fault_hunt *h = hunt;
    bool all = true;
    for (size_t p = 0; p < h->search.profile_count && all; p++) {
        lb_strength *s = &h->strength[p];
        lb_fault_bench bench;
        size_t wanted = 0;
        memset(s->wanted, 0, s->faults.count * sizeof *s->wanted);
        for (size_t i = 0; i < finds->count; i++)
            if (finds->items[i].profile == p) {
                s->wanted[finds->items[i].what] = true;
                wanted++;
            }
        if (wanted == 0)
            continue;
        all = begin(h, p, c, &bench);
        for (size_t i = 0; i < finds->count && all; i++)
            if (finds->items[i].profile == p)
                all = acts(s, &bench, finds->items[i].what) && lb_fault_is_caught(&bench);
    }
    return all;
}

void lb_fault_keep_survivors(lb_fault_hunt *h, const lb_finds *finds)
{
    for (size_t i = 0; i < finds->count; i++)
        h->strength[finds->items[i].profile].catches[finds->items[i].what]++;
}

/* ---- Pairs ---- */

enum { FIRST_CASES = 40 };

static uint64_t mixed(uint64_t all, uint64_t one)
{
    return ((all << 7 | all >> 57) ^ one) * 0x9e3779b97f4a7c15u;
}

static int by_result(const void *left, const void *right, void *user)
{
    const uint64_t *result = user;
    size_t a = *(const size_t *)left, b = *(const size_t *)right;
    if (result[a] != result[b])
        return result[a] < result[b] ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* Zeros, one for each fault. */
static void *one_each(const lb_strength *s, size_t bytes)
{
    void *zeros = calloc(s->faults.count + 1, bytes);
    if (!zeros)
        lb_out_of_memory(s->faults.count * bytes);
    return zeros;
}

/* Numbers of the faults, those with one result side by side. */
static size_t *in_classes(const lb_strength *s, uint64_t *results)
{
    size_t *order = one_each(s, sizeof *order);
    for (size_t f = 0; f < s->faults.count; f++)
        order[f] = f;
    qsort_r(order, s->faults.count, sizeof *order, by_result, results);
    return order;
}

size_t lb_fault_confused(const lb_fault_hunt *h)
{
    size_t confused = 0;
    for (size_t p = 0; p < h->search.profile_count; p++) {
        const lb_strength *s = &h->strength[p];
        size_t *order = in_classes(s, h->results[p]);
        for (size_t i = 1; i < s->faults.count; i++)
            confused +=
                s->catches[order[i]] > 0 && h->results[p][order[i]] == h->results[p][order[i - 1]];
        free(order);
    }
    return confused;
}

/* What each fault leaves of the case; faults that are alone in their class are left out unless all
 * are asked for. */
static bool digests(lb_fault_hunt *h, size_t p, const lb_case *c, const bool *asked, uint64_t *out)
{
    lb_strength *s = &h->strength[p];
    lb_fault_bench bench;
    memcpy(s->wanted, asked, s->faults.count * sizeof *asked);
    if (!begin(h, p, c, &bench))
        return false;
    uint64_t right = lb_fault_digest(&bench.right);
    for (size_t f = 0; f < s->faults.count; f++)
        out[f] = s->wanted[f] && acts(s, &bench, f) && lb_fault_is_caught(&bench)
                     ? lb_fault_digest(&bench.out)
                     : right;
    return true;
}

/* Faults that have a twin, and are caught: nobody asks which of two harmless faults it is. */
static void ask_twins(const lb_strength *s, const uint64_t *results, const size_t *order,
                      bool *asked)
{
    memset(asked, 0, s->faults.count * sizeof *asked);
    for (size_t i = 1; i < s->faults.count; i++)
        if (results[order[i]] == results[order[i - 1]] && s->catches[order[i]] > 0)
            asked[order[i]] = asked[order[i - 1]] = true;
}

static void try_pairs_in(lb_fault_hunt *h, size_t p, const lb_case *c, lb_finds *finds)
{
    lb_strength *s = &h->strength[p];
    size_t *order = in_classes(s, h->results[p]);
    bool *asked = one_each(s, sizeof *asked);
    uint64_t *out = one_each(s, sizeof *out);
    ask_twins(s, h->results[p], order, asked);
    bool tried = digests(h, p, c, asked, out), is_split = false;
    for (size_t i = 1; tried && i < s->faults.count; i++) {
        size_t a = order[i - 1], b = order[i];
        bool same_class = h->results[p][a] == h->results[p][b];
        is_split = is_split && same_class;
        if (same_class && asked[b] && out[a] != out[b] && !is_split) {
            lb_finds_add(finds, (lb_find){p, b, a});
            is_split = true;
        }
    }
    free(order);
    free(asked);
    free(out);
}

void lb_fault_try_pairs(void *hunt, const lb_case *c, lb_finds *finds)
{
    lb_fault_hunt *h = hunt;
    finds->count = 0;
    finds->news = false;
    for (size_t p = 0; p < h->search.profile_count; p++)
        try_pairs_in(h, p, c, finds);
}

void lb_fault_keep_pairs(lb_fault_hunt *h, const lb_case *c)
{
    for (size_t p = 0; p < h->search.profile_count; p++) {
        lb_strength *s = &h->strength[p];
        bool *asked = one_each(s, sizeof *asked);
        uint64_t *out = one_each(s, sizeof *out);
        memset(asked, 1, s->faults.count * sizeof *asked);
        if (digests(h, p, c, asked, out))
            for (size_t f = 0; f < s->faults.count; f++)
                h->results[p][f] = mixed(h->results[p][f], out[f]);
        free(asked);
        free(out);
    }
}

void lb_fault_pairs_begin(lb_fault_hunt *h, const lb_strength_row *row)
{
    lb_arena arena = {0};
    for (size_t p = 0; p < h->search.profile_count; p++)
        h->results[p] = one_each(&h->strength[p], sizeof *h->results[p]);
    for (size_t i = 0; i < row->count && i < FIRST_CASES; i++) {
        lb_case c = {0};
        lb_arena_reset(&arena);
        if (lb_case_from_json(row->items[i].text, strlen(row->items[i].text), &arena, &c))
            lb_fault_keep_pairs(h, &c);
    }
    lb_arena_free(&arena);
}
