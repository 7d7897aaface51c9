/* Spans: the arithmetic of real numbers with the ranges of their fixed-point counterparts. */
#include "tensors.h"

#include "core/arith.h"
#include "core/span.h"

#include <math.h>

static void assert_span(lb_span s, double value, double low, double high, double from, double to)
{
    assert_true(fabs(s.value - value) < 1e-9);
    assert_true(fabs(s.low - low) < 1e-9 && fabs(s.high - high) < 1e-9);
    assert_true(fabs(s.from - from) < 1e-9 && fabs(s.to - to) < 1e-9);
}

static const lb_span a = {2.0, 1.0, 4.0, 1.5, 3.0};
static const lb_span b = {-1.0, -2.0, 0.5, -1.0, 0.0};

static void sums_and_products(void **state)
{
    (void)state;
    assert_span(lb_span_of(3.0), 3.0, 3.0, 3.0, 3.0, 3.0);
    assert_span(lb_span_plus(a, b), 1.0, -1.0, 4.5, 0.5, 3.0);
    assert_span(lb_span_minus(a, b), 3.0, 0.5, 6.0, 1.5, 4.0);
    assert_span(lb_span_times(a, b), -2.0, -8.0, 2.0, -3.0, 0.0);
    assert_span(lb_span_scaled(a, -2.0), -4.0, -8.0, -2.0, -6.0, -3.0);
    assert_span(lb_span_moved(a, 10.0), 12.0, 11.0, 14.0, 11.5, 13.0);
    assert_span(lb_span_blurred(b, 0.1), -1.0, -2.2, 0.55, -1.1, 0.0);
    assert_span(lb_span_widened(a, 0.25, 0.5), 2.0, 0.75, 4.5, 1.25, 3.5);
}

static void saturation(void **state)
{
    (void)state;
    assert_span(lb_span_clamped(a, 2.5, 3.5), 2.5, 2.5, 3.5, 2.5, 3.0);
    assert_span(lb_span_confined(a, 2.5, 3.5), 2.0, 2.5, 3.5, 2.5, 3.0);
    assert_span(lb_span_saturated(lb_span_of(200.0), 8), 127.0, 127.0, 127.0, 127.0, 127.0);
    assert_span(lb_span_saturated(lb_span_of(-200.0), 8), -128.0, -128.0, -128.0, -128.0, -128.0);
}

static void roundings(void **state)
{
    (void)state;
    assert_span(lb_span_rounded(lb_span_of(2.25), LB_ROUND_UP), 2.25, 1.75, 2.75, 2.0, 2.0);
    assert_span(lb_span_rounded(lb_span_of(2.5), LB_ROUND_UP), 2.5, 2.0, 3.0, 3.0, 3.0);
    assert_span(lb_span_rounded(lb_span_of(2.5), LB_ROUND_CONVERGENT), 2.5, 2.0, 3.0, 2.0, 2.0);
    /* the end of a range at a tie might have lost its last bit: the step below counts too */
    assert_span(lb_span_rounded(a, LB_ROUND_UP), 2.0, 0.5, 4.5, 1.0, 3.0);
    assert_span(lb_span_shifted_right(lb_span_of(9.0), 2, 32, LB_ROUND_UP), 2.25, 1.75, 2.75, 2.0,
                2.0);
    assert_span(lb_span_shifted_right(lb_span_of(9.0), 0, 32, LB_ROUND_UP), 9.0, 9.0, 9.0, 9.0,
                9.0);
    assert_span(lb_span_shifted_right(lb_span_of(100.0), -2, 8, LB_ROUND_UP), 127.0, 127.0, 127.0,
                127.0, 127.0);
}

/* numerics.md 3: rsh(2^31 - 1, 1, 32) is 2^30 - 1 in the mode up, because the half saturates. */
static void the_half_that_saturates(void **state)
{
    (void)state;
    lb_span up = lb_span_shifted_right(lb_span_of(2147483647.0), 1, 32, LB_ROUND_UP);
    lb_span convergent =
        lb_span_shifted_right(lb_span_of(2147483647.0), 1, 32, LB_ROUND_CONVERGENT);
    assert_true(up.from <= 1073741823.0 && up.low <= 1073741823.0);
    assert_true(convergent.to >= 1073741824.0 && convergent.from >= 1073741823.0);
}

/* Every value of 12 bits, every count: what rsh gives lies in both ranges, and the inner one is
 * that number alone. */
static void shifts_hold_what_the_integers_give(void **state)
{
    (void)state;
    for (int mode = LB_ROUND_UP; mode <= LB_ROUND_CONVERGENT; mode++) {
        for (int n = -4; n <= 16; n++) {
            for (int v = -2048; v < 2048; v++) {
                double got = (double)lb_rsh((lb_rounding)mode, v, n, 12);
                lb_span s = lb_span_shifted_right(lb_span_of(v), n, 12, (lb_rounding)mode);
                assert_true(s.low <= got + 1e-9 && got <= s.high + 1e-9);
                assert_true(s.from <= got && got <= s.to && s.from == s.to);
                assert_true(s.low <= s.from + 1e-9 && s.to <= s.high + 1e-9);
            }
        }
    }
}

static void the_unknown_stays_unknown(void **state)
{
    (void)state;
    lb_span u = lb_span_unknown(5.0);
    lb_span results[] = {lb_span_plus(u, a),      lb_span_times(a, u),
                         lb_span_scaled(u, 3.0),  lb_span_saturated(u, 8),
                         lb_span_moved(u, 1.0),   lb_span_rounded(u, LB_ROUND_UP),
                         lb_span_blurred(u, 0.1), lb_span_widened(u, 1, 1),
                         lb_span_minus(a, u),     lb_span_confined(u, -1, 1.0)};
    assert_true(lb_span_is_known(&a));
    for (size_t i = 0; i < COUNT_OF(results); i++) {
        assert_false(lb_span_is_known(&results[i]));
        assert_true(isnan(results[i].low) && isnan(results[i].high) && isnan(results[i].from) &&
                    isnan(results[i].to));
    }
    assert_true(results[0].value == 7.0);
}

static void powers_of_two(void **state)
{
    (void)state;
    for (int n = -200; n <= 200; n++)
        assert_true(lb_power_of_two(n) == ldexp(1.0, n));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_products),
        cmocka_unit_test(saturation),
        cmocka_unit_test(roundings),
        cmocka_unit_test(the_half_that_saturates),
        cmocka_unit_test(shifts_hold_what_the_integers_give),
        cmocka_unit_test(the_unknown_stays_unknown),
        cmocka_unit_test(powers_of_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
