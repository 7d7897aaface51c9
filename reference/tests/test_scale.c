/* Scale arithmetic: the worked examples of the spec, the stated error bounds, and limits over whole
 * ranges. */
#include "tensors.h"

#include "core/scale.h"
#include "core/scale_num.h"

#include <math.h>

enum { UP_FULL, UP_REDUCED, CONVERGENT_FULL, CONVERGENT_REDUCED };

/* conv.md 14: one fully connected output in the four profiles, step by step */
static void sa8_worked_example(void **state)
{
    (void)state;
    static const struct {
        int32_t ratio;
        int64_t mul;
        int shift;
        int64_t bias;
        int64_t out;
    } expected[LB_PROFILE_COUNT] = {
        {28969, 751426891, 42, 712275, 114},
        {28969, 1502853782, 43, 712256, 113},
        {28968, 751400952, 42, 712275, 113},
        {28968, 1502801904, 43, 712256, 113},
    };
    lb_quant in = {23020, 21, 5};
    lb_quant weights = {25939, 20, 0};
    lb_quant out = {26039, 14, -10};
    for (int p = 0; p < LB_PROFILE_COUNT; p++) {
        const lb_profile *profile = &lb_profiles[p];
        lb_ratio ratio = lb_output_ratio(profile->rounding, in, out);
        assert_int_equal(ratio.ratio, expected[p].ratio);
        assert_int_equal(ratio.base, 22);
        lb_multiplier m = lb_output_multiplier(profile, ratio, weights);
        assert_int_equal(m.mul, expected[p].mul);
        assert_int_equal(m.shift, expected[p].shift);
        assert_int_equal(lb_bias_sa(profile, 712275), expected[p].bias);
        assert_int_equal(lb_result_cast(profile, 10564 + expected[p].bias, m, -10),
                         expected[p].out);
    }
}

/* pooling_and_movement.md 2.6, worked example: the same parameters */
static void requant_worked_example(void **state)
{
    (void)state;
    for (int mode = 0; mode < 2; mode++) {
        lb_requant r = lb_requant_params(mode == 0 ? LB_ROUND_UP : LB_ROUND_CONVERGENT,
                                         (lb_quant){20000, 15, 10}, (lb_quant){25000, 15, -7});
        assert_int_equal(r.scale, 26214);
        assert_int_equal(r.shift, 15);
        assert_int_equal(r.offset, -15);
    }
}

/* numerics.md 5.1: ratios that are powers of two are exact */
static void requant_of_powers_of_two(void **state)
{
    (void)state;
    for (int from = -128; from <= 127; from += 5) {
        for (int to = -128; to <= 127; to += 3) {
            lb_requant r =
                lb_requant_params(LB_ROUND_UP, (lb_quant){1, from, 0}, (lb_quant){1, to, 0});
            assert_int_equal(r.scale, 16384);
            assert_int_equal(r.shift, 14 + from - to);
            assert_int_equal(r.offset, 0);
        }
    }
    lb_requant r = lb_requant_params(LB_ROUND_UP, (lb_quant){12288, 3, 0}, (lb_quant){24576, 7, 0});
    assert_int_equal(r.scale, 16384);
    assert_int_equal(r.shift, 14 + 1 + 3 - 7);
}

static double relative_error(lb_rounding rounding, int32_t s1, int32_t s2)
{
    lb_requant r = lb_requant_params(rounding, (lb_quant){s1, 0, 0}, (lb_quant){s2, 0, 0});
    double exact = (double)s1 / (double)s2;
    return fabs(ldexp((double)r.scale, -r.shift) - exact) / exact;
}

/* numerics.md 5.1: below 2^-15 in up, below 2^-14 in convergent; the largest of all pairs is named
 * there */
static void requant_error_bounds(void **state)
{
    (void)state;
    uint32_t random = 12345;
    for (int i = 0; i < 200000; i++) {
        int32_t s1 = random_in(&random, 1, 32767);
        int32_t s2 = random_in(&random, 1, 32767);
        assert_true(relative_error(LB_ROUND_UP, s1, s2) < 0x1p-15);
        assert_true(relative_error(LB_ROUND_CONVERGENT, s1, s2) < 0x1p-14);
    }
    double largest = relative_error(LB_ROUND_CONVERGENT, 16407, 32609) * 0x1p15;
    assert_true(largest > 1.9865 && largest < 1.9875);
}

/* conv.md 4.1, 4.2: ranges over random parameters */
static void output_multiplier_ranges(void **state)
{
    (void)state;
    uint32_t random = 777;
    for (int i = 0; i < 100000; i++) {
        lb_quant in = {random_in(&random, 1, 32767), random_in(&random, -128, 127), 0};
        lb_quant weights = {random_in(&random, 1, 32767), random_in(&random, -128, 127), 0};
        lb_quant out = {random_in(&random, 1, 32767), random_in(&random, -128, 127), 0};
        double exact = ldexp((double)in.scale * weights.scale / out.scale,
                             -(in.frac + weights.frac - out.frac));
        for (int p = 0; p < LB_PROFILE_COUNT; p++) {
            lb_ratio ratio = lb_output_ratio(lb_profiles[p].rounding, in, out);
            lb_multiplier m = lb_output_multiplier(&lb_profiles[p], ratio, weights);
            assert_true(ratio.ratio >= 16384 && ratio.ratio <= 32767);
            if (lb_profiles[p].reduced)
                assert_true(m.mul >= (1 << 30) && m.mul <= INT32_MAX);
            /* conv.md 15: below 2^-14 */
            assert_true(fabs(ldexp((double)m.mul, -m.shift) - exact) < exact * 0x1p-14);
        }
    }
}

/* numerics.md 4.2, conv.md 3 */
static void bias_of_fx(void **state)
{
    (void)state;
    assert_int_equal(lb_bias_fx(LB_ROUND_UP, LB_OPERANDS_16X16, 1000, 28), INT32_MIN);
    assert_int_equal(lb_bias_fx(LB_ROUND_UP, LB_OPERANDS_16X16, 32767, 17), -131072);
    assert_int_equal(lb_bias_fx(LB_ROUND_UP, LB_OPERANDS_16X16, 32767, 32), 0);
    assert_int_equal(lb_bias_fx(LB_ROUND_UP, LB_OPERANDS_16X16, 32767, 60),
                     -1); /* the 64-bit shift saturated */
    assert_int_equal(lb_bias_fx(LB_ROUND_UP, LB_OPERANDS_16X16, -32768, 60), 0);
    assert_int_equal(lb_bias_fx(LB_ROUND_UP, LB_OPERANDS_16X8, -3, 1), -6);
    assert_int_equal(lb_bias_fx(LB_ROUND_UP, LB_OPERANDS_16X8, 127, 28), INT32_MAX);
    assert_int_equal(lb_bias_fx(LB_ROUND_UP, LB_OPERANDS_8X8, -128, 60), INT32_MIN);
    assert_int_equal(lb_bias_fx(LB_ROUND_UP, LB_OPERANDS_8X8, 5, -1), 3); /* 2.5 */
    assert_int_equal(lb_bias_fx(LB_ROUND_CONVERGENT, LB_OPERANDS_8X8, 5, -1), 2);
}

/* numerics.md 4.3: the 16 leading bits, sign included, cut towards minus infinity */
static void bias_of_reduced(void **state)
{
    (void)state;
    const lb_profile *reduced = &lb_profiles[UP_REDUCED];
    assert_int_equal(lb_bias_sa(reduced, 32767), 32767);
    assert_int_equal(lb_bias_sa(reduced, -32768), -32768);
    assert_int_equal(lb_bias_sa(reduced, 65535), 65534);
    assert_int_equal(lb_bias_sa(reduced, -65535), -65536);
    assert_int_equal(lb_bias_sa(reduced, INT32_MAX), 0x7fff0000);
    assert_int_equal(lb_bias_sa(reduced, INT32_MIN), INT32_MIN);
    assert_int_equal(lb_bias_sa(&lb_profiles[UP_FULL], 65535), 65535);
}

/* numerics.md 5.3: the ends of the steps */
static void result_cast_ends(void **state)
{
    (void)state;
    lb_multiplier one = {1 << 30, 30};
    assert_int_equal(lb_result_cast(&lb_profiles[UP_FULL], 100, one, 0), 100);
    assert_int_equal(lb_result_cast(&lb_profiles[UP_FULL], 100, one, 40), 127);
    assert_int_equal(lb_result_cast(&lb_profiles[UP_FULL], -100, one, -40), -128);
    /* 16 bits, then the zero point: sat(32767 + 127, 16) does not wrap */
    assert_int_equal(lb_result_cast(&lb_profiles[UP_FULL], 1 << 20, one, 127), 127);
    /* a shift of 63 and more gives the zero point alone */
    assert_int_equal(
        lb_result_cast(&lb_profiles[UP_FULL], INT32_MIN, (lb_multiplier){INT32_MAX, 200}, 7), 7);
    assert_int_equal(
        lb_result_cast(&lb_profiles[CONVERGENT_FULL], INT32_MIN, (lb_multiplier){INT32_MAX, 63}, 7),
        7);
    /* a negative one shifts left with saturation */
    assert_int_equal(lb_result_cast(&lb_profiles[UP_FULL], 1, (lb_multiplier){1, -6}, 0), 64);
    assert_int_equal(lb_result_cast(&lb_profiles[UP_FULL], -1, (lb_multiplier){1, -600}, 0), -128);
    /* reduced takes 8 bits at most off before its clip to 16 bits: 2^24 becomes 32767 where full
     * keeps it */
    assert_int_equal(
        lb_result_cast(&lb_profiles[UP_FULL], 1 << 24, (lb_multiplier){1 << 30, 47}, 0), 127);
    assert_int_equal(
        lb_result_cast(&lb_profiles[UP_REDUCED], 1 << 24, (lb_multiplier){1 << 30, 47}, 0), 64);
    /* the first bit goes at a shift of 22 (38 - 16): 63 / 128 stays, 127 / 256 becomes 64 / 128 */
    assert_int_equal(lb_result_cast(&lb_profiles[UP_REDUCED], 63, (lb_multiplier){1 << 30, 37}, 0),
                     0);
    assert_int_equal(lb_result_cast(&lb_profiles[UP_REDUCED], 127, (lb_multiplier){1 << 30, 38}, 0),
                     1);
    /* mul of reduced is rounded, not cut: 16384.5 to 16385 (up) or 16384; 25663 / 128 = 200.49 */
    assert_int_equal(lb_result_cast(&lb_profiles[UP_REDUCED], 25663,
                                    (lb_multiplier){(1 << 30) + (1 << 15), 37}, -128),
                     73);
    assert_int_equal(lb_result_cast(&lb_profiles[CONVERGENT_REDUCED], 25663,
                                    (lb_multiplier){(1 << 30) + (1 << 15), 37}, -128),
                     72);
    /* mul of reduced that rounds to 32768 (17 bits) */
    assert_int_equal(
        lb_result_cast(&lb_profiles[CONVERGENT_REDUCED], 64, (lb_multiplier){INT32_MAX, 31}, 0),
        64);
    /* in up the half saturates instead: 32767 * 64 / 32768 = 63.998 */
    assert_int_equal(
        lb_result_cast(&lb_profiles[UP_REDUCED], 16384, (lb_multiplier){INT32_MAX, 39}, 0), 64);
}

/* numerics.md 5.4, 5.5 */
static void recurrent_and_activation_casts(void **state)
{
    (void)state;
    assert_int_equal(lb_recurrent_cast_fx(LB_ROUND_UP, (int64_t)1 << 40, 100, 64),
                     2); /* acts as a shift of 39 */
    assert_int_equal(lb_recurrent_cast_fx(LB_ROUND_UP, INT32_MAX, 32, 32), 0);
    assert_int_equal(lb_recurrent_cast_fx(LB_ROUND_UP, 3, 1, 32), 2);
    assert_int_equal(lb_recurrent_cast_sa(LB_ROUND_UP, INT32_MAX, (lb_multiplier){INT32_MAX, 0}),
                     INT32_MAX);
    assert_int_equal(lb_recurrent_cast_sa(LB_ROUND_CONVERGENT, 5, (lb_multiplier){1, 1}), 2);
    assert_int_equal(lb_sa8_to_fx(LB_ROUND_UP, 10, 3, 100, 2, 16), 175);
    assert_int_equal(lb_sa8_to_fx(LB_ROUND_UP, -128, 32767, 1, 0, 32),
                     32641); /* the difference wraps at 16 bits */
    assert_int_equal(lb_sa8_to_fx16_unshifted(127, -128, 200), 32767);
    assert_int_equal(lb_sa8_to_fx16_unshifted(2, 5, 100), -300);
    assert_int_equal(lb_fx_to_sa8(LB_ROUND_UP, 1000, 3, -10), 115);
    assert_int_equal(lb_fx_to_sa8(LB_ROUND_UP, -32768, 0, 0), -128);
}

/* numerics.md 5.6 */
static void bias_scale_rule(void **state)
{
    (void)state;
    lb_quant in = {16384, 15, 0};
    lb_quant weights = {16384, 15, 0}; /* product 2^28 at 30 */
    assert_true(lb_bias_scale_fits(LB_ROUND_UP, in, weights, (lb_quant){16384, 16, 0}));
    assert_true(lb_bias_scale_fits(LB_ROUND_UP, in, weights, (lb_quant){16385, 16, 0}));
    assert_true(lb_bias_scale_fits(LB_ROUND_UP, in, weights, (lb_quant){16383, 16, 0}));
    assert_false(lb_bias_scale_fits(LB_ROUND_UP, in, weights, (lb_quant){16386, 16, 0}));
    assert_false(lb_bias_scale_fits(LB_ROUND_UP, in, weights, (lb_quant){16382, 16, 0}));
    /* d = 0 and d < 0: shifted left */
    assert_true(lb_bias_scale_fits(LB_ROUND_UP, (lb_quant){3, 0, 0}, (lb_quant){5, 0, 0},
                                   (lb_quant){16, 0, 0}));
    assert_true(lb_bias_scale_fits(LB_ROUND_UP, (lb_quant){3, 0, 0}, (lb_quant){5, 0, 0},
                                   (lb_quant){60, 2, 0}));
    assert_false(lb_bias_scale_fits(LB_ROUND_UP, (lb_quant){3, 0, 0}, (lb_quant){5, 0, 0},
                                    (lb_quant){62, 2, 0}));
    /* at the edge the rounding mode decides: 2.5 */
    assert_true(lb_bias_scale_fits(LB_ROUND_UP, (lb_quant){5, 1, 0}, (lb_quant){1, 0, 0},
                                   (lb_quant){4, 0, 0}));
    assert_false(lb_bias_scale_fits(LB_ROUND_CONVERGENT, (lb_quant){5, 1, 0}, (lb_quant){1, 0, 0},
                                    (lb_quant){4, 0, 0}));
    /* d >= 32 gives 0 */
    assert_true(lb_bias_scale_fits(LB_ROUND_UP, (lb_quant){32767, 100, 0}, (lb_quant){32767, 0, 0},
                                   (lb_quant){1, 0, 0}));
    /* the furthest shift to the left that int8 fields can ask for */
    assert_false(lb_bias_scale_fits(LB_ROUND_UP, (lb_quant){1, -128, 0}, (lb_quant){1, -128, 0},
                                    (lb_quant){1, 127, 0}));
}

static void assert_limits(int32_t type, int bits, lb_quant q, int low, int high)
{
    lb_limits limits = lb_relu_limits(type, bits, q);
    assert_int_equal(limits.low, low);
    assert_int_equal(limits.high, high);
}

/* numerics.md 6, conv.md 5: named values */
static void relu_limit_examples(void **state)
{
    (void)state;
    assert_limits(0, 8, (lb_quant){1, 4, 9}, -128, 127);
    assert_limits(17, 8, (lb_quant){1, 4, 9}, -128, 127);
    assert_limits(-1, 16, (lb_quant){1, 4, 0}, -32768, 32767);
    assert_limits(1, 8, (lb_quant){1, 4, 9}, 9, 127);
    assert_limits(1, 8, (lb_quant){1, 4, -300}, -128, 127);
    assert_limits(3, 8, (lb_quant){5, 3, 0}, 0, 9);      /* 9.6 */
    assert_limits(3, 8, (lb_quant){25000, 15, 0}, 0, 7); /* 7.86 */
    assert_limits(3, 8, (lb_quant){1, 27, -128}, -128, 127);
    assert_limits(3, 8, (lb_quant){1, 28, -128}, -128, -1);
    assert_limits(3, 8, (lb_quant){32767, 27, -128}, -128, 127);
    assert_limits(3, 8, (lb_quant){32767, 28, -128}, -128, -1);
    assert_limits(2, 16, (lb_quant){1, 30, 0}, -32767, 32767);
    assert_limits(2, 16, (lb_quant){1, 29, 0}, -32768, 32767);
    assert_limits(2, 8, (lb_quant){1, 3, 0}, -8, 8);
    assert_limits(2, 8, (lb_quant){1, 3, 125}, 117, 127);
    assert_limits(3, 8, (lb_quant){1, -1, 0}, 0, 3);
    assert_limits(3, 8, (lb_quant){2, -1, 0}, 0, 1);
    assert_limits(3, 8, (lb_quant){1, -2, 0}, 0, 1);
    assert_limits(3, 8, (lb_quant){1, -3, 0}, 0, 0);
    assert_limits(2, 8, (lb_quant){1, -1, 4}, 4, 4);
}

/* fx, all frac_bits: the real limit in container steps, truncated */
static void relu_limits_of_all_frac_bits(void **state)
{
    (void)state;
    for (int bits = 8; bits <= 16; bits += 8) {
        double highest = ldexp(1.0, bits - 1) - 1.0;
        for (int frac = -128; frac <= 127; frac++) {
            double six = floor(fmin(ldexp(6.0, frac), highest));
            double one = floor(fmin(ldexp(1.0, frac), highest));
            bool one_reaches_lowest =
                frac >= bits - 1 && frac < 30; /* above, the maximum stands in */
            double low = one_reaches_lowest ? -highest - 1.0 : -one;
            assert_limits(3, bits, (lb_quant){1, frac, 0}, 0, (int)six);
            assert_limits(2, bits, (lb_quant){1, frac, 0}, (int)low, (int)one);
        }
    }
}

static int64_t clamped(int64_t value, int64_t low, int64_t high)
{
    lb_num_limits limits = {lb_num_const(low), lb_num_const(high)};
    return lb_num_clamp(NULL, lb_num_const(value), limits).v;
}

static void clamp_takes_the_high_limit_first(void **state)
{
    (void)state;
    assert_int_equal(clamped(5, 0, 3), 3);
    assert_int_equal(clamped(-5, 0, 3), 0);
    assert_int_equal(clamped(2, 0, 3), 2);
    assert_int_equal(clamped(2, 4, 3), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sa8_worked_example),
        cmocka_unit_test(requant_worked_example),
        cmocka_unit_test(requant_of_powers_of_two),
        cmocka_unit_test(requant_error_bounds),
        cmocka_unit_test(output_multiplier_ranges),
        cmocka_unit_test(bias_of_fx),
        cmocka_unit_test(bias_of_reduced),
        cmocka_unit_test(result_cast_ends),
        cmocka_unit_test(recurrent_and_activation_casts),
        cmocka_unit_test(bias_scale_rule),
        cmocka_unit_test(relu_limit_examples),
        cmocka_unit_test(relu_limits_of_all_frac_bits),
        cmocka_unit_test(clamp_takes_the_high_limit_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
