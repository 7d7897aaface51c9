/* Where in the computation a fault shows: see where.h. */
#include "harness/diagnose/where.h"
#include "harness/base/xalloc.h"
#include "harness/diagnose/hints.h"
#include "harness/diagnose/rule.h"
#include "harness/diagnose/work.h"
#include "harness/explain/operations.h"
#include "harness/explain/words.h"
#include "harness/faults/step_run.h"

#include <stdlib.h>
#include <string.h>

/* What can be said of a site in an element, as numbers: what it gives where it is made once; how
 * often it is made, and how often so. */
typedef enum quantity {
    GIVES,
    COUNT,
    MADE,
    CLIPPED,
    TIES,
    DROPS_BITS,
    LIMIT_TAKEN,
    LOWEST_SQUARED,
    QUANTITIES
} quantity;

static const char *const how_often[QUANTITIES] = {[MADE] = "is made",
                                                  [CLIPPED] = "leaves its width",
                                                  [TIES] = "drops exactly a half",
                                                  [DROPS_BITS] = "drops bits",
                                                  [LIMIT_TAKEN] = "takes the limit",
                                                  [LOWEST_SQUARED] =
                                                      "multiplies the lowest number by itself"};

enum { MOST_SITES = 160, MOST_ELEMENTS = 320, MOST_OF_A_CASE = 12 };

typedef struct element {
    bool wrong;
    int64_t of[MOST_SITES][QUANTITIES];
} element;

typedef struct search {
    lb_evidence *e;
    lb_fault_bench *bench;
    lb_num_step sites[MOST_SITES];
    bool real[MOST_SITES];        /* their numbers are no integers */
    lb_num_step last[MOST_SITES]; /* of a whole part: its last step */
    unsigned site_count;
    element *elements;
    size_t count;
    element *current;
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
           lb_step_dropped(s) == (uint64_t)1 << (n - 1);
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

/* What a part of the computation gives is a site of its own. */
static bool is_whole_part(const lb_num_step *site)
{
    return site->operation == LB_STEP_COUNT;
}

/* The number of a place; MOST_SITES: there is no room for it. */
static unsigned site_of(search *s, const lb_num_step *step)
{
    unsigned site = 0;
    while (site < s->site_count && !lb_fault_same_site(&s->sites[site], step, true))
        site++;
    if (site == s->site_count && site < MOST_SITES)
        s->sites[s->site_count++] = *step;
    return site;
}

/* Gives the number of the place `at`. */
static unsigned note_result(search *s, const lb_num_step *step, const lb_num_step *at)
{
    const unsigned site = site_of(s, at);
    if (site == MOST_SITES)
        return site;
    s->real[site] = s->real[site] || lb_operation_is_real(step->operation, LB_STEP_RESULT);
    s->current->of[site][GIVES] = step->result;
    return site;
}

static void note_step(void *user, const lb_num_step *step)
{
    search *s = user;
    const bool is_given = step->operation == LB_STEP_GIVEN;
    const lb_num_step whole = {.operation = LB_STEP_COUNT, .part = step->part};
    if (is_given && step->place.kind != LB_NUM_ELEMENT)
        return;
    /* What a part gives is what its last step does. */
    const unsigned part = is_given ? MOST_SITES : note_result(s, step, &whole);
    const unsigned site = note_result(s, step, step);
    if (part < MOST_SITES) {
        s->current->of[part][MADE] = 1;
        if (step->operation != LB_STEP_SKIP) /* beside the image: it adds nothing */
            s->last[part] = *step;
    }
    if (site == MOST_SITES)
        return;
    int64_t *of = s->current->of[site];
    of[COUNT] = step->operand[1].v;
    of[MADE]++;
    if (is_given)
        return;
    of[CLIPPED] += lb_step_is_clipped(step);
    of[TIES] += is_tie(step);
    of[DROPS_BITS] += lb_explain_drops(step);
    of[LIMIT_TAKEN] += takes_limit(step);
    of[LOWEST_SQUARED] += is_lowest_squared(step);
}

/* ---- Elements ---- */

static void listen_to(search *s, size_t at, size_t flat, bool wrong)
{
    lb_instance *instance = &s->bench->out;
    if (s->count == MOST_ELEMENTS)
        return;
    s->current = &s->elements[s->count++];
    *s->current = (element){.wrong = wrong};
    lb_steps steps = {.role = LB_ROLE_OUT, .element = flat, .step = note_step, .user = s};
    lb_context context = {.profile = s->bench->profile, .steps = &steps};
    lb_instance_reset(instance);
    lb_work_run(s->e, s->bench, true);
    steps.address = instance->block + at;
    lb_run_exact(&context, &instance->call);
}

/* Some wrong elements of the case, and some right ones, spread over the output. */
static void take_elements(search *s, const lb_left *left, const lb_left_output *o)
{
    size_t taken[2] = {0, 0}, stride = o->count / 97 + 1;
    for (size_t i = 0; i < o->count && lb_work_seconds(s->e) < s->deadline; i++) {
        size_t flat = i * stride % o->count, at = o->start + lb_layout_offset(&o->layout, flat);
        bool wrong = left && memcmp(left->block + at, s->bench->right.block + at,
                                    o->layout.element_bytes) != 0;
        if (taken[wrong] >= MOST_OF_A_CASE && taken[!wrong] >= MOST_OF_A_CASE)
            break;
        if (taken[wrong]++ < MOST_OF_A_CASE)
            listen_to(s, at, flat, wrong);
    }
}

/* Functions may have no output, and outputs a memory of their own kind. */
static bool has_elements(const lb_fault_bench *bench, const lb_left *left, lb_left_output *o)
{
    if (!bench->computed || !lb_left_output_of(&bench->memory, LB_ROLE_OUT, o))
        return false;
    const lb_case_tensor *out = &bench->test_case->operand[LB_ROLE_OUT].tensors[0];
    return !out->has_data_in && !out->has_buffer_elements &&
           (!left || left->block_bytes == bench->memory.block_bytes);
}

static void take_case(search *s, uint32_t item)
{
    const lb_tried *t = &s->e->items[item];
    lb_look look = {.arena = {0}};
    lb_left_output o;
    if (t->call == 1 && lb_look_at(&look, s->e, t) && has_elements(&look.bench, t->left, &o)) {
        s->bench = &look.bench;
        take_elements(s, t->left, &o);
    }
    lb_look_end(&look);
}

/* ---- What they have in common ---- */

static const char *quantity_name(const void *user, unsigned what, lb_arena *arena)
{
    const lb_num_step *site = user;
    if (is_whole_part(site)) /* no operation */
        return lb_arena_printf(arena, "%s: its result", lb_part_words(site->part));
    if (site->operation == LB_STEP_GIVEN)
        return lb_arena_printf(arena, "the element of %s", lb_owner_name(site->place.owner));
    return lb_arena_printf(arena, "%s, %s: %s %s %s", lb_part_words(site->part),
                           lb_site_label(site->site), how_often[what] ? "how often" : "what",
                           lb_operation_name(site->operation),
                           how_often[what] ? how_often[what]
                           : what == GIVES ? "gives"
                                           : "shifts by");
}

static lb_features row_of(const search *s, unsigned site, size_t number)
{
    const element *e = &s->elements[number];
    const lb_num_step *step = &s->sites[site];
    lb_features row = lb_features_empty(number, e->wrong);
    memcpy(row.value, e->of[site], sizeof e->of[site]);
    if (e->of[site][MADE] != 1 || s->real[site])
        row.value[GIVES] = INT64_MIN;
    if (e->of[site][MADE] != 1 || !is_shift(step))
        row.value[COUNT] = INT64_MIN;
    if (step->operation == LB_STEP_GIVEN)
        row.value[MADE] = INT64_MIN;
    return row;
}

static bool is_sum(const search *s, unsigned site)
{
    return is_whole_part(&s->sites[site]) && s->last[site].operation == LB_STEP_MAC;
}

/* Are the results of wrong elements on one side of those of right ones, or farther from 0 on both
 * sides? */
static bool is_beyond(const search *s, unsigned site)
{
    int64_t least[2] = {INT64_MAX, INT64_MAX}, most[2] = {INT64_MIN, INT64_MIN};
    for (size_t i = 0; i < s->count; i++) {
        const int64_t v = s->elements[i].of[site][GIVES];
        const bool wrong = s->elements[i].wrong;
        least[wrong] = v < least[wrong] ? v : least[wrong];
        most[wrong] = v > most[wrong] ? v : most[wrong];
    }
    const int64_t right = -least[0] > most[0] ? -least[0] : most[0];
    bool on_both_sides = true;
    for (size_t i = 0; i < s->count; i++) {
        const int64_t v = s->elements[i].of[site][GIVES];
        on_both_sides = on_both_sides && (!s->elements[i].wrong || v > right || v < -right);
    }
    return on_both_sides || least[1] > most[0] || most[1] < least[0];
}

/* Tells rules of sums, or of all else. */
static void conclude_of(const search *s, bool sums, lb_features *rows, lb_where *where,
                        lb_arena *arena)
{
    for (unsigned site = 0; site < s->site_count && where->count < LB_MOST_WHERE; site++) {
        const lb_rule_names names = {quantity_name, &s->sites[site], NULL, NULL};
        if (is_sum(s, site) != sums)
            continue;
        for (size_t i = 0; i < s->count; i++)
            rows[i] = row_of(s, site, i);
        const char *rule = lb_rule_find_named(rows, s->count, &names, arena);
        if (!rule)
            continue;
        if (where->count == 0) {
            const lb_num_step *last = sums ? &s->last[site] : &s->sites[site];
            where->section = last->section;
            where->look_for = lb_hint_of(last->operation);
            where->sum = sums && is_beyond(s, site)
                             ? lb_arena_printf(arena, "%s, %s", lb_part_words(last->part),
                                               lb_site_label(last->site))
                             : NULL;
        }
        where->words[where->count++] = rule;
    }
}

static void conclude(const search *s, lb_where *where, lb_arena *arena)
{
    enum { LEAST_WRONG = 5, LEAST_RIGHT = 8 }; /* less is chance */
    size_t wrong = 0;
    for (size_t i = 0; i < s->count; i++)
        wrong += s->elements[i].wrong;
    if (wrong < LEAST_WRONG || s->count - wrong < LEAST_RIGHT)
        return;
    lb_features *rows = lb_resized(NULL, s->count * sizeof *rows);
    for (int sums = 1; sums >= 0; sums--)
        conclude_of(s, sums == 1, rows, where, arena);
    free(rows);
}

void lb_where_find(lb_where *where, lb_evidence *e, const uint32_t *failing, size_t failing_count,
                   const uint32_t *passing, size_t passing_count, double deadline, lb_arena *arena)
{
    search *s = lb_resized(NULL, sizeof *s);
    memset(s, 0, sizeof *s);
    *where = (lb_where){.section = NULL, .look_for = ""};
    s->e = e;
    s->deadline = deadline;
    s->elements = lb_resized(NULL, MOST_ELEMENTS * sizeof *s->elements);
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
    free(s);
}
