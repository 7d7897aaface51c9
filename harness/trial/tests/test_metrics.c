/* The figures of a tolerance, each against numbers worked out by hand. */
#include "harness/tests/fixture.h"

#include "harness/trial/derived_limit.h"
#include "harness/trial/metrics.h"

#include <math.h>

#define NEAR(a, b) assert_true(fabs((a) - (b)) < 1e-12)

/* Four elements, zero point 10, one step is 0.25. ideal 12.5 8 10 14.25; got 13 8 9 14: errors 0.5
 * 0 -1 -0.25. */
static void test_every_metric(void **state)
{
    lb_metrics m = {0};
    lb_tolerance t = {.role = "out"};
    (void)state;
    lb_metrics_add(&m, 13, 12.5, 10, 0.25);
    lb_metrics_add(&m, 8, 8, 10, 0.25);
    lb_metrics_add(&m, 9, 10, 10, 0.25);
    lb_metrics_add(&m, 14, 14.25, 10, 0.25);
    lb_metrics_fill(&m, &t);
    assert_int_equal(t.elements, 4);
    NEAR(t.max_steps, 1);
    NEAR(t.max_real, 0.25);
    NEAR(t.mean_steps, -0.1875);         /* -0.75 / 4 */
    NEAR(t.rms_steps, sqrt(1.3125 / 4)); /* 0.25 + 0 + 1 + 0.0625 */
    /* signal 2.5 -2 0 4.25 steps: 6.25 + 4 + 0 + 18.0625 = 28.3125; the step cancels */
    NEAR(t.noise_ratio, sqrt(1.3125 / 28.3125));
    NEAR(t.snr_db, 10 * log10(28.3125 / 1.3125));
    /* rounding to nearest leaves -0.5 (12.5 to 12), 0, 0, -0.25: 0.3125 of 1.3125 */
    NEAR(t.quant_share_percent, 100 * 0.3125 / 1.3125);
    NEAR(m.peak, 4.25);
    NEAR(m.peak_real, 4.25 * 0.25);
    NEAR(m.step_real, 0.25);
}

/* Per axis the steps differ: the largest error in steps is not that in real units. */
static void test_steps_of_different_size(void **state)
{
    lb_metrics m = {0};
    lb_tolerance t = {.role = "out"};
    (void)state;
    lb_metrics_add(&m, 5, 3, 0, 0.5);   /* 2 steps, 1.0; signal 1.5 */
    lb_metrics_add(&m, -1, -2, 1, 4.0); /* 1 step, 4.0; signal -12 */
    lb_metrics_fill(&m, &t);
    NEAR(t.max_steps, 2);
    NEAR(t.max_real, 4);
    NEAR(t.mean_steps, 1.5);
    NEAR(t.noise_ratio, sqrt((1.0 + 16.0) / (2.25 + 144.0)));
    NEAR(t.quant_share_percent, 0); /* the ideal values are whole */
}

static void test_no_noise_and_no_signal(void **state)
{
    lb_metrics quiet = {0}, silent = {0};
    lb_tolerance t = {.role = "out"};
    (void)state;
    lb_metrics_add(&quiet, 7, 7, 0, 1);
    lb_metrics_fill(&quiet, &t);
    assert_true(t.snr_db == LB_SNR_ENDS_DB && t.noise_ratio == 0 && t.quant_share_percent == 100);
    lb_metrics_add(&silent, 1, 0, 0, 1);
    lb_metrics_fill(&silent, &t);
    assert_true(t.snr_db == -LB_SNR_ENDS_DB && t.noise_ratio == 0 && t.quant_share_percent == 0);
}

/* Edges -16 -8 -4 -2 -1 -0.5 0.5 1 2 4 8 16: an error on an edge counts in the bin nearer to zero.
 */
static void test_histogram(void **state)
{
    static const double errors[] = {-100, -16, -0.75, -0.5, 0, 0.5, 0.6, 1, 3, 16, 17};
    static const uint64_t expected[LB_TOLERANCE_BINS] = {1, 1, 0, 0, 0, 1, 3, 2, 0, 1, 0, 1, 1};
    lb_metrics m = {0};
    (void)state;
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
        lb_metrics_add(&m, 50 + errors[i], 50, 0, 1);
    assert_memory_equal(m.histogram, expected, sizeof expected);
}

/* ---- Derived limits ---- */

static const lb_span around_ten = {.value = 10.25, .low = 9.5, .high = 12, .from = 10, .to = 11};

static void test_share_of_a_limit(void **state)
{
    lb_derived d = {0};
    (void)state;
    lb_derived_add(&d, 11, &around_ten, 100); /* 0.75 of 1.75 above */
    assert_int_equal(d.judged, 1);
    assert_true(fabs(lb_derived_max(&d).limit - 1.75) < 1e-9);
    assert_true(fabs(lb_derived_max(&d).used_percent - 100 * 0.75 / 1.75) < 1e-3);
    lb_derived_add(&d, 10, &around_ten, 100); /* 0.25: less */
    assert_true(fabs(lb_derived_max(&d).used_percent - 100 * 0.75 / 1.75) < 1e-3);
    lb_derived_add(&d, 9, &around_ten,
                   100); /* 1.25 below: as far off as the function itself may be above */
    assert_true(fabs(lb_derived_max(&d).used_percent - 100 * 1.25 / 1.75) < 1e-3);
    lb_derived_add(&d, 12, &around_ten, 100); /* all of it */
    assert_true(lb_derived_max(&d).used_percent > 99.9 && lb_derived_max(&d).used_percent <= 100);
    lb_derived_add(&d, 12.01, &around_ten, 100);
    assert_true(lb_derived_max(&d).used_percent > 100);
}

/* Where nothing rounds there is no room at all. */
static void test_limit_of_zero(void **state)
{
    lb_span exact = lb_span_of(7);
    lb_derived d = {0};
    (void)state;
    lb_derived_add(&d, 7, &exact, 100);
    assert_true(lb_derived_max(&d).used_percent == 0 && lb_derived_mean(&d).used_percent == 0);
    lb_derived_add(&d, 8, &exact, 100);
    assert_true(fabs(lb_derived_max(&d).used_percent - 200) < 1e-9);
    assert_true(lb_derived_mean(&d).used_percent > 100);
}

static void test_what_is_not_judged(void **state)
{
    lb_span unknown = lb_span_unknown(3),
            wide = {.value = 0, .low = -9, .high = 9, .from = -9, .to = 9};
    lb_derived d = {0};
    (void)state;
    lb_derived_add(&d, 100, &unknown, 100);
    assert_true(d.overflowed == 1 && d.judged == 0);
    lb_derived_add(&d, 5, &wide, 8); /* a limit of 9 on a signal of 8 */
    assert_true(d.vague == 1 && d.judged == 0);
    lb_derived_add(&d, 5, &wide, 9);
    assert_true(d.vague == 1 && d.judged == 1);
    assert_false(lb_limit_is_vague(2, 0.1));
    assert_true(lb_limit_is_vague(2.1, 0.1));
}

/* Values k + i/n for i = 0 .. n-1, each rounded in some way: errors of a requantization over many
 * elements. */
static double mean_use(unsigned n, lb_rounding rounding, double (*round)(double v))
{
    lb_derived d = {0};
    for (unsigned i = 0; i < n; i++) {
        lb_span s = lb_span_rounded(lb_span_of(20.0 + i + (double)i / n), rounding);
        lb_derived_add(&d, round(s.value), &s, 1000);
    }
    return lb_derived_mean(&d).used_percent;
}

static double round_up(double v)
{
    return floor(v + 0.5);
}

static double truncate_it(double v)
{
    return floor(v);
}

static double half_too_much(double v)
{
    return floor(v + 1.0);
}

static void test_mean_error_finds_half_a_step(void **state)
{
    (void)state;
    assert_true(mean_use(16, LB_ROUND_UP, round_up) < 1);
    assert_true(mean_use(16, LB_ROUND_UP, truncate_it) >
                100); /* 16 elements are enough: 6 * 0.29 / 4 = 0.43 */
    assert_true(mean_use(1000, LB_ROUND_UP, truncate_it) > 800);
    assert_true(mean_use(1000, LB_ROUND_UP, half_too_much) > 800);
    assert_true(mean_use(8, LB_ROUND_UP, truncate_it) < 100); /* too few to tell */
}

/* n = 2: every second value is a tie. Up makes half a step of them, convergent nothing in the mean:
 * each expects its own bias. */
static void test_mean_error_knows_ties_of_the_profile(void **state)
{
    lb_derived up = {0}, convergent = {0}, wrong = {0};
    (void)state;
    for (unsigned i = 0; i < 4000; i++) {
        double v = i * 0.5;
        lb_span u = lb_span_rounded(lb_span_of(v), LB_ROUND_UP),
                c = lb_span_rounded(lb_span_of(v), LB_ROUND_CONVERGENT);
        lb_derived_add(&up, round_up(v), &u, 1e4);
        lb_derived_add(&convergent, nearbyint(v), &c, 1e4);
        lb_derived_add(
            &wrong, round_up(v), &c,
            1e4); /* rounds up in a convergent profile: every error is within half a step */
    }
    assert_true(lb_derived_mean(&up).used_percent < 1);
    assert_true(lb_derived_mean(&convergent).used_percent < 1);
    assert_true(lb_derived_max(&wrong).used_percent <= 100);
    assert_true(lb_derived_mean(&wrong).used_percent > 100);
}

/* The same value again and again has one error again and again: a right port is not blamed. */
static void test_mean_error_of_repeated_values(void **state)
{
    lb_derived d = {0};
    lb_span s = lb_span_rounded(lb_span_of(3.45), LB_ROUND_UP);
    (void)state;
    for (unsigned i = 0; i < 5000; i++)
        lb_derived_add(&d, 3, &s, 1000);
    assert_true(lb_derived_mean(&d).used_percent < 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_metric),
        cmocka_unit_test(test_steps_of_different_size),
        cmocka_unit_test(test_no_noise_and_no_signal),
        cmocka_unit_test(test_histogram),
        cmocka_unit_test(test_share_of_a_limit),
        cmocka_unit_test(test_limit_of_zero),
        cmocka_unit_test(test_what_is_not_judged),
        cmocka_unit_test(test_mean_error_finds_half_a_step),
        cmocka_unit_test(test_mean_error_knows_ties_of_the_profile),
        cmocka_unit_test(test_mean_error_of_repeated_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
