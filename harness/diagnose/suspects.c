/* Faults held against results: see suspects.h, holding.h. */
#include "harness/base/xalloc.h"
#include "harness/diagnose/holding.h"
#include "harness/diagnose/joint.h"
#include "harness/diagnose/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Keys ---- */

static const lb_fault *fault_with_key(const lb_function *f, const lb_fault_key *key)
{
    for (size_t i = 0; i < f->list.count; i++) {
        const lb_fault_key its = lb_fault_key_of(&f->list.items[i]);
        if (lb_fault_key_equal(&its, key))
            return &f->list.items[i];
    }
    return NULL;
}

const lb_fault *lb_suspect_fault_of_key(const lb_function *f, const lb_fault_key *key,
                                        lb_arena *keep)
{
    lb_fault_key one = *key, other = {{{.kind = NULL}}};
    if (!key->of[1].kind)
        return fault_with_key(f, key);
    other.of[0] = key->of[1];
    one.of[1] = other.of[1];
    const lb_fault *first = fault_with_key(f, &one), *second = fault_with_key(f, &other);
    if (!first || !second)
        return NULL;
    lb_fault *joint = lb_arena_alloc(keep, sizeof *joint);
    *joint = lb_joint_of(first, second, keep);
    return joint;
}

/* ---- All faults and one failing result ---- */

static bool set_bench(lb_holding *t, uint32_t item)
{
    return lb_look_at(&t->look, t->e, &t->e->items[item]);
}

bool lb_holding_is_late(const lb_holding *t)
{
    return lb_work_seconds(t->e) > t->deadline;
}

lb_suspect *lb_holding_suspect(lb_holding *t, const lb_fault *fault)
{
    lb_function *f = t->f;
    for (size_t i = 0; i < f->suspect_count; i++)
        if (lb_fault_equal(&f->suspects[i].fault, fault))
            return &f->suspects[i];
    f->suspects =
        lb_room_for_one(f->suspects, f->suspect_count, &f->suspect_capacity, sizeof *f->suspects);
    lb_suspect *s = &f->suspects[f->suspect_count++];
    *s = (lb_suspect){.fault = *fault, .key = lb_fault_key_of(fault)};
    s->words = lb_arena_alloc(t->keep, f->failing_count + 1);
    s->doubts = lb_arena_alloc(t->keep, f->failing_count + 1);
    s->passed = lb_arena_alloc(t->keep, f->passing_count + 1);
    return s;
}

double lb_suspect_bits_of(uint64_t acting, uint64_t explaining)
{
    return explaining == 0 ? 0 : log2((double)(acting + 1) / (double)explaining) + 0.1;
}

static bool goes_in_part(lb_word word)
{
    return word == LB_WORD_PARTLY || word == LB_WORD_SOME;
}

static void note_saying(lb_suspect *s, size_t result, const lb_saying *say)
{
    double doubt = say->doubt * 8;
    s->words[result] = (unsigned char)say->word;
    s->elements += goes_in_part(say->word) ? say->elements : 0;
    s->varied += goes_in_part(say->word) ? say->varied : 0;
    s->doubts[result] = (unsigned char)(doubt > 255 ? 255 : doubt);
}

/* Faults that go in part with a result that none explains: the likeliest of them are kept, where
 * least is spoiled and the kind is common. */
enum { MOST_IN_PART = 16 };

typedef struct in_part {
    size_t fault;
    lb_saying say;
    double odds; /* in bits: the doubt, less for common kinds */
} in_part;

static void keep_in_part(in_part *list, size_t *count, const in_part *part)
{
    size_t at = *count;
    while (at > 0 && list[at - 1].odds > part->odds)
        at--;
    in_part *kept = lb_room_at(list, sizeof *list, count, MOST_IN_PART, at);
    if (kept)
        *kept = *part;
}

/* Faults of steps that change nothing in the case of the bench need no run of their own. NULL: not
 * known. */
static const bool *screened(lb_holding *t, const bool *chosen)
{
    const lb_fault_list *list = &t->f->list;
    bool *wanted = lb_arena_array(&t->look.arena, list->count + 1, sizeof *wanted);
    bool *acts = lb_arena_array(&t->look.arena, list->count + 1, sizeof *acts);
    for (size_t i = 0; i < list->count; i++)
        wanted[i] = chosen ? chosen[i] : i < t->f->kind_count;
    lb_work_run(t->e, &t->look.bench, true);
    return lb_fault_screen(&t->look.bench, list, wanted, acts) ? acts : NULL;
}

size_t lb_holding_try(lb_holding *t, size_t result, const bool *chosen, bool weighs)
{
    lb_function *f = t->f;
    const lb_left *left = t->e->items[f->failing[result]].left;
    size_t acting = 0, explaining = 0, rough = 0, fitting = 0;
    in_part part[MOST_IN_PART];
    size_t part_count = 0;
    if (!set_bench(t, f->failing[result]))
        return 0;
    const bool *acts = screened(t, chosen);
    for (size_t i = 0; i < f->list.count && !(i % 16 == 0 && lb_holding_is_late(t)); i++) {
        bool is_step = f->list.items[i].kind->group == LB_FAULTS_STEP;
        bool wanted = chosen ? chosen[i] : i < f->kind_count;
        if (!wanted || (is_step && acts && !acts[i]))
            continue;
        lb_saying say = lb_suspect_say(t->e, &t->look.bench, &f->list.items[i], left);
        f->runs++;
        acting += say.word != LB_WORD_UNTOUCHED && say.word != LB_WORD_TOO_LARGE;
        fitting += goes_in_part(say.word);
        explaining += say.word == LB_WORD_EXPLAINS && !f->list.items[i].kind->is_rough;
        rough += say.word == LB_WORD_EXPLAINS && f->list.items[i].kind->is_rough;
        if (say.word == LB_WORD_EXPLAINS)
            note_saying(lb_holding_suspect(t, &f->list.items[i]), result, &say);
        else if (goes_in_part(say.word))
            keep_in_part(part, &part_count,
                         &(in_part){i, say, say.doubt - log2(lb_fault_prior(&f->list.items[i]))});
    }
    explaining = explaining > 0 ? explaining : rough;
    for (size_t i = 0; explaining == 0 && i < part_count; i++)
        note_saying(lb_holding_suspect(t, &f->list.items[part[i].fault]), result, &part[i].say);
    if (weighs) {
        f->result_bits[result] = lb_suspect_bits_of(acting, explaining);
        f->part_bits[result] = lb_suspect_bits_of(acting, explaining + fitting);
    }
    return explaining;
}

bool lb_suspect_goes_with(const lb_suspect *suspect, size_t result)
{
    return lb_word_goes_with((lb_word)suspect->words[result]);
}

double lb_suspect_bits(const lb_function *f, const lb_suspect *s, size_t result)
{
    const double bits = f->part_bits[result] - s->doubts[result] / 8.0;
    if (s->words[result] == LB_WORD_EXPLAINS)
        return f->result_bits[result];
    return bits > 0 && goes_in_part((lb_word)s->words[result]) ? bits / 4 : 0;
}

bool lb_result_is_explained(const lb_function *f, size_t result)
{
    for (size_t i = 0; i < f->suspect_count; i++)
        if (f->suspects[i].words[result] == LB_WORD_EXPLAINS)
            return true;
    return false;
}

bool lb_result_is_passed_over(const lb_function *f, size_t result)
{
    for (size_t i = 0; i < f->suspect_count; i++)
        if (f->suspects[i].words[result] == LB_WORD_TOO_LARGE)
            return true;
    return false;
}

void lb_suspect_count(const lb_function *f, lb_suspect *s)
{
    s->explained = s->some = s->narrow = s->untouched = s->against_failing = 0;
    s->against_passing = s->unasked = 0;
    s->bits = 0;
    for (size_t r = 0; r < f->failing_used; r++) {
        s->explained += s->words[r] == LB_WORD_EXPLAINS;
        s->some += goes_in_part((lb_word)s->words[r]);
        s->narrow += s->words[r] == LB_WORD_SOME;
        s->untouched += s->words[r] == LB_WORD_UNTOUCHED;
        s->against_failing += s->words[r] == LB_WORD_AGAINST;
        s->bits += lb_suspect_bits(f, s, r);
    }
    for (size_t r = 0; r < f->passing_used; r++) {
        s->against_passing += s->passed[r] == LB_WORD_AGAINST;
        s->unasked += s->passed[r] == LB_WORD_NONE;
    }
}

bool lb_suspect_is_clean(const lb_function *f, lb_suspect *s)
{
    enum { TIMES = 20 };
    lb_suspect_count(f, s);
    return s->against_passing * TIMES <= s->explained;
}

bool lb_suspect_is_hopeless(const lb_function *f, lb_suspect *s)
{
    enum { LEAST_AGAINST = 6, TIMES = 8 };
    lb_suspect_count(f, s);
    const uint32_t against = s->against_failing + s->untouched;
    return against >= LEAST_AGAINST && (s->explained + s->some) * TIMES <= against;
}

/* Suspects (NULL: all that are worth it) that have not been asked about this result yet. */
static void complete(lb_holding *t, bool failing, size_t result, const lb_suspect *one)
{
    lb_function *f = t->f;
    const uint32_t item = (failing ? f->failing : f->passing)[result];
    bool made = false;
    for (size_t i = 0; i < f->suspect_count; i++) {
        lb_suspect *s = &f->suspects[i];
        const bool wanted = one ? s == one : !t->likely_alone || !lb_suspect_is_hopeless(f, s);
        if ((failing ? s->words : s->passed)[result] != LB_WORD_NONE || !wanted)
            continue;
        if (!made && !(made = set_bench(t, item)))
            return;
        const lb_saying say = lb_suspect_say(t->e, &t->look.bench, &s->fault,
                                             failing ? t->e->items[item].left : NULL);
        if (failing)
            note_saying(s, result, &say);
        else
            s->passed[result] = (unsigned char)say.word;
        f->runs++;
    }
}

void lb_holding_complete(lb_holding *t, size_t result)
{
    complete(t, true, result, NULL);
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
void lb_holding_complete_one(lb_holding *t, lb_suspect *s)
{
    for (size_t r = 0; r < t->f->failing_used; r++)
        complete(t, true, r, s);
    for (size_t r = 0; r < t->f->passing_used; r++)
        complete(t, false, r, s);
}

/* A suspect that was found last and never asked looks as if nothing spoke against it: the most
 * telling ones are asked by all results, a little beyond the effort. */
void lb_holding_complete_best(lb_holding *t)
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
        lb_holding_complete_one(t, s);
    }
    free(done);
}

void lb_holding_complete_all(lb_holding *t)
{
    for (size_t r = 0; r < t->f->failing_used && !lb_holding_is_late(t); r++)
        complete(t, true, r, NULL);
    for (size_t r = 0; r < t->f->passing_used && !lb_holding_is_late(t); r++)
        complete(t, false, r, NULL);
}
