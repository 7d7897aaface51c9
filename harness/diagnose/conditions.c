/* Under which condition a fault is there: see conditions.h. */
#include "harness/diagnose/conditions.h"
#include "harness/base/xalloc.h"
#include "harness/diagnose/asking.h"
#include "harness/generate/case_change.h"
#include "harness/suite/case_write.h"

#include <stdlib.h>

/* Rows of results: inside, where the theory goes with a failure; outside, where it should show and
 * the port is right. */
static void add_result_rows(lb_diagnosing *g, const lb_theory_part *part, lb_rows *rows)
{
    lb_function *f = part->function;
    lb_look look = {.arena = {0}};
    for (int failing = 0; failing < 2; failing++) {
        size_t count = failing ? f->failing_used : f->passing_used;
        for (size_t r = 0; r < count && rows->count < LB_MOST_ROWS; r++) {
            const lb_tried *t = &g->e->items[(failing ? f->failing : f->passing)[r]];
            bool wanted = failing ? lb_suspect_goes_with(part->suspect, r)
                                  : part->suspect->passed[r] == LB_WORD_AGAINST;
            if (wanted && lb_look_at(&look, g->e, t) &&
                lb_fault_try(&look.bench, &part->suspect->fault))
                lb_rows_take(rows, &look.bench, failing ? t->left : NULL, false);
        }
    }
    lb_look_end(&look);
}

/* ---- At the border of a condition ---- */

/* A failing result of the function, changed so that one number is another and all checks pass. */
typedef struct asking {
    lb_diagnosing *g;
    const lb_theory_part *part;
} asking;

static const lb_case *case_at(const lb_case *from, lb_leaf leaf, int64_t value, lb_arena *arena)
{
    const lb_change change = {leaf, value};
    lb_build b = lb_asking_build(from, arena);
    const lb_rule *ends_at;
    return lb_case_fit(&b, &change, 1, NULL, &ends_at) ? lb_case_read_again(b.c, arena) : NULL;
}

/* A case on which the fault shows: has the port it there? */
static lb_side side_of(const asking *a, const lb_case *c, const lb_profile *profile,
                       lb_arena *arena)
{
    lb_evidence *e = a->g->e;
    lb_fault_bench *bench = lb_arena_alloc(arena, sizeof *bench);
    bool passed = false;
    const lb_left *left = lb_evidence_try(e, c, profile, e->misalign, bench, arena, &passed);
    if (!left && !passed)
        return LB_SIDE_UNKNOWN;
    const lb_word word =
        lb_suspect_say(e, bench, &a->part->suspect->fault, passed ? NULL : left).word;
    return lb_word_goes_with(word)             ? LB_SIDE_INSIDE
           : word == LB_WORD_AGAINST && passed ? LB_SIDE_OUTSIDE
                                               : LB_SIDE_UNKNOWN;
}

static lb_side ask_border(void *user, unsigned feature, int64_t value)
{
    enum { MOST_CASES = 8 };
    const asking *a = user;
    const lb_function *f = a->part->function;
    lb_leaf leaf;
    lb_side side = LB_SIDE_UNKNOWN;
    lb_arena arena = {0};
    if (!lb_feature_leaf(f->kernel, feature, &leaf))
        return side;
    for (size_t r = 0, tried = 0;
         r < f->failing_used && tried < MOST_CASES && side == LB_SIDE_UNKNOWN; r++) {
        const lb_tried *t = &a->g->e->items[f->failing[r]];
        const lb_case *from =
            lb_suspect_goes_with(a->part->suspect, r) ? lb_evidence_case(a->g->e, t) : NULL;
        const lb_case *c = from ? case_at(from, leaf, value, &arena) : NULL;
        tried += from != NULL;
        if (c)
            side = side_of(a, c, a->g->e->profiles[t->profile], &arena);
        lb_arena_reset(&arena);
    }
    lb_arena_free(&arena);
    return side;
}

/* ---- By cases ---- */

/* Rows of all functions that it is in: siblings have the same features. */
const char *lb_case_condition(lb_diagnosing *g, const lb_theory *theory, lb_experiments *x)
{
    if (x->asked == theory)
        return x->condition;
    const lb_tried *t = &g->e->items[x->function->failing[0]];
    for (size_t i = 0; i < theory->part_count; i++)
        if (theory->parts[i].function->kernel->family == x->function->kernel->family)
            add_result_rows(g, &theory->parts[i], &x->rows);
    const lb_case *c = lb_evidence_case(g->e, t);
    asking a = {g, lb_theory_part_in(theory, x->function)};
    const lb_border border = {ask_border, &a};
    const char *rule = c ? lb_rule_find_asked(x->rows.items, x->rows.count, c,
                                              a.part ? &border : NULL, NULL, &g->d->arena)
                         : NULL;
    x->asked = theory;
    x->condition = rule ? rule : "";
    return x->condition;
}

/* ---- Of a finding ---- */

const char *lb_diagnosis_rule(lb_diagnosing *g, const lb_kernel *kernel)
{
    enum { MOST_ROWS = 400 };
    lb_features *rows = lb_resized(NULL, MOST_ROWS * sizeof *rows);
    size_t count = 0;
    const lb_case *c = NULL;
    for (size_t i = 0; i < g->e->count && count < MOST_ROWS; i++) {
        const lb_tried *t = &g->e->items[i];
        if (t->kernel != kernel || !t->kernel ||
            (t->verdict != LB_PASS && g->d->cause[i] != g->d->found_count))
            continue;
        c = lb_evidence_case(g->e, t);
        if (!c)
            continue;
        lb_features_of(c, g->e->profiles[t->profile], &rows[count]);
        rows[count++].inside = t->verdict != LB_PASS;
    }
    const char *rule = c ? lb_rule_find(rows, count, c, &g->d->arena) : NULL;
    free(rows);
    return rule;
}
