/* Failures that no arithmetic explains: crashes, and results that depend on more than their call.
 */
#include "harness/diagnose/diagnosis.h"

#include <inttypes.h>
#include <string.h>

#define LOOK_FOR_READS  "the last vector load of a row, loop bounds, sums over more than there is"
#define LOOK_FOR_WRITES "the last vector store of a row, loop bounds, pointers"

static const char *case_name(lb_diagnosing *g, uint32_t item)
{
    const lb_tried *t = &g->e->items[item];
    const lb_case *c = lb_evidence_case(g->e, t);
    return lb_arena_printf(&g->d->arena, "%s [%s]", c ? c->id : "?",
                           g->e->profiles[t->profile]->name);
}

/* The same trouble in the same function is one finding. */
static void claim_like(lb_diagnosing *g, const lb_tried *first)
{
    for (size_t i = 0; i < g->e->count; i++) {
        const lb_tried *t = &g->e->items[i];
        if (t->verdict == LB_ERROR && t->trouble && strcmp(t->trouble, first->trouble) == 0)
            lb_diagnosis_claim(g, (uint32_t)i);
    }
}

/* ---- Beside buffers ---- */

static bool is_same_place(const lb_stop *a, const lb_stop *b)
{
    return a->touch != LB_TOUCH_NONE && b->touch != LB_TOUCH_NONE && a->kind == b->kind &&
           a->role == b->role && a->list_index == b->list_index && a->in_front == b->in_front;
}

/* Who changes a byte reads it first, and is stopped there: that it is written is seen elsewhere. */
static lb_touch touch_of(const lb_diagnosing *g, const lb_stop *stop)
{
    lb_touch touch = stop->touch;
    for (size_t i = 0; i < g->e->count; i++)
        if (is_same_place(stop, &g->e->items[i].stop) &&
            g->e->items[i].stop.touch == LB_TOUCH_WRITES)
            touch = LB_TOUCH_WRITES;
    return touch;
}

/* Names the finding by the side of a buffer. */
static const char *tell_side(lb_diagnosing *g, lb_found_fault *found, const lb_tried *t,
                             const lb_stop *at, const char *verb)
{
    lb_arena *arena = &g->d->arena;
    const bool is_written = at->touch == LB_TOUCH_WRITES;
    const char *buffer = lb_zone_buffer_name(lb_evidence_case(g->e, t), at, arena);
    const char *side =
        lb_arena_printf(arena, "%s, %s it", buffer, at->in_front ? "in front of" : "behind");
    found->name = lb_arena_printf(arena, "%s at %s",
                                  is_written ? "writing.outside" : "reading.outside", side);
    found->sentence = lb_arena_printf(arena, "%s outside of %s", verb, side);
    found->look_for = is_written ? LOOK_FOR_WRITES : LOOK_FOR_READS;
    *lb_diagnosis_identity(g) = (lb_identity){
        .what = is_written ? LB_FOUND_WRITTEN_OUTSIDE : LB_FOUND_READ_OUTSIDE,
        .number = {(int32_t)at->kind, (int32_t)at->role, (int32_t)at->list_index, at->in_front}};
    return buffer;
}

static void tell_stop(lb_diagnosing *g, lb_found_fault *found, const lb_tried *t)
{
    static const char *const verbs[] = {[LB_TOUCH_READS] = "reads",
                                        [LB_TOUCH_WRITES] = "writes",
                                        [LB_TOUCH_ANY] = "reads or writes"};
    lb_stop at = t->stop;
    at.touch = touch_of(g, &t->stop);
    const char *buffer = tell_side(g, found, t, &at, verbs[at.touch]);
    lb_diagnosis_fact(g, found,
                      lb_arena_printf(&g->d->arena,
                                      "in %s it %s %" PRIu64 " byte%s %s %s, where nobody may",
                                      case_name(g, (uint32_t)(t - g->e->items)), verbs[at.touch],
                                      at.distance, at.distance == 1 ? "" : "s",
                                      at.in_front ? "in front of" : "behind", buffer));
}

/* What is wrong between forbidden pages alone: one finding for each side of a buffer. */
static void find_stops(lb_diagnosing *g)
{
    for (size_t i = 0; i < g->e->count; i++) {
        const lb_tried *t = &g->e->items[i];
        lb_found_fault *found = NULL;
        if (t->stop.touch == LB_TOUCH_NONE || !lb_tried_failed(t) || g->d->cause[i] != 0)
            continue;
        if ((found = lb_diagnosis_add(g)) == NULL)
            return;
        tell_stop(g, found, t);
        found->certainty = LB_CERTAIN_ONE;
        for (size_t k = i; k < g->e->count; k++)
            if (is_same_place(&t->stop, &g->e->items[k].stop))
                lb_diagnosis_claim(g, (uint32_t)k);
        found->explained = found->results;
        lb_diagnosis_place(g);
    }
}

static void find_errors(lb_diagnosing *g)
{
    for (size_t i = 0; i < g->e->count; i++) {
        const lb_tried *t = &g->e->items[i];
        if (t->verdict != LB_ERROR || !t->trouble || g->d->cause[i] != 0)
            continue;
        lb_found_fault *found = lb_diagnosis_add(g);
        if (!found)
            return;
        found->name = lb_arena_printf(&g->d->arena, "no result: %s", t->trouble);
        found->sentence = lb_arena_printf(&g->d->arena, "gives no result: %s", t->trouble);
        found->certainty = LB_CERTAIN_ONE;
        found->is_symptom = true;
        claim_like(g, t);
        found->explained = found->results;
        lb_diagnosis_place(g);
        const char *rule = lb_diagnosis_rule(g, t->kernel);
        if (rule)
            found->condition = rule;
    }
}

static const struct {
    const char *name, *sentence, *look_for;
} repeated_words[LB_REPEATED_COUNT] = {
    [LB_REPEATED_ZONES] = {"reading.outside", "reads outside of its tensors", LOOK_FOR_READS},
    [LB_REPEATED_STATE] = {"state", "a call before this one has an influence on the result",
                           "static variables, caches and scratch memory that a call leaves and the "
                           "next one takes for its own; memory that is read before it is written"},
    [LB_REPEATED_CHANCE] = {"chance", "the result differs from run to run",
                            "memory that is read before it is written; threads that share memory"},
    [LB_REPEATED_ALIGNMENT] = {"alignment",
                               "the result is wrong only where buffers are not aligned",
                               "loads and stores that ask for aligned addresses"},
};

static void tell_cause(lb_diagnosing *g, lb_found_fault *found)
{
    lb_diagnosis_fact(g, found, "alone, in a fresh process, it does not give this result");
    if (g->repeats.has_cause)
        lb_diagnosis_fact(g, found,
                          lb_arena_printf(&g->d->arena, "in a fresh process it fails after %s",
                                          case_name(g, g->repeats.cause)));
}

/* Of which operand, and how far from it. */
static void tell_read(lb_diagnosing *g, lb_found_fault *found)
{
    const lb_zone_read *r = &g->repeats.read;
    lb_arena *arena = &g->d->arena;
    lb_diagnosis_fact(g, found, "with other bytes around the buffers the result is another");
    if (!r->is_known)
        return;
    const lb_tried *t = &g->e->items[g->repeats.first[LB_REPEATED_ZONES]];
    const char *buffer = tell_side(g, found, t, &r->at, "reads");
    const char *to =
        r->farthest == r->at.distance ? "" : lb_arena_printf(arena, " to %zu", r->farthest);
    lb_diagnosis_fact(g, found,
                      lb_arena_printf(arena,
                                      "in the smallest case the result hangs on byte%s %" PRIu64
                                      "%s %s %s",
                                      to[0] ? "s" : "", r->at.distance, to,
                                      r->at.in_front ? "in front of" : "behind", buffer));
}

/* Where most failures of the same families do not depend on more than their call, those that do
 * are rather what the same mistake does beside: reading what is not there. */
static bool is_most_of_its_families(const lb_diagnosing *g)
{
    bool concerned[LB_FAMILY_COUNT_OF_ALL] = {false};
    size_t own = 0, all = 0;
    for (size_t i = 0; i < g->e->count; i++)
        if (g->d->cause[i] == g->d->found_count && g->e->items[i].kernel)
            concerned[g->e->items[i].kernel->family] = true;
    for (size_t i = 0; i < g->e->count; i++) {
        const lb_tried *t = &g->e->items[i];
        all += t->kernel && concerned[t->kernel->family] && t->verdict == LB_FAIL;
        own += t->kernel && g->d->cause[i] == g->d->found_count;
    }
    return own * 2 >= all;
}

static void find_repeated(lb_diagnosing *g, lb_repeated what)
{
    lb_found_fault *found = g->repeats.count[what] > 0 ? lb_diagnosis_add(g) : NULL;
    if (!found)
        return;
    found->name = repeated_words[what].name;
    found->sentence = repeated_words[what].sentence;
    found->look_for = repeated_words[what].look_for;
    found->certainty = LB_CERTAIN_ONE;
    for (size_t i = 0; i < g->e->count; i++)
        if (g->repeats.of[i] == what)
            lb_diagnosis_claim(g, (uint32_t)i);
    found->explained = found->results;
    if (!is_most_of_its_families(g))
        found->certainty = LB_CERTAIN_PARTLY;
    lb_diagnosis_place(g);
    if (what == LB_REPEATED_STATE)
        tell_cause(g, found);
    if (what == LB_REPEATED_ZONES)
        tell_read(g, found);
}

void lb_diagnose_troubles(lb_diagnosing *g)
{
    find_stops(g);
    find_errors(g);
    for (int what = LB_REPEATED_SAME + 1; what < LB_REPEATED_COUNT; what++)
        find_repeated(g, (lb_repeated)what);
}
