/* Elements in files: see elements.h. */
#include "harness/export/elements.h"
#include "harness/trial/compare.h"

#include <string.h>

const char *lb_export_dtype(lb_el_type type)
{
    if (type == LB_FP32)
        return "<f4";
    static const char *const plain[] = {"|i1", "<i2", "<i4", "<i8"}, *const bare[] = {"|u1", "<u2",
                                                                                      "<u4", "<u8"};
    unsigned bytes = lb_storage_bytes((uint32_t)type), row = bytes == 1   ? 0
                                                             : bytes == 2 ? 1
                                                             : bytes == 4 ? 2
                                                                          : 3;
    return lb_is_extension((uint32_t)type) && type != LB_EL_INT4 ? bare[row] : plain[row];
}

/* One behind the other, as the host has them: little-endian. */
static unsigned char *dense(const lb_elements *v, lb_arena *arena)
{
    unsigned width = v->layout.element_bytes;
    unsigned char *all = lb_arena_alloc(arena, v->count * width + 1);
    for (size_t i = 0; i < v->count; i++)
        memcpy(all + i * width, v->base + lb_layout_offset(&v->layout, i), width);
    return all;
}

/* The memory from the first to the last element, gaps included, in the order of the device. */
static lb_bytes image_of(const lb_elements *v, bool big_endian, lb_arena *arena)
{
    unsigned width = v->layout.element_bytes;
    lb_bytes image = {.at = lb_arena_alloc(arena, v->span_bytes + 1), .count = v->span_bytes};
    for (size_t i = 0; i < v->span_bytes; i++)
        image.at[i] = v->base[big_endian ? i / width * width + width - 1 - i % width : i];
    return image;
}

lb_bytes lb_export_elements(const lb_export *e, const lb_instance *instance, lb_role role,
                            unsigned list_index, lb_arena *arena)
{
    lb_elements v = lb_instance_elements(instance, role, list_index);
    const lb_case_tensor *t = &instance->memory->test_case->operand[role].tensors[list_index];
    if (e->form == LB_FILES_NPY)
        return lb_npy_write(lb_export_dtype(t->type), v.layout.rank, v.layout.shape,
                            dense(&v, arena), v.count * v.layout.element_bytes, arena);
    lb_bytes image = image_of(&v, e->big_endian, arena);
    return e->form == LB_FILES_HEX
               ? lb_hex_write(image.at, image.count, e->word_bits, e->big_endian, arena)
               : image;
}

lb_bytes lb_export_c_array(const lb_instance *instance, lb_role role, unsigned list_index,
                           const char *name, lb_arena *arena)
{
    enum { IN_LINE = 16, MOST_DIGITS = 24 };
    lb_elements v = lb_instance_elements(instance, role, list_index);
    unsigned width = v.layout.element_bytes;
    size_t elements = v.span_bytes / (width ? width : 1);
    char *head = lb_arena_printf(arena, "static const int%u_t %s[%zu] = {\n", 8 * width, name,
                                 elements ? elements : 1);
    size_t at = strlen(head), room = at + elements * MOST_DIGITS + elements / IN_LINE * 6 + 64;
    char *text = lb_arena_alloc(arena, room);
    memcpy(text, head, at);
    for (size_t i = 0; i < elements; i++) {
        int64_t value = lb_read_container(v.base + i * width, width);
        const char *end = (i + 1) % IN_LINE && i + 1 < elements ? "," : ",\n";
        const char *begin = i % IN_LINE ? " " : "    ";
        /* The lowest number of 32 bits has no constant of its own in C. */
        at += (size_t)(value == INT32_MIN
                           ? snprintf(text + at, room - at, "%sINT32_MIN%s", begin, end)
                           : snprintf(text + at, room - at, "%s%lld%s", begin, (long long)value,
                                      end));
    }
    if (elements == 0)
        at += (size_t)snprintf(text + at, room - at, "    0\n");
    at += (size_t)snprintf(text + at, room - at, "};\n");
    return (lb_bytes){.at = (unsigned char *)text, .count = at};
}

cJSON *lb_export_list(const lb_instance *instance, lb_role role, unsigned list_index)
{
    lb_elements v = lb_instance_elements(instance, role, list_index);
    const lb_case_tensor *t = &instance->memory->test_case->operand[role].tensors[list_index];
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < v.count; i++) {
        const unsigned char *at = v.base + lb_layout_offset(&v.layout, i);
        float real = 0;
        memcpy(&real, at, t->type == LB_FP32 ? sizeof real : 0);
        double value = t->type == LB_FP32 ? (double)real
                                          : (double)lb_read_container(at, v.layout.element_bytes);
        cJSON_AddItemToArray(list, cJSON_CreateNumber(value));
    }
    return list;
}
