/* Entries of tables that all wrong elements of a function are made of: one of them may be wrong. */
#include "harness/diagnose/suspects.h"
#include "harness/diagnose/work.h"
#include "harness/trial/compare.h"

#include <string.h>

enum { MOST_OF_AN_ELEMENT = 16, MOST_OF_A_RESULT = 6, MOST_RESULTS = 12 };

/* Entries that elements have been made of. */
typedef struct entries {
    int32_t of[MOST_OF_AN_ELEMENT];
    size_t count;
    bool too_many;
} entries;

static bool holds(const entries *e, int32_t entry)
{
    for (size_t i = 0; i < e->count; i++)
        if (e->of[i] == entry)
            return true;
    return false;
}

static void note_lookup(void *user, const lb_num_step *step)
{
    entries *e = user;
    int32_t entry = (int32_t)step->operand[0].v;
    if (step->operation != LB_STEP_LOOKUP || holds(e, entry))
        return;
    e->too_many = e->too_many || e->count == MOST_OF_AN_ELEMENT;
    if (!e->too_many)
        e->of[e->count++] = entry;
}

static entries entries_of(lb_fault_bench *bench, size_t at, size_t flat)
{
    entries e = {.count = 0};
    lb_steps steps = {.role = LB_ROLE_OUT, .element = flat, .step = note_lookup, .user = &e};
    lb_context context = {.profile = bench->profile, .steps = &steps};
    lb_fault_bench_reset(bench);
    steps.address = bench->out.block + at;
    lb_run_exact(&context, &bench->out.call);
    return e;
}

/* What both have. */
static void intersect(entries *all, const entries *of, bool first)
{
    size_t kept = 0;
    if (of->too_many)
        return;
    if (first)
        *all = *of;
    for (size_t i = 0; i < all->count; i++)
        if (holds(of, all->of[i]))
            all->of[kept++] = all->of[i];
    all->count = kept;
}

/* Of the wrong elements of a result. */
static void take_result(lb_evidence *e, lb_fault_bench *bench, const lb_left *left, entries *all,
                        size_t *taken)
{
    lb_left_output out;
    if (!lb_left_output_of(&bench->memory, LB_ROLE_OUT, &out) || !bench->computed ||
        left->block_bytes != bench->memory.block_bytes)
        return;
    size_t before = *taken;
    for (size_t i = 0; i < out.count && *taken < before + MOST_OF_A_RESULT; i++) {
        size_t at = out.start + lb_layout_offset(&out.layout, i);
        if (memcmp(left->block + at, bench->right.block + at, out.layout.element_bytes) == 0)
            continue;
        entries of = entries_of(bench, at, i);
        lb_work_run(e, bench, true);
        intersect(all, &of, *taken == 0);
        ++*taken;
    }
}

size_t lb_function_table_entries(const lb_function *f, lb_evidence *e,
                                 int32_t entry[LB_MOST_ENTRIES])
{
    enum { LEAST_ELEMENTS = 4 };
    entries all = {.count = 0};
    size_t taken = 0, count = 0;
    lb_look look = {.arena = {0}};
    for (size_t r = 0; r < f->failing_used && r < MOST_RESULTS; r++) {
        const lb_tried *t = &e->items[f->failing[r]];
        if (t->left && lb_look_at(&look, e, t))
            take_result(e, &look.bench, t->left, &all, &taken);
        if (taken > 0 && all.count == 0)
            break;
    }
    lb_look_end(&look);
    while (taken >= LEAST_ELEMENTS && count < all.count && count < LB_MOST_ENTRIES) {
        entry[count] = all.of[count];
        count++;
    }
    return count;
}
