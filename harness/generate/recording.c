/* What a port gives, as an expectation: see recording.h. */
#include "harness/generate/recording.h"
#include "harness/coverage/defined.h"
#include "harness/guard/verdict.h"
#include "harness/trial/compare.h"

#include <string.h>

/* ---- Fields that the call has changed ---- */

static lb_values one_value(lb_arena *arena, int32_t value)
{
    lb_values values = {.items = lb_arena_alloc(arena, sizeof *values.items), .count = 1};
    values.items[0] = value;
    return values;
}

/* The tensor whose buffer of this kind a place lies in; false: it lies in none. */
static bool refer(const lb_instance *instance, const lb_place *place, lb_buffer_kind kind,
                  size_t element_bytes, lb_tensor_ref *ref)
{
    const lb_buffer *buffer = &instance->memory->buffers[place->buffer];
    if (place->kind != LB_PLACE_BUFFER || buffer->kind != kind || element_bytes == 0 ||
        place->offset_bytes % element_bytes != 0)
        return false;
    *ref = (lb_tensor_ref){.role = buffer->role,
                           .list_index = buffer->list_index,
                           .start = (uint32_t)(place->offset_bytes / element_bytes)};
    return true;
}

static bool same_place(const lb_place *a, const lb_place *b)
{
    return a->kind == b->kind && (a->kind != LB_PLACE_BUFFER ||
                                  (a->buffer == b->buffer && a->offset_bytes == b->offset_bytes));
}

static void take_geometry(const lb_fields *before, const lb_fields *after, lb_changed *changed)
{
    changed->has_rank = before->rank != after->rank;
    changed->rank = after->rank;
    size_t words = after->rank <= LB_MAX_RANK ? after->rank : 0;
    if (memcmp(before->shape, after->shape, words * sizeof *after->shape) != 0) {
        changed->has_shape = true;
        changed->shape_count = (unsigned)words;
        memcpy(changed->shape, after->shape, sizeof changed->shape);
    }
    if (memcmp(before->mem_stride, after->mem_stride, words * sizeof *after->mem_stride) != 0) {
        changed->has_mem_stride = true;
        changed->mem_stride_count = (unsigned)words;
        memcpy(changed->mem_stride, after->mem_stride, sizeof changed->mem_stride);
    }
    changed->has_type = before->el_type != after->el_type;
    changed->type = (lb_el_type)after->el_type;
    changed->has_capacity = before->capacity_bytes != after->capacity_bytes;
    changed->capacity_bytes = after->capacity_bytes;
}

/* New contents of the output's own list of parameters, whole. */
static void take_list(const lb_instance *before, const lb_instance *after, lb_role role, int param,
                      lb_changed_param *changed, lb_arena *arena)
{
    short number = after->memory->buffer_of[role][0][lb_param_buffer(param)];
    unsigned bytes = lb_params[param].bytes;
    if (number < 0)
        return;
    const lb_buffer *buffer = &after->memory->buffers[number];
    const unsigned char *then = before->block + buffer->offset,
                        *now = after->block + buffer->offset;
    if (memcmp(then, now, buffer->size_bytes) == 0)
        return;
    lb_values *values = &changed->values;
    changed->has = changed->is_list = true;
    values->count = buffer->size_bytes / bytes;
    values->items = lb_arena_array(arena, values->count, sizeof *values->items);
    for (size_t i = 0; i < values->count; i++)
        values->items[i] = lb_read_container(now + i * bytes, bytes);
}

static bool take_quantization(const lb_instance *before, const lb_instance *after, lb_role role,
                              const lb_fields *then, const lb_fields *now, lb_changed *changed,
                              lb_arena *arena)
{
    changed->has_frac_bits = lb_is_fx(now->el_type) && then->frac_bits != now->frac_bits;
    changed->frac_bits = now->frac_bits;
    if (!lb_is_sa(now->el_type))
        return true;
    changed->has_axis = then->axis != now->axis;
    changed->axis = now->axis;
    for (int p = 0; p < LB_PARAMS && now->axis < 0; p++)
        if (changed->has_axis || then->param[p].value != now->param[p].value) {
            changed->param[p].has = true;
            changed->param[p].values = one_value(arena, now->param[p].value);
        }
    if (now->axis < 0)
        return true;
    if (!same_place(&then->scale.place, &now->scale.place)) {
        changed->has_quant_in = true;
        return refer(after, &now->scale.place, LB_BUFFER_SCALE, 2, &changed->quant_in);
    }
    for (int p = 0; p < LB_PARAMS; p++)
        take_list(before, after, role, p, &changed->param[p], arena);
    return true;
}

static bool any_change(const lb_changed *c)
{
    bool has_param = false;
    for (int p = 0; p < LB_PARAMS; p++)
        has_param = has_param || c->param[p].has;
    return c->has_rank || c->has_shape || c->has_mem_stride || c->has_type || c->has_frac_bits ||
           c->has_axis || c->has_capacity || has_param || c->has_data_in || c->has_quant_in;
}

static bool take_fields(const lb_instance *before, const lb_instance *after, lb_role role,
                        lb_expect *e, lb_arena *arena)
{
    lb_fields then = lb_fields_of(before, &before->tensors[role][0]),
              now = lb_fields_of(after, &after->tensors[role][0]);
    lb_changed *changed = &e->changed[role];
    take_geometry(&then, &now, changed);
    if (!same_place(&then.data, &now.data)) {
        changed->has_data_in = true;
        if (!refer(after, &now.data, LB_BUFFER_DATA, lb_storage_bytes(now.el_type),
                   &changed->data_in))
            return false;
    }
    bool said = take_quantization(before, after, role, &then, &now, changed, arena);
    e->has_changed[role] = any_change(changed);
    return said;
}

/* ---- Data ---- */

static bool take_data(const lb_instance *after, lb_role role, lb_expect *e, lb_arena *arena)
{
    lb_fields now = lb_fields_of(after, &after->tensors[role][0]);
    lb_element_view view =
        lb_recorded_view(after, role, e->has_changed[role] ? &e->changed[role] : NULL, &now);
    if (!view.base)
        return true; /* no data: NULL, or nothing to look at */
    if (!lb_view_is_inside(after, &view))
        return false;
    e->output[role] = lb_read_elements(view.base, &view.layout, arena);
    e->has_output[role] = true;
    return true;
}

/* ---- One result ---- */

static bool is_judged_output(const lb_case *c, int role)
{
    return c->operand[role].present && c->operand[role].is_output && !c->null_role[role];
}

/* Does the expectation say what the port gave, and nothing else? */
static bool says_it(const lb_expect *e, const lb_instance *before, const lb_instance *after,
                    lb_arena *arena)
{
    static lb_difference room[LB_MAX_DIFFERENCES];
    lb_fields(*given)[LB_MAX_LIST] = lb_arena_alloc(arena, LB_ROLE_COUNT * sizeof *given);
    lb_findings findings = {
        .arena = arena, .memory = after->memory, .oracle = "recorded", .differences = room};
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (after->memory->test_case->operand[role].present)
            given[role][0] = lb_fields_of(before, &before->tensors[role][0]);
    lb_compare_recorded(&findings, e, after, (const lb_fields(*)[LB_MAX_LIST])given);
    return findings.count == 0;
}

static bool take_result(const lb_case *c, const lb_instance *after, lb_expect *e, lb_arena *arena)
{
    lb_instance *before = lb_arena_alloc(arena, sizeof *before);
    bool outputs = false, said = true;
    lb_instance_make(before, after->memory, arena);
    e->has_status = c->kernel->returns_status;
    e->status = after->call.status;
    if (lb_filled_config(c->kernel) != LB_CONFIG_NONE && e->status == LB_OK) {
        e->config = lb_arena_alloc(arena, sizeof *e->config);
        *e->config = after->call.config;
    }
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (is_judged_output(c, role)) {
            outputs = true;
            if (e->has_status && e->status != LB_OK)
                continue; /* nothing is written; the exact model holds the port to that */
            said = said && take_fields(before, after, (lb_role)role, e, arena) &&
                   take_data(after, (lb_role)role, e, arena);
        }
    e->has_return = !e->has_status && !e->config && !outputs;
    e->return_value = after->call.return_value;
    return said && says_it(e, before, after, arena);
}

static const char *reason_against(const lb_trial_end *end)
{
    const lb_case *c = end->test_case;
    if (!c->kernel)
        return "sequences of movement calls are not recorded";
    if (!lb_cover_is_defined(c))
        return "nothing shows that the specification defines the call";
    if (end->watch && !lb_guard_is_specified(end->profile, c->kernel, end->watch))
        return "an accumulator overflows, and what comes out then is undefined";
    if (c->chain.steps > 0)
        return "chains of calls are not recorded";
    return NULL;
}

static void note_result(void *self, const lb_trial_end *end, lb_result *result)
{
    lb_recording *r = self;
    lb_expect *e = &r->expect[r->count];
    (void)result;
    r->refused = reason_against(end);
    if (r->refused)
        return;
    *e = (lb_expect){.profile_mask = 1u << lb_kernel_numerics(end->test_case->kernel, end->profile),
                     .changed = lb_arena_array(end->arena, LB_ROLE_COUNT, sizeof *e->changed)};
    if (take_result(end->test_case, end->port, e, end->arena))
        r->count++;
    else
        r->refused = "an expectation cannot say what the port left";
}

lb_analysis lb_recording_analysis(lb_recording *recording)
{
    return (lb_analysis){.self = recording, .result = note_result};
}

/* ---- Beside what the case has ---- */

static bool same_changed(const lb_changed *a, const lb_changed *b)
{
    lb_changed x = *a, y = *b;
    bool same = true;
    for (int p = 0; p < LB_PARAMS; p++) {
        same = same && lb_values_same(&a->param[p].values, &b->param[p].values);
        x.param[p].values = y.param[p].values = (lb_values){0};
    }
    return same && memcmp(&x, &y, sizeof x) == 0;
}

/* Do both say the same, of platforms without avepool16? (Those with it are few, and stay apart.) */
static bool same_expectation(const lb_kernel *kernel, const lb_expect *a, const lb_expect *b)
{
    bool same = a->has_status == b->has_status && a->status == b->status &&
                a->has_return == b->has_return && a->return_value == b->return_value &&
                a->profile_mask >> LB_PROFILE_COUNT == 0 &&
                b->profile_mask >> LB_PROFILE_COUNT == 0 && !a->config == !b->config &&
                (!a->config || lb_config_same(lb_filled_config(kernel), a->config, b->config));
    for (int role = 0; same && role < LB_ROLE_COUNT; role++)
        same = a->has_output[role] == b->has_output[role] &&
               lb_values_same(&a->output[role], &b->output[role]) &&
               a->has_changed[role] == b->has_changed[role] &&
               (!a->has_changed[role] || same_changed(&a->changed[role], &b->changed[role]));
    return same;
}

static unsigned taken_profiles(const lb_case *c)
{
    unsigned mask = 0;
    for (size_t i = 0; i < c->expect_count; i++)
        mask |= c->expect[i].profile_mask;
    return mask;
}

size_t lb_recording_merge(lb_case *c, const lb_recording *found, const lb_source *from,
                          bool replace, lb_arena *arena)
{
    size_t kept = 0, count = 0;
    lb_expect *all = lb_arena_array(arena, c->expect_count + found->count, sizeof *all);
    unsigned given = replace ? 0 : taken_profiles(c), fresh = 0;
    for (size_t i = 0; i < found->count; i++)
        fresh |= found->expect[i].profile_mask & ~given;
    for (size_t i = 0; i < c->expect_count; i++) {
        all[count] = c->expect[i];
        all[count].profile_mask &= ~fresh;
        count += all[count].profile_mask != 0;
    }
    size_t first = count;
    for (size_t i = 0; i < found->count; i++) {
        const lb_expect *e = &found->expect[i];
        size_t same = first;
        if (e->profile_mask & given) {
            kept++;
            continue;
        }
        while (same < count && !same_expectation(c->kernel, &all[same], e))
            same++;
        if (same == count) {
            all[count] = *e;
            all[count++].from = *from;
        } else {
            all[same].profile_mask |= e->profile_mask;
        }
    }
    c->expect = all;
    c->expect_count = count;
    return kept;
}
