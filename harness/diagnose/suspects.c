/* Faults held against results: see suspects.h. */
#include "harness/diagnose/suspects.h"
#include "harness/base/xalloc.h"
#include "harness/diagnose/joint.h"
#include "harness/diagnose/open.h"
#include "harness/diagnose/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Results of a function ---- */

typedef struct ranked {
    uint32_t item;
    uint32_t turn; /* how many results of the same case come before it */
    uint64_t size;
} ranked;

static int by_turn_and_size(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->turn != y->turn)
        return x->turn < y->turn ? -1 : 1;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return x->item < y->item ? -1 : x->item > y->item;
}

static uint32_t *ranked_items(const lb_evidence *e, const lb_kernel *kernel, bool failing,
                              size_t *count)
{
    ranked *list = NULL;
    size_t capacity = 0;
    const lb_tried *last = NULL;
    uint32_t turn = 0;
    *count = 0;
    for (size_t i = 0; i < e->count; i++) {
        const lb_tried *t = &e->items[i];
        bool fits = failing ? t->left != NULL : t->verdict == LB_PASS;
        if (t->kernel != kernel || !t->single || !fits)
            continue;
        bool same = last && last->suite == t->suite && last->index == t->index;
        turn = same ? turn + 1 : 0;
        last = t;
        list = lb_room_for_one(list, *count, &capacity, sizeof *list);
        list[(*count)++] = (ranked){.item = (uint32_t)i, .turn = turn, .size = t->size};
    }
    if (*count > 0)
        qsort(list, *count, sizeof *list, by_turn_and_size);
    uint32_t *items = lb_resized(NULL, (*count + 1) * sizeof *items);
    for (size_t i = 0; i < *count; i++)
        items[i] = list[i].item;
    free(list);
    return items;
}

void lb_function_make(lb_function *f, lb_evidence *e, const lb_kernel *kernel)
{
    *f = (lb_function){.kernel = kernel};
    f->failing = ranked_items(e, kernel, true, &f->failing_count);
    f->passing = ranked_items(e, kernel, false, &f->passing_count);
    f->failing_used = f->failing_count < LB_MOST_FAILING ? f->failing_count : LB_MOST_FAILING;
    f->passing_used = f->passing_count < LB_MOST_PASSING ? f->passing_count : LB_MOST_PASSING;
    f->covered = lb_resized(NULL, f->failing_count + 1);
    memset(f->covered, 0, f->failing_count + 1);
    f->result_bits = lb_resized(NULL, (f->failing_count + 1) * sizeof *f->result_bits);
    f->part_bits = lb_resized(NULL, (f->failing_count + 1) * sizeof *f->part_bits);
    for (size_t i = 0; i < f->failing_count; i++)
        f->result_bits[i] = f->part_bits[i] = 0;
}

void lb_function_free(lb_function *f)
{
    free(f->failing);
    free(f->passing);
    free(f->covered);
    free(f->result_bits);
    free(f->part_bits);
    free(f->suspects);
    lb_fault_list_free(&f->list);
}

/* ---- One result and one fault ---- */

static bool status_alone(const lb_fault *fault)
{
    return fault->kind->group == LB_FAULTS_STATUS;
}

static lb_word word_of_status(const lb_fault_bench *bench, const lb_fault *fault,
                              const lb_left *left)
{
    bool changed = bench->out.call.status != bench->right.call.status;
    lb_status got = left ? left->status : bench->right.call.status;
    if (!changed)
        return LB_WORD_UNTOUCHED;
    if (fault->kind->open != LB_OPEN_NOTHING)
        return left && lb_open_explains(bench, fault, left) ? LB_WORD_EXPLAINS : LB_WORD_AGAINST;
    return got == bench->out.call.status ? LB_WORD_EXPLAINS : LB_WORD_AGAINST;
}

/* Kinds that leave work out, or old values behind, say which elements are wrong; what stands there
 * may be another thing. */
static bool may_be_partly(const lb_fault *fault)
{
    return fault->kind->group == LB_FAULTS_EXTENT || fault->kind->group == LB_FAULTS_STATE;
}

/* Where the port's result is another than the fault's: element by element. The fault may be there
 * for some elements alone, or beside another one. */
static void say_of_elements(lb_saying *say, const lb_fault_bench *bench, const lb_fault *fault,
                            const lb_left *left)
{
    if (left->status != bench->out.call.status || left->block_bytes != bench->memory.block_bytes)
        return;
    lb_left_counts n = lb_left_count(left, &bench->right, &bench->out);
    uint64_t least = may_be_partly(fault) ? 2 : 1;
    if (n.explained == 0)
        return;
    if (n.spoiled == 0 && (n.explained * least >= n.wrong || n.explained == n.wrong)) {
        say->word = LB_WORD_PARTLY;
        say->doubt = 1 + log2((double)n.wrong / (double)n.explained);
    } else if (n.explained == n.wrong) {
        say->word = LB_WORD_SOME;
        say->doubt = 1 + log2(1 + (double)n.spoiled / (double)n.wrong);
    }
}

/* All that is wrong lies where the fault says nothing: it goes with the result, and explains none
 * of it. */
static lb_saying say_of_unsaid(const lb_fault_bench *bench, const lb_left *left)
{
    static const double DOUBT = 2;
    bool goes_with = left && bench->unsaid && lb_left_equals(left, &bench->right);
    return goes_with ? (lb_saying){.word = LB_WORD_PARTLY, .doubt = DOUBT}
                     : (lb_saying){.word = LB_WORD_UNTOUCHED};
}

static lb_saying say_of_memory(lb_fault_bench *bench, const lb_fault *fault, const lb_left *left)
{
    lb_saying say = {.word = LB_WORD_UNTOUCHED};
    if (left && bench->unsaid)
        left = lb_left_as_right(left, bench->unsaid, &bench->right, bench->arena);
    if (!lb_fault_is_caught(bench))
        return say_of_unsaid(bench, left);
    say.word = LB_WORD_AGAINST;
    say.digest = lb_instance_digest(&bench->out);
    if (left && fault->kind->open != LB_OPEN_NOTHING)
        say.word = lb_open_explains(bench, fault, left) ? LB_WORD_EXPLAINS : LB_WORD_AGAINST;
    else if (left && lb_left_equals(left, &bench->out))
        say.word = LB_WORD_EXPLAINS;
    else if (left)
        say_of_elements(&say, bench, fault, left);
    return say;
}

static bool is_too_large(lb_fault_bench *bench, const lb_fault *fault)
{
    return bench->computed && fault->kind->group == LB_FAULTS_STEP && !lb_fault_bench_count(bench);
}

lb_saying lb_suspect_say(lb_fault_bench *bench, const lb_fault *fault, const lb_left *left)
{
    lb_saying say = {.word = LB_WORD_UNTOUCHED};
    if (!lb_fault_try(bench, fault)) {
        if (is_too_large(bench, fault))
            say.word = LB_WORD_TOO_LARGE;
        return say;
    }
    if (!status_alone(fault))
        return say_of_memory(bench, fault, left);
    say.word = word_of_status(bench, fault, left);
    say.digest = say.word == LB_WORD_UNTOUCHED ? 0 : 1 + (uint64_t)bench->out.call.status;
    return say;
}

/* ---- All faults and one failing result ---- */

/* Runs on the results of one function: the bench lives in an arena of its own. */
typedef struct trial_of_faults {
    lb_function *f;
    lb_evidence *e;
    lb_fault_bench bench;
    lb_arena arena;
    lb_arena *keep;
    double deadline;   /* lb_work_seconds */
    bool known;        /* what siblings have suffices: what it explains needs no other name */
    bool likely_alone; /* suspects that have become hopeless are not asked further */
} trial_of_faults;

static bool set_bench(trial_of_faults *t, uint32_t item)
{
    const lb_tried *tried = &t->e->items[item];
    lb_arena_reset(&t->arena);
    return lb_evidence_bench(t->e, tried, &t->bench, &t->arena);
}

static bool is_late(const trial_of_faults *t)
{
    return lb_work_seconds(t->e) > t->deadline;
}

/* One check may stand in the rules of several tensors and functions: it is one piece of code. The
 * number of the first rule of all that makes it. */
static size_t check_number(const lb_rule *wanted)
{
    size_t number = 0;
    for (size_t k = 0; k < lb_kernel_count; k++)
        for (const lb_rule *rule = lb_kernels[k].rules; rule && rule->check; rule++, number++)
            if (rule->check == wanted->check)
                return number;
    return number;
}

/* Between the keys of two faults that are there at once. */
enum { BETWEEN = '\x1f' };

/* Names are for people and may leave out what the place has beside. */
static const char *key_of(const lb_fault *f, const char *name, lb_arena *arena)
{
    if (f->rule)
        return lb_arena_printf(arena, "%s|%zu|%d", f->kind->name, check_number(f->rule),
                               (int)f->argument);
    if (f->beside) {
        lb_fault first = *f;
        first.beside = NULL;
        const char *key = key_of(&first, lb_fault_name(&first, arena), arena);
        return lb_arena_printf(arena, "%s%c%s", key, BETWEEN,
                               key_of(f->beside, lb_fault_name(f->beside, arena), arena));
    }
    return lb_arena_printf(arena, "%s|%d|%d|%d|%d|%d|%d", name, f->role, f->other_role, f->dim,
                           f->other_dim, (int)f->argument,
                           f->all_blocks + 2 * f->everywhere + 4 * f->all_parts + 8 * f->early);
}

static lb_suspect *suspect_of(trial_of_faults *t, const lb_fault *fault)
{
    lb_function *f = t->f;
    for (size_t i = 0; i < f->suspect_count; i++)
        if (lb_fault_equal(&f->suspects[i].fault, fault))
            return &f->suspects[i];
    f->suspects =
        lb_room_for_one(f->suspects, f->suspect_count, &f->suspect_capacity, sizeof *f->suspects);
    lb_suspect *s = &f->suspects[f->suspect_count++];
    *s = (lb_suspect){.fault = *fault, .name = lb_fault_name(fault, t->keep)};
    s->key = key_of(fault, s->name, t->keep);
    s->words = lb_arena_alloc(t->keep, f->failing_count + 1);
    s->doubts = lb_arena_alloc(t->keep, f->failing_count + 1);
    s->passed = lb_arena_alloc(t->keep, f->passing_count + 1);
    return s;
}

double lb_suspect_bits_of(uint64_t acting, uint64_t explaining)
{
    return explaining == 0 ? 0 : log2((double)(acting + 1) / (double)explaining) + 0.1;
}

/* Is the fault of this key in the list? */
static bool is_wanted(const char *const *known, size_t known_count, const char *key)
{
    for (size_t i = 0; i < known_count; i++)
        if (strcmp(known[i], key) == 0)
            return true;
    return false;
}

static void note_saying(lb_suspect *s, size_t result, const lb_saying *say)
{
    double doubt = say->doubt * 8;
    s->words[result] = (unsigned char)say->word;
    s->doubts[result] = (unsigned char)(doubt > 255 ? 255 : doubt);
}

/* Faults that go in part with a result that none explains: the likeliest of them are kept, where
 * least is spoiled and the kind is common. */
enum { MOST_IN_PART = 16 };

typedef struct in_part {
    size_t fault[MOST_IN_PART];
    lb_saying say[MOST_IN_PART];
    double odds[MOST_IN_PART]; /* in bits: the doubt, less for common kinds */
    size_t count;
} in_part;

static void keep_in_part(in_part *p, size_t fault, int prior, const lb_saying *say)
{
    size_t at = p->count;
    double odds = say->doubt - log2((double)prior);
    while (at > 0 && p->odds[at - 1] > odds)
        at--;
    if (at == MOST_IN_PART)
        return;
    p->count += p->count < MOST_IN_PART;
    for (size_t i = p->count - 1; i > at; i--) {
        p->fault[i] = p->fault[i - 1];
        p->say[i] = p->say[i - 1];
        p->odds[i] = p->odds[i - 1];
    }
    p->fault[at] = fault;
    p->odds[at] = odds;
    p->say[at] = *say;
}

/* Faults of steps that change nothing in the case of the bench need no run of their own. NULL: not
 * known. */
static const bool *screened(trial_of_faults *t, const bool *chosen)
{
    const lb_fault_list *list = &t->f->list;
    bool *wanted = lb_arena_array(&t->arena, list->count + 1, sizeof *wanted);
    bool *acts = lb_arena_array(&t->arena, list->count + 1, sizeof *acts);
    for (size_t i = 0; i < list->count; i++)
        wanted[i] = chosen ? chosen[i] : i < t->f->kind_count;
    lb_work_run(t->e, &t->bench, true);
    return lb_fault_screen(&t->bench, list, wanted, acts) ? acts : NULL;
}

/* Gives the number of faults that explain the result. */
static size_t try_result(trial_of_faults *t, size_t result, const bool *chosen, bool weighs)
{
    lb_function *f = t->f;
    const lb_left *left = t->e->items[f->failing[result]].left;
    size_t acting = 0, explaining = 0, rough = 0, fitting = 0;
    in_part part = {.count = 0};
    if (!set_bench(t, f->failing[result]))
        return 0;
    const bool *acts = screened(t, chosen);
    for (size_t i = 0; i < f->list.count && !(i % 16 == 0 && is_late(t)); i++) {
        bool is_step = f->list.items[i].kind->group == LB_FAULTS_STEP;
        bool wanted = chosen ? chosen[i] : i < f->kind_count;
        if (!wanted || (is_step && acts && !acts[i]))
            continue;
        lb_saying say = lb_suspect_say(&t->bench, &f->list.items[i], left);
        lb_work_fault(t->e, &t->bench, &f->list.items[i]);
        f->runs++;
        acting += say.word != LB_WORD_UNTOUCHED && say.word != LB_WORD_TOO_LARGE;
        fitting += say.word == LB_WORD_SOME || say.word == LB_WORD_PARTLY;
        explaining += say.word == LB_WORD_EXPLAINS && !f->list.items[i].kind->is_rough;
        rough += say.word == LB_WORD_EXPLAINS && f->list.items[i].kind->is_rough;
        if (say.word == LB_WORD_EXPLAINS)
            note_saying(suspect_of(t, &f->list.items[i]), result, &say);
        else if (say.word == LB_WORD_SOME || say.word == LB_WORD_PARTLY)
            keep_in_part(&part, i, f->list.items[i].kind->prior, &say);
    }
    explaining = explaining > 0 ? explaining : rough;
    for (size_t i = 0; explaining == 0 && i < part.count; i++)
        note_saying(suspect_of(t, &f->list.items[part.fault[i]]), result, &part.say[i]);
    if (weighs) {
        f->result_bits[result] = lb_suspect_bits_of(acting, explaining);
        f->part_bits[result] = lb_suspect_bits_of(acting, explaining + fitting);
    }
    return explaining;
}

bool lb_suspect_goes_with(const lb_suspect *suspect, size_t result)
{
    lb_word word = (lb_word)suspect->words[result];
    return word == LB_WORD_EXPLAINS || word == LB_WORD_PARTLY || word == LB_WORD_SOME;
}

double lb_suspect_bits(const lb_function *f, const lb_suspect *s, size_t result)
{
    double bits = f->part_bits[result] - s->doubts[result] / 8.0;
    switch ((lb_word)s->words[result]) {
    case LB_WORD_EXPLAINS:
        return f->result_bits[result];
    case LB_WORD_SOME:
    case LB_WORD_PARTLY:
        return bits > 0 ? bits / 4 : 0;
    case LB_WORD_NONE:
    case LB_WORD_TOO_LARGE:
    case LB_WORD_UNTOUCHED:
    case LB_WORD_AGAINST:
        break;
    }
    return 0;
}

static bool is_explained(const lb_function *f, size_t result)
{
    for (size_t i = 0; i < f->suspect_count; i++)
        if (f->suspects[i].words[result] == LB_WORD_EXPLAINS)
            return true;
    return false;
}

/* A smaller case shows what can be shown: of results too large for the suspects none is sought. */
static bool is_passed_over(const lb_function *f, size_t result)
{
    for (size_t i = 0; i < f->suspect_count; i++)
        if (f->suspects[i].words[result] == LB_WORD_TOO_LARGE)
            return true;
    return false;
}

/* Many failing results speak against it, and hardly one for it: it may still be right beside
 * another fault, but all others come first. */
static bool is_hopeless(const lb_function *f, const lb_suspect *s)
{
    enum { LEAST_AGAINST = 6, TIMES = 8 };
    size_t against = 0, with = 0;
    for (size_t r = 0; r < f->failing_used; r++) {
        against += s->words[r] == LB_WORD_AGAINST || s->words[r] == LB_WORD_UNTOUCHED;
        with += lb_suspect_goes_with(s, r);
    }
    return against >= LEAST_AGAINST && with * TIMES <= against;
}

/* The bench is that of the result. */
static void ask_failing(trial_of_faults *t, lb_suspect *s, size_t result)
{
    lb_saying say = lb_suspect_say(&t->bench, &s->fault, t->e->items[t->f->failing[result]].left);
    lb_work_fault(t->e, &t->bench, &s->fault);
    note_saying(s, result, &say);
    t->f->runs++;
}

static void ask_passing(trial_of_faults *t, lb_suspect *s, size_t result)
{
    s->passed[result] = (unsigned char)lb_suspect_say(&t->bench, &s->fault, NULL).word;
    lb_work_fault(t->e, &t->bench, &s->fault);
    t->f->runs++;
}

/* Suspects that have not been asked about this result yet. */
static void complete_failing(trial_of_faults *t, size_t result)
{
    lb_function *f = t->f;
    bool made = false;
    for (size_t i = 0; i < f->suspect_count; i++) {
        lb_suspect *s = &f->suspects[i];
        if (s->words[result] != LB_WORD_NONE || (t->likely_alone && is_hopeless(f, s)))
            continue;
        if (!made && !(made = set_bench(t, f->failing[result])))
            return;
        ask_failing(t, s, result);
    }
}

static void complete_passing(trial_of_faults *t, size_t result)
{
    lb_function *f = t->f;
    bool made = false;
    for (size_t i = 0; i < f->suspect_count; i++) {
        lb_suspect *s = &f->suspects[i];
        if (s->passed[result] != LB_WORD_NONE || (t->likely_alone && is_hopeless(f, s)))
            continue;
        if (!made && !(made = set_bench(t, f->passing[result])))
            return;
        ask_passing(t, s, result);
    }
}

static bool is_asked(const lb_function *f, const lb_suspect *s)
{
    return (f->failing_used == 0 || s->words[f->failing_used - 1] != LB_WORD_NONE) &&
           (f->passing_used == 0 || s->passed[f->passing_used - 1] != LB_WORD_NONE);
}

/* The suspect that explains most, of those that not all results were asked about. */
static lb_suspect *most_telling(lb_function *f, const bool *done)
{
    lb_suspect *best = NULL;
    double most = 0;
    for (size_t i = 0; i < f->suspect_count; i++) {
        lb_suspect *s = &f->suspects[i];
        double bits = 0;
        for (size_t r = 0; !done[i] && !is_asked(f, s) && r < f->failing_used; r++)
            bits += lb_suspect_bits(f, s, r);
        best = bits > most ? s : best;
        most = bits > most ? bits : most;
    }
    return best;
}

/* One suspect and all results. */
static void complete_one(trial_of_faults *t, lb_suspect *s)
{
    lb_function *f = t->f;
    for (size_t r = 0; r < f->failing_used; r++)
        if (s->words[r] == LB_WORD_NONE && set_bench(t, f->failing[r]))
            ask_failing(t, s, r);
    for (size_t r = 0; r < f->passing_used; r++)
        if (s->passed[r] == LB_WORD_NONE && set_bench(t, f->passing[r]))
            ask_passing(t, s, r);
}

/* A suspect that was found last and never asked looks as if nothing spoke against it: the most
 * telling ones are asked by all results, a little beyond the effort. */
static void complete_best(trial_of_faults *t)
{
    enum { BEST = 6 };
    lb_function *f = t->f;
    bool *done = lb_resized(NULL, f->suspect_count + 1);
    memset(done, 0, f->suspect_count + 1);
    for (int i = 0; i < BEST; i++) {
        lb_suspect *s = most_telling(f, done);
        if (!s)
            break;
        done[s - f->suspects] = true;
        complete_one(t, s);
    }
    free(done);
}

/* ---- The function ---- */

enum { HEARD_FAILING = 12, HEARD_PASSING = 6 };

static void hear(trial_of_faults *t)
{
    lb_function *f = t->f;
    for (int failing = 1; failing >= 0; failing--) {
        const uint32_t *items = failing ? f->failing : f->passing;
        size_t count = failing ? f->failing_count : f->passing_count;
        size_t most = failing ? HEARD_FAILING : HEARD_PASSING;
        for (size_t i = 0; i < count && i < most && !is_late(t); i++) {
            const lb_tried *tried = &t->e->items[items[i]];
            const lb_case *c = lb_evidence_case(t->e, tried);
            lb_arena_reset(&t->arena);
            if (c)
                lb_fault_list_hear(&f->list, c, t->e->profiles[tried->profile], &t->arena);
        }
    }
    lb_fault_list_fill(&f->list, f->kernel, NULL);
    lb_fault_list_add_cells(&f->list, f->kernel);
    lb_fault_list_add_early(&f->list);
    lb_statuses_seen seen = lb_function_statuses(f, t->e);
    lb_fault_list_add_statuses(&f->list, f->kernel, &seen);
    f->faults_tried = f->kind_count = f->list.count;
}

/* Of functions that look into tables. */
static void add_table_entries(trial_of_faults *t)
{
    lb_function *f = t->f;
    int32_t entry[LB_MOST_ENTRIES];
    bool looks = false;
    for (size_t i = 0; i < f->list.site_count; i++)
        looks = looks || f->list.sites[i].operation == LB_STEP_LOOKUP;
    size_t count = looks ? lb_function_table_entries(f, t->e, entry) : 0;
    for (size_t i = 0; i < count; i++)
        lb_fault_list_add_table_entry(&f->list, entry[i]);
}

/* Any value of the computation in place of another, and entries of tables: added once. */
static void add_values(trial_of_faults *t)
{
    lb_function *f = t->f;
    if (f->kind_count == f->list.count) {
        (void)lb_fault_list_add_values(&f->list, f->kernel);
        add_table_entries(t);
    }
    f->faults_tried = f->list.count;
}

/* Which faults of the list from number `first` on are known; gives how many. */
static size_t choose_known(trial_of_faults *t, const char *const *known, size_t known_count,
                           size_t first, bool *chosen)
{
    lb_function *f = t->f;
    size_t any = 0;
    for (size_t i = first; i < f->list.count; i++) {
        lb_arena_reset(&t->arena);
        const lb_fault *fault = &f->list.items[i];
        const char *name = lb_fault_name(fault, &t->arena);
        chosen[i] = is_wanted(known, known_count, key_of(fault, name, &t->arena));
        any += chosen[i];
    }
    return any;
}

static const lb_fault *fault_with_key(const lb_function *f, const char *key, size_t length)
{
    lb_arena arena = {0};
    const lb_fault *found = NULL;
    for (size_t i = 0; !found && i < f->list.count; i++) {
        const lb_fault *fault = &f->list.items[i];
        const char *its = key_of(fault, lb_fault_name(fault, &arena), &arena);
        if (strlen(its) == length && memcmp(its, key, length) == 0)
            found = fault;
        lb_arena_reset(&arena);
    }
    lb_arena_free(&arena);
    return found;
}

/* The fault of a key, which may be two at once; NULL: the function has none. */
static const lb_fault *fault_of_key(const lb_function *f, const char *key, lb_arena *keep)
{
    const char *between = strchr(key, BETWEEN);
    if (!between)
        return fault_with_key(f, key, strlen(key));
    const lb_fault *first = fault_with_key(f, key, (size_t)(between - key));
    const lb_fault *second = fault_with_key(f, between + 1, strlen(between + 1));
    if (!first || !second)
        return NULL;
    lb_fault *joint = lb_arena_alloc(keep, sizeof *joint);
    *joint = lb_joint_of(first, second, keep);
    return joint;
}

/* Two at once that siblings have shown: they are asked as any suspect. */
static void add_known_joint(trial_of_faults *t, const char *const *known, size_t known_count)
{
    for (size_t i = 0; i < known_count; i++) {
        const lb_fault *joint =
            strchr(known[i], BETWEEN) ? fault_of_key(t->f, known[i], t->keep) : NULL;
        if (joint)
            complete_one(t, suspect_of(t, joint));
    }
}

static void try_known(trial_of_faults *t, const char *const *known, size_t known_count)
{
    lb_function *f = t->f;
    bool *chosen = lb_resized(NULL, f->list.count + 1);
    size_t any = choose_known(t, known, known_count, 0, chosen);
    if (any < known_count) { /* some are values */
        add_values(t);
        chosen = lb_resized(chosen, f->list.count + 1);
        any += choose_known(t, known, known_count, f->kind_count, chosen);
    }
    for (size_t r = 0; any > 0 && r < f->failing_used && !is_late(t); r++)
        try_result(t, r, chosen, false);
    free(chosen);
    add_known_joint(t, known, known_count);
}

static void count_words(const lb_function *f, lb_suspect *s)
{
    for (size_t r = 0; r < f->failing_used; r++) {
        s->explained += s->words[r] == LB_WORD_EXPLAINS;
        s->against_failing += s->words[r] == LB_WORD_AGAINST;
        s->some += s->words[r] == LB_WORD_SOME || s->words[r] == LB_WORD_PARTLY;
        s->narrow += s->words[r] == LB_WORD_SOME;
        s->bits += lb_suspect_bits(f, s, r);
    }
    for (size_t r = 0; r < f->passing_used; r++) {
        s->against_passing += s->passed[r] == LB_WORD_AGAINST;
        s->unasked += s->passed[r] == LB_WORD_NONE;
    }
}

static void guess_from(double *bits, size_t count)
{
    double least = 0;
    for (size_t r = 0; r < count; r++)
        if (bits[r] > 0 && (least == 0 || bits[r] < least))
            least = bits[r];
    for (size_t r = 0; r < count; r++)
        if (bits[r] == 0)
            bits[r] = least > 0 ? least : 1;
}

/* Of results on which not every fault was tried, how telling they are is taken from those that
 * were. */
static void guess_bits(lb_function *f)
{
    guess_from(f->result_bits, f->failing_used);
    guess_from(f->part_bits, f->failing_used);
}

/* Where the whole bank explains none of so many results, more of them say no more. */
enum { FIRST_RESULTS = 3, MOST_FULL_RESULTS = 10, MOST_UNEXPLAINED = 4 };
/* Of the effort for a function: what kinds of the bank may take before values are tried. */
static const double SHARE_OF_KINDS = 0.6;
/* Beyond it: what the search for two faults at once may take. */
static const double SHARE_OF_JOINT = 0.25;

static void complete_all(trial_of_faults *t)
{
    for (size_t r = 0; r < t->f->failing_used && !is_late(t); r++)
        complete_failing(t, r);
    for (size_t r = 0; r < t->f->passing_used && !is_late(t); r++)
        complete_passing(t, r);
}

/* What passing results say against it is nothing, or slight beside what it explains: then the name
 * is right, and something else limits it. */
static bool is_clean(const lb_function *f, const lb_suspect *s)
{
    enum { TIMES = 20 };
    size_t against = 0, explained = 0;
    for (size_t r = 0; r < f->passing_used; r++)
        against += s->passed[r] == LB_WORD_AGAINST;
    for (size_t r = 0; r < f->failing_used; r++)
        explained += s->words[r] == LB_WORD_EXPLAINS;
    return against * TIMES <= explained;
}

/* By a fault that hardly a passing result speaks against. */
static bool is_well_explained(const lb_function *f, size_t result)
{
    for (size_t i = 0; i < f->suspect_count; i++)
        if (f->suspects[i].words[result] == LB_WORD_EXPLAINS && is_clean(f, &f->suspects[i]) &&
            !is_hopeless(f, &f->suspects[i]))
            return true;
    return false;
}

/* Does one of the suspects, which siblings know, explain nearly all that fails? Nothing need speak
 * against it, or it explains so much that it can only be there under a condition. Else something
 * nearer may be. */
static bool known_suffice(const lb_function *f)
{
    enum { LEAST_CONDITIONAL = 6 };
    for (size_t i = 0; i < f->suspect_count; i++) {
        size_t explained = 0;
        for (size_t r = 0; r < f->failing_used; r++)
            explained += f->suspects[i].words[r] == LB_WORD_EXPLAINS;
        if (explained * 4 >= f->failing_used * 3 && is_clean(f, &f->suspects[i]))
            return true;
        if (explained * 20 >= f->failing_used * 19 && explained >= LEAST_CONDITIONAL)
            return true;
    }
    return false;
}

/* What no kind of the bank explains: any value of the computation in place of another. Those that
 * explain the first such result are asked about the others. */
static void try_values(trial_of_faults *t)
{
    enum { MOST_VALUE_RESULTS = 3 };
    lb_function *f = t->f;
    size_t tried = 0;
    bool *chosen = NULL;
    bool is_helper =
        !f->kernel->returns_status; /* few results, of which many faults give the same */
    for (size_t r = 0; r < f->failing_used && tried < MOST_VALUE_RESULTS && !is_late(t); r++) {
        if ((!is_helper && is_well_explained(f, r)) || (t->known && is_explained(f, r)))
            continue;
        if (!chosen) {
            add_values(t);
            chosen = lb_resized(NULL, f->list.count + 1);
            for (size_t i = 0; i < f->list.count; i++)
                chosen[i] = i >= f->kind_count;
        }
        complete_failing(t, r);
        complete_all(t);
        if (is_passed_over(f, r) || (!is_helper && is_well_explained(f, r)) ||
            (t->known && is_explained(f, r)))
            continue;
        try_result(t, r, chosen, !is_explained(f, r));
        tried++;
    }
    free(chosen);
}

/* Cells have so many steps that effort ends before all of them were tried: what is wrong with a
 * whole gate, a vector or the state is asked first, of some results. Does one of these suffice? */
static bool try_cheap(trial_of_faults *t)
{
    enum { MOST_CHEAP_RESULTS = 6 };
    lb_function *f = t->f;
    bool *chosen = lb_resized(NULL, f->list.count + 1);
    size_t tried = 0;
    for (size_t i = 0; i < f->list.count; i++)
        chosen[i] = lb_fault_is_cheap(&f->list.items[i]);
    for (size_t r = 0; r < f->failing_used && tried < MOST_CHEAP_RESULTS && !is_late(t); r++) {
        complete_failing(t, r);
        if (is_explained(f, r))
            continue;
        try_result(t, r, chosen, false);
        tried++;
    }
    free(chosen);
    complete_all(t);
    return known_suffice(f);
}

/* Two different mistakes at once, where no single one explains it. */
static void try_joint(trial_of_faults *t, double deadline)
{
    lb_fault found[LB_MOST_JOINT];
    size_t count = lb_joint_find(t->f, t->e, deadline, t->keep, found);
    for (size_t i = 0; i < count; i++)
        complete_one(t, suspect_of(t, &found[i]));
}

void lb_function_try(lb_function *f, lb_evidence *e, const char *const *known, size_t known_count,
                     double deadline, lb_arena *keep)
{
    double now = lb_work_seconds(e);
    trial_of_faults t = {.f = f, .e = e, .keep = keep, .deadline = deadline, .likely_alone = true};
    if (is_late(&t))
        return;
    t.deadline = now + (deadline - now) * SHARE_OF_KINDS;
    hear(&t);
    if (known_count > 0) {
        try_known(&t, known, known_count);
        complete_all(&t);
        t.known = known_suffice(f);
    }
    bool suffices = lb_family_is_recurrent((int)f->kernel->family) && !t.known && try_cheap(&t);
    size_t most_first = suffices ? 1 : FIRST_RESULTS;
    size_t full = 0, explained = 0;
    for (size_t r = 0; r < f->failing_used && full < MOST_FULL_RESULTS && !is_late(&t) &&
                       (full < MOST_UNEXPLAINED || explained > 0);
         r++) {
        bool first = known_count == 0 ? full < most_first : full == 0 && !t.known;
        if (!first && is_explained(f, r))
            continue;
        complete_failing(&t, r);
        if (is_passed_over(f, r) || (!first && is_explained(f, r)))
            continue;
        explained += try_result(&t, r, NULL, true);
        full++;
    }
    bool all_kinds = !is_late(&t);
    t.deadline = deadline;
    complete_all(&t);
    try_values(&t);
    complete_all(&t);
    try_joint(&t, lb_work_seconds(e) + (deadline - now) * SHARE_OF_JOINT);
    guess_bits(f);
    complete_best(&t);
    complete_all(&t);
    t.likely_alone = false;
    complete_all(&t);
    f->finished = all_kinds && !is_late(&t);
    for (size_t i = 0; i < f->suspect_count; i++)
        count_words(f, &f->suspects[i]);
    lb_arena_free(&t.arena);
}

void lb_function_ask(lb_function *f, lb_evidence *e, const char *const *known, size_t known_count,
                     double deadline, lb_arena *keep)
{
    enum { MOST_RESULTS = 3 };
    trial_of_faults t = {.f = f, .e = e, .keep = keep, .deadline = deadline};
    size_t before = f->suspect_count;
    bool *chosen = lb_resized(NULL, f->list.count + 1);
    size_t any = choose_known(&t, known, known_count, 0, chosen);
    for (size_t r = 0; any > 0 && r < f->failing_used && r < MOST_RESULTS && !is_late(&t); r++)
        try_result(&t, r, chosen, false);
    for (size_t i = before; i < f->suspect_count; i++) {
        complete_one(&t, &f->suspects[i]);
        count_words(f, &f->suspects[i]);
    }
    free(chosen);
    lb_arena_free(&t.arena);
}

const lb_fault *lb_function_fault(lb_function *f, lb_evidence *e, const char *key, lb_arena *keep)
{
    static const double HEAR_SECONDS = 0.3;
    if (f->list.count == 0) {
        trial_of_faults t = {.f = f, .e = e, .deadline = lb_work_seconds(e) + HEAR_SECONDS};
        hear(&t);
        lb_arena_free(&t.arena);
    }
    return fault_of_key(f, key, keep);
}
