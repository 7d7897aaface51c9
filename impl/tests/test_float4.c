/* mli_ext_*: the casts with every pattern of every source, by the ranges of float4.md 2; nibbles;
 * blocks; what is refused, and in which order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mli_api.h"
#include "mli_lastbit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)
#define SWEEP_STEP 61
#else
#define SWEEP_STEP 1
#endif

typedef mli_status (*unary_fn)(const mli_tensor *, mli_tensor *);

static mli_tensor tensor_of(uint32_t type, void *memory, uint32_t count, uint32_t width)
{
    mli_tensor t;
    memset(&t, 0, sizeof t);
    t.data.mem.pi8 = memory;
    t.data.capacity = count * width;
    t.rank = 1;
    t.shape[0] = count;
    t.mem_stride[0] = 1;
    t.el_type = (mli_element_type)type;
    return t;
}

/* float4.md 2: the last pattern of each code. */
static const uint32_t last_of_code[8] = {0x3E800000, 0x3F3FFFFF, 0x3FA00000, 0x3FDFFFFF,
                                         0x40200000, 0x405FFFFF, 0x40A00000, 0x7F800000};

enum { CHUNK = 1 << 14 };

static uint64_t cast_range(uint32_t first, uint32_t last, uint32_t sign, uint8_t code)
{
    static uint32_t patterns[CHUNK];
    static uint8_t codes[CHUNK];
    uint64_t wrong = 0, at = first;
    while (at <= last) {
        uint32_t count = 0;
        for (; count < CHUNK && at <= last; at += SWEEP_STEP)
            patterns[count++] = (uint32_t)at | sign;
        mli_tensor in = tensor_of(MLI_EL_FP_32, patterns, count, 4);
        mli_tensor out = tensor_of(MLI_EXT_EL_FLOAT4E2M1, codes, count, 1);
        assert_int_equal(mli_ext_cast_fp32_float4e2m1(&in, &out), MLI_STATUS_OK);
        for (uint32_t i = 0; i < count; i++)
            wrong += codes[i] != code;
    }
    return wrong;
}

static void test_every_fp32(void **state)
{
    uint32_t first = 0;
    (void)state;
    for (uint8_t code = 0; code < 8; code++) {
        assert_int_equal(cast_range(first, last_of_code[code], 0, code), 0);
        assert_int_equal(cast_range(first, last_of_code[code], 0x80000000, code | 8), 0);
        first = last_of_code[code] + 1;
    }
    assert_int_equal(cast_range(0x7F800001, 0x7FFFFFFF, 0, 7), 0);
    assert_int_equal(cast_range(0x7F800001, 0x7FFFFFFF, 0x80000000, 7), 0);
}

static void test_nan_library(void **state)
{
    uint32_t patterns[4] = {0x7F800001, 0xFFC00000, 0x7F800000, 0x80000000};
    uint8_t codes[4];
    mli_tensor in = tensor_of(MLI_EL_FP_32, patterns, 4, 4),
               out = tensor_of(MLI_EXT_EL_FLOAT4E2M1, codes, 4, 1);
    (void)state;
    assert_int_equal(mli_ext_cast_fp32_float4e2m1_nan_library(&in, &out), MLI_STATUS_OK);
    assert_memory_equal(codes, ((const uint8_t[4]){8, 0, 7, 8}), 4);
}

/* A pattern's value, by the definition of the format. */
static double value_of(uint32_t bits, int exponent_bits, int fraction_bits, int bias,
                       bool finite_only)
{
    int exponent = (int)(bits >> fraction_bits) & ((1 << exponent_bits) - 1);
    int fraction = (int)bits & ((1 << fraction_bits) - 1);
    double sign = bits >> (exponent_bits + fraction_bits) ? -1 : 1;
    if (finite_only ? exponent == 15 && fraction == 7 : exponent == (1 << exponent_bits) - 1)
        return finite_only || fraction ? (double)NAN : sign * (double)INFINITY;
    return exponent == 0
               ? sign * ldexp(fraction, 1 - bias - fraction_bits)
               : sign * ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
}

static uint8_t nearest(double value)
{
    static const double values[8] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
    double magnitude = fmin(fabs(value), 100);
    uint8_t best = 0;
    if (isnan(value))
        return 7;
    for (uint8_t code = 1; code < 8; code++) {
        double gain = fabs(magnitude - values[best]) - fabs(magnitude - values[code]);
        if (gain > 0 || (gain == 0 && code % 2 == 0))
            best = code;
    }
    return (uint8_t)(best | (signbit(value) ? 8 : 0));
}

typedef struct format {
    unary_fn cast, back;
    uint32_t type;
    int exponent_bits, fraction_bits, bias;
    bool finite_only;
} format;

static const format formats[] = {
    {mli_ext_cast_float16_float4e2m1, mli_ext_cast_float4e2m1_float16, MLI_EXT_EL_FLOAT16, 5, 10,
     15, false},
    {mli_ext_cast_bfloat16_float4e2m1, mli_ext_cast_float4e2m1_bfloat16, MLI_EXT_EL_BFLOAT16, 8, 7,
     127, false},
    {mli_ext_cast_float8e4m3fn_float4e2m1, mli_ext_cast_float4e2m1_float8e4m3fn,
     MLI_EXT_EL_FLOAT8E4M3FN, 4, 3, 7, true},
    {mli_ext_cast_float8e5m2_float4e2m1, mli_ext_cast_float4e2m1_float8e5m2, MLI_EXT_EL_FLOAT8E5M2,
     5, 2, 15, false},
};

/* All patterns of each narrow type, and all codes back: their values, -0 among them. */
static void test_narrow_types(void **state)
{
    static uint16_t wide[65536];
    static uint8_t narrow[256], codes[65536];
    (void)state;
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++) {
        const format *t = &formats[f];
        bool is_wide = 1 + t->exponent_bits + t->fraction_bits == 16;
        uint32_t count = is_wide ? 65536 : 256;
        for (uint32_t i = 0; i < count; i++) {
            wide[i] = (uint16_t)i;
            narrow[i & 255] = (uint8_t)i;
        }
        void *memory = is_wide ? (void *)wide : (void *)narrow;
        mli_tensor in = tensor_of(t->type, memory, count, is_wide ? 2 : 1);
        mli_tensor out = tensor_of(MLI_EXT_EL_FLOAT4E2M1, codes, count, 1);
        assert_int_equal(t->cast(&in, &out), MLI_STATUS_OK);
        for (uint32_t i = 0; i < count; i++)
            if (codes[i] !=
                nearest(value_of(i, t->exponent_bits, t->fraction_bits, t->bias, t->finite_only)))
                fail_msg("format %zu: %x: %x", f, (unsigned)i, codes[i]);
        for (uint8_t c = 0; c < 16; c++)
            codes[c] = c;
        in = tensor_of(MLI_EXT_EL_FLOAT4E2M1, codes, 16, 1);
        out = tensor_of(t->type, memory, 16, is_wide ? 2 : 1);
        assert_int_equal(t->back(&in, &out), MLI_STATUS_OK);
        for (uint32_t c = 0; c < 16; c++) {
            double value = value_of(is_wide ? wide[c] : narrow[c], t->exponent_bits,
                                    t->fraction_bits, t->bias, t->finite_only);
            assert_int_equal(nearest(value), c);
            assert_true(fabs(value) == fabs(value_of(c, 2, 1, 1, false)) || (c & 6) == 6);
            assert_true((c & 7) != 7 || fabs(value) == 6);
            assert_true((c & 7) != 6 || fabs(value) == 4);
        }
    }
}

static void test_nibbles(void **state)
{
    int8_t numbers[5] = {-8, -1, 7, 0, -3}, back[5];
    uint8_t bytes[3];
    mli_tensor in = tensor_of(MLI_EXT_EL_INT4, numbers, 5, 1),
               packed = tensor_of(MLI_EXT_EL_PACKED4, bytes, 3, 1);
    mli_tensor out = tensor_of(MLI_EXT_EL_INT4, back, 5, 1);
    (void)state;
    assert_int_equal(mli_ext_pack_int4(&in, &packed), MLI_STATUS_OK);
    assert_memory_equal(bytes, ((const uint8_t[3]){0xF8, 0x07, 0x0D}), 3);
    bytes[2] |= 0xB0;
    assert_int_equal(mli_ext_unpack_int4(&packed, &out), MLI_STATUS_OK);
    assert_memory_equal(back, numbers, 5);
    out.el_type = (mli_element_type)MLI_EXT_EL_UINT4;
    assert_int_equal(mli_ext_unpack_uint4(&packed, &out), MLI_STATUS_OK);
    assert_memory_equal(back, ((const int8_t[5]){8, 15, 7, 0, 13}), 5);
    out.el_type = (mli_element_type)MLI_EXT_EL_FLOAT4E2M1;
    assert_int_equal(mli_ext_pack_float4e2m1(&out, &packed), MLI_STATUS_OK);
    assert_memory_equal(bytes, ((const uint8_t[3]){0xF8, 0x07, 0x0D}), 3);
}

static void test_blocks(void **state)
{
    float numbers[32] = {7.5f, -0.25f, 0.2500001f, 5, -0.0f}, back[32];
    uint8_t scale, codes[32];
    mli_tensor in = tensor_of(MLI_EL_FP_32, numbers, 32, 4),
               s = tensor_of(MLI_EXT_EL_FLOAT8E8M0, &scale, 1, 1);
    mli_tensor e = tensor_of(MLI_EXT_EL_FLOAT4E2M1, codes, 32, 1),
               out = tensor_of(MLI_EL_FP_32, back, 32, 4);
    (void)state;
    assert_int_equal(mli_ext_mxfp4_scales(&in, &s), MLI_STATUS_OK);
    assert_int_equal(mli_ext_mxfp4_elements(&in, &e), MLI_STATUS_OK);
    assert_int_equal(scale, 127);
    assert_memory_equal(codes, ((const uint8_t[5]){7, 8, 1, 6, 8}), 5);
    assert_int_equal(mli_ext_mxfp4_values(&s, &e, &out), MLI_STATUS_OK);
    assert_true(back[0] == 6 && back[1] == 0 && signbit(back[1]) && back[2] == 0.5f &&
                back[3] == 4);
    for (int byte = 0; byte < 255; byte++) {
        scale = (uint8_t)byte;
        for (uint8_t i = 0; i < 32; i++)
            codes[i] = i & 15;
        assert_int_equal(mli_ext_mxfp4_values(&s, &e, &out), MLI_STATUS_OK);
        for (uint8_t i = 0; i < 16; i++) {
            static const double values[8] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
            float due = (float)ldexp(i & 8 ? -values[i & 7] : values[i & 7], byte - 127);
            assert_memory_equal(&back[i], &due, 4);
        }
    }
}

static void test_refusals(void **state)
{
    static uint32_t numbers[64];
    static uint8_t codes[64];
    mli_tensor in = tensor_of(MLI_EL_FP_32, numbers, 32, 4),
               out = tensor_of(MLI_EXT_EL_FLOAT4E2M1, codes, 32, 1);
    mli_tensor bad;
    (void)state;
    assert_int_equal(mli_ext_cast_fp32_float4e2m1(NULL, &out), MLI_STATUS_BAD_TENSOR);
    assert_int_equal(mli_ext_cast_fp32_float4e2m1(&in, NULL), MLI_STATUS_BAD_TENSOR);
    bad = in, bad.rank = 0;
    assert_int_equal(mli_ext_cast_fp32_float4e2m1(&bad, &out), MLI_STATUS_BAD_TENSOR);
    bad = in, bad.rank = 5;
    assert_int_equal(mli_ext_cast_fp32_float4e2m1(&bad, &out), MLI_STATUS_BAD_TENSOR);
    bad = in, bad.shape[0] = 0;
    assert_int_equal(mli_ext_cast_fp32_float4e2m1(&bad, &out), MLI_STATUS_BAD_TENSOR);
    bad = in, bad.mem_stride[0] = 0;
    assert_int_equal(mli_ext_cast_fp32_float4e2m1(&bad, &out), MLI_STATUS_BAD_TENSOR);
    bad = in, bad.data.mem.pi8 = NULL;
    assert_int_equal(mli_ext_cast_fp32_float4e2m1(&bad, &out), MLI_STATUS_BAD_TENSOR);
    bad = in, bad.mem_stride[0] = 2, bad.el_type = MLI_EL_FX_8; /* the type comes first */
    assert_int_equal(mli_ext_cast_fp32_float4e2m1(&bad, &out), MLI_STATUS_TYPE_MISMATCH);
    bad = in, bad.mem_stride[0] = 2, bad.shape[0] = 3;
    assert_int_equal(mli_ext_cast_fp32_float4e2m1(&bad, &out), MLI_STATUS_INCOMPATEBLE_TENSORS);
    bad = in, bad.shape[0] = 31, bad.data.capacity = 1;
    assert_int_equal(mli_ext_cast_fp32_float4e2m1(&bad, &out), MLI_STATUS_SIZE_MISMATCH);
    bad = in, bad.data.capacity = 127;
    assert_int_equal(mli_ext_cast_fp32_float4e2m1(&bad, &out), MLI_STATUS_NOT_ENGH_MEM);
    bad = out, bad.data.mem.pi8 = (int8_t *)numbers + 127;
    assert_int_equal(mli_ext_cast_fp32_float4e2m1(&in, &bad), MLI_STATUS_INCOMPATEBLE_TENSORS);
    bad = in, bad.rank = 4; /* as many elements as no memory holds */
    for (int d = 0; d < 4; d++)
        bad.shape[d] = INT32_MAX, bad.mem_stride[d] = INT32_MAX;
    assert_int_equal(mli_ext_cast_fp32_float4e2m1(&bad, &out), MLI_STATUS_BAD_TENSOR);
    bad = out, bad.shape[0] = 2;
    assert_int_equal(mli_ext_mxfp4_scales(&in, &bad), MLI_STATUS_TYPE_MISMATCH);
    bad.el_type = (mli_element_type)MLI_EXT_EL_FLOAT8E8M0;
    assert_int_equal(mli_ext_mxfp4_scales(&in, &bad), MLI_STATUS_SIZE_MISMATCH);
    assert_int_equal(mli_ext_mxfp4_values(NULL, &out, &in), MLI_STATUS_BAD_TENSOR);
    assert_int_equal(mli_ext_mxfp4_values(&bad, &out, &in), MLI_STATUS_SIZE_MISMATCH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_fp32),   cmocka_unit_test(test_nan_library),
        cmocka_unit_test(test_narrow_types), cmocka_unit_test(test_nibbles),
        cmocka_unit_test(test_blocks),       cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
