/* The element formats of 8 and 6 bits (float4.md 4.5) and blocks with a shared scale, against a
 * second writing of their public definitions in binary64: every pattern decoded, every binary16 and
 * bfloat16 number and every half way encoded, every rule of scales. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/mx.h"

#include <float.h>
#include <math.h>
#include <string.h>

#if defined(__has_feature)
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)
#define STRIDE 61
#else
#define STRIDE 1
#endif

/* FN: the pattern of all ones is NaN; IEEE: an exponent of all ones is special; FNUZ: -0 is NaN. */
typedef enum specials { NONE, FN, IEEE, FNUZ } specials;

static const struct definition {
    lb_float_type type;
    const char *name;
    int exponent_bits, fraction_bits, bias;
    specials special;
    double largest;
} definitions[] = {
    {LB_FLOAT8_E4M3FN, "float8e4m3fn", 4, 3, 7, FN, 448},
    {LB_FLOAT8_E5M2, "float8e5m2", 5, 2, 15, IEEE, 57344},
    {LB_FLOAT8_E4M3FNUZ, "float8e4m3fnuz", 4, 3, 8, FNUZ, 240},
    {LB_FLOAT8_E5M2FNUZ, "float8e5m2fnuz", 5, 2, 16, FNUZ, 57344},
    {LB_FLOAT6_E2M3, "float6e2m3", 2, 3, 1, NONE, 7.5},
    {LB_FLOAT6_E3M2, "float6e3m2", 3, 2, 3, NONE, 28},
    {LB_FLOAT4_E2M1, "float4e2m1", 2, 1, 1, NONE, 6},
};
enum { DEFINITIONS = sizeof definitions / sizeof definitions[0] };

static unsigned bits_of(const struct definition *d)
{
    return (unsigned)(1 + d->exponent_bits + d->fraction_bits);
}

/* (-1)^S * 2^(E - bias) * (1 + f), or 2^(1 - bias) * f where E is 0. */
static double value_of(const struct definition *d, uint32_t code)
{
    uint32_t sign = code >> (bits_of(d) - 1), magnitude = code & ((1u << (bits_of(d) - 1)) - 1);
    int exponent = (int)(magnitude >> d->fraction_bits);
    double fraction = (magnitude % (1u << d->fraction_bits)) / (double)(1 << d->fraction_bits);
    double value =
        exponent ? ldexp(1 + fraction, exponent - d->bias) : ldexp(fraction, 1 - d->bias);
    bool all_ones = magnitude == (1u << (bits_of(d) - 1)) - 1;
    if ((d->special == FN && all_ones) || (d->special == FNUZ && sign && magnitude == 0))
        return (double)NAN;
    if (d->special == IEEE && exponent == (1 << d->exponent_bits) - 1)
        value = fraction > 0 ? (double)NAN : (double)INFINITY;
    return sign ? -value : value;
}

/* The nearest of all finite values, of two the even code; beyond the largest, the largest. */
static uint32_t nearest(const struct definition *d, double x)
{
    uint32_t best = 0, half = 1u << (bits_of(d) - 1);
    double least = INFINITY, magnitude = fmin(fabs(x), d->largest);
    for (uint32_t code = 0; code < half; code++) {
        double value = value_of(d, code), distance = fabs(magnitude - value);
        if (!isfinite(value))
            continue;
        if (distance < least || (distance == least && !(code & 1))) {
            least = distance;
            best = code;
        }
    }
    if (d->special == FNUZ && best == 0)
        return 0;
    return signbit(x) ? best | half : best;
}

static void assert_cast(const struct definition *d, lb_float_type from, uint32_t pattern)
{
    double x = lb_float_value(from, pattern);
    uint32_t got = 0;
    assert_true(lb_float_cast(from, d->type, pattern, LB_NAN_DOCUMENT, LB_OVERFLOW_OF_TYPE, &got));
    if (isnan(x)) {
        uint32_t due = nearest(d, INFINITY);
        assert_true(d->special == NONE ? got == due : isnan(value_of(d, got)));
    } else if (got != nearest(d, x)) {
        fail_msg("%s: %.17g became %x, expected %x", d->name, x, (unsigned)got,
                 (unsigned)nearest(d, x));
    }
}

static void test_definitions(void **state)
{
    (void)state;
    for (unsigned i = 0; i < DEFINITIONS; i++) {
        const struct definition *d = &definitions[i];
        assert_string_equal(lb_float_type_name(d->type), d->name);
        assert_int_equal(lb_float_bits(d->type), bits_of(d));
        assert_true(lb_float_largest(d->type) == d->largest);
        assert_int_equal(lb_float_has_nan(d->type), d->special != NONE);
        for (uint32_t code = 0; code < 1u << bits_of(d); code++) {
            double due = value_of(d, code), got = lb_float_value(d->type, code);
            assert_true(isnan(due) ? isnan(got) : got == due && signbit(got) == signbit(due));
            uint32_t wide, back;
            lb_float_cast(d->type, LB_FLOAT32, code, LB_NAN_DOCUMENT, LB_OVERFLOW_OF_TYPE, &wide);
            lb_float_cast(LB_FLOAT32, d->type, wide, LB_NAN_DOCUMENT, LB_OVERFLOW_INFINITY, &back);
            assert_true(isnan(due) ? isnan(value_of(d, back)) : back == code);
        }
    }
}

/* Every binary16 and bfloat16 pattern, and the three binary32 numbers around every half way. */
static void test_casts(void **state)
{
    (void)state;
    for (unsigned i = 0; i < DEFINITIONS; i++) {
        const struct definition *d = &definitions[i];
        for (uint32_t p = 0; p < 65536; p += STRIDE) {
            assert_cast(d, LB_FLOAT16, p);
            assert_cast(d, LB_BFLOAT16, p);
        }
        for (uint32_t code = 0; code + 1 < 1u << (bits_of(d) - 1); code++) {
            float middle = (float)((value_of(d, code) + value_of(d, code + 1)) / 2);
            uint32_t pattern;
            if (!isfinite(middle))
                continue;
            memcpy(&pattern, &middle, sizeof pattern);
            for (uint32_t p = pattern - 1; p != pattern + 2; p++) {
                assert_cast(d, LB_FLOAT32, p);
                assert_cast(d, LB_FLOAT32, p | 0x80000000u);
            }
        }
    }
}

/* What is beyond the largest may be infinity, or NaN where there is none; float6 has neither. */
static void test_overflow(void **state)
{
    (void)state;
    for (unsigned i = 0; i < DEFINITIONS; i++)
        for (uint32_t sign = 0; sign <= 0x80000000u && sign + 1 > sign; sign += 0x80000000u) {
            const struct definition *d = &definitions[i];
            uint32_t got;
            lb_float_cast(LB_FLOAT32, d->type, 0x7F800000 | sign, LB_NAN_DOCUMENT,
                          LB_OVERFLOW_INFINITY, &got);
            double value = value_of(d, got);
            assert_true(d->special == NONE   ? fabs(value) == d->largest
                        : d->special == IEEE ? isinf(value)
                                             : isnan(value));
            if (sign)
                break;
        }
}

/* Powers of two: each code, the nearest one of every bfloat16 number, the even one of two. */
static void test_e8m0(void **state)
{
    (void)state;
    assert_int_equal(lb_float_bits(LB_FLOAT8_E8M0), 8);
    assert_true(isnan(lb_float_value(LB_FLOAT8_E8M0, 255)));
    for (uint32_t code = 0; code < 255; code++)
        assert_true(lb_float_value(LB_FLOAT8_E8M0, code) == ldexp(1, (int)code - 127));
    for (uint32_t p = 0; p < 65536; p++) {
        double x = lb_float_value(LB_BFLOAT16, p), least = INFINITY;
        uint32_t due = 0, got;
        for (uint32_t code = 0; code < 255; code++) {
            double distance = fabs(x - ldexp(1, (int)code - 127));
            if (distance < least || (distance == least && !(code & 1))) {
                least = distance;
                due = code;
            }
        }
        if (isinf(x) && x > 0)
            due = 254;
        if (isnan(x) || x < 0)
            due = 255;
        lb_float_cast(LB_BFLOAT16, LB_FLOAT8_E8M0, p, LB_NAN_DOCUMENT, LB_OVERFLOW_OF_TYPE, &got);
        if (got != due)
            fail_msg("%.17g became %u, expected %u", x, (unsigned)got, (unsigned)due);
    }
}

/* ---- Blocks ---- */

static const struct definition *definition_of(lb_float_type type)
{
    for (unsigned i = 0; i < DEFINITIONS; i++)
        if (definitions[i].type == type)
            return &definitions[i];
    return NULL;
}

static int log2_floor(double x)
{
    int exponent;
    frexp(x, &exponent);
    return exponent - 1;
}

/* The rules, as float4.md 4.2 has them in words. */
static int scale_exponent(const struct definition *d, lb_mx_rule rule, double largest)
{
    int e = log2_floor(d->largest), k = log2_floor(largest);
    if (rule == LB_MX_CEIL)
        k = (int)ceil(log2(ldexp(largest, -k))) + k;
    if (rule == LB_MX_EVEN)
        k = log2_floor(floor(ldexp(largest, d->fraction_bits - k) + 0.5)) + k - d->fraction_bits;
    k -= e;
    if (rule == LB_MX_FIT)
        for (k = log2_floor(largest) - e - 2; ldexp(d->largest, k) < largest;)
            k++;
    return k < -127 ? -127 : k;
}

static void test_scales(void **state)
{
    (void)state;
    for (const lb_mx_format *f = lb_mx_formats; f->name; f++) {
        const struct definition *d = definition_of(f->element);
        assert_ptr_equal(lb_mx_format_of(f->name), f);
        for (uint32_t p = 1; p < 0x7F800000; p += 40009 * (STRIDE > 1 ? 20 : 1)) {
            uint32_t block[LB_MX_BLOCK] = {0};
            float largest;
            block[p % LB_MX_BLOCK] = p | (p % 2 ? 0x80000000u : 0);
            block[(p + 1) % LB_MX_BLOCK] = p / 2;
            memcpy(&largest, &p, sizeof largest);
            for (lb_mx_rule rule = LB_MX_FLOOR; rule <= LB_MX_FIT; rule++) {
                int due = scale_exponent(d, rule, (double)largest) + 127;
                int got = lb_mx_block_scale(f, rule, block);
                if (got != due)
                    fail_msg("%s, rule %d, %.9g: %d, expected %d", f->name, (int)rule,
                             (double)largest, got, due);
            }
        }
        uint32_t none[LB_MX_BLOCK] = {0x80000000u};
        assert_int_equal(lb_mx_block_scale(f, LB_MX_FIT, none), 0);
        none[31] = 0x7F800001;
        assert_int_equal(lb_mx_block_scale(f, LB_MX_EVEN, none), LB_MX_NAN);
    }
    assert_null(lb_mx_format_of("mxfp5"));
}

/* Codes of blocks, and what every scale makes of every code. */
static void test_blocks(void **state)
{
    (void)state;
    for (const lb_mx_format *f = lb_mx_formats; f->name; f++) {
        const struct definition *d = definition_of(f->element);
        for (uint32_t seed = 1; seed < 200; seed++) {
            uint32_t block[LB_MX_BLOCK];
            uint8_t codes[LB_MX_BLOCK];
            for (uint32_t i = 0; i < LB_MX_BLOCK; i++)
                block[i] = 0x3F000000 + (seed * 2654435761u + i * 40503u * seed) % 0x03000000 +
                           (i % 3 == 0 ? 0x80000000u : 0);
            lb_mx_rule rule = (lb_mx_rule)(seed % 4);
            uint8_t scale = lb_mx_block_encode(f, rule, block, codes);
            for (uint32_t i = 0; i < LB_MX_BLOCK; i++) {
                double x = lb_float_value(LB_FLOAT32, block[i]);
                assert_int_equal(codes[i], nearest(d, ldexp(x, 127 - scale)));
            }
        }
        for (unsigned scale = 0; scale < 256; scale++)
            for (uint32_t code = 0; code < 1u << bits_of(d); code++) {
                double due =
                    scale == 255 ? (double)NAN : ldexp(value_of(d, code), (int)scale - 127);
                double got = lb_float_value(LB_FLOAT32,
                                            lb_mx_block_decode(f, (uint8_t)scale, (uint8_t)code));
                if (fabs(due) > (double)FLT_MAX)
                    due = due > 0 ? (double)INFINITY : -(double)INFINITY;
                assert_true(isnan(due) ? isnan(got) : got == due);
            }
    }
}

static void test_bits(void **state)
{
    uint8_t elements[LB_MX_BLOCK], bytes[LB_MX_BLOCK];
    (void)state;
    assert_int_equal(lb_bits_bytes(32, 6), 24);
    assert_int_equal(lb_bits_bytes(3, 6), 3);
    assert_int_equal(lb_bits_bytes(0, 6), 0);
    for (unsigned i = 0; i < LB_MX_BLOCK; i++)
        elements[i] = (uint8_t)((i * 37 + 11) % 64);
    lb_bits_pack(elements, LB_MX_BLOCK, 6, bytes);
    for (unsigned i = 0; i < LB_MX_BLOCK; i += 4) { /* four elements in three bytes */
        unsigned long word = elements[i] | (unsigned long)elements[i + 1] << 6 |
                             (unsigned long)elements[i + 2] << 12 |
                             (unsigned long)elements[i + 3] << 18;
        for (unsigned b = 0; b < 3; b++)
            assert_int_equal(bytes[i / 4 * 3 + b], word >> 8 * b & 255);
    }
    for (unsigned i = 0; i < LB_MX_BLOCK; i++)
        assert_int_equal(lb_bits_at(bytes, i, 6), elements[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definitions), cmocka_unit_test(test_casts),
        cmocka_unit_test(test_overflow),    cmocka_unit_test(test_e8m0),
        cmocka_unit_test(test_scales),      cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
