/* Fields of tensors, compared by meaning: see fields.h. */
#include "harness/call/fields.h"

#include <stdio.h>
#include <string.h>

static lb_place place_of(const lb_instance *instance, const void *pointer)
{
    lb_place place = {.kind = LB_PLACE_NULL};
    if (!pointer)
        return place;
    place.kind = lb_instance_locate(instance, pointer, &place.buffer, &place.offset_bytes)
                     ? LB_PLACE_BUFFER
                     : LB_PLACE_ELSEWHERE;
    return place;
}

lb_fields lb_fields_of(const lb_instance *instance, const lb_tensor *tensor)
{
    lb_fields f = {.rank = tensor->rank,
                   .entries = LB_MAX_RANK,
                   .el_type = tensor->el_type,
                   .capacity_bytes = tensor->data.capacity_bytes,
                   .axis = -1};
    memcpy(f.shape, tensor->shape, sizeof f.shape);
    memcpy(f.mem_stride, tensor->mem_stride, sizeof f.mem_stride);
    f.data = place_of(instance, tensor->data.mem.ptr);
    if (tensor->rank == 0 && f.data.kind == LB_PLACE_ELSEWHERE)
        f.data.kind =
            LB_PLACE_NULL; /* a scalar: the value itself stands where others have a pointer */
    if (lb_is_fx(tensor->el_type))
        f.frac_bits = tensor->frac_bits;
    if (!lb_is_sa(tensor->el_type))
        return f;
    if (tensor->sa.dim >= 0) {
        f.axis = tensor->sa.dim;
        f.scale.place = place_of(instance, tensor->sa.scale.mem.ptr);
        f.zero_point.place = place_of(instance, tensor->sa.zero_point.mem.ptr);
        f.scale_frac_bits.place = place_of(instance, tensor->sa.scale_frac_bits.mem.ptr);
    } else {
        f.scale.value = tensor->sa.scale.mem.i16;
        f.zero_point.value = tensor->sa.zero_point.mem.i16;
        f.scale_frac_bits.value = tensor->sa.scale_frac_bits.mem.i8;
    }
    return f;
}

/* ---- Expectation ---- */

static lb_place place_in(const lb_instance *instance, const lb_tensor_ref *ref, lb_buffer_kind kind,
                         size_t bytes_each)
{
    short buffer = instance->memory->buffer_of[ref->role][ref->list_index][kind];
    if (buffer < 0)
        return (lb_place){.kind = LB_PLACE_ELSEWHERE};
    return (lb_place){.kind = LB_PLACE_BUFFER,
                      .buffer = (unsigned)buffer,
                      .offset_bytes = ref->start * bytes_each};
}

static void expect_quant_in(lb_fields *f, const lb_changed *changed, const lb_instance *instance)
{
    const lb_tensor_ref *ref = &changed->quant_in;
    for (int p = 0; p < LB_PARAMS; p++) {
        f->param[p] = (lb_param_field){.value = 0};
        if (!changed->quant_null)
            f->param[p].place = place_in(instance, ref, lb_param_buffer(p), lb_params[p].bytes);
    }
}

lb_fields lb_fields_expected(const lb_fields *given, const lb_changed *changed,
                             const lb_instance *instance)
{
    lb_fields f = *given;
    if (changed && changed->has_rank)
        f.rank = changed->rank;
    f.entries = f.rank < LB_MAX_RANK ? f.rank : LB_MAX_RANK;
    if (!changed)
        return f;
    for (unsigned d = 0; changed->has_shape && d < changed->shape_count; d++)
        f.shape[d] = changed->shape[d];
    for (unsigned d = 0; changed->has_mem_stride && d < changed->mem_stride_count; d++)
        f.mem_stride[d] = changed->mem_stride[d];
    if (changed->has_type)
        f.el_type = (uint32_t)changed->type;
    if (changed->has_frac_bits)
        f.frac_bits = changed->frac_bits;
    if (changed->has_capacity)
        f.capacity_bytes = changed->capacity_bytes;
    if (changed->has_axis)
        f.axis = changed->axis < 0 ? -1 : changed->axis;
    if (changed->has_data_in) {
        const lb_tensor *from =
            &instance->tensors[changed->data_in.role][changed->data_in.list_index];
        f.data =
            place_in(instance, &changed->data_in, LB_BUFFER_DATA, lb_storage_bytes(from->el_type));
    }
    for (int p = 0; p < LB_PARAMS; p++) {
        const lb_changed_param *param = &changed->param[p];
        if (param->has && !param->is_list && param->values.count > 0)
            f.param[p] = (lb_param_field){.value = param->values.items[0]};
    }
    if (changed->has_quant_in)
        expect_quant_in(&f, changed, instance);
    return f;
}

/* ---- Comparison ---- */

static const char *place_text(const lb_call_memory *memory, const lb_place *place, char *text,
                              size_t text_bytes)
{
    static const char *const kinds[] = {"", " scale", " zero_point", " scale_frac_bits",
                                        " scratch"};
    if (place->kind == LB_PLACE_NULL)
        snprintf(text, text_bytes, "NULL");
    else if (place->kind == LB_PLACE_ELSEWHERE)
        snprintf(text, text_bytes, "outside every buffer of the case");
    else
        snprintf(text, text_bytes, "%s%s + %zu bytes",
                 lb_role_name(memory->buffers[place->buffer].role),
                 kinds[memory->buffers[place->buffer].kind], place->offset_bytes);
    return text;
}

typedef struct comparison {
    const lb_call_memory *memory;
    lb_field_report report;
    void *user;
    unsigned count;
} comparison;

static void compare_number(comparison *c, const char *field, int64_t expected, int64_t got)
{
    char a[32], b[32];
    if (expected == got)
        return;
    snprintf(a, sizeof a, "%lld", (long long)expected);
    snprintf(b, sizeof b, "%lld", (long long)got);
    c->report(c->user, field, a, b);
    c->count++;
}

static void compare_place(comparison *c, const char *field, const lb_place *expected,
                          const lb_place *got)
{
    char a[96], b[96];
    bool same = expected->kind == got->kind &&
                (expected->kind != LB_PLACE_BUFFER ||
                 (expected->buffer == got->buffer && expected->offset_bytes == got->offset_bytes));
    if (same)
        return;
    c->report(c->user, field, place_text(c->memory, expected, a, sizeof a),
              place_text(c->memory, got, b, sizeof b));
    c->count++;
}

static void compare_type(comparison *c, uint32_t expected, uint32_t got)
{
    char a[32], b[32];
    if (expected == got)
        return;
    snprintf(a, sizeof a, "%s (0x%x)", lb_el_type_name(expected) ? lb_el_type_name(expected) : "?",
             expected);
    snprintf(b, sizeof b, "%s (0x%x)", lb_el_type_name(got) ? lb_el_type_name(got) : "?", got);
    c->report(c->user, "type", a, b);
    c->count++;
}

unsigned lb_fields_compare(const lb_call_memory *memory, const lb_fields *expected,
                           const lb_fields *got, lb_field_report report, void *user)
{
    static const char *const shape_names[] = {"shape[0]", "shape[1]", "shape[2]", "shape[3]"};
    static const char *const stride_names[] = {"mem_stride[0]", "mem_stride[1]", "mem_stride[2]",
                                               "mem_stride[3]"};
    static const char *const pointer_names[LB_PARAMS] = {"scale pointer", "zero_point pointer",
                                                         "scale_frac_bits pointer"};
    comparison c = {.memory = memory, .report = report, .user = user};
    compare_type(&c, expected->el_type, got->el_type);
    compare_number(&c, "rank", expected->rank, got->rank);
    for (unsigned d = 0; d < expected->entries; d++)
        compare_number(&c, shape_names[d], expected->shape[d], got->shape[d]);
    for (unsigned d = 0; d < expected->entries; d++)
        compare_number(&c, stride_names[d], expected->mem_stride[d], got->mem_stride[d]);
    compare_number(&c, "capacity", expected->capacity_bytes, got->capacity_bytes);
    compare_place(&c, "data pointer", &expected->data, &got->data);
    if (expected->el_type != got->el_type)
        return c.count;
    compare_number(&c, "frac_bits", expected->frac_bits, got->frac_bits);
    compare_number(&c, "axis", expected->axis, got->axis);
    if (expected->axis != got->axis)
        return c.count;
    for (int p = 0; p < LB_PARAMS; p++)
        compare_number(&c, lb_params[p].name, expected->param[p].value, got->param[p].value);
    for (int p = 0; p < LB_PARAMS; p++)
        compare_place(&c, pointer_names[p], &expected->param[p].place, &got->param[p].place);
    return c.count;
}

/* ---- Two instances ---- */

static void pass_over(void *user, const char *field, const char *expected, const char *got)
{
    (void)user, (void)field, (void)expected, (void)got;
}

bool lb_instances_differ_in_fields(const lb_instance *a, const lb_instance *b)
{
    const lb_case *c = a->memory->test_case;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        for (unsigned i = 0; c->operand[role].present && i < c->operand[role].count; i++) {
            lb_fields want = lb_fields_of(a, &a->tensors[role][i]);
            lb_fields have = lb_fields_of(b, &b->tensors[role][i]);
            if (lb_fields_compare(a->memory, &want, &have, pass_over, NULL) > 0)
                return true;
        }
    return false;
}

/* All bytes, guard zones too, but what lies in the scratch memory. */
bool lb_instances_differ_in_bytes(const lb_instance *a, const lb_instance *b)
{
    const lb_call_memory *m = a->memory;
    if (m->scratch_buffer < 0)
        return memcmp(a->block, b->block, m->block_bytes) != 0;
    const lb_buffer *scratch = &m->buffers[m->scratch_buffer];
    size_t end = scratch->offset + scratch->size_bytes;
    return memcmp(a->block, b->block, scratch->offset) != 0 ||
           memcmp(a->block + end, b->block + end, m->block_bytes - end) != 0;
}

void lb_instance_give_formats(const lb_instance *from, lb_instance *to)
{
    const lb_call_memory *memory = to->memory;
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        if (!memory->test_case->operand[role].present ||
            !memory->test_case->operand[role].is_output)
            continue;
        lb_tensor *tensor = &to->tensors[role][0];
        lb_container data = tensor->data;
        *tensor = lb_tensor_moved(&from->tensors[role][0], from, to);
        tensor->data = data;
    }
    for (unsigned b = 0; b < memory->buffer_count; b++) {
        const lb_buffer *buffer = &memory->buffers[b];
        if (buffer->is_output && buffer->kind != LB_BUFFER_DATA &&
            buffer->kind != LB_BUFFER_SCRATCH)
            memcpy(to->block + buffer->offset, from->block + buffer->offset, buffer->size_bytes);
    }
}
