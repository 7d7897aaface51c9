/* The decoder: elements of four bits that stand packed in a text or a file. Spec: float4.md 3. */
#include "harness/base/whole_file.h"
#include "harness/suite/decode_encoding.h"
#include "reference/core/float4.h"

#include <stdio.h>
#include <string.h>

bool lb_is_packed_data(const cJSON *node)
{
    return cJSON_IsObject(node) && (cJSON_GetObjectItemCaseSensitive(node, "packed") ||
                                    cJSON_GetObjectItemCaseSensitive(node, "packed_file"));
}

/* Two hexadecimal digits a byte, blanks between bytes. */
static bool read_hex(lb_decoder *d, const cJSON *node, uint8_t **bytes, size_t *count)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *text = lb_read_text(d, node);
    if (!text)
        return false;
    *bytes = lb_arena_alloc(d->arena, strlen(text) / 2 + 1);
    *count = 0;
    while (*text) {
        const char *high = strchr(digits, text[0]);
        const char *low = text[1] ? strchr(digits, text[1]) : NULL;
        if (*text == ' ') {
            text++;
        } else if (high && low) {
            (*bytes)[(*count)++] = (uint8_t)((high - digits) % 16 * 16 + (low - digits) % 16);
            text += 2;
        } else {
            lb_complain(d, node, NULL, "two hexadecimal digits a byte", "\"%.20s\" is no byte",
                        text);
            return false;
        }
    }
    return true;
}

bool lb_read_beside(lb_decoder *d, const cJSON *node, const char *role, const char *what,
                    size_t due_bytes, uint8_t **bytes, size_t *count)
{
    const char *name = lb_read_text(d, node);
    if (!name)
        return false;
    lb_whole_file file = lb_whole_file_read(
        lb_companion_path(d->document->companions, d->arena, d->problems->file, role, name),
        due_bytes, d->arena);
    *bytes = (uint8_t *)file.text;
    *count = file.length;
    if (file.text || file.state == LB_FILE_TOO_LARGE) /* the caller tells how many are expected */
        return true;
    lb_complain(d, node, NULL, what, "%.200s: %s", name, lb_whole_file_problem(&file));
    return false;
}

/* A nibble that is left over and not 0 is no error, but should be known. */
static void warn_of_padding(const lb_decoder *d)
{
    fprintf(stderr,
            "%s: warning: case %s: padding-nonzero: the nibble behind the last element is not 0\n",
            d->problems->file ? d->problems->file : "", d->case_id);
}

bool lb_read_packed_data(lb_decoder *d, const cJSON *node, lb_el_type type, size_t due,
                         lb_values *values)
{
    static const lb_key keys[] = {{"packed", false}, {"packed_file", false}, {NULL, false}};
    const cJSON *slots[2];
    uint8_t *bytes;
    size_t count;
    size_t due_bytes = lb_nibble_bytes(due);
    if (!lb_read_members(d, node, keys, slots))
        return false;
    if (type != LB_EL_FLOAT4E2M1 && type != LB_EL_INT4 && type != LB_EL_UINT4) {
        lb_complain(d, node, NULL, "float4e2m1, int4 and uint4 may stand packed",
                    "elements of %s have more than four bits", lb_el_type_name((uint32_t)type));
        return false;
    }
    if (slots[0] && slots[1]) {
        lb_complain_key(d, slots[1], "leave one out", "\"packed_file\" stands beside packed");
        return false;
    }
    if (slots[0] ? !read_hex(d, slots[0], &bytes, &count)
                 : !lb_read_beside(d, slots[1], "packed",
                                   "a file of packed elements, from the folder of the suite",
                                   due_bytes, &bytes, &count))
        return false;
    if (count != due_bytes) {
        lb_complain(
            d, node, NULL, "two elements a byte, an odd last one in a byte of its own",
            "%s: %zu bytes for %zu elements, which take %zu",
            lb_unpack_result_name(count < due_bytes ? LB_UNPACK_TOO_SHORT : LB_UNPACK_TOO_LONG),
            count, due, due_bytes);
        return false;
    }
    uint8_t *elements = lb_arena_alloc(d->arena, due + 1);
    if (due > 0 && lb_nibbles_unpack(bytes, count, due, elements) == LB_UNPACK_PADDING)
        warn_of_padding(d);
    values->items = lb_arena_array(d->arena, due, sizeof *values->items);
    values->count = due;
    for (size_t i = 0; i < due; i++)
        values->items[i] = lb_int4_of_nibble(elements[i], type == LB_EL_INT4);
    return true;
}
