/* The search for cases: see search.h. Every candidate is written and read back before it is tried,
 * so that only what the case format allows is found. */
#include "harness/generate/search.h"
#include "harness/base/clock.h"
#include "harness/coverage/defined.h"
#include "harness/coverage/observe.h"
#include "harness/coverage/strength_cases.h"
#include "harness/coverage/vacuous.h"
#include "harness/generate/shrink.h"
#include "harness/generate/sum_domain.h"
#include "harness/suite/case_write.h"
#include "harness/suite/suite.h"

#include <stdlib.h>
#include <string.h>

void lb_finds_add(lb_finds *finds, lb_find find)
{
    if (finds->count < LB_MAX_FINDS)
        finds->items[finds->count++] = find;
}

bool lb_finds_hold(const lb_finds *finds, const lb_find *find)
{
    for (size_t i = 0; i < finds->count; i++)
        if (finds->items[i].profile == find->profile && finds->items[i].what == find->what &&
            finds->items[i].other == find->other)
            return true;
    return false;
}

/* ---- One case ---- */

static bool read_text(const lb_search *s, const char *text, lb_arena *arena, lb_case *c)
{
    *c = (lb_case){0};
    return lb_case_from_json(text, strlen(text), arena, c) && lb_cover_is_defined(c) &&
           (s->max_steps == 0 || lb_strength_cost(c) < s->max_steps);
}

static void note_width(void *user, const lb_observation *o)
{
    bool *left = user;
    *left = *left || (o->watch && (o->watch->persistent > 0 || o->watch->transient > 0));
}

/* No sum leaves its accumulator, nor would in another order of adding. */
static bool stays_in_width(const lb_search *s, const lb_case *c, lb_arena *arena)
{
    bool left = false;
    for (size_t p = 0; p < s->profile_count && !left; p++) {
        lb_cover_case(c, s->profiles[p], false, arena, note_width, &left);
        left = left || !lb_sum_domain_holds(c, s->profiles[p], arena);
    }
    return !left;
}

/* A case but for what people and recordings say. */
static const char *body_of(const lb_case *c, lb_arena *arena)
{
    lb_case bare = *c;
    bare.id = lb_arena_strdup(arena, "candidate");
    bare.note = NULL;
    bare.tag_count = bare.expect_count = 0;
    return lb_case_to_json(&bare, arena);
}

void lb_search_know(lb_search *s, const lb_case *c)
{
    lb_arena arena = {0};
    if (s->never_twice)
        lb_texts_add(&s->known, body_of(c, &arena));
    lb_arena_free(&arena);
}

static bool is_known(const lb_search *s, const lb_case *c, lb_arena *arena)
{
    const char *body = s->known.count > 0 ? body_of(c, arena) : "";
    for (size_t i = 0; i < s->known.count; i++)
        if (strcmp(s->known.items[i], body) == 0)
            return true;
    return false;
}

/* ---- Making it small ---- */

typedef struct target {
    lb_search *search;
    bool vacuous, wide; /* it may find nothing else; it may leave the accumulators */
    lb_arena arena;
} target;

static bool shows_all(lb_search *s, const lb_case *c)
{
    if (s->goal->still)
        return s->goal->still(s->user, c, &s->finds);
    s->goal->look(s->user, c, &s->now);
    for (size_t i = 0; i < s->finds.count; i++)
        if (!lb_finds_hold(&s->now, &s->finds.items[i]))
            return false;
    return true;
}

static bool still_shows(void *user, const lb_case *c)
{
    target *t = user;
    lb_search *s = t->search;
    lb_case read;
    lb_arena_reset(&t->arena);
    return read_text(s, lb_case_to_json(c, &t->arena), &t->arena, &read) &&
           !is_known(s, &read, &t->arena) && shows_all(s, &read) &&
           (t->vacuous || !lb_vacuous_reason(&read, s->profiles[0], &t->arena)) &&
           (t->wide || stays_in_width(s, &read, &t->arena));
}

static void keep_find(target *t, const lb_case *c, lb_arena *arena)
{
    enum { SHRINK_TRIES = 60 };
    lb_search *s = t->search;
    lb_case small = *c, read;
    if (!s->keeps_whole) {
        small = *lb_shrink(c, still_shows, t, SHRINK_TRIES, arena);
        small = *lb_shrink_enrich(&small, still_shows, t, arena);
    }
    s->goal->tell(s->user, &small, &s->finds, s->found.count, arena);
    const char *text = lb_found_text(&small, s->goal->tag, s->level, t->vacuous, arena);
    if (strlen(text) > s->max_find_bytes)
        return;
    lb_texts_add(&s->found, text);
    if (read_text(s, text, arena, &read)) {
        s->goal->keep(s->user, &read, &s->finds);
        lb_search_know(s, &read);
        lb_cover_corpus_add(s->corpus, &small);
    }
}

bool lb_search_try(lb_search *s, lb_case *c, bool may_be_vacuous)
{
    lb_arena arena = {0};
    target t = {.search = s};
    lb_case read;
    bool good = false;
    c->id = lb_arena_strdup(&arena, "candidate");
    const char *text = lb_case_to_json(c, &arena);
    if (strlen(text) <= s->max_text_bytes && read_text(s, text, &arena, &read) &&
        !is_known(s, &read, &arena)) {
        s->goal->look(s->user, &read, &s->finds);
        good = s->finds.count > 0 && s->goal->worth(s->user, &s->finds) >= s->gain;
        if (!good && s->finds.news)
            lb_cover_corpus_add(s->corpus, &read);
    }
    if (good) {
        t.vacuous = lb_vacuous_reason(&read, s->profiles[0], &arena) != NULL;
        t.wide = s->goal->is_about_width(s->user, &s->finds);
        good = (!t.vacuous || may_be_vacuous) && (t.wide || stays_in_width(s, &read, &arena));
    }
    if (good)
        keep_find(&t, c, &arena);
    lb_arena_free(&t.arena);
    lb_arena_free(&arena);
    return good;
}

/* ---- The search ---- */

bool lb_search_is_time_up(const lb_search *s)
{
    return s->until != 0 && lb_now_seconds() >= s->until;
}

static bool make(const lb_search *s, uint64_t index, lb_arena *arena, lb_case *c)
{
    const lb_candidates from = {.corpus = s->corpus, .seed = s->seed};
    return s->make ? s->make(s->user, index, arena, c)
                   : lb_candidate_make(&from, s->kernel, index, arena, c);
}

void lb_search_run(lb_search *s)
{
    lb_arena arena = {0};
    unsigned long idle = 0;
    uint64_t index = (uint64_t)lb_kernel_number(s->kernel) << 32;
    while (idle < s->patience && s->goal->is_open(s->user) && !lb_search_is_time_up(s)) {
        lb_case c = {0};
        lb_arena_reset(&arena);
        const bool found =
            make(s, index++, &arena, &c) && lb_search_try(s, &c, idle > s->patience / 2);
        idle = found ? 0 : idle + 1;
    }
    lb_arena_free(&arena);
}

static int shorter_first(const void *left, const void *right)
{
    size_t a = strlen(*(char *const *)left), b = strlen(*(char *const *)right);
    return a != b ? (a < b ? -1 : 1) : strcmp(*(char *const *)left, *(char *const *)right);
}

size_t lb_search_end(lb_search *s, FILE *out)
{
    const size_t count = s->found.count;
    if (count > 0)
        qsort(s->found.items, count, sizeof *s->found.items, shorter_first);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s\n", s->found.items[i]);
    lb_texts_free(&s->found);
    lb_texts_free(&s->known);
    s->found = s->known = (lb_texts){0};
    return count;
}
