/* The search for cases that catch faults, or tell them apart: see fault_search.h. Every candidate
 * is written and read back before it is tried, so that only what the case format allows is found.
 */
#include "harness/base/xalloc.h"
#include "harness/coverage/defined.h"
#include "harness/coverage/observe.h"
#include "harness/coverage/vacuous.h"
#include "harness/generate/fault_hunt.h"
#include "harness/generate/output.h"
#include "harness/generate/shrink.h"
#include "harness/generate/sum_domain.h"
#include "harness/suite/case_write.h"
#include "harness/suite/suite.h"

#include <stdlib.h>
#include <string.h>

/* A case that needs more text than this is not worth its place: another one may do. */
enum { SHRINK_TRIES = 60, MAX_STEPS = 200000, MAX_FIND_BYTES = 8000 };

/* ---- One candidate ---- */

static void try_faults(lb_fault_hunt *h, const lb_case *c, lb_fault_finds *finds)
{
    if (h->search->pairs)
        lb_fault_try_pairs(h, c, finds);
    else
        lb_fault_try_survivors(h, c, finds);
}

static bool read_text(const char *text, lb_arena *arena, lb_case *c)
{
    *c = (lb_case){0};
    return lb_case_from_json(text, strlen(text), arena, c) && lb_cover_is_defined(c) &&
           lb_strength_cost(c) < MAX_STEPS;
}

static void note_width(void *user, const lb_observation *o)
{
    bool *left = user;
    *left = *left || (o->watch && (o->watch->persistent > 0 || o->watch->transient > 0));
}

/* Sums that leave their accumulator blur what a case shows, but for faults in just that. */
static bool leaves_width(const lb_fault_hunt *h, const lb_case *c, lb_arena *arena)
{
    bool left = false;
    for (size_t p = 0; p < h->search->profile_count && !left; p++)
        lb_cover_case(c, h->search->profiles[p], false, arena, note_width, &left);
    return left;
}

/* Sums that another order would take out of their accumulator, where the spec says nothing of such:
 * there, no fault is an excuse. */
static bool leaves_domain(const lb_fault_hunt *h, const lb_case *c, lb_arena *arena)
{
    bool holds = true;
    for (size_t p = 0; p < h->search->profile_count && holds; p++)
        holds = lb_sum_domain_holds(c, h->search->profiles[p], arena);
    return !holds;
}

static bool is_about_width(const lb_fault_hunt *h, const lb_fault_finds *finds)
{
    for (size_t i = 0; i < finds->count; i++) {
        const lb_fault_find *f = &finds->items[i];
        const lb_fault *fault = &h->strength[f->profile].faults.items[f->fault];
        if (fault->kind->group == LB_FAULTS_PLATFORM ||
            (fault->kind->operations & 1u << LB_STEP_MAC) != 0)
            return true;
    }
    return false;
}

/* ---- Another case ---- */

/* A case but for what people and recordings say: a fault that several cases are to catch is not
 * caught by one of them again. None is known where one case is enough. */
static const char *body_of(const lb_case *c, lb_arena *arena)
{
    lb_case bare = *c;
    bare.id = lb_arena_strdup(arena, "candidate");
    bare.note = NULL;
    bare.tag_count = 0;
    bare.expect_count = 0;
    return lb_case_to_json(&bare, arena);
}

static bool is_known(const lb_texts *known, const lb_case *c, lb_arena *arena)
{
    const char *body = known->count > 0 ? body_of(c, arena) : "";
    for (size_t i = 0; i < known->count; i++)
        if (strcmp(known->items[i], body) == 0)
            return true;
    return false;
}

static void know_row(lb_texts *known, const lb_strength_row *row)
{
    lb_arena arena = {0};
    for (size_t i = 0; i < row->count; i++) {
        lb_case c = {0};
        lb_arena_reset(&arena);
        if (lb_case_from_json(row->items[i].text, strlen(row->items[i].text), &arena, &c))
            lb_texts_add(known, body_of(&c, &arena));
    }
    lb_arena_free(&arena);
}

/* ---- Making it small ---- */

typedef struct target {
    lb_fault_hunt *hunt;
    const lb_texts *known;
    const lb_fault_finds *wanted;
    bool vacuous, wide; /* it may find nothing else; it may leave the accumulators */
    lb_fault_finds *now;
    lb_arena arena;
} target;

static bool holds(const lb_fault_finds *finds, const lb_fault_find *one)
{
    for (size_t i = 0; i < finds->count; i++)
        if (finds->items[i].profile == one->profile && finds->items[i].fault == one->fault &&
            finds->items[i].other == one->other)
            return true;
    return false;
}

static bool still_finds(target *t, const lb_case *c)
{
    if (!t->hunt->search->pairs)
        return lb_fault_still_caught(t->hunt, c, t->wanted);
    lb_fault_try_pairs(t->hunt, c, t->now);
    for (size_t i = 0; i < t->wanted->count; i++)
        if (!holds(t->now, &t->wanted->items[i]))
            return false;
    return true;
}

static bool still_catches(void *user, const lb_case *c)
{
    target *t = user;
    lb_case read;
    lb_arena_reset(&t->arena);
    if (!read_text(lb_case_to_json(c, &t->arena), &t->arena, &read) ||
        is_known(t->known, &read, &t->arena))
        return false;
    return still_finds(t, &read) &&
           (t->vacuous || !lb_vacuous_reason(&read, t->hunt->search->profiles[0], &t->arena)) &&
           (t->wide || !leaves_width(t->hunt, &read, &t->arena)) &&
           !leaves_domain(t->hunt, &read, &t->arena);
}

/* ---- Telling it ---- */

static const lb_fault *fault_of(const lb_fault_hunt *h, size_t profile, size_t fault)
{
    return &h->strength[profile].faults.items[fault];
}

/* How many faults, whatever the profiles. */
static size_t different(const lb_fault_hunt *h, const lb_fault_finds *finds)
{
    size_t count = 0;
    for (size_t i = 0; i < finds->count; i++) {
        const lb_fault *fault = fault_of(h, finds->items[i].profile, finds->items[i].fault);
        bool met = false;
        for (size_t k = 0; k < i && !met; k++)
            met =
                lb_fault_equal(fault, fault_of(h, finds->items[k].profile, finds->items[k].fault));
        count += !met;
    }
    return count;
}

static char *note_of(const lb_fault_hunt *h, const lb_fault_finds *finds, lb_arena *arena)
{
    const lb_fault_find *first = &finds->items[0];
    const lb_fault *fault = fault_of(h, first->profile, first->fault);
    size_t more = different(h, finds) - 1;
    char *note =
        h->search->pairs
            ? lb_arena_printf(arena, "Tells \"%s\" from \"%s\"", lb_fault_sentence(fault, arena),
                              lb_fault_sentence(fault_of(h, first->profile, first->other), arena))
            : lb_arena_printf(arena, "Catches a kernel that %s", lb_fault_sentence(fault, arena));
    const char *section = lb_fault_section(fault, h->kernel);
    if (section && *section)
        note = lb_arena_printf(arena, "%s (%s)", note, section);
    return more ? lb_arena_printf(arena, "%s, and %zu more faults", note, more) : note;
}

typedef struct found_cases {
    lb_texts cases;
    lb_texts known; /* of suites and of what was found */
} found_cases;

static const char *finish_text(const lb_fault_hunt *h, lb_case *c, const lb_fault_finds *finds,
                               bool vacuous, size_t number, lb_arena *arena)
{
    const lb_fault *first = fault_of(h, finds->items[0].profile, finds->items[0].fault);
    c->id = lb_arena_printf(arena, "%.70s.%s.%s.%zu", lb_kernel_short_name(c->kernel),
                            h->search->pairs ? "pair" : "fault", first->kind->name, number);
    c->note = note_of(h, finds, arena);
    return lb_found_text(c, "faults", h->search->level, vacuous, arena);
}

static void leave_out(lb_fault_finds *finds, const lb_fault_finds *counted)
{
    size_t kept = 0;
    for (size_t i = 0; i < finds->count; i++)
        if (!holds(counted, &finds->items[i]))
            finds->items[kept++] = finds->items[i];
    finds->count = kept;
}

/* What the small case shows counts, which may be more than what was wanted. */
static void keep_find(lb_fault_hunt *h, const lb_case *c, target *t, found_cases *found,
                      lb_arena *arena)
{
    lb_case small = *lb_shrink_shapes(c, still_catches, t, SHRINK_TRIES, arena);
    small = *lb_shrink_enrich(&small, still_catches, t, arena);
    const char *text = finish_text(h, &small, t->wanted, t->vacuous, found->cases.count, arena);
    lb_case read;
    if (strlen(text) > MAX_FIND_BYTES)
        return;
    lb_texts_add(&found->cases, text);
    if (!read_text(text, arena, &read))
        return;
    if (h->search->pairs) {
        lb_fault_keep_pairs(h, &read);
    } else {
        lb_fault_keep_survivors(h, t->wanted);
        try_faults(h, &read, t->now);
        leave_out(t->now, t->wanted); /* one case is one catch */
        lb_fault_keep_survivors(h, t->now);
        if (h->search->limits.catches > 1)
            lb_texts_add(&found->known, body_of(&read, arena));
    }
    lb_cover_corpus_add(h->search->corpus, &small);
}

/* ---- The search ---- */

static size_t open_of(const lb_fault_hunt *h)
{
    size_t open = 0;
    if (h->search->pairs)
        return lb_fault_confused(h);
    for (size_t p = 0; p < h->search->profile_count; p++)
        for (size_t f = 0; f < h->strength[p].faults.count; f++)
            open += lb_fault_is_open(h, p, f);
    return open;
}

/* A candidate, written and read back. */
static bool try_case(lb_fault_hunt *h, lb_case *c, bool may_be_vacuous, lb_fault_finds finds[2],
                     found_cases *found, lb_arena *arena)
{
    const lb_fault_search *search = h->search;
    lb_case read;
    c->id = lb_arena_strdup(arena, "candidate");
    const char *text = lb_case_to_json(c, arena);
    if (strlen(text) > search->max_text_bytes || !read_text(text, arena, &read) ||
        is_known(&found->known, &read, arena))
        return false;
    try_faults(h, &read, &finds[0]);
    target t = {.hunt = h, .known = &found->known, .wanted = &finds[0], .now = &finds[1]};
    if (finds[0].count == 0 || different(h, &finds[0]) < search->gain) {
        if (finds[0].news)
            lb_cover_corpus_add(search->corpus, &read);
        return false;
    }
    t.vacuous = lb_vacuous_reason(&read, search->profiles[0], arena) != NULL;
    t.wide = is_about_width(h, &finds[0]) && !lb_sum_width_binds(h->kernel);
    if ((t.vacuous && !may_be_vacuous) || (!t.wide && leaves_width(h, &read, arena)) ||
        leaves_domain(h, &read, arena))
        return false;
    keep_find(h, c, &t, found, arena);
    lb_arena_free(&t.arena);
    return true;
}

/* Those that were given: again, as long as they bring more than a candidate may take steps for;
 * once where several cases are to catch a fault, as the same one would be made small again. */
static void try_given(lb_fault_hunt *h, lb_fault_finds finds[2], found_cases *found)
{
    const lb_strength_cases *first = h->search->first;
    const bool again = h->search->limits.catches == 1;
    lb_arena arena = {0};
    for (size_t i = 0; first && i < first->of[lb_kernel_number(h->kernel)].count; i++) {
        const char *text = first->of[lb_kernel_number(h->kernel)].items[i].text;
        bool find = true;
        for (int n = 0; find && open_of(h) > 0 && (n == 0 || again); n++) {
            lb_case c = {0};
            lb_arena_reset(&arena);
            find = lb_case_from_json(text, strlen(text), &arena, &c) &&
                   try_case(h, &c, true, finds, found, &arena);
        }
    }
    lb_arena_free(&arena);
}

static void look_for_more(lb_fault_hunt *h, found_cases *found)
{
    const lb_candidates from = {.corpus = h->search->corpus, .seed = h->search->seed};
    lb_arena arena = {0};
    unsigned long idle = 0;
    uint64_t index = (uint64_t)lb_kernel_number(h->kernel) << 32;
    lb_fault_finds *finds = calloc(2, sizeof *finds);
    if (!finds)
        lb_out_of_memory(2 * sizeof *finds);
    try_given(h, finds, found);
    while (idle < h->search->patience && open_of(h) > 0) {
        lb_case c = {0};
        lb_arena_reset(&arena);
        bool find = lb_candidate_make(&from, h->kernel, index++, &arena, &c) &&
                    try_case(h, &c, idle > h->search->patience / 2, finds, found, &arena);
        idle = find ? 0 : idle + 1;
    }
    free(finds);
    lb_arena_free(&arena);
}

static int shorter_first(const void *left, const void *right)
{
    size_t a = strlen(*(char *const *)left), b = strlen(*(char *const *)right);
    return a != b ? (a < b ? -1 : 1) : strcmp(*(char *const *)left, *(char *const *)right);
}

lb_fault_search_result lb_fault_search_function(const lb_fault_search *search,
                                                const lb_kernel *kernel)
{
    const lb_strength_row *row = &search->cases->of[lb_kernel_number(kernel)];
    lb_fault_search_result result = {0};
    found_cases found = {0};
    lb_fault_hunt h = {.search = search, .kernel = kernel};
    if (!kernel->exact || row->count == 0)
        return result;
    for (size_t p = 0; p < search->profile_count; p++)
        lb_strength_measure(&h.strength[p], row, kernel, search->profiles[p], &search->limits);
    if (search->pairs)
        lb_fault_pairs_begin(&h, row);
    if (search->limits.catches > 1)
        know_row(&found.known, row);
    result.open = open_of(&h);
    look_for_more(&h, &found);
    result.closed = result.open - open_of(&h);
    result.cases = found.cases.count;
    if (result.cases > 0)
        qsort(found.cases.items, result.cases, sizeof *found.cases.items, shorter_first);
    for (size_t i = 0; i < result.cases; i++)
        search->found(search->user, found.cases.items[i]);
    lb_texts_free(&found.cases);
    lb_texts_free(&found.known);
    for (size_t p = 0; p < search->profile_count; p++) {
        lb_strength_free(&h.strength[p]);
        free(h.results[p]);
    }
    lb_arena_free(&h.trying);
    return result;
}
