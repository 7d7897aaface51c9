/* Checks that refuse too much: see too_strict.h. */
#include "harness/diagnose/too_strict.h"
#include "harness/base/xalloc.h"
#include "harness/call/model.h"
#include "harness/diagnose/asking.h"
#include "harness/diagnose/experiment.h"
#include "harness/diagnose/rule.h"
#include "harness/generate/case_change.h"
#include "harness/suite/case_write.h"

#include <stdlib.h>

/* ---- Which numbers decide: each alone is made another one, so that the specification still takes
 * the call, and the port is asked ---- */

/* A check, and how it goes with what the port says. */
typedef struct deciding_check {
    const lb_rule *rule;
    unsigned decide; /* numbers of it by which the port takes the call */
    unsigned all;    /* numbers by which it is violated, in calls in which some decide */
} deciding_check;

enum { MOST_CHECKS = 48, MOST_NUMBERS = 96, MOST_CASES = 3, MOST_CALLS = 40 };

/* A number of the call. */
typedef struct number {
    lb_leaf leaf;
    uint64_t violates;                  /* by some change of it: checks, as bits */
    uint64_t beside;                    /* ... by one that is one higher or lower */
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
    lb_build b = lb_asking_build(s->from, &s->arena);
    return lb_case_change(&b, change) ? lb_case_read_again(b.c, &s->arena) : NULL;
}

/* What the specification says of it: taken, or refused by one of the checks. */
static void try_change(deciding *s, const lb_change *change, const deciding_check *checks,
                       unsigned count)
{
    const lb_context context = {.profile = s->profile};
    number *n = number_of(s, change->leaf);
    const lb_case *c = n ? changed_case(s, change) : NULL;
    lb_instance *instance = c ? lb_instance_of(c, &s->arena) : NULL;
    if (!instance)
        return;
    const lb_rule *violated = lb_check_call(&context, &instance->call);
    const int64_t by = change->value - lb_case_value(s->from, change->leaf, &s->arena);
    if (!violated && n->count < MOST_CASES)
        n->changed[n->count++] = c;
    for (unsigned i = 0; violated && i < count; i++)
        if (checks[i].rule == violated) {
            n->violates |= (uint64_t)1 << i;
            n->beside |= by == 1 || by == -1 ? (uint64_t)1 << i : 0;
        }
}

/* All checks in C look at the same numbers. */
static bool try_changes(deciding *s, const deciding_check *checks, unsigned count)
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

/* The numbers of a call that the specification takes. */
static bool look_at_numbers(deciding *s, lb_diagnosing *g, const lb_tried *t,
                            const deciding_check *checks, unsigned count)
{
    *s = (deciding){
        .g = g, .profile = g->e->profiles[t->profile], .from = lb_evidence_case(g->e, t)};
    return s->from && s->from->chain.steps == 0 && try_changes(s, checks, count);
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

/* Is it one of the numbers by which refused calls differ from those that are taken? */
static bool is_told(const deciding *s, const lb_rule_told *told, const number *n)
{
    bool is = false;
    for (unsigned i = 0; i < told->count; i++)
        is = is || lb_feature_asks(s->from->kernel, told->feature[i], n->leaf);
    return is;
}

/* Counts for each check what is seen of a failing result that is refused and should be taken. */
static void see_deciding(lb_diagnosing *g, const lb_tried *refused, const lb_rule_told *told,
                         deciding_check *checks, unsigned count)
{
    deciding *s = lb_resized(NULL, sizeof *s);
    const uint64_t most = g->d->experiments + MOST_CALLS;
    unsigned decide[MOST_CHECKS] = {0}, all[MOST_CHECKS] = {0};
    if (look_at_numbers(s, g, refused, checks, count))
        for (unsigned i = 0; i < s->count; i++) {
            const bool decides =
                is_told(s, told, &s->numbers[i]) || does_decide(s, &s->numbers[i], most);
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
    free(s);
}

/* ---- Which check ---- */

typedef struct strict_search {
    lb_diagnosing *g;
    lb_theory *list[MOST_CHECKS]; /* one for each check that it may be */
    size_t count;
} strict_search;

static void gather_candidates(strict_search *s, const lb_theory *theory, const lb_theory_part *part)
{
    const lb_fault *told = lb_theory_fault(theory);
    s->count = 0;
    for (size_t i = 0; i < s->g->theories.count && s->count < MOST_CHECKS; i++) {
        lb_theory *t = &s->g->theories.items[i];
        const lb_fault *fault = lb_theory_fault(t);
        if (!t->dropped && fault->kind == told->kind && fault->argument == told->argument &&
            lb_theory_part_in(t, part->function) && lb_theory_holds_part(t, part))
            s->list[s->count++] = t;
    }
}

/* Of the theory's results that are refused, number `turn` of `turns` from the smallest on. */
static const lb_tried *some_refused(const lb_diagnosing *g, const lb_theory_part *part, size_t turn,
                                    size_t turns)
{
    const lb_function *f = part->function;
    size_t refused = 0, at = 0;
    for (size_t r = 0; r < f->failing_used; r++)
        refused += part->suspect->words[r] == LB_WORD_EXPLAINS;
    if (turn >= refused)
        return NULL;
    for (size_t r = 0, wanted = turns < refused ? turn * refused / turns : turn; at <= wanted; r++)
        if (part->suspect->words[r] == LB_WORD_EXPLAINS && at++ == wanted)
            return &g->e->items[f->failing[r]];
    return NULL;
}

/* The more of its numbers decide, and the fewer do not, the likelier it is the check. */
static double standing_of(const deciding_check *check)
{
    return check->all == 0 ? 0 : (double)check->decide * check->decide / check->all;
}

/* The part of which most checks may be it; of those the one of the smallest refused call. Siblings
 * are asked about few. */
static const lb_theory_part *telling_part(strict_search *s, const lb_theory *theory)
{
    const lb_theory_part *best = &theory->parts[0];
    uint64_t least = UINT64_MAX;
    size_t most = 0;
    for (size_t i = 0; i < theory->part_count; i++) {
        const lb_tried *t = some_refused(s->g, &theory->parts[i], 0, 1);
        gather_candidates(s, theory, &theory->parts[i]);
        if (t && (s->count > most || (s->count == most && t->size < least))) {
            most = s->count;
            least = t->size;
            best = &theory->parts[i];
        }
    }
    gather_candidates(s, theory, best);
    return best;
}

/* Of how many refused and taken calls a check is violated by a number one higher or lower. */
typedef struct border {
    lb_leaf leaf;
    unsigned refused[MOST_CHECKS], taken[MOST_CHECKS];
} border;

typedef struct borders {
    border of[MOST_NUMBERS];
    unsigned count;
    unsigned refused, taken; /* calls */
} borders;

static border *border_of(borders *b, lb_leaf leaf)
{
    for (unsigned i = 0; i < b->count; i++)
        if (is_same_number(b->of[i].leaf, leaf))
            return &b->of[i];
    if (b->count == MOST_NUMBERS)
        return NULL;
    b->of[b->count] = (border){.leaf = leaf};
    return &b->of[b->count++];
}

/* One that the specification takes. */
static void take_borders(borders *b, lb_diagnosing *g, const lb_tried *t,
                         const deciding_check *checks, unsigned count, bool refused)
{
    deciding *s = lb_resized(NULL, sizeof *s);
    const bool is_taken = look_at_numbers(s, g, t, checks, count);
    *(refused ? &b->refused : &b->taken) += is_taken;
    for (unsigned i = 0; is_taken && i < s->count; i++) {
        border *its = s->numbers[i].beside ? border_of(b, s->numbers[i].leaf) : NULL;
        for (unsigned k = 0; its && k < count; k++)
            (refused ? its->refused : its->taken)[k] += (unsigned)(s->numbers[i].beside >> k & 1);
    }
    lb_arena_free(&s->arena);
    free(s);
}

/* The check of which one number is at its limit in all the refused calls, and in hardly any that
 * the port takes: it refuses the last that it should take. NULL: there is none, or several. */
static lb_theory *check_at_its_border(strict_search *s, const lb_theory_part *part,
                                      const deciding_check *checks)
{
    enum { MOST_TRIED = 6, MOST_TAKEN = 16, LEAST_TAKEN = 4, FEW_OF = 8 };
    const lb_function *f = part->function;
    borders *b = lb_resized(NULL, sizeof *b);
    const lb_tried *t;
    lb_theory *found = NULL;
    bool is_one = true;
    b->count = b->refused = b->taken = 0;
    for (size_t k = 0; k < MOST_TRIED && (t = some_refused(s->g, part, k, MOST_TRIED)); k++)
        take_borders(b, s->g, t, checks, (unsigned)s->count, true);
    for (size_t r = 0; b->refused > 0 && r < f->passing_used && b->taken < MOST_TAKEN; r++)
        take_borders(b, s->g, &s->g->e->items[f->passing[r]], checks, (unsigned)s->count, false);
    for (unsigned i = 0; b->taken >= LEAST_TAKEN && i < b->count; i++)
        for (size_t k = 0; k < s->count; k++)
            if (b->of[i].refused[k] == b->refused && b->of[i].taken[k] * FEW_OF <= b->taken) {
                is_one = is_one && (!found || found == s->list[k]);
                found = s->list[k];
            }
    free(b);
    return is_one ? found : NULL;
}

/* Which numbers decide the refusal, the port says: gives the check whose numbers go best with it;
 * NULL: no number decides. */
static lb_theory *check_that_decides(strict_search *s, const lb_theory_part *part,
                                     const lb_rule_told *told, lb_strict_when *when)
{
    enum { MOST_TRIED = 4, SURE = 2 };
    deciding_check checks[MOST_CHECKS];
    const lb_tried *t;
    size_t best = 0;
    for (size_t i = 0; i < s->count; i++) {
        const lb_fault *fault = lb_theory_fault_in(s->list[i], part->function);
        checks[i] = (deciding_check){.rule = fault ? fault->rule : NULL};
    }
    for (size_t k = 0; k < MOST_TRIED; k++)
        if ((t = some_refused(s->g, part, k, MOST_TRIED)) != NULL)
            see_deciding(s->g, t, told, checks, (unsigned)s->count);
    for (size_t i = 1; i < s->count; i++)
        best = standing_of(&checks[i]) > standing_of(&checks[best]) ? i : best;
    when->is_of_all = checks[best].decide >= SURE;
    if (standing_of(&checks[best]) > 0)
        return s->list[best];
    lb_theory *at_border = check_at_its_border(s, part, checks);
    if (at_border)
        when->condition = "one of its numbers is the last that it should take";
    return at_border;
}

/* ---- The condition ---- */

/* Of calls that the specification takes: those that it refuses say nothing here. */
static size_t take_call(lb_evidence *e, const lb_tried *t, bool refused, lb_features *row)
{
    lb_arena arena = {0};
    const lb_case *c = lb_evidence_case(e, t);
    const lb_context context = {.profile = e->profiles[t->profile]};
    lb_instance *instance = c && c->chain.steps == 0 ? lb_instance_of(c, &arena) : NULL;
    const bool is_taken = instance && !lb_check_call(&context, &instance->call);
    if (is_taken) {
        lb_features_of(c, context.profile, row);
        row->inside = refused;
    }
    lb_arena_free(&arena);
    return is_taken;
}

/* By which numbers the calls that the port refuses differ from all that it takes. */
static const char *condition_of(lb_diagnosing *g, const lb_theory *theory, lb_rule_told *told)
{
    enum { MOST_OF_A_PART = LB_MOST_FAILING + LB_MOST_PASSING };
    lb_features *rows = lb_resized(NULL, theory->part_count * MOST_OF_A_PART * sizeof *rows);
    const lb_tried *any = NULL;
    size_t count = 0;
    for (size_t i = 0; i < theory->part_count; i++) {
        const lb_theory_part *part = &theory->parts[i];
        const lb_function *f = part->function;
        for (size_t r = 0; r < f->failing_used; r++) {
            any = &g->e->items[f->failing[r]];
            if (part->suspect->words[r] == LB_WORD_EXPLAINS)
                count += take_call(g->e, any, true, &rows[count]);
        }
        for (size_t r = 0; r < f->passing_used; r++)
            count += take_call(g->e, &g->e->items[f->passing[r]], false, &rows[count]);
    }
    const lb_case *c = any ? lb_evidence_case(g->e, any) : NULL;
    const char *rule = c ? lb_rule_find_asked(rows, count, c, NULL, told, &g->d->arena) : NULL;
    free(rows);
    return rule;
}

lb_theory *lb_strictest_theory(lb_diagnosing *g, lb_theory *theory, lb_strict_when *when)
{
    strict_search s = {.g = g};
    const lb_theory_part *part = telling_part(&s, theory);
    lb_rule_told told = {.count = 0};
    const char *rule = condition_of(g, theory, &told);
    *when = (lb_strict_when){.is_of_all = true};
    lb_theory *decided = s.count > 1 ? check_that_decides(&s, part, &told, when) : NULL;
    when->is_of_all = when->is_of_all && rule;
    when->condition = rule ? rule : when->condition;
    return decided ? decided : theory;
}
