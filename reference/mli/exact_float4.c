/* The extensions for element formats, to the last bit: casts to and from float4e2m1, nibbles, MXFP4
 * blocks. Spec: float4.md. Tensors are dense (the rules see to it), elements are bit patterns.
 * Casts read an element before they write its place. */
#include "float4_function.h"
#include "models.h"

#include <string.h>

#define CAST(NAME, IN, FROM, OUT, TO, NAN_RULE)                                                    \
    {                                                                                              \
        .name = "mli_ext_cast_" NAME, .kind = LB_FLOAT4_CAST, .in_type = IN, .out_type = OUT,      \
        .from = FROM, .to = TO, .nan = NAN_RULE                                                    \
    }
#define BOTH_WAYS(NAME, TYPE, FORMAT)                                                              \
    CAST(NAME "_float4e2m1", TYPE, FORMAT, LB_EL_FLOAT4E2M1, LB_FLOAT4_E2M1, LB_NAN_DOCUMENT),     \
        CAST("float4e2m1_" NAME, LB_EL_FLOAT4E2M1, LB_FLOAT4_E2M1, TYPE, FORMAT, LB_NAN_DOCUMENT)
#define NIBBLES(NAME, TYPE)                                                                        \
    {.name = "mli_ext_pack_" NAME,                                                                 \
     .kind = LB_FLOAT4_PACK,                                                                       \
     .in_type = TYPE,                                                                              \
     .out_type = LB_EL_PACKED4},                                                                   \
    {                                                                                              \
        .name = "mli_ext_unpack_" NAME, .kind = LB_FLOAT4_UNPACK, .in_type = LB_EL_PACKED4,        \
        .out_type = TYPE                                                                           \
    }

static const lb_float4_function functions[] = {
    BOTH_WAYS("fp32", LB_FP32, LB_FLOAT32),
    CAST("fp32_float4e2m1_nan_library", LB_FP32, LB_FLOAT32, LB_EL_FLOAT4E2M1, LB_FLOAT4_E2M1,
         LB_NAN_LIBRARY),
    BOTH_WAYS("float16", LB_EL_FLOAT16, LB_FLOAT16),
    BOTH_WAYS("bfloat16", LB_EL_BFLOAT16, LB_BFLOAT16),
    BOTH_WAYS("float8e4m3fn", LB_EL_FLOAT8E4M3FN, LB_FLOAT8_E4M3FN),
    BOTH_WAYS("float8e5m2", LB_EL_FLOAT8E5M2, LB_FLOAT8_E5M2),
    NIBBLES("float4e2m1", LB_EL_FLOAT4E2M1),
    NIBBLES("int4", LB_EL_INT4),
    NIBBLES("uint4", LB_EL_UINT4),
    {.name = "mli_ext_mxfp4_scales",
     .kind = LB_FLOAT4_MX_SCALES,
     .in_type = LB_FP32,
     .out_type = LB_EL_FLOAT8E8M0},
    {.name = "mli_ext_mxfp4_elements",
     .kind = LB_FLOAT4_MX_ELEMENTS,
     .in_type = LB_FP32,
     .out_type = LB_EL_FLOAT4E2M1},
};

const lb_float4_function *lb_float4_function_of(const lb_kernel *kernel)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (strcmp(functions[i].name, kernel->name) == 0)
            return &functions[i];
    return NULL;
}

/* ---- Elements of a dense tensor ---- */

/* The bits of an element; of a type of four bits the low ones. */
static uint32_t load_bits(const lb_tensor *t, size_t i)
{
    uint32_t bits = 0;
    unsigned bytes = lb_storage_bytes(t->el_type);
    if (bytes == 4) {
        memcpy(&bits, (const unsigned char *)t->data.mem.ptr + 4 * i, 4);
        return bits;
    }
    bits = (uint32_t)lb_load(t, i) & (bytes == 2 ? 0xFFFFu : 0xFFu);
    return t->el_type == LB_EL_FLOAT4E2M1 ? bits & 15 : bits;
}

static void store_bits(lb_tensor *t, size_t i, uint32_t bits)
{
    if (lb_storage_bytes(t->el_type) == 4)
        memcpy((unsigned char *)t->data.mem.ptr + 4 * i, &bits, 4);
    else
        lb_store(t, i, bits);
}

static void cast_all(const lb_float4_function *f, const lb_tensor *in, lb_tensor *out)
{
    size_t count = lb_element_count(in);
    for (size_t i = 0; i < count; i++) {
        uint32_t pattern = load_bits(in, i);
        uint32_t result = 0;
        uint8_t code;
        if (f->from == LB_FLOAT32) {
            lb_float4_from_float32(pattern, f->nan, &code);
            result = code;
        } else {
            lb_float_cast(f->from, f->to, pattern, f->nan, LB_OVERFLOW_OF_TYPE, &result);
        }
        store_bits(out, i, result);
    }
}

/* Two at a time, so that tensors of any length need no memory. */
static void pack_all(const lb_tensor *in, lb_tensor *out)
{
    size_t count = lb_element_count(in);
    for (size_t i = 0; i < count; i += 2) {
        uint8_t pair[2] = {(uint8_t)load_bits(in, i),
                           i + 1 < count ? (uint8_t)load_bits(in, i + 1) : 0};
        uint8_t byte;
        lb_nibbles_pack(pair, 2, &byte);
        store_bits(out, i / 2, byte);
    }
}

static void unpack_all(const lb_tensor *in, lb_tensor *out)
{
    size_t count = lb_element_count(out);
    for (size_t i = 0; i < count; i++) {
        uint8_t byte = (uint8_t)load_bits(in, i / 2);
        uint8_t pair[2];
        lb_nibbles_unpack(&byte, 1, 2, pair);
        store_bits(out, i,
                   out->el_type == LB_EL_INT4
                       ? (uint32_t)(int32_t)lb_int4_of_nibble(pair[i % 2], true)
                       : pair[i % 2]);
    }
}

static void encode_blocks(const lb_float4_function *f, const lb_tensor *in, lb_tensor *out)
{
    size_t count = lb_element_count(in);
    for (size_t start = 0; start < count; start += LB_MX_BLOCK) {
        uint32_t block[LB_MX_BLOCK];
        uint8_t codes[LB_MX_BLOCK];
        for (size_t i = 0; i < LB_MX_BLOCK; i++)
            block[i] = load_bits(in, start + i);
        uint8_t scale = lb_mx_encode(block, codes);
        if (f->kind == LB_FLOAT4_MX_SCALES) {
            store_bits(out, start / LB_MX_BLOCK, scale);
            continue;
        }
        for (size_t i = 0; i < LB_MX_BLOCK; i++)
            store_bits(out, start + i, codes[i]);
    }
}

void lb_exact_float4(const lb_context *context, lb_call *call)
{
    (void)context; /* nothing depends on the profile */
    const lb_float4_function *f = lb_float4_function_of(call->kernel);
    const lb_tensor *in = call->tensor[LB_ROLE_IN];
    lb_tensor *out = call->tensor[LB_ROLE_OUT];
    switch (f->kind) {
    case LB_FLOAT4_CAST:
        cast_all(f, in, out);
        break;
    case LB_FLOAT4_PACK:
        pack_all(in, out);
        break;
    case LB_FLOAT4_UNPACK:
        unpack_all(in, out);
        break;
    case LB_FLOAT4_MX_SCALES:
    case LB_FLOAT4_MX_ELEMENTS:
        encode_blocks(f, in, out);
        break;
    }
}

void lb_exact_mxfp4_values(const lb_context *context, lb_call *call)
{
    (void)context;
    const lb_tensor *scales = call->tensor[LB_ROLE_IN1];
    const lb_tensor *elements = call->tensor[LB_ROLE_IN2];
    size_t count = lb_element_count(elements);
    for (size_t i = 0; i < count; i++) {
        uint32_t value = lb_mx_decode((uint8_t)load_bits(scales, i / LB_MX_BLOCK),
                                      (uint8_t)load_bits(elements, i));
        store_bits(call->tensor[LB_ROLE_OUT], i, value);
    }
}
