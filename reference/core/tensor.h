/* Tensors as the models and the harness pass them about: the fields of an MLI tensor, without an
 * ABI. Spec: numerics.md 1, 2. A port's own tensor type is made from this one, field by field,
 * pointers unchanged. */
#ifndef LB_REFERENCE_TENSOR_H
#define LB_REFERENCE_TENSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { LB_MAX_RANK = 4 };

/* Element types; the numbers are those of the API (api.md 2). */
typedef enum lb_el_type {
    LB_FX4 = 0x4,
    LB_FX8 = 0x8,
    LB_FX16 = 0x10,
    LB_SA8 = 0x108,
    LB_SA32 = 0x120,
    LB_FP16 = 0x210,
    LB_FP32 = 0x220,
    /* Extensions, of the functions mli_ext_* alone (float4.md). Elements are bit patterns, one to a
     * container, whatever their bits; int4 is sign-extended. packed4: a byte with two elements of
     * four bits, the first in the low ones. */
    LB_EL_INT4 = 0x1104,
    LB_EL_UINT4 = 0x1114,
    LB_EL_PACKED4 = 0x1124,
    LB_EL_FLOAT4E2M1 = 0x1204,
    LB_EL_FLOAT8E4M3FN = 0x1208,
    LB_EL_FLOAT8E5M2 = 0x1218,
    LB_EL_FLOAT8E8M0 = 0x1228,
    LB_EL_FLOAT16 = 0x1210,
    LB_EL_BFLOAT16 = 0x1220,
    /* Plain integers, whose meaning stands in the configuration of a call (litert.1.1). */
    LB_S8 = 0x2008,
    LB_S16 = 0x2010,
    LB_S32 = 0x2020,
    LB_S64 = 0x2040
} lb_el_type;

/* Memory of a container: a pointer, or (rank 0 tensors, per-tensor parameters) the one value
 * itself. Zeroed before use. */
typedef union lb_memory {
    void *ptr;
    int8_t *pi8;
    int16_t *pi16;
    int32_t *pi32;
    float *pf32;
    int8_t i8;
    int16_t i16;
    int32_t i32;
    float f32;
} lb_memory;

typedef struct lb_container {
    uint32_t capacity_bytes;
    lb_memory mem;
} lb_container;

typedef struct lb_tensor {
    lb_container data;
    int32_t mem_stride[LB_MAX_RANK]; /* in elements */
    uint32_t shape[LB_MAX_RANK];
    uint32_t rank;
    uint32_t el_type; /* an lb_el_type, or junk on purpose */
    uint32_t set_for; /* the element type whose parameters were set; 0: el_type */
    bool holds_value; /* where data has its address a value stands instead (rank 0) */
    int8_t frac_bits; /* fx only */
    /* For real models alone: containers with fractions, at the same offsets, in place of data. What
     * a real model makes of real numbers, whatever the steps of the format; NULL: none. */
    const double *fine;
    struct { /* sa only; dim < 0: one value in mem, capacities 0; dim >= 0: arrays of shape[dim]
                entries */
        int32_t type;
        lb_container zero_point;      /* i16 */
        lb_container scale;           /* i16 */
        lb_container scale_frac_bits; /* i8 */
        int32_t dim;
    } sa;
} lb_tensor;

/* Quantization of a tensor at one index of its axis: real = (x - zero_point) * scale * 2^-frac
 * (numerics.md 1). */
typedef struct lb_quant {
    int32_t scale;
    int32_t frac;
    int32_t zero_point;
} lb_quant;

/* Which number of it, and of which types of tensors: both fractional bits are `frac`. */
typedef enum lb_quant_field {
    LB_QUANT_NONE,
    LB_QUANT_SCALE,
    LB_QUANT_ZERO_POINT,
    LB_QUANT_FRAC_BITS,      /* fx */
    LB_QUANT_SCALE_FRAC_BITS /* sa */
} lb_quant_field;

/* "scale", "zero_point", ...; NULL: LB_QUANT_NONE. */
const char *lb_quant_field_name(lb_quant_field field);
int32_t lb_quant_get(lb_quant quant, lb_quant_field field);
/* How many it has in a tensor, its sign included; 0: LB_QUANT_NONE. */
int lb_quant_field_bits(lb_quant_field field);

/* Bytes of one element; 0 for types that no function of the API computes with. */
unsigned lb_element_bytes(uint32_t el_type);
/* The same, extensions included: what lies in memory. */
unsigned lb_storage_bytes(uint32_t el_type);
/* Is it an extension? */
bool lb_is_extension(uint32_t el_type);
/* Width of the container in bits; 0 likewise. */
int lb_container_bits(uint32_t el_type);
bool lb_is_fx(uint32_t el_type);
bool lb_is_sa(uint32_t el_type);
/* Were the parameters that el_type has (frac_bits, sa or none) set for it? */
bool lb_has_own_parameters(const lb_tensor *t);
/* "fx8" ... as in case files, or NULL. */
const char *lb_el_type_name(uint32_t el_type);

/* Quantization at `index` of the axis (ignored per tensor). (1, frac_bits, 0) for fx, (1, 0, 0) for
 * fp32. */
lb_quant lb_quant_at(const lb_tensor *t, uint32_t index);

/* Number of elements: product of shape over the rank; 1 for rank 0. Up to 2^124 is cut to SIZE_MAX.
 */
size_t lb_element_count(const lb_tensor *t);
/* Offset in elements of logical index `index[0..rank-1]`. */
size_t lb_offset_of(const lb_tensor *t, const uint32_t *index);
/* Offset in elements of the flat row-major index. */
size_t lb_offset_of_flat(const lb_tensor *t, size_t flat);
/* Row-major index tuple of a flat index. */
void lb_unflatten(const lb_tensor *t, size_t flat, uint32_t index[LB_MAX_RANK]);

/* Container at an element offset (rank 0: the value in mem, offset ignored). fp32 is not read here.
 */
int32_t lb_load_any(const lb_tensor *t, size_t offset);
/* Most elements that are read have one or two bytes. */
static inline int32_t lb_load(const lb_tensor *t, size_t offset)
{
    if (t->rank == 0)
        return lb_load_any(t, offset);
    if (t->el_type == LB_SA8 || t->el_type == LB_FX8)
        return ((const int8_t *)t->data.mem.ptr)[offset];
    if (t->el_type == LB_FX16) {
        int16_t value;
        memcpy(&value, (const unsigned char *)t->data.mem.ptr + 2 * offset, sizeof value);
        return value;
    }
    return lb_load_any(t, offset);
}
/* The same of containers of any width: of 64 bits too. */
int64_t lb_load_wide(const lb_tensor *t, size_t offset);
/* Many of them, `step` elements apart, to every `to_step`th place: quicker than one by one. */
void lb_load_run(const lb_tensor *t, size_t start, size_t step, size_t count, int32_t *to,
                 size_t to_step);
void lb_store(lb_tensor *t, size_t offset, int64_t value);
/* The same for a real model: with its fraction, where the tensor has any. */
static inline double lb_load_fine(const lb_tensor *t, size_t offset)
{
    return t->fine ? t->fine[offset] : (double)lb_load(t, offset);
}
/* Real value of the container at an offset, at `index` of the quantized axis. */
double lb_load_real(const lb_tensor *t, size_t offset, uint32_t index);

#endif
