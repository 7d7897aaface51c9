/* A diagnosis from its beginning to its end: see diagnosis.h. */
#include "harness/diagnose/diagnosis.h"
#include "harness/base/clock.h"
#include "harness/base/xalloc.h"
#include "harness/diagnose/index_map.h"
#include "harness/diagnose/work.h"

#include <stdlib.h>
#include <string.h>

/* ---- Findings ---- */

bool lb_diagnosis_has_room(const lb_diagnosing *g)
{
    return g->d->found_count - g->d->known_count < LB_MOST_OTHERS;
}

lb_found_fault *lb_diagnosis_add(lb_diagnosing *g)
{
    lb_diagnosis *d = g->d;
    if (!lb_diagnosis_has_room(g))
        return NULL;
    lb_found_fault *found = &d->found[d->found_count++];
    memset(&d->meaning[d->found_count - 1], 0, sizeof d->meaning[0]);
    *found = (lb_found_fault){.name = "",
                              .sentence = "",
                              .function = "",
                              .family = "",
                              .condition = "",
                              .section = "",
                              .file = "",
                              .id = "",
                              .profile = "",
                              .differs = "",
                              .look_for = "",
                              .reproduce = ""};
    return found;
}

lb_identity *lb_diagnosis_identity(lb_diagnosing *g)
{
    return &g->d->meaning[g->d->found_count - 1].identity;
}

bool lb_diagnosis_claim(lb_diagnosing *g, uint32_t item)
{
    lb_found_fault *found = &g->d->found[g->d->found_count - 1];
    if (g->d->cause[item] != 0 || !lb_tried_failed(&g->e->items[item]))
        return false;
    g->d->cause[item] = (uint8_t)g->d->found_count;
    found->results++;
    return true;
}

/* The smallest result of the finding. */
static const lb_tried *smallest(const lb_diagnosing *g)
{
    const lb_tried *best = NULL;
    for (size_t i = 0; i < g->e->count; i++)
        if (g->d->cause[i] == g->d->found_count && (!best || g->e->items[i].size < best->size))
            best = &g->e->items[i];
    return best;
}

static const char *line_for(lb_diagnosing *g, const lb_found_fault *found, bool is_made)
{
    lb_doc doc = lb_doc_make();
    lb_reproduce_case c = {
        .file = found->file, .is_made = is_made, .id = found->id, .profiles = found->profile};
    lb_put_reproduce(&doc, g->d->reproduce, &c);
    const char *line = lb_arena_printf(&g->d->arena, "%.*s", (int)doc.length, doc.text);
    lb_doc_free(&doc);
    return line;
}

static const char *family_of(const lb_kernel *kernel)
{
    return lb_family_name(kernel ? kernel->family : LB_FAMILY_MOV);
}

static void name_functions(lb_diagnosing *g, lb_found_fault *found)
{
    unsigned char *seen = lb_resized(NULL, lb_kernel_total() + 1);
    const char *function = NULL, *family = NULL;
    bool families = false;
    const size_t place = (size_t)(found - g->d->found) + 1;
    memset(seen, 0, lb_kernel_total() + 1);
    found->functions = 0;
    for (size_t i = 0; i < g->e->count; i++) {
        const lb_kernel *kernel = g->e->items[i].kernel;
        size_t number = kernel ? lb_kernel_number(kernel) : lb_kernel_total();
        if (g->d->cause[i] != place || seen[number])
            continue;
        seen[number] = 1;
        found->functions++;
        function = kernel ? kernel->name : "mli_mov_sequence";
        families = families || (family && family != family_of(kernel));
        family = family_of(kernel);
    }
    found->function = found->functions == 1 ? function : "";
    found->family = families || !family ? "" : family;
    free(seen);
}

void lb_diagnosis_place(lb_diagnosing *g)
{
    lb_found_fault *found = &g->d->found[g->d->found_count - 1];
    const lb_tried *t = smallest(g);
    if (!t)
        return;
    const lb_case *c = lb_evidence_case(g->e, t);
    const lb_profile *profile = g->e->profiles[t->profile];
    found->file = lb_suite_path(g->e->suites[t->suite]);
    found->id = c ? lb_arena_strdup(&g->d->arena, c->id) : "";
    found->profile = profile->file ? profile->file : profile->name;
    found->differs = t->differs ? t->differs : t->trouble ? t->trouble : "";
    found->reproduce = line_for(g, found, lb_suite_command(g->e->suites[t->suite]) != NULL);
    name_functions(g, found);
}

void lb_diagnosis_fact(lb_diagnosing *g, lb_found_fault *found, const char *fact)
{
    const char **facts = lb_arena_array(&g->d->arena, found->fact_count + 1, sizeof *facts);
    for (size_t i = 0; i < found->fact_count; i++)
        facts[i] = found->facts[i];
    facts[found->fact_count] = fact;
    found->fact_count += fact != NULL;
    found->facts = facts;
}

static void tell_joined(lb_diagnosing *g, size_t one, size_t other, const char *how)
{
    lb_found_fault *into = &g->d->found[one];
    const char *fact = lb_arena_printf(&g->d->arena, "%s: %s", how, g->d->found[other].sentence);
    const bool is_known =
        into->fact_count > 0 && strcmp(into->facts[into->fact_count - 1], fact) == 0;
    if (!is_known &&
        !lb_identity_equal(&g->d->meaning[one].identity, &g->d->meaning[other].identity))
        lb_diagnosis_fact(g, into, fact);
}

/* `is_place`: it is another place of the same, and no consequence. */
static void join_two(lb_diagnosing *g, size_t i, size_t k, bool is_place)
{
    lb_diagnosis *d = g->d;
    lb_found_fault *into = &d->found[i], *from = &d->found[k];
    for (size_t item = 0; item < d->evidence->count; item++)
        if (d->cause[item] == k + 1)
            d->cause[item] = (uint8_t)(i + 1);
    tell_joined(g, i, k, is_place ? "the same in another place" : "by that");
    into->results += from->results;
    into->explained += from->explained;
    into->against += is_place ? from->against : 0;
    name_functions(g, into);
    if (from->certainty > into->certainty && (is_place || !d->meaning[i].in_vain))
        into->certainty = from->certainty; /* that it reads outside is sure, and not why */
    from->results = 0;
}

/* The families of all that is under the finding, as bits; sequences of movement calls are one. */
static uint64_t families_under(const lb_diagnosis *d, size_t found)
{
    enum { OF_SEQUENCES = 63 };
    uint64_t families = 0;
    _Static_assert((int)LB_FAMILY_COUNT_OF_ALL < OF_SEQUENCES, "a bit for each family");
    for (size_t i = 0; i < d->evidence->count; i++) {
        const lb_kernel *kernel = d->evidence->items[i].kernel;
        if (d->cause[i] == found + 1)
            families |= UINT64_C(1) << (kernel ? (int)kernel->family : OF_SEQUENCES);
    }
    return families;
}

/* Recurrent cells alone are under it: they are made of what other functions do as well. */
static bool is_of_cells(const lb_diagnosis *d, size_t found)
{
    uint64_t others = families_under(d, found);
    for (int family = 0; family < (int)LB_FAMILY_COUNT_OF_ALL; family++)
        if (lb_family_is_recurrent(family))
            others &= ~(UINT64_C(1) << family);
    return others == 0;
}

/* Told as a fault of plain functions where one of both is. */
static void join_findings(lb_diagnosing *g)
{
    for (size_t i = 0; i < g->d->found_count; i++)
        for (size_t k = i + 1; k < g->d->found_count; k++)
            if (g->d->found[i].results > 0 && g->d->found[k].results > 0 &&
                lb_identity_is_one_cause(&g->d->meaning[i].identity, &g->d->meaning[k].identity)) {
                bool second = is_of_cells(g->d, i) && !is_of_cells(g->d, k);
                join_two(g, second ? k : i, second ? i : k, true);
            }
}

/* Does the fault lead out of a tensor in nearly all the results of the finding? */
static bool leads_to(lb_diagnosing *g, const lb_fault *fault, uint64_t families, size_t found)
{
    enum { MOST_TRIED = 12, LEAST_OF_FOUR = 3 };
    size_t tried = 0, leads = 0;
    lb_look look = {.arena = {0}};
    for (size_t i = 0; i < g->e->count && tried < MOST_TRIED; i++) {
        const lb_tried *t = &g->e->items[i];
        if (g->d->cause[i] != found + 1 || !t->single || !t->kernel || !lb_look_at(&look, g->e, t))
            continue;
        leads += families >> t->kernel->family & 1 && lb_fault_try(&look.bench, fault) &&
                 look.bench.unsaid != NULL;
        lb_work_fault(g->e, &look.bench, fault);
        tried++;
    }
    lb_look_end(&look);
    return tried > 0 && leads * 4 >= tried * LEAST_OF_FOUR;
}

/* Is the input read beyond an end to which windows reach, in all the results of the finding that
 * are looked at? */
static bool is_read_on(lb_diagnosing *g, size_t found)
{
    enum { MOST_TRIED = 12, ROLE = 1, IN_FRONT = 3 };
    const int32_t *side = g->d->meaning[found].identity.number;
    bool reaches = g->d->meaning[found].identity.what == LB_FOUND_READ_OUTSIDE &&
                   side[ROLE] == (int32_t)LB_ROLE_IN;
    size_t tried = 0;
    lb_look look = {.arena = {0}};
    for (size_t i = 0; reaches && i < g->e->count && tried < MOST_TRIED; i++) {
        const lb_tried *t = &g->e->items[i];
        if (g->d->cause[i] != found + 1 || !t->kernel)
            continue;
        reaches = t->single && lb_look_at(&look, g->e, t) &&
                  lb_map_hangs_over(&look.bench.right.call, side[IN_FRONT] != 0);
        tried++;
    }
    lb_look_end(&look);
    return reaches && tried > 0;
}

/* A fault of taps, or any value in place of another, that results contradict, and no condition
 * tells from them. */
static bool is_loose(const lb_found_fault *found, const lb_fault *fault)
{
    return found->certainty == LB_CERTAIN_PARTLY && !found->condition[0] && found->against > 0 &&
           fault->kind && fault->kind->group == LB_FAULTS_STEP &&
           (fault->kind->is_value || (fault->site && fault->site->tap > 0));
}

/* What is read outside of tensors is no cause of its own where a fault that is told leads there. By
 * what rule products are wrong is seen by probes: what looks like it in numbers is the same. */
static bool is_consequence(lb_diagnosing *g, size_t i, size_t k)
{
    const lb_meaning *a = &g->d->meaning[i], *b = &g->d->meaning[k];
    const uint64_t families = families_under(g->d, i);
    if (families & (families - 1)) /* of several */
        return false;
    if (a->identity.what == LB_FOUND_PROBED)
        return (families_under(g->d, k) & families) != 0 &&
               (is_loose(&g->d->found[k], &b->fault) || (a->in_vain && is_read_on(g, k)));
    /* kind NULL: of a fault that is only near */
    return a->identity.what == LB_FOUND_FAULT && a->fault.kind &&
           a->fault.kind->group == LB_FAULTS_READING && b->identity.what == LB_FOUND_READ_OUTSIDE &&
           leads_to(g, &a->fault, families, k);
}

static void join_consequences(lb_diagnosing *g)
{
    for (size_t i = 0; i < g->d->found_count; i++)
        for (size_t k = 0; k < g->d->found_count; k++)
            if (i != k && g->d->found[i].results > 0 && g->d->found[k].results > 0 &&
                is_consequence(g, i, k))
                join_two(g, i, k, false);
}

/* How many failing results are under it; what has a name stands before what has none, unless it is
 * under far fewer. */
static uint64_t weight_of(const lb_found_fault *found)
{
    enum { FAR_FEWER = 4 };
    return found->certainty == LB_CERTAIN_UNKNOWN ? found->results : found->results * FAR_FEWER;
}

/* What most failing results are under stands first. Between equals: what has a name, and why a port
 * is wrong before that it crashed; then a fault of plain functions before one of cells. */
static bool stands_before(const lb_diagnosis *d, size_t i, size_t k)
{
    const lb_found_fault *a = &d->found[i], *b = &d->found[k];
    bool a_named = a->certainty != LB_CERTAIN_UNKNOWN, b_named = b->certainty != LB_CERTAIN_UNKNOWN;
    if (weight_of(a) != weight_of(b))
        return weight_of(a) > weight_of(b);
    if (a_named != b_named)
        return a_named;
    if (a->is_symptom != b->is_symptom)
        return b->is_symptom;
    return !is_of_cells(d, i) && is_of_cells(d, k);
}

static void exchange(lb_diagnosis *d, size_t i, size_t k)
{
    const lb_found_fault found = d->found[i];
    const lb_meaning meaning = d->meaning[i];
    d->found[i] = d->found[k];
    d->meaning[i] = d->meaning[k];
    d->found[k] = found;
    d->meaning[k] = meaning;
    for (size_t item = 0; item < d->evidence->count; item++) {
        uint8_t *cause = &d->cause[item];
        *cause = (uint8_t)(*cause == i + 1 ? k + 1 : *cause == k + 1 ? i + 1 : *cause);
    }
}

/* What is under another name goes. */
static void sort_findings(lb_diagnosis *d)
{
    for (size_t i = 1; i < d->found_count; i++)
        for (size_t k = i; k > 0 && stands_before(d, k, k - 1); k--)
            exchange(d, k, k - 1);
    while (d->found_count > 0 && d->found[d->found_count - 1].results == 0)
        d->found_count--;
}

/* ---- The way ---- */

/* With buffers misaligned the memory of a case is laid out otherwise than the bank does it: what
 * fails there and aligned too is looked into aligned. */
static void call_aligned(lb_diagnosing *g)
{
    for (size_t i = 0; g->e->misalign && i < g->e->count; i++) {
        lb_tried *t = &g->e->items[i];
        bool passed = false;
        const char *trouble = NULL;
        if (t->verdict != LB_FAIL || !t->left || g->repeats.of[i] != LB_REPEATED_SAME)
            continue;
        const lb_case *c = lb_evidence_case(g->e, t);
        t->left = c ? lb_evidence_call(g->e, g->e->port, c, g->e->profiles[t->profile], false,
                                       &g->d->arena, &passed, &trouble)
                    : NULL;
    }
    g->e->misalign = 0;
}

/* What depends on more than the call itself is no matter for faults that change the call. */
static void set_aside(lb_diagnosing *g)
{
    for (size_t i = 0; i < g->e->count; i++)
        if (g->repeats.of[i] != LB_REPEATED_SAME)
            g->e->items[i].left = NULL;
}

/* All that fails is explained by certain names: what was not tried is of no interest. */
static bool is_settled(const lb_diagnosis *d)
{
    for (size_t i = 0; i < d->found_count; i++)
        if (d->found[i].certainty != LB_CERTAIN_ONE)
            return false;
    for (size_t i = 0; i < d->evidence->count; i++)
        if (lb_tried_failed(&d->evidence->items[i]) && d->cause[i] == 0)
            return false;
    return true;
}

void lb_diagnose(lb_diagnosis *d)
{
    double begun = lb_now_seconds();
    lb_diagnosing g = {.d = d, .e = d->evidence, .deadline = d->effort};
    const unsigned misalign = g.e->misalign;
    d->cause = lb_resized(NULL, g.e->count + 1);
    memset(d->cause, 0, g.e->count + 1);
    g.e->work = 0;
    g.e->ends = begun + lb_work_limit(d->effort);
    if (g.e->failing > 0) {
        lb_repeat_failures(g.e, d->port_name, d->effort / 4, &g.repeats);
        lb_diagnose_known(&g);
        lb_diagnose_troubles(&g);
        set_aside(&g);
        call_aligned(&g);
        lb_diagnose_tables(&g);
        lb_diagnose_order(&g);
        lb_diagnose_theories(&g);
        lb_diagnose_sequences(&g);
        lb_diagnose_unknown(&g);
        join_consequences(&g);
        join_findings(&g);
        sort_findings(d);
        lb_theories_free(&g.theories);
        lb_repeats_free(&g.repeats);
    }
    g.e->misalign = misalign;
    d->cut_short = d->cut_short || g.e->cut_short || (g.late && !is_settled(d));
    d->passed_over = g.e->passed_over;
    d->out_of_time = g.e->out_of_time || g.e->cut_short;
    lb_diagnosis_count_rest(d);
    d->spent_seconds = lb_now_seconds() - begun;
}

void lb_diagnosis_free(lb_diagnosis *d)
{
    free(d->cause);
    for (size_t i = 0; i < d->function_count; i++)
        lb_function_free(&d->functions[i]);
    free(d->functions);
    d->cause = NULL;
    d->functions = NULL;
    d->function_count = 0;
    lb_arena_free(&d->arena);
}
