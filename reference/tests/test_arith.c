/* The integer primitives against formulations in long double, where each value of up to 64 bits is
 * exact. Spec: numerics.md 3; the same in conv.md 2, elementwise.md 1, recurrent.md 1 and
 * pooling_and_movement.md 1.2. */
#include "tensors.h"

#include "core/arith.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

static long double low_of(int width)
{
    return -ldexpl(1.0L, width - 1);
}

static long double high_of(int width)
{
    return ldexpl(1.0L, width - 1) - 1.0L;
}

static long double clamped(long double v, int width)
{
    return fminl(fmaxl(v, low_of(width)), high_of(width));
}

/* The rounding shift as real arithmetic: v / 2^n, with the half added and clipped (up) or rounded
 * to even (convergent). */
static long double rsh_in_reals(lb_rounding rounding, long double v, int n, int width)
{
    if (n <= 0)
        return clamped(ldexpl(v, -n), width);
    if (n >= width)
        return 0.0L;
    if (rounding == LB_ROUND_CONVERGENT) {
        return rintl(
            ldexpl(v, -n)); /* to nearest, ties to even: the default mode of IEEE arithmetic */
    }
    return floorl(ldexpl(fminl(v + ldexpl(1.0L, n - 1), high_of(width)), -n));
}

static void check_shifts(int64_t v, int n, int width)
{
    long double real = (long double)v;
    for (int mode = 0; mode < 2; mode++) {
        lb_rounding rounding = mode == 0 ? LB_ROUND_UP : LB_ROUND_CONVERGENT;
        assert_true((long double)lb_rsh(rounding, v, n, width) ==
                    rsh_in_reals(rounding, real, n, width));
    }
    long double shifted_left = n >= 0 ? clamped(ldexpl(real, n), width) : floorl(ldexpl(real, n));
    long double shifted_right =
        n >= 0 ? floorl(ldexpl(real, -n)) : clamped(ldexpl(real, -n), width);
    assert_true((long double)lb_shl(v, n, width) == shifted_left);
    assert_true((long double)lb_asr(v, n, width) == shifted_right);
}

static void shifts_of_all_8_bit_values(void **state)
{
    (void)state;
    for (int v = -128; v <= 127; v++)
        for (int n = -300; n <= 300; n++)
            check_shifts(v, n, 8);
}

/* Around powers of two and the ends, and around the ties of the shift. */
static void check_telling_values(int width)
{
    for (int bit = 0; bit < width; bit++) {
        for (int64_t near = -3; near <= 3; near++) {
            int64_t power = bit == width - 1 ? lb_max_of(width) : (int64_t)1 << bit;
            int64_t v = lb_add(power, near, width);
            for (int n = -width - 3; n <= width + 3; n++) {
                check_shifts(v, n, width);
                check_shifts(lb_neg(v, width), n, width);
                check_shifts(lb_add(lb_min_of(width), near, width), n, width);
                int64_t tie = n > 0 && n < width ? lb_add(v, lb_shl(1, n - 1, width), width) : v;
                check_shifts(tie, n, width);
            }
        }
    }
}

static void shifts_of_wider_values(void **state)
{
    (void)state;
    check_telling_values(16);
    check_telling_values(32);
    check_telling_values(40);
}

static void shifts_of_64_bits(void **state)
{
    (void)state;
    if (LDBL_MANT_DIG < 64)
        skip();
    check_telling_values(64);
}

static void shift_counts_at_the_ends_of_int(void **state)
{
    (void)state;
    for (int mode = 0; mode < 2; mode++) {
        lb_rounding rounding = mode == 0 ? LB_ROUND_UP : LB_ROUND_CONVERGENT;
        assert_int_equal(lb_rsh(rounding, -5, INT_MAX, 32), 0);
        assert_int_equal(lb_rsh(rounding, -5, INT_MIN, 32), INT32_MIN);
        assert_int_equal(lb_rsh(rounding, 0, INT_MIN, 32), 0);
    }
    assert_int_equal(lb_asr(-5, INT_MAX, 64), -1);
    assert_int_equal(lb_asr(5, INT_MIN, 64), INT64_MAX);
    assert_int_equal(lb_shl(5, INT_MIN, 64), 0);
    assert_int_equal(lb_shl(-5, INT_MIN, 64), -1);
}

/* numerics.md 3 and conv.md 2: the examples of the text */
static void rounding_shift_examples(void **state)
{
    (void)state;
    assert_int_equal(lb_rsh(LB_ROUND_UP, INT32_MAX, 1, 32), (1 << 30) - 1);
    assert_int_equal(lb_rsh(LB_ROUND_CONVERGENT, INT32_MAX, 1, 32), 1 << 30);
    assert_int_equal(lb_rsh(LB_ROUND_UP, INT32_MAX, 20, 32), 2047);
    assert_int_equal(lb_rsh(LB_ROUND_CONVERGENT, INT32_MAX, 20, 32), 2048);
    assert_int_equal(lb_rsh(LB_ROUND_UP, INT32_MAX, 31, 32), 0);
    assert_int_equal(lb_rsh(LB_ROUND_CONVERGENT, INT32_MAX, 31, 32), 1);
    assert_int_equal(lb_rsh(LB_ROUND_UP, INT32_MIN, 31, 32), -1);
    assert_int_equal(lb_rsh(LB_ROUND_UP, INT32_MIN, 32, 32), 0);
    assert_int_equal(lb_rsh(LB_ROUND_UP, -5, 1, 32), -2); /* -2.5 */
    assert_int_equal(lb_rsh(LB_ROUND_CONVERGENT, -5, 1, 32), -2);
    assert_int_equal(lb_rsh(LB_ROUND_UP, -3, 1, 32), -1); /* -1.5 */
    assert_int_equal(lb_rsh(LB_ROUND_CONVERGENT, -3, 1, 32), -2);
    assert_int_equal(lb_rsh(LB_ROUND_UP, 127, 1, 8), 63); /* elementwise.md 1 */
    assert_int_equal(lb_rsh(LB_ROUND_CONVERGENT, 127, 1, 8), 64);
    assert_int_equal(lb_rsh(LB_ROUND_UP, 127, 7, 8), 0);
    assert_int_equal(lb_rsh(LB_ROUND_CONVERGENT, 127, 7, 8), 1);
}

static void limits_of_widths(void **state)
{
    (void)state;
    assert_int_equal(lb_min_of(1), -1);
    assert_int_equal(lb_max_of(1), 0);
    assert_int_equal(lb_min_of(8), -128);
    assert_int_equal(lb_max_of(24), 8388607);
    assert_int_equal(lb_min_of(40), -549755813888);
    assert_true(lb_min_of(64) == INT64_MIN && lb_max_of(64) == INT64_MAX);
}

static void wrap_and_saturate(void **state)
{
    (void)state;
    for (int v = -1000; v <= 1000; v++) {
        int modulo = ((v + 128) % 256 + 256) % 256 - 128;
        int cut = v < -128 ? -128 : (v > 127 ? 127 : v);
        assert_int_equal(lb_wrap(v, 8), modulo);
        assert_int_equal(lb_sat(v, 8), cut);
        assert_int_equal(lb_trunc_sat(v, 0, 8), cut);
    }
    assert_int_equal(lb_wrap((int64_t)1 << 31, 32), INT32_MIN);
    assert_int_equal(lb_wrap(-((int64_t)1 << 31) - 1, 32), INT32_MAX);
    assert_true(lb_wrap(INT64_MIN, 64) == INT64_MIN && lb_wrap(INT64_MAX, 64) == INT64_MAX &&
                lb_wrap(-1, 64) == -1);
    assert_int_equal(lb_wrap(1, 1), -1);
    assert_int_equal(lb_wrap(2, 1), 0);
    assert_int_equal(lb_sat(INT64_MIN, 40), -549755813888);
    assert_int_equal(lb_wrap((int64_t)1 << 39, 40), -549755813888);
}

/* trunc_sat is defined as a saturating shift to the left and back */
static void truncation_of_all_16_bit_values(void **state)
{
    (void)state;
    for (int v = -32768; v <= 32767; v++)
        for (int k = 0; k < 16; k++)
            assert_int_equal(lb_trunc_sat(v, k, 16), lb_asr(lb_shl(v, k, 16), k, 16));
}

static void sums_of_all_8_bit_pairs(void **state)
{
    (void)state;
    for (int a = -128; a <= 127; a++) {
        assert_int_equal(lb_neg(a, 8), a == -128 ? 127 : -a);
        assert_int_equal(lb_abs(a, 8), a == -128 ? 127 : abs(a));
        for (int b = -128; b <= 127; b++) {
            int sum = a + b;
            int difference = a - b;
            assert_int_equal(lb_add(a, b, 8), sum < -128 ? -128 : (sum > 127 ? 127 : sum));
            assert_int_equal(lb_sub(a, b, 8),
                             difference < -128 ? -128 : (difference > 127 ? 127 : difference));
        }
    }
}

static void sums_at_the_ends_of_64_bits(void **state)
{
    (void)state;
    static const int64_t values[] = {INT64_MIN, INT64_MIN + 1, -2,       -1, 0, 1,
                                     2,         INT64_MAX - 1, INT64_MAX};
    for (size_t i = 0; i < COUNT_OF(values) && LDBL_MANT_DIG >= 64; i++) {
        for (size_t j = 0; j < COUNT_OF(values); j++) {
            long double a = (long double)values[i];
            long double b = (long double)values[j];
            assert_true((long double)lb_add(values[i], values[j], 64) == clamped(a + b, 64));
            assert_true((long double)lb_sub(values[i], values[j], 64) == clamped(a - b, 64));
        }
    }
    assert_true(lb_add(INT64_MAX, 1, 64) == INT64_MAX);
    assert_true(lb_add(INT64_MIN, -1, 64) == INT64_MIN);
    assert_true(lb_add(INT64_MAX, INT64_MIN, 64) == -1);
    assert_true(lb_sub(INT64_MIN, 1, 64) == INT64_MIN);
    assert_true(lb_sub(0, INT64_MIN, 64) == INT64_MAX);
    assert_true(lb_sub(-1, INT64_MIN, 64) == INT64_MAX);
    assert_true(lb_neg(INT64_MIN, 64) == INT64_MAX);
    assert_true(lb_abs(INT64_MIN, 64) == INT64_MAX);
}

/* norm: how far a value can go left inside the width */
static void norm_of_all_16_bit_values(void **state)
{
    (void)state;
    for (int v = -32768; v <= 32767; v++) {
        int n = lb_norm(v, 16);
        if (v == 0 || v == -1) {
            assert_int_equal(n, 15);
            continue;
        }
        int64_t moved = (int64_t)v * ((int64_t)1 << n);
        assert_true(moved >= -32768 && moved <= 32767);
        assert_true(2 * moved < -32768 || 2 * moved > 32767);
        assert_int_equal(lb_norm(v, 32), n + 16);
    }
    assert_int_equal(lb_norm(0, 64), 63);
    assert_int_equal(lb_norm(INT64_MIN, 64), 0);
    assert_int_equal(lb_norm(INT64_MAX, 64), 0);
    assert_int_equal(lb_norm(1, 8), 6);
}

static void products_and_quotients(void **state)
{
    (void)state;
    assert_int_equal(lb_mulh(INT32_MIN, INT32_MIN), INT32_MIN); /* the only pair that wraps */
    assert_int_equal(lb_mulh(INT32_MIN, INT32_MAX), -INT32_MAX);
    assert_int_equal(lb_mulh(1 << 30, 1 << 30), 1 << 29);
    assert_int_equal(lb_mulh(1 << 30, 1), 1); /* 0.5 goes up */
    assert_int_equal(lb_mulh(-(1 << 30), 1), 0);
    assert_int_equal(lb_mulh(-(1 << 30) - 1, 1), -1);
    assert_int_equal(lb_tdiv(7, 2), 3);
    assert_int_equal(lb_tdiv(-7, 2), -3);
    assert_int_equal(lb_tdiv(7, -2), -3);
    assert_true(lb_tdiv(INT64_MIN, -1) == INT64_MAX);
    assert_int_equal(lb_tdiv(5, 0), 0); /* no trap */
}

/* numerics.md 3, the table of casts, row by row */
static void casts(void **state)
{
    (void)state;
    assert_int_equal(lb_cast(LB_ROUND_UP, 1000, 32, 8, 3), 125);
    assert_int_equal(lb_cast(LB_ROUND_UP, 1020, 32, 8, 3), 127); /* 127.5, 128 saturates */
    assert_int_equal(lb_cast(LB_ROUND_UP, 32767, 16, 16, 1), 16383);
    assert_int_equal(lb_cast(LB_ROUND_CONVERGENT, 32767, 16, 16, 1), 16384);
    assert_int_equal(lb_cast(LB_ROUND_UP, 127, 8, 16, 1),
                     64); /* the half does not saturate in 16 bits */
    assert_int_equal(lb_cast(LB_ROUND_UP, 127, 8, 16, -9), 32767);
    assert_int_equal(lb_cast(LB_ROUND_UP, 1000, 16, 64, -28),
                     INT32_MIN); /* only 32 bits survive: 4.2 */
    assert_int_equal(lb_cast(LB_ROUND_UP, (int64_t)1 << 40, 64, 32, 8), INT32_MAX);
    assert_int_equal(lb_cast(LB_ROUND_UP, -((int64_t)1 << 40), 64, 16, 30), -1024);
}

static void norm_cast_fills_the_width(void **state)
{
    (void)state;
    uint32_t random = 2463534242u;
    for (int i = 0; i < 20000; i++) {
        int64_t v = lb_asr((int64_t)(int32_t)lb_wrap(next_random(&random), 32), i % 32, 32);
        int k;
        int64_t m = lb_norm_cast(LB_ROUND_CONVERGENT, v, 16, &k);
        assert_int_equal(k, 16 - lb_norm(v, 32));
        assert_true(v == 0 || v == -1 || m >= 16384 || m <= -16384);
        /* Saturation of a mantissa that rounds up to 32768 costs up to one step more. */
        assert_true(fabs((double)v - ldexp((double)m, k)) <= ldexp(m == 32767 ? 1.0 : 0.5, k));
    }
    int k;
    assert_int_equal(lb_norm_cast(LB_ROUND_UP, 0, 16, &k), 0);
    assert_int_equal(k, -15); /* elementwise.md 1 */
    assert_int_equal(lb_norm_cast(LB_ROUND_UP, 3, 32, &k), 3 << 29);
    assert_int_equal(k, -29);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shifts_of_all_8_bit_values),
        cmocka_unit_test(shifts_of_wider_values),
        cmocka_unit_test(shifts_of_64_bits),
        cmocka_unit_test(shift_counts_at_the_ends_of_int),
        cmocka_unit_test(rounding_shift_examples),
        cmocka_unit_test(limits_of_widths),
        cmocka_unit_test(wrap_and_saturate),
        cmocka_unit_test(truncation_of_all_16_bit_values),
        cmocka_unit_test(sums_of_all_8_bit_pairs),
        cmocka_unit_test(sums_at_the_ends_of_64_bits),
        cmocka_unit_test(norm_of_all_16_bit_values),
        cmocka_unit_test(products_and_quotients),
        cmocka_unit_test(casts),
        cmocka_unit_test(norm_cast_fills_the_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
