/* In which cases a finding shows, as a rule over their sizes and formats. */
#include "harness/base/xalloc.h"
#include "harness/diagnose/diagnosis.h"
#include "harness/diagnose/rule.h"

#include <stdlib.h>

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
