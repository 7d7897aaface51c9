/* Case files being written: a text that grows, and what several of their parts have in common. For
 * the writers of cases (case_write*.c) alone. */
#ifndef LB_HARNESS_SUITE_CASE_TEXT_H
#define LB_HARNESS_SUITE_CASE_TEXT_H

#include "harness/base/format_checked.h"
#include "harness/suite/case.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text that grows. `fresh` tells that no comma is due. */
typedef struct text {
    char *bytes;
    size_t length, room;
    bool fresh;
} text;

static inline void make_room(text *t, size_t more)
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

LB_FORMAT_CHECKED(2, 3) static inline void put(text *t, const char *format, ...)
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

static inline void put_string(text *t, const char *string)
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

static inline void put_key(text *t, const char *key)
{
    if (!t->fresh)
        put(t, ",");
    put_string(t, key);
    put(t, ":");
    t->fresh = false;
}

static inline void open_with(text *t, const char *key, char bracket)
{
    if (key)
        put_key(t, key);
    put(t, "%c", bracket);
    t->fresh = true;
}

static inline void close_with(text *t, char bracket)
{
    put(t, "%c", bracket);
    t->fresh = false;
}

static inline void put_number(text *t, const char *key, int64_t value)
{
    put_key(t, key);
    put(t, "%" PRId64, value);
}

static inline void put_text(text *t, const char *key, const char *value)
{
    put_key(t, key);
    put_string(t, value);
}

static inline void put_binary32(text *t, int32_t pattern)
{
    float real;
    memcpy(&real, &pattern, sizeof real);
    if (isfinite(real))
        put(t, "%.9g", (double)real);
    else
        put(t, "\"0x%08" PRIx32 "\"", (uint32_t)pattern);
}

/* A container as a case has it: patterns of extension types are unsigned there. */
static inline void put_element(text *t, int32_t value, lb_el_type type)
{
    bool is_pattern = lb_is_extension((uint32_t)type) && type != LB_EL_INT4;
    int32_t mask = lb_storage_bytes((uint32_t)type) == 1 ? 0xFF : 0xFFFF;
    if (type == LB_FP32)
        put_binary32(t, value);
    else
        put(t, "%" PRId32, is_pattern ? value & mask : value);
}

static inline void put_values(text *t, const char *key, const lb_values *values, lb_el_type type)
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

static inline void put_ref(text *t, const lb_case *c, const char *key, const lb_tensor_ref *ref,
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

static inline void put_field(text *t, const lb_config *config, const lb_config_field *field)
{
    int64_t value = lb_config_get(config, field, 0);
    put_key(t, field->name);
    if (field->count > 1) {
        for (unsigned i = 0; i < field->count; i++)
            put(t, "%s%" PRId64, i ? "," : "[", lb_config_get(config, field, i));
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

/* "expect" of a case; nothing where it has none. */
void lb_case_put_expect(text *t, const lb_case *c);
/* "handles" and "steps". */
void lb_case_put_sequence(text *t, const lb_case *c);

#endif
