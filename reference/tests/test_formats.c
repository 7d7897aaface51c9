/* Scales, ranges and values of quantization: the edges of encodings.md 5.1, 5.3 to 5.5 by hand, and
 * rounding held to whole-number arithmetic. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/formats.h"

#include <math.h>
#include <string.h>

static void check_scale(double scale, int mantissa, int frac)
{
    lb_scale pair;
    if (!lb_scale_from_real(scale, &pair))
        fail_msg("%a has no pair", scale);
    if (pair.mantissa != mantissa || pair.frac != frac)
        fail_msg("%a: %d * 2^-%d, not %d * 2^-%d", scale, pair.mantissa, pair.frac, mantissa, frac);
}

static void test_scales(void **state)
{
    lb_scale pair;
    (void)state;
    check_scale(1, 16384, 14);
    check_scale(1.0 / 3, 21845, 16);
    check_scale(0x1.fffdp-1, 32767, 15);   /* 32767.25 */
    check_scale(0x1.fffep-1, 16384, 14);   /* 32767.5: a tie to 32768, carried */
    check_scale(0x1.fffeffp-1, 16384, 14); /* above it */
    check_scale(0x1.0001p0, 16384, 14);    /* 16384.25 */
    check_scale(0x1.0002p0, 16384, 14);    /* a tie, to even */
    check_scale(0x1.0006p0, 16386, 14);    /* a tie, to even upwards */
    check_scale(0x1p-113, 16384, 127);
    check_scale(0x1p-114, 8192, 127);
    check_scale(0x1p-127, 1, 127);
    check_scale(0x1.8p-128, 1, 127);
    check_scale(0x1.0000000000001p-128, 1, 127);
    check_scale(0x1.fffcp142, 32767, -128);
    assert_false(lb_scale_from_real(0x1p-128, &pair)); /* a tie to 0 */
    assert_false(lb_scale_from_real(0x1.fffep142, &pair));
    assert_false(lb_scale_from_real(0x1p-1074, &pair));
    assert_false(lb_scale_from_real(0x1.fffffffffffffp1023, &pair));
    assert_false(lb_scale_from_real(0, &pair));
    assert_false(lb_scale_from_real(-1, &pair));
    assert_false(lb_scale_from_real(INFINITY, &pair));
    assert_false(lb_scale_from_real(NAN, &pair));
    assert_false(lb_scale_is_coarse(0x1p-113));
    assert_true(lb_scale_is_coarse(0x1.fffffffffffffp-114));
}

static void check_value(lb_grid grid, double value, int64_t even, int64_t up)
{
    int64_t q[2];
    assert_true(lb_quantize(grid, (float)value, LB_HALVES_TO_EVEN, &q[0]));
    assert_true(lb_quantize(grid, (float)value, LB_HALVES_UP, &q[1]));
    if (q[0] != even || q[1] != up)
        fail_msg("%a: %lld and %lld, not %lld and %lld", value, (long long)q[0], (long long)q[1],
                 (long long)even, (long long)up);
}

static void test_values(void **state)
{
    lb_grid grid = lb_grid_of((lb_scale){16384, 16}, -7, -128, 127); /* a quarter */
    int64_t q;
    (void)state;
    check_value(grid, 0, -7, -7);
    check_value(grid, -0.0, -7, -7);
    check_value(grid, 0.125, -7, -6);
    check_value(grid, -0.125, -7, -7);
    check_value(grid, 0.375, -5, -5);
    check_value(grid, -0.375, -9, -8);
    check_value(grid, 0x1.000002p-3, -6, -6);
    check_value(grid, 33.5, 127, 127);
    check_value(grid, 1e30, 127, 127);
    check_value(grid, -1e30, -128, -128);
    check_value(grid, INFINITY, 127, 127);
    check_value(grid, -INFINITY, -128, -128);
    check_value(grid, 1e-45, -7, -7);
    assert_false(lb_quantize(grid, NAN, LB_HALVES_TO_EVEN, &q));
    assert_true(lb_dequantize(grid, 127) == 33.5f);
    assert_true(lb_dequantize(grid, -7) == 0);
}

/* Whole-number quotients with any remainder: value / step with both small enough to be exact. */
static void test_rounding(void **state)
{
    uint64_t seed = 1;
    (void)state;
    for (int i = 0; i < 200000; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        int64_t x = (int64_t)(seed >> 40) - (1 << 23);
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        int64_t m = 1 + (int64_t)(seed >> 33) %
                            (i % 2 ? 32767 : 0x3FFF0001); /* a scale, or a product of two */
        lb_grid grid = {.step = (double)m, .low = INT32_MIN, .high = INT32_MAX};
        int64_t twice = 2 * x; /* x / m rounded: floor((2x + m) / 2m), down again at an odd tie */
        int64_t up =
            (twice + m >= 0) ? (twice + m) / (2 * m) : -((-(twice + m) + 2 * m - 1) / (2 * m));
        int64_t even = (twice + m) % (2 * m) == 0 && up % 2 != 0 ? up - 1 : up;
        check_value(grid, (double)x, even, up);
        check_value((lb_grid){.step = ldexp((double)m, -20), .low = INT32_MIN, .high = INT32_MAX},
                    ldexp((double)x, -20), even, up);
    }
}

/* binary64 division rounds this quotient to a tie that the exact one misses: 24 bits over 30
 * (encodings.md 5.4). */
static void test_close_to_a_tie(void **state)
{
    unsigned found = 0;
    (void)state;
    for (int64_t m = 0x20000001; m < 0x20004001; m += 2) {
        for (int shift = 30; shift <= 36; shift++) {
            /* the 24-bit x for which x * 2^shift lies nearest to (k + 1/2) m */
            int64_t k = ((int64_t)0xFFFFFF << shift) / m;
            int64_t x = ((2 * k + 1) * m / 2) >> shift;
            if (x <= 0 || x > 0xFFFFFF)
                continue;
            lb_grid grid = {
                .step = ldexp((double)m, -shift), .low = INT64_MIN / 4, .high = INT64_MAX / 4};
            int64_t numerator = x << shift;
            int64_t quotient = numerator / m, rest = numerator % m;
            int64_t due = quotient + (2 * rest > m || (2 * rest == m && quotient % 2 != 0));
            int64_t q;
            if ((double)quotient > 0x1p39)
                continue;
            assert_true(lb_quantize(grid, (float)x, LB_HALVES_TO_EVEN, &q));
            assert_int_equal(q, due);
            found++;
        }
    }
    assert_true(found > 1000);
}

static void test_ranges(void **state)
{
    static const struct {
        double low, high;
        int fx16, fx8;
    } rows[] = {{-1, 1, 14, 6},        {-1, 0x1.fffcp-1, 15, 6}, {0, 0, 15, 7},
                {-128, 127, 8, 0},     {-128, 127.5, 8, -1},     {-129, 0, 7, -1},
                {-128.5, 0, 7, 0},     {-32768, 32767, 0, -1},   {0, 32767.5, -1, -1},
                {-32768.5, 0, 0, -1},  {-1e300, 1e300, -1, -1},  {-1e-300, 1e-300, 15, 7},
                {0, 0x1.fdp-1, 15, 7}, {0, 0x1.fep-1, 15, 6}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int fx16 = lb_frac_bits_of_range(rows[i].low, rows[i].high, 16);
        int fx8 = lb_frac_bits_of_range(rows[i].low, rows[i].high, 8);
        if (fx16 != rows[i].fx16 || fx8 != rows[i].fx8)
            fail_msg("%g to %g: %d and %d", rows[i].low, rows[i].high, fx16, fx8);
    }
}

static void test_products(void **state)
{
    lb_scale pair;
    (void)state;
    double product = lb_scale_product((lb_scale){20000, 20}, (lb_scale){30000, 21});
    assert_true(product == ldexp(600000000, -41));
    assert_true(lb_scale_from_real(product, &pair));
    assert_int_equal(pair.mantissa, 18311); /* 600000000 / 2^15, rounded */
    assert_int_equal(pair.frac, 26);
    assert_true(lb_scale_product((lb_scale){1, 127}, (lb_scale){1, 127}) == 0x1p-254);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scales),   cmocka_unit_test(test_values),
        cmocka_unit_test(test_rounding), cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_products), cmocka_unit_test(test_close_to_a_tie),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
