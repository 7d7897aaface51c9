/* Running faults of steps: see step_run.h. */
#include "harness/faults/step_run.h"
#include "harness/faults/program_edits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool lb_fault_same_site(const lb_num_step *a, const lb_num_step *b, bool all_blocks)
{
    if (a->operation != b->operation)
        return false;
    if (a->operation == LB_STEP_GIVEN)
        return a->place.kind == b->place.kind && a->place.owner == b->place.owner &&
               (all_blocks || a->place.field == b->place.field);
    return a->site == b->site && a->part == b->part &&
           (all_blocks || (a->block == b->block && a->term == b->term));
}

static bool is_listed(const lb_fault_kind *kind, int argument)
{
    for (int i = 0; i < kind->argument_count; i++)
        if (kind->arguments[i] == argument)
            return true;
    return false;
}

static void sink_with_listed(const lb_fault *fault, lb_fault_sink sink, void *user)
{
    lb_fault f = *fault;
    for (int i = 0; i < f.kind->argument_count || i == 0; i++) {
        f.argument = f.kind->argument_count ? f.kind->arguments[i] : 0;
        sink(user, &f);
    }
}

static void sink_with_others(const lb_fault *fault, lb_fault_sink sink, void *user)
{
    lb_fault f = *fault;
    for (int argument = f.kind->least; argument <= f.kind->most; argument++) {
        f.argument = argument;
        if (!is_listed(f.kind, argument))
            sink(user, &f);
    }
}

static void sink_with_arguments(const lb_fault *fault, const lb_fault_scope *scope,
                                lb_fault_sink sink, void *user)
{
    (scope->other_arguments ? sink_with_others : sink_with_listed)(fault, sink, user);
}

static bool can_sit(const lb_fault_kind *kind, const lb_num_step *site)
{
    return kind->operations >> site->operation & 1 && (!kind->fits || kind->fits(site));
}

bool lb_fault_sits_in(const lb_fault *fault, const lb_num_step *step)
{
    if (fault->kind->sits)
        return fault->kind->sits(fault, step);
    if (fault->second_site && lb_fault_same_site(step, fault->second_site, fault->all_blocks))
        return true;
    if (fault->kind->whole_part)
        return step->part == fault->site->part && fault->kind->operations >> step->operation & 1;
    if (fault->everywhere)
        return step->operation == fault->site->operation;
    if (fault->all_parts)
        return step->operation == fault->site->operation && step->site == fault->site->site;
    return lb_fault_same_site(step, fault->site, fault->all_blocks);
}

bool lb_fault_has_other(const lb_fault_scope *scope, size_t i, const lb_fault *fault, bool in_front)
{
    size_t from = in_front ? 0 : i + 1, to = in_front ? i : scope->site_count;
    for (size_t k = from; k < to; k++)
        if (lb_fault_sits_in(fault, &scope->sites[k]))
            return true;
    return false;
}

/* Does the code of site i serve several parts of the computation? It is met in another one; or a
 * table is looked into there, which all functions do by the same code. */
static bool is_shared(const lb_fault_scope *scope, size_t i)
{
    const lb_num_step *site = &scope->sites[i];
    for (size_t k = 0; k < scope->site_count; k++) {
        const lb_num_step *other = &scope->sites[k];
        bool same_part = other->part == site->part;
        if (same_part ? other->operation == LB_STEP_LOOKUP
                      : other->operation == site->operation && other->site == site->site)
            return true;
    }
    return false;
}

/* A place that stands for several is told once, by the first of them. */
static void sink_wider(const lb_fault_scope *scope, size_t i, const lb_fault *fault,
                       lb_fault_sink sink, void *user)
{
    if (!lb_fault_has_other(scope, i, fault, true) && lb_fault_has_other(scope, i, fault, false))
        sink_with_arguments(fault, scope, sink, user);
}

static void sink_shared(const lb_fault_scope *scope, size_t i, const lb_fault *fault,
                        lb_fault_sink sink, void *user)
{
    if (is_shared(scope, i) && !lb_fault_has_other(scope, i, fault, true))
        sink_with_arguments(fault, scope, sink, user);
}

void lb_fault_step_places(const lb_fault_kind *kind, const lb_fault_scope *scope,
                          lb_fault_sink sink, void *user)
{
    for (size_t i = 0; i < scope->site_count; i++) {
        const lb_num_step *site = &scope->sites[i];
        if (!can_sit(kind, site))
            continue;
        lb_fault fault = {.kind = kind, .site = site};
        sink_with_arguments(&fault, scope, sink, user);
        if (site->operation == LB_STEP_GIVEN || kind->whole_part || kind->is_narrow)
            continue;
        /* One piece of code for all gates, one for all steps of the kind. */
        fault.all_blocks = true;
        sink_wider(scope, i, &fault, sink, user);
        fault.all_parts = true;
        sink_shared(scope, i, &fault, sink, user);
        fault.all_parts = false;
        fault.everywhere = true;
        sink_wider(scope, i, &fault, sink, user);
    }
}

void lb_fault_places_of(const lb_fault_kind *kind, const lb_fault_scope *scope, lb_fault_sink sink,
                        void *user)
{
    if (!kind->of || kind->of(scope->kernel))
        (kind->places ? kind->places : lb_fault_step_places)(kind, scope, sink, user);
}

/* ---- Taps ---- */

typedef struct tap_counter {
    lb_fault_counts counts;
    uint32_t capacity;
    uint64_t most; /* steps */
    bool full, any;
    uint32_t last; /* steps of the sum in work are linked through `left`: -2 - previous; number of
                      the sum's last tap; 0: none is open */
    uint64_t last_tap;
    lb_arena *arena;
} tap_counter;

/* The sum ends: its steps, from the last back, get the number of those behind them. */
static void close_sum(tap_counter *t)
{
    int32_t behind = 0;
    for (uint32_t at = t->last; at; behind++) {
        uint32_t before = (uint32_t)(-2 - t->counts.left[at]);
        t->counts.left[at] = behind;
        at = before;
    }
    t->last = 0;
}

static void grow_to(tap_counter *t, uint32_t number)
{
    if (number < t->capacity)
        return;
    uint32_t capacity = t->capacity ? t->capacity : 1024;
    while (capacity <= number)
        capacity *= 2;
    int32_t *left = lb_arena_array(t->arena, capacity, sizeof *left);
    if (t->capacity)
        memcpy(left, t->counts.left, t->capacity * sizeof *left);
    memset(left + t->capacity, 0xFF, (capacity - t->capacity) * sizeof *left);
    t->counts.left = left;
    t->capacity = capacity;
}

static void count_step(void *user, const lb_num_step *step)
{
    tap_counter *t = user;
    if (step->number <= 0)
        return;
    uint32_t number = (uint32_t)step->number;
    t->counts.count = number;
    t->full = t->full || number >= t->most;
    bool is_tap =
        step->tap > 0 && (step->operation == LB_STEP_MAC || step->operation == LB_STEP_MAX ||
                          step->operation == LB_STEP_SKIP);
    if (t->full || !is_tap)
        return;
    grow_to(t, number);
    if (t->last && step->tap <= t->last_tap)
        close_sum(t);
    t->counts.left[number] = -2 - (int32_t)t->last;
    t->last = number;
    t->last_tap = step->tap;
    t->any = true;
}

const lb_fault_counts *lb_fault_count_taps(const lb_profile *profile, lb_instance *instance,
                                           uint64_t most, uint64_t *steps, uint64_t *told,
                                           lb_arena *arena)
{
    tap_counter t = {.arena = arena, .most = most};
    lb_steps listener = {
        .role = LB_ROLE_OUT, .element = LB_STEPS_EVERY, .step = count_step, .user = &t};
    lb_context context = {.profile = profile, .steps = &listener};
    lb_run_exact(&context, &instance->call);
    close_sum(&t);
    *told = (uint64_t)listener.operations + (uint64_t)listener.givens + 1;
    *steps = t.full ? most : (uint64_t)listener.operations + 1;
    if (t.full)
        return NULL;
    lb_fault_counts *counts = lb_arena_alloc(arena, sizeof *counts);
    *counts = t.counts;
    counts->count = t.capacity;
    return counts;
}

/* ---- A run ---- */

/* What another place gave: of vectors every entry. */
enum { REMEMBERED = 512 };

typedef struct changed_run {
    struct changed_run *beside; /* of the mistake that is there as well, or NULL */
    lb_fault_run run;
    int64_t carry;
    struct lb_kept_sums *sums;
    bool acted;
    int64_t entry[REMEMBERED], value[REMEMBERED]; /* entry: 1 + index; 0: none */
    /* Of cells, which work vector by vector: what other_site gave for each unit, and for how many
     * units the site has come since; of groups, element by element as they were last gone through.
     */
    int64_t unit_value[REMEMBERED];
    lb_num_place first; /* of the elements */
    uint32_t units, given, taken;
} changed_run;

/* Of this fault; `c` is all 0. */
static void begin(changed_run *c, const lb_fault_run *run, const lb_fault *fault)
{
    c->run = *run;
    c->run.fault = fault;
    c->run.carry = &c->carry;
    c->run.sums = &c->sums;
}

static int64_t entry_of(const lb_num_step *step)
{
    return step->operation == LB_STEP_GIVEN && step->place.rank > 0
               ? step->place.index[step->place.rank - 1]
               : 0;
}

static bool is_of_element(const lb_num_step *step)
{
    return step->operation == LB_STEP_GIVEN && step->place.kind == LB_NUM_ELEMENT;
}

static bool is_same_element(const lb_num_place *a, const lb_num_place *b)
{
    return a->rank == b->rank && memcmp(a->index, b->index, a->rank * sizeof *a->index) == 0;
}

static void remember(changed_run *c, const lb_num_step *step)
{
    int64_t entry = entry_of(step);
    size_t at = (size_t)((uint64_t)entry % REMEMBERED);
    c->entry[at] = entry + 1;
    c->value[at] = step->result;
    c->run.other = step->result;
    c->run.has_other = true;
    const bool is_element = is_of_element(step);
    if (c->taken > 0 ||
        (is_element ? is_same_element(&c->first, &step->place) : c->given >= c->units))
        c->given = c->taken = 0;
    if (is_element && c->given == 0)
        c->first = step->place;
    if (c->given < REMEMBERED)
        c->unit_value[c->given] = step->result;
    c->given++;
}

/* The value of the unit at hand, where each has one. */
static void recall_unit(changed_run *c)
{
    if (c->units > 1 && c->units <= REMEMBERED && c->given == c->units)
        c->run.other = c->unit_value[c->taken++ % c->units];
}

/* Parameters are there before they are asked for; of a vector it is the entry that this step has.
 */
static void recall(changed_run *c, const lb_num_step *step)
{
    const lb_num_step *other = c->run.fault->other_site;
    int64_t entry = entry_of(step);
    size_t at = (size_t)((uint64_t)entry % REMEMBERED);
    if (other->operation != LB_STEP_GIVEN) {
        recall_unit(c);
        return;
    }
    if (is_of_element(other) && step->operation != LB_STEP_GIVEN && c->given > 0 &&
        c->given <= REMEMBERED)
        c->run.other = c->unit_value[c->taken++ % c->given];
    if (other->place.kind == LB_NUM_PARAMETER && other->place.field) {
        const lb_tensor *t = lb_fault_tensor_of(c->run.before, other->place.owner);
        int64_t count = t ? lb_fault_channel_count(t, &other->place) : 0;
        c->run.has_other = t != NULL;
        if (t)
            c->run.other = lb_fault_channel_value(
                t, &other->place, (uint32_t)(entry >= 0 && entry < count ? entry : 0));
    } else if (step->operation == LB_STEP_GIVEN && c->entry[at] == entry + 1) {
        c->run.other = c->value[at];
    }
}

uint32_t lb_fault_heard(const lb_fault *fault)
{
    const uint32_t of_sums =
        1u << LB_STEP_MAC | 1u << LB_STEP_SKIP | 1u << LB_STEP_GIVEN | 1u << LB_STEP_MAX;
    uint32_t heard = fault->kind->operations;
    if (fault->other_site)
        heard |= 1u << fault->other_site->operation;
    if (fault->second_site)
        heard |= 1u << fault->second_site->operation;
    return fault->kind->sits || heard & of_sums ? 0 : heard; /* sits: in what only it knows */
}

static int64_t alter_one(changed_run *c, const lb_num_step *step)
{
    const lb_fault *fault = c->run.fault;
    if (fault->other_site && lb_fault_same_site(step, fault->other_site, false))
        remember(c, step);
    if (!lb_fault_sits_in(fault, step))
        return step->result;
    if (fault->other_site)
        recall(c, step);
    c->run.left = lb_fault_taps_left(c->run.counts, step);
    int64_t result = fault->kind->alter(&c->run, step);
    c->acted = c->acted || result != step->result;
    return result;
}

static int64_t alter(void *user, const lb_num_step *step)
{
    changed_run *c = user;
    lb_num_step changed = *step;
    changed.result = alter_one(c, step);
    return c->beside ? alter_one(c->beside, &changed) : changed.result;
}

/* Is what is stored what the run is wanted to leave? */
static bool is_wanted(void *user, const lb_tensor *t, size_t offset, int64_t value)
{
    const lb_fault_run *run = &((const changed_run *)user)->run;
    return t != run->out->call.tensor[run->wanted_role] ||
           lb_load(run->wanted->call.tensor[run->wanted_role], offset) == value;
}

/* Of both mistakes, where there are two. */
static uint32_t heard_in(const changed_run *c)
{
    const uint32_t own = lb_fault_heard(c->run.fault),
                   other = c->beside ? lb_fault_heard(c->beside->run.fault) : own;
    return own != 0 && other != 0 ? own | other : 0;
}

static void run_changed(changed_run *c, lb_call *call)
{
    lb_fault_run *run = &c->run;
    const lb_tensor *state = run->before->call.tensor[LB_ROLE_PREV_OUT];
    c->units = state && state->rank == 1 ? state->shape[0] : 0;
    if (c->beside)
        c->beside->units = c->units;
    const uint32_t heard = heard_in(c);
    if (heard != 0) { /* steps have other numbers then, and no fault asks for taps */
        run->counts = NULL;
        if (c->beside)
            c->beside->run.counts = NULL;
    }
    lb_steps listener = {
        .role = LB_ROLE_OUT, .element = LB_STEPS_EVERY, .user = c, .alter = alter, .heard = heard};
    if (run->wanted && call == &run->out->call && !state) {
        listener.goes_on = is_wanted;
        listener.is_alone = true;
    }
    lb_context context = {.profile = run->profile, .steps = &listener};
    lb_model_exact(&context, call);
}

bool lb_fault_step_run(lb_fault_run *run)
{
    changed_run c = {.acted = false}, other;
    begin(&c, run, run->fault);
    if (run->fault->beside) {
        other = (changed_run){.acted = false};
        begin(&other, run, run->fault->beside);
        c.beside = &other;
    }
    run_changed(&c, &run->out->call);
    return c.acted || (c.beside && c.beside->acted);
}

/* Does the call write its elements where those stand that are wanted? */
static bool writes_as_wanted(const lb_fault_run *run, const lb_call *call)
{
    const lb_tensor *out = call->tensor[run->wanted_role],
                    *wanted = run->wanted->call.tensor[run->wanted_role];
    return call == &run->out->call && out->rank == wanted->rank && out->rank > 0 &&
           out->el_type == wanted->el_type &&
           memcmp(out->shape, wanted->shape, out->rank * sizeof *out->shape) == 0 &&
           memcmp(out->mem_stride, wanted->mem_stride, out->rank * sizeof *out->mem_stride) == 0 &&
           (const unsigned char *)out->data.mem.ptr - run->out->block ==
               (const unsigned char *)wanted->data.mem.ptr - run->wanted->block;
}

/* Nobody listens to steps; who is to be told of what is stored gives up by it. */
static void run_changed_call(lb_fault_run *run, lb_context *context, lb_call *call)
{
    changed_run c = {.run = *run};
    lb_steps listener = {.role = LB_ROLE_OUT,
                         .element = LB_STEPS_EVERY,
                         .user = &c,
                         .is_alone = true,
                         .heard = 1u << LB_STEP_COUNT,
                         .goes_on = is_wanted};
    if (run->wanted && run->is_all && !run->map && !call->tensor[LB_ROLE_PREV_OUT] &&
        writes_as_wanted(run, call))
        context->steps = &listener;
    lb_model_exact(context, call);
}

void lb_fault_model_run(lb_fault_run *run, lb_call *call)
{
    lb_context context = {
        .profile = run->profile, .map = run->map, .lists = run->lists, .form = run->form};
    if (!run->fault->beside) {
        run_changed_call(run, &context, call);
    } else if (lb_fault_is_of_cell(run->fault->beside)) {
        lb_program_fault_compute(run->fault->beside, run->profile, call);
    } else {
        changed_run c = {.acted = false};
        begin(&c, run, run->fault->beside);
        c.run.counts = NULL; /* they are of the call as it should be read */
        run_changed(&c, call);
    }
}

/* ---- Lists of a channel ---- */

const lb_tensor *lb_fault_tensor_of(const lb_instance *instance, lb_owner owner)
{
    int role = lb_owner_role(owner), item = lb_owner_item(owner) > 0 ? lb_owner_item(owner) : 0;
    if (role < 0 || (unsigned)item >= instance->call.list_count[role] ||
        !instance->call.tensor[role])
        return NULL;
    return &instance->call.tensor[role][item];
}

bool lb_fault_is_channel_place(const lb_num_place *place)
{
    return place->kind == LB_NUM_PARAMETER ||
           (place->kind == LB_NUM_ELEMENT && place->owner == LB_OWNER_BIAS);
}

int64_t lb_fault_channel_count(const lb_tensor *t, const lb_num_place *place)
{
    if (place->kind == LB_NUM_ELEMENT)
        return t->rank == 1 ? t->shape[0] : 0;
    return lb_is_sa(t->el_type) && t->sa.dim >= 0 && (uint32_t)t->sa.dim < t->rank
               ? t->shape[t->sa.dim]
               : 0;
}

int64_t lb_fault_channel_value(const lb_tensor *t, const lb_num_place *place, uint32_t entry)
{
    if (place->kind == LB_NUM_ELEMENT)
        return lb_load(t, (size_t)((int64_t)entry * t->mem_stride[0]));
    return lb_quant_get(lb_quant_at(t, entry), place->field);
}
