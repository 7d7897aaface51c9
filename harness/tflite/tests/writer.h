/* Writes .tflite files for tests: a FlatBuffer from its end to its beginning is not needed, tables
 * stand in the order in which they are made, each before what it refers to. */
#ifndef LB_TEST_TFLITE_WRITER_H
#define LB_TEST_TFLITE_WRITER_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { W_BYTES = 1 << 16, W_TENSORS = 64, W_OPERATORS = 32, W_FIELDS = 12 };

typedef struct w_file {
    uint8_t bytes[W_BYTES];
    size_t size;
} w_file;

/* ---- Bytes ---- */

static inline void w_put(w_file *f, uint64_t value, unsigned bytes)
{
    assert(f->size + bytes <= W_BYTES);
    for (unsigned i = 0; i < bytes; i++)
        f->bytes[f->size++] = (uint8_t)(value >> (8 * i));
}

static inline void w_set(w_file *f, size_t at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        f->bytes[at + i] = (uint8_t)(value >> (8 * i));
}

static inline void w_align(w_file *f, size_t to)
{
    while (f->size % to != 0)
        w_put(f, 0, 1);
}

/* An offset that stands at `at` leads to where the file ends now. */
static inline void w_lead(w_file *f, size_t at)
{
    w_set(f, at, f->size - at, 4);
}

/* ---- Tables ---- */

/* A field: a number of 1, 4 or 8 bytes, or an offset, whose place the caller gets. */
typedef struct w_field {
    unsigned number, bytes;
    uint64_t value;
    size_t *offset; /* where its place goes; NULL: the value counts */
} w_field;

/* Writes the list of fields and the table; the place of the table. */
static inline size_t w_table(w_file *f, unsigned count, const w_field *fields)
{
    unsigned numbers = 0, at = 4, of[W_FIELDS] = {0};
    for (unsigned i = 0; i < count; i++) {
        assert(fields[i].number < W_FIELDS);
        if (fields[i].number + 1 > numbers)
            numbers = fields[i].number + 1;
        while (at % fields[i].bytes != 0 || (fields[i].bytes == 8 && at % 8 != 0))
            at++;
        of[fields[i].number] = at;
        at += fields[i].bytes;
    }
    w_align(f, 8);
    const size_t list = f->size, list_bytes = 4 + 2 * (size_t)numbers;
    w_put(f, list_bytes, 2);
    w_put(f, at, 2);
    for (unsigned i = 0; i < numbers; i++)
        w_put(f, of[i], 2);
    w_align(f, 8);
    const size_t table = f->size;
    w_put(f, table - list, 4);
    for (unsigned i = 4; i < at; i++)
        w_put(f, 0, 1);
    for (unsigned i = 0; i < count; i++) {
        const size_t place = table + of[fields[i].number];
        if (fields[i].offset)
            *fields[i].offset = place;
        else
            w_set(f, place, fields[i].value, fields[i].bytes);
    }
    return table;
}

static inline void w_vector(w_file *f, size_t at, uint32_t count, unsigned bytes,
                            const void *elements)
{
    w_align(f, 4);
    if (bytes == 8)
        while ((f->size + 4) % 8 != 0)
            w_put(f, 0, 4);
    w_lead(f, at);
    w_put(f, count, 4);
    assert(f->size + (size_t)count * bytes <= W_BYTES);
    if (count)
        memcpy(f->bytes + f->size, elements, (size_t)count * bytes);
    f->size += (size_t)count * bytes;
    w_align(f, 4);
}

static inline void w_text(w_file *f, size_t at, const char *text)
{
    w_vector(f, at, (uint32_t)strlen(text), 1, text);
    w_put(f, 0, 4);
}

/* A vector of so many offsets; the place of the first. */
static inline size_t w_offsets(w_file *f, size_t at, uint32_t count)
{
    w_align(f, 4);
    w_lead(f, at);
    w_put(f, count, 4);
    const size_t first = f->size;
    for (uint32_t i = 0; i < count; i++)
        w_put(f, 0, 4);
    return first;
}

/* ---- A model ---- */

typedef struct w_tensor {
    const char *name;
    unsigned rank;
    int32_t shape[6];
    int type;
    float scale[8];
    int64_t zero_point[8];
    unsigned scales;
    int32_t dimension; /* along which the scales run */
    unsigned data_bytes;
    const void *data;
} w_tensor;

typedef struct w_operator {
    int code;
    const char *custom;
    int32_t inputs[4], outputs[1];
    unsigned input_count;
    int options; /* kind of the table of options; 0: none */
    unsigned field_count;
    w_field fields[8]; /* of the options */
} w_operator;

typedef struct w_model {
    unsigned tensor_count, operator_count;
    w_tensor tensors[W_TENSORS];
    w_operator operators[W_OPERATORS];
} w_model;

/* A float as the value of a field. */
static inline uint64_t w_real(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static inline void w_put_tensor(w_file *f, size_t lead, const w_tensor *t, unsigned number)
{
    size_t shape, name, quantization, scale, zero;
    const w_field fields[] = {{0, 4, 0, &shape},
                              {1, 1, (uint64_t)t->type, NULL},
                              {2, 4, t->data_bytes ? number + 1 : 0, NULL},
                              {3, 4, 0, &name},
                              {4, 4, 0, &quantization}};
    const w_field of_quantization[] = {
        {2, 4, 0, &scale}, {3, 4, 0, &zero}, {6, 4, (uint64_t)(uint32_t)t->dimension, NULL}};
    const size_t table = w_table(f, 5, fields);
    w_set(f, lead, table - lead, 4);
    w_vector(f, shape, t->rank, 4, t->shape);
    w_text(f, name, t->name);
    const size_t q = w_table(f, 3, of_quantization);
    w_set(f, quantization, q - quantization, 4);
    w_vector(f, scale, t->scales, 4, t->scale);
    w_vector(f, zero, t->scales, 8, t->zero_point);
}

static inline void w_put_operator(w_file *f, size_t lead, const w_operator *o, unsigned number)
{
    size_t inputs, outputs, options;
    const w_field fields[] = {{0, 4, number, NULL},
                              {1, 4, 0, &inputs},
                              {2, 4, 0, &outputs},
                              {3, 1, (uint64_t)o->options, NULL},
                              {4, 4, 0, &options}};
    const size_t table = w_table(f, o->options ? 5 : 3, fields);
    w_set(f, lead, table - lead, 4);
    w_vector(f, inputs, o->input_count, 4, o->inputs);
    w_vector(f, outputs, 1, 4, o->outputs);
    if (o->options) {
        const size_t t = w_table(f, o->field_count, o->fields);
        w_set(f, options, t - options, 4);
    }
}

static inline void w_put_code(w_file *f, size_t lead, const w_operator *o)
{
    size_t custom;
    const w_field fields[] = {{0, 1, (uint64_t)(o->code < 127 ? o->code : 127), NULL},
                              {3, 4, (uint64_t)o->code, NULL},
                              {1, 4, 0, &custom}};
    const size_t table = w_table(f, o->custom ? 3 : 2, fields);
    w_set(f, lead, table - lead, 4);
    if (o->custom)
        w_text(f, custom, o->custom);
}

static inline void w_put_buffer(w_file *f, size_t lead, const w_tensor *t)
{
    size_t data;
    const w_field field = {0, 4, 0, &data};
    const size_t table = w_table(f, t && t->data_bytes ? 1 : 0, &field);
    w_set(f, lead, table - lead, 4);
    if (t && t->data_bytes)
        w_vector(f, data, t->data_bytes, 1, t->data);
}

/* Every tensor has a buffer of its own behind the empty one, every operator a code. */
static inline void w_write(w_file *f, const w_model *m)
{
    size_t codes, subgraphs, buffers, tensors, operators;
    const w_field fields[] = {
        {0, 4, 3, NULL}, {1, 4, 0, &codes}, {2, 4, 0, &subgraphs}, {4, 4, 0, &buffers}};
    const w_field of_subgraph[] = {{0, 4, 0, &tensors}, {3, 4, 0, &operators}};
    memset(f, 0, sizeof *f);
    w_put(f, 0, 4);
    for (const char *c = "TFL3"; *c; c++)
        w_put(f, (uint64_t)*c, 1);
    w_set(f, 0, w_table(f, 4, fields), 4);
    const size_t code = w_offsets(f, codes, m->operator_count);
    for (unsigned i = 0; i < m->operator_count; i++)
        w_put_code(f, code + 4 * (size_t)i, &m->operators[i]);
    const size_t subgraph = w_offsets(f, subgraphs, 1);
    w_set(f, subgraph, w_table(f, 2, of_subgraph) - subgraph, 4);
    const size_t tensor = w_offsets(f, tensors, m->tensor_count);
    for (unsigned i = 0; i < m->tensor_count; i++)
        w_put_tensor(f, tensor + 4 * (size_t)i, &m->tensors[i], i);
    const size_t operator= w_offsets(f, operators, m->operator_count);
    for (unsigned i = 0; i < m->operator_count; i++)
        w_put_operator(f, operator+ 4 *(size_t) i, &m->operators[i], i);
    const size_t buffer = w_offsets(f, buffers, m->tensor_count + 1);
    w_put_buffer(f, buffer, NULL);
    for (unsigned i = 0; i < m->tensor_count; i++)
        w_put_buffer(f, buffer + 4 * (size_t)(i + 1), &m->tensors[i]);
}

#endif
