/* Case files being written: a text that grows, and what several of their parts have in common. For
 * the writers of cases (case_write*.c) alone. */
#ifndef LB_HARNESS_SUITE_CASE_TEXT_H
#define LB_HARNESS_SUITE_CASE_TEXT_H

#include "harness/base/format_checked.h"
#include "harness/base/xalloc.h"
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
    t->bytes = lb_resized(t->bytes, t->room);
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

static inline void put_char(text *t, char c)
{
    make_room(t, 1);
    t->bytes[t->length++] = c;
    t->bytes[t->length] = '\0';
}

/* Suites are made of numbers: a certification writes some ten million for its digest. */
static inline void put_integer(text *t, int64_t value)
{
    char digits[20];
    size_t count = 0;
    uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do
        digits[count++] = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    make_room(t, count + 1);
    if (value < 0)
        t->bytes[t->length++] = '-';
    while (count > 0)
        t->bytes[t->length++] = digits[--count];
    t->bytes[t->length] = '\0';
}

static inline void put_string(text *t, const char *string)
{
    put_char(t, '"');
    for (; *string; string++) {
        unsigned char c = (unsigned char)*string;
        if (c == '"' || c == '\\')
            put(t, "\\%c", c);
        else if (c < 0x20)
            put(t, "\\u%04x", c);
        else
            put_char(t, (char)c);
    }
    put_char(t, '"');
}

static inline void put_key(text *t, const char *key)
{
    if (!t->fresh)
        put_char(t, ',');
    put_string(t, key);
    put_char(t, ':');
    t->fresh = false;
}

static inline void open_with(text *t, const char *key, char bracket)
{
    if (key)
        put_key(t, key);
    put_char(t, bracket);
    t->fresh = true;
}

static inline void close_with(text *t, char bracket)
{
    put_char(t, bracket);
    t->fresh = false;
}

static inline void put_number(text *t, const char *key, int64_t value)
{
    put_key(t, key);
    put_integer(t, value);
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
        put_integer(t, is_pattern ? value & mask : value);
}

static inline void put_values(text *t, const char *key, const lb_values *values, lb_el_type type)
{
    put_key(t, key);
    put_char(t, '[');
    for (size_t i = 0; i < values->count; i++) {
        if (i > 0)
            put_char(t, ',');
        if (values->high)
            put_integer(t, lb_wide_value(values, i));
        else
            put_element(t, values->items[i], type);
    }
    put_char(t, ']');
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
        put_char(t, '[');                                                                          \
        for (size_t i_ = 0; i_ < (count); i_++) {                                                  \
            if (i_ > 0)                                                                            \
                put_char(t, ',');                                                                  \
            put_integer(t, (int64_t)(array)[i_]);                                                  \
        }                                                                                          \
        put_char(t, ']');                                                                          \
    } while (0)

static inline void put_field(text *t, const lb_config *config, const lb_config_field *field)
{
    int64_t value = lb_config_get(config, field, 0);
    put_key(t, field->name);
    if (field->count > 1) {
        for (unsigned i = 0; i < field->count; i++) {
            put_char(t, i ? ',' : '[');
            put_integer(t, lb_config_get(config, field, i));
        }
        put_char(t, ']');
        return;
    }
    for (int64_t i = 0; field->enum_names && field->enum_names[i]; i++)
        if (i == value) {
            put_string(t, field->enum_names[i]);
            return;
        }
    put_integer(t, value);
}

/* "expect" of a case; nothing where it has none. */
void lb_case_put_expect(text *t, const lb_case *c);
/* "handles" and "steps". */
void lb_case_put_sequence(text *t, const lb_case *c);

#endif
