/* lastbit explain: ports that are wrong in a known way are told by the fault that is in them, at
 * the step where it sits. */
#include "harness/tests/explain_ports.h"

#include "harness/generate/random_case.h"

static void test_truncation_is_named(void **state)
{
    wrong_port wrong = wrong_port_of(NULL, truncate_product);
    told t;
    (void)state;
    tell(&t, SUITE(MUL_CASE), &wrong);
    const lb_candidate *candidate = first_candidate(&t, "requantize.rounding");
    assert_int_equal(t.e.flat, 1); /* the first that differs */
    assert_string_equal(candidate->fault.kind->name, "rounding.truncates");
    assert_int_equal(candidate->step->operation, LB_STEP_RSH);
    assert_int_equal(t.e.candidates[LB_ORACLE_PORT].differing, 2);
    assert_int_equal(candidate->explained, 2);
    assert_int_equal(candidate->left_right, 4);
    const char *text = text_of(&t.e);
    assert_contains(text, "in1[0,1]=5 * in2[0,1]=4");
    assert_contains(text, "drops 0x14 of 2^5 (0.625)");
    assert_contains(
        text, "cuts the fraction off (towards minus infinity) where it should round: requantize, "
              "in steps of the output; it explains 2 of 2 wrong elements, and leaves 4 of "
              "4 others right");
    assert_contains(text, "port      0 (0x00)         = 0  differs by -1");
    assert_contains(text,
                    "result    out[0,1] = 1 (0x01); port 0 (0x00) diverges at requantize.rounding");
    told_free(&t);
}

static void forget_zero_point(lb_call *call)
{
    call->tensor[LB_ROLE_IN]->sa.zero_point.mem.i16 = 0;
}

static void remember_zero_point(lb_call *call)
{
    call->tensor[LB_ROLE_IN]->sa.zero_point.mem.i16 = 17;
}

static void test_missing_zero_point_is_named(void **state)
{
    wrong_port wrong = wrong_port_of(forget_zero_point, remember_zero_point);
    told t;
    (void)state;
    tell(&t, SUITE(CONNECTED_SA8), &wrong);
    first_candidate(&t, "in.zero_point");
    /* 50 - 40 - 30 + 42 = 22; less 17 * 12, and 11: -171; a quarter, and 3: -39.75 */
    const char *text = text_of(&t.e);
    assert_contains(text, "0 + in[0]=10 * weights[0,0]=5");
    assert_contains(text, "product -40; running sum");
    assert_contains(text, "exact     -40 (0xd8)");
    assert_contains(text, "-39.75");
    assert_contains(text, "diverges at in.zero_point");
    told_free(&t);
}

static void no_limits(lb_call *call)
{
    call->config.relu = 0;
}

static void test_missing_limit_is_named(void **state)
{
    wrong_port wrong = wrong_port_of(no_limits, NULL);
    told t;
    (void)state;
    tell(&t, SUITE(RELU_CASE("relu", 5, -3, 7, "")), &wrong);
    const lb_candidate *candidate = first_candidate(&t, "relu.clamp");
    assert_int_equal(t.e.flat, 1);
    assert_string_equal(candidate->fault.kind->name, "saturation.missing");
    assert_int_equal(candidate->step->operation, LB_STEP_MAX);
    assert_contains(text_of(&t.e), "max: not below the lower limit): leaves the limit out");
    told_free(&t);
}

#define CONNECTED_FX                                                                               \
    "{\"id\":\"fc\",\"function\":\"mli_krn_fully_connected_fx16_fx8_fx8\",\"config\":{\"relu\":"   \
    "\"none\"},\"inputs\":{"                                                                       \
    "\"in\":{\"type\":\"fx16\",\"shape\":[2],\"frac_bits\":3,\"data\":[100,-7]},"                  \
    "\"weights\":{\"type\":\"fx8\",\"shape\":[2,2],\"frac_bits\":2,\"data\":[5,1,9,2]},"           \
    "\"bias\":{\"type\":\"fx8\",\"shape\":[2],\"frac_bits\":0,\"data\":[-3,90]}},"                 \
    "\"outputs\":{\"out\":{\"type\":\"fx16\",\"shape\":[2],\"frac_bits\":2}}}"

static void bias_as_products(lb_call *call)
{
    call->tensor[LB_ROLE_BIAS]->frac_bits = 5;
}

static void bias_as_given(lb_call *call)
{
    call->tensor[LB_ROLE_BIAS]->frac_bits = 0;
}

static void test_unshifted_bias_is_named(void **state)
{
    wrong_port wrong = wrong_port_of(bias_as_products, bias_as_given);
    told t;
    (void)state;
    tell(&t, SUITE(CONNECTED_FX), &wrong);
    const lb_candidate *candidate = first_candidate(&t, "bias.shift");
    /* the bias would be shifted to the left: not at all, or not to that side */
    assert_memory_equal(candidate->fault.kind->name, "shift.", 6);
    told_free(&t);
}

/* An input with its padding in memory, as zeros: what a port computes that takes padding for
 * container 0. */
static void pad_input(lb_call *call)
{
    static int8_t padded[5 * 5];
    static lb_tensor in;
    memset(padded, 0, sizeof padded);
    in = *call->tensor[LB_ROLE_IN];
    for (uint32_t y = 0; y < 3; y++)
        for (uint32_t x = 0; x < 3; x++)
            padded[(y + 1) * 5 + x + 1] = in.data.mem.pi8[y * 3 + x];
    in.data.mem.pi8 = padded;
    in.data.capacity_bytes = sizeof padded;
    in.shape[0] = in.shape[1] = 5;
    in.mem_stride[0] = 5;
    call->tensor[LB_ROLE_IN] = &in;
    call->config.padding_top = call->config.padding_bottom = call->config.padding_left =
        call->config.padding_right = 0;
}

#define PADDED_CONV                                                                                \
    "{\"id\":\"conv\",\"function\":\"mli_krn_conv2d_hwcn_sa8_sa8_sa32\",\"config\":{\"relu\":"     \
    "\"none\","                                                                                    \
    "\"stride_width\":1,\"stride_height\":1,\"padding_left\":1,\"padding_right\":1,\"padding_"     \
    "top\":1,"                                                                                     \
    "\"padding_bottom\":1,\"dilation_width\":1,\"dilation_height\":1},\"inputs\":{"                \
    "\"in\":{\"type\":\"sa8\",\"shape\":[3,3,1],\"data\":[1,2,3,4,5,6,7,8,9],\"scale\":16384,"     \
    "\"scale_frac_bits\":14,"                                                                      \
    "\"zero_point\":5,\"axis\":-1},"                                                               \
    "\"weights\":{\"type\":\"sa8\",\"shape\":[3,3,1,1],\"data\":[1,2,1,3,1,2,1,1,2],\"scale\":"    \
    "16384,"                                                                                       \
    "\"scale_frac_bits\":14,\"zero_point\":0,\"axis\":-1},"                                        \
    "\"bias\":{\"type\":\"sa32\",\"shape\":[1],\"data\":[0],\"scale\":16384,\"scale_frac_bits\":"  \
    "14,"                                                                                          \
    "\"zero_point\":0,\"axis\":-1}},"                                                              \
    "\"outputs\":{\"out\":{\"type\":\"sa8\",\"shape\":[3,3,1],\"scale\":16384,\"scale_frac_"       \
    "bits\":14,"                                                                                   \
    "\"zero_point\":0,\"axis\":-1}}}"

static void test_counted_padding_is_named(void **state)
{
    wrong_port wrong = wrong_port_of(pad_input, NULL);
    told t;
    (void)state;
    tell(&t, SUITE(PADDED_CONV), &wrong);
    const lb_candidate *candidate = first_candidate(&t, "zero_point_terms.padding");
    assert_string_equal(candidate->fault.kind->name, "padding.counted");
    assert_contains(text_of(&t.e), "not in[-1,-1,0]");
    told_free(&t);
}

#define PADDED_POOL                                                                                \
    "{\"id\":\"pool\",\"function\":\"mli_krn_avepool_hwc_fx8\",\"config\":{\"kernel_width\":3,"    \
    "\"kernel_height\":3,"                                                                         \
    "\"stride_width\":1,\"stride_height\":1,\"padding_left\":1,\"padding_right\":1,\"padding_"     \
    "top\":1,"                                                                                     \
    "\"padding_bottom\":1},\"inputs\":{\"in\":{\"type\":\"fx8\",\"shape\":[3,3,1],\"frac_bits\":"  \
    "0,"                                                                                           \
    "\"data\":[91,82,73,64,55,46,37,98,9]}},"                                                      \
    "\"outputs\":{\"out\":{\"type\":\"fx8\",\"shape\":[3,3,1],\"frac_bits\":0}}}"

static void test_padding_in_the_divisor_is_named(void **state)
{
    wrong_port wrong = wrong_port_of(pad_input, NULL);
    told t;
    (void)state;
    tell(&t, SUITE(PADDED_POOL), &wrong);
    assert_string_equal(first_candidate(&t, "positions_in_the_window")->fault.kind->name,
                        "window.whole");
    assert_contains(text_of(&t.e), "positions in the window=4");
    told_free(&t);
}

static void test_another_profile_is_named(void **state)
{
    wrong_port wrong = wrong_port_of(NULL, NULL);
    told t;
    (void)state;
    wrong.own = &lb_profiles[2];
    tell(&t,
         SUITE("{\"id\":\"tie\",\"function\":\"mli_krn_eltwise_mul_fx8\",\"inputs\":{"
               "\"in1\":{\"type\":\"fx8\",\"shape\":[2],\"frac_bits\":4,\"data\":[16,1]},"
               "\"in2\":{\"type\":\"fx8\",\"shape\":[2],\"frac_bits\":4,\"data\":[1,2]}},"
               "\"outputs\":{\"out\":{\"type\":\"fx8\",\"shape\":[2],\"frac_bits\":3}}}"),
         &wrong);
    assert_memory_equal(first_candidate(&t, "requantize.rounding")->fault.kind->name, "rounding.",
                        9);
    assert_string_equal(t.e.candidates[LB_ORACLE_PORT].profile, "convergent-full");
    const char *text = text_of(&t.e);
    assert_contains(text, "drops 0x10 of 2^5 (0.500), a tie");
    assert_contains(text, "all 2 are what profile convergent-full gives");
    told_free(&t);
}

/* ---- More faults, each at its step ---- */

static void test_dropped_bias_is_named(void **state)
{
    wrong_port wrong = wrong_port_of(drop_bias, NULL);
    told t;
    (void)state;
    tell(&t, SUITE(CONNECTED_SA8), &wrong);
    assert_string_equal(first_candidate(&t, "bias")->fault.kind->name, "term.missing");
    told_free(&t);
}

/* 127 * 64 / 32 is 254, which does not fit; in 8 bits that wrap it is -2. */
#define FULL_CASE                                                                                  \
    "{\"id\":\"mul\",\"function\":\"mli_krn_eltwise_mul_fx8\",\"inputs\":{"                        \
    "\"in1\":{\"type\":\"fx8\",\"shape\":[2],\"frac_bits\":4,\"data\":[127,3]},"                   \
    "\"in2\":{\"type\":\"fx8\",\"shape\":[2],\"frac_bits\":4,\"data\":[64,32]}},"                  \
    "\"outputs\":{\"out\":{\"type\":\"fx8\",\"shape\":[2],\"frac_bits\":3}}}"

static void wrap_product(lb_call *call)
{
    call->tensor[LB_ROLE_OUT]->data.mem.pi8[0] = -2;
}

static void test_missing_saturation_is_named(void **state)
{
    wrong_port wrong = wrong_port_of(NULL, wrap_product);
    told t;
    (void)state;
    tell(&t, SUITE(FULL_CASE), &wrong);
    first_candidate(&t, "requantize.saturation");
    assert_contains(text_of(&t.e), "in the container; SATURATES at 8 bits");
    told_free(&t);
}

#define LONG_FX                                                                                    \
    "{\"id\":\"long\",\"function\":\"mli_krn_fully_connected_fx16_fx8_fx8\",\"config\":{\"relu\":" \
    "\"none\"},"                                                                                   \
    "\"inputs\":{\"in\":{\"type\":\"fx16\",\"shape\":[11],\"frac_bits\":0,"                        \
    "\"data\":[100,-7,3,14,15,92,65,35,89,79,32]},"                                                \
    "\"weights\":{\"type\":\"fx8\",\"shape\":[11,1],\"frac_bits\":0,\"data\":[2,7,18,28,18,28,45," \
    "90,45,23,53]},"                                                                               \
    "\"bias\":{\"type\":\"fx8\",\"shape\":[1],\"frac_bits\":0,\"data\":[60]}},"                    \
    "\"outputs\":{\"out\":{\"type\":\"fx16\",\"shape\":[1],\"frac_bits\":0}}}"

/* A loop over vectors of four that forgets what is left over. */
static void forget_the_tail(lb_call *call)
{
    static int8_t weights[11];
    borrowed = *call->tensor[LB_ROLE_WEIGHTS];
    memcpy(weights, borrowed.data.mem.pi8, 8);
    borrowed.data.mem.pi8 = weights;
    call->tensor[LB_ROLE_WEIGHTS] = &borrowed;
}

static void test_a_forgotten_tail_is_named(void **state)
{
    wrong_port wrong = wrong_port_of(forget_the_tail, NULL);
    told t;
    (void)state;
    tell(&t, SUITE(LONG_FX), &wrong);
    const lb_candidate *candidate = first_candidate(&t, "taps.last");
    assert_true(candidate->fault.argument == 3 || candidate->fault.argument == 4);
    assert_contains(text_of(&t.e), "loses the taps that a block of a vector loop leaves over (4)");
    told_free(&t);
}

/* 100*2 - 49 + 54 + ... + 32*53 is 18246, and the bias: none of the sums fits 13 bits. */
static void test_a_narrow_accumulator_is_named(void **state)
{
    static const lb_profile narrow = {.name = "narrow", .acc_bits = {16, 16, 16}};
    wrong_port wrong = wrong_port_of(NULL, NULL);
    told t;
    (void)state;
    wrong.own = &narrow;
    tell(
        &t,
        SUITE("{\"id\":\"wide\",\"function\":\"mli_krn_fully_connected_fx16_fx8_fx8\",\"config\":{"
              "\"relu\":\"none\"},"
              "\"inputs\":{\"in\":{\"type\":\"fx16\",\"shape\":[3],\"frac_bits\":4,\"data\":[1000,"
              "900,-50]},"
              "\"weights\":{\"type\":\"fx8\",\"shape\":[3,1],\"frac_bits\":4,\"data\":[100,90,80]},"
              "\"bias\":{\"type\":\"fx8\",\"shape\":[1],\"frac_bits\":0,\"data\":[0]}},"
              "\"outputs\":{\"out\":{\"type\":\"fx16\",\"shape\":[1],\"frac_bits\":2}}}"),
        &wrong);
    assert_string_equal(first_candidate(&t, "taps.accumulator")->fault.kind->name,
                        "accumulator.wraps");
    told_free(&t);
}

/* Scales of 1, 1/2 and 1/4: whoever takes the first for all is wrong in two channels of three. */
#define PER_CHANNEL                                                                                \
    "{\"id\":\"fc\",\"function\":\"mli_krn_fully_connected_sa8_sa8_sa32\",\"config\":{\"relu\":"   \
    "\"none\"},\"inputs\":{"                                                                       \
    "\"in\":{\"type\":\"sa8\",\"shape\":[2],\"data\":[10,20],\"scale\":16384,\"scale_frac_bits\":" \
    "14,"                                                                                          \
    "\"zero_point\":0,\"axis\":-1},"                                                               \
    "\"weights\":{\"type\":\"sa8\",\"shape\":[2,3],\"data\":[1,2,3,1,2,3],\"scale\":[16384,16384," \
    "16384],"                                                                                      \
    "\"scale_frac_bits\":[14,15,16],\"zero_point\":[0,0,0],\"axis\":1},"                           \
    "\"bias\":{\"type\":\"sa32\",\"shape\":[3],\"data\":[0,0,0],\"scale\":[16384,16384,16384],"    \
    "\"scale_frac_bits\":[14,15,16],\"zero_point\":[0,0,0],\"axis\":0}},"                          \
    "\"outputs\":{\"out\":{\"type\":\"sa8\",\"shape\":[3],\"scale\":16384,\"scale_frac_bits\":14," \
    "\"zero_point\":0,\"axis\":-1}}}"

/* 60 and 90, in place of 30 and 22.5 */
static void scale_all_alike(lb_call *call)
{
    call->tensor[LB_ROLE_OUT]->data.mem.pi8[1] = 60;
    call->tensor[LB_ROLE_OUT]->data.mem.pi8[2] = 90;
}

static void test_the_first_channels_scale_is_named(void **state)
{
    wrong_port wrong = wrong_port_of(NULL, scale_all_alike);
    told t;
    (void)state;
    tell(&t, SUITE(PER_CHANNEL), &wrong);
    const lb_candidate *candidate = first_candidate(&t, "weights.channel");
    assert_string_equal(candidate->fault.kind->name, "parameter.other_channel");
    assert_int_equal(t.e.flat, 1);
    told_free(&t);
}

#define RELU_SA8                                                                                   \
    "{\"id\":\"relu\",\"function\":\"mli_krn_relu_sa8\",\"config\":{\"type\":\"gen\"},\"inputs\":" \
    "{\"in\":{"                                                                                    \
    "\"type\":\"sa8\",\"shape\":[4],\"data\":[-20,3,-9,11],\"scale\":1,\"scale_frac_bits\":0,"     \
    "\"zero_point\":-12,"                                                                          \
    "\"axis\":-1}},\"outputs\":{\"out\":{\"type\":\"sa8\",\"shape\":[4],\"scale\":1,\"scale_frac_" \
    "bits\":0,"                                                                                    \
    "\"zero_point\":0,\"axis\":-1}}}"

/* -12, the zero point, is the limit, and not container 0. */
static void limit_at_0(lb_call *call)
{
    static const int8_t limited[] = {0, 3, 0, 11};
    memcpy(call->tensor[LB_ROLE_OUT]->data.mem.pi8, limited, sizeof limited);
}

static void test_a_limit_without_the_zero_point_is_named(void **state)
{
    wrong_port wrong = wrong_port_of(NULL, limit_at_0);
    told t;
    (void)state;
    tell(&t, SUITE(RELU_SA8), &wrong);
    assert_string_equal(first_candidate(&t, "relu.clamp")->fault.kind->name,
                        "limit.container_zero");
    told_free(&t);
}

static void forget_biases(lb_call *call, uint32_t first)
{
    static unsigned char bytes[4096];
    borrowed = *call->tensor[LB_ROLE_BIAS];
    size_t row = borrowed.shape[1] * (size_t)lb_element_bytes(borrowed.el_type);
    assert_true(row * 4 <= sizeof bytes && borrowed.mem_stride[0] == (int32_t)borrowed.shape[1]);
    memcpy(bytes, borrowed.data.mem.ptr, row * 4);
    memset(bytes + row * first, 0, row * (4 - first));
    borrowed.data.mem.ptr = bytes;
    call->tensor[LB_ROLE_BIAS] = &borrowed;
}

static void forget_the_last_bias(lb_call *call)
{
    forget_biases(call, 3);
}

static void forget_every_bias(lb_call *call)
{
    forget_biases(call, 0);
}

/* In other formats little is left of the gates, and many faults look alike. */
static bool fits_gates(const lb_case *c, lb_role role)
{
    int frac_bits = c->operand[role].tensors[0].frac_bits;
    return frac_bits >= 10 && frac_bits <= 15;
}

static bool plain_cell(const lb_case *c)
{
    const lb_case_tensor *bias = &c->operand[LB_ROLE_BIAS].tensors[0];
    return bias->rank == 2 && !bias->has_mem_stride &&
           c->operand[LB_ROLE_IN].tensors[0].shape[0] == 1 && fits_gates(c, LB_ROLE_CELL) &&
           fits_gates(c, LB_ROLE_OUT);
}

/* Made-up cells of one frame: most of those that diverge must name the step. Among the others are
 * small outputs that a fault of another kind gives as well. */
static void check_cells(void (*before)(lb_call *call), const char *step)
{
    wrong_port wrong = wrong_port_of(before, NULL);
    lb_random_options options = {.seed = 5};
    unsigned named = 0, diverging = 0;
    for (uint64_t i = 0; i < 400; i++) {
        lb_arena arena = {0};
        lb_case c;
        if (lb_random_case(lb_kernel_find("mli_krn_lstm_cell_fx16"), &options, i, &arena, &c) &&
            plain_cell(&c)) {
            lb_explanation e = explain(&c, &wrong.port, 0, LB_ROLE_OUT, &arena);
            diverging += e.diverges[LB_ORACLE_PORT];
            named += e.diverges[LB_ORACLE_PORT] &&
                     strcmp(lb_explanation_step(&e, LB_ORACLE_PORT), step) == 0;
            lb_explanation_free(&e);
        }
        lb_arena_free(&arena);
    }
    printf("%u of %u diverging cells name %s first\n", named, diverging, step);
    assert_true(diverging >= 20 && named * 10 >= diverging * 7);
}

static void test_a_gate_is_named(void **state)
{
    (void)state;
    check_cells(forget_the_last_bias, "o.x.bias");
}

static void test_what_all_gates_share_is_named(void **state)
{
    (void)state;
    check_cells(forget_every_bias, "bias");
}

/* 114 with the whole multiplier, 113 with its upper half (conv.md 14): no fault of one step, but a
 * profile. */
static void test_a_reduced_accumulator_is_named(void **state)
{
    wrong_port wrong = wrong_port_of(NULL, NULL);
    told t;
    (void)state;
    wrong.own = &lb_profiles[1];
    tell(
        &t,
        SUITE(
            "{\"id\":\"fc\",\"function\":\"mli_krn_fully_connected_sa8_sa8_sa32\",\"config\":{"
            "\"relu\":\"none\"},"
            "\"inputs\":{\"in\":{\"type\":\"sa8\",\"shape\":[3],\"data\":[50,-120,53],\"scale\":"
            "23020,"
            "\"scale_frac_bits\":21,\"zero_point\":5,\"axis\":-1},"
            "\"weights\":{\"type\":\"sa8\",\"shape\":[3,1],\"data\":[-92,-128,-27],\"scale\":25939,"
            "\"scale_frac_bits\":20,\"zero_point\":0,\"axis\":-1},"
            "\"bias\":{\"type\":\"sa32\",\"shape\":[1],\"data\":[712275],\"scale\":18223,\"scale_"
            "frac_bits\":26,"
            "\"zero_point\":0,\"axis\":-1}},\"outputs\":{\"out\":{\"type\":\"sa8\",\"shape\":[1],"
            "\"scale\":26039,"
            "\"scale_frac_bits\":14,\"zero_point\":-10,\"axis\":-1}}}"),
        &wrong);
    assert_true(t.e.diverges[LB_ORACLE_PORT]);
    assert_contains(text_of(&t.e), "exact     114 (0x72)");
    assert_contains(text_of(&t.e), "are what profile up-reduced gives");
    told_free(&t);
}

#define FAR_INPUTS                                                                                 \
    "{\"id\":\"far\",\"function\":\"mli_krn_fully_connected_sa8_sa8_sa32\",\"config\":{\"relu\":"  \
    "\"none\"},\"inputs\":"                                                                        \
    "{"                                                                                            \
    "\"in\":{\"type\":\"sa8\",\"shape\":[4],\"data\":[-120,100,-90,127],\"scale\":16384,\"scale_"  \
    "frac_bits\":14,"                                                                              \
    "\"zero_point\":17,\"axis\":-1},"                                                              \
    "\"weights\":{\"type\":\"sa8\",\"shape\":[4,3],\"data\":[1,-3,2,2,-1,4,6,1,3,2,2,1],"          \
    "\"scale\":16384,"                                                                             \
    "\"scale_frac_bits\":14,\"zero_point\":0,\"axis\":-1},"                                        \
    "\"bias\":{\"type\":\"sa32\",\"shape\":[3],\"data\":[31,-9,70],\"scale\":16384,\"scale_frac_"  \
    "bits\":14,"                                                                                   \
    "\"zero_point\":0,\"axis\":-1}},"                                                              \
    "\"outputs\":{\"out\":{\"type\":\"sa8\",\"shape\":[3],\"scale\":16384,\"scale_frac_bits\":11," \
    "\"zero_point\":3,"                                                                            \
    "\"axis\":-1}}}"

/* -120 - 17 is -137, which is 119 in 8 bits. */
static void wrap_inputs(lb_call *call)
{
    static int8_t wrapped[4];
    borrowed = *call->tensor[LB_ROLE_IN];
    for (int i = 0; i < 4; i++)
        wrapped[i] = (int8_t)(uint8_t)((unsigned)borrowed.data.mem.pi8[i] - 17u);
    borrowed.data.mem.pi8 = wrapped;
    borrowed.sa.zero_point.mem.i16 = 0;
    call->tensor[LB_ROLE_IN] = &borrowed;
}

static void test_a_narrow_difference_is_named(void **state)
{
    wrong_port wrong = wrong_port_of(wrap_inputs, NULL);
    told t;
    (void)state;
    tell(&t, SUITE(FAR_INPUTS), &wrong);
    assert_string_equal(first_candidate(&t, "taps.zero_point")->fault.kind->name,
                        "tap.input_wraps");
    told_free(&t);
}

/* Products and zero points make -393, 441 and -153: with negative ones cut off, 31, 432 and 70 in
 * eighths, and 3. */
static void cut_before_the_bias(lb_call *call)
{
    static const int8_t cut[] = {7, 57, 12};
    memcpy(call->tensor[LB_ROLE_OUT]->data.mem.pi8, cut, sizeof cut);
}

static void test_an_early_relu_is_named(void **state)
{
    wrong_port wrong = wrong_port_of(NULL, cut_before_the_bias);
    told t;
    (void)state;
    tell(&t, SUITE(FAR_INPUTS), &wrong);
    assert_string_equal(first_candidate(&t, "bias.relu")->fault.kind->name, "term.early_relu");
    told_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_truncation_is_named),
        cmocka_unit_test(test_missing_zero_point_is_named),
        cmocka_unit_test(test_missing_limit_is_named),
        cmocka_unit_test(test_unshifted_bias_is_named),
        cmocka_unit_test(test_counted_padding_is_named),
        cmocka_unit_test(test_padding_in_the_divisor_is_named),
        cmocka_unit_test(test_another_profile_is_named),
        cmocka_unit_test(test_dropped_bias_is_named),
        cmocka_unit_test(test_missing_saturation_is_named),
        cmocka_unit_test(test_a_forgotten_tail_is_named),
        cmocka_unit_test(test_a_narrow_accumulator_is_named),
        cmocka_unit_test(test_the_first_channels_scale_is_named),
        cmocka_unit_test(test_a_limit_without_the_zero_point_is_named),
        cmocka_unit_test(test_a_gate_is_named),
        cmocka_unit_test(test_what_all_gates_share_is_named),
        cmocka_unit_test(test_a_reduced_accumulator_is_named),
        cmocka_unit_test(test_a_narrow_difference_is_named),
        cmocka_unit_test(test_an_early_relu_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
