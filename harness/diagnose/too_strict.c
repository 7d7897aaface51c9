/* Checks that refuse too much: see too_strict.h. */
#include "harness/diagnose/too_strict.h"
#include "harness/base/xalloc.h"
#include "harness/call/model.h"
#include "harness/diagnose/decides.h"
#include "harness/diagnose/rule.h"

#include <stdlib.h>

typedef struct strict_search {
    lb_diagnosing *g;
    lb_theory *list[LB_MOST_DECIDING]; /* one for each check that it may be */
    size_t count;
} strict_search;

static void gather_candidates(strict_search *s, const lb_theory *theory)
{
    const lb_fault *told = lb_theory_fault(theory);
    for (size_t i = 0; i < s->g->theories.count && s->count < LB_MOST_DECIDING; i++) {
        lb_theory *t = &s->g->theories.items[i];
        const lb_fault *fault = lb_theory_fault(t);
        if (t->dropped || fault->kind != told->kind || fault->argument != told->argument ||
            !lb_theory_holds(t, theory))
            continue;
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
static double standing_of(const lb_deciding *check)
{
    return check->all == 0 ? 0 : (double)check->decide * check->decide / check->all;
}

/* The part of the smallest refused call. */
static const lb_theory_part *smallest_part(const lb_diagnosing *g, const lb_theory *theory)
{
    const lb_theory_part *best = &theory->parts[0];
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < theory->part_count; i++) {
        const lb_tried *t = some_refused(g, &theory->parts[i], 0, 1);
        if (t && t->size < least) {
            least = t->size;
            best = &theory->parts[i];
        }
    }
    return best;
}

/* Which numbers decide the refusal, the port says: gives the check whose numbers go best with it;
 * NULL: no number decides. */
static lb_theory *deciding_check(strict_search *s, const lb_theory *theory)
{
    enum { MOST_TRIED = 4 };
    const lb_theory_part *part = smallest_part(s->g, theory);
    lb_deciding checks[LB_MOST_DECIDING];
    const lb_tried *t;
    size_t best = 0;
    for (size_t i = 0; i < s->count; i++) {
        const lb_fault *fault = lb_theory_fault_in(s->list[i], part->function);
        checks[i] = (lb_deciding){.rule = fault ? fault->rule : NULL};
    }
    for (size_t k = 0; k < MOST_TRIED; k++)
        if ((t = some_refused(s->g, part, k, MOST_TRIED)) != NULL)
            lb_decides(s->g, t, checks, (unsigned)s->count);
    for (size_t i = 1; i < s->count; i++)
        best = standing_of(&checks[i]) > standing_of(&checks[best]) ? i : best;
    return standing_of(&checks[best]) > 0 ? s->list[best] : NULL;
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
static const char *condition_of(lb_diagnosing *g, const lb_theory *theory)
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
    const char *rule = c ? lb_rule_find(rows, count, c, &g->d->arena) : NULL;
    free(rows);
    return rule;
}

lb_theory *lb_strictest_theory(lb_diagnosing *g, lb_theory *theory, const char **condition)
{
    strict_search s = {.g = g};
    gather_candidates(&s, theory);
    lb_theory *decided = s.count > 1 ? deciding_check(&s, theory) : NULL;
    *condition = s.count > 1 ? condition_of(g, theory) : NULL;
    return decided ? decided : theory;
}
