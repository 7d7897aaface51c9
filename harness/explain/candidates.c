/* Where a wrong value could come from: see candidates.h. */
#include "harness/explain/candidates.h"
#include "harness/base/clock.h"
#include "harness/base/xalloc.h"
#include "harness/explain/one_element.h"
#include "harness/faults/step_run.h"
#include "harness/trial/compare.h"

#include "reports/doc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CANDIDATES = 256 };
static const double SAFETY_SECONDS = 30; /* of the clock: no machine is so slow */

bool lb_oracle_value(const lb_replayed *replayed, lb_oracle oracle, lb_role role, size_t flat,
                     int64_t *value)
{
    if (oracle == LB_ORACLE_RECORDED)
        return lb_replayed_recorded(replayed, role, flat, value);
    if (!replayed->port_ran || !lb_replayed_address(replayed, &replayed->port, role, flat))
        return false;
    *value = lb_replayed_value(replayed, &replayed->port, role, flat);
    return true;
}

static bool differs(const lb_replayed *replayed, lb_oracle oracle, lb_role role, size_t flat)
{
    int64_t value;
    return lb_oracle_value(replayed, oracle, role, flat, &value) &&
           value != lb_replayed_value(replayed, &replayed->exact, role, flat);
}

bool lb_oracle_first_difference(const lb_replayed *replayed, lb_oracle oracle, lb_role role,
                                size_t *flat)
{
    lb_layout layout = lb_replayed_layout(replayed, role);
    size_t count = lb_layout_count(&layout);
    for (*flat = 0; *flat < count; ++*flat)
        if (differs(replayed, oracle, role, *flat))
            return true;
    return false;
}

/* ---- Faults that give the value ---- */

/* Faults on the call, and what the oracle has for every element of the output. */
typedef struct search {
    const lb_replayed *replayed;
    lb_role role;
    size_t flat, count;
    const lb_slice *slice;
    int64_t *wanted; /* by element */
    bool *known;     /* the oracle has a value for it */
    lb_fault_list list;
    lb_fault_bench bench;
    lb_one_element one;  /* where faults are looked for that account for all elements */
    double effort, work; /* nominal seconds: what may be spent, and what has been */
    double end;          /* lb_now_seconds: a limit for safety */
    const char *named;   /* lb_fault_name of the fault that comes first; NULL: none */
    bool only_first;     /* lb_candidate_search's, as the next */
    const lb_fault *before;
    unsigned found;
    lb_candidate candidates[MAX_CANDIDATES];
} search;

/* The container of an element in an instance of the bench. */
static int64_t value_in(const search *h, const lb_instance *instance, size_t flat)
{
    lb_layout layout = lb_replayed_layout(h->replayed, h->role);
    const lb_instance *before = &h->bench.before;
    const unsigned char *start = before->tensors[h->role][0].data.mem.ptr;
    if (layout.rank == 0)
        return lb_read_container((const unsigned char *)&instance->tensors[h->role][0].data.mem,
                                 layout.element_bytes);
    size_t at = (size_t)(start - before->block) + lb_layout_offset(&layout, flat);
    return lb_read_container(instance->block + at, layout.element_bytes);
}

static void take_wanted(search *h, lb_oracle oracle)
{
    h->wanted = lb_resized(NULL, (h->count + 1) * sizeof *h->wanted);
    h->known = lb_resized(NULL, (h->count + 1) * sizeof *h->known);
    for (size_t i = 0; i < h->count; i++)
        h->known[i] = lb_oracle_value(h->replayed, oracle, h->role, i, &h->wanted[i]);
}

/* What a fault that accounts for all elements leaves, so that others are given up early. */
static void want_all(search *h)
{
    lb_instance *wanted = lb_arena_alloc(h->bench.arena, sizeof *wanted);
    lb_instance_make(wanted, &h->bench.memory, h->bench.arena);
    lb_tensor *t = wanted->call.tensor[h->role];
    lb_layout layout = lb_replayed_layout(h->replayed, h->role);
    const unsigned char *start = h->bench.before.tensors[h->role][0].data.mem.ptr;
    if (layout.rank == 0 || !start || layout.element_bytes != lb_element_bytes(t->el_type))
        return;
    for (size_t i = 0; i < h->count; i++) {
        if (!h->known[i])
            return;
        lb_store(t, lb_layout_offset(&layout, i) / layout.element_bytes, h->wanted[i]);
    }
    h->bench.wanted = wanted;
    h->bench.wanted_role = h->role;
}

/* How the fault, whose result the bench holds, does on all elements. */
static void weigh(const search *h, lb_candidate *candidate)
{
    for (size_t i = 0; i < h->count; i++) {
        if (!h->known[i])
            continue;
        bool wrong = h->wanted[i] != value_in(h, &h->bench.right, i);
        bool given = h->wanted[i] == value_in(h, &h->bench.out, i);
        *(wrong ? &candidate->wrong : &candidate->right) += 1;
        *(wrong ? &candidate->explained : &candidate->left_right) += given;
    }
}

static uint64_t misses(const lb_candidate *candidate)
{
    return candidate->wrong - candidate->explained + candidate->right - candidate->left_right;
}

/* Of a kind with many numbers each one is less likely. */
static int likelihood(const lb_fault *fault)
{
    return lb_fault_prior(fault) * 96 / (8 + fault->kind->argument_count);
}

/* What a diagnosis of more results names; how few elements a fault does not account for; among
 * equals one that sits in a step, which can be
 * shown; the commoner kind; code that several gates share; the later step. */
static int by_merit(const void *a, const void *b)
{
    const lb_candidate *x = a, *y = b;
    if (x->named != y->named)
        return x->named ? -1 : 1;
    if (misses(x) != misses(y))
        return misses(x) < misses(y) ? -1 : 1;
    if ((!x->step) != (!y->step))
        return x->step ? -1 : 1;
    if (likelihood(&x->fault) != likelihood(&y->fault))
        return likelihood(&x->fault) > likelihood(&y->fault) ? -1 : 1;
    if (x->fault.all_parts != y->fault.all_parts)
        return x->fault.all_parts ? 1 : -1;
    if (x->fault.everywhere != y->fault.everywhere)
        return x->fault.everywhere ? 1 : -1;
    if (x->fault.all_blocks != y->fault.all_blocks)
        return x->fault.all_blocks ? -1 : 1;
    if (x->fault.kind != y->fault.kind)
        return x->fault.kind < y->fault.kind ? -1 : 1;
    return x->step && y->step
               ? (x->step->number < y->step->number) - (x->step->number > y->step->number)
               : 0;
}

/* The first step, or given number, of the slice that the fault sits in. */
static const lb_num_step *step_of(const lb_slice *slice, const lb_fault *fault)
{
    const lb_num_step *steps = slice->steps;
    if (lb_fault_has_own_places(fault->kind)) /* it changes several places at once */
        return NULL;
    for (size_t i = 0; fault->site && i < slice->step_count; i++)
        if (lb_fault_sits_in(fault, &steps[i]))
            return &steps[i];
    for (size_t i = 0; fault->site && i < slice->given_count; i++)
        if (lb_fault_sits_in(fault, &slice->givens[i]))
            return &slice->givens[i];
    return NULL;
}

/* Room is made by the one with the least merit. */
static void keep(search *h, const lb_candidate *candidate)
{
    unsigned at = h->found++;
    if (at >= MAX_CANDIDATES) {
        qsort(h->candidates, MAX_CANDIDATES, sizeof *h->candidates, by_merit);
        at = MAX_CANDIDATES - 1;
        if (by_merit(candidate, &h->candidates[at]) > 0)
            return;
    }
    h->candidates[at] = *candidate;
}

static bool is_named(const search *h, const lb_fault *fault)
{
    return h->named && strcmp(lb_fault_name(fault, h->bench.arena), h->named) == 0;
}

static void try_fault(search *h, const lb_fault *fault)
{
    bool says_values =
        fault->kind->group != LB_FAULTS_STATUS && fault->kind->open == LB_OPEN_NOTHING;
    if (!says_values)
        return;
    h->work += lb_fault_bench_cost(&h->bench, fault->kind->group == LB_FAULTS_STEP);
    if (lb_one_element_shows(&h->one, fault) &&
        lb_one_element_value(&h->one, fault) != h->wanted[h->flat])
        return;
    if (!lb_fault_try(&h->bench, fault) ||
        value_in(h, &h->bench.out, h->flat) != h->wanted[h->flat])
        return;
    lb_candidate candidate = {
        .fault = *fault, .step = step_of(h->slice, fault), .named = is_named(h, fault)};
    weigh(h, &candidate);
    if (!h->only_first || misses(&candidate) == 0)
        keep(h, &candidate);
}

static bool is_spent(const search *h)
{
    return h->work > h->effort || lb_now_seconds() > h->end;
}

/* A fault of the list, by its number. */
typedef struct turn {
    uint32_t number;
    int likelihood;
} turn;

/* The likeliest first: the time may be short. */
static int by_likelihood(const void *a, const void *b)
{
    const turn *x = a, *y = b;
    return x->likelihood != y->likelihood ? y->likelihood - x->likelihood
                                          : (x->number > y->number) - (x->number < y->number);
}

/* The first has been found: it sits in a step, and what comes is less likely. */
static bool has_first(const search *h, const turn *next)
{
    for (unsigned i = 0; h->only_first && i < h->found && i < MAX_CANDIDATES; i++)
        if (h->candidates[i].step && likelihood(&h->candidates[i].fault) > next->likelihood)
            return true;
    return false;
}

/* Which faults of steps have a step that they change, by one run for all; of those that the element
 * alone shows it is asked one by one. */
static bool screen(search *h, bool *acts)
{
    const size_t count = h->list.count;
    bool *wanted = lb_resized(NULL, count + 1);
    memset(wanted, 1, count + 1);
    h->work += lb_fault_bench_cost(&h->bench, true);
    if (h->only_first && lb_fault_bench_count(&h->bench))
        lb_one_element_hear(&h->one, &h->bench, h->replayed, h->role, h->flat);
    bool screened = !h->one.stands_alone && lb_fault_screen(&h->bench, &h->list, wanted, acts);
    free(wanted);
    return screened;
}

/* False: it changes no step of the call, or none that leads to the element. */
static bool may_act(const search *h, const lb_fault *fault, bool acts)
{
    return lb_one_element_shows(&h->one, fault) ? lb_one_element_feels(&h->one, fault)
                                                : fault->kind->group != LB_FAULTS_STEP || acts;
}

/* Does the fault account for this result as well that accounts for one of the same case? */
static bool is_as_before(search *h)
{
    for (size_t i = 0; h->before && i < h->list.count; i++)
        if (lb_fault_equal(&h->list.items[i], h->before)) {
            try_fault(h, &h->list.items[i]);
            return h->found > 0;
        }
    return false;
}

static bool try_all(search *h)
{
    size_t count = h->list.count, tried = 0;
    turn *order = lb_resized(NULL, (count + 1) * sizeof *order);
    bool *acts = lb_resized(NULL, count + 1);
    const bool screened = screen(h, acts);
    for (size_t i = 0; i < count; i++)
        order[i] = (turn){(uint32_t)i, likelihood(&h->list.items[i])};
    if (count > 0)
        qsort(order, count, sizeof *order, by_likelihood);
    for (; tried < count && !is_spent(h) && !has_first(h, &order[tried]); tried++) {
        const lb_fault *fault = &h->list.items[order[tried].number];
        if (may_act(h, fault, !screened || acts[order[tried].number]))
            try_fault(h, fault);
    }
    bool all = tried == count || has_first(h, &order[tried]);
    free(order);
    free(acts);
    return all;
}

/* A diagnosis may name what is no kind of the bank: a value in place of another. */
static void try_values(search *h)
{
    size_t first = lb_fault_list_add_values(&h->list, h->replayed->test_case->kernel);
    for (size_t i = first; i < h->list.count && !is_spent(h); i++)
        if (is_named(h, &h->list.items[i]))
            try_fault(h, &h->list.items[i]);
}

static bool has_named(const search *h)
{
    unsigned kept = h->found < MAX_CANDIDATES ? h->found : MAX_CANDIDATES;
    for (unsigned i = 0; i < kept; i++)
        if (h->candidates[i].named)
            return true;
    return false;
}

/* Sites of candidates outlive the list that they come from. */
static void keep_sites(lb_candidates *s, lb_arena *arena)
{
    for (unsigned i = 0; i < s->candidate_count; i++)
        s->candidates[i].fault = lb_fault_copy(&s->candidates[i].fault, arena);
}

static void search_faults(lb_candidates *s, search *h)
{
    lb_arena arena = {0};
    const lb_replayed *r = h->replayed;
    lb_fault_list_hear(&h->list, r->test_case, r->profile, &arena);
    lb_fault_list_place(&h->list, r->test_case->kernel, r->profile);
    if (lb_fault_bench_make_at(&h->bench, r->test_case, r->call_number, r->profile, &arena) &&
        h->bench.computed) {
        s->looked = true;
        if (h->only_first)
            want_all(h);
        s->late = !is_as_before(h) && !try_all(h);
        if (h->named && !has_named(h))
            try_values(h);
        unsigned kept = h->found < MAX_CANDIDATES ? h->found : MAX_CANDIDATES;
        if (kept > 0)
            qsort(h->candidates, kept, sizeof *h->candidates, by_merit);
        s->found = h->found;
        s->candidate_count = kept < LB_MAX_CANDIDATES ? kept : LB_MAX_CANDIDATES;
        memcpy(s->candidates, h->candidates, s->candidate_count * sizeof *s->candidates);
        keep_sites(s, r->arena);
    }
    lb_one_element_free(&h->one);
    lb_fault_list_free(&h->list);
    lb_arena_free(&arena);
}

/* ---- Other explanations ---- */

/* A profile in which the exact model gives all that the oracle says. */
static const char *matching_profile(lb_replayed *replayed, lb_oracle oracle, lb_role role)
{
    const char *name = NULL;
    lb_layout layout = lb_replayed_layout(replayed, role);
    size_t count = lb_layout_count(&layout), flat = 0;
    for (int p = 0; p < LB_PROFILE_COUNT && !name; p++) {
        lb_context other = {.profile = &lb_profiles[p]};
        lb_replayed_repeat(replayed, &other);
        if (!lb_oracle_first_difference(replayed, oracle, role, &flat) && count > 0)
            name = lb_profiles[p].name;
    }
    lb_context own = {.profile = replayed->profile};
    lb_replayed_repeat(replayed, &own);
    return name;
}

static void count_differences(lb_candidates *s, const lb_replayed *replayed, lb_oracle oracle,
                              lb_role role)
{
    lb_layout layout = lb_replayed_layout(replayed, role);
    s->elements = lb_layout_count(&layout);
    for (size_t flat = 0; flat < s->elements; flat++)
        s->differing += differs(replayed, oracle, role, flat);
}

/* Where a copied value could have been taken from by mistake. */
static void look_elsewhere(lb_candidates *s, const lb_replayed *replayed, const lb_slice *slice)
{
    const lb_num_step *copy = &slice->steps[slice->step_count - 1];
    int32_t from = copy->operand[0].step;
    if (slice->step_count != 1 || copy->operation != LB_STEP_COPY || from >= 0)
        return;
    const lb_num_place *due = &slice->givens[-(from + 1)].place;
    const lb_tensor *t =
        due->kind == LB_NUM_ELEMENT ? lb_replayed_tensor(replayed, due->owner) : NULL;
    size_t count = t && t->rank > 0 && t->el_type != LB_FP32 ? lb_element_count(t) : 0;
    for (size_t flat = 0; flat < count; flat++) {
        uint32_t index[LB_MAX_RANK];
        lb_unflatten(t, flat, index);
        if (lb_load(t, lb_offset_of(t, index)) != s->value || s->elsewhere_count++ > 0)
            continue;
        s->elsewhere = *due;
        s->elsewhere.rank = t->rank;
        for (uint32_t d = 0; d < t->rank; d++)
            s->elsewhere.index[d] = index[d];
    }
}

void lb_candidate_find(lb_candidates *s, lb_replayed *replayed, lb_oracle oracle, lb_role role,
                       size_t flat, const lb_slice *slice, const lb_candidate_search *asked)
{
    *s = (lb_candidates){.exact = lb_replayed_value(replayed, &replayed->exact, role, flat)};
    lb_oracle_value(replayed, oracle, role, flat, &s->value);
    count_differences(s, replayed, oracle, role);
    s->untouched = s->value == lb_replayed_value_before(replayed, role, flat);
    s->profile = matching_profile(replayed, oracle, role);
    if (slice->written)
        look_elsewhere(s, replayed, slice);
    search *h = lb_resized(NULL, sizeof *h);
    *h = (search){.replayed = replayed,
                  .role = role,
                  .flat = flat,
                  .count = (size_t)s->elements,
                  .slice = slice,
                  .effort = asked->effort,
                  .named = asked->named,
                  .only_first = asked->only_first,
                  .before = asked->before,
                  .end = lb_now_seconds() + SAFETY_SECONDS};
    take_wanted(h, oracle);
    if (asked->effort > 0)
        search_faults(s, h);
    s->spent = h->work;
    free(h->wanted);
    free(h->known);
    free(h);
}

/* ---- Names ---- */

/* "zero-point terms" as "zero_point_terms". */
static void put_slug(lb_doc *doc, const char *text)
{
    for (const char *c = text; *c; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9');
        bool upper = *c >= 'A' && *c <= 'Z';
        if (plain || upper)
            lb_doc_char(doc, upper ? (char)(*c - 'A' + 'a') : *c);
        else if (doc->length > 0 && doc->text[doc->length - 1] != '_' && c[1])
            lb_doc_char(doc, '_');
    }
}

static void put_part(lb_doc *doc, const char *text)
{
    if (!text || !text[0])
        return;
    if (doc->length > 0)
        lb_doc_char(doc, '.');
    put_slug(doc, text);
}

/* What of a step a kind concerns, where that is not the first word of its name; "": the step
 * itself. */
static const struct {
    const char *kind, *aspect;
} aspects[] = {
    {"term.sign", "sign"},
    {"term.early_relu", "relu"},
    {"term.", ""},
    {"tap.input_", "zero_point"},
    {"tap.", "product"},
    {"taps.first_lost", "first"},
    {"taps.last_lost", "last"},
    {"taps.tail_lost", "last"},
    {"taps.", ""},
    {"limit.", "clamp"},
    {"window.", ""},
};

/* "rounding", "shift", ... */
static const char *aspect_of(const lb_fault *fault, const lb_num_step *step, char *room,
                             size_t size)
{
    const char *kind = fault->kind->name;
    bool limits = step->operation == LB_STEP_MIN || step->operation == LB_STEP_MAX;
    bool is_term = strncmp(kind, "term.", 5) == 0 && strcmp(kind, "term.early_relu") != 0;
    if (is_term && step->of_zero_point)
        return "zero_point";
    if (limits && strncmp(kind, "saturation.", 11) == 0)
        return "clamp";
    for (size_t i = 0; i < sizeof aspects / sizeof *aspects; i++)
        if (strncmp(kind, aspects[i].kind, strlen(aspects[i].kind)) == 0)
            return aspects[i].aspect;
    snprintf(room, size, "%.*s", (int)strcspn(kind, "."), kind);
    return room;
}

static void put_given(lb_doc *doc, const lb_candidate *candidate)
{
    const lb_num_place *place = &candidate->step->place;
    if (place->kind == LB_NUM_GEOMETRY) {
        put_part(doc, lb_owner_name(place->owner));
        return;
    }
    lb_doc_puts(doc, lb_owner_name(place->owner));
    put_part(doc,
             candidate->fault.kind->of_channel ? "channel" : lb_quant_field_name(place->field));
}

const char *lb_candidate_name(const lb_candidate *candidate, lb_arena *arena)
{
    char text[200], aspect[64];
    lb_doc doc = lb_doc_in(text, sizeof text - 1);
    const lb_num_step *step = candidate->step;
    const lb_fault *fault = &candidate->fault;
    if (!step)
        return fault->profile ? "profile" : lb_fault_name(fault, arena);
    if (step->operation == LB_STEP_GIVEN) {
        put_given(&doc, candidate);
    } else {
        put_part(&doc, fault->all_blocks ? NULL : lb_block_name(step->block));
        put_part(&doc, fault->all_blocks ? NULL : lb_term_name(step->term));
        put_part(&doc, lb_part_words(step->part));
        put_part(&doc, aspect_of(fault, step, aspect, sizeof aspect));
    }
    text[doc.length] = '\0';
    return lb_arena_strdup(arena, text);
}

const char *lb_candidates_step(const lb_candidates *s, lb_arena *arena)
{
    const lb_candidate *first = &s->candidates[0];
    bool accounts_for_all = first->explained == first->wrong && first->left_right == first->right;
    if (s->candidate_count > 0 && accounts_for_all)
        return lb_candidate_name(first, arena);
    if (s->profile)
        return "profile";
    if (s->elsewhere_count > 0)
        return "source";
    return s->untouched ? "store" : "";
}
