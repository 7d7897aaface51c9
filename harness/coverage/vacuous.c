/* Whether a case can find anything: see vacuous.h. */
#include "harness/coverage/vacuous.h"
#include "harness/call/call_memory.h"
#include "harness/call/model.h"
#include "harness/coverage/defined.h"
#include "harness/suite/data_generator.h"

#include <string.h>

/* Does the function make data of data? */
static bool applies(const lb_case *c)
{
    if (!c->kernel || !c->kernel->exact || c->chain.steps ||
        lb_case_has_tag(c, LB_VACUOUS_ON_PURPOSE))
        return false;
    if (lb_pattern_of(c->kernel) == LB_PATTERN_HELPER ||
        lb_pattern_of(c->kernel) == LB_PATTERN_TABLE)
        return false;
    return !lb_kernel_writes_zeros(c->kernel) && lb_kernel_role(c->kernel, LB_ROLE_OUT);
}

/* ---- Outputs of a run ---- */

typedef struct outputs {
    bool computed;
    size_t count;
    int32_t *items;
} outputs;

static int32_t element_of(const lb_tensor *t, size_t i)
{
    const size_t offset = lb_offset_of_flat(t, i);
    return t->el_type == LB_FP32 ? t->data.mem.pi32[offset] : lb_load(t, offset);
}

static void append(outputs *o, const lb_tensor *t, lb_arena *arena)
{
    size_t count = lb_element_count(t);
    int32_t *items = lb_arena_raw(arena, (o->count + count) * sizeof *items);
    if (o->count > 0)
        memcpy(items, o->items, o->count * sizeof *items);
    for (size_t i = 0; i < count; i++)
        items[o->count + i] = element_of(t, i);
    o->items = items;
    o->count += count;
}

static outputs outputs_of(const lb_instance *instance, bool computed, lb_arena *arena)
{
    outputs o = {.computed = computed};
    const lb_case *c = instance->memory->test_case;
    const lb_call *call = &instance->call;
    for (int role = 0; o.computed && role < LB_ROLE_COUNT; role++)
        if (c->operand[role].present && c->operand[role].is_output && call->tensor[role])
            append(&o, call->tensor[role], arena);
    return o;
}

static outputs run(lb_instance *instance, const lb_profile *profile, lb_arena *arena)
{
    bool computed = lb_model_call(&(lb_context){.profile = profile}, instance).computed;
    return outputs_of(instance, computed, arena);
}

static bool all_alike(const outputs *o)
{
    for (size_t i = 1; i < o->count; i++)
        if (o->items[i] != o->items[0])
            return false;
    return o->count > 1;
}

static bool all_at_ends(const outputs *o, uint32_t el_type)
{
    int bits = lb_container_bits(el_type);
    if (el_type == LB_FP32 || bits == 0 || o->count < 2)
        return false;
    const int64_t high = INT64_MAX >> (64 - bits);
    for (size_t i = 0; i < o->count; i++)
        if (o->items[i] != high && o->items[i] != -high - 1)
            return false;
    return true;
}

/* ---- Operands ---- */

/* Other data of the same type: every bit turned, the sign and the size of a real number changed; or
 * anything. */
static void change_data(lb_case_tensor *t, unsigned way)
{
    int bits = lb_container_bits((uint32_t)t->type);
    int32_t low = bits >= 32 || bits == 0 ? INT32_MIN : -(1 << (bits - 1)); /* of s64: low words */
    for (size_t i = 0; i < t->data.count; i++) {
        int32_t *at = &t->data.items[i];
        if (t->type == LB_FP32) {
            float real;
            memcpy(&real, at, sizeof real);
            real = way == 0 ? -real * 0.5f - 1.0f : real + (float)(i % 7) * 3.0f + 1.0f;
            memcpy(at, &real, sizeof real);
        } else {
            *at = way == 0 ? ~*at : lb_generate_uniform(97, i, low, ~low);
        }
    }
}

static bool same_outputs(const outputs *a, const outputs *b)
{
    return a->computed == b->computed && a->count == b->count &&
           (a->count == 0 || memcmp(a->items, b->items, a->count * sizeof *a->items) == 0);
}

static void hear_nothing(void *user, const lb_num_step *step)
{
    (void)user, (void)step;
}

/* Is the first of many outputs another one? It is asked alone, which mostly is enough. */
static bool changes_first(lb_instance *instance, const lb_profile *profile, const outputs *before)
{
    lb_steps first = {
        .role = LB_ROLE_OUT, .step = hear_nothing, .is_alone = true, .heard = 1u << LB_STEP_SKIP};
    const lb_context context = {.profile = profile, .steps = &first};
    return lb_model_call(&context, instance).computed &&
           element_of(instance->call.tensor[LB_ROLE_OUT], 0) != before->items[0];
}

/* Are there so many outputs, all of one tensor, that one is made alone first? */
static bool has_many(const lb_instance *instance, const outputs *o)
{
    enum { MANY = 4 };
    const lb_tensor *out = instance->call.tensor[LB_ROLE_OUT];
    return o->computed && o->count >= MANY && out && o->count == lb_element_count(out);
}

static void put_changed(lb_instance *instance, lb_role role, unsigned list_index, unsigned way,
                        lb_arena *arena)
{
    lb_case_tensor changed = instance->memory->test_case->operand[role].tensors[list_index];
    int32_t *items = lb_arena_raw(arena, changed.data.count * sizeof *items);
    memcpy(items, changed.data.items, changed.data.count * sizeof *items);
    changed.data.items = items;
    change_data(&changed, way);
    lb_instance_put(instance, role, list_index, &changed);
}

/* Does it matter what the tensor holds? The instance is as new, and is left used. */
static bool depends_on(lb_instance *instance, lb_role role, unsigned list_index,
                       const lb_profile *profile, const outputs *before, lb_arena *arena)
{
    bool is_used = has_many(instance, before);
    if (is_used) {
        put_changed(instance, role, list_index, 0, arena);
        if (changes_first(instance, profile, before))
            return true;
    }
    for (unsigned way = 0; way < 2; way++, is_used = true) {
        if (is_used)
            lb_instance_reset(instance);
        put_changed(instance, role, list_index, way, arena);
        outputs after = run(instance, profile, arena);
        if (!same_outputs(&after, before))
            return true;
    }
    return false;
}

/* The first operand that makes no difference, or NULL. epsilon is ignored by its function
 * (elementwise.md 8). */
static const char *idle_operand(const lb_call_memory *memory, const lb_profile *profile,
                                lb_arena *arena, const outputs *before)
{
    const lb_case *c = memory->test_case;
    lb_instance *instance = lb_arena_raw(arena, sizeof *instance);
    bool used = false;
    lb_instance_make(instance, memory, arena);
    for (const lb_role_spec *spec = c->kernel->roles; spec->use != LB_USE_NONE; spec++) {
        const lb_case_operand *operand = &c->operand[spec->role];
        if (!operand->present || spec->use == LB_USE_OUTPUT || spec->role == LB_ROLE_EPSILON ||
            c->null_role[spec->role])
            continue;
        for (unsigned i = 0; i < operand->count; i++) {
            if (!operand->tensors[i].has_data || operand->tensors[i].data.count == 0)
                continue;
            if (used)
                lb_instance_reset(instance);
            used = true;
            if (!depends_on(instance, spec->role, i, profile, before, arena))
                return operand->is_list
                           ? lb_arena_printf(arena, "%s[%u]", lb_role_name(spec->role), i)
                           : lb_role_name(spec->role);
        }
    }
    return NULL;
}

/* o: what the exact model makes of the case. */
static const char *reason_of_outputs(const lb_case *c, const outputs *o, lb_arena *arena)
{
    if (!o->computed || o->count == 0)
        return NULL;
    if (all_at_ends(o, (uint32_t)c->operand[LB_ROLE_OUT].tensors[0].type))
        return "all outputs are at an end of their container";
    return all_alike(o) ? lb_arena_printf(arena, "all %zu outputs are the same", o->count) : NULL;
}

/* The case lies in `memory`. */
static const char *reason_of_operands(const lb_call_memory *memory, const outputs *o,
                                      const lb_profile *profile, lb_arena *arena)
{
    const char *idle = o->computed && o->count > 0 ? idle_operand(memory, profile, arena, o) : NULL;
    return idle ? lb_arena_printf(arena, "no output depends on %s", idle) : NULL;
}

/* A bias that did not fit its 32 bits: the case says nothing of the network that it comes from. */
static const char *clamped_operand(const lb_case *c, lb_arena *arena)
{
    if (lb_case_has_tag(c, LB_VACUOUS_ON_PURPOSE))
        return NULL;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (unsigned i = 0; c->operand[role].present && i < c->operand[role].count; i++)
            if (c->operand[role].tensors[i].clamped)
                return lb_arena_printf(arena, "%s does not fit 32 bits: %s",
                                       lb_role_name((lb_role)role),
                                       c->operand[role].tensors[i].clamped);
    return NULL;
}

const char *lb_vacuous_reason(const lb_case *c, const lb_profile *profile, lb_arena *arena)
{
    const char *clamped = clamped_operand(c, arena);
    if (clamped || !applies(c))
        return clamped;
    lb_instance *instance = lb_instance_of(c, arena);
    outputs o = run(instance, profile, arena);
    const char *reason = reason_of_outputs(c, &o, arena);
    return reason ? reason : reason_of_operands(instance->memory, &o, profile, arena);
}

/* ---- As an analysis of trials ---- */

static void begin_case(void *self, const lb_case *c, lb_arena *arena)
{
    lb_vacuous_listener *l = self;
    *l = (lb_vacuous_listener){.is_unasked = l->is_unasked,
                               .clamped = l->is_unasked ? NULL : clamped_operand(c, arena)};
}

/* Whether operands matter is asked once, in one profile, whichever come first or alone: the answer
 * takes as many calls as there are operands. */
static const char *idle_reason(lb_vacuous_listener *l, const lb_trial_end *end)
{
    const lb_profile *profile = &lb_cover_set_of(end->test_case)->profiles[0];
    if (!l->looked) {
        outputs o = end->profile == profile
                        ? outputs_of(end->exact, end->computed, end->arena)
                        : run(lb_instance_of(end->test_case, end->arena), profile, end->arena);
        l->idle = reason_of_operands(end->exact->memory, &o, profile, end->arena);
    }
    l->looked = true;
    return l->idle;
}

static void note_result(void *self, const lb_trial_end *end, lb_result *result)
{
    lb_vacuous_listener *l = self;
    const char *reason = l->clamped;
    if (result->verdict != LB_PASS || l->is_unasked)
        return;
    if (!reason && applies(end->test_case)) {
        outputs o = outputs_of(end->exact, end->computed, end->arena);
        reason = reason_of_outputs(end->test_case, &o, end->arena);
        if (!reason && o.computed && o.count > 0)
            reason = idle_reason(l, end);
    }
    result->vacuous = reason ? reason : "";
}

lb_analysis lb_vacuous_analysis(lb_vacuous_listener *listener)
{
    return (lb_analysis){.self = listener, .begin = begin_case, .result = note_result};
}
