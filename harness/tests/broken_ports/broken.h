/* What the broken ports share: each is our implementation behind the kit, with one function
 * replaced by one that is wrong in one realistic way. */
#ifndef LB_BROKEN_H
#define LB_BROKEN_H

#include "../../port_kit/lb_kit.h"

#include <mli_api.h>
#include <mli_lastbit.h>

#include <stddef.h>
#include <string.h>

static inline void broken_set_profile(const char *name)
{
    mli_ext_set_profile(name);
}

#define BROKEN_PORT(text)                                                                          \
    const lb_kit_port lb_port = {text, LB_KIT_ALL_PROFILES, broken_set_profile};

static inline int32_t broken_get(const mli_tensor *t, size_t offset)
{
    return t->el_type == MLI_EL_FX_16                                 ? t->data.mem.pi16[offset]
           : t->el_type == MLI_EL_SA_32 || t->el_type == MLI_EL_FP_32 ? t->data.mem.pi32[offset]
                                                                      : t->data.mem.pi8[offset];
}

static inline void broken_put(const mli_tensor *t, size_t offset, int32_t value)
{
    if (t->el_type == MLI_EL_FX_16)
        t->data.mem.pi16[offset] = (int16_t)value;
    else if (t->el_type == MLI_EL_SA_32 || t->el_type == MLI_EL_FP_32)
        t->data.mem.pi32[offset] = value;
    else
        t->data.mem.pi8[offset] = (int8_t)value;
}

static inline size_t broken_count(const mli_tensor *t)
{
    size_t count = 1;
    for (uint32_t d = 0; d < t->rank; d++)
        count *= t->shape[d];
    return count;
}

/* Offset of the element with this flat number, through the strides. */
static inline size_t broken_offset(const mli_tensor *t, size_t flat)
{
    size_t offset = 0;
    for (uint32_t d = t->rank; d-- > 0;) {
        offset += flat % t->shape[d] * (size_t)t->mem_stride[d];
        flat /= t->shape[d];
    }
    return offset;
}

static inline int32_t broken_clip(int64_t value, const mli_tensor *like)
{
    int64_t most = like->el_type == MLI_EL_FX_16 ? INT16_MAX : INT8_MAX;
    return (int32_t)(value > most ? most : value < -most - 1 ? -most - 1 : value);
}

/* value * 2^-shift, ties up; shift 0 to 62. */
static inline int64_t broken_round(int64_t value, int shift)
{
    return shift == 0 ? value : (value + ((int64_t)1 << (shift - 1))) >> shift;
}

#endif
