/* float4e2m1 and the other small formats: every binary32 pattern, every pattern of the narrower
 * types, by the limits of float4.md 2, 2.1; text; nibbles; blocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/float4.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#if defined(__has_feature)
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)
#define SWEEP_STEP 61 /* a prime: every residue of every field is met */
#else
#define SWEEP_STEP 1
#endif

/* float4.md 2: the last pattern of each code. */
static const uint32_t last_of_code[8] = {0x3E800000, 0x3F3FFFFF, 0x3FA00000, 0x3FDFFFFF,
                                         0x40200000, 0x405FFFFF, 0x40A00000, 0x7F800000};

/* Every binary32 pattern that is a number, both signs. */
static void test_every_float32(void **state)
{
    uint64_t wrong = 0, tried = 0;
    (void)state;
    uint64_t first = 0;
    for (uint8_t code = 0; code < 8; code++) {
        for (uint64_t b = first; b <= last_of_code[code]; b += SWEEP_STEP) {
            uint8_t plus = 0xFF, minus = 0xFF;
            bool good = lb_float4_from_float32((uint32_t)b, LB_NAN_ERROR, &plus) &&
                        lb_float4_from_float32((uint32_t)b | 0x80000000u, LB_NAN_ERROR, &minus);
            wrong += !good || plus != code || minus != (code | 8);
            tried += 2;
        }
        first = (uint64_t)last_of_code[code] + 1;
    }
    assert_int_equal(wrong, 0);
    print_message("%llu patterns\n", (unsigned long long)tried);
    if (SWEEP_STEP == 1)
        assert_int_equal(tried, 2 * ((uint64_t)0x7F800000 + 1));
}

/* float4.md 2.2 */
static void test_every_nan(void **state)
{
    (void)state;
    for (uint64_t b = 0x7F800001; b <= 0x7FFFFFFF; b += SWEEP_STEP) {
        uint8_t code;
        uint32_t pattern = (uint32_t)b;
        if (lb_float4_from_float32(pattern, LB_NAN_ERROR, &code))
            fail();
        if (!lb_float4_from_float32(pattern, LB_NAN_DOCUMENT, &code) || code != 7)
            fail();
        if (!lb_float4_from_float32(pattern | 0x80000000u, LB_NAN_DOCUMENT, &code) || code != 7)
            fail();
        if (!lb_float4_from_float32(pattern, LB_NAN_LIBRARY, &code) || code != 8)
            fail();
        if (!lb_float4_from_float32(pattern | 0x80000000u, LB_NAN_LIBRARY, &code) || code != 0)
            fail();
    }
}

/* The nearest of the eight values, told by distance: another way to the same codes. */
static uint8_t nearest(double value)
{
    static const double values[8] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
    double magnitude =
        fmin(fabs(value), 100); /* so far off nothing changes, and distances stay exact */
    uint8_t best = 0;
    for (uint8_t code = 1; code < 8; code++) {
        double gain = fabs(magnitude - values[best]) - fabs(magnitude - values[code]);
        if (gain > 0 || (gain == 0 && code % 2 == 0))
            best = code;
    }
    return (uint8_t)(best | (signbit(value) ? 8 : 0));
}

/* All patterns of the narrower types, and of binary32 those around every change of the upper half.
 */
static void test_general_cast(void **state)
{
    static const lb_float_type narrow[] = {LB_FLOAT16, LB_BFLOAT16, LB_FLOAT8_E4M3FN,
                                           LB_FLOAT8_E5M2, LB_FLOAT4_E2M1};
    static const uint32_t low[] = {0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF};
    (void)state;
    for (size_t t = 0; t < sizeof narrow / sizeof narrow[0]; t++)
        for (uint32_t b = 0; b < (uint32_t)1 << lb_float_bits(narrow[t]); b++) {
            double value = lb_float_value(narrow[t], b);
            uint32_t code;
            bool good = lb_float_cast(narrow[t], LB_FLOAT4_E2M1, b, LB_NAN_ERROR,
                                      LB_OVERFLOW_OF_TYPE, &code);
            if (good != !isnan(value) || (good && code != nearest(value)))
                fail_msg("%s 0x%x: %x", lb_float_type_name(narrow[t]), (unsigned)b, (unsigned)code);
        }
    for (uint32_t high = 0; high < 65536; high++)
        for (size_t l = 0; l < sizeof low / sizeof low[0]; l++) {
            uint32_t b = high << 16 | low[l], code;
            uint8_t by_limits;
            bool good = lb_float_cast(LB_FLOAT32, LB_FLOAT4_E2M1, b, LB_NAN_ERROR,
                                      LB_OVERFLOW_OF_TYPE, &code);
            bool also = lb_float4_from_float32(b, LB_NAN_ERROR, &by_limits);
            if (good != also ||
                (good && (code != by_limits || code != nearest(lb_float_value(LB_FLOAT32, b)))))
                fail_msg("0x%08x: %x and %x", (unsigned)b, (unsigned)code, by_limits);
        }
}

static void test_double_rounding(void **state)
{
    static const struct {
        uint32_t pattern, direct, by_half;
    } rows[] = {{0x3E800001, 1, 0}, {0x3F3FFFFF, 1, 2}, {0x40A00001, 7, 6}}; /* float4.md 2 */
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        uint32_t half, code;
        assert_true(
            lb_float_cast(LB_FLOAT32, LB_FLOAT4_E2M1, rows[i].pattern, LB_NAN_ERROR, 0, &code));
        assert_int_equal(code, rows[i].direct);
        assert_true(lb_float_cast(LB_FLOAT32, LB_FLOAT16, rows[i].pattern, LB_NAN_ERROR, 0, &half));
        assert_true(lb_float_cast(LB_FLOAT16, LB_FLOAT4_E2M1, half, LB_NAN_ERROR, 0, &code));
        assert_int_equal(code, rows[i].by_half);
    }
}

/* float4.md 1.1, and back again. */
static void test_upcasts(void **state)
{
    static const uint32_t table[5][8] = {
        {0, 0x3F000000, 0x3F800000, 0x3FC00000, 0x40000000, 0x40400000, 0x40800000, 0x40C00000},
        {0, 0x3800, 0x3C00, 0x3E00, 0x4000, 0x4200, 0x4400, 0x4600},
        {0, 0x3F00, 0x3F80, 0x3FC0, 0x4000, 0x4040, 0x4080, 0x40C0},
        {0, 0x30, 0x38, 0x3C, 0x40, 0x44, 0x48, 0x4C},
        {0, 0x38, 0x3C, 0x3E, 0x40, 0x42, 0x44, 0x46},
    };
    (void)state;
    for (unsigned t = 0; t < 5; t++)
        for (uint32_t code = 0; code < 16; code++) {
            uint32_t wide, back;
            uint32_t due = table[t][code & 7] |
                           (code & 8 ? (uint32_t)1 << (lb_float_bits((lb_float_type)t) - 1) : 0);
            assert_true(
                lb_float_cast(LB_FLOAT4_E2M1, (lb_float_type)t, code, LB_NAN_ERROR, 0, &wide));
            assert_int_equal(wide, due);
            assert_true(
                lb_float_cast((lb_float_type)t, LB_FLOAT4_E2M1, wide, LB_NAN_ERROR, 0, &back));
            assert_int_equal(back, code);
            if (t == 0)
                assert_int_equal(lb_float4_to_float32((uint8_t)code), due);
        }
}

/* Every pattern of a narrow type survives the way to binary32 and back, and its text reads back as
 * it. */
static void test_round_trips(void **state)
{
    (void)state;
    for (unsigned t = LB_FLOAT16; t < LB_FLOAT_TYPE_COUNT; t++)
        for (uint32_t b = 0; b < (uint32_t)1 << lb_float_bits((lb_float_type)t); b++) {
            lb_float_type type = (lb_float_type)t;
            uint32_t wide, back, read;
            bool is_nan;
            char text[64];
            assert_true(
                lb_float_cast(type, LB_FLOAT32, b, LB_NAN_DOCUMENT, LB_OVERFLOW_INFINITY, &wide));
            assert_true(lb_float_cast(LB_FLOAT32, type, wide, LB_NAN_DOCUMENT, LB_OVERFLOW_INFINITY,
                                      &back));
            lb_float_to_text(type, b, text, sizeof text);
            assert_true(lb_float_from_text(type, text, LB_NAN_DOCUMENT, LB_OVERFLOW_OF_TYPE, &read,
                                           &is_nan));
            if (isnan(lb_float_value(type, b)))
                assert_true(is_nan && isnan(lb_float_value(type, back)));
            else if (back != b || read != b)
                fail_msg("%s 0x%x: %x, %s, %x", lb_float_type_name(type), (unsigned)b,
                         (unsigned)back, text, (unsigned)read);
        }
}

static void test_overflow(void **state)
{
    static const struct {
        lb_float_type to;
        uint32_t from; /* binary32 */
        lb_overflow_rule rule;
        uint32_t due;
    } rows[] = {
        {LB_FLOAT16, 0x477FEFFF, LB_OVERFLOW_OF_TYPE, 0x7BFF},  /* just below 65520 */
        {LB_FLOAT16, 0x477FF000, LB_OVERFLOW_OF_TYPE, 0x7C00},  /* 65520, the tie */
        {LB_FLOAT16, 0x7F800000, LB_OVERFLOW_SATURATE, 0x7BFF}, /* infinity */
        {LB_FLOAT16, 0xC77FF000, LB_OVERFLOW_SATURATE, 0xFBFF},
        {LB_BFLOAT16, 0x7F7FFFFF, LB_OVERFLOW_OF_TYPE, 0x7F80},
        {LB_FLOAT8_E4M3FN, 0x43E80000, LB_OVERFLOW_OF_TYPE, 0x7E},  /* 464, the tie to 480 */
        {LB_FLOAT8_E4M3FN, 0x43E80001, LB_OVERFLOW_INFINITY, 0x7F}, /* no infinity: NaN */
        {LB_FLOAT8_E4M3FN, 0x43E80000, LB_OVERFLOW_INFINITY, 0x7E},
        {LB_FLOAT8_E4M3FN, 0xFF800000, LB_OVERFLOW_OF_TYPE, 0xFE},
        {LB_FLOAT8_E5M2, 0x47700000, LB_OVERFLOW_INFINITY, 0x7C}, /* 61440, the tie */
        {LB_FLOAT8_E5M2, 0x476FFFFF, LB_OVERFLOW_INFINITY, 0x7B},
        {LB_FLOAT8_E5M2, 0x7F800000, LB_OVERFLOW_OF_TYPE, 0x7B},
        {LB_FLOAT4_E2M1, 0xFF800000, LB_OVERFLOW_INFINITY, 0xF}, /* there is nothing else */
        {LB_FLOAT16, 0x33000000, LB_OVERFLOW_OF_TYPE, 0x0000},   /* 2^-25, half of the smallest */
        {LB_FLOAT16, 0x33000001, LB_OVERFLOW_OF_TYPE, 0x0001},
        {LB_FLOAT16, 0x387FFFFF, LB_OVERFLOW_OF_TYPE,
         0x0400}, /* rounds up into the normal numbers */
        {LB_FLOAT16, 0x80000001, LB_OVERFLOW_OF_TYPE, 0x8000},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t got;
        assert_true(
            lb_float_cast(LB_FLOAT32, rows[i].to, rows[i].from, LB_NAN_ERROR, rows[i].rule, &got));
        if (got != rows[i].due)
            fail_msg("0x%08x to %s: %x, not %x", (unsigned)rows[i].from,
                     lb_float_type_name(rows[i].to), (unsigned)got, (unsigned)rows[i].due);
    }
}

static void test_text(void **state)
{
    static const struct {
        lb_float_type type;
        const char *text;
        uint32_t due;
    } good[] = {
        {LB_FLOAT32, "0.1", 0x3DCCCCCD},
        {LB_FLOAT32, "-0", 0x80000000},
        {LB_FLOAT32, "1e400", 0x7F800000},
        {LB_FLOAT32, "-1e-400", 0x80000000},
        {LB_FLOAT32, "1.401298464324817e-45", 1},
        {LB_FLOAT32, "7.006492321624085354618e-46", 0}, /* just below half of the smallest */
        {LB_FLOAT32,
         "7."
         "00649232162408535461864791644958065640130970938257885878534141944895541342930300743319094"
         "181060791015625e-"
         "46",
         0}, /* the half itself, to even */
        {LB_FLOAT32, "7.1e-46", 1},
        {LB_FLOAT32, "0x1.8p1", 0x40400000},
        {LB_FLOAT32, "+Infinity", 0x7F800000},
        {LB_FLOAT32, "16777217", 0x4B800000}, /* a tie */
        {LB_FLOAT32, "16777217.00000000000000000000001",
         0x4B800001}, /* binary64 does not see the difference */
        {LB_FLOAT32, "16777216.99999999999999999999999", 0x4B800000},
        {LB_FLOAT16, "1.00048828125", 0x3C00},
        {LB_FLOAT16, "1.000488281250000000000000000000000000001", 0x3C01},
        {LB_FLOAT4_E2M1, "0.25", 0},
        {LB_FLOAT4_E2M1, "0.25000000000000000000000000000000001", 1},
        {LB_FLOAT4_E2M1, "-1e300", 0xF},
        {LB_FLOAT8_E5M2, "inf", 0x7C},
    };
    static const char *const bad[] = {"",   "-",  "+-1", "1x", "0x", "--1", "nanx",
                                      "1e", " 1", "1 ",  "e5", ".",  "inf1"};
    uint32_t got;
    bool is_nan;
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(lb_float_from_text(good[i].type, good[i].text, LB_NAN_ERROR,
                                       LB_OVERFLOW_OF_TYPE, &got, &is_nan));
        if (got != good[i].due)
            fail_msg("%s: %x, not %x", good[i].text, (unsigned)got, (unsigned)good[i].due);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (lb_float_from_text(LB_FLOAT32, bad[i], LB_NAN_DOCUMENT, LB_OVERFLOW_OF_TYPE, &got,
                               &is_nan))
            fail_msg("\"%s\" is no number", bad[i]);
    assert_false(lb_float_from_text(LB_FLOAT4_E2M1, "NaN", LB_NAN_ERROR, LB_OVERFLOW_OF_TYPE, &got,
                                    &is_nan));
    assert_true(is_nan);
    char text[64];
    lb_float_to_text(LB_FLOAT32, 0x3DCCCCCD, text, sizeof text);
    assert_string_equal(text, "0.1");
    lb_float_to_text(LB_FLOAT4_E2M1, 8, text, sizeof text);
    assert_string_equal(text, "-0");
    lb_float_to_text(LB_FLOAT16, 0x7BFF, text, sizeof text);
    assert_string_equal(text, "65504");
}

/* ---- Nibbles ---- */

static void test_pack(void **state)
{
    static const uint8_t odd[5] = {1, 2, 3, 15, 8}, cut[2] = {0x31, 0xF2};
    uint8_t bytes[4] = {0xEE, 0xEE, 0xEE, 0xEE};
    (void)state;
    lb_nibbles_pack(odd, 5, bytes);
    assert_memory_equal(bytes, ((const uint8_t[4]){0x21, 0xF3, 0x08, 0xEE}), 4);
    lb_nibbles_pack(odd, 0, bytes);
    assert_int_equal(bytes[0], 0x21); /* untouched */
    /* The formula of the document, y << 4 | x & 15, read from left to right would lose y: 0x01
     * here; unmasked, 0xF21 (float4.md 3.1). */
    lb_nibbles_pack(cut, 2, bytes);
    assert_int_equal(bytes[0], 0x21);
    assert_int_equal(lb_nibble_bytes(0), 0);
    assert_int_equal(lb_nibble_bytes(1), 1);
    assert_int_equal(lb_nibble_bytes(SIZE_MAX), SIZE_MAX / 2 + 1);
}

static void test_unpack(void **state)
{
    static const uint8_t bytes[3] = {0x21, 0xF3, 0x08};
    uint8_t codes[6];
    (void)state;
    assert_int_equal(lb_nibbles_unpack(bytes, 3, 5, codes), LB_UNPACK_OK);
    assert_memory_equal(codes, ((const uint8_t[5]){1, 2, 3, 15, 8}), 5);
    assert_int_equal(lb_nibbles_unpack(bytes, 2, 3, codes), LB_UNPACK_PADDING);
    assert_int_equal(lb_nibbles_unpack(bytes, 2, 5, codes), LB_UNPACK_TOO_SHORT);
    assert_int_equal(lb_nibbles_unpack(bytes, 3, 4, codes), LB_UNPACK_TOO_LONG);
    assert_int_equal(lb_nibbles_unpack(bytes, 0, 0, codes), LB_UNPACK_OK);
    assert_string_equal(lb_unpack_result_name(LB_UNPACK_PADDING), "padding-nonzero");
    for (uint8_t low = 0; low < 16; low++)
        for (uint8_t high = 0; high < 16; high++) {
            uint8_t pair[2] = {low, high}, byte, back[2];
            lb_nibbles_pack(pair, 2, &byte);
            assert_int_equal(lb_nibbles_unpack(&byte, 1, 2, back), LB_UNPACK_OK);
            assert_memory_equal(pair, back, 2);
        }
}

/* float4.md 4.1 */
static void test_int4(void **state)
{
    static const struct {
        uint32_t pattern;
        int8_t int4, uint4;
    } rows[] = {
        {0x40200000, 2, 2},  {0x40600000, 4, 4}, {0xC1100000, -8, 0}, {0x41700000, 7, 15},
        {0x41780000, 7, 15}, {0xBF000000, 0, 0}, {0xBFC00000, -2, 0}, {0xFF800000, -8, 0},
        {0x7F800000, 7, 15}, {0x3F000001, 1, 1}, {0x41680000, 7, 14}}; /* 2.5 3.5 -9 15 15.5 -0.5
                                                                          -1.5 ... 14.5 */
    int8_t value;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_true(lb_int4_from_float32(rows[i].pattern, true, &value));
        assert_int_equal(value, rows[i].int4);
        assert_true(lb_int4_from_float32(rows[i].pattern, false, &value));
        assert_int_equal(value, rows[i].uint4);
    }
    assert_false(lb_int4_from_float32(0x7FC00000, true, &value));
    assert_int_equal(lb_int4_of_nibble(0xF, true), -1);
    assert_int_equal(lb_int4_of_nibble(0xF, false), 15);
    assert_int_equal(lb_int4_of_nibble(0x8, true), -8);
}

/* ---- Blocks ---- */

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint8_t scale_of(float first)
{
    uint32_t block[LB_MX_BLOCK] = {bits_of(first)};
    return lb_mx_scale(block);
}

/* float4.md 4.2 */
static void test_mx_scales(void **state)
{
    (void)state;
    assert_int_equal(scale_of(1), 125); /* floor(log2 1) - 2 */
    assert_int_equal(scale_of(7.9f), 127);
    assert_int_equal(scale_of(-8), 128);
    assert_int_equal(scale_of(0), 0);
    assert_int_equal(scale_of(-0.0f), 0);
    assert_int_equal(scale_of(0x1p-149f), 0); /* clamped */
    assert_int_equal(scale_of(0x1p-125f), 0);
    assert_int_equal(scale_of(0x1p-124f), 1);
    assert_int_equal(scale_of(0x1.fffffep127f), 252);
    assert_int_equal(scale_of(INFINITY), LB_MX_NAN);
    assert_int_equal(scale_of(-NAN), LB_MX_NAN);
}

static void test_mx_blocks(void **state)
{
    uint32_t block[LB_MX_BLOCK] = {0};
    uint8_t codes[LB_MX_BLOCK];
    (void)state;
    block[0] = bits_of(7.5f); /* above 6: saturates */
    block[1] = bits_of(-0.25f);
    block[2] = bits_of(0.2500001f);
    block[31] = bits_of(5);
    assert_int_equal(lb_mx_encode(block, codes), 127);
    assert_int_equal(codes[0], 7);
    assert_int_equal(codes[1], 8);
    assert_int_equal(codes[2], 1);
    assert_int_equal(codes[31], 6);
    block[5] = 0x7FC00000;
    assert_int_equal(lb_mx_encode(block, codes), LB_MX_NAN);
    assert_int_equal(codes[0], 0);
    for (unsigned scale = 0; scale < 255; scale++)
        for (uint8_t code = 0; code < 16; code++) {
            double value = ldexp(lb_float_value(LB_FLOAT4_E2M1, code), (int)scale - 127);
            assert_int_equal(lb_mx_decode((uint8_t)scale, code), bits_of((float)value));
        }
    assert_true((lb_mx_decode(255, 3) & 0x7FFFFFFF) > 0x7F800000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_float32), cmocka_unit_test(test_every_nan),
        cmocka_unit_test(test_general_cast),  cmocka_unit_test(test_double_rounding),
        cmocka_unit_test(test_upcasts),       cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_overflow),      cmocka_unit_test(test_text),
        cmocka_unit_test(test_pack),          cmocka_unit_test(test_unpack),
        cmocka_unit_test(test_int4),          cmocka_unit_test(test_mx_scales),
        cmocka_unit_test(test_mx_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
