/* Several checks that stand elsewhere in the order, as a block: of calls that break two checks and
 * more, the status says which one the port makes first. One check alone is a fault of the bank. */
#include "harness/base/xalloc.h"
#include "harness/diagnose/diagnosis.h"
#include "reference/describe/check.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CALLS = 2000 };

/* A call that is refused rightly, by rule number `first`. */
typedef struct refused {
    uint32_t item;
    uint8_t first;
    bool wrong;                       /* the port gives `given` */
    uint8_t status_of[LB_MOST_RULES]; /* of rules that it breaks, up to number `known` */
    uint8_t given, known;             /* those behind may not be looked at */
} refused;

/* Rules `from` to `to` are looked at before rule `before`. */
typedef struct move {
    unsigned before, from, to;
    int gain, most; /* most: with what nobody can look at */
} move;

typedef struct ordering {
    lb_diagnosing *g;
    const lb_kernel *kernel;
    refused *calls;
    size_t count, wrong;
    lb_identity *identity; /* of the first function: the same code makes the checks of others */
} ordering;

/* Rules may rely on those before them: behind one that is broken, only where that is about the
 * configuration. */
static void note_broken(refused *r, const lb_fault_bench *bench)
{
    lb_call call = bench->right.call;
    const lb_context context = {.profile = bench->profile};
    const lb_kernel *kernel = call.kernel;
    bool is_relied_on = false;
    for (unsigned n = r->first; n < LB_MOST_RULES && kernel->rules[n].check && !is_relied_on; n++) {
        const lb_rule *rule = &kernel->rules[n];
        const lb_status status = rule->check(&context, &call, rule);
        if (status != LB_OK && lb_violation_unsaid(rule, status) != LB_SAID)
            return;
        r->status_of[n] = (uint8_t)status;
        r->known = (uint8_t)n;
        is_relied_on =
            status != LB_OK && !(rule->all && lb_check_roles(kernel, rule) == 0) && n > r->first;
    }
}

static void take_calls(ordering *o)
{
    lb_look look = {.arena = {0}};
    lb_fault_bench *bench = &look.bench;
    for (size_t i = 0; i < o->g->e->count && o->count < MOST_CALLS; i++) {
        const lb_tried *t = &o->g->e->items[i];
        const bool wrong = t->other_status && t->left && o->g->d->cause[i] == 0;
        if (t->kernel == o->kernel && t->single && (wrong || t->verdict == LB_PASS) &&
            lb_look_at(&look, o->g->e, t) && bench->violated &&
            bench->violated - o->kernel->rules < LB_MOST_RULES &&
            !lb_rule_is_undefined(bench->violated)) {
            refused *r = &o->calls[o->count++];
            *r = (refused){.item = (uint32_t)i,
                           .first = (uint8_t)(bench->violated - o->kernel->rules),
                           .wrong = wrong,
                           .given = (uint8_t)(wrong ? t->left->status : bench->right.call.status)};
            note_broken(r, bench);
            o->wrong += wrong;
        }
    }
    lb_look_end(&look);
}

typedef enum said { GIVES, MAY_GIVE, GIVES_NOT } said;

/* What the call gives, if so; it may be what nobody can look at. */
static said say(const move *m, const refused *r)
{
    const bool acts = m->before <= r->first && r->first < m->from;
    for (unsigned n = m->from; n <= m->to && acts && n <= r->known; n++)
        if (r->status_of[n] != LB_OK)
            return r->status_of[n] == r->given ? GIVES : GIVES_NOT;
    if (r->status_of[r->first] == r->given)
        return GIVES;
    return acts && m->to > r->known ? MAY_GIVE : GIVES_NOT;
}

/* What is right must stay so. */
static move weighed(const ordering *o, move m)
{
    enum { TIMES = 4 };
    m.gain = m.most = 0;
    for (size_t i = 0; i < o->count; i++) {
        const said given = say(&m, &o->calls[i]);
        const int spoils = !o->calls[i].wrong && given == GIVES_NOT ? TIMES : 0;
        m.gain += o->calls[i].wrong ? given == GIVES : -spoils;
        m.most += o->calls[i].wrong ? given != GIVES_NOT : -spoils;
    }
    return m;
}

/* Of equals the one that may explain more, then the shorter block: what nothing shows to be in it
 * is not. */
static bool is_better(const move *a, const move *b)
{
    return a->gain != b->gain   ? a->gain > b->gain
           : a->most != b->most ? a->most > b->most
                                : b->gain > 0 && a->to - a->from < b->to - b->from;
}

static move best_move(const ordering *o)
{
    move best = {.gain = 0};
    unsigned count = 0;
    while (count < LB_MOST_RULES && o->kernel->rules[count].check)
        count++;
    for (unsigned from = 1; from < count; from++)
        for (unsigned to = from; to < count; to++)
            for (unsigned before = from; before-- > 0;) {
                const move m = weighed(o, (move){before, from, to, 0, 0});
                best = is_better(&m, &best) ? m : best;
            }
    return best;
}

/* Two blocks have changed places: the shorter one is said to stand elsewhere. */
static const char *words_of(const ordering *o, const move *m, lb_fault *fault, lb_arena *arena)
{
    const lb_rule *rules = o->kernel->rules;
    const bool is_late = m->from - m->before < m->to + 1 - m->from;
    *fault = (lb_fault){.kind = lb_fault_kind_find(is_late ? "check.late" : "check.early"),
                        .rule = &rules[is_late ? m->before : m->from]};
    return is_late
               ? lb_arena_printf(arena, "makes the checks from %s to %s after %s",
                                 rules[m->before].name, rules[m->from - 1].name, rules[m->to].name)
               : lb_arena_printf(arena, "makes the checks from %s to %s before %s",
                                 rules[m->from].name, rules[m->to].name, rules[m->before].name);
}

static void tell(ordering *o, const move *m)
{
    lb_diagnosing *g = o->g;
    lb_found_fault *found = lb_diagnosis_add(g);
    lb_fault fault;
    if (!found)
        return;
    found->sentence = words_of(o, m, &fault, &g->d->arena);
    found->name = lb_fault_name(&fault, &g->d->arena);
    found->section = lb_fault_section(&fault, o->kernel);
    found->look_for = lb_fault_hint(&fault);
    found->certainty = LB_CERTAIN_PARTLY;
    if (o->identity->what == LB_FOUND_ALONE)
        *o->identity = (lb_identity){.what = LB_FOUND_FAULT, .fault = lb_fault_key_of(&fault)};
    *lb_diagnosis_identity(g) = *o->identity;
    for (size_t i = 0; i < o->count; i++) {
        const said given = say(m, &o->calls[i]);
        if (!o->calls[i].wrong || given == GIVES_NOT)
            continue;
        found->explained += lb_diagnosis_claim(g, o->calls[i].item) && given == GIVES;
        g->e->items[o->calls[i].item].left = NULL; /* nobody else need look at it */
    }
    lb_diagnosis_place(g);
}

/* Of one function. A block is told where it explains nearly all statuses that are wrong in calls
 * refused rightly, and no check of it alone does. */
static void find_in(lb_diagnosing *g, const lb_kernel *kernel, lb_identity *identity)
{
    enum { LEAST = 3, OF_TEN = 8 };
    ordering o = {.g = g,
                  .kernel = kernel,
                  .calls = lb_resized(NULL, MOST_CALLS * sizeof(refused)),
                  .identity = identity};
    take_calls(&o);
    if (o.wrong >= LEAST) {
        const move m = best_move(&o);
        bool single = m.from == m.before + 1; /* that one is late */
        for (unsigned n = m.from; n <= m.to; n++)
            single = single || weighed(&o, (move){m.before, n, n, 0, 0}).gain >= m.gain;
        for (size_t i = 0; i < o.count; i++) /* it is not made at all */
            single = single || (o.calls[i].wrong && o.calls[i].given == LB_OK);
        if (!single && m.most * 10 >= (int)o.wrong * OF_TEN)
            tell(&o, &m);
    }
    free(o.calls);
}

void lb_diagnose_order(lb_diagnosing *g)
{
    lb_identity identity = {.what = LB_FOUND_ALONE};
    for (size_t k = 0; k < lb_kernel_total(); k++) {
        size_t wrong = 0;
        for (size_t i = 0; i < g->e->count; i++)
            wrong += g->e->items[i].kernel == lb_kernel_at(k) && g->e->items[i].other_status;
        if (wrong > 0 && lb_kernel_at(k)->exact)
            find_in(g, lb_kernel_at(k), &identity);
    }
}
