/* conv2d, depthwise and group convolution: cases small enough to be worked out by hand. */
#include "conv_calls.h"

#define CONV      "mli_krn_conv2d_hwcn_"
#define DEPTHWISE "mli_krn_depthwise_conv2d_hwcn_"
#define GROUP     "mli_krn_group_conv2d_hwcn_"

/* conv.md 3: 1*5 + 2*6 + 3*7 + 4*8 = 70; the bias 3 has one fractional bit less; the output one
 * less: (70 + 6) / 2 */
static void fx_taps_bias_and_shift(void **state)
{
    (void)state;
    int16_t in[] = {1, 2, 3, 4}, weights[] = {5, 6, 7, 8}, bias[] = {3}, out[1];
    conv_call c = {
        .in = make_fx(LB_FX16, 2, SHAPE(2, 2, 1), in),
        .weights = make_fx(LB_FX16, 1, SHAPE(2, 2, 1, 1), weights),
        .bias = make_fx(LB_FX16, 2, SHAPE(1), bias),
        .out = make_fx(LB_FX16, 2, SHAPE(1, 1, 1), out),
    };
    bind_call(&c, CONV "fx16");
    const int expected[] = {38};
    ASSERT_OUT(&c, UP_FULL, expected);
    assert_int_equal(c.watch.chains, 1);
    assert_int_equal(c.watch.macs, 4);
    assert_int_equal(c.watch.acc_bits, 64);
    assert_int_equal(c.watch.peak_high, 70);
}

/* Channels innermost: out[y][x][c] takes in[y][x][k] * weights[0][0][k][c]; a tie (1.5) tells the
 * roundings apart. */
static void pointwise_channels_and_ties(void **state)
{
    (void)state;
    int16_t in[] = {1, 10, 2, 20};
    int8_t weights[] = {3, 1, 0, 2, 0, -1}, bias[] = {0, 0, 1};
    int16_t out[6];
    conv_call c = {
        .in = make_fx(LB_FX16, 0, SHAPE(1, 2, 2), in),
        .weights = make_fx(LB_FX8, 1, SHAPE(1, 1, 2, 3), weights),
        .bias = make_fx(LB_FX8, 1, SHAPE(3), bias),
        .out = make_fx(LB_FX16, 0, SHAPE(1, 2, 3), out),
    };
    bind_call(&c, CONV "fx16_fx8_fx8_k1x1");
    /* halves: 23, 1, -9; 46, 2, -19 */
    const int up[] = {12, 1, -4, 23, 1, -9};
    const int convergent[] = {12, 0, -4, 23, 1, -10};
    ASSERT_OUT(&c, UP_FULL, up);
    ASSERT_OUT(&c, UP_REDUCED, up);
    ASSERT_OUT(&c, CONVERGENT_FULL, convergent);
}

/* Padding is the real 0, not the container 0: all inputs are the real 1, so that every output
 * counts its valid taps. */
static void padding_adds_nothing_with_zero_points(void **state)
{
    (void)state;
    int8_t in[9], weights[9], out[9];
    int32_t bias[] = {100};
    memset(in, 11, sizeof in);
    memset(weights, 1, sizeof weights);
    conv_call c = {
        .in = make_sa(LB_SA8, (lb_quant){1 << 14, 14, 10}, SHAPE(3, 3, 1), in),
        .weights = make_sa(LB_SA8, ONE, SHAPE(3, 3, 1, 1), weights),
        .bias = make_sa(LB_SA32, ONE, SHAPE(1), bias),
        .out = make_sa(LB_SA8, (lb_quant){1 << 14, 14, -100}, SHAPE(3, 3, 1), out),
    };
    bind_call(&c, CONV "sa8_sa8_sa32_k3x3");
    c.call.config.padding_top = c.call.config.padding_bottom = 1;
    c.call.config.padding_left = c.call.config.padding_right = 1;
    const int expected[] = {4, 6, 4, 6, 9, 6, 4, 6, 4};
    for (int p = 0; p < LB_PROFILE_COUNT; p++)
        ASSERT_OUT(&c, p, expected);
    /* 9 products of 11, then 9 terms of -10 */
    assert_int_equal(c.watch.macs, 18);
    assert_int_equal(c.watch.peak_high, 99);
    assert_int_equal(c.watch.final_high, 9);
}

/* Top padding 2, dilation 3: the middle window steps over both input rows, and its bias stands
 * alone. */
static void dilated_window_without_valid_tap(void **state)
{
    (void)state;
    int8_t in[] = {7, 9}, weights[] = {2, 3}, out[3];
    int32_t bias[] = {5};
    conv_call c = {
        .in = make_sa(LB_SA8, (lb_quant){1 << 14, 14, 1}, SHAPE(2, 1, 1), in),
        .weights = make_sa(LB_SA8, ONE, SHAPE(2, 1, 1, 1), weights),
        .bias = make_sa(LB_SA32, ONE, SHAPE(1), bias),
        .out = make_sa(LB_SA8, ONE, SHAPE(3, 1, 1), out),
    };
    bind_call(&c, CONV "sa8_sa8_sa32");
    c.call.config.padding_top = c.call.config.padding_bottom = 2;
    c.call.config.dilation_height = 3;
    /* rows -2, 1; -1, 2; 0, 3 */
    const int expected[] = {(9 - 1) * 3 + 5, 5, (7 - 1) * 2 + 5};
    ASSERT_OUT(&c, UP_FULL, expected);
    ASSERT_OUT(&c, CONVERGENT_REDUCED, expected);
    assert_int_equal(c.watch.chains, 3);
}

/* Stride 2 by 3, dilation 2 along the width, and an output smaller than the geometry allows (3 rows
 * would fit). */
static void strides_dilation_and_smaller_output(void **state)
{
    (void)state;
    int16_t in[5 * 6], weights[] = {1, 100}, bias[] = {0}, out[4];
    for (int i = 0; i < 30; i++)
        in[i] = (int16_t)i;
    conv_call c = {
        .in = make_fx(LB_FX16, 0, SHAPE(5, 6, 1), in),
        .weights = make_fx(LB_FX16, 0, SHAPE(1, 2, 1, 1), weights),
        .bias = make_fx(LB_FX16, 0, SHAPE(1), bias),
        .out = make_fx(LB_FX16, 0, SHAPE(2, 2, 1), out),
    };
    bind_call(&c, CONV "fx16");
    c.call.config.stride_height = 2;
    c.call.config.stride_width = 3;
    c.call.config.dilation_width = 2;
    const int expected[] = {0 + 200, 3 + 500, 12 + 1400, 15 + 1700};
    ASSERT_OUT(&c, UP_FULL, expected);
}

static void depthwise_keeps_channels_apart(void **state)
{
    (void)state;
    int16_t in[] = {1, 10, 100, 2, 20, 200};
    int8_t weights[] = {1, 2, 3, 4, 5, 6}, bias[] = {0, 1, 2};
    int16_t out[3];
    conv_call c = {
        .in = make_fx(LB_FX16, 0, SHAPE(2, 1, 3), in),
        .weights = make_fx(LB_FX8, 0, SHAPE(2, 1, 1, 3), weights),
        .bias = make_fx(LB_FX8, 0, SHAPE(3), bias),
        .out = make_fx(LB_FX16, 0, SHAPE(1, 1, 3), out),
    };
    bind_call(&c, DEPTHWISE "fx16_fx8_fx8");
    const int expected[] = {1 * 1 + 2 * 4, 10 * 2 + 20 * 5 + 1, 100 * 3 + 200 * 6 + 2};
    ASSERT_OUT(&c, CONVERGENT_FULL, expected);
}

/* conv.md 8: six inputs in three groups of two, six outputs, two a group; weights[k][c] with k
 * inside the group. */
static void groups_read_their_own_inputs(void **state)
{
    (void)state;
    int16_t in[] = {1, 2, 10, 20, 100, 200};
    int16_t weights[] = {1, 0, 2, 0, 3, 0, 0, 1, 0, 2, 1, 3};
    int16_t bias[6] = {0}, out[6];
    conv_call c = {
        .in = make_fx(LB_FX16, 0, SHAPE(1, 1, 6), in),
        .weights = make_fx(LB_FX16, 0, SHAPE(1, 1, 2, 6), weights),
        .bias = make_fx(LB_FX16, 0, SHAPE(6), bias),
        .out = make_fx(LB_FX16, 0, SHAPE(1, 1, 6), out),
    };
    bind_call(&c, GROUP "fx16");
    const int expected[] = {1, 2, 20, 40, 500, 600};
    ASSERT_OUT(&c, UP_FULL, expected);
    assert_int_equal(c.watch.macs, 2);
}

/* G = 1 is conv2d, Cg = 1 with F = 1 is depthwise (conv.md 8). */
static void group_contains_the_other_two(void **state)
{
    (void)state;
    int16_t in[] = {3, -4, 5, 6, -7, 8}, weights[] = {1, 2, 3, 4, 5, 6, 7, 8, 9},
            bias[] = {1, 2, 3}, out[6], other[6];
    conv_call c = {
        .in = make_fx(LB_FX16, 0, SHAPE(2, 1, 3), in),
        .weights = make_fx(LB_FX16, 0, SHAPE(1, 1, 3, 3), weights),
        .bias = make_fx(LB_FX16, 0, SHAPE(3), bias),
        .out = make_fx(LB_FX16, 0, SHAPE(2, 1, 3), out),
    };
    bind_call(&c, CONV "fx16");
    assert_string_equal(run_watched(&c, UP_FULL), "");
    bind_call(&c, GROUP "fx16");
    c.out.data.mem.pi16 = other;
    assert_string_equal(run_watched(&c, UP_FULL), "");
    assert_memory_equal(out, other, sizeof out);

    c.weights = make_fx(LB_FX16, 0, SHAPE(1, 1, 1, 3), weights);
    assert_string_equal(run_watched(&c, UP_FULL), "");
    bind_call(&c, DEPTHWISE "fx16");
    c.out.data.mem.pi16 = out;
    assert_string_equal(run_watched(&c, UP_FULL), "");
    assert_memory_equal(out, other, sizeof out);
}

/* Elements that strides leave out are neither read nor written. */
static void gaps_stay_untouched(void **state)
{
    (void)state;
    enum { GAP = 0x5A };
    int8_t in[] = {1, GAP, 2, GAP, GAP, 3, GAP, 4}, weights[] = {1, GAP, 2, GAP, GAP, 3, GAP, 4},
           out[7];
    int32_t bias[] = {0};
    memset(out, GAP, sizeof out);
    conv_call c = {
        .in = make_sa(LB_SA8, ONE, SHAPE(2, 2, 1), in),
        .weights = make_sa(LB_SA8, ONE, SHAPE(2, 1, 1, 1), weights),
        .bias = make_sa(LB_SA32, ONE, SHAPE(1), bias),
        .out = make_sa(LB_SA8, ONE, SHAPE(2, 2, 1), out),
    };
    bind_call(&c, CONV "sa8_sa8_sa32");
    c.in.mem_stride[0] = 5;
    c.in.mem_stride[1] = 2;
    c.in.data.capacity_bytes = sizeof in;
    c.weights.mem_stride[0] = 5;
    c.weights.data.capacity_bytes = 6;
    c.out.mem_stride[0] = 4;
    c.out.mem_stride[1] = 2;
    c.out.data.capacity_bytes = sizeof out;
    c.call.config.padding_bottom = 1;
    const int8_t expected[] = {1 + 3 * 3, GAP, 2 + 4 * 3, GAP, 3, GAP, 4};
    assert_string_equal(run_watched(&c, UP_FULL), "");
    assert_memory_equal(out, expected, sizeof out);
}

/* conv.md 14, as a pointwise convolution: the four profiles, with the 4.4 bias and the 4.5
 * multiplier of reduced */
static void sa8_worked_example(void **state)
{
    (void)state;
    int8_t in[] = {50, -120, 53}, weights[] = {-92, -128, -27}, out[1];
    int32_t bias[] = {712275};
    conv_call c = {
        .in = make_sa(LB_SA8, (lb_quant){23020, 21, 5}, SHAPE(1, 1, 3), in),
        .weights = make_sa(LB_SA8, (lb_quant){25939, 20, 0}, SHAPE(1, 1, 3, 1), weights),
        .bias = make_sa(LB_SA32, (lb_quant){18223, 26, 0}, SHAPE(1), bias),
        .out = make_sa(LB_SA8, (lb_quant){26039, 14, -10}, SHAPE(1, 1, 1), out),
    };
    bind_call(&c, GROUP "sa8_sa8_sa32");
    static const int expected[LB_PROFILE_COUNT][1] = {{114}, {113}, {113}, {113}};
    for (int p = 0; p < LB_PROFILE_COUNT; p++) {
        ASSERT_OUT(&c, p, expected[p]);
        assert_int_equal(c.watch.final_high, 10564);
    }
}

/* Each output channel has its own scale of the weights; the one ReLU counts in the output's
 * quantization. */
static void per_channel_scales_and_relu(void **state)
{
    (void)state;
    int8_t in[] = {10, 10}, weights[] = {4, 4}, out[2];
    int32_t bias[] = {0, -100};
    int16_t scale[] = {1 << 14, 1 << 14}, zero[] = {0, 0};
    int8_t frac[] = {14, 15};
    conv_call c = {
        .in = make_sa(LB_SA8, ONE, SHAPE(1, 1, 2), in),
        .weights = make_sa(LB_SA8, ONE, SHAPE(1, 1, 1, 2), weights),
        .bias = make_sa(LB_SA32, ONE, SHAPE(2), bias),
        .out = make_sa(LB_SA8, (lb_quant){1 << 14, 14, 3}, SHAPE(1, 1, 2), out),
    };
    set_per_axis(&c.weights, 3, scale, frac, zero);
    set_per_axis(&c.bias, 0, scale, frac, zero);
    bind_call(&c, DEPTHWISE "sa8_sa8_sa32");
    const int linear[] = {43, -30 + 3}, gen[] = {43, 3}, relu6[] = {9, 3}, relu1[] = {4, 2};
    ASSERT_OUT(&c, UP_FULL, linear);
    c.call.config.relu = RELU_GEN;
    ASSERT_OUT(&c, UP_FULL, gen);
    c.call.config.relu = RELU_6;
    ASSERT_OUT(&c, UP_FULL, relu6);
    c.call.config.relu = RELU_1;
    ASSERT_OUT(&c, UP_FULL, relu1);
}

/* conv.md 12: channels outermost. By channels 200 is reached, by columns only 100. */
static void additions_go_by_channel_first(void **state)
{
    (void)state;
    int16_t in[] = {1, -1, 1, -1}, weights[] = {100, 100, 100, 100}, bias[] = {0}, out[1];
    conv_call c = {
        .in = make_fx(LB_FX16, 0, SHAPE(1, 2, 2), in),
        .weights = make_fx(LB_FX16, 0, SHAPE(1, 2, 2, 1), weights),
        .bias = make_fx(LB_FX16, 0, SHAPE(1), bias),
        .out = make_fx(LB_FX16, 0, SHAPE(1, 1, 1), out),
    };
    bind_call(&c, CONV "fx16");
    assert_string_equal(run_watched(&c, UP_FULL), "");
    assert_int_equal(c.watch.peak_high, 200);
    assert_int_equal(c.watch.peak_low, 0);
    /* rows before columns: 3, -2 come before 5, -7 */
    int16_t by_row[] = {1, 1, 1, 1}, row_weights[] = {3, -2, 5, -7};
    c.in = make_fx(LB_FX16, 0, SHAPE(2, 2, 1), by_row);
    c.weights = make_fx(LB_FX16, 0, SHAPE(2, 2, 1, 1), row_weights);
    assert_string_equal(run_watched(&c, UP_FULL), "");
    assert_int_equal(c.watch.peak_high, 6);
    assert_int_equal(c.watch.peak_low, -1);
}

/* conv.md 12: 512 products of (-32768) * (-128) are 2^31, one more than int32 holds. The last tap
 * can bring it back. */
static void overflow_wraps_and_is_recorded(void **state)
{
    (void)state;
    enum { TAPS = 513 };
    static int16_t in[TAPS];
    static int8_t weights[TAPS];
    int8_t bias[] = {0};
    int16_t out[1];
    for (int i = 0; i < TAPS; i++) {
        in[i] = INT16_MIN;
        weights[i] = INT8_MIN;
    }
    conv_call c = {
        .in = make_fx(LB_FX16, 12, SHAPE(1, 1, TAPS), in),
        .weights = make_fx(LB_FX8, 4, SHAPE(1, 1, TAPS, 1), weights),
        .bias = make_fx(LB_FX8, 0, SHAPE(1), bias),
        .out = make_fx(LB_FX16, 0, SHAPE(1, 1, 1), out),
    };
    bind_call(&c, CONV "fx16_fx8_fx8");
    in[TAPS - 1] = 0;
    const int wrapped[] = {-32768}, back[] = {32704}; /* (2^31 - 127 * 2^15) * 2^-16 = 32704.5 */
    ASSERT_OUT(&c, CONVERGENT_FULL, wrapped);
    assert_int_equal(c.watch.peak_high, INT64_C(1) << 31);
    assert_int_equal(c.watch.persistent, 1);
    assert_int_equal(c.watch.transient, 0);

    in[TAPS - 1] = INT16_MIN;
    weights[TAPS - 1] = 127;
    ASSERT_OUT(&c, CONVERGENT_FULL, back);
    assert_int_equal(c.watch.persistent, 0);
    assert_int_equal(c.watch.transient, 1);
    assert_int_equal(c.watch.final_high, (INT64_C(1) << 31) - 32768 * 127);
}

/* conv.md 4.4: the bias is added with saturation, which is defined and counted, not an overflow. */
static void bias_addition_saturates(void **state)
{
    (void)state;
    int8_t in[] = {100}, weights[] = {100}, out[1];
    int32_t bias[] = {INT32_MAX};
    conv_call c = {
        .in = make_sa(LB_SA8, ONE, SHAPE(1, 1, 1), in),
        .weights = make_sa(LB_SA8, ONE, SHAPE(1, 1, 1, 1), weights),
        .bias = make_sa(LB_SA32, ONE, SHAPE(1), bias),
        .out = make_sa(LB_SA8, (lb_quant){1 << 14, 14 - 25, 0}, SHAPE(1, 1, 1), out),
    };
    bind_call(&c, CONV "sa8_sa8_sa32");
    const int expected[] = {64}; /* (2^31 - 1) * 2^-25 */
    ASSERT_OUT(&c, UP_FULL, expected);
    assert_int_equal(c.watch.saturated, 1);
    assert_int_equal(c.watch.persistent, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fx_taps_bias_and_shift),
        cmocka_unit_test(pointwise_channels_and_ties),
        cmocka_unit_test(padding_adds_nothing_with_zero_points),
        cmocka_unit_test(dilated_window_without_valid_tap),
        cmocka_unit_test(strides_dilation_and_smaller_output),
        cmocka_unit_test(depthwise_keeps_channels_apart),
        cmocka_unit_test(groups_read_their_own_inputs),
        cmocka_unit_test(group_contains_the_other_two),
        cmocka_unit_test(gaps_stay_untouched),
        cmocka_unit_test(sa8_worked_example),
        cmocka_unit_test(per_channel_scales_and_relu),
        cmocka_unit_test(additions_go_by_channel_first),
        cmocka_unit_test(overflow_wraps_and_is_recorded),
        cmocka_unit_test(bias_addition_saturates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
