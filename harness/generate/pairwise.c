/* Cases for pairs of field classes: see wish.h. All attempts of a function are made first; what
 * they reach together is what can be reached, as far as anybody knows. Of them the one that reaches
 * most is taken, and again, until nothing is left. */
#include "harness/base/xalloc.h"
#include "harness/call/call_memory.h"
#include "harness/coverage/defined.h"
#include "harness/coverage/suites.h"
#include "harness/coverage/tuples.h"
#include "harness/coverage/vacuous.h"
#include "harness/generate/candidate.h"
#include "harness/generate/case_change.h"
#include "harness/generate/output.h"
#include "harness/generate/random_case.h"
#include "harness/generate/wish.h"
#include "harness/suite/case_write.h"
#include "harness/suite/suite.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_TEXT_BYTES = 1500, MOST_ELEMENTS = 800, FUNCTIONS = 256, ATTEMPTS = 4000 };

/* ---- Tries ---- */

typedef struct attempt {
    const char *text;
    size_t bytes, gain; /* gain: at most so much, as it was when it was last looked at */
    bool is_uniform;
    size_t item_count;
    lb_field_item *items;
} attempt;

typedef struct attempts {
    const lb_kernel *kernel;
    size_t count, room;
    attempt *items;
    lb_tuples all;      /* what they reach, and suites do */
    lb_tuples *reached; /* what suites reach, and what is kept */
    lb_arena arena;
} attempts;

static bool make(const lb_candidates *from, const lb_kernel *kernel, uint64_t index,
                 lb_arena *arena, lb_case *c)
{
    const lb_random_options options = {.seed = from->seed, .small = true};
    *c = (lb_case){0};
    if (index % 4 != 0)
        return lb_random_case(kernel, &options, index, arena, c);
    return lb_candidate_make(from, kernel, index, arena, c);
}

/* With data from end to end where the function can bear them, else as they are. */
static const char *text_of(lb_case *made, lb_case *read, bool *is_uniform, lb_arena *arena)
{
    lb_case *uniform = lb_case_copy(arena, made);
    lb_case_make_uniform(uniform);
    for (int i = 0; i < 2 && lb_case_element_count(made) <= MOST_ELEMENTS; i++) {
        const char *text = lb_case_to_json(i == 0 ? uniform : made, arena);
        *is_uniform = i == 0;
        *read = (lb_case){0};
        if (strlen(text) <= MAX_TEXT_BYTES && lb_case_from_json(text, strlen(text), arena, read) &&
            read->kernel == made->kernel && lb_tuples_case_counts(read) &&
            (i > 0 || !lb_vacuous_reason(read, &lb_cover_set_of(read)->profiles[0], arena)))
            return text;
    }
    return NULL;
}

enum { ANY_CLASS = -1 };

static bool has_class(const lb_field_item *items, size_t count, int class)
{
    bool has = class == ANY_CLASS;
    for (size_t i = 0; i < count && !has; i++)
        has = items[i].id == class;
    return has;
}

/* NULL: the case does not count, or has not this class. */
static attempt *add_attempt(attempts *t, lb_case *made, int class, lb_arena *scratch)
{
    lb_case c = {0};
    lb_field_item items[LB_MAX_FIELD_ITEMS];
    made->id = lb_arena_strdup(scratch, "candidate");
    made->note = NULL;
    made->tag_count = made->expect_count = 0;
    bool is_uniform = false;
    const char *text = made->kernel == t->kernel ? text_of(made, &c, &is_uniform, scratch) : NULL;
    if (!text)
        return NULL;
    const size_t count = lb_field_items(&c, items);
    if (!has_class(items, count, class))
        return NULL;
    t->items = lb_room_for_one(t->items, t->count, &t->room, sizeof *t->items);
    attempt *made_attempt = &t->items[t->count++];
    *made_attempt = (attempt){.text = lb_arena_strdup(&t->arena, text),
                              .bytes = strlen(text),
                              .gain = SIZE_MAX,
                              .is_uniform = is_uniform,
                              .item_count = count,
                              .items = lb_arena_raw(&t->arena, (count + 1) * sizeof *items)};
    memcpy(made_attempt->items, items, count * sizeof *items);
    lb_tuples_look(&t->all, t->kernel, items, count, true);
    return made_attempt;
}

static attempts make_attempts(const lb_candidates *from, const lb_kernel *kernel,
                              unsigned long count, lb_tuples *reached)
{
    attempts t = {.kernel = kernel, .reached = reached};
    lb_arena scratch = {0};
    lb_case made;
    for (size_t i = 0; i < reached->room; i++)
        if (reached->keys[i])
            lb_tuples_put(&t.all, reached->keys[i]);
    for (unsigned long i = 0; i < count; i++) {
        lb_arena_reset(&scratch);
        if (make(from, kernel, i, &scratch, &made))
            add_attempt(&t, &made, ANY_CLASS, &scratch);
    }
    lb_arena_free(&scratch);
    return t;
}

/* ---- Choosing ---- */

/* Much for few bytes: a case costs a run some time however small it is. */
static double worth(const attempt *t)
{
    return t->gain == SIZE_MAX ? 1e30 : (double)t->gain / (double)(t->bytes + 500);
}

/* The next one to keep, or NULL: what an attempt gains only becomes less, so one that is still the
 * best after it has been looked at again is the best of all. It stays, until it gains nothing. */
static const attempt *next_of(attempts *t, size_t gain)
{
    for (;;) {
        attempt *best = NULL;
        for (size_t i = 0; i < t->count; i++)
            if (t->items[i].gain >= gain && (!best || worth(&t->items[i]) > worth(best)))
                best = &t->items[i];
        if (!best)
            return NULL;
        const size_t before = best->gain;
        best->gain = lb_tuples_look(t->reached, t->kernel, best->items, best->item_count, false);
        if (best->gain == before)
            return best;
    }
}

/* ---- Telling ---- */

typedef struct pairwise {
    const lb_generate_wish *request;
    lb_tuples reached[FUNCTIONS]; /* by function: of the suites, and of what is kept */
    lb_cover_corpus *corpus;
    FILE *out;
    size_t cases, bytes, reached_count, missed_count, excluded_count, open_count, wrong_count;
} pairwise;

/* Has a case both classes? */
static bool meet(const lb_kernel *kernel, const lb_tuples *reached, uint16_t one, uint16_t other)
{
    const lb_field_item both[] = {{one, -1}, {other, -1}};
    return lb_tuples_look((lb_tuples *)reached, kernel, both, 2, false) == 0;
}

typedef struct pair_names {
    char one[LB_FIELD_ITEM_BYTES], other[LB_FIELD_ITEM_BYTES];
} pair_names;

static pair_names names_of(const lb_kernel *kernel, uint16_t one, uint16_t other)
{
    pair_names names;
    lb_field_item_name(kernel, one, names.one);
    lb_field_item_name(kernel, other, names.other);
    return names;
}

/* Two classes that its reach and none shows together. */
static char *name_tuple(const attempts *t, const attempt *kept, lb_arena *arena)
{
    for (size_t i = 0; i < kept->item_count; i++)
        for (size_t j = i + 1; j < kept->item_count; j++) {
            if (meet(t->kernel, t->reached, kept->items[i].id, kept->items[j].id))
                continue;
            const pair_names names = names_of(t->kernel, kept->items[i].id, kept->items[j].id);
            return lb_arena_printf(arena, "Hunts faults where %s meets %s", names.one, names.other);
        }
    return lb_arena_strdup(arena, "Hunts faults where three fields of a dimension meet");
}

static void write_case(pairwise *p, const attempts *t, const attempt *kept, size_t number)
{
    lb_arena arena = {0};
    lb_case c = {0};
    if (lb_case_from_json(kept->text, strlen(kept->text), &arena, &c)) {
        char *note = name_tuple(t, kept, &arena);
        if (kept->is_uniform)
            lb_case_make_uniform(&c);
        c.id = lb_arena_printf(&arena, "%.100s.pairs.%s%03zu", lb_kernel_short_name(t->kernel),
                               p->request->level ? p->request->level : "", number);
        c.note = kept->gain > 1
                     ? lb_arena_printf(&arena, "%s, and in %zu more pairs", note, kept->gain - 1)
                     : note;
        const bool vacuous = lb_vacuous_reason(&c, &lb_cover_set_of(&c)->profiles[0], &arena);
        const char *text = lb_found_text(&c, "pairwise", p->request->level, vacuous, &arena);
        fprintf(p->out, "%s\n", text);
        p->cases++;
        p->bytes += strlen(text) + 1;
    }
    lb_arena_free(&arena);
}

/* ---- What none reaches ---- */

/* Two classes that were seen, each for itself, and never together. */
typedef struct unreached {
    uint16_t one, other;
    lb_exclusion exclusion; /* what the checks say of it; of an open one, the check at which aimed
                               tries end */
} unreached;

typedef struct unreached_list {
    size_t count, open; /* open: no check excludes them */
    unreached *items;
} unreached_list;

static lb_exclusion exclusion_of(const lb_kernel *kernel, uint16_t one, uint16_t other)
{
    lb_fact facts[2 * LB_MOST_FIELD_FACTS];
    unsigned count = lb_field_facts(kernel, one, facts);
    count += lb_field_facts(kernel, other, facts + count);
    return lb_checks_exclude(kernel, facts, count);
}

static unreached_list find_unreached(const lb_kernel *kernel, const lb_tuples *all)
{
    static bool seen[1 << 16];
    static uint16_t ids[1 << 12];
    unreached_list list = {.items = NULL};
    size_t count = 0, room = 0;
    memset(seen, 0, sizeof seen);
    for (size_t i = 0; i < all->room; i++) {
        uint16_t of[3];
        const unsigned parts = all->keys[i] ? lb_tuple_ids(all->keys[i], of) : 0;
        for (unsigned j = 0; j < parts; j++)
            seen[of[j]] = true;
    }
    for (size_t id = 0; id < sizeof seen && count < sizeof ids / sizeof *ids; id++)
        if (seen[id])
            ids[count++] = (uint16_t)id;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++)
            if (lb_field_of(ids[i]) != lb_field_of(ids[j]) && !meet(kernel, all, ids[i], ids[j])) {
                list.items = lb_room_for_one(list.items, list.count, &room, sizeof *list.items);
                list.items[list.count++] =
                    (unreached){ids[i], ids[j], exclusion_of(kernel, ids[i], ids[j])};
            }
    return list;
}

/* Pairs that the checks exclude, and a case has: an error of lastbit. */
static size_t count_wrong(const lb_kernel *kernel, const lb_tuples *all)
{
    size_t wrong = 0;
    for (size_t i = 0; i < all->room; i++) {
        uint16_t of[3];
        if (!all->keys[i] || lb_tuple_ids(all->keys[i], of) != 2)
            continue;
        const lb_exclusion e = exclusion_of(kernel, of[0], of[1]);
        if (!e.is_excluded)
            continue;
        const pair_names names = names_of(kernel, of[0], of[1]);
        fprintf(stderr, "lastbit: %s: %s with %s is reached, and excluded by %s: report this\n",
                kernel->name, names.one, names.other, e.by ? e.by->name : "itself");
        wrong++;
    }
    return wrong;
}

static void name_unreached(const lb_kernel *kernel, const unreached_list *list, FILE *out)
{
    for (size_t i = 0; i < list->count; i++) {
        const unreached *pair = &list->items[i];
        const pair_names names = names_of(kernel, pair->one, pair->other);
        const lb_rule *check = pair->exclusion.by;
        fprintf(out, "  %s with %s: %s%s\n", names.one, names.other,
                pair->exclusion.is_excluded ? check ? "excluded by check " : "contradicts itself"
                : check                     ? "open; tries end at check "
                                            : "open",
                check ? check->name : "");
    }
}

/* ---- Aimed tries ---- */

enum { MOST_BASES = 4 };

/* The number that makes the class. */
static int64_t telling_value(const lb_fact *fact)
{
    return fact->range.low > INT16_MIN ? fact->range.low : fact->range.high;
}

/* From rank to rank, one dimension after the other. */
static unsigned rank_changes(const lb_fact *fact, int64_t now, lb_change *changes)
{
    unsigned count = 0;
    while (now < fact->range.low || now > fact->range.high) {
        now += now < fact->range.low ? 1 : -1;
        changes[count++] = (lb_change){fact->leaf, now};
    }
    return count;
}

/* The classes of both as changes: of the one that the case has, so that it stays. */
static unsigned changes_for(const lb_kernel *kernel, const lb_case *c, uint16_t has, uint16_t wants,
                            lb_change changes[LB_MOST_FITTED], lb_arena *arena)
{
    lb_fact facts[2 * LB_MOST_FIELD_FACTS];
    const unsigned own = lb_field_facts(kernel, has, facts);
    const unsigned all = own + lb_field_facts(kernel, wants, facts + own);
    unsigned count = 0;
    for (unsigned i = 0; i < all; i++) {
        const int64_t now = lb_case_value(c, facts[i].leaf, arena);
        const bool is_met = now >= facts[i].range.low && now <= facts[i].range.high &&
                            facts[i].parity == LB_ANY_PARITY;
        if (facts[i].leaf.kind == LB_LEAF_RANK)
            count += rank_changes(&facts[i], now, changes + count);
        else
            changes[count++] =
                (lb_change){facts[i].leaf, i < own || is_met ? now : telling_value(&facts[i])};
    }
    return count;
}

/* The attempt that has one class is given the other too. NULL: the checks do not let it; *ends_at
 * is then the last that spoke, where one did. */
static attempt *aim_from(attempts *t, size_t base, uint16_t has, uint16_t wants,
                         const lb_rule **ends_at)
{
    const lb_random_options options = {.small = true};
    lb_arena scratch = {0};
    lb_case from = {0};
    lb_change changes[LB_MOST_FITTED];
    const attempt *a = &t->items[base];
    attempt *made = NULL;
    if (lb_case_from_json(a->text, a->bytes, &scratch, &from)) {
        lb_build b = {.random = lb_random_start(1, base),
                      .arena = &scratch,
                      .c = lb_case_copy(&scratch, &from),
                      .options = &options};
        const unsigned count = changes_for(t->kernel, &from, has, wants, changes, &scratch);
        const lb_rule *end;
        made = lb_case_fit(&b, changes, count, NULL, &end) ? add_attempt(t, b.c, wants, &scratch)
                                                           : NULL;
        *ends_at = end ? end : *ends_at;
    }
    lb_arena_free(&scratch);
    return made;
}

/* The next of so many attempts that has the class; count: none has. */
static size_t next_with(const attempts *t, size_t at, size_t count, uint16_t class)
{
    while (at < count && !has_class(t->items[at].items, t->items[at].item_count, class))
        at++;
    return at;
}

/* Some of the attempts that have the one class get the other. */
static void aim_at_pair(attempts *t, size_t count, unreached *pair)
{
    size_t at[2] = {0, 0};
    for (unsigned k = 0; k < 2 * MOST_BASES && !pair->exclusion.is_excluded; k++) {
        const uint16_t has = k % 2 ? pair->other : pair->one;
        const size_t base = next_with(t, at[k % 2], count, has);
        at[k % 2] = base + 1;
        if (base < count && !meet(t->kernel, &t->all, pair->one, pair->other))
            aim_from(t, base, has, k % 2 ? pair->one : pair->other, &pair->exclusion.by);
    }
}

/* Attempts that have the one class get the other, and what the checks ask for then. Gives what is
 * left. */
static unreached_list aim_at_unreached(attempts *t)
{
    unreached_list list = find_unreached(t->kernel, &t->all);
    const size_t count = t->count, found = list.count;
    for (size_t i = 0; i < found; i++)
        aim_at_pair(t, count, &list.items[i]);
    list.count = list.open = 0;
    for (size_t i = 0; i < found; i++)
        if (!meet(t->kernel, &t->all, list.items[i].one, list.items[i].other)) {
            list.open += !list.items[i].exclusion.is_excluded;
            list.items[list.count++] = list.items[i];
        }
    return list;
}

/* ---- Cases that reach more ---- */

enum { MOST_USELESS = 40 }; /* changes in turn, before a case is taken as it is */

/* Does the attempt have all classes of a pair or triple but one? *wants is that one, *has another.
 */
static bool lacks_one(const attempt *a, uint64_t key, uint16_t *has, uint16_t *wants)
{
    uint16_t ids[3];
    const unsigned count = lb_tuple_ids(key, ids);
    unsigned lacking = 0;
    for (unsigned i = 0; i < count; i++)
        if (has_class(a->items, a->item_count, ids[i]))
            *has = ids[i];
        else if (lacking++ == 0)
            *wants = ids[i];
    return lacking == 1;
}

/* An attempt with more of what is missing: where it has all classes of a tuple but one it is given
 * that, as long as it gains by it. So a case holds many tuples, and the suite few cases. */
static size_t grow(attempts *t, size_t at)
{
    const lb_tuples *all = &t->all;
    unsigned useless = 0;
    for (size_t i = 0; i < all->room && useless < MOST_USELESS; i++) {
        uint16_t has = 0, wants = 0;
        const lb_rule *end = NULL;
        if (!all->keys[i] || lb_tuples_has(t->reached, all->keys[i]) ||
            !lacks_one(&t->items[at], all->keys[i], &has, &wants))
            continue;
        attempt *made = aim_from(t, at, has, wants, &end);
        useless++;
        if (!made)
            continue;
        made->gain = lb_tuples_look(t->reached, t->kernel, made->items, made->item_count, false);
        if (worth(made) > worth(&t->items[at])) {
            at = (size_t)(made - t->items);
            useless = 0;
        }
    }
    return at;
}

/* ---- A function ---- */

/* Writes what reaches more; gives how many cases. */
static size_t write_function(pairwise *p, attempts *t)
{
    const size_t gain = p->request->gain ? p->request->gain : 1;
    const attempt *next;
    size_t kept = 0;
    while ((next = next_of(t, gain)) != NULL) {
        const size_t grown = grow(t, (size_t)(next - t->items));
        next = &t->items[grown]; /* which may have moved */
        write_case(p, t, next, ++kept);
        lb_tuples_look(t->reached, t->kernel, next->items, next->item_count, true);
    }
    return kept;
}

static void search_function(pairwise *p, const lb_kernel *kernel)
{
    const lb_generate_wish *r = p->request;
    lb_tuples *reached = &p->reached[lb_kernel_number(kernel)];
    const lb_candidates from = {.corpus = p->corpus, .seed = r->seed};
    attempts t = make_attempts(&from, kernel, r->patience ? r->patience : ATTEMPTS, reached);
    const size_t before = reached->count;
    unreached_list left = aim_at_unreached(&t);
    const size_t kept = r->only_count ? 0 : write_function(p, &t);
    FILE *told = r->only_count ? stdout : stderr;
    fprintf(told, "%s: %zu of %zu pairs reached", kernel->name, reached->count, t.all.count);
    if (kept > 0)
        fprintf(told, ", %zu before %zu cases more", before, kept);
    fprintf(told, "; of those that no try reaches the checks exclude %zu, and %zu are open\n",
            left.count - left.open, left.open);
    if (r->list)
        name_unreached(kernel, &left, told);
    p->reached_count += reached->count;
    p->missed_count += t.all.count - reached->count;
    p->excluded_count += left.count - left.open;
    p->open_count += left.open;
    p->wrong_count += count_wrong(kernel, &t.all);
    free(left.items);
    lb_tuples_free(&t.all);
    free(t.items);
    lb_arena_free(&t.arena);
}

/* ---- Running ---- */

static void note_case(void *user, const char *path, const lb_case *c)
{
    pairwise *p = user;
    lb_field_item items[LB_MAX_FIELD_ITEMS];
    (void)path;
    if (!c->kernel || !p->request->wanted[lb_kernel_number(c->kernel)])
        return;
    lb_cover_corpus_add(p->corpus, c);
    if (lb_tuples_case_counts(c))
        lb_tuples_look(&p->reached[lb_kernel_number(c->kernel)], c->kernel, items,
                       lb_field_items(c, items), true);
}

/* out NULL: only counts are told. */
static void write_all(void *user, FILE *out)
{
    pairwise *p = user;
    p->out = out;
    for (size_t i = 0; i < lb_kernel_total() && !(p->out && ferror(p->out)); i++) {
        const lb_kernel *kernel = lb_kernel_at(i);
        if (p->request->wanted[i] && kernel->exact && lb_pattern_of(kernel) != LB_PATTERN_TABLE &&
            (!p->request->only_count || p->reached[i].count > 0))
            search_function(p, kernel);
    }
    FILE *told = p->request->only_count ? stdout : stderr;
    fprintf(told, "%zu of %zu pairs reached", p->reached_count, p->reached_count + p->missed_count);
    if (!p->request->only_count)
        fprintf(told, ", with %zu cases of %zu bytes more", p->cases, p->bytes);
    fprintf(told, "; of those that no try reaches the checks exclude %zu, and %zu are open\n",
            p->excluded_count, p->open_count);
}

/* Do the suites reach the share that was asked for? */
static bool is_enough(const pairwise *p)
{
    const size_t all = p->reached_count + p->missed_count;
    if (100.0 * (double)p->reached_count >= p->request->require * (double)all)
        return true;
    fprintf(stderr,
            "lastbit vectors coverage: %zu of %zu pairs are missed; --require asks for %g %%\n",
            p->missed_count, all, p->request->require);
    return false;
}

int lb_generate_pairwise(const lb_generate_wish *r)
{
    static pairwise p;
    p = (pairwise){.request = r, .corpus = lb_cover_corpus_new()};
    lb_cover_map *map = lb_cover_map_new(1);
    const lb_profile *profiles[] = {&lb_profiles[0]};
    lb_cover_suites suites = {.map = map,
                              .level = r->up_to,
                              .profiles = profiles,
                              .profile_count = 0,
                              .each = note_case,
                              .user = &p};
    int status = lb_cover_suites_read(&suites, r->paths, r->path_count) ? 0 : 2;
    lb_cover_keep_sets(r->wanted, suites.sets);
    if (status == 0 && r->only_count) {
        write_all(&p, NULL);
        status = is_enough(&p) ? 0 : 1;
    } else if (status == 0) {
        status = lb_generate_write(r->output, "pairs", write_all, &p);
    }
    if (p.wrong_count > 0)
        status = 3;
    for (size_t i = 0; i < FUNCTIONS; i++)
        lb_tuples_free(&p.reached[i]);
    lb_cover_corpus_free(p.corpus);
    lb_cover_map_free(map);
    return status;
}
