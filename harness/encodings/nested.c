/* Lists of lists of numbers, and the types of 2.x: see nested.h. */
#include "harness/encodings/nested.h"

#include <string.h>

/* ---- Types ---- */

static const lb_enc_dtype dtypes[] = {
    {"int2", false, true, 2, -2, 1},
    {"uint2", false, false, 2, 0, 3},
    {"int4", false, true, 4, -8, 7},
    {"uint4", false, false, 4, 0, 15},
    {"int8", false, true, 8, -128, 127},
    {"uint8", false, false, 8, 0, 255},
    {"int16", false, true, 16, -32768, 32767},
    {"uint16", false, false, 16, 0, 65535},
    {"int32", false, true, 32, -2147483648.0, 2147483647.0},
    {"uint32", false, false, 32, 0, 4294967295.0},
    {"float4e2m1", true, true, 4, -6, 6},
    {"float8e4m3fn", true, true, 8, -448, 448},
    {"float8e4m3fnuz", true, true, 8, -240, 240},
    {"float8e5m2", true, true, 8, -57344, 57344},
    {"float8e5m2fnuz", true, true, 8, -57344, 57344},
};

const char lb_enc_dtype_names[] = "int2, uint2, int4, uint4, int8, uint8, int16, uint16, int32, "
                                  "uint32, float4e2m1, float8e4m3fn, float8e4m3fnuz, float8e5m2 or "
                                  "float8e5m2fnuz";

const lb_enc_dtype *lb_enc_dtype_of(const char *name)
{
    for (size_t i = 0; i < sizeof dtypes / sizeof dtypes[0]; i++)
        if (strcmp(name, dtypes[i].name) == 0)
            return &dtypes[i];
    return NULL;
}

/* ---- Lists ---- */

size_t lb_enc_nested_count(const cJSON *node)
{
    size_t count = 0;
    if (!cJSON_IsArray(node))
        return 1;
    for (const cJSON *child = node->child; child; child = child->next)
        count += lb_enc_nested_count(child);
    return count;
}

unsigned lb_enc_nested_shape(const cJSON *node, size_t shape[LB_ENC_RANK])
{
    unsigned rank = 0;
    for (; cJSON_IsArray(node); node = node->child, rank++) {
        if (rank == LB_ENC_RANK)
            return LB_ENC_RANK + 1;
        shape[rank] = (size_t)cJSON_GetArraySize(node);
    }
    return rank;
}

bool lb_enc_nested_check(lb_enc_reader *r, const cJSON *node, const lb_pointer *where,
                         const cJSON *like)
{
    bool list_due = like ? cJSON_IsArray(like) : cJSON_IsArray(node);
    if (list_due != (bool)cJSON_IsArray(node) || (!list_due && !cJSON_IsNumber(node)))
        return lb_enc_fail(r, "E_FIELD_TYPE", where, node,
                           !like      ? "a number, a list of numbers, or lists of lists of them"
                           : list_due ? "a list, as its neighbour is one"
                                      : "a number, as its neighbour is one",
                           "%s", lb_enc_describe(r, node));
    if (!list_due)
        return true;
    int count = cJSON_GetArraySize(node);
    if (count == 0)
        return lb_enc_fail(r, "E_EMPTY_LIST", where, node, "one entry at least",
                           "the list is empty");
    if (like && count != cJSON_GetArraySize(like))
        return lb_enc_fail(r, "E_LENGTH", where, node,
                           lb_arena_printf(&r->file->arena, "as many as its neighbour has: %d",
                                           cJSON_GetArraySize(like)),
                           "%d entries", count);
    const cJSON *first = like ? like->child : node->child;
    size_t i = 0;
    for (const cJSON *child = node->child; child; child = child->next, i++) {
        lb_pointer at = lb_step_index(where, i);
        if (!lb_enc_nested_check(r, child, &at, first == child ? NULL : first))
            return false;
        if (like)
            first = first->next;
    }
    return true;
}

bool lb_enc_nested_each(lb_enc_reader *r, const cJSON *node, const lb_pointer *where,
                        lb_enc_number_fn fn, void *user)
{
    size_t i = 0;
    if (!cJSON_IsArray(node))
        return fn(r, user, node, where);
    for (const cJSON *child = node->child; child; child = child->next, i++) {
        lb_pointer at = lb_step_index(where, i);
        if (!lb_enc_nested_each(r, child, &at, fn, user))
            return false;
    }
    return true;
}
