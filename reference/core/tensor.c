/* Tensors: element types, addressing, and reading and writing of containers. Spec: numerics.md
 * 1, 2. */
#include "tensor.h"

#include "arith.h"

#include <math.h>
#include <string.h>

typedef struct type_info {
    uint32_t el_type;
    const char *name;
    unsigned bytes;
    bool is_extension;
} type_info;

static const type_info types[] = {
    {LB_FX8, "fx8", 1, false},
    {LB_FX16, "fx16", 2, false},
    {LB_SA8, "sa8", 1, false},
    {LB_SA32, "sa32", 4, false},
    {LB_FP32, "fp32", 4, false},
    {LB_S8, "s8", 1, false},
    {LB_S16, "s16", 2, false},
    {LB_S32, "s32", 4, false},
    {LB_S64, "s64", 8, false},
    {LB_EL_INT4, "int4", 1, true},
    {LB_EL_UINT4, "uint4", 1, true},
    {LB_EL_PACKED4, "packed4", 1, true},
    {LB_EL_FLOAT4E2M1, "float4e2m1", 1, true},
    {LB_EL_FLOAT8E4M3FN, "float8e4m3fn", 1, true},
    {LB_EL_FLOAT8E5M2, "float8e5m2", 1, true},
    {LB_EL_FLOAT8E8M0, "float8e8m0", 1, true},
    {LB_EL_FLOAT16, "float16", 2, true},
    {LB_EL_BFLOAT16, "bfloat16", 2, true},
};

static const type_info *find_type(uint32_t el_type)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (types[i].el_type == el_type)
            return &types[i];
    return NULL;
}

unsigned lb_element_bytes(uint32_t el_type)
{
    const type_info *info = find_type(el_type);
    return info && !info->is_extension ? info->bytes : 0;
}

unsigned lb_storage_bytes(uint32_t el_type)
{
    const type_info *info = find_type(el_type);
    return info ? info->bytes : 0;
}

bool lb_is_extension(uint32_t el_type)
{
    const type_info *info = find_type(el_type);
    return info && info->is_extension;
}

int lb_container_bits(uint32_t el_type)
{
    return (int)lb_element_bytes(el_type) * 8;
}

bool lb_is_fx(uint32_t el_type)
{
    return el_type == LB_FX8 || el_type == LB_FX16;
}

bool lb_is_sa(uint32_t el_type)
{
    return el_type == LB_SA8 || el_type == LB_SA32;
}

bool lb_has_own_parameters(const lb_tensor *t)
{
    bool reads_none = !lb_is_fx(t->el_type) && !lb_is_sa(t->el_type);
    return t->set_for == 0 || reads_none || (lb_is_fx(t->set_for) && lb_is_fx(t->el_type)) ||
           (lb_is_sa(t->set_for) && lb_is_sa(t->el_type));
}

const char *lb_el_type_name(uint32_t el_type)
{
    const type_info *info = find_type(el_type);
    return info ? info->name : NULL;
}

/* Entry of a list of `bytes` wide integers. Copied, because nothing promises that a list is
 * aligned. */
static int32_t read_integer(const void *list, size_t entry, unsigned bytes)
{
    const unsigned char *from = (const unsigned char *)list + entry * bytes;
    int8_t v8;
    int16_t v16;
    int32_t v32;
    switch (bytes) {
    case 1:
        memcpy(&v8, from, sizeof v8);
        return v8;
    case 2:
        memcpy(&v16, from, sizeof v16);
        return v16;
    default:
        memcpy(&v32, from, sizeof v32);
        return v32;
    }
}

const char *lb_quant_field_name(lb_quant_field field)
{
    static const char *const names[] = {[LB_QUANT_SCALE] = "scale",
                                        [LB_QUANT_ZERO_POINT] = "zero_point",
                                        [LB_QUANT_FRAC_BITS] = "frac_bits",
                                        [LB_QUANT_SCALE_FRAC_BITS] = "scale_frac_bits"};
    return names[field];
}

int lb_quant_field_bits(lb_quant_field field)
{
    static const uint8_t bits[] = {[LB_QUANT_SCALE] = 16,
                                   [LB_QUANT_ZERO_POINT] = 16,
                                   [LB_QUANT_FRAC_BITS] = 8,
                                   [LB_QUANT_SCALE_FRAC_BITS] = 8};
    return bits[field];
}

int32_t lb_quant_get(lb_quant quant, lb_quant_field field)
{
    return field == LB_QUANT_SCALE        ? quant.scale
           : field == LB_QUANT_ZERO_POINT ? quant.zero_point
                                          : quant.frac;
}

lb_quant lb_quant_at(const lb_tensor *t, uint32_t index)
{
    if (!lb_is_sa(t->el_type))
        return (lb_quant){1, lb_is_fx(t->el_type) ? t->frac_bits : 0, 0};
    if (t->sa.dim < 0) {
        return (lb_quant){t->sa.scale.mem.i16, t->sa.scale_frac_bits.mem.i8,
                          t->sa.zero_point.mem.i16};
    }
    return (lb_quant){read_integer(t->sa.scale.mem.ptr, index, 2),
                      read_integer(t->sa.scale_frac_bits.mem.ptr, index, 1),
                      read_integer(t->sa.zero_point.mem.ptr, index, 2)};
}

/* Dimensions that exist; junk ranks are cut, so that no loop leaves the arrays. */
static uint32_t dimensions(const lb_tensor *t)
{
    return t->rank < LB_MAX_RANK ? t->rank : LB_MAX_RANK;
}

size_t lb_element_count(const lb_tensor *t)
{
    size_t count = 1;
    for (uint32_t d = 0; d < dimensions(t); d++) {
        if (t->shape[d] != 0 && count > SIZE_MAX / t->shape[d])
            return SIZE_MAX;
        count *= t->shape[d];
    }
    return count;
}

/* Indices are read with a sign: of an edited map one may be negative where the sum of all is a
 * place, and no dimension of a tensor has 2^31 elements. */
size_t lb_offset_of(const lb_tensor *t, const uint32_t *index)
{
    size_t offset = 0;
    for (uint32_t d = 0; d < dimensions(t); d++)
        offset += (size_t)(int64_t)(int32_t)index[d] * (size_t)t->mem_stride[d];
    return offset;
}

void lb_unflatten(const lb_tensor *t, size_t flat, uint32_t index[LB_MAX_RANK])
{
    for (uint32_t d = dimensions(t); d-- > 0;) {
        size_t rest = flat < t->shape[d] ? 0 : flat / t->shape[d]; /* divisions take their time */
        index[d] = (uint32_t)(flat - rest * t->shape[d]);
        flat = rest;
    }
}

size_t lb_offset_of_flat(const lb_tensor *t, size_t flat)
{
    size_t offset = 0;
    for (uint32_t d = dimensions(t); d-- > 0;) {
        size_t rest = flat < t->shape[d] ? 0 : flat / t->shape[d];
        offset += (flat - rest * t->shape[d]) * (size_t)t->mem_stride[d];
        flat = rest;
    }
    return offset;
}

int32_t lb_load_any(const lb_tensor *t, size_t offset)
{
    unsigned bytes = lb_storage_bytes(t->el_type);
    if (bytes == 0 || t->el_type == LB_FP32)
        return 0;
    if (t->rank == 0)
        return read_integer(&t->data.mem, 0, bytes);
    return read_integer(t->data.mem.ptr, offset, bytes);
}

int64_t lb_load_wide(const lb_tensor *t, size_t offset)
{
    int64_t value;
    if (t->el_type != LB_S64)
        return lb_load(t, offset);
    memcpy(&value, (const unsigned char *)t->data.mem.ptr + offset * sizeof value, sizeof value);
    return value;
}

void lb_load_run(const lb_tensor *t, size_t start, size_t step, size_t count, int32_t *to,
                 size_t to_step)
{
    if (t->rank > 0 && (t->el_type == LB_SA8 || t->el_type == LB_FX8)) {
        const int8_t *from = (const int8_t *)t->data.mem.ptr + start;
        for (size_t i = 0; i < count; i++)
            to[i * to_step] = from[i * step];
        return;
    }
    if (t->rank > 0 && t->el_type == LB_FX16) {
        const unsigned char *from = (const unsigned char *)t->data.mem.ptr + 2 * start;
        for (size_t i = 0; i < count; i++) {
            int16_t value;
            memcpy(&value, from + 2 * i * step, sizeof value);
            to[i * to_step] = value;
        }
        return;
    }
    for (size_t i = 0; i < count; i++)
        to[i * to_step] = lb_load_any(t, start + i * step);
}

void lb_store(lb_tensor *t, size_t offset, int64_t value)
{
    unsigned bytes = lb_storage_bytes(t->el_type);
    unsigned char *to = t->rank == 0 ? (unsigned char *)&t->data.mem
                                     : (unsigned char *)t->data.mem.ptr + offset * bytes;
    int8_t v8 = (int8_t)lb_wrap(value, 8);
    int16_t v16 = (int16_t)lb_wrap(value, 16);
    int32_t v32 = (int32_t)lb_wrap(value, 32);
    switch (bytes) {
    case 1:
        memcpy(to, &v8, sizeof v8);
        break;
    case 2:
        memcpy(to, &v16, sizeof v16);
        break;
    case 4:
        memcpy(to, &v32, sizeof v32);
        break;
    case 8:
        memcpy(to, &value, sizeof value);
        break;
    default: /* a type without containers: nothing to write */
        break;
    }
}

double lb_load_real(const lb_tensor *t, size_t offset, uint32_t index)
{
    if (t->el_type == LB_FP32) {
        float value;
        const void *from =
            t->rank == 0 ? (const void *)&t->data.mem : (const void *)(t->data.mem.pf32 + offset);
        memcpy(&value, from, sizeof value);
        return (double)value;
    }
    lb_quant q = lb_quant_at(t, index);
    double steps = lb_load_fine(t, offset) - (double)q.zero_point;
    return ldexp(steps * (double)q.scale, -q.frac);
}
