/* A function with failing results: which faults are tried on which of them. See suspects.h. */
#include "harness/base/xalloc.h"
#include "harness/diagnose/holding.h"
#include "harness/diagnose/joint.h"
#include "harness/diagnose/work.h"

#include <stdlib.h>
#include <string.h>

/* ---- Results of a function ---- */

typedef struct ranked {
    uint32_t item;
    uint32_t turn; /* how many results of the same case come before it */
    uint64_t size;
} ranked;

static int by_turn_and_size(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->turn != y->turn)
        return x->turn < y->turn ? -1 : 1;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return x->item < y->item ? -1 : x->item > y->item;
}

static uint32_t *ranked_items(const lb_evidence *e, const lb_kernel *kernel, bool failing,
                              size_t *count)
{
    ranked *list = NULL;
    size_t capacity = 0;
    const lb_tried *last = NULL;
    uint32_t turn = 0;
    *count = 0;
    for (size_t i = 0; i < e->count; i++) {
        const lb_tried *t = &e->items[i];
        bool fits = failing ? t->left != NULL : t->verdict == LB_PASS;
        if (t->kernel != kernel || !t->single || !fits)
            continue;
        bool same = last && last->suite == t->suite && last->index == t->index;
        turn = same ? turn + 1 : 0;
        last = t;
        list = lb_room_for_one(list, *count, &capacity, sizeof *list);
        list[(*count)++] = (ranked){.item = (uint32_t)i, .turn = turn, .size = t->size};
    }
    if (*count > 0)
        qsort(list, *count, sizeof *list, by_turn_and_size);
    uint32_t *items = lb_resized(NULL, (*count + 1) * sizeof *items);
    for (size_t i = 0; i < *count; i++)
        items[i] = list[i].item;
    free(list);
    return items;
}

void lb_function_make(lb_function *f, lb_evidence *e, const lb_kernel *kernel)
{
    *f = (lb_function){.kernel = kernel};
    f->failing = ranked_items(e, kernel, true, &f->failing_count);
    f->passing = ranked_items(e, kernel, false, &f->passing_count);
    f->failing_used = f->failing_count < LB_MOST_FAILING ? f->failing_count : LB_MOST_FAILING;
    f->passing_used = f->passing_count < LB_MOST_PASSING ? f->passing_count : LB_MOST_PASSING;
    lb_function_refused_first(f, e);
    f->covered = lb_resized(NULL, f->failing_count + 1);
    memset(f->covered, 0, f->failing_count + 1);
    f->result_bits = lb_resized(NULL, (f->failing_count + 1) * sizeof *f->result_bits);
    f->part_bits = lb_resized(NULL, (f->failing_count + 1) * sizeof *f->part_bits);
    for (size_t i = 0; i < f->failing_count; i++)
        f->result_bits[i] = f->part_bits[i] = 0;
}

void lb_function_free(lb_function *f)
{
    free(f->failing);
    free(f->passing);
    free(f->covered);
    free(f->result_bits);
    free(f->part_bits);
    free(f->suspects);
    lb_fault_list_free(&f->list);
}

/* ---- The function ---- */

enum { HEARD_FAILING = 12, HEARD_PASSING = 6 };

static void hear(lb_holding *t)
{
    lb_function *f = t->f;
    for (int failing = 1; failing >= 0; failing--) {
        const uint32_t *items = failing ? f->failing : f->passing;
        size_t count = failing ? f->failing_count : f->passing_count;
        size_t most = failing ? HEARD_FAILING : HEARD_PASSING;
        for (size_t i = 0; i < count && i < most && !lb_holding_is_late(t); i++) {
            const lb_tried *tried = &t->e->items[items[i]];
            const lb_case *c = lb_evidence_case(t->e, tried);
            lb_arena_reset(&t->look.arena);
            if (c)
                lb_fault_list_hear(&f->list, c, t->e->profiles[tried->profile], &t->look.arena);
        }
    }
    lb_fault_list_fill(&f->list, f->kernel, NULL);
    lb_fault_list_add_cells(&f->list, f->kernel);
    lb_fault_list_add_early(&f->list);
    lb_statuses_seen seen = lb_function_statuses(f, t->e);
    lb_fault_list_add_statuses(&f->list, f->kernel, &seen);
    f->faults_tried = f->kind_count = f->list.count;
}

/* Of functions that look into tables. */
static void add_table_entries(lb_holding *t)
{
    lb_function *f = t->f;
    int32_t entry[LB_MOST_ENTRIES];
    bool looks = false;
    for (size_t i = 0; i < f->list.site_count; i++)
        looks = looks || f->list.sites[i].operation == LB_STEP_LOOKUP;
    size_t count = looks ? lb_function_table_entries(f, t->e, entry) : 0;
    for (size_t i = 0; i < count; i++)
        lb_fault_list_add_table_entry(&f->list, entry[i]);
}

/* Any value of the computation in place of another, and entries of tables: added once. */
static void add_values(lb_holding *t)
{
    lb_function *f = t->f;
    if (f->kind_count == f->list.count) {
        (void)lb_fault_list_add_values(&f->list, f->kernel);
        add_table_entries(t);
    }
    f->faults_tried = f->list.count;
}

/* Is the fault one of these? */
static bool is_wanted(const lb_fault_key *known, size_t known_count, const lb_fault *fault)
{
    const lb_fault_key key = lb_fault_key_of(fault);
    for (size_t i = 0; i < known_count; i++)
        if (lb_fault_key_equal(&known[i], &key))
            return true;
    return false;
}

/* Which faults of the list from number `first` on are known; gives how many. */
static size_t choose_known(lb_holding *t, const lb_fault_key *known, size_t known_count,
                           size_t first, bool *chosen)
{
    lb_function *f = t->f;
    size_t any = 0;
    for (size_t i = first; i < f->list.count; i++) {
        chosen[i] = is_wanted(known, known_count, &f->list.items[i]);
        any += chosen[i];
    }
    return any;
}

/* Two at once that siblings have shown: they are asked as any suspect. */
static void add_known_joint(lb_holding *t, const lb_fault_key *known, size_t known_count)
{
    for (size_t i = 0; i < known_count; i++) {
        const lb_fault *joint =
            known[i].of[1].kind ? lb_suspect_fault_of_key(t->f, &known[i], t->keep) : NULL;
        if (joint)
            lb_holding_complete_one(t, lb_holding_suspect(t, joint));
    }
}

static void try_known(lb_holding *t, const lb_fault_key *known, size_t known_count)
{
    lb_function *f = t->f;
    bool *chosen = lb_resized(NULL, f->list.count + 1);
    size_t any = choose_known(t, known, known_count, 0, chosen);
    if (any < known_count) { /* some are values */
        add_values(t);
        chosen = lb_resized(chosen, f->list.count + 1);
        any += choose_known(t, known, known_count, f->kind_count, chosen);
    }
    for (size_t r = 0; any > 0 && r < f->failing_used && !lb_holding_is_late(t); r++)
        lb_holding_try(t, r, chosen, false);
    free(chosen);
    add_known_joint(t, known, known_count);
}

static void guess_from(double *bits, size_t count)
{
    double least = 0;
    for (size_t r = 0; r < count; r++)
        if (bits[r] > 0 && (least == 0 || bits[r] < least))
            least = bits[r];
    for (size_t r = 0; r < count; r++)
        if (bits[r] == 0)
            bits[r] = least > 0 ? least : 1;
}

/* Of results on which not every fault was tried, how telling they are is taken from those that
 * were. */
static void guess_bits(lb_function *f)
{
    guess_from(f->result_bits, f->failing_used);
    guess_from(f->part_bits, f->failing_used);
}

/* Where the whole bank explains none of so many results, more of them say no more. */
enum { FIRST_RESULTS = 3, MOST_FULL_RESULTS = 10, MOST_UNEXPLAINED = 4 };
/* Of the effort for a function: what kinds of the bank may take before values are tried. */
static const double SHARE_OF_KINDS = 0.6;
/* Beyond it: what the search for two faults at once may take. */
static const double SHARE_OF_JOINT = 0.25;

/* By a fault that hardly a passing result speaks against. */
static bool is_well_explained(const lb_function *f, size_t result)
{
    for (size_t i = 0; i < f->suspect_count; i++)
        if (f->suspects[i].words[result] == LB_WORD_EXPLAINS &&
            lb_suspect_is_clean(f, &f->suspects[i]) && !lb_suspect_is_hopeless(f, &f->suspects[i]))
            return true;
    return false;
}

/* Does one of the suspects, which siblings know, explain nearly all that fails? Nothing need speak
 * against it, or it explains so much that it can only be there under a condition. Else something
 * nearer may be. */
static bool known_suffice(const lb_function *f)
{
    enum { LEAST_CONDITIONAL = 6 };
    for (size_t i = 0; i < f->suspect_count; i++) {
        const bool is_clean = lb_suspect_is_clean(f, &f->suspects[i]);
        const size_t explained = f->suspects[i].explained;
        if (explained * 4 >= f->failing_used * 3 && is_clean)
            return true;
        if (explained * 20 >= f->failing_used * 19 && explained >= LEAST_CONDITIONAL)
            return true;
    }
    return false;
}

/* What no kind of the bank explains: any value of the computation in place of another. Those that
 * explain the first such result are asked about the others. */
static void try_values(lb_holding *t)
{
    enum { MOST_VALUE_RESULTS = 3 };
    lb_function *f = t->f;
    size_t tried = 0;
    bool *chosen = NULL;
    bool is_helper =
        !f->kernel->returns_status; /* few results, of which many faults give the same */
    for (size_t r = 0; r < f->failing_used && tried < MOST_VALUE_RESULTS && !lb_holding_is_late(t);
         r++) {
        if ((!is_helper && is_well_explained(f, r)) || (t->known && lb_result_is_explained(f, r)))
            continue;
        if (!chosen) {
            add_values(t);
            chosen = lb_resized(NULL, f->list.count + 1);
            for (size_t i = 0; i < f->list.count; i++)
                chosen[i] = i >= f->kind_count;
        }
        lb_holding_complete(t, r);
        lb_holding_complete_all(t);
        if (lb_result_is_passed_over(f, r) || (!is_helper && is_well_explained(f, r)) ||
            (t->known && lb_result_is_explained(f, r)))
            continue;
        lb_holding_try(t, r, chosen, !lb_result_is_explained(f, r));
        tried++;
    }
    free(chosen);
}

/* Cells have so many steps that effort ends before all of them were tried: what is wrong with a
 * whole gate, a vector or the state is asked first, of some results. Does one of these suffice? */
static bool try_cheap(lb_holding *t)
{
    enum { MOST_CHEAP_RESULTS = 6 };
    lb_function *f = t->f;
    bool *chosen = lb_resized(NULL, f->list.count + 1);
    size_t tried = 0;
    for (size_t i = 0; i < f->list.count; i++)
        chosen[i] = lb_fault_is_cheap(&f->list.items[i]);
    for (size_t r = 0; r < f->failing_used && tried < MOST_CHEAP_RESULTS && !lb_holding_is_late(t);
         r++) {
        lb_holding_complete(t, r);
        if (lb_result_is_explained(f, r))
            continue;
        lb_holding_try(t, r, chosen, false);
        tried++;
    }
    free(chosen);
    lb_holding_complete_all(t);
    return known_suffice(f);
}

/* Two different mistakes at once, where no single one explains it. */
static void try_joint(lb_holding *t, double deadline)
{
    lb_fault found[LB_MOST_JOINT];
    size_t count = lb_joint_find(t->f, t->e, deadline, t->keep, found);
    for (size_t i = 0; i < count; i++)
        lb_holding_complete_one(t, lb_holding_suspect(t, &found[i]));
}

void lb_function_try(lb_function *f, lb_evidence *e, const lb_fault_key *known, size_t known_count,
                     double deadline, lb_arena *keep)
{
    double now = lb_work_seconds(e);
    lb_holding t = {.f = f, .e = e, .keep = keep, .deadline = deadline, .likely_alone = true};
    if (lb_holding_is_late(&t))
        return;
    t.deadline = now + (deadline - now) * SHARE_OF_KINDS;
    hear(&t);
    if (known_count > 0) {
        try_known(&t, known, known_count);
        lb_holding_complete_all(&t);
        t.known = known_suffice(f);
    }
    bool suffices = lb_family_is_recurrent((int)f->kernel->family) && !t.known && try_cheap(&t);
    size_t most_first = suffices ? 1 : FIRST_RESULTS;
    size_t full = 0, explained = 0;
    for (size_t r = 0; r < f->failing_used && full < MOST_FULL_RESULTS && !lb_holding_is_late(&t) &&
                       (full < MOST_UNEXPLAINED || explained > 0);
         r++) {
        bool first = known_count == 0 ? full < most_first : full == 0 && !t.known;
        if (!first && lb_result_is_explained(f, r))
            continue;
        lb_holding_complete(&t, r);
        if (lb_result_is_passed_over(f, r) || (!first && lb_result_is_explained(f, r)))
            continue;
        explained += lb_holding_try(&t, r, NULL, true);
        full++;
    }
    bool all_kinds = !lb_holding_is_late(&t);
    t.deadline = deadline;
    lb_holding_complete_all(&t);
    try_values(&t);
    lb_holding_complete_all(&t);
    try_joint(&t, lb_work_seconds(e) + (deadline - now) * SHARE_OF_JOINT);
    guess_bits(f);
    lb_holding_complete_best(&t);
    lb_holding_complete_all(&t);
    t.likely_alone = false;
    lb_holding_complete_all(&t);
    f->finished = all_kinds && !lb_holding_is_late(&t);
    for (size_t i = 0; i < f->suspect_count; i++)
        lb_suspect_count(f, &f->suspects[i]);
    lb_look_end(&t.look);
}

void lb_function_ask(lb_function *f, lb_evidence *e, const lb_fault_key *known, size_t known_count,
                     double deadline, lb_arena *keep)
{
    enum { MOST_RESULTS = 3 };
    lb_holding t = {.f = f, .e = e, .keep = keep, .deadline = deadline};
    size_t before = f->suspect_count;
    bool *chosen = lb_resized(NULL, f->list.count + 1);
    size_t any = choose_known(&t, known, known_count, 0, chosen);
    for (size_t r = 0;
         any > 0 && r < f->failing_used && r < MOST_RESULTS && !lb_holding_is_late(&t); r++)
        lb_holding_try(&t, r, chosen, false);
    for (size_t i = before; i < f->suspect_count; i++) {
        lb_holding_complete_one(&t, &f->suspects[i]);
        lb_suspect_count(f, &f->suspects[i]);
    }
    free(chosen);
    lb_look_end(&t.look);
}

const lb_fault *lb_function_fault(lb_function *f, lb_evidence *e, const lb_fault_key *key,
                                  lb_arena *keep)
{
    static const double HEAR_SECONDS = 0.3;
    lb_holding t = {.f = f, .e = e, .deadline = lb_work_seconds(e) + HEAR_SECONDS};
    if (f->list.count == 0)
        hear(&t);
    const lb_fault *fault = lb_suspect_fault_of_key(f, key, keep);
    if (!fault) { /* it may be a value, which the effort was too little for */
        add_values(&t);
        fault = lb_suspect_fault_of_key(f, key, keep);
    }
    lb_look_end(&t.look);
    return fault;
}
