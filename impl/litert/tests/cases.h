/* A case of the tests: tensors by role and configuration by key, as recordings and examples have
 * them, and buffers for a call with bytes on both sides that must stay. */
#ifndef LB_LITERT_TESTS_CASES_H
#define LB_LITERT_TESTS_CASES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lb_litert.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROLES = 6, MAX_KEYS = 16, GUARD_BYTES = 64, GUARD = 0xA5, FILL = 0x5A };

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

typedef struct tensor {
    char role[24];
    int bits; /* of an element: 8, 16, 32 or 64 */
    int rank;
    int32_t shape[LB_LITERT_MAX_RANK];
    size_t count;
    int64_t *values; /* what goes in, or NULL */
    unsigned char *block;
    void *data; /* in the block; while a case is called */
} tensor;

typedef struct entry {
    char key[24];
    double number;
    char word[16]; /* if it is no number */
} entry;

typedef struct test_case {
    char function[48]; /* without "litert_" */
    bool whole;        /* every key that is asked for must be there */
    int inputs, outputs, configs, results;
    tensor input[MAX_ROLES], output[2];
    entry config[MAX_KEYS], result[MAX_KEYS]; /* results of functions that prepare */
} test_case;

/* ---- Configuration ---- */

static inline const entry *find_entry(const entry *entries, int count, const char *key)
{
    for (int i = 0; i < count; i++)
        if (strcmp(entries[i].key, key) == 0)
            return &entries[i];
    return NULL;
}

static inline double real_of(const test_case *c, const char *key)
{
    const entry *e = find_entry(c->config, c->configs, key);
    if (!e && c->whole)
        fail_msg("%s: no %s", c->function, key);
    return e ? e->number : 0;
}

static inline const char *word_of(const test_case *c, const char *key, const char *other)
{
    const entry *e = find_entry(c->config, c->configs, key);
    if (!e && c->whole)
        fail_msg("%s: no %s", c->function, key);
    return e ? e->word : other;
}

static inline entry *add_entry(entry *entries, int *count, const char *key)
{
    assert_true(*count < MAX_KEYS);
    entry *e = &entries[(*count)++];
    memset(e, 0, sizeof *e);
    snprintf(e->key, sizeof e->key, "%s", key);
    return e;
}

/* ---- Tensors ---- */

static inline tensor *find_tensor(tensor *tensors, int count, const char *role)
{
    for (int i = 0; i < count; i++)
        if (strcmp(tensors[i].role, role) == 0)
            return &tensors[i];
    return NULL;
}

static inline tensor *input_of(test_case *c, const char *role)
{
    tensor *t = find_tensor(c->input, c->inputs, role);
    if (!t)
        fail_msg("%s: no %s", c->function, role);
    return t;
}

static inline void *data_of(test_case *c, const char *role)
{
    tensor *t = find_tensor(c->input, c->inputs, role);
    return t ? t->data : NULL;
}

static inline tensor *add_tensor(tensor *tensors, int *count, int most, const char *role, int bits)
{
    assert_true(*count < most);
    tensor *t = &tensors[(*count)++];
    memset(t, 0, sizeof *t);
    snprintf(t->role, sizeof t->role, "%s", role);
    t->bits = bits;
    return t;
}

/* "s16": 16. */
static inline int bits_of(const char *type)
{
    int bits = type[0] == 's' ? atoi(type + 1) : 0;
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
        fail_msg("there is no type %s", type);
    return bits;
}

static inline void count_elements(tensor *t)
{
    t->count = 1;
    for (int i = 0; i < t->rank; i++)
        t->count *= (size_t)t->shape[i];
}

static inline int64_t element(const tensor *t, size_t i)
{
    switch (t->bits) {
    case 8:
        return ((const int8_t *)t->data)[i];
    case 16:
        return ((const int16_t *)t->data)[i];
    case 32:
        return ((const int32_t *)t->data)[i];
    default:
        return ((const int64_t *)t->data)[i];
    }
}

static inline void set_element(tensor *t, size_t i, int64_t v)
{
    switch (t->bits) {
    case 8:
        assert_true(v >= INT8_MIN && v <= INT8_MAX);
        ((int8_t *)t->data)[i] = (int8_t)v;
        break;
    case 16:
        assert_true(v >= INT16_MIN && v <= INT16_MAX);
        ((int16_t *)t->data)[i] = (int16_t)v;
        break;
    case 32:
        assert_true(v >= INT32_MIN && v <= INT32_MAX);
        ((int32_t *)t->data)[i] = (int32_t)v;
        break;
    default:
        ((int64_t *)t->data)[i] = v;
    }
}

/* ---- Buffers ---- */

static inline size_t bytes_of(const tensor *t)
{
    return t->count * (size_t)t->bits / 8;
}

/* guard_bytes on both sides; with 0 a sanitizer sees every access beside the elements. */
static inline void make_buffer(tensor *t, size_t guard_bytes)
{
    size_t bytes = bytes_of(t) + 2 * guard_bytes;
    t->block = malloc(bytes ? bytes : 1);
    assert_non_null(t->block);
    memset(t->block, GUARD, bytes);
    t->data = t->block + guard_bytes;
    if (!t->values && t->count > 0)
        memset(t->data, FILL, bytes_of(t));
    for (size_t i = 0; t->values && i < t->count; i++)
        set_element(t, i, t->values[i]);
}

/* False, and why: bytes beside a tensor or elements of an input are not as they were. */
static inline bool buffer_is_kept(const tensor *t, size_t guard_bytes, char *why, size_t why_bytes)
{
    size_t end = guard_bytes + bytes_of(t);
    for (size_t i = 0; i < guard_bytes; i++)
        if (t->block[i] != GUARD || t->block[end + i] != GUARD) {
            snprintf(why, why_bytes, "a byte %s %s is overwritten",
                     t->block[i] != GUARD ? "in front of" : "behind", t->role);
            return false;
        }
    for (size_t i = 0; t->values && i < t->count; i++)
        if (element(t, i) != t->values[i]) {
            snprintf(why, why_bytes, "input %s[%zu] is overwritten", t->role, i);
            return false;
        }
    return true;
}

static inline void make_buffers(test_case *c, size_t guard_bytes)
{
    for (int i = 0; i < c->inputs; i++)
        make_buffer(&c->input[i], guard_bytes);
    for (int i = 0; i < c->outputs; i++)
        make_buffer(&c->output[i], guard_bytes);
}

static inline bool buffers_are_kept(const test_case *c, size_t guard_bytes, char *why,
                                    size_t why_bytes)
{
    for (int i = 0; i < c->inputs; i++)
        if (!buffer_is_kept(&c->input[i], guard_bytes, why, why_bytes))
            return false;
    for (int i = 0; i < c->outputs; i++)
        if (!buffer_is_kept(&c->output[i], guard_bytes, why, why_bytes))
            return false;
    return true;
}

static inline void release_buffers(test_case *c)
{
    for (int i = 0; i < c->inputs; i++)
        free(c->input[i].block);
    for (int i = 0; i < c->outputs; i++)
        free(c->output[i].block);
}

static inline void release_values(test_case *c)
{
    for (int i = 0; i < c->inputs; i++)
        free(c->input[i].values);
}

/* False, and why: the output is not that list. */
static inline bool output_is(const tensor *t, const int64_t *wanted, size_t count, char *why,
                             size_t why_bytes)
{
    size_t differ = 0, first = 0;
    if (count != t->count) {
        snprintf(why, why_bytes, "%s has %zu elements, expected %zu", t->role, t->count, count);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        if (element(t, i) != wanted[i] && differ++ == 0)
            first = i;
    if (differ > 0)
        snprintf(why, why_bytes,
                 "%s[%zu]: expected %" PRId64 ", got %" PRId64 "; %zu of %zu differ", t->role,
                 first, wanted[first], element(t, first), differ, count);
    return differ == 0;
}

#endif
