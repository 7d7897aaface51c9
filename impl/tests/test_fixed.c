/* The primitives of fixed.h: every 8-bit value at every shift, and telling and random values of the
 * wider ones, against their definitions (numerics.md 3). */
#include "support.h"

#include "fixed.h"

static const enum lb_mli_round rounds[] = {LB_MLI_UP, LB_MLI_CONVERGENT};

static void test_rsh8_exhaustive(void **state)
{
    (void)state;
    for (int r = 0; r < 2; r++) {
        for (int v = INT8_MIN; v <= INT8_MAX; v++)
            for (int n = -40; n <= 40; n++)
                assert_int_equal(lb_mli_rsh8(v, n, rounds[r]), model_rsh(v, n, 8, r));
    }
}

static void test_rsh16_exhaustive(void **state)
{
    (void)state;
    for (int r = 0; r < 2; r++) {
        for (int v = INT16_MIN; v <= INT16_MAX; v++) {
            for (int n = -18; n <= 18; n++) {
                const int got = lb_mli_rsh16(v, n, rounds[r]);
                if (got != model_rsh(v, n, 16, r))
                    fail_msg("rsh16(%d, %d) = %d", v, n, got);
            }
        }
    }
}

/* Values around powers of two, where ties and saturation live. */
static int64_t telling(unsigned i, int w)
{
    const int64_t power = (int64_t)((uint64_t)1 << (i / 8 % (unsigned)(w - 1)));
    const int64_t v = power + (int64_t)(i % 8) - 4;
    return i / 8 / (unsigned)(w - 1) % 2 ? -v : v;
}

static void test_rsh32(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 200000; i++) {
        const int32_t v = i < 496 ? (int32_t)model_sat(telling(i, 32), 32) : (int32_t)random_bits();
        const int n = random_in(-35, 35);
        for (int r = 0; r < 2; r++)
            assert_int_equal(lb_mli_rsh32(v, n, rounds[r]), model_rsh(v, n, 32, r));
        assert_int_equal(lb_mli_rsh32(INT32_MAX, 1, LB_MLI_UP), (1 << 30) - 1);
    }
}

static void test_rsh64(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 200000; i++) {
        const int64_t wide = (int64_t)((uint64_t)random_bits() << 32 | random_bits());
        const int64_t v = i < 1008 ? telling(i, 64) : wide >> random_in(0, 63);
        const int n = random_in(-70, 70);
        for (int r = 0; r < 2; r++)
            if (lb_mli_rsh64(v, n, rounds[r]) != model_rsh(v, n, 64, r))
                fail_msg("rsh64(%lld, %d) round %d", (long long)v, n, r);
    }
}

/* Shift counts far outside every width, as sums of int8 parameters cannot even produce. */
static void test_any_count(void **state)
{
    (void)state;
    for (int r = 0; r < 2; r++) {
        assert_int_equal(lb_mli_rsh32(-1, INT32_MAX, rounds[r]), 0);
        assert_int_equal(lb_mli_rsh32(1, INT32_MIN, rounds[r]), INT32_MAX);
        assert_int_equal(lb_mli_rsh32(0, INT32_MIN, rounds[r]), 0);
        assert_true(lb_mli_rsh64(-3, INT32_MIN, rounds[r]) == INT64_MIN);
        assert_true(lb_mli_rsh64(-3, INT32_MAX, rounds[r]) == 0);
        assert_int_equal(lb_mli_rsh8(-1, -200, rounds[r]), INT8_MIN);
    }
    assert_true(lb_mli_shl64(0, 100) == 0);
    assert_true(lb_mli_shl64(-1, 63) == INT64_MIN);
    assert_true(lb_mli_shl64(1, 63) == INT64_MAX);
}

static void test_norm_and_cast(void **state)
{
    (void)state;
    assert_int_equal(lb_mli_norm32(0), 31);
    assert_int_equal(lb_mli_norm32(-1), 31);
    assert_int_equal(lb_mli_norm32(1), 30);
    assert_int_equal(lb_mli_norm32(INT32_MIN), 0);
    assert_int_equal(lb_mli_norm16(INT16_MIN), 0);
    assert_int_equal(lb_mli_norm16(-1), 15);
    assert_int_equal(lb_mli_norm64(0), 63);
    for (int v = INT16_MIN; v <= INT16_MAX; v++) {
        const int n = lb_mli_norm16((int16_t)v);
        assert_true(v * (1 << n) <= INT16_MAX && v * (1 << n) >= INT16_MIN);
        assert_true(v == 0 || v == -1 || v * (2 << n) > INT16_MAX || v * (2 << n) < INT16_MIN);
    }
    const struct lb_mli_mantissa zero = lb_mli_norm_cast16(0, LB_MLI_UP);
    assert_int_equal(zero.mantissa, 0);
    assert_int_equal(zero.exponent, -15);
    for (unsigned i = 0; i < 100000; i++) {
        const int32_t x = (int32_t)random_bits() >> random_in(0, 31);
        for (int r = 0; r < 2; r++) {
            int64_t mantissa;
            int exponent;
            model_norm_cast(x, r, &mantissa, &exponent);
            const struct lb_mli_mantissa m = lb_mli_norm_cast16(x, rounds[r]);
            assert_int_equal(m.exponent, exponent);
            assert_int_equal(m.mantissa, mantissa);
        }
    }
}

static void test_saturation(void **state)
{
    (void)state;
    assert_int_equal(lb_mli_sat8(128), 127);
    assert_int_equal(lb_mli_sat8(-129), -128);
    assert_int_equal(lb_mli_sat16((int64_t)1 << 40), INT16_MAX);
    assert_int_equal(lb_mli_sat16(-32769), INT16_MIN);
    assert_int_equal(lb_mli_sat32((int64_t)1 << 31), INT32_MAX);
    assert_int_equal(lb_mli_sat32(-((int64_t)1 << 40)), INT32_MIN);
    assert_int_equal(lb_mli_wrap32((int64_t)1 << 31), INT32_MIN);
    assert_int_equal(lb_mli_wrap32(((int64_t)32767 << 17)), -131072);
    assert_int_equal(lb_mli_shl32(-1, 31), INT32_MIN);
    assert_int_equal(lb_mli_shl32(-2, 31), INT32_MIN);
    assert_int_equal(lb_mli_shl32(3, 30), INT32_MAX);
}

/* The branch-free forms say the same as the total ones wherever they may be used. */
static void test_lanes(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 300000; i++) {
        const int32_t v = i < 496 ? (int32_t)model_sat(telling(i, 32), 32)
                                  : (int32_t)random_bits() >> random_in(0, 31);
        const int32_t w = (int32_t)random_bits() >> random_in(0, 31);
        const int n = (int)(i % 32);
        for (int r = 0; r < 2; r++) {
            assert_int_equal(lb_mli_lane_rsh(v, n, INT32_MAX, rounds[r]),
                             lb_mli_rsh32(v, n, rounds[r]));
            assert_true(lb_mli_lane_rnd(v, n, rounds[r]) == lb_mli_rsh64(v, n, rounds[r]));
        }
        assert_int_equal(lb_mli_lane_add32(v, w), lb_mli_sat32((int64_t)v + w));
    }
    for (int r = 0; r < 2; r++) {
        for (int v = INT8_MIN; v <= INT8_MAX; v++) {
            for (int n = 0; n < 8; n++)
                assert_int_equal(lb_mli_lane_rsh(v, n, INT8_MAX, rounds[r]),
                                 lb_mli_rsh8(v, n, rounds[r]));
        }
        for (int v = INT16_MIN; v <= INT16_MAX; v++) {
            for (int n = 0; n < 16; n++)
                assert_int_equal(lb_mli_lane_rsh(v, n, INT16_MAX, rounds[r]),
                                 lb_mli_rsh16(v, n, rounds[r]));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rsh8_exhaustive), cmocka_unit_test(test_rsh16_exhaustive),
        cmocka_unit_test(test_rsh32),           cmocka_unit_test(test_rsh64),
        cmocka_unit_test(test_any_count),       cmocka_unit_test(test_norm_and_cast),
        cmocka_unit_test(test_saturation),      cmocka_unit_test(test_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
