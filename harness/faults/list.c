/* The bank as a whole, and the faults that can sit in a function: see faults.h. */
#include "harness/base/xalloc.h"
#include "harness/call/model.h"
#include "harness/faults/places.h"
#include "harness/faults/program_edits.h"
#include "harness/faults/ranges.h"
#include "harness/faults/step_run.h"

#include <stdlib.h>
#include <string.h>

static const lb_fault_kind *const tables[] = {
    lb_fault_platform_kinds, lb_fault_step_kinds,      lb_fault_window_step_kinds,
    lb_fault_edit_kinds,     lb_fault_padding_kinds,   lb_fault_operand_kinds,
    lb_fault_exchange_kinds, lb_fault_element_kinds,   lb_fault_parameter_kinds,
    lb_fault_meaning_kinds,  lb_fault_movement_kinds,  lb_fault_helper_kinds,
    lb_fault_form_kinds,     lb_fault_recurrent_kinds, lb_fault_program_kinds,
    lb_fault_extent_kinds,   lb_fault_writing_kinds,   lb_fault_table_kinds,
    lb_fault_float4_kinds,   lb_fault_status_kinds,    lb_fault_byte_kinds,
    lb_fault_order_kinds,
};

const char *lb_fault_group_name(lb_fault_group group)
{
    static const char *const names[LB_FAULTS_GROUP_COUNT] = {
        "step", "reading", "extent", "writing", "status", "state", "platform"};
    return names[group];
}

const lb_fault_kind *lb_fault_kind_at(size_t index)
{
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const lb_fault_kind *kind = tables[t]; kind->name; kind++)
            if (index-- == 0)
                return kind;
    return NULL;
}

const lb_fault_kind *lb_fault_kind_find(const char *name)
{
    const lb_fault_kind *kind = NULL;
    for (size_t i = 0; (kind = lb_fault_kind_at(i)) != NULL; i++)
        if (strcmp(kind->name, name) == 0)
            return kind;
    return NULL;
}

bool lb_fault_equal(const lb_fault *a, const lb_fault *b)
{
    bool same_site = a->site == b->site ||
                     (a->site && b->site && lb_fault_same_site(a->site, b->site, a->all_blocks));
    bool same_other =
        a->other_site == b->other_site ||
        (a->other_site && b->other_site && lb_fault_same_site(a->other_site, b->other_site, false));
    bool same_second = a->second_site == b->second_site ||
                       (a->second_site && b->second_site &&
                        lb_fault_same_site(a->second_site, b->second_site, false));
    bool same_beside =
        a->beside == b->beside || (a->beside && b->beside && lb_fault_equal(a->beside, b->beside));
    return a->kind == b->kind && same_site && same_other && same_second && same_beside &&
           a->all_blocks == b->all_blocks && a->all_parts == b->all_parts &&
           a->everywhere == b->everywhere && a->role == b->role && a->other_role == b->other_role &&
           a->dim == b->dim && a->other_dim == b->other_dim && a->argument == b->argument &&
           a->early == b->early && a->rule == b->rule && a->profile == b->profile &&
           lb_edit_equal(&a->edit, &b->edit);
}

static const lb_num_step *site_copy(const lb_num_step *site, lb_arena *arena)
{
    lb_num_step *copy = site ? lb_arena_alloc(arena, sizeof *copy) : NULL;
    if (copy)
        *copy = *site;
    return copy;
}

lb_fault lb_fault_copy(const lb_fault *fault, lb_arena *arena)
{
    lb_fault copy = *fault;
    copy.site = site_copy(fault->site, arena);
    copy.other_site = site_copy(fault->other_site, arena);
    copy.second_site = site_copy(fault->second_site, arena);
    if (fault->beside) {
        lb_fault *beside = lb_arena_alloc(arena, sizeof *beside);
        *beside = lb_fault_copy(fault->beside, arena);
        copy.beside = beside;
    }
    return copy;
}

/* ---- Sites ---- */

static const lb_range anything = {INT64_MIN, INT64_MAX, 0};

enum { LB_ASKED_FIELDS = 16 };

/* A number of a call: where it comes from, what was asked of it, and whether it is the result of a
 * step that no other has taken so far. */
typedef struct heard_number {
    lb_range asked;
    uint16_t site;
    bool is_over;
} heard_number;

typedef struct heard_numbers {
    heard_number *items; /* by number */
    size_t count, room;
} heard_numbers;

/* A call at work. */
typedef struct hearing {
    lb_fault_list *list;
    heard_numbers made, given;
    lb_fault_demand fields[LB_ASKED_FIELDS]; /* what this call asks of its fields */
    size_t field_count;
    size_t last;
    int64_t demanded; /* the last number of which something was asked */
} hearing;

static size_t new_site(lb_fault_list *list, const lb_num_step *step)
{
    list->sites =
        lb_room_for_one(list->sites, list->site_count, &list->site_capacity, sizeof *list->sites);
    list->flows =
        lb_room_for_one(list->flows, list->site_count, &list->flow_capacity, sizeof *list->flows);
    list->sites[list->site_count] = *step;
    list->flows[list->site_count] = (struct lb_fault_flow){0};
    return list->site_count++;
}

/* Steps follow each other as they did before, most of the time. */
static size_t site_of(hearing *h, const lb_num_step *step)
{
    lb_fault_list *list = h->list;
    if (list->site_count > 0) {
        size_t likely = list->flows[h->last].next;
        if (lb_fault_same_site(&list->sites[likely], step, false))
            return likely;
    }
    for (size_t i = list->site_count; i-- > 0;)
        if (lb_fault_same_site(&list->sites[i], step, false))
            return i;
    return new_site(list, step);
}

/* NULL: it is a constant, a field, or was not heard. */
static heard_number *number_of(hearing *h, int64_t step)
{
    const heard_numbers *of = step > 0 ? &h->made : &h->given;
    const size_t number = (size_t)(step > 0 ? step : -step);
    return step != 0 && step > LB_NUM_NO_STEP && number < of->count ? &of->items[number] : NULL;
}

/* What was asked of a number, wherever it comes from. NULL: nothing, so far. */
static lb_range *asked_of(hearing *h, int64_t step)
{
    for (size_t i = 0; step < LB_NUM_VARIES && i < h->field_count; i++)
        if (h->fields[i].field == step)
            return &h->fields[i].range;
    heard_number *number = number_of(h, step);
    return number ? &number->asked : NULL;
}

/* The operands, and who has made them. */
static void note_taken(hearing *h, const lb_num_step *step, struct lb_fault_flow *flow)
{
    int sources[LB_STEP_OPERANDS];
    for (unsigned i = 0; i < step->operand_count; i++) {
        const lb_num *operand = &step->operand[i];
        const lb_range constant = {operand->v, operand->v, 0}, *asked = asked_of(h, operand->step);
        heard_number *number = number_of(h, operand->step);
        sources[i] = number ? number->site : -1;
        if (number)
            number->is_over = false;
        if (asked || operand->step == 0)
            lb_fault_flow_ask(flow, i, asked ? *asked : constant);
    }
    lb_fault_flow_hear(flow, step, sources);
}

/* Of the element before: nobody has taken it. */
static void note_left(const hearing *h, const heard_number *number)
{
    if (number->is_over)
        h->list->flows[number->site].leaves = true;
}

/* The number is another one from here on. */
static void note_number(hearing *h, int64_t step, size_t site)
{
    heard_numbers *of = step > 0 ? &h->made : &h->given;
    const size_t number = (size_t)(step > 0 ? step : -step);
    while (of->count <= number) {
        of->items = lb_room_for_one(of->items, of->count, &of->room, sizeof *of->items);
        of->items[of->count++] = (heard_number){anything, (uint16_t)site, false};
    }
    note_left(h, &of->items[number]);
    of->items[number] = (heard_number){anything, (uint16_t)site, step > 0};
}

static void keep_site(void *user, const lb_num_step *step)
{
    hearing *h = user;
    size_t site = site_of(h, step);
    h->list->flows[site].heard++;
    const lb_num_step *first = &h->list->sites[site];
    struct lb_fault_flow *flow = &h->list->flows[site];
    h->list->flows[h->last].next = site;
    h->last = site;
    flow->mixed = flow->mixed || first->width != step->width || first->rounding != step->rounding ||
                  first->saturates != step->saturates || first->table != step->table ||
                  first->operand_count != step->operand_count;
    note_taken(h, step, flow);
    if (step->number != 0)
        note_number(h, step->number, site);
}

static void demand_field(lb_fault_list *list, int32_t field, lb_range range)
{
    for (size_t i = 0; i < list->demand_count; i++)
        if (list->demands[i].field == field) {
            list->demands[i].range = lb_range_joined(list->demands[i].range, range);
            return;
        }
    list->demands = lb_room_for_one(list->demands, list->demand_count, &list->demand_room,
                                    sizeof *list->demands);
    list->demands[list->demand_count++] = (lb_fault_demand){field, range};
}

/* Of a sum as a whole nothing is said of those on the way to it. */
static void say_of(lb_fault_list *list, size_t site, lb_range range, lb_claim claim)
{
    if (claim != LB_LIES_WITHIN || list->sites[site].operation != LB_STEP_MAC)
        lb_fault_flow_say(&list->flows[site], range, claim);
}

/* Of the same number it may be asked twice, which counts once. What is asked of one number that
 * varies says nothing of others that do. */
static void keep_demand(void *user, lb_num number, int64_t low, int64_t high, lb_claim claim)
{
    hearing *h = user;
    const lb_range range = {low, high, 0};
    const int64_t step = number.step;
    const bool is_plain = claim == LB_LIES_WITHIN || claim == LB_LIES_WITHIN_ON_THE_WAY;
    const bool is_again = is_plain && step == h->demanded;
    h->demanded = is_plain ? step : h->demanded;
    if (is_plain && step < LB_NUM_VARIES && !asked_of(h, step) && h->field_count < LB_ASKED_FIELDS)
        h->fields[h->field_count++] = (lb_fault_demand){number.step, anything};
    lb_range *asked = is_plain ? asked_of(h, step) : NULL;
    const heard_number *made = number_of(h, step);
    if (asked)
        *asked = lb_range_cut(*asked, &range);
    if (is_plain && step < LB_NUM_VARIES)
        demand_field(h->list, number.step, range);
    else if (made && !is_again)
        say_of(h->list, made->site, range, claim);
}

/* Cases with more steps show no more places than small ones. */
enum { HEARD_ELEMENTS = 4096 };

/* Tensors of a list are worked through one after the other. */
static bool is_small(const lb_case *c)
{
    uint64_t product = 1;
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        uint64_t count = 1;
        if (!c->operand[role].present || (!c->operand[role].is_output && role != LB_ROLE_WEIGHTS))
            continue;
        for (unsigned i = 0; i < c->operand[role].count; i++) {
            lb_layout layout = lb_layout_of(&c->operand[role].tensors[i]);
            count += lb_layout_count(&layout);
        }
        product *= count;
    }
    return product <= (uint64_t)HEARD_ELEMENTS * HEARD_ELEMENTS;
}

void lb_fault_list_hear(lb_fault_list *list, const lb_case *c, const lb_profile *profile,
                        lb_arena *arena)
{
    hearing h = {.list = list};
    lb_steps listener = {.role = LB_ROLE_OUT,
                         .element = LB_STEPS_EVERY,
                         .step = keep_site,
                         .user = &h,
                         .demanded = keep_demand};
    lb_context context = {.profile = profile, .steps = &listener};
    if (!c->kernel || !c->kernel->exact || !is_small(c))
        return;
    lb_model_call(&context, lb_instance_of(c, arena));
    list->known_cases++;
    for (size_t number = 0; number < h.made.count; number++)
        note_left(&h, &h.made.items[number]);
    free(h.made.items);
    free(h.given.items);
}

/* ---- Faults ---- */

static void keep_fault(void *user, const lb_fault *fault)
{
    lb_fault_list *list = user;
    list->items = lb_room_for_one(list->items, list->count, &list->capacity, sizeof *list->items);
    list->items[list->count++] = *fault;
}

static void solve(lb_fault_list *list, const lb_kernel *kernel, const lb_fault_number *only,
                  const lb_range *within)
{
    lb_fault_ranges_solve(list, kernel, only, within);
    lb_fault_absorbed_solve(list, kernel);
}

static void forget_branches(lb_fault_list *list)
{
    for (size_t i = 0; i < list->branch_count; i++)
        free(list->branches[i]);
    free(list->branches);
    list->branches = NULL;
    list->branch_count = 0;
}

/* What each number of either sign leaves of the ranges, where it is 0 at most and where it is more.
 * The lists of sources stay those of the whole. */
static void solve_branches(lb_fault_list *list, const lb_kernel *kernel)
{
    static const lb_range sides[] = {{INT64_MIN, 0, 0}, {1, INT64_MAX, 0}};
    enum { MOST = 4 };
    lb_fault_number numbers[MOST];
    size_t count = 0;
    for (size_t at = 0; count < MOST && lb_fault_next_signed(list, &at, &numbers[count]);)
        count++;
    if (count == 0)
        return;
    list->branches = lb_resized(NULL, 2 * count * sizeof *list->branches);
    for (; list->branch_count < 2 * count; list->branch_count++) {
        solve(list, kernel, &numbers[list->branch_count / 2], &sides[list->branch_count % 2]);
        struct lb_fault_flow *flows = lb_resized(NULL, list->site_count * sizeof *flows);
        memcpy(flows, list->flows, list->site_count * sizeof *flows);
        list->branches[list->branch_count] = flows;
    }
    solve(list, kernel, NULL, NULL);
}

/* Steps, and what of them the profile says: all other places follow from the function alone. */
static bool needs_more_than_function(const lb_fault_kind *kind)
{
    return kind->group == LB_FAULTS_STEP || kind->group == LB_FAULTS_PLATFORM;
}

/* The places that follow from the function, of the one that was asked for last: its failing results
 * come one behind the other, and ask for the same. */
static const lb_fault_list *places_of_function(const lb_kernel *kernel)
{
    static lb_fault_list last;
    static const lb_kernel *of;
    const lb_fault_scope scope = {.kernel = kernel};
    const lb_fault_kind *kind;
    if (of == kernel)
        return &last;
    last.count = 0;
    for (size_t i = 0; (kind = lb_fault_kind_at(i)) != NULL; i++)
        if (!needs_more_than_function(kind))
            lb_fault_places_of(kind, &scope, keep_fault, &last);
    of = kernel;
    return &last;
}

void lb_fault_list_place(lb_fault_list *list, const lb_kernel *kernel, const lb_profile *profile)
{
    const lb_fault_list *known = places_of_function(kernel);
    lb_fault_scope scope = {.kernel = kernel,
                            .sites = list->sites,
                            .flows = list->flows,
                            .site_count = list->site_count,
                            .profile = profile};
    const lb_fault_kind *kind;
    size_t at = 0;
    list->count = 0;
    for (size_t i = 0; (kind = lb_fault_kind_at(i)) != NULL; i++)
        if (needs_more_than_function(kind))
            lb_fault_places_of(kind, &scope, keep_fault, list);
        else
            for (; at < known->count && known->items[at].kind == kind; at++)
                keep_fault(list, &known->items[at]);
}

void lb_fault_list_fill(lb_fault_list *list, const lb_kernel *kernel, const lb_profile *profile)
{
    forget_branches(list);
    solve(list, kernel, NULL, NULL);
    solve_branches(list, kernel);
    lb_fault_list_place(list, kernel, profile);
}

void lb_fault_list_add_early(lb_fault_list *list)
{
    for (size_t i = 0, count = list->count; i < count; i++) {
        lb_fault early = list->items[i];
        early.early = true;
        if (early.kind->edit && lb_edit_may_be_early(&early.edit))
            keep_fault(list, &early);
    }
}

void lb_fault_list_add_cells(lb_fault_list *list, const lb_kernel *kernel)
{
    lb_fault_cells(&(lb_fault_scope){.kernel = kernel}, keep_fault, list);
}

bool lb_fault_is_cheap(const lb_fault *fault)
{
    return fault->kind->group == LB_FAULTS_READING && !fault->early;
}

/* The lower or the upper one of two limits that the configuration gives. */
static bool is_given_limit(const lb_num_step *site)
{
    return (site->operation == LB_STEP_MIN || site->operation == LB_STEP_MAX) &&
           site->operand[1].step < LB_NUM_NO_STEP;
}

/* Where one mistake is likely to be made twice: in two steps of one formula, and in one step of two
 * formulas. */
static bool may_be_twice(const lb_fault *a, const lb_fault *b)
{
    const lb_num_step *x = a->site, *y = b->site;
    const bool both_limits = is_given_limit(x) && y && is_given_limit(y);
    bool wide = b->all_parts || b->everywhere || a->all_blocks != b->all_blocks;
    if (a->kind != b->kind || a->argument != b->argument || !y || wide ||
        (x->operation != y->operation && !both_limits) || x->operation == LB_STEP_GIVEN)
        return false;
    bool one_block = a->all_blocks || (x->block == y->block && x->term == y->term);
    return (x->part == y->part && one_block) || x->site == y->site;
}

/* The same mistake in two places. */
static void add_pairs(lb_fault_list *list, size_t singles)
{
    enum { MOST = 6000 };
    size_t begun = list->count;
    for (size_t i = 0; i < singles; i++) {
        lb_fault both = list->items[i];
        if (!both.site || both.all_parts || both.everywhere || lb_fault_has_own_places(both.kind) ||
            both.kind->whole_part || both.kind->sits || both.kind->group != LB_FAULTS_STEP)
            continue;
        for (size_t k = i + 1; k < singles && list->items[k].kind == both.kind; k++) {
            const lb_fault *other = &list->items[k];
            if (list->count - begun >= MOST || !may_be_twice(&both, other))
                continue;
            lb_fault pair = both;
            pair.second_site = other->site;
            keep_fault(list, &pair);
        }
    }
}

static void add_kinds(lb_fault_list *list, const lb_fault_scope *scope, const lb_fault_kind *kinds)
{
    for (; kinds->name; kinds++)
        lb_fault_places_of(kinds, scope, keep_fault, list);
}

size_t lb_fault_list_add_values(lb_fault_list *list, const lb_kernel *kernel)
{
    lb_fault_scope scope = {.kernel = kernel,
                            .sites = list->sites,
                            .flows = list->flows,
                            .site_count = list->site_count};
    size_t first = list->count;
    add_kinds(list, &scope, lb_fault_condition_kinds);
    add_pairs(list, first);
    add_kinds(list, &scope, lb_fault_feature_kinds);
    add_kinds(list, &scope, lb_fault_returned_kinds);
    add_kinds(list, &scope, lb_fault_value_kinds);
    scope.other_arguments = true;
    for (size_t i = 0; lb_fault_kind_at(i); i++)
        if (lb_fault_kind_at(i)->most > 0)
            lb_fault_places_of(lb_fault_kind_at(i), &scope, keep_fault, list);
    return first;
}

void lb_fault_list_add_statuses(lb_fault_list *list, const lb_kernel *kernel,
                                const lb_statuses_seen *seen)
{
    lb_fault_statuses(kernel, seen, keep_fault, list);
}

void lb_fault_list_add_table_entry(lb_fault_list *list, int32_t entry)
{
    for (size_t i = 0; i < list->site_count; i++)
        if (list->sites[i].operation == LB_STEP_LOOKUP) {
            lb_fault_table_entry(&list->sites[i], entry, keep_fault, list);
            return;
        }
}

void lb_fault_list_free(lb_fault_list *list)
{
    for (size_t i = 0; i < list->site_count; i++)
        lb_fault_flow_free(&list->flows[i]);
    forget_branches(list);
    free(list->items);
    free(list->sites);
    free(list->flows);
    free(list->demands);
    *list = (lb_fault_list){0};
}
