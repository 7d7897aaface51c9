/* The scale arithmetic of the real models against that of the exact ones: two tellings of
 * numerics.md 4 to 6 and pooling_and_movement.md 2.4 to 2.6, which share no code. */
#include "tensors.h"

#include "core/scale.h"
#include "core/scale_num.h"
#include "core/view.h"
#include "mli/pool_divisor.h"
#include "mli/real_scale.h"

static uint32_t state_of_random = 1;

static int32_t random_from(int32_t low, int32_t high)
{
    state_of_random = state_of_random * 1664525 + 1013904223;
    return low + (int32_t)((uint64_t)(state_of_random >> 8) * (uint32_t)(high - low + 1) >> 24);
}

/* Scales that are easily 2^15 when they are rounded come often. */
static lb_quant random_quant(void)
{
    int32_t scale = random_from(1, 32767);
    if (random_from(0, 3) == 0)
        scale = (1 << random_from(1, 14)) + random_from(-1, 1);
    return (lb_quant){scale, random_from(-128, 127), random_from(-128, 127)};
}

/* A profile, now and then with one feature of another platform. */
static lb_profile random_profile(void)
{
    static const struct {
        lb_feature feature;
        uint8_t value;
    } features[] = {
        {LB_FEATURE_MULTIPLIER_BITS, 7},
        {LB_FEATURE_MULTIPLIER_BITS, 15},
        {LB_FEATURE_MULTIPLIER_BITS, 16},
        {LB_FEATURE_REQUANTIZE, LB_REQUANTIZE_HIGH},
        {LB_FEATURE_RELU_LIMITS, LB_RELU_LIMITS_ROUNDED},
        {LB_FEATURE_LOWEST, LB_LOWEST_SYMMETRIC},
        {LB_FEATURE_AVERAGE, LB_AVERAGE_ROUNDED},
        {LB_FEATURE_AVERAGE, LB_AVERAGE_DIVISION},
        {LB_FEATURE_BIAS_BITS, LB_BIAS_ALL_BITS},
    };
    enum { FEATURES = sizeof features / sizeof *features };
    lb_profile profile = lb_profiles[random_from(0, LB_PROFILE_COUNT - 1)];
    const int f = random_from(0, 2 * FEATURES);
    profile.avepool16 = random_from(0, 1) == 1;
    if (f < FEATURES)
        profile.at.value[features[f].feature] = features[f].value;
    return profile;
}

enum { TRIALS = 200000 };

static void multipliers(void **state)
{
    (void)state;
    for (int i = 0; i < TRIALS; i++) {
        const lb_profile profile = random_profile();
        const lb_rounding rounding = lb_scale_rounding(&profile);
        const lb_quant in = random_quant(), weights = random_quant(), out = random_quant();
        const lb_ratio exact = lb_output_ratio(rounding, in, out);
        const lb_real_ratio real = lb_real_ratio_of(rounding, in, out);
        assert_int_equal(real.ratio, exact.ratio);
        assert_int_equal(real.base, exact.base);
        assert_int_equal(lb_real_multiplier_shift(&profile, in, weights, out),
                         lb_output_multiplier(&profile, exact, weights).shift);
    }
}

static void biases(void **state)
{
    (void)state;
    for (int i = 0; i < TRIALS; i++) {
        const lb_profile profile = random_profile();
        const lb_operands operands = (lb_operands)random_from(0, 2);
        const int shift = random_from(-40, 70);
        const int32_t fx = operands == LB_OPERANDS_16X16 ? random_from(-32768, 32767)
                                                         : random_from(-128, 127),
                      sa = (int32_t)lb_wrap((int64_t)random_from(-32768, 32767) *
                                                    random_from(1, 1 << 16) +
                                                random_from(0, 255),
                                            32);
        const lb_span zero = lb_span_of(0.0);
        lb_span s = lb_real_with_bias(&profile, operands, false, fx, shift, zero);
        assert_true(s.from == (double)lb_bias_fx(profile.rounding, operands, fx, shift));
        s = lb_real_with_bias(&profile, LB_OPERANDS_8X8, true, sa, 0, zero);
        const double top = lb_power_of_two(profile.acc_bits[LB_OPERANDS_8X8] - 1);
        assert_true(s.from == fmin((double)lb_bias_sa(&profile, sa), top - 1.0));
        assert_true(s.value == fmin(sa, top - 1.0));
    }
}

static void limits(void **state)
{
    (void)state;
    for (int i = 0; i < TRIALS; i++) {
        const lb_profile profile = random_profile();
        const int bits = random_from(0, 1) == 1 ? 16 : 8;
        const int32_t type = random_from(-1, 4);
        lb_quant format = random_quant();
        if (bits == 16)
            format = (lb_quant){1, format.frac, 0};
        lb_num_limits exact =
            lb_num_relu_limits(NULL, &profile, type, bits, lb_num_quant_const(format));
        exact.low = lb_num_lowest(NULL, &profile, exact.low, bits);
        const lb_real_limits real = lb_real_relu_limits(&profile, type, bits, format);
        assert_true(real.low == (double)exact.low.v);
        assert_true(real.high == (double)exact.high.v);
    }
}

static void averages(void **state)
{
    static const char *const functions[] = {"mli_krn_avepool_hwc_fx8", "mli_krn_avepool_hwc_fx16",
                                            "mli_krn_avepool_hwc_sa8"};
    (void)state;
    for (int i = 0; i < TRIALS; i++) {
        const lb_profile profile = random_profile();
        const uint32_t n = (uint32_t)random_from(1, i % 2 == 0 ? 65025 : 40);
        lb_tensor in = {.rank = 0}, out = in;
        lb_call call = {.kernel = lb_kernel_find(functions[random_from(0, 2)]),
                        .tensor = {[LB_ROLE_IN] = &in, [LB_ROLE_OUT] = &out}};
        in.el_type = out.el_type = call.kernel->in_type;
        in.sa.dim = out.sa.dim = -1;
        lb_set_quant(&in, random_quant());
        lb_set_quant(&out, random_quant());
        const lb_pool_divisor exact = lb_pool_divisor_of(&profile, &call, n);
        const lb_real_divisor real = lb_real_divisor_of(&profile, &call, n);
        assert_true(real.factor == (double)exact.factor);
        assert_true(real.start == (double)exact.start);
        assert_int_equal(real.shift, exact.shift);
        assert_int_equal(lb_real_pool_operands(&profile, in.el_type),
                         lb_pool_operands(&profile, in.el_type));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multipliers),
        cmocka_unit_test(biases),
        cmocka_unit_test(limits),
        cmocka_unit_test(averages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
