/* Fields of outputs: see files_fields.h. */
#include "harness/port/files_fields.h"

#include <string.h>

static bool is_number(const cJSON *node, double low, double high)
{
    return cJSON_IsNumber(node) && node->valuedouble >= low && node->valuedouble <= high &&
           node->valuedouble == (double)(int64_t)node->valuedouble;
}

/* Numbers of a list into fields of 32 bits. */
static bool take_extents(const cJSON *node, uint32_t *into)
{
    unsigned i = 0;
    if (!cJSON_IsArray(node) || cJSON_GetArraySize(node) > LB_MAX_RANK)
        return false;
    for (const cJSON *item = node->child; item; item = item->next) {
        if (!is_number(item, INT32_MIN, UINT32_MAX))
            return false;
        into[i++] = (uint32_t)(int64_t)item->valuedouble;
    }
    return true;
}

static bool take_field(lb_tensor *t, const cJSON *node)
{
    const char *key = node->string;
    bool is_fx = lb_is_fx(t->el_type), is_sa = lb_is_sa(t->el_type) && t->sa.dim < 0;
    uint32_t stride[LB_MAX_RANK];
    memcpy(stride, t->mem_stride, sizeof stride);
    if (strcmp(key, "rank") == 0 && is_number(node, 0, UINT32_MAX))
        t->rank = (uint32_t)node->valuedouble;
    else if (strcmp(key, "shape") == 0 && take_extents(node, t->shape))
        return true;
    else if (strcmp(key, "mem_stride") == 0 && take_extents(node, stride))
        memcpy(t->mem_stride, stride, sizeof stride);
    else if (strcmp(key, "frac_bits") == 0 && is_fx && is_number(node, INT8_MIN, INT8_MAX))
        t->frac_bits = (int8_t)node->valuedouble;
    else if (strcmp(key, "scale") == 0 && is_sa && is_number(node, INT16_MIN, INT16_MAX))
        t->sa.scale.mem.i16 = (int16_t)node->valuedouble;
    else if (strcmp(key, "zero_point") == 0 && is_sa && is_number(node, INT16_MIN, INT16_MAX))
        t->sa.zero_point.mem.i16 = (int16_t)node->valuedouble;
    else if (strcmp(key, "scale_frac_bits") == 0 && is_sa && is_number(node, INT8_MIN, INT8_MAX))
        t->sa.scale_frac_bits.mem.i8 = (int8_t)node->valuedouble;
    else
        return false;
    return true;
}

const char *lb_files_take_changed(const cJSON *told, const lb_case *c, lb_call *call,
                                  lb_arena *arena)
{
    const cJSON *changed = told ? cJSON_GetObjectItemCaseSensitive(told, "changed") : NULL;
    for (const cJSON *role = changed ? changed->child : NULL; role; role = role->next) {
        int number = role->string ? lb_role_find(role->string) : -1;
        if (number < 0 || !c->operand[number].present || !c->operand[number].is_output ||
            !call->tensor[number] || !cJSON_IsObject(role))
            return "changed: an output with its fields is expected";
        for (const cJSON *field = role->child; field; field = field->next)
            if (!take_field(call->tensor[number], field))
                return lb_arena_printf(
                    arena,
                    "changed.%s.%s: rank, shape, mem_stride, frac_bits, scale, zero_point or "
                    "scale_frac_bits of the tensor's type is expected",
                    role->string, field->string);
    }
    return NULL;
}
