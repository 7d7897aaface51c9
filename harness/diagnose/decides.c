/* Which numbers of a refused call decide it: see decides.h. */
#include "harness/diagnose/decides.h"
#include "harness/call/model.h"
#include "harness/diagnose/experiment.h"
#include "harness/generate/case_change.h"
#include "harness/suite/case_write.h"

enum { MOST_NUMBERS = 96, MOST_CASES = 3, MOST_CALLS = 40 };

/* A number of the call. */
typedef struct number {
    lb_leaf leaf;
    uint64_t violates;                  /* by some change of it: checks, as bits */
    const lb_case *changed[MOST_CASES]; /* ... that the specification takes all the same */
    unsigned count;
} number;

typedef struct deciding {
    lb_diagnosing *g;
    const lb_profile *profile;
    const lb_case *from;
    lb_arena arena;
    number numbers[MOST_NUMBERS];
    unsigned count;
} deciding;

/* However its dimension is asked for. */
static bool is_same_number(lb_leaf a, lb_leaf b)
{
    return a.kind == b.kind && a.role == b.role && a.dim == b.dim && a.at == b.at &&
           (a.by == LB_BY_INNERMOST) == (b.by == LB_BY_INNERMOST);
}

static number *number_of(deciding *s, lb_leaf leaf)
{
    for (unsigned i = 0; i < s->count; i++)
        if (is_same_number(s->numbers[i].leaf, leaf))
            return &s->numbers[i];
    if (s->count == MOST_NUMBERS)
        return NULL;
    s->numbers[s->count] = (number){.leaf = leaf};
    return &s->numbers[s->count++];
}

static const lb_case *changed_case(deciding *s, const lb_change *change)
{
    const lb_random_options options = {.seed = 1};
    lb_build b = {.random = lb_random_start(1, 0),
                  .arena = &s->arena,
                  .c = lb_case_copy(&s->arena, s->from),
                  .options = &options};
    b.c->expect_count = 0;
    return lb_case_change(&b, change) ? lb_case_read_again(b.c, &s->arena) : NULL;
}

/* What the specification says of it: taken, or refused by one of the checks. */
static void try_change(deciding *s, const lb_change *change, const lb_deciding *checks,
                       unsigned count)
{
    const lb_context context = {.profile = s->profile};
    number *n = number_of(s, change->leaf);
    const lb_case *c = n ? changed_case(s, change) : NULL;
    lb_instance *instance = c ? lb_instance_of(c, &s->arena) : NULL;
    if (!instance)
        return;
    const lb_rule *violated = lb_check_call(&context, &instance->call);
    if (!violated && n->count < MOST_CASES)
        n->changed[n->count++] = c;
    for (unsigned i = 0; violated && i < count; i++)
        if (checks[i].rule == violated)
            n->violates |= (uint64_t)1 << i;
}

/* All checks in C look at the same numbers. */
static bool try_changes(deciding *s, const lb_deciding *checks, unsigned count)
{
    lb_instance *instance = lb_instance_of(s->from, &s->arena);
    lb_change *changes = lb_arena_array(&s->arena, LB_MOST_CHANGES, sizeof *changes);
    const lb_context context = {.profile = s->profile};
    bool is_in_c = false;
    if (!instance || lb_check_call(&context, &instance->call))
        return false;
    for (unsigned i = 0; i < count; i++) {
        const lb_rule *rule = checks[i].rule;
        const bool is_done = !rule || (!rule->all && is_in_c);
        const unsigned found = is_done ? 0 : lb_check_changes(&instance->call, rule, changes);
        is_in_c = is_in_c || (rule && !rule->all);
        for (unsigned k = 0; k < found; k++)
            try_change(s, &changes[k], checks, count);
    }
    return true;
}

/* Does the port take the call? */
static bool is_taken(deciding *s, const lb_case *c)
{
    lb_evidence *e = s->g->e;
    bool passed = false;
    const char *trouble = NULL;
    const lb_left *left =
        lb_evidence_call(e, e->port, c, s->profile, e->misalign, &s->arena, &passed, &trouble);
    s->g->d->experiments++;
    return passed || (left && left->status == LB_OK);
}

static bool does_decide(deciding *s, const number *n, uint64_t most)
{
    bool decides = false;
    for (unsigned k = 0; n->violates && k < n->count && !decides; k++)
        decides = s->g->d->experiments < most && s->g->d->experiments < LB_MOST_EXPERIMENTS &&
                  is_taken(s, n->changed[k]);
    return decides;
}

void lb_decides(lb_diagnosing *g, const lb_tried *refused, lb_deciding *checks, unsigned count)
{
    const lb_case *from = lb_evidence_case(g->e, refused);
    deciding *s = lb_arena_alloc(&g->d->arena, sizeof *s);
    const uint64_t most = g->d->experiments + MOST_CALLS;
    unsigned decide[LB_MOST_DECIDING] = {0}, all[LB_MOST_DECIDING] = {0};
    *s = (deciding){.g = g, .profile = g->e->profiles[refused->profile], .from = from};
    if (from && from->chain.steps == 0 && try_changes(s, checks, count))
        for (unsigned i = 0; i < s->count; i++) {
            const bool decides = does_decide(s, &s->numbers[i], most);
            for (unsigned k = 0; k < count; k++) {
                const bool is_of_it = (s->numbers[i].violates >> k & 1) != 0;
                all[k] += is_of_it;
                decide[k] += is_of_it && decides;
            }
        }
    for (unsigned k = 0; k < count; k++) {
        checks[k].decide += decide[k];
        checks[k].all += decide[k] > 0 ? all[k] : 0;
    }
    lb_arena_free(&s->arena);
}
