/* A case as JSON: see case_write.h. Keys and their order: vectors/README.md. */
#include "harness/suite/case_write.h"
#include "harness/suite/data_generator.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LB_MAX_PERIOD = 8 }; /* values of an `alternate` that is written */

/* A text that grows. `fresh` tells that no comma is due. */
typedef struct text {
    char *bytes;
    size_t length, room;
    bool fresh;
} text;

static void put(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void make_room(text *t, size_t more)
{
    if (t->length + more + 1 <= t->room)
        return;
    t->room = (t->length + more + 1) * 2;
    t->bytes = realloc(t->bytes, t->room);
    if (!t->bytes) {
        fprintf(stderr, "lastbit: out of memory\n");
        exit(3);
    }
}

static void put(text *t, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int needed = vsnprintf(NULL, 0, format, arguments);
    make_room(t, (size_t)needed);
    vsnprintf(t->bytes + t->length, t->room - t->length, format, again);
    t->length += (size_t)needed;
    va_end(arguments);
    va_end(again);
}

static void put_string(text *t, const char *string)
{
    put(t, "\"");
    for (; *string; string++) {
        unsigned char c = (unsigned char)*string;
        if (c == '"' || c == '\\')
            put(t, "\\%c", c);
        else if (c < 0x20)
            put(t, "\\u%04x", c);
        else
            put(t, "%c", c);
    }
    put(t, "\"");
}

static void put_key(text *t, const char *key)
{
    if (!t->fresh)
        put(t, ",");
    put_string(t, key);
    put(t, ":");
    t->fresh = false;
}

static void open_with(text *t, const char *key, char bracket)
{
    if (key)
        put_key(t, key);
    put(t, "%c", bracket);
    t->fresh = true;
}

static void close_with(text *t, char bracket)
{
    put(t, "%c", bracket);
    t->fresh = false;
}

static void put_number(text *t, const char *key, int64_t value)
{
    put_key(t, key);
    put(t, "%" PRId64, value);
}

static void put_text(text *t, const char *key, const char *value)
{
    put_key(t, key);
    put_string(t, value);
}

/* ---- Tensors ---- */

static void put_binary32(text *t, int32_t pattern)
{
    float real;
    memcpy(&real, &pattern, sizeof real);
    if (isfinite(real))
        put(t, "%.9g", (double)real);
    else
        put(t, "\"0x%08" PRIx32 "\"", (uint32_t)pattern);
}

/* A container as a case has it: patterns of extension types are unsigned there. */
static void put_element(text *t, int32_t value, lb_el_type type)
{
    bool is_pattern = lb_is_extension((uint32_t)type) && type != LB_EL_INT4;
    int32_t mask = lb_storage_bytes((uint32_t)type) == 1 ? 0xFF : 0xFFFF;
    if (type == LB_FP32)
        put_binary32(t, value);
    else
        put(t, "%" PRId32, is_pattern ? value & mask : value);
}

static void put_values(text *t, const char *key, const lb_values *values, lb_el_type type)
{
    put_key(t, key);
    put(t, "[");
    for (size_t i = 0; i < values->count; i++) {
        if (i > 0)
            put(t, ",");
        put_element(t, values->items[i], type);
    }
    put(t, "]");
}

/* Length of the shortest piece of which the values are repetitions, if it is short; else 0. */
static size_t period_of(const lb_values *values)
{
    for (size_t period = 1; period <= LB_MAX_PERIOD && period * 4 <= values->count; period++) {
        size_t i = period;
        while (i < values->count && values->items[i] == values->items[i - period])
            i++;
        if (i == values->count)
            return period;
    }
    return 0;
}

/* The one element that differs from all others; false: there is not just one. */
static bool is_one_hot(const lb_values *values, size_t *index)
{
    int32_t rest = values->items[values->count - 1];
    size_t others = 0;
    for (size_t i = 0; i + 1 < values->count && others < 2; i++)
        if (values->items[i] != rest) {
            *index = i;
            others++;
        }
    return others == 1;
}

/* Are they what the generator that they may come from gives? */
static bool is_uniform(const lb_case_tensor *t)
{
    for (size_t i = 0; t->may_be_uniform && i < t->data.count; i++)
        if (t->data.items[i] !=
            lb_generate_uniform(t->uniform_seed, i, t->uniform_low, t->uniform_high))
            return false;
    return t->may_be_uniform;
}

static void put_uniform(text *t, const lb_case_tensor *tensor)
{
    open_with(t, "data", '{');
    put_text(t, "generator", "uniform");
    put_number(t, "seed", (int64_t)tensor->uniform_seed);
    put_number(t, "low", tensor->uniform_low);
    put_number(t, "high", tensor->uniform_high);
    close_with(t, '}');
}

/* One value, a few values in turn, or one among others. */
static void put_pattern(text *t, const lb_values *values, size_t period, size_t hot,
                        lb_el_type type)
{
    open_with(t, "data", '{');
    put_text(t, "generator", period == 1 ? "constant" : period > 1 ? "alternate" : "one_hot");
    if (period > 1) {
        lb_values piece = {.items = values->items, .count = period};
        put_values(t, "values", &piece, type);
    } else {
        put_key(t, "value");
        put_element(t, values->items[period == 1 ? 0 : hot], type);
    }
    if (period == 0) {
        put_number(t, "index", (int64_t)hot);
        put_key(t, "rest");
        put_element(t, values->items[values->count - 1], type);
    }
    close_with(t, '}');
}

/* Data as the shortest generator that gives them, or as a list. */
static void put_data(text *t, const lb_case_tensor *tensor)
{
    enum { SHORT = 12 };
    const lb_values *values = &tensor->data;
    size_t period = values->count > SHORT ? period_of(values) : 0, hot = 0;
    if (values->count > SHORT && (period > 0 || is_one_hot(values, &hot)))
        put_pattern(t, values, period, hot, tensor->type);
    else if (values->count > SHORT && is_uniform(tensor))
        put_uniform(t, tensor);
    else
        put_values(t, "data", values, tensor->type);
}

static void put_ref(text *t, const lb_case *c, const char *key, const lb_tensor_ref *ref,
                    const char *start_key)
{
    char name[64];
    bool listed = c->operand[ref->role].is_list;
    if (listed)
        snprintf(name, sizeof name, "%s[%u]", lb_role_name(ref->role), ref->list_index);
    else
        snprintf(name, sizeof name, "%s", lb_role_name(ref->role));
    open_with(t, key, '{');
    put_text(t, "tensor", name);
    put_number(t, start_key, (int64_t)ref->start);
    close_with(t, '}');
}

#define PUT_LIST(t, key, array, count)                                                             \
    do {                                                                                           \
        put_key(t, key);                                                                           \
        put(t, "[");                                                                               \
        for (size_t i_ = 0; i_ < (count); i_++)                                                    \
            put(t, "%s%" PRId64, i_ ? "," : "", (int64_t)(array)[i_]);                             \
        put(t, "]");                                                                               \
    } while (0)

static void put_quantization(text *t, const lb_case_tensor *tensor)
{
    if (lb_is_fx(tensor->type)) {
        put_number(t, "frac_bits", tensor->frac_bits);
    } else if (lb_is_sa(tensor->type) && tensor->scale && tensor->axis < 0) {
        put_number(t, "scale", tensor->scale[0]);
        put_number(t, "scale_frac_bits", tensor->scale_frac_bits[0]);
        put_number(t, "zero_point", tensor->zero_point[0]);
        put_number(t, "axis", tensor->axis);
    } else if (lb_is_sa(tensor->type) && tensor->scale) {
        PUT_LIST(t, "scale", tensor->scale, tensor->quant_count);
        PUT_LIST(t, "scale_frac_bits", tensor->scale_frac_bits, tensor->quant_count);
        PUT_LIST(t, "zero_point", tensor->zero_point, tensor->quant_count);
        put_number(t, "axis", tensor->axis);
    }
}

static void put_overrides(text *t, const lb_case *c, const lb_case_tensor *tensor)
{
    static const char *const names[] = {"scale", "zero_point", "scale_frac_bits"};
    if (tensor->null_data) {
        put_key(t, "null_data");
        put(t, "true");
    }
    if (tensor->has_rank)
        put_number(t, "rank", tensor->rank_override);
    if (tensor->has_el_type)
        put_number(t, "el_type", tensor->el_type);
    if (tensor->has_capacity)
        put_number(t, "capacity", tensor->capacity_bytes);
    if (tensor->has_buffer_elements)
        put_number(t, "buffer_elements", (int64_t)tensor->buffer_elements);
    if (tensor->has_data_in)
        put_ref(t, c, "data_in", &tensor->data_in, "element");
    if (tensor->has_quant_in && !tensor->quant_null)
        put_ref(t, c, "quant_in", &tensor->quant_in, "entry");
    if (tensor->quant_null) {
        put_key(t, "quant_in");
        put(t, "null");
    }
    if (tensor->has_quant_capacity[0] || tensor->has_quant_capacity[1] ||
        tensor->has_quant_capacity[2]) {
        open_with(t, "quant_capacity", '{');
        for (int i = 0; i < 3; i++)
            if (tensor->has_quant_capacity[i])
                put_number(t, names[i], tensor->quant_capacity[i]);
        close_with(t, '}');
    }
}

static void put_tensor(text *t, const lb_case *c, const char *key, const lb_case_tensor *tensor)
{
    open_with(t, key, '{');
    put_text(t, "type", lb_el_type_name((uint32_t)tensor->type));
    PUT_LIST(t, "shape", tensor->shape, tensor->rank);
    if (tensor->has_mem_stride)
        PUT_LIST(t, "mem_stride", tensor->mem_stride, tensor->rank);
    put_quantization(t, tensor);
    if (tensor->has_data)
        put_data(t, tensor);
    put_overrides(t, c, tensor);
    close_with(t, '}');
}

static void put_operands(text *t, const lb_case *c, const char *key, bool outputs)
{
    open_with(t, key, '{');
    for (int role = 0; role < LB_ROLE_COUNT; role++) {
        const lb_case_operand *operand = &c->operand[role];
        if (!operand->present || operand->is_output != outputs)
            continue;
        if (operand->is_list) {
            open_with(t, lb_role_name((lb_role)role), '[');
            for (unsigned i = 0; i < operand->count; i++) {
                if (i > 0)
                    put(t, ",");
                put_tensor(t, c, NULL, &operand->tensors[i]);
            }
            close_with(t, ']');
        } else {
            put_tensor(t, c, lb_role_name((lb_role)role), &operand->tensors[0]);
        }
    }
    close_with(t, '}');
}

/* ---- The rest of the case ---- */

static int64_t field_value(const lb_config *config, const lb_config_field *field, unsigned i)
{
    const unsigned char *at = (const unsigned char *)config + field->offset;
    int32_t i32 = 0;
    uint32_t u32 = 0;
    if (field->type == LB_FIELD_U8)
        return at[i];
    if (field->type == LB_FIELD_I32)
        return memcpy(&i32, at + 4 * i, 4), i32;
    return memcpy(&u32, at + 4 * i, 4), u32;
}

static void put_field(text *t, const lb_config *config, const lb_config_field *field)
{
    int64_t value = field_value(config, field, 0);
    put_key(t, field->name);
    if (field->count > 1) {
        for (unsigned i = 0; i < field->count; i++)
            put(t, "%s%" PRId64, i ? "," : "[", field_value(config, field, i));
        put(t, "]");
        return;
    }
    for (int64_t i = 0; field->enum_names && field->enum_names[i]; i++)
        if (i == value) {
            put_string(t, field->enum_names[i]);
            return;
        }
    put(t, "%" PRId64, value);
}

static void put_config(text *t, const lb_case *c)
{
    const lb_config_field *field = lb_config_fields(c->kernel->config_kind);
    if (!field->name || c->null_config)
        return;
    open_with(t, "config", '{');
    for (; field->name; field++)
        put_field(t, &c->config, field);
    close_with(t, '}');
}

static void put_nulls(text *t, const lb_case *c)
{
    bool any = c->null_config;
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        any = any || c->null_role[role];
    if (!any)
        return;
    open_with(t, "null", '[');
    for (int role = 0; role < LB_ROLE_COUNT; role++)
        if (c->null_role[role]) {
            put(t, t->fresh ? "" : ",");
            put_string(t, lb_role_name((lb_role)role));
            t->fresh = false;
        }
    if (c->null_config)
        put(t, "%s\"cfg\"", t->fresh ? "" : ",");
    close_with(t, ']');
}

static void put_tags(text *t, const lb_case *c)
{
    if (c->tag_count == 0)
        return;
    open_with(t, "tags", '[');
    for (size_t i = 0; i < c->tag_count; i++) {
        put(t, i ? "," : "");
        put_string(t, c->tags[i]);
    }
    close_with(t, ']');
}

static void put_profiles(text *t, unsigned mask)
{
    open_with(t, "profiles", '[');
    for (int p = 0; p < LB_PROFILE_COUNT; p++)
        if ((mask | mask >> LB_PROFILE_COUNT) & 1u << p) {
            put(t, t->fresh ? "" : ",");
            put_string(t, lb_profiles[p].name);
            t->fresh = false;
        }
    close_with(t, ']');
}

/* Expectations as this writer's callers make them: status and output data. */
static void put_expect(text *t, const lb_case *c)
{
    if (c->expect_count == 0)
        return;
    open_with(t, "expect", '[');
    for (size_t i = 0; i < c->expect_count; i++) {
        const lb_expect *e = &c->expect[i];
        put(t, i ? "," : "");
        open_with(t, NULL, '{');
        put_profiles(t, e->profile_mask);
        if (e->profile_mask >> LB_PROFILE_COUNT)
            put_number(t, "avepool_multiplier_bits", 16);
        if (e->has_status)
            put_text(t, "status", lb_status_name((int)e->status));
        if (e->has_return)
            put_number(t, "return", e->return_value);
        open_with(t, "outputs", '{');
        for (int role = 0; role < LB_ROLE_COUNT; role++)
            if (e->has_output[role])
                put_values(t, lb_role_name((lb_role)role), &e->output[role],
                           c->operand[role].tensors[0].type);
        close_with(t, '}');
        close_with(t, '}');
    }
    close_with(t, ']');
}

char *lb_case_to_json(const lb_case *c, lb_arena *arena)
{
    text t = {.fresh = true};
    if (!c->kernel)
        return NULL;
    open_with(&t, NULL, '{');
    put_text(&t, "id", c->id);
    put_text(&t, "function", c->function);
    if (c->note)
        put_text(&t, "note", c->note);
    put_config(&t, c);
    put_nulls(&t, c);
    put_operands(&t, c, "inputs", false);
    put_operands(&t, c, "outputs", true);
    put_tags(&t, c);
    put_expect(&t, c);
    close_with(&t, '}');
    char *kept = lb_arena_strdup(arena, t.bytes);
    free(t.bytes);
    return kept;
}

char *lb_suite_header_json(const char *suite_name, lb_arena *arena)
{
    text t = {.fresh = true};
    open_with(&t, NULL, '{');
    put_text(&t, "format", "lastbit/cases-1");
    put_text(&t, "suite", suite_name);
    close_with(&t, '}');
    char *kept = lb_arena_strdup(arena, t.bytes);
    free(t.bytes);
    return kept;
}
