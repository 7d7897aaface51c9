/* Where in the computation a fault shows: see where.h. */
#include "harness/diagnose/where.h"
#include "harness/base/xalloc.h"
#include "harness/diagnose/hints.h"
#include "harness/diagnose/rule.h"
#include "harness/diagnose/work.h"
#include "harness/explain/arith.h"
#include "harness/explain/operations.h"
#include "harness/explain/words.h"
#include "harness/faults/step_run.h"

#include <stdlib.h>
#include <string.h>

/* What can be said of a step in an element; the plainest last, so that of equals the more telling
 * one is named. */
typedef enum property {
    IS_LOWEST_SQUARED,
    IS_TIE,
    IS_CLIPPED,
    IS_SHIFTED_LEFT,
    IS_SHIFTED_FAR,
    IS_LIMIT_TAKEN,
    DROPS_BITS,
    IS_NEGATIVE,
    IS_ZERO,
    IS_THERE,
    PROPERTIES
} property;

static const char *const property_words[PROPERTIES] = {
    [IS_LOWEST_SQUARED] = "multiplies the lowest number by itself",
    [IS_TIE] = "drops exactly a half",
    [IS_CLIPPED] = "leaves its width",
    [IS_SHIFTED_LEFT] = "shifts by 0 or to the other side",
    [IS_SHIFTED_FAR] = "shifts by 16 or more",
    [IS_LIMIT_TAKEN] = "takes the limit",
    [DROPS_BITS] = "drops bits",
    [IS_NEGATIVE] = "gives a negative number",
    [IS_ZERO] = "gives 0",
    [IS_THERE] = "is made at all",
};

/* In front of the places of the model's code: the last step of an element, whichever it is. */
enum { THE_RESULT = 0 };

enum { MOST_SITES = 160, MOST_ELEMENTS = 320, MOST_OF_A_CASE = 12 };

/* Numbers of a step that is made once for an element. */
typedef enum quantity { GIVES, COUNT, QUANTITIES } quantity;

typedef struct element {
    bool wrong;
    /* bit 1 << property: some step of the site has it; shifted by PROPERTIES: the last one has it
     */
    uint32_t properties[MOST_SITES];
    uint8_t times[MOST_SITES]; /* so often the site was come to: 0, 1 or more */
    int64_t number[MOST_SITES][QUANTITIES];
} element;

typedef struct search {
    lb_evidence *e;
    lb_fault_bench *bench;
    lb_num_step sites[MOST_SITES];
    bool real[MOST_SITES]; /* their numbers are no integers */
    unsigned site_count;
    element *elements;
    lb_features *rows; /* of their numbers, one at a time */
    size_t count;
    element *current;
    const lb_fault *fault; /* elements that it changes alone; NULL: all */
    unsigned last;         /* properties of the last step of the element at hand */
    double deadline;
} search;

/* ---- Steps ---- */

static bool is_shift(const lb_num_step *s)
{
    return s->operation == LB_STEP_SHL || s->operation == LB_STEP_ASR ||
           s->operation == LB_STEP_RSH;
}

static bool is_tie(const lb_num_step *s)
{
    int64_t n = s->operand[1].v;
    return s->operation == LB_STEP_RSH && n >= 1 && n <= 62 &&
           lb_x_dropped(s->operand[0].v, n) == (uint64_t)1 << (n - 1);
}

static bool is_lowest_squared(const lb_num_step *s)
{
    unsigned first = s->operation == LB_STEP_MAC ? 1 : 0;
    int64_t v = s->operand[first].v;
    return (s->operation == LB_STEP_MAC || s->operation == LB_STEP_MUL) &&
           s->operand[first + 1].v == v && (v == INT8_MIN || v == INT16_MIN);
}

static bool takes_limit(const lb_num_step *s)
{
    return (s->operation == LB_STEP_MIN || s->operation == LB_STEP_MAX) &&
           s->result != s->operand[0].v;
}

static unsigned properties_of(const lb_num_step *s)
{
    bool real = lb_operation_is_real(s->operation, LB_STEP_RESULT);
    unsigned bits = 1u << IS_THERE;
    if (s->operation == LB_STEP_GIVEN)
        return bits | (s->result < 0 ? 1u << IS_NEGATIVE : 0) |
               (s->result == 0 ? 1u << IS_ZERO : 0);
    bits |= is_lowest_squared(s) ? 1u << IS_LOWEST_SQUARED : 0;
    bits |= is_tie(s) ? 1u << IS_TIE : 0;
    bits |= lb_step_is_clipped(s) ? 1u << IS_CLIPPED : 0;
    bits |= is_shift(s) && s->operand[1].v <= 0 ? 1u << IS_SHIFTED_LEFT : 0;
    bits |= is_shift(s) && s->operand[1].v >= 16 ? 1u << IS_SHIFTED_FAR : 0;
    bits |= takes_limit(s) ? 1u << IS_LIMIT_TAKEN : 0;
    bits |= lb_explain_drops(s) ? 1u << DROPS_BITS : 0;
    bits |= !real && s->result < 0 ? 1u << IS_NEGATIVE : 0;
    bits |= s->result == 0 ? 1u << IS_ZERO : 0;
    return bits;
}

static void note_numbers(element *e, unsigned site, const lb_num_step *step)
{
    e->times[site] = e->times[site] == 0 ? 1 : 2;
    e->number[site][GIVES] = step->result;
    e->number[site][COUNT] = step->operand[1].v;
}

/* What a part of the computation gives is a site of its own. */
static bool is_whole_part(const lb_num_step *site)
{
    return site->operation == LB_STEP_COUNT;
}

/* The number of a place; MOST_SITES: there is no room for it. */
static unsigned site_of(search *s, const lb_num_step *step)
{
    unsigned site = 1;
    while (site < s->site_count && !lb_fault_same_site(&s->sites[site], step, true))
        site++;
    if (site == s->site_count && site < MOST_SITES)
        s->sites[s->site_count++] = *step;
    return site;
}

/* What a part of the computation gives: its last step, whichever it is. */
static void note_part(search *s, const lb_num_step *step, unsigned bits)
{
    const lb_num_step whole = {.operation = LB_STEP_COUNT, .part = step->part};
    unsigned site = site_of(s, &whole);
    if (site == MOST_SITES)
        return;
    bits &= ~(1u << IS_THERE);
    s->current->properties[site] = bits | bits << PROPERTIES;
    s->current->times[site] = 1;
    s->current->number[site][GIVES] = step->result;
    s->real[site] = s->real[site] || lb_operation_is_real(step->operation, LB_STEP_RESULT);
}

static void note_step(void *user, const lb_num_step *step)
{
    search *s = user;
    bool is_given = step->operation == LB_STEP_GIVEN;
    if (is_given && step->place.kind != LB_NUM_ELEMENT)
        return;
    unsigned bits = is_given && !s->fault ? 0 : properties_of(step);
    s->last = is_given ? s->last : bits;
    if (!is_given)
        note_part(s, step, bits);
    unsigned site = site_of(s, step);
    if (site == MOST_SITES)
        return;
    s->real[site] = lb_operation_is_real(step->operation, LB_STEP_RESULT);
    note_numbers(s->current, site, step);
    unsigned any = (1u << PROPERTIES) - 1;
    s->current->properties[site] =
        ((s->current->properties[site] & any) | bits) | (bits & ~(1u << IS_THERE)) << PROPERTIES;
}

/* ---- Elements ---- */

static void listen_to(search *s, lb_instance *instance, const lb_profile *profile, size_t at,
                      size_t flat, bool wrong)
{
    if (s->count == MOST_ELEMENTS)
        return;
    s->current = &s->elements[s->count++];
    *s->current = (element){.wrong = wrong};
    s->last = 0;
    lb_steps steps = {.role = LB_ROLE_OUT, .element = flat, .step = note_step, .user = s};
    lb_context context = {.profile = profile, .steps = &steps};
    lb_instance_reset(instance);
    lb_work_run(s->e, s->bench, true);
    steps.address = instance->block + at;
    lb_run_exact(&context, &instance->call);
    s->current->properties[THE_RESULT] = s->last & ~(1u << IS_THERE);
}

/* Of each element of the output: does the fault change it, and did the port, where it is wrong,
 * give what the fault gives? NULL: it has no say here. */
static const bool *changed_elements(search *s, lb_fault_bench *bench, const lb_left *left,
                                    const lb_layout *layout, size_t start, lb_arena *arena)
{
    size_t count = lb_layout_count(layout), bytes = layout->element_bytes;
    bool *changed = lb_arena_array(arena, count + 1, sizeof *changed);
    if (!lb_fault_try(bench, s->fault))
        return NULL;
    lb_work_fault(s->e, bench, s->fault);
    for (size_t i = 0; i < count; i++) {
        size_t at = start + lb_layout_offset(layout, i);
        const unsigned char *right = bench->right.block + at, *faulty = bench->out.block + at;
        const unsigned char *given = left ? left->block + at : right;
        bool acts = memcmp(right, faulty, bytes) != 0;
        changed[i] =
            acts && (memcmp(given, right, bytes) == 0 || memcmp(given, faulty, bytes) == 0);
    }
    return changed;
}

/* Some wrong elements of the case, and some right ones, spread over the output. */
static void take_elements(search *s, const lb_left *left, const lb_left_output *o,
                          const bool *counts)
{
    size_t taken[2] = {0, 0}, stride = o->count / 97 + 1;
    for (size_t i = 0; i < o->count && lb_work_seconds(s->e) < s->deadline; i++) {
        size_t flat = i * stride % o->count, at = o->start + lb_layout_offset(&o->layout, flat);
        bool wrong = left && memcmp(left->block + at, s->bench->right.block + at,
                                    o->layout.element_bytes) != 0;
        if (taken[wrong] >= MOST_OF_A_CASE && taken[!wrong] >= MOST_OF_A_CASE)
            break;
        if ((!counts || counts[flat]) && taken[wrong]++ < MOST_OF_A_CASE)
            listen_to(s, &s->bench->out, s->bench->profile, at, flat, wrong);
    }
}

static void take_case(search *s, uint32_t item)
{
    const lb_tried *t = &s->e->items[item];
    lb_look look = {.arena = {0}};
    lb_left_output o;
    if (t->call == 1 && lb_look_at(&look, s->e, t) && look.bench.computed &&
        !look.bench.test_case->operand[LB_ROLE_OUT].tensors[0].has_data_in &&
        !look.bench.test_case->operand[LB_ROLE_OUT].tensors[0].has_buffer_elements &&
        (!t->left || t->left->block_bytes == look.bench.memory.block_bytes) &&
        lb_left_output_of(&look.bench.memory, LB_ROLE_OUT, &o)) {
        s->bench = &look.bench;
        const bool *counts =
            s->fault ? changed_elements(s, s->bench, t->left, &o.layout, o.start, &look.arena)
                     : NULL;
        if (counts || !s->fault)
            take_elements(s, t->left, &o, counts);
    }
    lb_look_end(&look);
}

/* ---- What they have in common ---- */

typedef struct finding {
    unsigned site;
    unsigned what;       /* property; of the last step of the site: PROPERTIES more */
    bool without;        /* wrong are the elements that do not have it */
    size_t right_too;    /* right elements that have it as well */
    size_t wrong_not;    /* wrong ones that have not */
    const char *numbers; /* instead of a property: the rule for its numbers; or NULL */
} finding;

static bool has(const element *e, const finding *f)
{
    return (e->properties[f->site] >> f->what & 1) != f->without;
}

static finding weigh(const search *s, unsigned site, unsigned what, bool without)
{
    finding f = {.site = site, .what = what, .without = without};
    for (size_t i = 0; i < s->count; i++) {
        f.right_too += !s->elements[i].wrong && has(&s->elements[i], &f);
        f.wrong_not += s->elements[i].wrong && !has(&s->elements[i], &f);
    }
    return f;
}

static bool is_better(const finding *a, const finding *b)
{
    if (a->wrong_not + a->right_too != b->wrong_not + b->right_too)
        return a->wrong_not + a->right_too < b->wrong_not + b->right_too;
    if ((a->numbers != NULL) != (b->numbers != NULL))
        return !a->numbers;
    if (a->without != b->without)
        return !a->without;
    return a->what < b->what;
}

/* A number of a site. */
typedef struct number {
    const search *s;
    unsigned site;
    quantity what;
} number;

static const char *number_name(const void *user, unsigned feature, lb_arena *arena)
{
    const number *n = user;
    const lb_num_step *site = &n->s->sites[n->site];
    (void)feature;
    if (is_whole_part(site))
        return lb_arena_printf(arena, "%s: its result", lb_part_words(site->part));
    if (site->operation == LB_STEP_GIVEN)
        return lb_arena_printf(arena, "the element of %s", lb_owner_name(site->place.owner));
    return lb_arena_printf(arena, "%s, %s: what %s %s", lb_part_words(site->part),
                           lb_site_label(site->site), lb_operation_name(site->operation),
                           n->what == COUNT ? "shifts by" : "gives");
}

static const char *words_of(const search *s, const finding *f, lb_arena *arena)
{
    if (f->numbers)
        return f->numbers;
    const lb_num_step *site = &s->sites[f->site];
    const char *what = property_words[f->what % PROPERTIES];
    if (f->site == THE_RESULT)
        return lb_arena_printf(arena, "the last step %s%s", f->without ? "is none that " : "",
                               what);
    if (site->operation == LB_STEP_GIVEN)
        return lb_arena_printf(arena, "the element of %s is %s%s", lb_owner_name(site->place.owner),
                               f->without ? "not " : "",
                               f->what % PROPERTIES == IS_ZERO ? "0" : "negative");
    if (is_whole_part(site))
        return lb_arena_printf(arena, "%s: the last step %s%s", lb_part_words(site->part),
                               f->without ? "is none that " : "", what);
    return lb_arena_printf(arena, "%s, %s: %s%s %s", lb_part_words(site->part),
                           lb_site_label(site->site), f->without ? "no " : "",
                           lb_operation_name(site->operation), what);
}

static void put_finding(finding *list, size_t *count, const finding *f)
{
    size_t at = *count;
    while (at > 0 && is_better(f, &list[at - 1]))
        at--;
    finding *put = lb_room_at(list, sizeof *list, count, LB_MOST_WHERE, at);
    if (put)
        *put = *f;
}

/* The rule for the numbers of the site that wrong elements have, and no right one; NULL: there is
 * none. */
static const char *numbers_of(const search *s, unsigned site, quantity what, lb_arena *arena)
{
    enum { LEAST_WRONG = 5, LEAST_RIGHT = 8 }; /* less is chance */
    const number of = {s, site, what};
    const lb_rule_names names = {number_name, &of};
    size_t count = 0, wrong = 0;
    bool has = what == COUNT ? is_shift(&s->sites[site]) : !s->real[site];
    for (size_t i = 0; has && i < s->count; i++) {
        const element *e = &s->elements[i];
        if (e->times[site] > 1 || (e->times[site] == 0 && e->wrong))
            return NULL;
        if (e->times[site] == 0)
            continue;
        wrong += e->wrong;
        s->rows[count].value[0] = e->number[site][what];
        s->rows[count++].inside = e->wrong;
    }
    return wrong >= LEAST_WRONG && count - wrong >= LEAST_RIGHT
               ? lb_rule_find_named(s->rows, count, &names, arena)
               : NULL;
}

/* What nearly all wrong elements have and few right ones: else it is no news. */
static bool is_news(const lb_where *where, const finding *f)
{
    return f->wrong_not * 10 <= where->wrong && f->right_too * 4 <= where->right;
}

static void conclude(const search *s, lb_where *where, lb_arena *arena)
{
    finding best[LB_MOST_WHERE];
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++)
        *(s->elements[i].wrong ? &where->wrong : &where->right) += 1;
    if (where->wrong < 3 || where->right < 3)
        return;
    for (unsigned site = 0; site < s->site_count; site++)
        for (unsigned what = 0; what < 2 * PROPERTIES; what++)
            for (int without = 0; without < 2; without++) {
                finding f = weigh(s, site, what, without);
                if (is_news(where, &f))
                    put_finding(best, &count, &f);
            }
    for (unsigned site = 1; !s->fault && site < s->site_count; site++)
        for (unsigned what = 0; what < QUANTITIES; what++) {
            finding f = {
                .site = site, .what = what, .numbers = numbers_of(s, site, (quantity)what, arena)};
            if (f.numbers)
                put_finding(best, &count, &f);
        }
    where->exact = count > 0 && best[0].wrong_not + best[0].right_too == 0;
    for (size_t i = 0; i < count; i++) {
        if (where->exact && best[i].wrong_not + best[i].right_too > 0)
            break;
        where->words[where->count++] = words_of(s, &best[i], arena);
    }
    where->section = where->count > 0 ? s->sites[best[0].site].section : NULL;
    where->look_for = where->count > 0 ? lb_hint_of(s->sites[best[0].site].operation) : "";
}

void lb_where_find(lb_where *where, lb_evidence *e, const lb_fault *fault, const uint32_t *failing,
                   size_t failing_count, const uint32_t *passing, size_t passing_count,
                   double deadline, lb_arena *arena)
{
    search *s = lb_resized(NULL, sizeof *s);
    memset(s, 0, sizeof *s);
    *where = (lb_where){.section = NULL, .look_for = ""};
    s->e = e;
    s->fault = fault;
    s->deadline = deadline;
    s->site_count = 1;
    s->sites[THE_RESULT] = (lb_num_step){.operation = LB_STEP_COUNT};
    s->elements = lb_resized(NULL, MOST_ELEMENTS * sizeof *s->elements);
    s->rows = lb_resized(NULL, MOST_ELEMENTS * sizeof *s->rows);
    for (size_t i = 0; i < MOST_ELEMENTS; i++)
        s->rows[i] = lb_features_empty(i, false);
    for (size_t i = 0; i < failing_count || i < passing_count; i++) {
        if (lb_work_seconds(e) > deadline || s->count == MOST_ELEMENTS)
            break;
        if (i < failing_count)
            take_case(s, failing[i]);
        if (i < passing_count)
            take_case(s, passing[i]);
    }
    conclude(s, where, arena);
    free(s->elements);
    free(s->rows);
    free(s);
}
