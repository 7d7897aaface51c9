/* Where the operands of an output element lie, in words: of windows cut to the map, with gaps,
 * spread by a transposed convolution, and of functions that work by place. */
#include "harness/tests/fixture.h"

#include "harness/trial/receptive_field.h"

#define FX(shape)                                                                                  \
    "{\"type\":\"fx16\",\"frac_bits\":0,\"shape\":[" shape                                         \
    "],\"data\":{\"generator\":\"uniform\",\"seed\":1,\"low\":0,\"high\":9}}"
#define WEIGHTED_CASE(function, config, in, weights, bias, out)                                    \
    SUITE("{\"id\":\"a\",\"function\":\"" function "\",\"config\":{\"relu\":\"none\"" config       \
          "},\"inputs\":{\"in\":" FX(in) ",\"weights\":" FX(weights) ",\"bias\":" FX(              \
              bias) "},\"outputs\":{\"out\":{\"type\":\"fx16\",\"frac_bits\":0,\"shape\":[" out    \
                    "]}}}")
#define CONVOLUTION(stride, dilation)                                                              \
    ",\"stride_height\":" stride ",\"stride_width\":1,\"dilation_height\":" dilation               \
    ",\"dilation_width\":1,\"padding_top\":2,\"padding_bottom\":2,\"padding_left\":1,"             \
    "\"padding_right\":1"

static void expect_text(const char *suite_text, const uint32_t *index, unsigned rank,
                        const char *expected)
{
    lb_arena arena = {0};
    lb_diagnostics diagnostics = {.report = lb_diagnostic_print};
    lb_suite *suite = open_suite(suite_text);
    lb_suite_reader *reader = lb_suite_reader_open(suite);
    const lb_case *c = lb_suite_reader_case(reader, 0, &diagnostics);
    assert_non_null(c);
    assert_string_equal(lb_operands_text(c, index, rank, &arena), expected);
    lb_suite_reader_close(reader);
    lb_suite_close(suite);
    lb_arena_free(&arena);
}

#define INDEX(...) ((const uint32_t[LB_MAX_RANK]){__VA_ARGS__})

static void windows_are_cut_to_the_map(void **state)
{
    (void)state;
    const char *conv = WEIGHTED_CASE("mli_krn_conv2d_hwcn_fx16", CONVOLUTION("2", "2"), "7,6,2",
                                     "3,3,2,4", "4", "4,6,4");
    expect_text(conv, INDEX(0, 5, 3), 3,
                "in rows 0..2 by 2, columns 4..5; weights[*,*,*,3], bias[3]");
    expect_text(conv, INDEX(3, 0, 0), 3,
                "in rows 4..6 by 2, columns 0..1; weights[*,*,*,0], bias[0]");
    expect_text(WEIGHTED_CASE("mli_krn_depthwise_conv2d_hwcn_fx16", CONVOLUTION("1", "1"), "7,6,2",
                              "3,3,1,2", "2", "9,6,2"),
                INDEX(0, 2, 1), 3, "in rows 0..0, columns 1..3; weights[*,*,*,1], bias[1]");
    expect_text(WEIGHTED_CASE("mli_krn_group_conv2d_hwcn_fx16", CONVOLUTION("1", "1"), "7,6,4",
                              "3,3,2,6", "6", "9,6,6"),
                INDEX(4, 2, 5), 3, "in rows 2..4, columns 1..3; weights[*,*,*,5], bias[5]");
}

/* Every second row of the kernel meets an input. */
static void transposed_windows_are_spread(void **state)
{
    (void)state;
    expect_text(WEIGHTED_CASE("mli_krn_transpose_conv2d_hwcn_fx16", CONVOLUTION("2", "1"), "3,4,2",
                              "5,3,2,3", "3", "5,4,3"),
                INDEX(1, 0, 2), 3, "in rows 0..1, columns 0..1; weights[*,*,*,2], bias[2]");
}

static void pools_have_one_channel(void **state)
{
    (void)state;
    expect_text(SUITE("{\"id\":\"a\",\"function\":\"mli_krn_maxpool_hwc_fx16\",\"config\":{"
                      "\"kernel_height\":3,\"kernel_width\":2,\"stride_height\":2,"
                      "\"stride_width\":1,\"padding_top\":1,\"padding_bottom\":0,"
                      "\"padding_left\":0,\"padding_right\":1},\"inputs\":{\"in\":" FX(
                          "6,4,3") "},\"outputs\":{\"out\":{\"type\":\"fx16\",\"frac_bits\":0,"
                                   "\"shape\":[3,4,3]}}}"),
                INDEX(0, 3, 2), 3, "in rows 0..1, columns 3..3, channel 2");
}

static void other_ranks_have_no_text(void **state)
{
    (void)state;
    expect_text(WEIGHTED_CASE("mli_krn_conv2d_hwcn_fx16", CONVOLUTION("1", "1"), "7,6", "3,3,2,4",
                              "4", "9,6,4"),
                INDEX(0, 0, 0), 3, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_are_cut_to_the_map),
        cmocka_unit_test(transposed_windows_are_spread),
        cmocka_unit_test(pools_have_one_channel),
        cmocka_unit_test(other_ranks_have_no_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
