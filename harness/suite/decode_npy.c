/* The decoder: elements that stand in a NumPy file beside the suite, {"npy": "weights.npy"} or
 * {"npz": "model.npz", "member": "conv1.weight"}. */
#include "harness/arrays/array.h"
#include "harness/base/inside.h"
#include "harness/suite/decode_encoding.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool lb_is_npy_data(const cJSON *node)
{
    return cJSON_IsObject(node) && (cJSON_GetObjectItemCaseSensitive(node, "npy") ||
                                    cJSON_GetObjectItemCaseSensitive(node, "npz"));
}

enum { K_NPY, K_NPZ, K_MEMBER, K_AXES, K_COUNT };

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
    const char *name = lb_read_text(d, node), *suite = d->problems->file ? d->problems->file : "";
    const char *slash = strrchr(suite, '/');
    if (!name)
        return false;
    const char *folder =
        slash ? lb_arena_printf(d->arena, "%.*s/", (int)(slash - suite), suite) : "";
    bool inside = lb_name_is_inside(name) &&
                  lb_file_is_inside(folder, lb_arena_printf(d->arena, "%s%s", folder, name));
    if (!inside)
        lb_complain(d, node, NULL, "a name inside the suite's folder", "%.200s lies elsewhere",
                    name);
    return inside;
}

static int open_archive(lb_decoder *d, const cJSON *node)
{
    const char *name = node->valuestring;
    const char *path =
        lb_companion_path(d->document->companions, d->arena, d->problems->file, "npz", name);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        lb_complain(d, node, NULL, "a NumPy archive, from the folder of the suite", "%.200s: %s",
                    name, strerror(errno));
    return fd;
}

/* The bytes of an .npy file, or of such a member of an .npz file. */
static bool read_file(lb_decoder *d, const cJSON **slots, uint64_t due, lb_bytes *file)
{
    const size_t most = HEADER_ROOM + (size_t)due * MOST_ELEMENT_BYTES;
    const cJSON *node = slots[K_NPY] ? slots[K_NPY] : slots[K_NPZ];
    const char *why = NULL, *member = slots[K_NPZ] ? lb_read_text(d, slots[K_MEMBER]) : NULL;
    if (!is_inside(d, node) || (slots[K_NPZ] && !member))
        return false;
    if (slots[K_NPY]) {
        if (!lb_read_beside(d, node, "npy", "a NumPy file, from the folder of the suite", most,
                            &file->at, &file->count))
            return false;
        if (file->count > most)
            why = lb_arena_printf(d->arena, "it has %zu bytes, more than %" PRIu64 " elements take",
                                  file->count, due);
    } else {
        int fd = open_archive(d, node);
        if (fd < 0)
            return false;
        lb_npz_read(fd, member, most, d->arena, file, &why);
        close(fd);
    }
    if (why)
        lb_complain(d, node, NULL, "", "%.100s: %s", node->valuestring, why);
    return !why;
}

/* The dimensions in the order of "axes", as numpy.transpose has it: dimension i of the tensor is
 * dimension axes[i] of the array. */
static bool put_in_order(lb_decoder *d, const cJSON *node, lb_array *array)
{
    lb_values axes;
    unsigned seen = 0;
    lb_array turned = *array;
    size_t index[LB_ARRAY_RANK] = {0}, stride[LB_ARRAY_RANK + 1] = {0};
    if (!lb_read_integers(d, node, 0, LB_ARRAY_RANK - 1, "dimensions", &axes))
        return false;
    for (size_t i = 0; i < axes.count; i++)
        seen |= 1u << axes.items[i];
    if (axes.count != array->rank || seen != (1u << array->rank) - 1) {
        lb_complain(d, node, NULL, "each dimension of the array once, as numpy.transpose has it",
                    "the array has %u dimensions", array->rank);
        return false;
    }
    stride[array->rank] = 1;
    for (unsigned i = array->rank; i-- > 0;)
        stride[i] = stride[i + 1] * (array->shape[i] ? array->shape[i] : 1);
    turned.integers =
        array->is_real ? NULL : lb_arena_array(d->arena, array->count, sizeof(int64_t));
    turned.reals = array->is_real ? lb_arena_array(d->arena, array->count, sizeof(double)) : NULL;
    for (unsigned i = 0; i < array->rank; i++)
        turned.shape[i] = array->shape[axes.items[i]];
    for (size_t flat = 0; flat < array->count; flat++) {
        size_t from = 0;
        for (unsigned i = 0; i < array->rank; i++)
            from += index[i] * stride[axes.items[i] + 1];
        if (array->is_real)
            turned.reals[flat] = array->reals[from];
        else
            turned.integers[flat] = array->integers[from];
        for (unsigned i = array->rank; i-- > 0 && ++index[i] == turned.shape[i];)
            index[i] = 0;
    }
    *array = turned;
    return true;
}

static bool read_array(lb_decoder *d, const cJSON *node, const cJSON **slots, uint64_t due,
                       lb_array *array)
{
    static const lb_key keys[] = {
        {"npy", false}, {"npz", false}, {"member", false}, {"axes", false}, {NULL, false}};
    lb_bytes file;
    const char *why;
    if (!lb_read_members(d, node, keys, slots))
        return false;
    if (!slots[K_NPY] == !slots[K_NPZ] || !slots[K_NPZ] != !slots[K_MEMBER]) {
        lb_complain(d, node, NULL, "{npy: FILE}, or {npz: FILE, member: NAME}",
                    "it is not clear which array this is");
        return false;
    }
    if (!read_file(d, slots, due, &file))
        return false;
    const cJSON *name = slots[K_NPY] ? slots[K_NPY] : slots[K_MEMBER];
    if (!lb_npy_read(file.at, file.count, due ? (size_t)due : 1, d->arena, array, &why)) {
        lb_complain(d, name, NULL, "", "%.100s: %s", name->valuestring, why);
        return false;
    }
    return !slots[K_AXES] || put_in_order(d, slots[K_AXES], array);
}

bool lb_read_npy_data(lb_decoder *d, const cJSON *node, const lb_case_tensor *t, lb_el_type type,
                      uint64_t due, lb_values *values)
{
    const cJSON *slots[K_COUNT];
    lb_array array;
    if (!read_array(d, node, slots, due, &array))
        return false;
    const cJSON *name = slots[K_NPY] ? slots[K_NPY] : slots[K_MEMBER];
    if (!shape_fits(d, name, t, due, &array))
        return false;
    if (array.is_real != (type == LB_FP32)) {
        lb_complain(d, name, NULL,
                    type == LB_FP32 ? "floating-point numbers" : "integers: the containers",
                    "the elements are %s", array.is_real ? "floating-point numbers" : "integers");
        return false;
    }
    values->items = lb_arena_array(d->arena, array.count, sizeof *values->items);
    values->count = array.count;
    for (size_t i = 0; i < array.count; i++)
        if (array.is_real)
            values->items[i] = lb_bits_of_real((float)array.reals[i]);
        else if (!take_integer(d, name, type, &array, i, &values->items[i]))
            return false;
    return true;
}
