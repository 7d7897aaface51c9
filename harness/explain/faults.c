/* Where a wrong value could come from: see faults.h. */
#include "harness/explain/faults.h"
#include "harness/base/clock.h"
#include "harness/explain/arith.h"

#include "reports/doc.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_CANDIDATES = 256,
    MAX_SAMPLES = 12,
    MAX_STEPS = 200000,
    MAX_MISSED_TAPS = 16,
    MOST_MISSES = 2
};

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

typedef struct search {
    lb_replayed *replayed;
    lb_oracle oracle;
    lb_role role;
    size_t flat;
    int bits; /* of the container */
    int64_t wanted;
    int64_t whole_window;
    int64_t zero_point;    /* of the inputs */
    int64_t *right;        /* results of the steps without a fault */
    int64_t *values;       /* room for a replay */
    size_t room;           /* steps that there is room for in both */
    double end;            /* when to stop looking */
    unsigned count, first; /* first: of those that are tried on other elements */
    lb_candidate candidates[MAX_CANDIDATES];
} search;

/* Room for the slice's steps, and their results without a fault. */
static bool take_right_values(search *h, const lb_slice *slice)
{
    int64_t result;
    if (slice->step_count > h->room) {
        int64_t *right = realloc(h->right, slice->step_count * sizeof *right);
        h->right = right ? right : h->right;
        int64_t *values = realloc(h->values, slice->step_count * sizeof *values);
        h->values = values ? values : h->values;
        if (!right || !values)
            return false;
        h->room = slice->step_count;
    }
    return lb_replay(slice, NULL, h->right, &result);
}

/* The value with this fault, as the container holds it; nothing before step number first + 1
 * changes. */
static bool gives(search *h, const lb_slice *slice, const lb_injection *fault, size_t first,
                  int64_t wanted)
{
    int64_t value;
    return lb_replay_from(slice, fault, h->right, first, h->values, &value) &&
           lb_x_wrap(value, h->bits) == wanted;
}

/* `first`: index of the first step that the fault can change. */
static void try_fault(search *h, const lb_slice *slice, const lb_num_step *step, lb_injection fault,
                      size_t first)
{
    fault.site = *step;
    fault.whole_window = h->whole_window;
    fault.zero_point = h->zero_point;
    bool narrow_input = fault.kind == LB_INJECT_WRAPPED_INPUT || fault.kind == LB_INJECT_CUT_INPUT;
    if (h->count == MAX_CANDIDATES || !lb_injection_fits(fault.kind, step) ||
        lb_now_seconds() > h->end)
        return;
    if (narrow_input && h->zero_point == 0) /* there is nothing to take off */
        return;
    if (gives(h, slice, &fault, first, h->wanted))
        h->candidates[h->count++] = (lb_candidate){.fault = fault, .step = step};
}

/* Elements are what the case gives: only parameters, the geometry and a bias can be taken wrongly.
 */
static bool can_be_wrong(const lb_num_step *given)
{
    const lb_num_place *place = &given->place;
    return (place->kind != LB_NUM_ELEMENT && place->kind != LB_NUM_INTERMEDIATE) ||
           strcmp(place->name, "bias") == 0;
}

/* Every fault that can sit there; `first`: index of the first step that it can change. */
static void try_site(search *h, const lb_slice *slice, const lb_num_step *step, bool all_blocks,
                     size_t first)
{
    for (int kind = 1; kind < LB_INJECT_COUNT; kind++)
        try_fault(h, slice, step,
                  (lb_injection){.kind = (lb_injection_kind)kind, .all_blocks = all_blocks}, first);
}

static void try_steps(search *h, const lb_slice *slice, bool all_blocks)
{
    const lb_sites *sites = &slice->sites;
    for (uint32_t k = all_blocks ? sites->shared_count : sites->count;
         k-- > 0;) { /* the last steps are the likeliest */
        size_t i = all_blocks ? sites->shared_first[k] : sites->first[k];
        try_site(h, slice, &slice->steps[i], all_blocks, i);
    }
}

static bool is_new_given(const lb_slice *slice, size_t i)
{
    lb_injection fault = {.site = slice->givens[i]};
    for (size_t k = i; k-- > 0;)
        if (lb_injection_sits_in(&fault, &slice->givens[k]))
            return false;
    return true;
}

static void try_givens(search *h, const lb_slice *slice)
{
    for (size_t i = slice->given_count; i-- > 0;)
        if (can_be_wrong(&slice->givens[i]) && is_new_given(slice, i))
            try_site(h, slice, &slice->givens[i], false, 0);
}

/* In all rounding shifts at once, where there is more than one. */
static void try_all_shifts(search *h, const lb_slice *slice)
{
    static const lb_injection_kind kinds[] = {LB_INJECT_TRUNCATES, LB_INJECT_HALF_AWAY,
                                              LB_INJECT_TOWARDS_ZERO};
    const lb_num_step *last = NULL;
    size_t sites = 0, first = 0;
    for (uint32_t k = 0; k < slice->sites.shared_count; k++) {
        size_t i = slice->sites.shared_first[k];
        if (slice->steps[i].operation == LB_STEP_RSH) {
            last = &slice->steps[i];
            first = sites++ == 0 ? i : first;
        }
    }
    for (size_t k = 0; sites > 1 && k < sizeof kinds / sizeof kinds[0]; k++)
        try_fault(h, slice, last, (lb_injection){.kind = kinds[k], .everywhere = true}, first);
}

/* Vector loops that leave something over at the end of a sum. */
static void try_missed_taps(search *h, const lb_slice *slice)
{
    for (uint32_t k = 0; k < slice->sites.shared_count; k++) {
        size_t i = slice->sites.shared_first[k];
        lb_injection fault = {.kind = LB_INJECT_LAST_TAP, .all_blocks = true};
        for (fault.taps = 2;
             slice->steps[i].operation == LB_STEP_MAC && fault.taps <= MAX_MISSED_TAPS;
             fault.taps++)
            try_fault(h, slice, &slice->steps[i], fault, i);
    }
}

/* ---- The same faults in other elements ---- */

static unsigned misses(const lb_candidate *candidate)
{
    return candidate->wrong - candidate->explained + candidate->right - candidate->left_right;
}

/* Does the element come from other vectors that the call has made? A fault changes those too, which
 * its own steps do not show. */
static bool depends_on_vectors(const lb_slice *slice)
{
    for (size_t i = 0; i < slice->given_count; i++)
        if (slice->givens[i].place.kind == LB_NUM_INTERMEDIATE)
            return true;
    return false;
}

/* How each candidate does on one element; those that have missed too often are not tried any more.
 */
static void try_element(search *h, size_t flat)
{
    lb_slice slice;
    int64_t wanted = 0;
    if (!lb_oracle_value(h->replayed, h->oracle, h->role, flat, &wanted) ||
        !lb_slice_make(&slice, h->replayed, h->role, flat))
        return;
    bool wrong = differs(h->replayed, h->oracle, h->role, flat);
    bool taken = slice.written && take_right_values(h, &slice), vague = depends_on_vectors(&slice);
    for (unsigned i = h->first; taken && i < h->count; i++) {
        lb_candidate *candidate = &h->candidates[i];
        if (misses(candidate) > MOST_MISSES)
            continue;
        bool right = gives(h, &slice, &candidate->fault, 0, wanted);
        if (!right && vague)
            continue;
        *(wrong ? &candidate->wrong : &candidate->right) += 1;
        *(wrong ? &candidate->explained : &candidate->left_right) += right;
    }
    lb_slice_free(&slice);
}

/* Some of the wrong elements, from the first on, and as many of the right ones. */
static void try_elements(search *h)
{
    lb_layout layout = lb_replayed_layout(h->replayed, h->role);
    size_t count = lb_layout_count(&layout);
    for (int wrong = 1; wrong >= 0; wrong--)
        for (size_t flat = 0, tried = 0;
             flat < count && tried < MAX_SAMPLES && lb_now_seconds() < h->end; flat++)
            if (flat != h->flat && differs(h->replayed, h->oracle, h->role, flat) == (wrong != 0)) {
                try_element(h, flat);
                tried++;
            }
}

/* How few of the elements tried a fault does not account for; among equals, the order in which they
 * were found stays. */
static int by_merit(const void *a, const void *b)
{
    const lb_candidate *x = a, *y = b;
    if (misses(x) != misses(y))
        return misses(x) < misses(y) ? -1 : 1;
    if (x->fault.everywhere != y->fault.everywhere)
        return x->fault.everywhere ? 1 : -1;
    if (x->fault.all_blocks != y->fault.all_blocks)
        return x->fault.all_blocks ? -1 : 1;
    if (x->fault.kind != y->fault.kind)
        return x->fault.kind < y->fault.kind ? -1 : 1;
    return x->step->number > y->step->number ? -1 : x->step->number < y->step->number;
}

/* ---- Other explanations ---- */

/* A profile in which the exact model gives all that the oracle says. */
static const char *matching_profile(lb_replayed *replayed, lb_oracle oracle, lb_role role,
                                    double end)
{
    const char *name = NULL;
    lb_layout layout = lb_replayed_layout(replayed, role);
    size_t count = lb_layout_count(&layout), flat = 0;
    for (int p = 0; p < LB_PROFILE_COUNT && !name && lb_now_seconds() < end; p++) {
        lb_context other = {.profile = &lb_profiles[p]};
        lb_replayed_repeat(replayed, &other);
        if (!lb_oracle_first_difference(replayed, oracle, role, &flat) && count > 0)
            name = lb_profiles[p].name;
    }
    lb_context own = {.profile = replayed->profile};
    lb_replayed_repeat(replayed, &own);
    return name;
}

static int64_t kernel_area(const lb_replayed *replayed)
{
    const lb_config *config = &replayed->test_case->config;
    return (int64_t)config->kernel_height * config->kernel_width;
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
        due->kind == LB_NUM_ELEMENT ? lb_replayed_tensor(replayed, due->name) : NULL;
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

static int64_t zero_point_of_inputs(const lb_slice *slice)
{
    for (size_t i = 0; i < slice->given_count; i++) {
        const lb_num_place *place = &slice->givens[i].place;
        if (place->kind == LB_NUM_PARAMETER && strcmp(place->name, "in") == 0 &&
            strcmp(place->field, "zero_point") == 0)
            return slice->givens[i].result;
    }
    return 0;
}

/* A fault of all that was tried, here and in other elements, that misses nothing. */
static bool is_settled(const search *h)
{
    for (unsigned i = 0; i < h->count; i++)
        if (misses(&h->candidates[i]) == 0)
            return true;
    return false;
}

/* Candidates from number `first` on, on other elements. */
static void try_new_candidates(search *h, const lb_slice *slice, unsigned first)
{
    h->first = first;
    for (unsigned i = first; i < h->count; i++)
        h->candidates[i].explained = h->candidates[i].wrong = 1;
    if (h->count > first)
        try_elements(h);
    take_right_values(h, slice); /* those of the slice again */
}

/* Faults in code that all blocks share, then, if none of them accounts for everything, in one block
 * alone; several taps left out only where no simpler fault gives the value. */
static void find_candidates(search *h, const lb_slice *slice)
{
    if (!take_right_values(h, slice))
        return;
    bool divided = false;
    for (size_t i = 0; i < slice->step_count; i++)
        divided = divided || slice->steps[i].block || slice->steps[i].term;
    try_steps(h, slice, divided);
    try_givens(h, slice);
    try_all_shifts(h, slice);
    if (h->count == 0)
        try_missed_taps(h, slice);
    try_new_candidates(h, slice, 0);
    unsigned shared = h->count;
    if (!divided || is_settled(h))
        return;
    try_steps(h, slice, false);
    try_new_candidates(h, slice, shared);
}

static void hunt_faults(lb_candidates *s, search *h, const lb_slice *slice)
{
    find_candidates(h, slice);
    qsort(h->candidates, h->count, sizeof h->candidates[0], by_merit);
    s->looked = true;
    s->found = h->count;
    s->suspect_count = h->count < LB_MAX_CANDIDATES ? h->count : LB_MAX_CANDIDATES;
    memcpy(s->candidates, h->candidates, s->suspect_count * sizeof s->candidates[0]);
}

void lb_candidate_find(lb_candidates *s, lb_replayed *replayed, lb_oracle oracle, lb_role role,
                       size_t flat, const lb_slice *slice, double seconds)
{
    double end = lb_now_seconds() + seconds;
    *s = (lb_candidates){.exact = lb_replayed_value(replayed, &replayed->exact, role, flat)};
    lb_oracle_value(replayed, oracle, role, flat, &s->value);
    count_differences(s, replayed, oracle, role);
    s->untouched = s->value == lb_replayed_value_before(replayed, role, flat);
    s->profile = matching_profile(replayed, oracle, role, end);
    if (!slice->written || slice->step_count > MAX_STEPS)
        return;
    look_elsewhere(s, replayed, slice);
    search *h = calloc(1, sizeof *h);
    if (!h)
        return;
    *h = (search){
        .replayed = replayed, .oracle = oracle, .role = role, .flat = flat, .wanted = s->value};
    h->bits = (int)lb_replayed_layout(replayed, role).element_bytes * 8;
    h->whole_window = kernel_area(replayed);
    h->zero_point = zero_point_of_inputs(slice);
    h->end = end;
    hunt_faults(s, h, slice);
    free(h->right);
    free(h->values);
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

const char *lb_candidate_name(const lb_candidate *candidate, lb_arena *arena)
{
    char text[200];
    lb_doc doc = lb_doc_in(text, sizeof text - 1);
    const lb_num_step *step = candidate->step;
    if (step->operation == LB_STEP_GIVEN) {
        const char *aspect = lb_injection_aspect(candidate->fault.kind, step);
        lb_doc_puts(&doc, step->place.kind == LB_NUM_GEOMETRY ? "" : step->place.name);
        if (step->place.kind == LB_NUM_GEOMETRY)
            put_part(&doc, step->place.name);
        else
            put_part(&doc, aspect[0] ? aspect : step->place.field);
    } else {
        put_part(&doc, candidate->fault.all_blocks ? NULL : step->block);
        put_part(&doc, candidate->fault.all_blocks ? NULL : step->term);
        put_part(&doc, lb_part_words(step->part));
        put_part(&doc, lb_injection_aspect(candidate->fault.kind, step));
    }
    text[doc.length] = '\0';
    return lb_arena_strdup(arena, text);
}

const char *lb_candidates_step(const lb_candidates *s, lb_arena *arena)
{
    const lb_candidate *first = &s->candidates[0];
    bool accounts_for_all = first->explained == first->wrong && first->left_right == first->right;
    if (s->suspect_count > 0 && accounts_for_all)
        return lb_candidate_name(first, arena);
    if (s->profile)
        return "profile";
    if (s->elsewhere_count > 0)
        return "source";
    return s->untouched ? "store" : "";
}
