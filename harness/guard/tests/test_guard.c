/* Guard bits: every definition of README.md, "Guard bits", on cases small enough to be worked out
 * by hand. */
#include "harness/tests/guard_cases.h"

#include "harness/suite/profile_file.h"

static void test_logarithm(void **state)
{
    (void)state;
    static const struct {
        uint64_t n;
        int bits;
    } rows[] = {{0, 0}, {1, 0},   {2, 1},   {3, 2},   {4, 2},
                {5, 3}, {256, 8}, {257, 9}, {512, 9}, {513, 10}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(lb_guard_log2(rows[i].n), rows[i].bits);
}

/* 5 and 9 with any int16: 14 * 32767 at most, -14 * 32768 at least. The bias -3 is shifted by one
 * bit and comes last. Sums: 500, then 437. */
static void test_fully_connected(void **state)
{
    (void)state;
    finding f = find(SUITE(FC("a", "fx16_fx8_fx8", FX("fx16", "[2]", 3, "[100,-7]"),
                              FX("fx8", "[2,1]", 2, "[5,9]"), FX("fx8", "[1]", 4, "[-3]"),
                              FX_OUT("fx16", "[1]", 2))),
                     &lb_profiles[UP_FULL]);
    assert_true(f.measured);
    assert_int_equal(f.use.operands, LB_OPERANDS_16X8);
    assert_int_equal(f.use.macs, 2);
    assert_int_equal(f.use.acc_bits, 32);
    assert_int_equal(f.use.format_bits, 24 + 1 + 1);
    assert_range(f.use.bound_low, f.use.bound_high, -14 * 32768 - 6, 14 * 32767);
    assert_int_equal(f.use.bound_bits, 20); /* 2^18 < 458758 <= 2^19 */
    assert_range(f.use.peak_low, f.use.peak_high, 0, 500);
    assert_int_equal(f.use.peak_bits, 10);
    assert_range(f.use.final_low, f.use.final_high, 437, 437);
    assert_int_equal(f.use.needed_bits, 20);
    assert_int_equal(f.use.headroom_bits, 12);
    assert_int_equal(f.use.product_bits, 24);
    assert_string_equal(f.use.overflow, "none");
    assert_false(f.use.exceeds);
}

/* Several channels: the bound is the hull of theirs. Channel 0: [-2*128, 2*127]; channel 1: -3
 * gives [-3*127, 3*128] and a bias of 1000. */
static void test_worst_channel(void **state)
{
    (void)state;
    finding f =
        find(SUITE(FC("a", "fx8", FX("fx8", "[1]", 0, "[1]"), FX("fx8", "[1,2]", 0, "[2,-3]"),
                      FX("fx8", "[2]", -4, "[0,100]"), FX_OUT("fx8", "[2]", 0))),
             &lb_profiles[UP_FULL]);
    assert_int_equal(f.use.operands, LB_OPERANDS_8X8);
    assert_range(f.use.bound_low, f.use.bound_high, -3 * 127, 3 * 128 + 1600);
    assert_range(f.use.peak_low, f.use.peak_high, -3, 2);
    assert_int_equal(f.use.format_bits, 16 + 0 + 1);
}

#define ZERO_POINT_CASE(variant, bias)                                                             \
    SUITE(FC("a", variant, SA("sa8", "[2]", 3, "[10,-5]"), SA("sa8", "[2,1]", 0, "[7,-2]"),        \
             SA("sa32", "[1]", 0, "[" #bias "]"), SA_OUT("[1]")))

/* Folded: inputs less 3 are -131..124: 7 * 124 + 2 * 131 = 1130 at most, -7 * 131 - 2 * 124 = -1165
 * at least; 49 and 65 on the way. Separate, as the exact model adds: 70, 80, and behind them -3 * 7
 * and -3 * -2: 59, 65; at most 7 * 127 + 2 * 128 and 6, at least -7 * 128 - 2 * 127 and -21. Two
 * products, whatever is added for the zero point. */
static void test_zero_point(void **state)
{
    (void)state;
    finding f = find(ZERO_POINT_CASE("sa8_sa8_sa32", 100), &lb_profiles[UP_FULL]);
    assert_int_equal(f.use.macs, 2);
    assert_range(f.use.bound_low, f.use.bound_high, -1165, 1130 + 100);
    assert_range(f.use.peak_low, f.use.peak_high, 0, 65);
    assert_range(f.use.separate_bound_low, f.use.separate_bound_high, -1171, 1151 + 100);
    assert_range(f.use.separate_peak_low, f.use.separate_peak_high, 0, 80);
    assert_int_equal(f.use.needed_bits, f.use.bound_bits);
    assert_range(f.use.final_low, f.use.final_high, 65, 65);
    assert_int_equal(f.use.bound_bits, 12);
    assert_int_equal(f.use.format_bits, 18);
    /* with ext_bias the zero point is in the bias already: -128..127 */
    f = find(ZERO_POINT_CASE("sa8_sa8_sa32_ext_bias", -100), &lb_profiles[UP_FULL]);
    assert_range(f.use.bound_low, f.use.bound_high, -7 * 128 - 2 * 127 - 100, 7 * 127 + 2 * 128);
    assert_range(f.use.peak_low, f.use.peak_high, 0, 80);
}

/* 65537 has 17 significant bits; the reduced profile keeps 16 of them (numerics.md 4.3). */
static void test_reduced_bias(void **state)
{
    (void)state;
    finding full = find(ZERO_POINT_CASE("sa8_sa8_sa32", 65537), &lb_profiles[UP_FULL]);
    finding reduced = find(ZERO_POINT_CASE("sa8_sa8_sa32", 65537), &lb_profiles[UP_REDUCED]);
    assert_true(full.use.bound_high == 1130 + 65537);
    assert_true(reduced.use.bound_high == 1130 + 65536);
    assert_true(full.use.bound_low == reduced.use.bound_low);
}

#define CONV_CONFIG(stride, padding)                                                               \
    "\"config\":{\"relu\":\"none\",\"stride_width\":" #stride ",\"stride_height\":" #stride        \
    ",\"padding_left\":" #padding ",\"padding_right\":" #padding ",\"padding_top\":" #padding      \
    ",\"padding_bottom\":" #padding ",\"dilation_width\":1,\"dilation_height\":1}"
#define CONV(function, config, in, weights, bias, out)                                             \
    SUITE("{\"id\":\"a\",\"function\":\"mli_krn_" function "\"," config ",\"inputs\":{\"in\":" in  \
          ",\"weights\":" weights ",\"bias\":" bias "},\"outputs\":{\"out\":" out "}}")

/* A 3x3 kernel of 1..9 on 2x2 pixels with a padding of 1: at each position four taps lie inside, at
 * best 5, 6, 8 and 9. */
static void test_padding(void **state)
{
    (void)state;
    finding f = find(CONV("conv2d_hwcn_fx16_fx8_fx8", CONV_CONFIG(1, 1),
                          FX("fx16", "[2,2,1]", 0, "[1,1,1,1]"),
                          FX("fx8", "[3,3,1,1]", 0, "[1,2,3,4,5,6,7,8,9]"),
                          FX("fx8", "[1]", 0, "[0]"), FX_OUT("fx16", "[2,2,1]", 0)),
                     &lb_profiles[UP_FULL]);
    assert_int_equal(f.use.macs, 4);
    assert_range(f.use.bound_low, f.use.bound_high, -28 * 32768, 28 * 32767);
    assert_range(f.use.peak_low, f.use.peak_high, 0, 28);
    assert_int_equal(f.use.format_bits, 24 + 2 + 1);
}

/* Without padding every tap lies inside, and channels add up: weights [1 -2; 3 -4] of two input
 * channels. */
static void test_convolution_channels(void **state)
{
    (void)state;
    finding f =
        find(CONV("conv2d_hwcn_fx16_fx8_fx8", CONV_CONFIG(1, 0),
                  FX("fx16", "[1,2,2]", 0, "[1,2,3,4]"), FX("fx8", "[1,2,2,1]", 0, "[1,-2,3,-4]"),
                  FX("fx8", "[1]", 0, "[5]"), FX_OUT("fx16", "[1,1,1]", 0)),
             &lb_profiles[UP_FULL]);
    assert_int_equal(f.use.macs, 4);
    assert_range(f.use.bound_low, f.use.bound_high, -4 * 32768 - 6 * 32767,
                 4 * 32767 + 6 * 32768 + 5);
    /* input channel outermost (conv.md 12): 1*1, 3*3, then 2*-2, 4*-4 */
    assert_range(f.use.peak_low, f.use.peak_high, -10, 10);
}

/* Each channel has its own weights: 10 for one, -20 for the other. */
static void test_depthwise(void **state)
{
    (void)state;
    finding f = find(CONV("depthwise_conv2d_hwcn_fx16_fx8_fx8", CONV_CONFIG(1, 0),
                          FX("fx16", "[1,1,2]", 0, "[3,4]"), FX("fx8", "[1,1,1,2]", 0, "[10,-20]"),
                          FX("fx8", "[2]", 0, "[0,0]"), FX_OUT("fx16", "[1,1,2]", 0)),
                     &lb_profiles[UP_FULL]);
    assert_int_equal(f.use.macs, 1);
    assert_range(f.use.bound_low, f.use.bound_high, -20 * 32767, 20 * 32768);
    assert_range(f.use.peak_low, f.use.peak_high, -80, 30);
}

/* Transposed with the stride of the kernel's size: each output position meets one tap of [1 2; 3
 * -4]. */
static void test_transposed(void **state)
{
    (void)state;
    finding f =
        find(CONV("transpose_conv2d_hwcn_fx16_fx8_fx8", CONV_CONFIG(2, 0),
                  FX("fx16", "[2,2,1]", 0, "[1,1,1,1]"), FX("fx8", "[2,2,1,1]", 0, "[1,2,3,-4]"),
                  FX("fx8", "[1]", 0, "[0]"), FX_OUT("fx16", "[4,4,1]", 0)),
             &lb_profiles[UP_FULL]);
    assert_int_equal(f.use.macs, 1);
    assert_range(f.use.bound_low, f.use.bound_high, -4 * 32767, 4 * 32768);
    assert_range(f.use.peak_low, f.use.peak_high, -4, 3);
}

/* A window of 4: 1/4 is 2^14 with 16 fractional bits (pooling_and_movement.md 2.4). */
static void test_average(void **state)
{
    (void)state;
    finding f = find(
        SUITE(
            "{\"id\":\"a\",\"function\":\"mli_krn_avepool_hwc_fx8\",\"config\":{\"kernel_width\":2,"
            "\"kernel_height\":2,\"stride_width\":1,\"stride_height\":1,\"padding_left\":0,"
            "\"padding_right\":0,"
            "\"padding_top\":0,\"padding_bottom\":0},\"inputs\":{\"in\":" FX(
                "fx8", "[2,2,1]", 0,
                "[1,2,3,-4]") "},\"outputs\":{\"out\":" FX_OUT("fx8", "[1,1,1]", 0) "}}"),
        &lb_profiles[UP_FULL]);
    assert_int_equal(f.use.operands, LB_OPERANDS_16X8);
    assert_int_equal(f.use.macs, 4);
    assert_int_equal(f.use.format_bits, 24 + 2);
    assert_range(f.use.bound_low, f.use.bound_high, -4 * 128 * 16384, 4 * 127 * 16384);
    assert_range(f.use.peak_low, f.use.peak_high, 0, 6 * 16384);
    assert_range(f.use.final_low, f.use.final_high, 2 * 16384, 2 * 16384);
}

#define SCALED(shape, scale, zero_point, data)                                                     \
    "{\"type\":\"sa8\",\"shape\":" shape ",\"scale\":" #scale                                      \
    ",\"scale_frac_bits\":15,\"zero_point\":" #zero_point ",\"axis\":-1,\"data\":" data "}"

/* The example of pooling_and_movement.md 2.6: for 9 inputs the factor is 91, and the zero points'
 * part -15 << 10 comes first. */
static void test_average_sa8(void **state)
{
    (void)state;
    finding f = find(
        SUITE(
            "{\"id\":\"a\",\"function\":\"mli_krn_avepool_hwc_sa8\",\"config\":{\"kernel_width\":3,"
            "\"kernel_height\":3,\"stride_width\":1,\"stride_height\":1},\"inputs\":{"
            "\"in\":" SCALED(
                "[3,3,1]", 20000, 10,
                "[100,90,-20,5,7,33,-128,127,64]") "},\"outputs\":{\"out\":" SCALED("[1,1,1]",
                                                                                    25000, -7,
                                                                                    "[0]") "}}"),
        &lb_profiles[UP_FULL]);
    assert_int_equal(f.use.operands, LB_OPERANDS_8X8);
    assert_int_equal(f.use.macs, 9);
    assert_int_equal(f.use.format_bits, 16 + 4 + 1);
    assert_range(f.use.bound_low, f.use.bound_high, -15360 - 91 * 9 * 128, -15360 + 91 * 9 * 127);
    assert_range(f.use.peak_low, f.use.peak_high, -15360, 91 * 278 - 15360);
    assert_range(f.use.final_low, f.use.final_high, 9938, 9938);
}

#define WHOLE_TENSOR(function, in, out)                                                            \
    SUITE("{\"id\":\"a\",\"function\":\"mli_krn_" function                                         \
          "\",\"config\":{\"axis\":-1},\"inputs\":{\"in\":" in "},\"outputs\":{\"out\":" out "}}")
#define NORMALIZE(function, in, out)                                                               \
    SUITE("{\"id\":\"a\",\"function\":\"mli_krn_" function                                         \
          "\",\"config\":{\"axis\":-1},\"inputs\":{\"in\":" in                                     \
          ",\"epsilon\":" FX("fx8", "[1]", 0, "[0]") "},\"outputs\":{\"out\":" out "}}")

/* Squares: of fx16 up to 2^30 each; of sa8 with the zero point 10 up to (-138)^2. */
static void test_squares(void **state)
{
    (void)state;
    finding f = find(
        NORMALIZE("l2_normalize_fx16", FX("fx16", "[3]", 0, "[3,-4,5]"), FX_OUT("fx16", "[3]", 0)),
        &lb_profiles[UP_FULL]);
    assert_int_equal(f.use.operands, LB_OPERANDS_16X16);
    assert_int_equal(f.use.acc_bits, 64);
    assert_int_equal(f.use.format_bits, 32 + 2);
    assert_range(f.use.bound_low, f.use.bound_high, 0, 3 * ((int64_t)1 << 30));
    assert_range(f.use.peak_low, f.use.peak_high, 0, 9 + 16 + 25);
    f = find(NORMALIZE("l2_normalize_sa8", SA("sa8", "[3]", 10, "[13,6,15]"), SA_OUT("[3]")),
             &lb_profiles[UP_FULL]);
    assert_range(f.use.bound_low, f.use.bound_high, 0, 3 * 138 * 138);
    assert_range(f.use.peak_low, f.use.peak_high, 0, 9 + 16 + 25);
}

/* Exponentials of equal inputs are 32767 each, and none is larger. */
static void test_exponentials(void **state)
{
    (void)state;
    finding f = find(
        WHOLE_TENSOR("softmax_fx16", FX("fx16", "[4]", 8, "[7,7,7,7]"), FX_OUT("fx16", "[4]", 0)),
        &lb_profiles[UP_FULL]);
    assert_int_equal(f.use.operands, LB_OPERANDS_16X8);
    assert_int_equal(f.use.product_bits, 16);
    assert_int_equal(f.use.format_bits, 16 + 2);
    assert_range(f.use.bound_low, f.use.bound_high, 0, 4 * 32767);
    assert_range(f.use.peak_low, f.use.peak_high, 0, 4 * 32767);
    f = find(WHOLE_TENSOR("softmax_fx8", FX("fx8", "[4]", 4, "[7,7,7,7]"), FX_OUT("fx8", "[4]", 0)),
             &lb_profiles[UP_FULL]);
    assert_false(f.measured); /* its outputs are 0: nothing is added */
}

#define DENSE_INPUTS "\"in\":[" FX("fx16", "[1]", 0, "[2]") "," FX("fx16", "[3]", 0, "[1,1,1]") "]"
#define DENSE_WEIGHTS                                                                              \
    "\"weights\":[" FX("fx8", "[1,1]", 0, "[10]") "," FX("fx8", "[3,1]", 0, "[-1,-1,-1]") "]"
#define DENSE                                                                                      \
    SUITE("{\"id\":\"a\",\"function\":\"mli_krn_rnn_dense_fx16_fx8_fx8\",\"config\":{\"inputs_"    \
          "num\":2},\"inputs\":"                                                                   \
          "{" DENSE_INPUTS "," DENSE_WEIGHTS ",\"bias\":" FX(                                      \
              "fx8", "[1]", 0, "[100]") "},\"outputs\":{\"out\":" FX_OUT("fx16", "[1]", 0) "}}")

/* Two inputs, two accumulators: the bias is with the first one only. */
static void test_rnn_dense(void **state)
{
    (void)state;
    finding f = find(DENSE, &lb_profiles[UP_FULL]);
    assert_true(f.measured);
    assert_int_equal(f.chains.count, 2);
    assert_int_equal(f.use.macs, 3);
    assert_range(f.use.bound_low, f.use.bound_high, -10 * 32768, 10 * 32767 + 100);
    assert_range(f.use.peak_low, f.use.peak_high, -3, 20);
    assert_int_equal(f.use.format_bits, 24 + 2 + 1);
}

/* ---- Cells: one input, one unit; of each gate's weights only one is large ---- */

#define LSTM_INPUTS                                                                                \
    "\"in\":" FX("fx16", "[1,1]", 10, "[100]") ",\"prev_out\":" FX("fx16", "[1]", 10, "[50]")
#define LSTM_WEIGHTS                                                                               \
    "\"weights_in\":" FX("fx8", "[4,1,1]", 4,                                                      \
                         "[1,2,-30,4]") ",\"weights_out\":" FX("fx8", "[4,1,1]", 4, "[5,6,7,80]")
#define LSTM_BIAS "\"bias\":" FX("fx8", "[4,1]", 4, "[0,0,-1,0]")
#define LSTM_OUTPUTS                                                                               \
    "\"cell\":" FX("fx16", "[1]", 10, "[0]") ",\"out\":" FX_OUT("fx16", "[1,1]", 10)
#define LSTM                                                                                       \
    SUITE("{\"id\":\"a\",\"function\":\"mli_krn_lstm_cell_fx16_fx8_fx8\",\"config\":{"             \
          "\"direction\":\"forward\","                                                             \
          "\"results\":\"last\",\"act\":\"none\",\"scratch_bytes\":8},\"inputs\":{" LSTM_INPUTS    \
          "," LSTM_WEIGHTS "," LSTM_BIAS "},\"outputs\":{" LSTM_OUTPUTS "}}")

/* The hidden state meets 80, the frame -30 and with it the bias -1 << 10. */
static void test_lstm(void **state)
{
    (void)state;
    finding f = find(LSTM, &lb_profiles[UP_FULL]);
    assert_true(f.measured);
    assert_int_equal(f.chains.count, 8); /* four gates, frame and hidden state */
    assert_int_equal(f.use.macs, 1);
    assert_range(f.use.bound_low, f.use.bound_high, -80 * 32768, 80 * 32767);
    assert_range(f.use.peak_low, f.use.peak_high, -30 * 100, 80 * 50);
}

#define GRU_WEIGHTS                                                                                \
    "\"weights_in\":" FX("fx8", "[3,1,1]", 4,                                                      \
                         "[1,-70,3]") ",\"weights_out\":" FX("fx8", "[3,1,1]", 4, "[4,5,90]")
#define GRU                                                                                        \
    SUITE("{\"id\":\"a\",\"function\":\"mli_krn_gru_cell_fx16_fx8_fx8\",\"config\":{"              \
          "\"direction\":\"forward\","                                                             \
          "\"results\":\"last\",\"act\":\"none\",\"scratch_bytes\":6},\"inputs\":{" LSTM_INPUTS    \
          "," GRU_WEIGHTS                                                                          \
          ",\"bias\":" FX("fx8", "[3,1]", 4,                                                       \
                          "[0,2,0]") "},\"outputs\":{\"out\":" FX_OUT("fx16", "[1,1]", 10) "}}")

/* The last gate takes the hidden state times a gate, which may be anything: 90 counts for the
 * bound. No input sets it, so that the witness is that of -70, with the bias 2 << 10 on the way up.
 */
static void test_gru(void **state)
{
    (void)state;
    finding f = find(GRU, &lb_profiles[UP_FULL]);
    assert_true(f.measured);
    assert_int_equal(f.chains.count, 6); /* three gates, frame and hidden state */
    assert_range(f.use.bound_low, f.use.bound_high, -90 * 32768, 90 * 32767);
    assert_range(f.bound.low_sum, f.bound.high_sum, -70 * 32767, 70 * 32768 + 2048);
    assert_range(f.use.peak_low, -7000, -7000, -7000);
    assert_string_equal(f.use.overflow, "none");
}

/* QUIRK (conv.md 3): an fx16 bias that is aligned past 32 bits wraps: 1000 << 28 adds -2^31. */
static void test_wrapped_bias(void **state)
{
    (void)state;
    finding f =
        find(SUITE(FC("a", "fx16", FX("fx16", "[1]", 14, "[1]"), FX("fx16", "[1,1]", 14, "[3]"),
                      FX("fx16", "[1]", 0, "[1000]"), FX_OUT("fx16", "[1]", 0))),
             &lb_profiles[UP_FULL]);
    assert_int_equal(f.use.operands, LB_OPERANDS_16X16);
    assert_range(f.use.bound_low, f.use.bound_high, -3 * 32768 - ((int64_t)1 << 31), 3 * 32767);
    assert_int_equal(f.use.format_bits, 32 + 0 + 1);
}

/* ---- Overflow ---- */

static void test_511_and_512(void **state)
{
    (void)state;
    finding f = find(SUITE(WORST("a", 511)), &lb_profiles[UP_FULL]);
    assert_range(f.use.peak_low, f.use.peak_high, 0, 511 * ((int64_t)1 << 22));
    assert_true(f.use.bound_high == f.use.peak_high);
    assert_int_equal(f.use.headroom_bits, 0);
    assert_string_equal(f.use.overflow, "none");
    f = find(SUITE(WORST("a", 512)), &lb_profiles[UP_FULL]);
    assert_true(f.use.peak_high == (int64_t)1 << 31);
    assert_int_equal(f.use.needed_bits, 33);
    assert_int_equal(f.use.headroom_bits, -1);
    assert_string_equal(f.use.overflow, "persistent");
    assert_true(f.use.exceeds);
}

static void test_transient(void **state)
{
    (void)state;
    finding f =
        find(SUITE(FC("a", "fx16_fx8_fx8", FX("fx16", "[513]", 15, CONSTANT(-32768)),
                      FX("fx8", "[513,1]", 7,
                         "{\"generator\":\"one_hot\",\"index\":512,\"value\":127,\"rest\":-128}"),
                      FX("fx8", "[1]", 7, "[0]"), FX_OUT("fx16", "[1]", 6))),
             &lb_profiles[UP_FULL]);
    assert_true(f.use.peak_high == (int64_t)1 << 31);
    assert_true(f.use.final_high == ((int64_t)1 << 31) - 32768 * 127);
    assert_string_equal(f.use.overflow, "transient");
}

/* What the case's data do and what others could do are two things. */
static void test_proof_without_overflow(void **state)
{
    (void)state;
    finding f = find(SUITE(FC("a", "fx16_fx8_fx8", FX("fx16", "[512]", 15, CONSTANT(1)),
                              FX("fx8", "[512,1]", 7, CONSTANT(-128)), FX("fx8", "[1]", 7, "[0]"),
                              FX_OUT("fx16", "[1]", 6))),
                     &lb_profiles[UP_FULL]);
    assert_int_equal(f.use.peak_bits, 17);
    assert_int_equal(f.use.bound_bits, 33);
    assert_string_equal(f.use.overflow, "none");
    assert_true(f.use.exceeds);
}

/* 511 * 2^22 and a bias of 2^22: inside before the bias, clipped by it. */
static void test_bias_saturates(void **state)
{
    (void)state;
    finding f = find(SUITE(FC("a", "fx16_fx8_fx8", FX("fx16", "[511]", 15, CONSTANT(-32768)),
                              FX("fx8", "[511,1]", 7, CONSTANT(-128)), FX("fx8", "[1]", 0, "[1]"),
                              FX_OUT("fx16", "[1]", 6))),
                     &lb_profiles[UP_FULL]);
    assert_true(f.use.bound_high == (int64_t)1 << 31);
    assert_int_equal(f.use.peak_bits, 32);
    assert_int_equal(f.use.saturated, 1);
    assert_string_equal(f.use.overflow, "none");
}

/* The same case on platforms: widths change what is left, and nothing else. */
static void test_platform_widths(void **state)
{
    (void)state;
    static const struct {
        int bits, headroom;
        const char *overflow;
    } rows[] = {{40, 7, "none"}, {33, 0, "none"}, {32, -1, "persistent"}, {31, -2, "persistent"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        lb_profile platform = lb_profiles[UP_FULL];
        platform.acc_bits[LB_OPERANDS_16X8] = rows[i].bits;
        finding f = find(SUITE(WORST("a", 512)), &platform);
        assert_int_equal(f.use.acc_bits, rows[i].bits);
        assert_int_equal(f.use.headroom_bits, rows[i].headroom);
        assert_string_equal(f.use.overflow, rows[i].overflow);
        assert_int_equal(f.use.needed_bits, 33);
    }
}

/* A call that its rules refuse adds nothing. */
static void test_refused_call(void **state)
{
    (void)state;
    finding f = find(SUITE(FC("a", "fx16_fx8_fx8", FX("fx16", "[3]", 3, "[1,2,3]"),
                              FX("fx8", "[2,1]", 2, "[5,9]"), FX("fx8", "[1]", 4, "[-3]"),
                              FX_OUT("fx16", "[1]", 2))),
                     &lb_profiles[UP_FULL]);
    assert_false(f.measured);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_logarithm),
        cmocka_unit_test(test_fully_connected),
        cmocka_unit_test(test_worst_channel),
        cmocka_unit_test(test_zero_point),
        cmocka_unit_test(test_reduced_bias),
        cmocka_unit_test(test_padding),
        cmocka_unit_test(test_convolution_channels),
        cmocka_unit_test(test_depthwise),
        cmocka_unit_test(test_transposed),
        cmocka_unit_test(test_average),
        cmocka_unit_test(test_average_sa8),
        cmocka_unit_test(test_squares),
        cmocka_unit_test(test_exponentials),
        cmocka_unit_test(test_rnn_dense),
        cmocka_unit_test(test_lstm),
        cmocka_unit_test(test_gru),
        cmocka_unit_test(test_wrapped_bias),
        cmocka_unit_test(test_511_and_512),
        cmocka_unit_test(test_transient),
        cmocka_unit_test(test_proof_without_overflow),
        cmocka_unit_test(test_bias_saturates),
        cmocka_unit_test(test_platform_widths),
        cmocka_unit_test(test_refused_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
