/* The examples of reference/mli/spec: lines "[WHERE: ]NAME(ARGUMENT, ...) = RESULT" in blocks that
 * begin with ```example. Here is how they are read; what each name computes stands in
 * test_spec_examples.c. */
#ifndef LB_REFERENCE_TESTS_SPEC_EXAMPLES_H
#define LB_REFERENCE_TESTS_SPEC_EXAMPLES_H

#include "tensors.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_VALUES = 64, MAX_RESULT = 256 };

/* A number, a name, or a list of values. */
typedef struct spec_value {
    enum { VALUE_NUMBER, VALUE_NAME, VALUE_LIST } kind;
    int64_t integer;
    double number;
    char name[32];
    struct spec_value *item[16];
    int count;
} spec_value;

typedef struct example {
    spec_value pool[MAX_VALUES];
    int used;
    char where[32]; /* "" : everywhere */
    char name[32];
    spec_value *argument[8];
    int count;
    char wanted[MAX_RESULT]; /* the result, without blanks */
} example;

static inline const char *skip_blanks(const char *text)
{
    while (*text == ' ')
        text++;
    return text;
}

static inline bool is_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '-' || c == '+';
}

/* One value at *text, which moves behind it; NULL: there is none. */
static inline spec_value *read_value(example *e, const char **text)
{
    const char *at = skip_blanks(*text);
    if (e->used == MAX_VALUES)
        return NULL;
    spec_value *v = &e->pool[e->used++];
    memset(v, 0, sizeof *v);
    if (*at == '[') {
        v->kind = VALUE_LIST;
        at = skip_blanks(at + 1);
        while (*at != ']') {
            if (v->count == 16 || !(v->item[v->count++] = read_value(e, &at)))
                return NULL;
            at = skip_blanks(at);
            if (*at == ',')
                at++;
            else if (*at != ']')
                return NULL;
        }
        *text = at + 1;
        return v;
    }
    size_t length = 0;
    while (is_word_char(at[length]))
        length++;
    if (length == 0 || length >= sizeof v->name)
        return NULL;
    memcpy(v->name, at, length);
    char *end;
    v->number = strtod(v->name, &end);
    v->kind = *end == '\0' ? VALUE_NUMBER : VALUE_NAME;
    v->integer = strtoll(v->name, NULL, 10);
    *text = at + length;
    return v;
}

/* Reads a line; false: it is not an example. */
static inline bool read_example(const char *line, example *e)
{
    const char *colon = strchr(line, ':');
    const char *open = strchr(line, '(');
    e->used = e->count = 0;
    e->where[0] = '\0';
    if (!open)
        return false;
    if (colon && colon < open) {
        snprintf(e->where, sizeof e->where, "%.*s", (int)(colon - line), line);
        line = skip_blanks(colon + 1);
    }
    snprintf(e->name, sizeof e->name, "%.*s", (int)(open - line), line);
    const char *at = skip_blanks(open + 1);
    while (*at != ')') {
        if (e->count == 8 || !(e->argument[e->count++] = read_value(e, &at)))
            return false;
        at = skip_blanks(at);
        if (*at == ',')
            at++;
        else if (*at != ')')
            return false;
    }
    at = skip_blanks(at + 1);
    if (*at++ != '=')
        return false;
    size_t length = 0;
    for (; *at != '\0' && *at != '\n'; at++)
        if (*at != ' ' && length + 1 < sizeof e->wanted)
            e->wanted[length++] = *at;
    e->wanted[length] = '\0';
    return length > 0;
}

/* Does an example hold in this profile? WHERE is a profile's name or one of the two words of it. */
static inline bool holds_in(const char *where, const char *profile)
{
    const char *second = strchr(profile, '-') + 1;
    size_t first = (size_t)(second - profile) - 1;
    return *where == '\0' || strcmp(where, profile) == 0 || strcmp(where, second) == 0 ||
           (strlen(where) == first && strncmp(where, profile, first) == 0);
}

/* ---- Arguments and results ---- */

typedef struct task {
    const example *e;
    const lb_profile *profile;
    char *result;
} task;

static inline int64_t integer(const task *t, int i)
{
    return t->e->argument[i]->integer;
}

static inline int small(const task *t, int i)
{
    return (int)t->e->argument[i]->integer;
}

static inline const char *word(const task *t, int i)
{
    return t->e->argument[i]->name;
}

/* [scale, fractional bits, zero point] */
static inline lb_quant quant_of(const spec_value *v)
{
    assert_int_equal(v->count, 3);
    return (lb_quant){(int32_t)v->item[0]->integer, (int32_t)v->item[1]->integer,
                      (int32_t)v->item[2]->integer};
}

static inline lb_quant quant(const task *t, int i)
{
    return quant_of(t->e->argument[i]);
}

static inline uint32_t type_of(const char *name)
{
    static const uint32_t types[] = {LB_FX4, LB_FX8, LB_FX16, LB_SA8, LB_SA32, LB_FP16, LB_FP32};
    static const char *const names[] = {"fx4", "fx8", "fx16", "sa8", "sa32", "fp16", "fp32"};
    for (size_t i = 0; i < COUNT_OF(types); i++)
        if (strcmp(names[i], name) == 0)
            return types[i];
    fail_msg("no element type %s", name);
    return 0;
}

static inline uint32_t type(const task *t, int i)
{
    return type_of(word(t, i));
}

static inline lb_operands operands(const task *t, int i)
{
    static const char *const names[] = {"8x8", "16x8", "16x16"};
    for (int o = 0; o < LB_OPERANDS_COUNT; o++)
        if (strcmp(names[o], word(t, i)) == 0)
            return (lb_operands)o;
    fail_msg("no operands %s", word(t, i));
    return 0;
}

static inline void give(const task *t, int64_t number)
{
    snprintf(t->result, MAX_RESULT, "%" PRId64, number);
}

static inline void give_real(const task *t, double number)
{
    snprintf(t->result, MAX_RESULT, "%.12g", number);
}

static inline void give_word(const task *t, const char *name)
{
    snprintf(t->result, MAX_RESULT, "%s", name);
}

static inline void give_list(const task *t, const int64_t *numbers, int count)
{
    size_t length = (size_t)snprintf(t->result, MAX_RESULT, "[");
    for (int i = 0; i < count; i++)
        length += (size_t)snprintf(t->result + length, MAX_RESULT - length,
                                   i ? ",%" PRId64 : "%" PRId64, numbers[i]);
    snprintf(t->result + length, MAX_RESULT - length, "]");
}

static inline const char *run_call(const task *t, lb_call *call)
{
    lb_context context = {.profile = t->profile};
    const lb_rule *rule = lb_run_exact(&context, call);
    return rule ? rule->name : "";
}

/* A tensor with one set of parameters and the shape of a list (of an empty one: rank 0); dense. */
static inline lb_tensor tensor_of(uint32_t el_type, const spec_value *shape, lb_quant q, void *data)
{
    uint32_t extent[LB_MAX_RANK] = {0};
    for (int i = 0; i < shape->count; i++)
        extent[i] = (uint32_t)shape->item[i]->integer;
    lb_tensor result = make_sa(el_type, q, extent, data);
    if (!lb_is_sa(el_type))
        memset(&result.sa, 0, sizeof result.sa);
    result.frac_bits = (int8_t)q.frac;
    return result;
}

static inline lb_tensor vector_of(uint32_t el_type, uint32_t count, lb_quant q, void *data)
{
    spec_value extent = {.integer = count};
    spec_value shape = {.kind = VALUE_LIST, .count = 1, .item = {&extent}};
    return tensor_of(el_type, &shape, q, data);
}

static inline void fill(lb_tensor *tensor, const spec_value *list)
{
    for (int i = 0; i < list->count; i++)
        lb_store(tensor, (size_t)i, list->item[i]->integer);
}

static const lb_quant plain = {1, 0, 0};

#endif
