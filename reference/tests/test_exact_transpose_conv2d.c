/* Transpose convolution: cases small enough to be worked out by hand. */
#include "conv_calls.h"

#define TRANSPOSE "mli_krn_transpose_conv2d_hwcn_"

/* conv.md 9: every input spreads the kernel, not mirrored: 1 * (1 2 3 . .) + 10 * (. . 1 2 3) */
static void inputs_spread_the_kernel(void **state)
{
    (void)state;
    int16_t in[] = {1, 10}, weights[] = {1, 2, 3}, bias[] = {0}, out[5];
    conv_call c = {
        .in = make_fx(LB_FX16, 0, SHAPE(1, 2, 1), in),
        .weights = make_fx(LB_FX16, 0, SHAPE(1, 3, 1, 1), weights),
        .bias = make_fx(LB_FX16, 0, SHAPE(1), bias),
        .out = make_fx(LB_FX16, 0, SHAPE(1, 5, 1), out),
    };
    bind_call(&c, TRANSPOSE "fx16");
    c.call.config.stride_width = 2;
    const int expected[] = {1, 2, 13, 20, 30};
    ASSERT_OUT(&c, UP_FULL, expected);
    assert_int_equal(c.watch.chains, 5);
    assert_int_equal(c.watch.macs, 2);
    /* padding cuts the ends off */
    c.out = make_fx(LB_FX16, 0, SHAPE(1, 2, 1), out);
    c.call.config.padding_left = 1;
    c.call.config.padding_right = 2;
    const int cut[] = {2, 13};
    ASSERT_OUT(&c, UP_FULL, cut);
}

/* Two directions with strides of their own, and channels. Stride 1 by 2, kernel 2x2: rows overlap,
 * columns do not. */
static void strides_of_their_own(void **state)
{
    (void)state;
    int16_t in[] = {1, 2, 10, 20}; /* two rows, one column, two channels */
    int8_t weights[] = {1, 0, 0, 1, 2, 0, 0, 2, 3, 0, 0, 3, 4, 0, 0, 4}, bias[] = {0, 100};
    int16_t out[12];
    conv_call c = {
        .in = make_fx(LB_FX16, 0, SHAPE(2, 1, 2), in),
        .weights = make_fx(LB_FX8, 0, SHAPE(2, 2, 2, 2), weights),
        .bias = make_fx(LB_FX8, 0, SHAPE(2), bias),
        .out = make_fx(LB_FX16, 0, SHAPE(3, 2, 2), out),
    };
    bind_call(&c, TRANSPOSE "fx16_fx8_fx8");
    c.call.config.stride_width = 2;
    const int expected[] = {1, 102, 2, 104, 3 + 10, 106 + 20, 4 + 20, 108 + 40, 30, 160, 40, 180};
    ASSERT_OUT(&c, CONVERGENT_FULL, expected);
}

/* The zeros between the inputs are real ones: with all inputs the real 1, outputs count their taps.
 */
static void inserted_zeros_add_nothing(void **state)
{
    (void)state;
    int8_t in[] = {-4, -4, -4}, weights[] = {1, 1, 1}, out[7];
    int32_t bias[] = {50};
    conv_call c = {
        .in = make_sa(LB_SA8, (lb_quant){1 << 14, 14, -5}, SHAPE(3, 1, 1), in),
        .weights = make_sa(LB_SA8, ONE, SHAPE(3, 1, 1, 1), weights),
        .bias = make_sa(LB_SA32, ONE, SHAPE(1), bias),
        .out = make_sa(LB_SA8, (lb_quant){1 << 14, 14, -50}, SHAPE(7, 1, 1), out),
    };
    bind_call(&c, TRANSPOSE "sa8_sa8_sa32");
    c.call.config.stride_height = 2;
    const int expected[] = {1, 1, 2, 1, 2, 1, 1};
    for (int p = 0; p < LB_PROFILE_COUNT; p++)
        ASSERT_OUT(&c, p, expected);
}

/* Kernel 2, stride 2: one tap an output, and the specialization is the generic function. */
static void specialization_is_the_generic_function(void **state)
{
    (void)state;
    int8_t in[] = {1, 2, 3, 4}, weights[] = {1, 2, 3, 4}, out[16];
    int32_t bias[] = {0};
    conv_call c = {
        .in = make_sa(LB_SA8, ONE, SHAPE(2, 2, 1), in),
        .weights = make_sa(LB_SA8, ONE, SHAPE(2, 2, 1, 1), weights),
        .bias = make_sa(LB_SA32, ONE, SHAPE(1), bias),
        .out = make_sa(LB_SA8, ONE, SHAPE(4, 4, 1), out),
    };
    const int expected[] = {1, 2, 2, 4, 3, 4, 6, 8, 3, 6, 4, 8, 9, 12, 12, 16};
    static const char *const functions[] = {TRANSPOSE "sa8_sa8_sa32",
                                            TRANSPOSE "sa8_sa8_sa32_k2x2_str2"};
    for (size_t f = 0; f < COUNT_OF(functions); f++) {
        bind_call(&c, functions[f]);
        c.call.config.stride_height = 2;
        c.call.config.stride_width = 2;
        ASSERT_OUT(&c, UP_FULL, expected);
        assert_int_equal(c.watch.macs, 1);
    }
}

/* conv.md 12: rows and columns in ascending input order, which is descending weight order; channels
 * outermost. */
static void additions_go_by_input(void **state)
{
    (void)state;
    int16_t in[] = {1, 1}, weights[] = {-100, 100}, bias[] = {0}, out[1];
    conv_call c = {
        .in = make_fx(LB_FX16, 0, SHAPE(1, 2, 1), in),
        .weights = make_fx(LB_FX16, 0, SHAPE(1, 2, 1, 1), weights),
        .bias = make_fx(LB_FX16, 0, SHAPE(1), bias),
        .out = make_fx(LB_FX16, 0, SHAPE(1, 1, 1), out),
    };
    bind_call(&c, TRANSPOSE "fx16");
    c.call.config.padding_left = c.call.config.padding_right = 1;
    const int expected[] = {0};
    ASSERT_OUT(&c, UP_FULL, expected);
    assert_int_equal(c.watch.peak_high, 100);
    assert_int_equal(c.watch.peak_low, 0);
    /* two channels: 100 + 100 first, then -100 - 100 */
    int16_t two[] = {1, 1, 1, 1}, two_weights[] = {100, -100, 100, -100};
    c.in = make_fx(LB_FX16, 0, SHAPE(1, 2, 2), two);
    c.weights = make_fx(LB_FX16, 0, SHAPE(1, 2, 2, 1), two_weights);
    ASSERT_OUT(&c, UP_FULL, expected);
    assert_int_equal(c.watch.peak_high, 200);
    assert_int_equal(c.watch.peak_low, 0);
}

/* An accumulator past int32: with zero points, whose terms come after the products and bring the
 * sum back (conv.md 12). */
static void overflow_is_recorded(void **state)
{
    (void)state;
    enum { TAPS = 131072 + 1 };
    static int8_t in[TAPS], weights[TAPS];
    int32_t bias[] = {0};
    int8_t out[1];
    memset(in, INT8_MIN, sizeof in);
    memset(weights, INT8_MIN, sizeof weights);
    in[TAPS - 1] = 0;
    conv_call c = {
        .in = make_sa(LB_SA8, ONE, SHAPE(1, 1, TAPS), in),
        .weights = make_sa(LB_SA8, ONE, SHAPE(1, 1, TAPS, 1), weights),
        .bias = make_sa(LB_SA32, ONE, SHAPE(1), bias),
        .out = make_sa(LB_SA8, (lb_quant){1 << 14, 14 - 25, 0}, SHAPE(1, 1, 1), out),
    };
    bind_call(&c, TRANSPOSE "sa8_sa8_sa32");
    const int wrapped[] = {-64}; /* -2^31 * 2^-25 */
    ASSERT_OUT(&c, UP_FULL, wrapped);
    assert_int_equal(c.watch.persistent, 1);
    assert_int_equal(c.watch.peak_high, INT64_C(1) << 31);

    c.in.sa.zero_point.mem.i16 = -1; /* (-128 + 1) * -128 each, and the last (0 + 1) * -128 */
    const int back[] = {63};         /* 2130706304 * 2^-25 = 63.5, just below the tie */
    ASSERT_OUT(&c, UP_FULL, back);
    assert_int_equal(c.watch.final_high, INT64_C(131072) * 127 * 128 - 128);
    assert_int_equal(c.watch.transient, 1);
    assert_int_equal(c.watch.persistent, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_spread_the_kernel),
        cmocka_unit_test(strides_of_their_own),
        cmocka_unit_test(inserted_zeros_add_nothing),
        cmocka_unit_test(specialization_is_the_generic_function),
        cmocka_unit_test(additions_go_by_input),
        cmocka_unit_test(overflow_is_recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
