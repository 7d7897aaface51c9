/* Sequences of movement calls held against the faults of the state that they share. */
#include "harness/call/model.h"
#include "harness/diagnose/diagnosis.h"
#include "harness/diagnose/work.h"

#include <string.h>

/* A fault and what sequences say of it. */
typedef struct account {
    unsigned number;
    uint64_t explained; /* failing sequences that are not claimed yet */
    uint64_t against;   /* passing ones in which it would show */
} account;

static bool is_open(const lb_diagnosing *g, size_t item)
{
    const lb_tried *t = &g->e->items[item];
    return !t->kernel && t->verdict == LB_FAIL && g->d->cause[item] == 0;
}

/* Would the fault show in this sequence? */
static bool shows(lb_diagnosing *g, const lb_tried *t, unsigned number)
{
    lb_arena arena = {0};
    size_t step;
    const lb_case *c = lb_evidence_case(g->e, t);
    bool differs = false;
    if (c) {
        lb_instance *right = lb_instance_of(c, &arena), *wrong = lb_instance_of(c, &arena);
        const lb_step_outcome *due =
            lb_sequence_play(right, NULL, g->e->profiles[t->profile], &arena);
        const lb_step_outcome *got =
            lb_sequence_play_fault(wrong, &lb_sequence_faults[number], &arena);
        differs = lb_sequence_differs(c, due, got, &step) != LB_STEP_SAME;
    }
    lb_arena_free(&arena);
    return differs;
}

static void weigh(lb_diagnosing *g, account *a)
{
    a->explained = a->against = 0;
    for (size_t i = 0; i < g->e->count; i++)
        a->explained += is_open(g, i) && (g->e->items[i].sequence_faults >> a->number & 1) != 0;
    for (size_t i = 0; a->explained > 0 && i < g->e->count; i++) {
        const lb_tried *t = &g->e->items[i];
        a->against +=
            !t->kernel && t->verdict == LB_PASS && t->profile == 0 && shows(g, t, a->number);
    }
}

static bool is_better(const account *a, const account *b)
{
    if ((a->against == 0) != (b->against == 0))
        return a->against == 0;
    if (a->explained != b->explained)
        return a->explained > b->explained;
    return lb_sequence_faults[a->number].prior > lb_sequence_faults[b->number].prior;
}

/* Others that explain as much, and against which nothing speaks either. */
static void name_others(lb_diagnosing *g, const account *accounts, size_t count,
                        const account *best, lb_found_fault *found)
{
    const char **others = lb_arena_array(&g->d->arena, count + 1, sizeof *others);
    for (size_t i = 0; i < count; i++)
        if (accounts[i].number != best->number && accounts[i].explained == best->explained &&
            (accounts[i].against == 0) == (best->against == 0))
            others[found->other_count++] = lb_sequence_faults[accounts[i].number].words;
    found->others = others;
}

static void tell_best(lb_diagnosing *g, const account *accounts, size_t count, const account *best)
{
    lb_found_fault *found = lb_diagnosis_add(g);
    if (!found)
        return;
    const lb_sequence_fault *fault = &lb_sequence_faults[best->number];
    found->name = lb_arena_printf(&g->d->arena, "sequence.%s", fault->name);
    found->sentence = fault->words;
    found->look_for = fault->look_for;
    found->section = "pooling_and_movement.md 6";
    found->against = best->against;
    name_others(g, accounts, count, best, found);
    found->certainty = best->against > 0        ? LB_CERTAIN_PARTLY
                       : found->other_count > 0 ? LB_CERTAIN_SEVERAL
                                                : LB_CERTAIN_ONE;
    for (size_t i = 0; i < g->e->count; i++)
        if (is_open(g, i) && (g->e->items[i].sequence_faults >> best->number & 1) != 0)
            lb_diagnosis_claim(g, (uint32_t)i);
    found->explained = found->results;
    lb_diagnosis_place(g);
}

/* The best fault, as long as there is one. */
static bool find_fault(lb_diagnosing *g)
{
    account accounts[LB_MOST_SEQUENCE_FAULTS], *best = NULL;
    size_t count = 0;
    for (unsigned i = 0; lb_sequence_faults[i].name && lb_work_seconds(g->e) < g->deadline; i++) {
        accounts[count] = (account){.number = i};
        weigh(g, &accounts[count]);
        count += accounts[count].explained > 0;
    }
    for (size_t i = 0; i < count; i++)
        if (!best || is_better(&accounts[i], best))
            best = &accounts[i];
    if (best)
        tell_best(g, accounts, count, best);
    return best != NULL;
}

/* ---- What no fault explains: the call and the part of its result that differ first ---- */

static const char *const part_words[LB_STEP_PART_COUNT] = {[LB_STEP_STATUS] = "another status",
                                                           [LB_STEP_DONE] = "another answer",
                                                           [LB_STEP_HANDLE] = "another handle",
                                                           [LB_STEP_CALLBACKS] = "other callbacks",
                                                           [LB_STEP_ELEMENTS] = "other elements"};

static const char *call_of(lb_diagnosing *g, const lb_tried *t)
{
    const lb_case *c = lb_evidence_case(g->e, t);
    return c && t->differs_at < c->step_count
               ? lb_arena_strdup(&g->d->arena, c->steps[t->differs_at].call)
               : "";
}

static void tell_part(lb_diagnosing *g, const lb_tried *first)
{
    lb_found_fault *found = lb_diagnosis_add(g);
    if (!found)
        return;
    const char *call = call_of(g, first), *part = part_words[first->differs_in];
    lb_step_part differs_in = first->differs_in;
    found->name = lb_arena_printf(&g->d->arena, "unknown: %s: %s", call, part);
    found->sentence =
        lb_arena_printf(&g->d->arena, "%s gives %s; no fault of the catalogue does so", call, part);
    found->section = "pooling_and_movement.md 6";
    found->certainty = LB_CERTAIN_UNKNOWN;
    for (size_t i = 0; i < g->e->count; i++)
        if (is_open(g, i) && g->e->items[i].differs_in == differs_in &&
            strcmp(call_of(g, &g->e->items[i]), call) == 0)
            lb_diagnosis_claim(g, (uint32_t)i);
    lb_diagnosis_place(g);
}

void lb_diagnose_sequences(lb_diagnosing *g)
{
    while (lb_diagnosis_has_room(g) && find_fault(g))
        ;
    for (size_t i = 0; i < g->e->count && lb_diagnosis_has_room(g); i++)
        if (is_open(g, i) && g->e->items[i].differs_in != LB_STEP_SAME)
            tell_part(g, &g->e->items[i]);
}
