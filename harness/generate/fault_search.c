/* The search for cases that catch faults, or tell them apart: see fault_search.h. */
#include "harness/generate/fault_hunt.h"
#include "harness/generate/sum_domain.h"
#include "harness/suite/suite.h"

#include <stdlib.h>
#include <string.h>

static const lb_fault *fault_of(const lb_fault_hunt *h, size_t profile, size_t fault)
{
    return &h->strength[profile].faults.items[fault];
}

static bool is_about_width(void *user, const lb_finds *finds)
{
    const lb_fault_hunt *h = user;
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
    const lb_fault_hunt *h = user;
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

/* ---- Telling it ---- */

static void tell(lb_fault_hunt *h, lb_case *c, const lb_finds *finds, const char *as, size_t number,
                 const char *note, lb_arena *arena)
{
    const lb_fault *fault = fault_of(h, finds->items[0].profile, finds->items[0].what);
    const size_t more = different(h, finds) - 1;
    const char *section = lb_fault_section(fault, h->search.kernel);
    if (section && *section)
        note = lb_arena_printf(arena, "%s (%s)", note, section);
    c->id = lb_arena_printf(arena, "%.70s.%s.%s.%zu", lb_kernel_short_name(c->kernel), as,
                            fault->kind->name, number);
    c->note = more ? lb_arena_printf(arena, "%s, and %zu more faults", note, more)
                   : lb_arena_strdup(arena, note);
}

static const char *first_sentence(const lb_fault_hunt *h, const lb_finds *finds, lb_arena *arena)
{
    return lb_fault_sentence(fault_of(h, finds->items[0].profile, finds->items[0].what), arena);
}

/* ---- What is hunted ---- */

static bool survivors_are_open(void *user)
{
    return lb_fault_survivors(user) > 0;
}

static void tell_survivor(void *user, lb_case *c, const lb_finds *finds, size_t number,
                          lb_arena *arena)
{
    tell(user, c, finds, "fault", number,
         lb_arena_printf(arena, "Catches a kernel that %s", first_sentence(user, finds, arena)),
         arena);
}

/* What the small case shows counts, which may be more than what was wanted; one case is one catch.
 */
static void keep_survivors(void *user, const lb_case *c, const lb_finds *finds)
{
    lb_fault_hunt *h = user;
    lb_finds *now = &h->search.now;
    size_t kept = 0;
    lb_fault_keep_survivors(h, finds);
    lb_fault_try_survivors(h, c, now);
    for (size_t i = 0; i < now->count; i++)
        if (!lb_finds_hold(finds, &now->items[i]))
            now->items[kept++] = now->items[i];
    now->count = kept;
    lb_fault_keep_survivors(h, now);
}

static bool pairs_are_open(void *user)
{
    return lb_fault_confused(user) > 0;
}

static void tell_pair(void *user, lb_case *c, const lb_finds *finds, size_t number, lb_arena *arena)
{
    const lb_fault *other = fault_of(user, finds->items[0].profile, finds->items[0].other);
    tell(user, c, finds, "pair", number,
         lb_arena_printf(arena, "Tells \"%s\" from \"%s\"", first_sentence(user, finds, arena),
                         lb_fault_sentence(other, arena)),
         arena);
}

static void keep_pairs(void *user, const lb_case *c, const lb_finds *finds)
{
    (void)finds;
    lb_fault_keep_pairs(user, c);
}

static const lb_goal survivors = {.tag = "faults",
                                  .is_open = survivors_are_open,
                                  .look = lb_fault_try_survivors,
                                  .still = lb_fault_still_caught,
                                  .is_about_width = is_about_width,
                                  .worth = different,
                                  .tell = tell_survivor,
                                  .keep = keep_survivors},
                     pairs = {.tag = "faults",
                              .is_open = pairs_are_open,
                              .look = lb_fault_try_pairs,
                              .is_about_width = is_about_width,
                              .worth = different,
                              .tell = tell_pair,
                              .keep = keep_pairs};

/* ---- The search ---- */

/* Those that were given: again, as long as they bring more than a candidate may take steps for;
 * once where several cases are to catch a fault, as the same one would be made small again. */
static void try_given(lb_search *s, const lb_strength_cases *first)
{
    const lb_strength_row *row = first ? &first->of[lb_kernel_number(s->kernel)] : NULL;
    lb_arena arena = {0};
    for (size_t i = 0; row && i < row->count; i++) {
        bool find = true;
        for (int n = 0; find && s->goal->is_open(s->user) && (n == 0 || !s->never_twice); n++) {
            lb_case c = {0};
            lb_arena_reset(&arena);
            find = lb_case_from_json(row->items[i].text, strlen(row->items[i].text), &arena, &c) &&
                   lb_search_try(s, &c, true);
        }
    }
    lb_arena_free(&arena);
}

static void know_row(lb_search *s, const lb_strength_row *row)
{
    lb_arena arena = {0};
    for (size_t i = 0; i < row->count && s->never_twice; i++) {
        lb_case c = {0};
        lb_arena_reset(&arena);
        if (lb_case_from_json(row->items[i].text, strlen(row->items[i].text), &arena, &c))
            lb_search_know(s, &c);
    }
    lb_arena_free(&arena);
}

lb_fault_search_result lb_fault_search_function(const lb_fault_search *asked,
                                                const lb_kernel *kernel, FILE *out)
{
    /* A case that needs more text or steps than this is not worth its place: another one may do. */
    enum { MAX_STEPS = 200000, MAX_FIND_BYTES = 8000 };
    const lb_strength_row *row = &asked->cases->of[lb_kernel_number(kernel)];
    size_t (*open_of)(const lb_fault_hunt *) =
        asked->pairs ? lb_fault_confused : lb_fault_survivors;
    lb_fault_search_result result = {0};
    lb_fault_hunt h = {.search = asked->search, .limits = asked->limits};
    if (!kernel->exact || row->count == 0)
        return result;
    h.search.goal = asked->pairs ? &pairs : &survivors;
    h.search.user = &h;
    h.search.kernel = kernel;
    h.search.never_twice = h.limits.catches > 1;
    h.search.max_steps = MAX_STEPS;
    h.search.max_find_bytes = MAX_FIND_BYTES;
    for (size_t p = 0; p < h.search.profile_count; p++)
        lb_strength_measure(&h.strength[p], row, kernel, h.search.profiles[p], &h.limits);
    if (asked->pairs)
        lb_fault_pairs_begin(&h, row);
    know_row(&h.search, row);
    result.open = open_of(&h);
    try_given(&h.search, asked->first);
    lb_search_run(&h.search);
    result.closed = result.open - open_of(&h);
    lb_search_end(&h.search, out);
    for (size_t p = 0; p < h.search.profile_count; p++) {
        lb_strength_free(&h.strength[p]);
        free(h.results[p]);
    }
    lb_arena_free(&h.trying);
    return result;
}
