/* lastbit explain: a case of each family whose steps were worked out by hand, from the spec's
 * formulas. */
#include "harness/tests/explain_tools.h"

/* ---- Cases ---- */

#define CASE(function, config, inputs, outputs)                                                    \
    "{\"id\":\"c\",\"function\":\"" function "\",\"config\":{" config "},\"inputs\":{" inputs      \
    "},\"outputs\":{" outputs "}}"
#define FX(name, type, shape, frac, data)                                                          \
    "\"" name "\":{\"type\":\"" type "\",\"shape\":" shape ",\"frac_bits\":" #frac                 \
    ",\"data\":" data "}"
#define OUT(type, shape, frac)                                                                     \
    "\"out\":{\"type\":\"" type "\",\"shape\":" shape ",\"frac_bits\":" #frac "}"
#define WINDOW(stride, more)                                                                       \
    "\"stride_width\":" #stride                                                                    \
    ",\"stride_height\":1,\"padding_left\":0,\"padding_right\":0,\"padding_top\":0,"               \
    "\"padding_bottom\":0," more
#define CONV(stride) WINDOW(stride, "\"relu\":\"none\",\"dilation_width\":1,\"dilation_height\":1")

enum { MAX_LINES = 6 };

typedef struct worked {
    const char *name;
    const char *json;
    uint32_t flat;
    int32_t exact;
    const char *lines[MAX_LINES]; /* that must be in the text */
} worked;

static const worked cases[] = {
    {"conv2d", /* 1*5 + 2*6 + 3*7 + 4*8 = 70, and 10 */
     CASE("mli_krn_conv2d_hwcn_fx16_fx8_fx8", CONV(1),
          FX("in", "fx16", "[2,2,1]", 0, "[1,2,3,4]") "," FX("weights", "fx8", "[2,2,1,1]", 0,
                                                             "[5,6,7,8]") "," FX("bias", "fx8",
                                                                                 "[1]", 0, "[10]"),
          OUT("fx16", "[1,1,1]", 0)),
     0,
     80,
     {"38 + in[1,1,0]=4 * weights[1,1,0,0]=8", "product 32; running sum", "=70 + #",
      "taps  (conv.md 6 to 9, 12: "}},
    {"depthwise", /* 4*7 - 1 */
     CASE("mli_krn_depthwise_conv2d_hwcn_fx16_fx8_fx8", CONV(1),
          FX("in", "fx16", "[1,1,2]", 0, "[3,4]") "," FX(
              "weights", "fx8", "[1,1,1,2]", 0, "[5,7]") "," FX("bias", "fx8", "[2]", 0, "[1,-1]"),
          OUT("fx16", "[1,1,2]", 0)),
     1,
     27,
     {"0 + in[0,0,1]=4 * weights[0,0,0,1]=7", "bias[1]=-1", "=28 + #"}},
    {"group", /* the second group: 3*6 + 4*8 */
     CASE("mli_krn_group_conv2d_hwcn_fx16_fx8_fx8", CONV(1),
          FX("in", "fx16", "[1,1,4]", 0, "[1,2,3,4]") "," FX("weights", "fx8", "[1,1,2,2]", 0,
                                                             "[5,6,7,8]") "," FX("bias", "fx8",
                                                                                 "[2]", 0, "[0,0]"),
          OUT("fx16", "[1,1,2]", 0)),
     1,
     50,
     {"0 + in[0,0,2]=3 * weights[0,0,0,1]=6", "18 + in[0,0,3]=4 * weights[0,0,1,1]=8"}},
    {"transpose", /* 3 and 5 spread by 2, times 10 and 20: 30 60 50 100 */
     CASE("mli_krn_transpose_conv2d_hwcn_fx16_fx8_fx8", CONV(2),
          FX("in", "fx16", "[1,2,1]", 0, "[3,5]") "," FX(
              "weights", "fx8", "[1,2,1,1]", 0, "[10,20]") "," FX("bias", "fx8", "[1]", 0, "[0]"),
          OUT("fx16", "[1,4,1]", 0)),
     1,
     60,
     {"0 + in[0,0,0]=3 * weights[0,1,0,0]=20"}},
    {"avepool", /* 2^31 / 2 is 16384 * 2^-15 as a factor; 9 * 16384 / 2^15 = 4.5 */
     CASE("mli_krn_avepool_hwc_fx8", WINDOW(1, "\"kernel_width\":2,\"kernel_height\":1"),
          FX("in", "fx8", "[1,2,1]", 0, "[3,6]"), OUT("fx8", "[1,1,1]", 0)),
     0,
     5,
     {"2147483648 / positions in the window=2", "0 + #", "=16384 * in[0,0,0]=3",
      "=16384 * in[0,1,0]=6", "147456", "drops 0x4000 of 2^15 (0.500), a tie"}},
    {"maxpool",
     CASE("mli_krn_maxpool_hwc_fx8", WINDOW(1, "\"kernel_width\":3,\"kernel_height\":1"),
          FX("in", "fx8", "[1,3,1]", 0, "[3,-6,9]"), OUT("fx8", "[1,1,1]", 0)),
     0,
     9,
     {"in[0,0,0]=3", "max(#1=3, in[0,1,0]=-6)", "max(#2=3, in[0,2,0]=9)"}},
    {"relu", /* 6.0 at four fractional bits is 96 */
     CASE("mli_krn_relu_fx8", "\"type\":\"relu6\"", FX("in", "fx8", "[2]", 4, "[5,100]"),
          OUT("fx8", "[2]", 4)),
     1,
     96,
     {"6 << in.frac_bits=4", "min(in[1]=100, #", "not above the upper limit; LIMITED"}},
    {"leaky_relu", /* -20 * 0.75 */
     CASE("mli_krn_leaky_relu_fx8", "",
          FX("in", "fx8", "[2]", 0, "[-20,4]") "," FX("slope", "fx8", "[1]", 2, "[3]"),
          OUT("fx8", "[2]", 0)),
     0,
     -15,
     {"in[0]=-20 * slope[0]=3", "-60"}},
    {"prelu",
     CASE("mli_krn_prelu_fx8", "\"axis\":0",
          FX("in", "fx8", "[2]", 0, "[-4,-8]") "," FX("slope", "fx8", "[2]", 0, "[1,2]"),
          OUT("fx8", "[2]", 0)),
     1,
     -16,
     {"in[1]=-8 * slope[1]=2"}},
    {"eltwise", /* 5/4 and 3/2 make 11/4: 5.5 halves */
     CASE("mli_krn_eltwise_add_fx8", "",
          FX("in1", "fx8", "[1]", 2, "[5]") "," FX("in2", "fx8", "[1]", 1, "[3]"),
          OUT("fx8", "[1]", 1)),
     0,
     6,
     {"max(in1.frac_bits=2, in2.frac_bits=1)", "in2[0]=3 << #", "=5 + #", "5.5"}},
    {"sigm", /* sigm(0) is one half: entry 160 of the table */
     CASE("mli_krn_sigm_fx8", "", FX("in", "fx8", "[1]", 4, "[0]"), OUT("fx8", "[1]", 7)),
     0,
     64,
     {"sigm[#", "=160]", "16384", "=16384 >> 8, half up"}},
    {"tanh", /* tanh(1) = 0.76159 */
     CASE("mli_krn_tanh_fx16", "", FX("in", "fx16", "[1]", 5, "[32]"), OUT("fx16", "[1]", 15)),
     0,
     24956,
     {"tanh[#", "=204]"}},
    {"softmax", /* two equal elements: 32767 twice; 2^29 / 32767 = 16384; half of 32767 is 16383.5
                 */
     CASE("mli_krn_softmax_fx16", "\"axis\":-1", FX("in", "fx16", "[2]", 8, "[77,77]"),
          OUT("fx16", "[2]", 15)),
     0,
     16384,
     {"max(#1=77, in[1]=77)", "32767 + #", "65534", "536870912 / #", "=16384 * #",
      "drops 0x4000 of 2^15 (0.500), a tie"}},
    {"l2_normalize", /* 3 of (3, 4): 0.6 */
     CASE("mli_krn_l2_normalize_fx16", "\"axis\":-1",
          FX("in", "fx16", "[2]", 0, "[3,4]") "," FX("epsilon", "fx16", "[1]", 0, "[0]"),
          OUT("fx16", "[2]", 15)),
     0,
     19661,
     {"9 + #", "product 16; running sum", "l2_normalize[#", "=68]", "13107", "19660.5"}},
    {"convert", /* 100/16 in halves: 12.5 */
     CASE("mli_hlp_convert_tensor", "", FX("in", "fx16", "[1]", 4, "[100]"), OUT("fx8", "[1]", 1)),
     0,
     13,
     {"in[0]=100 - 0", "=16384", "1638400", "12.5", "a tie"}},
    {"permute",
     CASE("mli_krn_permute_fx8", "\"perm_dim\":[1,0]", FX("in", "fx8", "[2,3]", 0, "[1,2,3,4,5,6]"),
          OUT("fx8", "[3,2]", 0)),
     3,
     5,
     {"copy    in[1,1]=5"}},
    {"argmax",
     CASE("mli_krn_argmax_fx16", "\"axis\":-1,\"topk\":2",
          FX("in", "fx16", "[4]", 0, "[7,-3,50,9]"),
          "\"out\":{\"type\":\"sa32\",\"shape\":[1,2],\"scale\":1,\"scale_frac_bits\":0,\"zero_"
          "point\":0,\"axis\":-1}"),
     1,
     3,
     {"offset of in[3]=9 (by size: rank=1)"}},
    {"rnn_dense", /* 2*10 + 3*100 + 5 */
     CASE("mli_krn_rnn_dense_fx16", "\"inputs_num\":1",
          "\"in\":[{\"type\":\"fx16\",\"shape\":[2],\"frac_bits\":0,\"data\":[2,3]}],"
          "\"weights\":[{\"type\":\"fx16\",\"shape\":[2,1],\"frac_bits\":0,\"data\":[10,100]}]," FX(
              "bias", "fx16", "[1]", 0, "[5]"),
          OUT("fx16", "[1]", 0)),
     0,
     325,
     {"20 + in[0][1]=3 * weights[0][1,0]=100", "=320 + #", "in0: taps"}},
    {"lstm", /* all gates at 0: half of the cell 2.0 is kept, and half of that comes out */
     CASE("mli_krn_lstm_cell_fx16",
          "\"direction\":\"forward\",\"results\":\"last\",\"act\":\"none\",\"scratch_bytes\":64",
          FX("in", "fx16", "[1,1]", 10, "[9]") "," FX("prev_out", "fx16", "[1]", 10, "[7]") "," FX(
              "weights_in", "fx16", "[4,1,1]", 10,
              "[0,0,0,0]") "," FX("weights_out", "fx16", "[4,1,1]", 10,
                                  "[0,0,0,0]") "," FX("bias", "fx16", "[4,1]", 10, "[0,0,0,0]"),
          FX("cell", "fx16", "[1]", 10, "[2048]") "," OUT("fx16", "[1,1]", 10)),
     0,
     512,
     {"frame 0, i, x: taps", "frame 0, o: sigm", "kept of the cell: cell * f", "=2048 - 0",
      "result: cell * o", "1024"}},
    {"gru", /* half of the hidden state is kept; nothing is new */
     CASE("mli_krn_gru_cell_fx16",
          "\"direction\":\"forward\",\"results\":\"last\",\"act\":\"none\",\"scratch_bytes\":64",
          FX("in", "fx16", "[1,1]", 10, "[9]") "," FX(
              "prev_out", "fx16", "[1]", 10,
              "[1000]") "," FX("weights_in", "fx16", "[3,1,1]", 10,
                               "[0,0,0]") "," FX("weights_out", "fx16", "[3,1,1]", 10,
                                                 "[0,0,0]") "," FX("bias", "fx16", "[3,1]", 10,
                                                                   "[0,0,0]"),
          OUT("fx16", "[1,1]", 10)),
     0,
     500,
     {"32767 - #", "16383", "result: new + kept", "=0 + #", "500"}},
};

/* ---- The test ---- */

static void check(const worked *w)
{
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_arena arena = {0};
    char text[4000];
    snprintf(text, sizeof text, SUITE("%s"), w->json);
    lb_suite *suite = open_suite(text);
    lb_suite_reader *reader = lb_suite_reader_open(suite);
    const lb_case *c = lb_suite_reader_case(reader, 0, &diagnostics);
    assert_non_null(c);
    fake_port port = fake_port_make(NULL);
    lb_explanation e = explain_element(c, &port.port, 0, LB_ROLE_OUT, w->flat, &arena);
    if (!e.has_element)
        fail_msg("%s: %s", w->name, text_of(&e));
    assert_true(e.slice.written);
    if (lb_replayed_value(e.replayed, &e.replayed->exact, e.role, e.flat) != w->exact)
        fail_msg("%s: expected %d:\n%s", w->name, w->exact, text_of(&e));
    for (size_t i = 0; i < MAX_LINES && w->lines[i]; i++)
        assert_contains(text_of(&e), w->lines[i]);
    lb_explanation_free(&e);
    lb_suite_reader_close(reader);
    lb_suite_close(suite);
    lb_arena_free(&arena);
}

static void test_worked_examples(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check(&cases[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_worked_examples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
