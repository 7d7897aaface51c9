/* lastbit vectors generate --faults and --pairs: cases that catch faults of the bank which no case
 * of suites catches, or too few, or that tell two faults apart which every case confuses. See
 * wish.h. */
#include "harness/base/xalloc.h"
#include "harness/coverage/function_jobs.h"
#include "harness/coverage/strength.h"
#include "harness/coverage/suites.h"
#include "harness/generate/search.h"
#include "harness/generate/sum_domain.h"
#include "harness/generate/wish.h"
#include "harness/suite/profile_choice.h"
#include "harness/suite/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A function that faults are hunted in. */
typedef struct hunt {
    lb_search search;
    /* Marks the faults of a profile that are hunted; gives how many. */
    size_t (*want)(struct hunt *h, size_t p);
    lb_strength_limits limits;             /* of measuring what the suites catch */
    lb_strength strength[LB_MAX_PROFILES]; /* by profile: faults, and how often each is caught */
    /* Pairs, by fault: its results over all cases so far, those of the case at hand; faults with
     * the same results side by side. */
    uint64_t *results[LB_MAX_PROFILES], *now[LB_MAX_PROFILES];
    size_t *order[LB_MAX_PROFILES];
    lb_arena trying;              /* memory of one try */
    size_t next[LB_MAX_PROFILES]; /* by profile: the fault to begin with, where the last candidate
                                     took all the steps that it may take */
} hunt;

static bool read_case(const lb_strength_row *row, size_t i, lb_arena *arena, lb_case *c)
{
    const char *text = row->items[i].text;
    lb_arena_reset(arena);
    *c = (lb_case){0};
    return lb_case_from_json(text, strlen(text), arena, c);
}

/* The case in the profile, and which of the wanted faults of steps have something to change. */
static bool begin(hunt *h, size_t profile, const lb_case *c, lb_fault_bench *bench)
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

static size_t count_open(hunt *h)
{
    size_t open = 0;
    for (size_t p = 0; p < h->search.profile_count; p++)
        open += h->want(h, p);
    return open;
}

static bool is_any_open(void *user)
{
    return count_open(user) > 0;
}

/* ---- Survivors ---- */

/* Faults that need more catches (limits.catches) and are not excused by a proof. */
static size_t want_survivors(hunt *h, size_t p)
{
    lb_strength *s = &h->strength[p];
    size_t open = 0;
    for (size_t f = 0; f < s->faults.count; f++) {
        s->wanted[f] = s->catches[f] < h->limits.catches && !s->proofs[f];
        open += s->wanted[f];
    }
    return open;
}

/* The survivors of a profile, from where the last candidate ended. Steps are what takes time: a
 * candidate has so many of them, over all faults. */
static void try_in_profile(hunt *h, size_t p, lb_fault_bench *bench, lb_finds *finds)
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

/* Those that a case catches, in any of the profiles; not all of them are tried on a case that
 * takes many steps. */
static void try_survivors(void *user, const lb_case *c, lb_finds *finds)
{
    hunt *h = user;
    lb_fault_bench bench;
    finds->count = 0;
    finds->news = false;
    for (size_t p = 0; p < h->search.profile_count; p++) {
        h->want(h, p);
        if (!begin(h, p, c, &bench))
            return;
        try_in_profile(h, p, &bench, finds);
    }
}

/* Does a case catch all that was found, profile by profile? No other fault is tried. */
static bool is_still_caught(void *user, const lb_case *c, const lb_finds *finds)
{
    hunt *h = user;
    lb_fault_bench bench;
    for (size_t i = 0; i < finds->count; i++) {
        const size_t p = finds->items[i].profile;
        lb_strength *s = &h->strength[p];
        if (i == 0 || finds->items[i - 1].profile != p) {
            memset(s->wanted, 0, s->faults.count * sizeof *s->wanted);
            for (size_t k = i; k < finds->count && finds->items[k].profile == p; k++)
                s->wanted[finds->items[k].what] = true;
            if (!begin(h, p, c, &bench))
                return false;
        }
        if (!acts(s, &bench, finds->items[i].what) || !lb_fault_is_caught(&bench))
            return false;
    }
    return true;
}

/* What the small case shows counts, which may be more than what was wanted; one case is one catch.
 */
static void keep_survivors(void *user, const lb_case *c, const lb_finds *finds)
{
    hunt *h = user;
    lb_finds *now = &h->search.now;
    for (size_t i = 0; i < finds->count; i++)
        h->strength[finds->items[i].profile].catches[finds->items[i].what]++;
    try_survivors(h, c, now);
    for (size_t i = 0; i < now->count; i++)
        h->strength[now->items[i].profile].catches[now->items[i].what] +=
            !lb_finds_hold(finds, &now->items[i]);
}

/* ---- Pairs ---- */

static int by_result(const void *left, const void *right, void *user)
{
    const uint64_t *result = user;
    size_t a = *(const size_t *)left, b = *(const size_t *)right;
    if (result[a] != result[b])
        return result[a] < result[b] ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* Has the fault in this place of the order all results of the one before it? */
static bool is_twin(const hunt *h, size_t p, size_t i)
{
    return h->results[p][h->order[p][i]] == h->results[p][h->order[p][i - 1]];
}

/* Faults that have a twin, and are caught: nobody asks which of two harmless faults it is. */
static size_t want_twins(hunt *h, size_t p)
{
    lb_strength *s = &h->strength[p];
    size_t *order = h->order[p], confused = 0;
    for (size_t f = 0; f < s->faults.count; f++)
        order[f] = f;
    if (s->faults.count > 0)
        qsort_r(order, s->faults.count, sizeof *order, by_result, h->results[p]);
    memset(s->wanted, 0, s->faults.count * sizeof *s->wanted);
    for (size_t i = 1; i < s->faults.count; i++)
        if (is_twin(h, p, i) && s->catches[order[i]] > 0) {
            s->wanted[order[i]] = s->wanted[order[i - 1]] = true;
            confused++;
        }
    return confused;
}

/* What each wanted fault leaves of the case, and the others do not change. */
static bool digests(hunt *h, size_t p, const lb_case *c)
{
    const lb_strength *s = &h->strength[p];
    lb_fault_bench bench;
    if (!begin(h, p, c, &bench))
        return false;
    uint64_t right = lb_fault_digest(&bench.right);
    for (size_t f = 0; f < s->faults.count; f++)
        h->now[p][f] = s->wanted[f] && acts(s, &bench, f) && lb_fault_is_caught(&bench)
                           ? lb_fault_digest(&bench.out)
                           : right;
    return true;
}

/* Pairs that give one result in every case so far, and two in this one: one pair for each class
 * that it splits. */
static void try_pairs(void *user, const lb_case *c, lb_finds *finds)
{
    hunt *h = user;
    finds->count = 0;
    finds->news = false;
    for (size_t p = 0; p < h->search.profile_count; p++) {
        h->want(h, p);
        const lb_strength *s = &h->strength[p];
        const bool tried = digests(h, p, c);
        bool is_split = false;
        for (size_t i = 1; tried && i < s->faults.count; i++) {
            const size_t a = h->order[p][i - 1], b = h->order[p][i];
            is_split = is_split && is_twin(h, p, i);
            if (is_twin(h, p, i) && s->wanted[b] && h->now[p][a] != h->now[p][b] && !is_split) {
                lb_finds_add(finds, (lb_find){p, b, a});
                is_split = true;
            }
        }
    }
}

static void tell_apart(void *user, const lb_case *c, const lb_finds *finds)
{
    hunt *h = user;
    (void)finds;
    for (size_t p = 0; p < h->search.profile_count; p++) {
        const lb_strength *s = &h->strength[p];
        memset(s->wanted, 1, s->faults.count * sizeof *s->wanted);
        if (!digests(h, p, c))
            continue;
        for (size_t f = 0; f < s->faults.count; f++) {
            const uint64_t all = h->results[p][f];
            h->results[p][f] = ((all << 7 | all >> 57) ^ h->now[p][f]) * 0x9e3779b97f4a7c15u;
        }
    }
}

/* ---- Goals ---- */

static const lb_fault *fault_of(const hunt *h, size_t profile, size_t fault)
{
    return &h->strength[profile].faults.items[fault];
}

static bool is_about_width(void *user, const lb_finds *finds)
{
    const hunt *h = user;
    bool is_about = false;
    for (size_t i = 0; i < finds->count && !is_about; i++) {
        const lb_fault_kind *kind =
            fault_of(h, finds->items[i].profile, finds->items[i].what)->kind;
        is_about = kind->group == LB_FAULTS_PLATFORM || (kind->operations & 1u << LB_STEP_MAC) != 0;
    }
    /* where the spec says nothing of sums that leave their accumulator, no fault is an excuse */
    return is_about && !lb_sum_width_binds(h->search.kernel);
}

/* How many faults, whatever the profiles. */
static size_t different(void *user, const lb_finds *finds)
{
    const hunt *h = user;
    size_t count = 0;
    for (size_t i = 0; i < finds->count; i++) {
        const lb_fault *fault = fault_of(h, finds->items[i].profile, finds->items[i].what);
        bool met = false;
        for (size_t k = 0; k < i && !met; k++)
            met = lb_fault_equal(fault, fault_of(h, finds->items[k].profile, finds->items[k].what));
        count += !met;
    }
    return count;
}

static void tell(void *user, lb_case *c, const lb_finds *finds, size_t number, lb_arena *arena)
{
    const hunt *h = user;
    const lb_find *first = &finds->items[0];
    const lb_fault *fault = fault_of(h, first->profile, first->what),
                   *other = fault_of(h, first->profile, first->other);
    const bool is_pair = other != fault;
    const size_t more = different(user, finds) - 1;
    const char *section = lb_fault_section(fault, h->search.kernel),
               *sentence = lb_fault_sentence(fault, arena);
    c->id = lb_arena_printf(arena, "%.70s.%s.%s.%zu", lb_kernel_short_name(c->kernel),
                            is_pair ? "pair" : "fault", fault->kind->name, number);
    c->note = is_pair ? lb_arena_printf(arena, "Tells \"%s\" from \"%s\"", sentence,
                                        lb_fault_sentence(other, arena))
                      : lb_arena_printf(arena, "Catches a kernel that %s", sentence);
    if (section && *section)
        c->note = lb_arena_printf(arena, "%s (%s)", c->note, section);
    if (more)
        c->note = lb_arena_printf(arena, "%s, and %zu more faults", c->note, more);
}

static const lb_goal survivors = {.tag = "faults",
                                  .is_open = is_any_open,
                                  .look = try_survivors,
                                  .still = is_still_caught,
                                  .is_about_width = is_about_width,
                                  .worth = different,
                                  .tell = tell,
                                  .keep = keep_survivors},
                     pairs = {.tag = "faults",
                              .is_open = is_any_open,
                              .look = try_pairs,
                              .is_about_width = is_about_width,
                              .worth = different,
                              .tell = tell,
                              .keep = tell_apart};

/* ---- The search ---- */

/* Of all functions. */
typedef struct work {
    const lb_generate_wish *request;
    lb_strength_cases cases, first; /* of the suites; tried before all others, as they are */
    lb_cover_corpus *corpus;
    lb_texts found[256]; /* by function */
    size_t open, closed; /* faults before the search; of these, by what was found */
} work;

/* Those that were given: again, as long as they bring more than a candidate may take steps for;
 * once where several cases are to catch a fault, as the same one would be made small again. */
static void try_given(lb_search *s, const lb_strength_row *row)
{
    lb_arena arena = {0};
    for (size_t i = 0; i < row->count; i++) {
        bool find = true;
        for (int n = 0; find && s->goal->is_open(s->user) && (n == 0 || !s->never_twice); n++) {
            lb_case c;
            find = read_case(row, i, &arena, &c) && lb_search_try(s, &c, true);
        }
    }
    lb_arena_free(&arena);
}

/* No case of the row is found again; pairs begin with what its cheapest tell. */
static void begin_with(hunt *h, const lb_strength_row *row)
{
    enum { FIRST_CASES = 40 };
    const bool tells = h->search.goal == &pairs;
    const size_t count = h->search.never_twice ? row->count : tells ? FIRST_CASES : 0;
    lb_arena arena = {0};
    lb_case c;
    for (size_t p = 0; p < h->search.profile_count && tells; p++) {
        lb_strength *s = &h->strength[p];
        h->results[p] = lb_arena_array(&s->arena, s->faults.count, sizeof *h->results[p]);
        h->now[p] = lb_arena_array(&s->arena, s->faults.count, sizeof *h->now[p]);
        h->order[p] = lb_arena_array(&s->arena, s->faults.count, sizeof *h->order[p]);
    }
    for (size_t i = 0; i < count && i < row->count; i++)
        if (read_case(row, i, &arena, &c)) {
            lb_search_know(&h->search, &c);
            if (tells && i < FIRST_CASES)
                tell_apart(h, &c, NULL);
        }
    lb_arena_free(&arena);
}

/* A case that needs more text or steps than this is not worth its place: another one may do. */
enum { MAX_STEPS = 200000, MAX_FIND_BYTES = 8000, MAX_TEXT_BYTES = 40000 };
enum { TRIES = 60, PATIENCE = 400 };
static const uint64_t STEPS = 20000000;

static hunt hunt_of(const work *w, const lb_kernel *kernel)
{
    const lb_generate_wish *r = w->request;
    return (hunt){.limits = {.catches = r->catches, .steps = STEPS, .tries = TRIES},
                  .want = r->pairs ? want_twins : want_survivors,
                  .search = {.goal = r->pairs ? &pairs : &survivors,
                             .kernel = kernel,
                             .corpus = w->corpus,
                             .seed = r->seed,
                             .patience = r->patience ? r->patience : PATIENCE,
                             .gain = r->gain,
                             .max_text_bytes = MAX_TEXT_BYTES,
                             .max_find_bytes = MAX_FIND_BYTES,
                             .max_steps = MAX_STEPS,
                             .never_twice = r->catches > 1,
                             .level = r->level}};
}

/* Its cases, the shortest first, and then the figures as "open closed". */
static bool hunt_function(void *user, size_t number, FILE *out)
{
    const work *w = user;
    const lb_generate_wish *r = w->request;
    const lb_kernel *kernel = lb_kernel_at(number);
    const lb_strength_row *row = &w->cases.of[number];
    const lb_profile *profiles[LB_MAX_PROFILES];
    hunt h = hunt_of(w, kernel);
    if (!kernel->exact || row->count == 0)
        return true;
    h.search.user = &h;
    h.search.profiles = profiles;
    for (size_t p = 0; p < r->profile_count; p++)
        if (lb_kernel_is_in(kernel, r->profiles[p])) {
            profiles[h.search.profile_count] = r->profiles[p];
            lb_strength_measure(&h.strength[h.search.profile_count++], row, kernel, r->profiles[p],
                                &h.limits);
        }
    begin_with(&h, row);
    const size_t open = count_open(&h);
    try_given(&h.search, &w->first.of[number]);
    lb_search_run(&h.search);
    const size_t left = count_open(&h);
    lb_search_end(&h.search, out);
    fprintf(out, "%zu %zu\n", open, open - left);
    for (size_t p = 0; p < h.search.profile_count; p++)
        lb_strength_free(&h.strength[p]);
    lb_arena_free(&h.trying);
    return true;
}

/* ---- All functions ---- */

static void keep_line(void *user, size_t kernel, char *line)
{
    work *w = user;
    if (*line != '{') {
        char *rest;
        w->open += strtoul(line, &rest, 10);
        w->closed += strtoul(rest, NULL, 10);
        return;
    }
    lb_texts_add(&w->found[kernel], line);
}

/* The cheapest last: the newest are taken most often. */
static void fill_corpus(work *w)
{
    lb_arena arena = {0};
    w->corpus = lb_cover_corpus_new();
    for (size_t k = 0; k < lb_kernel_total(); k++)
        for (size_t i = w->cases.of[k].count; i-- > 0;) {
            const char *text = w->cases.of[k].items[i].text;
            lb_case c = {0};
            lb_arena_reset(&arena);
            if (strlen(text) <= MAX_TEXT_BYTES && lb_case_from_json(text, strlen(text), &arena, &c))
                lb_cover_corpus_add(w->corpus, &c);
        }
    lb_arena_free(&arena);
}

static void write_all(void *user, FILE *out)
{
    const work *w = user;
    size_t cases = 0;
    for (size_t k = 0; k < lb_kernel_total(); k++)
        for (size_t i = 0; i < w->found[k].count; i++, cases++)
            fprintf(out, "%s\n", w->found[k].items[i]);
    if (w->request->pairs)
        fprintf(stderr,
                "%zu cases tell %zu of %zu faults from others that they shared all results with\n",
                cases, w->closed, w->open);
    else if (w->request->catches > 1)
        fprintf(stderr,
                "%zu cases: %zu of %zu faults that fewer than %u cases of the suites catch are "
                "caught by so many\n",
                cases, w->closed, w->open, w->request->catches);
    else
        fprintf(stderr, "%zu cases catch %zu of %zu faults that survive the suites\n", cases,
                w->closed, w->open);
}

int lb_generate_faults(const lb_generate_wish *r)
{
    work *w = lb_resized(NULL, sizeof *w);
    *w = (work){.request = r};
    int status = lb_strength_cases_read(&w->cases, r->paths, r->path_count, r->up_to) ? 0 : 2;
    if (status == 0 && r->first && !lb_strength_cases_read(&w->first, &r->first, 1, LB_LEVEL_DEEP))
        status = 2;
    if (status == 0) {
        lb_cover_keep_sets(r->wanted, w->cases.sets);
        const lb_function_jobs jobs = {.wanted = r->wanted,
                                       .jobs = r->jobs,
                                       .each = hunt_function,
                                       .user = w,
                                       .line = keep_line};
        fill_corpus(w);
        status = lb_function_jobs_run(&jobs)
                     ? lb_generate_write(r->output, r->pairs ? "pairs" : "faults", write_all, w)
                     : 3;
    }
    for (size_t k = 0; k < lb_kernel_total(); k++)
        lb_texts_free(&w->found[k]);
    lb_cover_corpus_free(w->corpus);
    lb_strength_cases_free(&w->cases);
    lb_strength_cases_free(&w->first);
    free(w);
    return status;
}
