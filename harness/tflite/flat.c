/* A FlatBuffer that nobody vouches for: see flat.h. */
#include "harness/tflite/flat.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_TEXT = 120, WAY_BYTES = 4 };

bool lb_flat_refuse(lb_flat *f, size_t at, const char *format, ...)
{
    char text[400];
    va_list arguments;
    if (f->why)
        return false;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    f->why =
        lb_arena_printf(f->arena, "byte %zu: %s%s%s", at, f->place, *f->place ? ": " : "", text);
    return false;
}

/* ---- Bytes ---- */

/* Callers have checked that they are there. */
static uint64_t little(const lb_flat *f, size_t at, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)f->bytes[at + i] << (8 * i);
    return value;
}

static bool is_inside(const lb_flat *f, size_t at, size_t bytes)
{
    return at <= f->size && bytes <= f->size - at;
}

/* The place that a way leads to: forward, from where it stands. */
static bool follow(lb_flat *f, size_t at, const char *name, size_t *to)
{
    const uint64_t way = little(f, at, WAY_BYTES);
    if (way == 0 || way > f->size - at)
        return lb_flat_refuse(f, at, "%s: an offset of %llu leads out of the file of %zu bytes",
                              name, (unsigned long long)way, f->size);
    *to = at + (size_t)way;
    return true;
}

/* ---- Tables ---- */

static bool open_table(lb_flat *f, size_t at, const char *name, lb_flat_table *t)
{
    if (!is_inside(f, at, 4))
        return lb_flat_refuse(f, at, "%s: the table begins behind the file", name);
    const int64_t back = (int32_t)little(f, at, 4);
    const int64_t fields = (int64_t)at - back;
    if (fields < 0 || !is_inside(f, (size_t)fields, 4))
        return lb_flat_refuse(f, at, "%s: the table's list of fields lies outside of the file",
                              name);
    *t = (lb_flat_table){.at = at,
                         .fields = (size_t)fields,
                         .fields_bytes = (unsigned)little(f, (size_t)fields, 2),
                         .bytes = (unsigned)little(f, (size_t)fields + 2, 2)};
    if (t->fields_bytes < 4 || t->fields_bytes % 2 != 0 || t->bytes < 4 ||
        !is_inside(f, t->fields, t->fields_bytes) || !is_inside(f, t->at, t->bytes))
        return lb_flat_refuse(f, t->fields,
                              "%s: a table of %u bytes with a list of fields of %u bytes is none, "
                              "or ends behind the file",
                              name, t->bytes, t->fields_bytes);
    return true;
}

bool lb_flat_root(lb_flat *f, const char *identifier, lb_flat_table *root)
{
    size_t at = 0;
    if (f->size < 8)
        return lb_flat_refuse(f, 0, "a file of %zu bytes is too short", f->size);
    if (memcmp(f->bytes + 4, identifier, 4) != 0)
        return lb_flat_refuse(f, 4, "the identifier %s is not there: this is another kind of file",
                              identifier);
    return follow(f, 0, "the first table", &at) && open_table(f, at, "the first table", root);
}

/* Where a field stands; *at 0: it is not there. */
static bool find_field(lb_flat *f, const lb_flat_table *t, lb_flat_field field, unsigned bytes,
                       size_t *at)
{
    const unsigned entry = 4 + 2 * field.number;
    *at = 0;
    if (entry + 2 > t->fields_bytes)
        return true;
    const unsigned offset = (unsigned)little(f, t->fields + entry, 2);
    if (offset == 0)
        return true;
    if (offset < 4 || offset + bytes > t->bytes)
        return lb_flat_refuse(f, t->fields + entry, "%s: it lies outside of its table of %u bytes",
                              field.name, t->bytes);
    *at = t->at + offset;
    return true;
}

bool lb_flat_number(lb_flat *f, const lb_flat_table *t, lb_flat_field field, unsigned bytes,
                    int64_t otherwise, int64_t *value)
{
    size_t at = 0;
    if (!find_field(f, t, field, bytes, &at))
        return false;
    const uint64_t bits = at ? little(f, at, bytes) : 0;
    *value = !at          ? otherwise
             : bytes == 1 ? (int8_t)bits
             : bytes == 4 ? (int32_t)bits
                          : (int64_t)bits;
    return true;
}

static float float_of(uint64_t bits)
{
    const uint32_t word = (uint32_t)bits;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

bool lb_flat_float(lb_flat *f, const lb_flat_table *t, lb_flat_field field, float otherwise,
                   float *value)
{
    size_t at = 0;
    if (!find_field(f, t, field, 4, &at))
        return false;
    *value = at ? float_of(little(f, at, 4)) : otherwise;
    return true;
}

bool lb_flat_vector_of(lb_flat *f, const lb_flat_table *t, lb_flat_field field,
                       unsigned element_bytes, lb_flat_vector *v)
{
    size_t at = 0, start = 0;
    *v = (lb_flat_vector){.count = 0};
    if (!find_field(f, t, field, WAY_BYTES, &at))
        return false;
    if (!at)
        return true;
    if (!follow(f, at, field.name, &start))
        return false;
    if (!is_inside(f, start, 4))
        return lb_flat_refuse(f, start, "%s: the vector begins behind the file", field.name);
    const uint32_t count = (uint32_t)little(f, start, 4);
    if (!is_inside(f, start + 4, (size_t)count * element_bytes))
        return lb_flat_refuse(f, start,
                              "%s: a vector of %u elements of %u bytes ends behind the file of "
                              "%zu bytes",
                              field.name, count, element_bytes, f->size);
    *v = (lb_flat_vector){.at = start + 4, .count = count, .is_there = true};
    return true;
}

bool lb_flat_table_in(lb_flat *f, const lb_flat_table *t, lb_flat_field field, bool *there,
                      lb_flat_table *inner)
{
    size_t at = 0, start = 0;
    *there = false;
    if (!find_field(f, t, field, WAY_BYTES, &at))
        return false;
    *there = at != 0;
    return !at || (follow(f, at, field.name, &start) && open_table(f, start, field.name, inner));
}

bool lb_flat_table_of(lb_flat *f, const lb_flat_vector *v, uint32_t i, lb_flat_table *inner)
{
    const size_t at = v->at + (size_t)i * WAY_BYTES;
    size_t start = 0;
    return follow(f, at, "table", &start) && open_table(f, start, "table", inner);
}

bool lb_flat_text(lb_flat *f, const lb_flat_table *t, lb_flat_field field, const char **text)
{
    lb_flat_vector v;
    if (!lb_flat_vector_of(f, t, field, 1, &v))
        return false;
    const size_t length = v.count < LONGEST_TEXT ? v.count : LONGEST_TEXT;
    char *copy = lb_arena_alloc(f->arena, length + 1);
    for (size_t i = 0; i < length; i++) {
        const char c = (char)f->bytes[v.at + i];
        copy[i] = c > ' ' && c <= '~' ? c : c == ' ' ? ' ' : '?';
    }
    *text = copy;
    return true;
}

/* ---- Elements ---- */

int32_t lb_flat_int32(const lb_flat *f, const lb_flat_vector *v, uint32_t i)
{
    return (int32_t)little(f, v->at + (size_t)i * 4, 4);
}

int64_t lb_flat_int64(const lb_flat *f, const lb_flat_vector *v, uint32_t i)
{
    return (int64_t)little(f, v->at + (size_t)i * 8, 8);
}

float lb_flat_float32(const lb_flat *f, const lb_flat_vector *v, uint32_t i)
{
    return float_of(little(f, v->at + (size_t)i * 4, 4));
}
