/* The decoder: elements that stand in a NumPy file beside the suite, {"npy": "weights.npy"}. */
#include "harness/arrays/array.h"
#include "harness/suite/decode_encoding.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool lb_is_npy_data(const cJSON *node)
{
    return cJSON_IsObject(node) && cJSON_GetObjectItemCaseSensitive(node, "npy");
}

/* A header and a row of blanks are never longer than this. */
enum { HEADER_ROOM = 65536 + 64, MOST_ELEMENT_BYTES = 8 };

/* The array's shape is that of the tensor; a buffer told whole is a list. */
static bool shape_fits(lb_decoder *d, const cJSON *node, const lb_case_tensor *t, uint64_t due,
                       const lb_array *array)
{
    bool same = array->rank == (t->has_buffer_elements ? 1 : t->rank);
    char have[128] = "";
    size_t length = 0;
    for (unsigned i = 0; same && i < array->rank; i++)
        same = array->shape[i] == (t->has_buffer_elements ? due : t->shape[i]);
    if (same)
        return true;
    for (unsigned i = 0; i < array->rank && length + 24 < sizeof have; i++)
        length += (size_t)snprintf(have + length, sizeof have - length, "%s%" PRIu64, i ? "," : "",
                                   array->shape[i]);
    lb_complain(d, node, NULL, "an array of the tensor's shape", "an array of shape [%s]", have);
    return false;
}

static bool take_integer(lb_decoder *d, const cJSON *node, lb_el_type type, const lb_array *array,
                         size_t i, int32_t *item)
{
    int64_t low, high, value = array->integers[i];
    lb_container_range(type, &low, &high);
    if (value < low || value > high) {
        lb_complain(d, node, NULL, "",
                    "element %zu is %" PRId64 ", outside of %" PRId64 "..%" PRId64, i, value, low,
                    high);
        return false;
    }
    *item = lb_as_container(type, (int32_t)value);
    return true;
}

/* A suite and its arrays move together. */
static bool is_inside(lb_decoder *d, const cJSON *node)
{
    const char *name = lb_read_text(d, node);
    if (name && (*name == '/' || strstr(name, "..")))
        lb_complain(d, node, NULL, "a name inside the suite's folder", "%.200s lies elsewhere",
                    name);
    return name && *name != '/' && !strstr(name, "..");
}

bool lb_read_npy_data(lb_decoder *d, const cJSON *node, const lb_case_tensor *t, lb_el_type type,
                      uint64_t due, lb_values *values)
{
    static const lb_key keys[] = {{"npy", true}, {NULL, false}};
    const cJSON *slots[1];
    lb_bytes file;
    lb_array array;
    const char *why;
    const size_t most = HEADER_ROOM + (size_t)due * MOST_ELEMENT_BYTES;
    if (!lb_read_members(d, node, keys, slots) || !is_inside(d, slots[0]) ||
        !lb_read_beside(d, slots[0], "npy", "a NumPy file, from the folder of the suite", most,
                        &file.at, &file.count))
        return false;
    if (file.count > most) {
        lb_complain(d, slots[0], NULL, "", "%.100s: it has %zu bytes, more than %llu elements take",
                    slots[0]->valuestring, file.count, (unsigned long long)due);
        return false;
    }
    if (!lb_npy_read(file.at, file.count, due ? (size_t)due : 1, d->arena, &array, &why)) {
        lb_complain(d, slots[0], NULL, "", "%.100s: %s", slots[0]->valuestring, why);
        return false;
    }
    if (!shape_fits(d, slots[0], t, due, &array))
        return false;
    if (array.is_real != (type == LB_FP32)) {
        lb_complain(d, slots[0], NULL,
                    type == LB_FP32 ? "floating-point numbers" : "integers: the containers",
                    "the elements are %s", array.is_real ? "floating-point numbers" : "integers");
        return false;
    }
    values->items = lb_arena_array(d->arena, array.count, sizeof *values->items);
    values->count = array.count;
    for (size_t i = 0; i < array.count; i++)
        if (array.is_real)
            values->items[i] = lb_bits_of_real((float)array.reals[i]);
        else if (!take_integer(d, slots[0], type, &array, i, &values->items[i]))
            return false;
    return true;
}
