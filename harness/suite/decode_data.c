/* The decoder: element types, and lists of containers. */
#include "harness/suite/decode.h"

#include <stdlib.h>
#include <string.h>

/* The first binary64 numbers that would round to infinity in binary32. */
#define BINARY32_OVERFLOW 0x1.ffffffp127

/* A double holds every whole number up to here. */
#define LB_MOST_S64 ((int64_t)1 << 53)

static const struct {
    lb_el_type type;
    const char *name, *containers;
    int64_t low, high;
} types[] = {
    {LB_FX8, "fx8", "fx8 containers", INT8_MIN, INT8_MAX},
    {LB_FX16, "fx16", "fx16 containers", INT16_MIN, INT16_MAX},
    {LB_SA8, "sa8", "sa8 containers", INT8_MIN, INT8_MAX},
    {LB_SA32, "sa32", "sa32 containers", INT32_MIN, INT32_MAX},
    {LB_FP32, "fp32", "bit patterns", INT32_MIN, INT32_MAX},
    {LB_S8, "s8", "s8 numbers", INT8_MIN, INT8_MAX},
    {LB_S16, "s16", "s16 numbers", INT16_MIN, INT16_MAX},
    {LB_S32, "s32", "s32 numbers", INT32_MIN, INT32_MAX},
    {LB_S64, "s64", "s64 numbers that a JSON number holds exactly", -LB_MOST_S64, LB_MOST_S64},
    {LB_EL_INT4, "int4", "int4 numbers", -8, 7},
    {LB_EL_UINT4, "uint4", "uint4 numbers", 0, 15},
    {LB_EL_PACKED4, "packed4", "bytes", 0, UINT8_MAX},
    {LB_EL_FLOAT4E2M1, "float4e2m1", "float4e2m1 codes", 0, 15},
    {LB_EL_FLOAT8E4M3FN, "float8e4m3fn", "float8e4m3fn patterns", 0, UINT8_MAX},
    {LB_EL_FLOAT8E5M2, "float8e5m2", "float8e5m2 patterns", 0, UINT8_MAX},
    {LB_EL_FLOAT8E8M0, "float8e8m0", "float8e8m0 patterns", 0, UINT8_MAX},
    {LB_EL_FLOAT16, "float16", "float16 patterns", 0, UINT16_MAX},
    {LB_EL_BFLOAT16, "bfloat16", "bfloat16 patterns", 0, UINT16_MAX},
};
enum { TYPE_COUNT = sizeof types / sizeof types[0] };

bool lb_is_plain(lb_el_type type)
{
    return type == LB_S8 || type == LB_S16 || type == LB_S32 || type == LB_S64;
}

static unsigned row_of(lb_el_type type)
{
    unsigned row = 0;
    while (row + 1 < TYPE_COUNT && types[row].type != type)
        row++;
    return row;
}

bool lb_read_type(lb_decoder *d, const cJSON *node, lb_el_type *type)
{
    const char *names[TYPE_COUNT + 1] = {NULL};
    const bool of_litert = d->c->kernel && d->c->kernel->set == LB_SET_LITERT;
    unsigned rows[TYPE_COUNT], count = 0, row;
    for (unsigned i = 0; i < TYPE_COUNT; i++)
        if (!of_litert || lb_is_plain(types[i].type)) {
            rows[count] = i;
            names[count++] = types[i].name;
        }
    if (!lb_read_choice(d, node, names, &row))
        return false;
    *type = types[rows[row]].type;
    return true;
}

void lb_container_range(lb_el_type type, int64_t *low, int64_t *high)
{
    *low = types[row_of(type)].low;
    *high = types[row_of(type)].high;
}

int32_t lb_bits_of_real(float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* "nan", "inf", "-inf", or "0x" and eight hexadecimal digits: the pattern itself. */
static bool real_from_text(const char *text, int32_t *bits)
{
    static const struct {
        const char *text;
        uint32_t bits;
    } words[] = {{"nan", 0x7FC00000}, {"inf", 0x7F800000}, {"-inf", 0xFF800000}};
    uint32_t pattern = 0;
    bool known = strncmp(text, "0x", 2) == 0 && strlen(text) == 10 &&
                 strspn(text + 2, "0123456789abcdefABCDEF") == 8;
    if (known)
        pattern = (uint32_t)strtoul(text + 2, NULL, 16);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(text, words[i].text) == 0) {
            pattern = words[i].bits;
            known = true;
        }
    memcpy(bits, &pattern, sizeof pattern);
    return known;
}

static bool read_real(lb_decoder *d, const cJSON *node, int32_t *bits)
{
    static const char *const due =
        "fp32: numbers, or the texts \"nan\", \"inf\", \"-inf\", \"0x7fc00000\"";
    if (cJSON_IsString(node)) {
        if (real_from_text(node->valuestring, bits))
            return true;
        lb_complain(d, node, NULL, due, "%s is no fp32 number", lb_describe(node).text);
        return false;
    }
    if (!cJSON_IsNumber(node)) {
        lb_complain(d, node, NULL, due, "expected a number, found %s", lb_describe(node).text);
        return false;
    }
    if (node->valuestring) { /* YAML alone: the text of a hexadecimal number */
        lb_complain(d, node, NULL, "put a bit pattern in quotes",
                    "the bare hexadecimal number %s in fp32 data", node->valuestring);
        return false;
    }
    double value = node->valuedouble;
    if (!(value > -BINARY32_OVERFLOW && value < BINARY32_OVERFLOW)) {
        lb_complain(d, node, NULL, due, "%.9g is beyond the largest fp32 number", value);
        return false;
    }
    *bits = lb_bits_of_real((float)value);
    return true;
}

bool lb_read_element(lb_decoder *d, const cJSON *node, lb_el_type type, int32_t *value)
{
    if (type == LB_FP32)
        return read_real(d, node, value);
    unsigned row = row_of(type);
    int64_t wide;
    if (!lb_read_integer(d, node, types[row].low, types[row].high, types[row].containers, &wide))
        return false;
    *value = (int32_t)wide;
    return true;
}

int32_t lb_as_container(lb_el_type type, int32_t value)
{
    unsigned bytes = lb_storage_bytes((uint32_t)type);
    return bytes == 1 ? (int8_t)value : bytes == 2 ? (int16_t)value : value;
}

/* Numbers of 64 bits, as low and high words. */
static bool read_wide(lb_decoder *d, const cJSON *node, lb_values *values)
{
    const unsigned row = row_of(LB_S64), found = d->found;
    size_t i = 0;
    if (!lb_read_list(d, node, 0, SIZE_MAX, types[row].containers, &values->count))
        return false;
    values->items = lb_arena_array(d->arena, values->count, sizeof *values->items);
    values->high = lb_arena_array(d->arena, values->count, sizeof *values->high);
    for (const cJSON *child = node->child; child && !lb_problems_full(d->problems);
         child = child->next, i++) {
        int64_t value = 0;
        lb_read_integer(d, child, types[row].low, types[row].high, types[row].containers, &value);
        lb_set_wide_value(values, i, value);
    }
    return d->found == found;
}

bool lb_read_data(lb_decoder *d, const cJSON *node, lb_el_type type, lb_values *values)
{
    size_t count;
    unsigned row = row_of(type);
    if (type == LB_S64)
        return read_wide(d, node, values);
    if (type != LB_FP32) {
        if (!lb_read_integers(d, node, types[row].low, types[row].high, types[row].containers,
                              values))
            return false;
        for (size_t i = 0; lb_is_extension((uint32_t)type) && i < values->count; i++)
            values->items[i] = lb_as_container(type, values->items[i]);
        return true;
    }
    if (!lb_read_list(d, node, 0, SIZE_MAX, "fp32 numbers", &count))
        return false;
    values->items = lb_arena_array(d->arena, count, sizeof *values->items);
    values->count = count;
    unsigned found = d->found;
    int32_t *item = values->items;
    for (const cJSON *child = node->child; child && !lb_problems_full(d->problems);
         child = child->next)
        read_real(d, child, item++);
    return d->found == found;
}
